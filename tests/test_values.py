"""What positions are worth: stored answers, two oracles, and what the definitions promise."""

from __future__ import annotations

import _thread
import json
import time
from collections.abc import Callable, Iterator
from itertools import product
from random import Random
from threading import Thread, Timer
from typing import Any

import oracle
import pytest
from hypothesis import given, settings, strategies as st
from stored import random_position, stored, to_package
from strategies import positions

from sgtmajor.cards import BySeat, Card, Hand, Seat, Suit, Trump
from sgtmajor.deal import Position
from sgtmajor.engine import Engine
from sgtmajor.errors import InputError, SearchStopped
from sgtmajor.record import Record
from sgtmajor.values import CardValue, Solver, Values, seat_values, solve
from sgtmajor.workers import run_on
from sgtmajor.yardstick import YARDSTICKS, By

# Lines of guaranteed_full.jsonl that stay quick when the table is far too small for them.
EASY = (0, 3, 5, 6, 7, 10, 12, 13, 15, 16, 18, 22, 26, 28, 29)
# One that is not.
HARD = stored("guaranteed_full.jsonl")[23]
ENDED = Position(BySeat.of(lambda _: Hand()), Trump.S, Seat.D)

repeatable = settings(derandomize=True, deadline=None, max_examples=80)


@pytest.fixture(scope="module")
def warm() -> Iterator[Solver]:
    """A solver that never forgets what the tests before asked it."""
    with Solver(256) as solver:
        yield solver


def cold(position: Position, memory_mb: int = 1) -> BySeat[int]:
    with Solver(memory_mb) as solver:
        return solver.solve(position).guaranteed


def moved(position: Position, card_to: Callable[[Card], Card], trump: Trump) -> Position:
    """Returns a position with every card replaced by another."""
    hands = BySeat.of(lambda seat: Hand.of(map(card_to, position.hands[seat])))
    return Position(hands, trump, position.leader, tuple(map(card_to, position.trick)))


# The stored answers.


@pytest.mark.parametrize("memory_mb", [1, 256])
@pytest.mark.parametrize("name", ["guaranteed_small.jsonl", "three_suits.jsonl", "guaranteed_full.jsonl"])
def test_every_stored_answer_comes_out_of_a_cold_solver(name: str, memory_mb: int) -> None:
    of_this_file = stored(name)
    if memory_mb == 1 and name == "guaranteed_full.jsonl":
        of_this_file = [of_this_file[place] for place in EASY]
    for line in of_this_file:
        with Solver(memory_mb) as solver:
            assert {seat: solver.guaranteed(line.position, seat) for seat in line.guaranteed} == (
                line.guaranteed
            ), line.record


def test_every_stored_answer_comes_out_of_one_warm_solver_in_any_order(warm: Solver) -> None:
    everything = [
        line
        for name in ("guaranteed_small.jsonl", "three_suits.jsonl", "guaranteed_full.jsonl")
        for line in stored(name)
    ]
    Random(1).shuffle(everything)
    for line in everything:
        found = {seat: warm.guaranteed(line.position, seat) for seat in line.guaranteed}
        assert found == line.guaranteed, line.record


# Brute force.


@pytest.mark.parametrize("mid_trick", [False, True])
@pytest.mark.parametrize(("size", "count"), [(1, 60), (2, 150), (3, 150), (4, 60)])
def test_solver_and_brute_force_agree_on_random_endings(
    warm: Solver, size: int, count: int, mid_trick: bool
) -> None:
    rng = Random(100 * size + mid_trick)
    for _ in range(count):
        position = oracle.random_position(rng, size, mid_trick)
        values = warm.solve(to_package(position))
        assert tuple(values.guaranteed.values()) == oracle.guarantees(*position), str(position)
        assert values.tricks == size


@pytest.mark.parametrize("seed", range(2))
def test_solver_and_brute_force_agree_on_five_cards_each(warm: Solver, seed: int) -> None:
    position = oracle.random_position(Random(seed), 5)
    assert tuple(warm.solve(to_package(position)).guaranteed.values()) == oracle.guarantees(*position)


