"""The review of a play: it adds up, agrees with solve and brute force, and finds no fault in best play."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random
from threading import Timer

import oracle
import pytest
from stored import random_deal, to_oracle

from sgtmajor import (
    Interrupted,
    Review,
    SearchStopped,
    Solver,
    analyze,
    review,
)
from sgtmajor.cards import Card, Seat, Trump
from sgtmajor.deal import Position
from sgtmajor.equilibrium import Ties
from sgtmajor.errors import EnumerationFull, InputError
from sgtmajor.mistakes import review_last_card
from sgtmajor.record import Record
from sgtmajor.yardstick import YARDSTICKS, By, other_than, worth

Player = Callable[[Position], Card]
CLOSE = 1e-9


@pytest.fixture(scope="module")
def solver() -> Iterator[Solver]:
    with Solver(16) as solver:
        yield solver


def played(rng: Random, size: int, choose: Player, cards: int | None = None) -> Record:
    """Deals and plays, with ``choose`` at every turn."""
    deal = random_deal(rng, size, 0)
    record = Record(deal, rng.choice(list(Trump)), rng.choice(list(Seat)))
    return play_on(record, choose, 3 * size if cards is None else cards)


def play_on(record: Record, choose: Player, cards: int) -> Record:
    position, play = record.start, []
    for _ in range(cards):
        play.append(choose(position))
        position = position.after(play[-1])
    return replace(record, play=tuple(play))


def at_random(rng: Random) -> Player:
    return lambda position: rng.choice(list(position.legal()))


def greedy(position: Position) -> Card:
    """Takes the trick with the lowest card that wins it, if one does; else plays the lowest card."""
    legal = sorted(position.legal(), key=lambda card: card.rank)
    taking = [card for card in legal if position.winner_after(card) is position.to_play]
    return (taking or legal)[0]


def assert_adds_up(found: Review) -> None:
    """The value at the start and what all cards have changed are what was taken, and what is still worth."""
    players = found.players
    assert sum(found.taken.values()) + found.left.tricks == found.start.tricks
    for seat in Seat:
        guaranteed = sum(player.change.guaranteed[seat] for player in players.values())
        share = sum(player.change.share[seat] for player in players.values())
        assert found.start.guaranteed[seat] + guaranteed == found.taken[seat] + found.left.guaranteed[seat]
        end = found.taken[seat] + found.left.share[seat]
        assert found.start.share[seat] + share == pytest.approx(end, abs=CLOSE)
        own = players[seat].change
        assert own.guaranteed[seat] <= 0
        assert own.share[seat] <= CLOSE
        assert sum(own.share.values()) == pytest.approx(0, abs=CLOSE)
        assert all(own.guaranteed[other] >= 0 for other in Seat if other is not seat)
        assert players[seat].lost == sum(card.lost for card in found.mistakes if card.turn.seat is seat)
        lost = sum(card.lost_split for card in found.mistakes if card.turn.seat is seat)
        assert players[seat].lost_split == pytest.approx(lost, abs=CLOSE)
        for each in Seat:
            given = sum(card.given.guaranteed[each] for card in found.mistakes if card.turn.seat is seat)
            assert players[seat].given.guaranteed[each] == given
    if not found.left.tricks:
        assert found.left.guaranteed.values() == (0, 0, 0)


@pytest.mark.parametrize("size", range(1, 17))
def test_it_adds_up_for_every_length_of_play(size: int) -> None:
    rng = Random(size)
    # Longer random deals take longer to solve.
    for choose in (at_random(rng), greedy):
        record = played(rng, size, choose) if size <= 11 else easy_deal(rng, size, choose)
        found = review(record)
        assert found.complete
        assert len(found.cards) == 3 * size
        assert not found.left.tricks
        assert_adds_up(found)
        assert found.taken == record.tricks_taken


def easy_deal(rng: Random, size: int, choose: Player) -> Record:
    """Deals long suits: each seat has most of one, so that the deal is solved at once."""
    suits = [list("AKQJT98765432") for _ in range(4)]
    hands = []
    for seat in range(3):
        own = suits[seat][: size - 4]
        rest = suits[3][4 * seat : 4 * seat + 4]
        groups = ["", "", "", "".join(rest)]
        groups[seat] = "".join(own)
        hands.append(groups)
    # One card changes hands, so that suits are followed and ruffed.
    hands[0][1], hands[1][1] = hands[1][1][-1], hands[1][1][:-1]
    hands[1][0], hands[0][0] = hands[0][0][-1], hands[0][0][:-1]
    text = " ".join(".".join(groups) for groups in hands)
    record = Record.parse(f"D:{text} trump=S lead={rng.choice('DLR')}")
    return play_on(record, choose, 3 * size)


@pytest.mark.parametrize("by", YARDSTICKS)
def test_the_best_line_has_no_mistakes(solver: Solver, by: By) -> None:
    rng = Random(61)
    for size in (1, 2, 3, 5, 7, 8, 9):
        record = played(rng, size, greedy, 0)
        found = review(replace(record, play=solver.line(record.start, by=by)), by=by)
        assert found.mistakes == ()
        assert_adds_up(found)
        assert all(player.mistakes == 0 for player in found.players.values())


@pytest.mark.parametrize("by", YARDSTICKS)
def test_solve_says_the_same_of_every_position_of_the_play(solver: Solver, by: By) -> None:
    rng = Random(62)
    for size in (2, 4, 6, 8):
        record = played(rng, size, at_random(rng), 3 * size - rng.randrange(3))
        found = review(record, by=by)
        for count, card in enumerate(found.cards):
            assert card.position == replace(record, play=record.play[:count]).position
            values = solver.solve(card.position)
            assert card.before.guaranteed == values.guaranteed
            cards = solver.cards(card.position, by=by)
            own = next(each for each in cards if card.turn.card in each.run)
            assert card.after.guaranteed == own.values.guaranteed
            seat = card.turn.seat
            for yardstick, lost in (("guaranteed", card.lost), ("share", card.lost_split)):
                best = max(worth(each.values, yardstick)[seat] for each in cards)  # type: ignore[arg-type]
                mine = worth(own.values, yardstick)[seat]  # type: ignore[arg-type]
                assert lost == pytest.approx(best - mine, abs=CLOSE)
            top = cards[0]
            better = worth(top.values, by)[seat] > worth(own.values, by)[seat] + CLOSE
            assert (card.better is not None) == better
            if card.better:
                assert card.better.run == top.run
                assert card.better.values.guaranteed == top.values.guaranteed
                assert card.given.guaranteed == own.values.since(top.values).guaranteed
            second = other_than(by)
            best_other = solver.cards(card.position, by=second)[0]
            named = (card.better.values if card.better else own.values, own.values)
            gained = min(worth(best_other.values, second)[seat] - worth(each, second)[seat] for each in named)
            assert (card.other is not None) == (gained > CLOSE)
            if card.other:
                assert card.other.run == best_other.run
            assert (card.forced is not None) == (len(cards) == 1)
            assert (card.forced == "only") == (len(card.position.legal()) == 1)


def test_brute_force_says_the_same_of_every_card() -> None:
    rng = Random(63)
    for size in (1, 2, 3, 3, 4):
        record = played(rng, size, at_random(rng))
        for card in review(record).cards:
            position = to_oracle(card.position)
            assert card.before.guaranteed.values() == oracle.guarantees(*position)
            number = oracle.read_cards(str(card.turn.card))[0]
            taker, after = oracle.play(*position, number)
            later = oracle.guarantees(*after)
            expected = tuple(later[seat] + (seat == taker) for seat in range(3))
            assert card.after.guaranteed.values() == expected


def test_a_seat_that_cannot_help_losing_makes_no_mistake(solver: Solver) -> None:
    # D has to give a third of a trick to one or the other: each of his cards costs him some of his share.
    rng = Random(64)
    for _ in range(200):
        record = played(rng, 4, at_random(rng), 1)
        found = review(record)
        (card,) = found.cards
        options = solver.cards(card.position)
        if all(each.values.since(card.before) for each in options) and not card.better:
            assert card.change.share[card.turn.seat] < 0
            assert card.lost_split == 0
            assert found.mistakes == ()
            return
    raise AssertionError("no such position in 200")


def test_mistakes_come_worst_first_and_name_the_better_card() -> None:
    found = review("D:A5.QJ.K. 84.K.A9. K.T8.J4. trump=S lead=L play=S8,SK,S5,H8,HQ,HK")
    assert [(str(card.turn.card), card.lost, round(card.lost_split, 3)) for card in found.mistakes] == [
        ("S5", 1, 1.0),
        ("S8", 0, 0.333),
    ]
    assert [str(card.better.card) for card in found.mistakes if card.better] == ["SA", "S4"]
    assert [card.forced for card in found.cards] == [None, "only", None, None, "equal", "only"]
    players = found.players
    assert (players.D.cards, players.D.choices, players.D.mistakes, players.D.lost) == (2, 1, 1, 1)
    assert players.D.given.share.to_dict() == {"D": -1, "L": 0, "R": 1}
    assert pytest.approx(2 / 3) == players.L.given.share.D
    assert players.R.mistakes == 0


def test_the_yardstick_says_what_is_a_mistake() -> None:
    text = "D:A5.QJ.K. 84.K.A9. K.T8.J4. trump=S lead=L play=S8,SK,S5,H8,HQ,HK"
    found = review(text, by="guaranteed")
    assert [str(card.turn.card) for card in found.mistakes] == ["S5"]
    # The other number is told all the same.
    assert round(found.cards[0].lost_split, 3) == 0.333


def test_only_what_mistakes_have_lost_is_summed_up() -> None:
    # By what is guaranteed L makes no mistake, and loses a third of a trick of his share all the same.
    found = review("D:A5.QJ.K. 84.K.A9. K.T8.J4. trump=S lead=L play=S8,SK,S5,H8,HQ,HK", by="guaranteed")
    assert found.cards[0].lost_split > 0
    assert (found.players.L.mistakes, found.players.L.lost, found.players.L.lost_split) == (0, 0, 0)


@pytest.mark.parametrize(("by", "better", "other"), [("share", "SA", "D2"), ("guaranteed", "D2", "SA")])
def test_where_no_card_is_best_by_both_yardsticks_both_are_named(by: By, better: str, other: str) -> None:
    (card,) = review("D:.74.KJ93.AJ6 J9762.6.T5.9 AT3..872.KQ4 trump=N lead=R play=ST", by=by).cards
    assert (card.lost, round(card.lost_split, 3)) == (1, 0.333)
    assert card.better
    assert card.other
    assert (str(card.better.lowest), str(card.other.lowest)) == (better, other)


def test_a_trick_in_progress_is_reviewed() -> None:
    found = review("D:A5.QJ.K. 4.K.A9. K.T8.J4. trump=S lead=L trick=S8")
    assert [str(card.turn.card) for card in found.cards] == ["S8"]
    assert found.left.guaranteed.to_dict() == {"D": 2, "L": 2, "R": 0}


def test_a_record_without_a_play_is_refused() -> None:
    with pytest.raises(InputError, match="there is no play to review"):
        review("D:A... K... Q... trump=S")
    with pytest.raises(InputError, match="the trump is not given"):
        review("D:A... K... Q... play=SA")


def test_the_last_card_alone_is_reviewed_as_in_the_whole_play(solver: Solver) -> None:
    record = played(Random(65), 5, at_random(Random(65)))
    found = review(record)
    for count, card in enumerate(found.cards, start=1):
        alone = review_last_card(solver, replace(record, play=record.play[:count]))
        assert alone.to_dict() == card.to_dict()


DISCARDED = "D:AK.5.3. QT.A..2 J9.K.Q. K:...A rules=classic,targets=2-1-1"


def test_the_announcement_is_held_against_the_best() -> None:
    best = analyze(DISCARDED)
    for trump in "SHDC":
        for card in ("SK", "D3", "H5"):
            text = f"{DISCARDED} trump={trump} discard={card} play=SA"
            found = review(text).announcement
            assert found is not None
            start = Record.parse(text).start
            share = review(text).start.share.D
            named = next(each for each in best.contracts if str(each.trump) == trump)
            assert named.best
            assert best.best.best
            assert found.lost_by_discard == pytest.approx(named.best.values.share.D - share)
            assert found.lost_by_trump == pytest.approx(
                best.best.best.values.share.D - named.best.values.share.D
            )
            assert start.trump is Trump.parse(trump)
    assert review(f"{DISCARDED} trump=S discard=H5 play=SA", announcement=False).announcement is None
    assert review("D:AK.5.3. QT.A.2. J9.K.Q. trump=S play=SA").announcement is None


def test_the_number_of_jobs_changes_nothing() -> None:
    record = f"{DISCARDED} trump=S discard=SK play=SA,ST,S9"
    alone, several = (review(record, jobs=jobs, memory_mb=16).to_dict() for jobs in (1, 3))
    for found in (alone, several):
        del found["seconds"], found["nodes"]
    assert alone == several


def test_a_contract_that_the_rules_do_not_have_is_compared_too() -> None:
    found = review(f"{DISCARDED} trump=N discard=H5 play=SA").announcement
    assert found is not None
    assert found.best_discard is not None
    assert set(found.analysis.to_dict()["trumps"]) == set("SHDCN")  # type: ignore[call-overload]


def test_the_json_form_has_all_numbers() -> None:
    found = review(f"{DISCARDED} trump=S discard=H5 play=SA,ST,S9,SK id=x")
    values = json.loads(json.dumps(found.to_dict()))
    assert list(values) == [
        *("id", "record", "by", "tricks", "start", "cards", "taken", "left", "players", "announcement"),
        *("complete", "nodes", "seconds"),
    ]
    assert values["taken"] == {"D": 1, "L": 0, "R": 0}
    assert [card["wins"] for card in values["cards"]] == [None, None, "D", None]
    assert values["cards"][0]["before"] == values["start"]
    assert set(values["players"]["D"]["to"]) == {"L", "R"}
    assert values["announcement"]["discard"] == ["H5"]
    assert "-0.0" not in json.dumps(values)


DEMO = "D:T865.Q9653.AJT64.K2 AK732.KT7.97.AQ9874 Q4.AJ82.KQ8532.JT65 K:J9.4..3 discard=S8,ST,H3,C2"


def test_when_time_is_up_what_is_finished_is_kept() -> None:
    with pytest.raises(SearchStopped):
        review(f"{DEMO} trump=H play=H4", seconds=0.0)
    record = easy_deal(Random(66), 12, greedy)
    found = review(record, seconds=0.4, progress=lambda done, total: time.sleep(0.05))
    assert not found.complete
    assert 0 < len(found.cards) < 36
    assert_adds_up(found)


def test_when_time_is_up_in_the_announcement_the_play_is_kept() -> None:
    record = f"{DISCARDED} trump=S discard=H5 play=SA"
    found = review(record, seconds=0.3, progress=lambda done, total: time.sleep(0.4))
    assert not found.complete
    assert len(found.cards) == 1


def test_ctrl_c_keeps_what_is_finished() -> None:
    record = Record.parse(f"{DEMO} trump=H play=H4")
    seen: list[int] = []

    def press(done: int, total: int) -> None:
        seen.append(done)
        Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()

    with pytest.raises(Interrupted) as caught:
        review(record, progress=press)
    found: Review = caught.value.result
    assert seen == [1]
    assert (len(found.cards), found.complete, found.announcement) == (1, False, None)


def test_a_table_that_is_too_small_changes_nothing() -> None:
    record = played(Random(67), 9, at_random(Random(67)))
    small, large = review(record, memory_mb=1), review(record, memory_mb=64)
    assert small.to_dict()["cards"] == large.to_dict()["cards"]


# By equilibrium.


@pytest.mark.parametrize("seed", range(12))
def test_by_equilibrium_a_review_adds_up_and_agrees_with_the_cards_of_solve(seed: int) -> None:
    rng = Random(seed)
    record = played(rng, rng.randrange(2, 6), at_random(rng), rng.randrange(1, 7))
    found = review(record, by="equilibrium", memory_mb=16)
    totals = dict.fromkeys(Seat, 0.0)
    with Solver(16) as solver:
        for card in found.cards:
            seat = card.turn.seat
            before, after, change = card.before.equilibrium, card.after.equilibrium, card.change.equilibrium
            assert before
            assert after
            assert change
            assert sum(before.values()) == pytest.approx(card.before.tricks)
            assert before == solver.equilibrium(card.position)
            best, *_ = options = solver.cards(card.position, equilibrium=True)
            (own,) = (each for each in options if card.turn.card in each.run)
            assert own.values.equilibrium == after
            assert best.values.equilibrium
            lost = best.values.equilibrium[seat] - after[seat]
            assert card.lost_split == pytest.approx(lost, abs=CLOSE)
            assert change[seat] == pytest.approx(-lost, abs=CLOSE), "a seat can keep what it can expect"
            if lost > 1e-6:
                assert card.better
                assert card.better.run == best.run
            else:
                assert card.better is None
            for each in Seat:
                totals[each] += change[each]
    start, left = found.start.equilibrium, found.left.equilibrium
    assert start
    assert left
    for seat in Seat:
        assert start[seat] + totals[seat] == pytest.approx(found.taken[seat] + left[seat])


def test_by_equilibrium_best_play_has_no_mistakes_and_ties_are_told() -> None:
    record = Record.parse("D:A5.QJ.K. 84.K.A9. K.T8.J4. trump=S lead=L")
    with Solver(16, ties=Ties.parse("for:L")) as solver:
        line = solver.line(record.position, equilibrium=True)
    found = review(replace(record, play=line), by="equilibrium", ties=Ties.parse("for:L"), jobs=2)
    assert found.mistakes == ()
    assert found.to_dict()["ties"] == "for:L"


def test_by_equilibrium_the_announcement_is_held_against_the_best_by_share() -> None:
    found = review(f"{DISCARDED} trump=S discard=H5 play=SA", by="equilibrium")
    assert found.announcement
    assert found.announcement.analysis.by == "share"
    assert found.complete


def test_a_play_that_does_not_fit_is_refused() -> None:
    whole = "D:T865.Q9653.AJT64.K2 AK732.KT7.97.AQ9874 Q4.AJ82.KQ8532.JT65 trump=S play=S5"
    with pytest.raises(EnumerationFull, match="16 tricks do not fit into 1 MiB"):
        review(whole, by="equilibrium", equilibrium_mb=1)