@pytest.mark.parametrize("size", [2, 3])
def test_solver_and_brute_force_agree_for_every_trump_leader_and_seat(warm: Solver, size: int) -> None:
    rng = Random(size)
    for _ in range(12):
        hands, _ = oracle.random_deal(rng, size, suits=rng.randint(1, 3))
        for trump, leader in product(range(5), range(3)):
            position = oracle.Position(hands, trump, leader)
            for seat in range(3):
                expected = oracle.guaranteed(*position, seat)
                assert warm.guaranteed(to_package(position), oracle.SEATS[seat]) == expected, str(position)


def test_cards_and_brute_force_agree_on_what_each_card_leads_to(warm: Solver) -> None:
    rng = Random(11)
    for place in range(60):
        start = oracle.random_position(rng, rng.randint(1, 3), mid_trick=place % 2 == 1)
        who = (start.leader + len(start.trick)) % 3
        expected = {}
        for card in oracle.legal(start.hands[who], start.trick):
            taker, after = oracle.play(*start, card)
            later = oracle.guarantees(*after)
            expected[oracle.write_cards((card,))] = [later[seat] + (seat == taker) for seat in range(3)]
        found = {
            str(card): list(value.values.guaranteed.values())
            for value in warm.cards(to_package(start))
            for card in (value.card, *value.equals)
        }
        assert found == expected, str(start)


# The bridge solver.


@pytest.mark.parametrize("mid_trick", [False, True])
@pytest.mark.parametrize("size", range(5, 11))
def test_solver_and_bridge_solver_agree_on_larger_endings(warm: Solver, size: int, mid_trick: bool) -> None:
    pytest.importorskip("endplay")
    import dds

    rng = Random(1000 * size + mid_trick)
    for _ in range(30):
        position = oracle.random_position(rng, size, mid_trick)
        expected = tuple(dds.guaranteed(*position, seat) for seat in range(3))
        assert tuple(warm.solve(to_package(position)).guaranteed.values()) == expected, str(position)


@pytest.mark.parametrize("suits", [3, 4])
def test_solver_and_bridge_solver_agree_on_thirteen_cards(warm: Solver, suits: int) -> None:
    pytest.importorskip("endplay")
    import dds

    rng = Random(suits)
    for _ in range(10):
        hands, _ = oracle.random_deal(rng, 13, suits=suits)
        position = oracle.Position(hands, rng.randrange(5) if suits == 3 else 4, rng.randrange(3))
        expected = tuple(dds.guaranteed(*position, seat) for seat in range(3))
        assert tuple(warm.solve(to_package(position)).guaranteed.values()) == expected, str(position)


# What the definitions promise.


@repeatable
@given(positions(8), st.integers(1, 2))
def test_seats_that_move_around_the_table_take_their_guarantees_along(position: Position, by: int) -> None:
    def rotated(seat: Seat) -> Seat:
        return Seat((seat.index + by) % 3)

    origin = {rotated(seat): seat for seat in Seat}
    hands = BySeat.of(lambda seat: position.hands[origin[seat]])
    turned = Position(hands, position.trump, rotated(position.leader), position.trick)
    before, after = cold(position), cold(turned)
    assert BySeat.of(lambda seat: after[rotated(seat)]) == before


@repeatable
@given(positions(8), st.permutations(tuple(Suit)))
def test_suits_that_change_places_with_the_trump_change_nothing(
    position: Position, places: list[Suit]
) -> None:
    trump = Trump(places[position.trump.index].index) if position.trump.suit else Trump.N
    other = moved(position, lambda card: Card(places[card.suit.index], card.rank), trump)
    assert cold(other) == cold(position)


@repeatable
@given(positions(8), st.data())
def test_only_the_order_of_the_live_cards_counts(position: Position, data: st.DataObject) -> None:
    live = sorted(card for cards in (*position.hands.values(), Hand.of(position.trick)) for card in cards)
    new: dict[Card, Card] = {}
    for suit in Suit:
        cards = [card for card in live if card.suit is suit]
        ranks = sorted(data.draw(st.permutations(range(2, 15)))[: len(cards)])
        by_rank = sorted(cards, key=lambda card: card.rank)
        new |= {card: Card(suit, rank) for card, rank in zip(by_rank, ranks, strict=True)}
    assert cold(moved(position, new.__getitem__, position.trump)) == cold(position)


@repeatable
@given(positions(6))
def test_equal_cards_lead_to_the_same(position: Position) -> None:
    with Solver(1) as solver:
        for card in position.legal():
            expected = solver.solve(position.after(card)).guaranteed
            for other in position.equals(card):
                assert cold(position.after(other)) == expected, (card, other)


@repeatable
@given(positions(9))
def test_a_tiny_a_usual_and_a_warm_table_give_the_same(warm: Solver, position: Position) -> None:
    assert cold(position, 1) == cold(position, 256) == warm.solve(position).guaranteed


@repeatable
@given(positions(9))
def test_guarantees_shares_and_ceilings_add_up(warm: Solver, position: Position) -> None:
    values = warm.solve(position)
    assert values.tricks == position.tricks
    assert min(values.guaranteed.values()) >= 0
    assert sum(values.guaranteed.values()) <= values.tricks
    for seat in Seat:
        assert values.guaranteed[seat] <= values.ceiling[seat] <= values.tricks
        others = values.guaranteed[seat.next] + values.guaranteed[seat.next.next]
        assert values.ceiling[seat] == values.tricks - others
        assert values.guaranteed[seat] - 1e-9 <= values.share[seat] <= values.ceiling[seat] + 1e-9
    assert sum(values.share.values()) == pytest.approx(values.tricks)
    assert len({round(values.share[seat] - values.guaranteed[seat], 9) for seat in Seat}) == 1


@repeatable
@given(positions(6))
def test_the_seat_to_play_takes_its_best_card_and_the_others_fear_its_worst(
    warm: Solver, position: Position
) -> None:
    values = cold(position)
    after = [value.values.guaranteed for value in warm.cards(position)]
    for seat in Seat:
        choose = max if seat is position.to_play else min
        assert values[seat] == choose(guaranteed[seat] for guaranteed in after)


def with_forced_trick(rng: Random, rest: Position, place: int, cards: list[Card]) -> Position | None:
    """Puts a trick of three unused cards of a suit before a position: two are played, the last is forced.

    `place` says which of them wins, so that its player leads to `rest`. None if the last has a choice.
    """
    low, middle, high = sorted(cards, key=lambda card: card.rank)
    losers = [low, middle]
    rng.shuffle(losers)
    trick = [*losers[:place], high, *losers[place:]]
    leader = Seat((rest.leader.index - place) % 3)
    last = leader.next.next
    if rest.hands[last].suit(high.suit):
        return None
    hands = rest.hands.replace(last, rest.hands[last] | Hand.of([trick[2]]))
    return Position(hands, rest.trump, leader, tuple(trick[:2]))


@pytest.mark.parametrize("seed", range(3))
def test_a_forced_trick_adds_one_to_its_winner_and_nothing_else(warm: Solver, seed: int) -> None:
    rng = Random(seed)
    checked = 0
    while checked < 60:
        rest = random_position(rng, rng.randint(1, 8))
        unused = Hand.full() - (rest.hands["D"] | rest.hands["L"] | rest.hands["R"])
        free = list(unused.suit(rng.choice(list(Suit))))
        place = rng.randrange(3)
        if len(free) < 3 or not (before := with_forced_trick(rng, rest, place, rng.sample(free, 3))):
            continue
        later = warm.solve(rest).guaranteed
        expected = later.replace(rest.leader, later[rest.leader] + 1)
        assert warm.solve(before).guaranteed == expected, str(before)
        checked += 1


# Sizes at the ends of the range.


def test_a_hand_of_seventeen_cards_takes_every_trick_if_nobody_can_stop_it(warm: Solver) -> None:
    hands = BySeat(
        Hand.parse("AKQJT98765432.AKQJ.."),
        Hand.parse("..AKQJT987.AKQJT9876"),
        Hand.parse(".T98765432.65432.543"),
    )
    for leader in Seat:
        assert warm.solve(Position(hands, Trump.S, leader)).guaranteed == BySeat(17, 0, 0)
    assert warm.solve(Position(hands, Trump.N, Seat.L)).guaranteed == BySeat(0, 17, 0)


def test_seventeen_cards_after_a_forced_trick_are_worth_what_sixteen_are(warm: Solver) -> None:
    rng = Random(17)
    trick = [Card.parse(name) for name in ("H2", "H3", "H4")]
    for place, trump in product(range(3), (Trump.S, Trump.N)):
        leader = rng.choice(list(Seat))
        last = Seat((leader.index - place + 2) % 3)
        pack = [card for card in Hand.full() if card not in trick]
        without = rng.sample([card for card in pack if card.suit is not Suit.H], 16)
        pack = [card for card in pack if card not in without]
        rng.shuffle(pack)
        hands = BySeat.of(lambda _: Hand()).replace(last, Hand.of(without))
        hands = hands.replace(last.next, Hand.of(pack[:16])).replace(last.next.next, Hand.of(pack[16:32]))
        rest = Position(hands, trump, leader)
        before = with_forced_trick(rng, rest, place, trick)
        assert before
        assert before.tricks == 17
        later = warm.solve(rest).guaranteed
        assert warm.solve(before).guaranteed == later.replace(leader, later[leader] + 1), str(before)


def test_the_last_card_goes_to_whoever_takes_it_whatever_is_trumps(warm: Solver) -> None:
    hands = BySeat(Hand.parse("2..."), Hand.parse("A..."), Hand.parse(".3.."))
    assert warm.solve(Position(hands, Trump.N, Seat.D)).guaranteed == BySeat(0, 1, 0)
    assert warm.solve(Position(hands, Trump.H, Seat.D)).guaranteed == BySeat(0, 0, 1)
    assert warm.solve(Position(hands, Trump.N, Seat.R)).guaranteed == BySeat(0, 0, 1)


def test_a_play_that_is_over_is_worth_nothing(warm: Solver) -> None:
    assert warm.solve(ENDED).guaranteed == BySeat(0, 0, 0)
    assert warm.solve(ENDED).share == BySeat(0.0, 0.0, 0.0)
    assert warm.cards(ENDED) == ()
    assert warm.line(ENDED) == ()


# Cards and lines.


def rank(value: CardValue, seat: Seat, by: By = "share") -> tuple[float, float]:
    share, guaranteed = round(value.values.share[seat], 9), value.values.guaranteed[seat]
    return (share, guaranteed) if by == "share" else (guaranteed, share)


@pytest.mark.parametrize("by", YARDSTICKS)
@repeatable
@given(position=positions(6))
def test_cards_lists_every_legal_card_once_and_the_best_first(
    warm: Solver, by: By, position: Position
) -> None:
    found = warm.cards(position, by=by)
    listed = [card for value in found for card in (value.card, *value.equals)]
    assert sorted(listed) == sorted(position.legal())
    for value in found:
        assert value.equals == position.equals(value.card)
        assert all(other.rank < value.card.rank for other in value.equals)
        assert value.values.tricks == position.tricks
    order = [
        (*(-number for number in rank(value, position.to_play, by)), value.lowest.rank) for value in found
    ]
    assert order == sorted(order)


def test_of_cards_with_the_same_share_the_one_that_is_surer_is_better(warm: Solver) -> None:
    # SK: 1 and two thirds of a trick; H5: 0 and five thirds, which is more as a float.
    record = Record.parse("D:K43.J85.8. J76.A7.A.9 2.92..KJ53 trump=D lead=D")
    found = warm.cards(record.position)
    assert [str(value.lowest) for value in found[:2]] == ["SK", "H5"]
    assert warm.line(record.position)[0] == found[0].lowest
    (fork,) = warm.tree(record.position, 1)
    assert fork.card == found[0].lowest


def test_another_yardstick_is_refused(warm: Solver) -> None:
    for ask in (warm.cards, warm.line):
        with pytest.raises(InputError, match="no yardstick 'tricks'; expected one of share, guaranteed"):
            ask(ENDED, by="tricks")  # type: ignore[arg-type]


@settings(repeatable, max_examples=30)
@given(positions(6))
def test_a_line_is_legal_complete_and_made_of_best_cards(warm: Solver, position: Position) -> None:
    line = warm.line(position)
    left = 3 * position.tricks - len(position.trick)
    assert len(line) == left
    won = BySeat(0, 0, 0)
    now = position
    for card in line:
        found = warm.cards(now)
        entry = next(value for value in found if card in (value.card, *value.equals))
        assert rank(entry, now.to_play) == rank(found[0], now.to_play)
        assert not any(other.rank < card.rank for other in now.equals(card))
        if winner := now.winner_after(card):
            won = won.replace(winner, won[winner] + 1)
        now = now.after(card)
    assert now.tricks == 0
    assert sum(won.values()) == position.tricks


def test_a_whole_deal_has_a_line_of_all_its_cards(warm: Solver) -> None:
    position = stored("guaranteed_full.jsonl")[13].position
    line = warm.line(position)
    assert Hand.of(line) == position.hands["D"] | position.hands["L"] | position.hands["R"]
    assert Record.parse(f"{position} play={','.join(map(str, line))}").position.tricks == 0


# Ending early.


@pytest.mark.parametrize("nodes", [1, 100, 10_000, 100_000])
def test_a_node_limit_leaves_bounds_that_hold_the_exact_value(nodes: int) -> None:
    stopped = 0
    for line in stored("guaranteed_full.jsonl")[:10] + stored("three_suits.jsonl")[:20]:
        with Engine(16) as engine:
            for seat, exact in line.guaranteed.items():
                before = engine.stats().plays
                try:
                    bounds = engine.bounds(line.position, Seat.parse(seat), node_limit=nodes)
                    assert bounds.exact
                except SearchStopped as error:
                    bounds = error.bounds[seat]
                    stopped += 1
                assert bounds.lower <= exact <= bounds.upper, line.record
                # A search that is stopped finishes the line of play it is in.
                assert engine.stats().plays - before <= nodes + 3 * 17
    assert stopped


@pytest.mark.parametrize("seconds", [0.0, 0.05, 0.3])
def test_a_time_limit_leaves_bounds_that_hold_the_exact_value(seconds: float) -> None:
    with Solver(1) as solver, pytest.raises(SearchStopped, match="stopped before") as caught:
        solver.solve(HARD.position, seconds=seconds)
    for seat, exact in HARD.guaranteed.items():
        bounds = caught.value.bounds[seat]
        assert 0 <= bounds.lower <= exact <= bounds.upper <= 16


def test_a_limit_that_is_not_reached_changes_nothing(warm: Solver) -> None:
    line = stored("guaranteed_small.jsonl")[-1]
    for seconds in (60.0, float("inf")):
        assert warm.solve(line.position, seconds=seconds).guaranteed.to_dict() == line.guaranteed


def forever(engine: Engine) -> None:
    while True:
        engine.clear()
        seat_values(engine, HARD.position)


def test_the_stop_flag_ends_a_hard_deal_at_once() -> None:
    with Engine(1) as engine:
        ended: list[float] = []

        def work() -> None:
            try:
                forever(engine)
            except SearchStopped:
                ended.append(time.perf_counter())

        thread = Thread(target=work)
        thread.start()
        time.sleep(0.3)
        asked = time.perf_counter()
        engine.stop()
        thread.join(10)
        assert ended
        assert ended[0] - asked < 0.5


def test_ctrl_c_ends_a_hard_deal_at_once() -> None:
    with Engine(1) as engine:
        timer = Timer(0.3, _thread.interrupt_main)
        timer.start()
        started = time.perf_counter()
        with pytest.raises(KeyboardInterrupt):
            run_on(engine, lambda: forever(engine))
        assert time.perf_counter() - started < 1.5


def test_a_solver_that_was_stopped_answers_the_next_question() -> None:
    with Solver(1) as solver:
        for _ in range(3):
            with pytest.raises(SearchStopped):
                solver.solve(HARD.position, seconds=0.05)
            for line in stored("guaranteed_small.jsonl")[-5:]:
                assert solver.solve(line.position).guaranteed.to_dict() == line.guaranteed


def test_a_record_that_runs_out_of_time_keeps_the_bounds_of_its_own_position() -> None:
    with Solver(1) as solver:
        line = stored("guaranteed_full.jsonl")[13]
        exact = solver.solve(line.position).guaranteed
        assert exact.to_dict() == line.guaranteed
        with pytest.raises(SearchStopped) as caught:
            # The values come from the warm table at once; the whole line takes much longer.
            solve(line.record, line=True, seconds=0.02, solver=solver)
    for seat in Seat:
        assert caught.value.bounds[seat].lower <= exact[seat] <= caught.value.bounds[seat].upper


def test_a_tree_follows_the_best_line_and_values_what_else_could_be_played() -> None:
    rng = Random(57)
    with Solver(16) as solver:
        for _ in range(10):
            position = random_position(rng, 5, mid_trick=rng.random() < 0.5)
            line, tree = solver.line(position), solver.tree(position, 7)
            assert [fork.card for fork in tree] == list(line[:7])
            for fork in tree:
                cards = solver.cards(fork.position)
                assert [card.run for card in fork.cards] == [card.run for card in cards]
                for card, other in zip(fork.cards, cards, strict=True):
                    assert card.values.guaranteed == other.values.guaranteed
                assert fork.values.guaranteed == solver.solve(fork.position).guaranteed
            assert len(solver.tree(position, 100)) == len(line)


def test_a_card_takes_from_its_own_seat_and_gives_to_the_others() -> None:
    rng = Random(58)
    with Solver(16) as solver:
        for _ in range(40):
            position = random_position(rng, 5, mid_trick=rng.random() < 0.5)
            seat, before, cards = position.to_play, solver.solve(position), solver.cards(position)
            changes = [card.values.since(before) for card in cards]
            for change in changes:
                assert change.guaranteed[seat] <= 0
                assert all(change.guaranteed[other] >= 0 for other in Seat if other is not seat)
                assert sum(change.share.values()) == pytest.approx(0)
            # Some card keeps what the seat is sure of, and some card gives each of the others nothing.
            assert max(change.guaranteed[seat] for change in changes) == 0
            assert all(
                min(change.guaranteed[other] for change in changes) == 0
                for other in Seat
                if other is not seat
            )


# Records.


def test_a_solution_has_the_keys_of_the_output_contract() -> None:
    record = Record.parse("D:A2.K.. K3.A.. .QJ.2. trump=N lead=D id=x7")
    plain = solve(record).to_dict()
    assert list(plain) == ["id", "record", "tricks", "guaranteed", "ceiling", "share", "nodes", "seconds"]
    assert (plain["id"], plain["record"], plain["tricks"]) == ("x7", str(record), 3)
    full: dict[str, Any] = json.loads(json.dumps(solve(record, cards=True, line=True).to_dict()))
    assert set(full) == {*plain, "cards", "line"}
    best = full["cards"][0]
    assert set(best) == {"card", "equals", "guaranteed", "ceiling", "share", "seats", "gains"}
    assert all(best[name] == best["seats"][name]["D"] for name in ("guaranteed", "ceiling", "share"))
    assert len(full["line"]) == 9
    assert full["guaranteed"] == dict(
        zip("DLR", oracle.guarantees(*oracle.read_position(str(record))), strict=True)
    )


def test_shares_are_written_with_three_decimals() -> None:
    assert Values(3, BySeat(1, 0, 0)).to_dict() == {
        "guaranteed": {"D": 1, "L": 0, "R": 0},
        "ceiling": {"D": 3, "L": 2, "R": 2},
        "share": {"D": 1.667, "L": 0.667, "R": 0.667},
    }


def test_a_record_is_solved_after_its_discard_and_its_play() -> None:
    after = "D:K2... .K2.. ..K2. K:A... discard=S2 trump=N lead=D play=SA,H2,D2"
    solution = solve(after, cards=True)
    assert solution.values.guaranteed == BySeat(1, 0, 0)
    assert solution.cards is not None
    assert [str(value.card) for value in solution.cards] == ["SK"]


def test_a_record_without_a_trump_cannot_be_solved() -> None:
    with pytest.raises(InputError, match="the trump is not given"):
        solve("D:A... K... Q... lead=D")


def test_a_solver_that_is_handed_over_is_used_and_stays_open() -> None:
    with Solver(1) as solver:
        line = stored("guaranteed_small.jsonl")[-1]
        first = solve(line.record, solver=solver).values
        again = solve(line.record, solver=solver).values
        assert again.guaranteed == first.guaranteed
        assert again.nodes < first.nodes
        solver.clear()
        assert solver.stats().plays == 0
        assert solve(line.record, solver=solver).values.nodes == first.nodes


@pytest.mark.parametrize("seconds", [-1, float("nan"), float("-inf")])
def test_an_impossible_time_limit_is_refused(seconds: float) -> None:
    with Solver(1) as solver, pytest.raises(InputError, match="time limit"):
        solver.solve(Record.parse("D:A... K... Q... trump=S").position, seconds=seconds)
