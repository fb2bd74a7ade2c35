"""The announcer's discard, against every choice there is, valued by brute force."""

from __future__ import annotations

from itertools import combinations
from math import comb
from random import Random

import oracle
import pytest
from hypothesis import given, settings, strategies as st
from stored import lines, random_deal, to_oracle
from strategies import deals, rules

from sgtmajor.cards import BySeat, Card, Hand, Seat, Suit, Trump
from sgtmajor.deal import Deal, Position
from sgtmajor.engine import Engine
from sgtmajor.errors import InputError
from sgtmajor.kitty import DiscardValue, best_discards, choices, distinct_discards, most_promising_first
from sgtmajor.record import Record
from sgtmajor.rules import PRESETS, Rules
from sgtmajor.values import Solver, Values
from sgtmajor.yardstick import YARDSTICKS, By, score

repeatable = settings(derandomize=True, deadline=None, max_examples=60)
HOUSES = [PRESETS["classic"], PRESETS["pickup"], PRESETS["polish"]]


def every_choice(deal: Deal, house: Rules) -> list[tuple[Card, ...]]:
    """Lists the ways to lay cards aside, from the rules alone."""
    hand, kitty = list(deal.hands[house.announcer]), list(deal.kitty or Hand())
    return list(combinations(hand + kitty if house.kitty == "pickup" else hand, len(kitty)))


def sorted_cards(cards: tuple[Card, ...]) -> tuple[Card, ...]:
    return tuple(sorted(cards))


def position_after(
    deal: Deal, house: Rules, discard: tuple[Card, ...], trump: Trump, leader: Seat
) -> Position:
    announcer = house.announcer
    hand = [card for card in (*deal.hands[announcer], *(deal.kitty or ())) if card not in discard]
    return Position(deal.hands.replace(announcer, Hand.of(hand)), trump, leader)


def pattern(position: Position) -> tuple[str, ...]:
    """Returns who holds the live cards of each suit from the top down: all that the values depend on."""
    return tuple(
        "".join(
            str(seat)
            for rank in range(14, 1, -1)
            for seat, hand in position.hands.items()
            if Card(suit, rank) in hand
        )
        for suit in Suit
    )


def brute(position: Position) -> BySeat[int]:
    return BySeat(*oracle.guarantees(*to_oracle(position)))


def yardstick(guaranteed: BySeat[int], seat: Seat, by: By) -> tuple[int, int]:
    """Returns the two numbers that rank a choice; three times the share, so that both are whole."""
    share = 3 * guaranteed[seat] - sum(guaranteed.values())
    return (share, guaranteed[seat]) if by == "share" else (guaranteed[seat], share)


# All choices.


@repeatable
@given(deals(1, 6, st.integers(0, 4)), rules)
def test_every_choice_leads_to_the_position_of_exactly_one_distinct_discard(deal: Deal, house: Rules) -> None:
    everything = every_choice(deal, house)
    if not everything:
        return
    listed = distinct_discards(deal, house)
    assert len(everything) == choices(deal, house)

    def reached(discard: tuple[Card, ...]) -> tuple[str, ...]:
        return pattern(position_after(deal, house, discard, Trump.N, Seat.D))

    assert set(listed) <= set(map(sorted_cards, everything))
    patterns = [reached(discard) for discard in listed]
    assert len(set(patterns)) == len(patterns)
    assert set(patterns) == set(map(reached, everything))


@pytest.mark.parametrize("name", ["classic", "pickup"])
def test_a_whole_deal_has_all_its_choices_in_a_few_hundred_distinct_ones(name: str) -> None:
    deal = random_deal(Random(3), 16, 4)
    house = PRESETS[name]
    pool = 16 if name == "classic" else 20
    assert choices(deal, house) == comb(pool, 4)
    listed = distinct_discards(deal, house)
    patterns = {pattern(position_after(deal, house, discard, Trump.S, Seat.D)) for discard in listed}
    everything = {
        pattern(position_after(deal, house, discard, Trump.S, Seat.D))
        for discard in every_choice(deal, house)
    }
    assert patterns == everything
    assert len(listed) == len(patterns) < choices(deal, house)


def test_of_equal_cards_the_lowest_are_laid_aside() -> None:
    deal = Deal.parse("D:AK2.9.. .QT.QJ. ...AKQJ K:.J..")
    listed = distinct_discards(deal, PRESETS["classic"])
    assert set(listed) == {(Card.parse(name),) for name in ("S2", "H9")}


# The best of them.


@pytest.mark.parametrize("house", HOUSES, ids=lambda house: house.name)
@pytest.mark.parametrize("by", YARDSTICKS)
@pytest.mark.parametrize("kitty", range(5))
def test_the_ranking_is_that_of_brute_force_over_every_choice(house: Rules, by: By, kitty: int) -> None:
    rng = Random(10 * kitty + len(by))
    announcer = house.announcer
    for size in (1, 2, 3) if kitty < 2 else (kitty,) if kitty > 2 else (2, 3):
        deal = random_deal(rng, size, kitty)
        trump, leader = rng.choice(list(Trump)), rng.choice(list(Seat))
        values: dict[tuple[str, ...], BySeat[int]] = {}
        for discard in every_choice(deal, house):
            position = position_after(deal, house, discard, trump, leader)
            if pattern(position) not in values:
                values[pattern(position)] = brute(position)
        with Engine(1) as engine:
            found = best_discards(engine, deal, house, trump, leader, by=by, alternatives=10_000)
        assert found.complete
        assert found.distinct == found.searched == len(found.ranking) == len(values)
        for entry in found.ranking:
            position = position_after(deal, house, entry.discard, trump, leader)
            assert entry.values.guaranteed == values[pattern(position)], (str(deal), entry)
        ranked = [yardstick(entry.values.guaranteed, announcer, by) for entry in found.ranking]
        expected = sorted((yardstick(each, announcer, by) for each in values.values()), reverse=True)
        assert ranked == expected, str(deal)


@pytest.mark.parametrize("alternatives", [0, 1, 3])
@pytest.mark.parametrize("by", YARDSTICKS)
def test_alternatives_are_the_head_of_the_whole_ranking_ties_in_the_order_of_promise(
    by: By, alternatives: int
) -> None:
    rng = Random(alternatives)
    ties = 0
    for house in HOUSES * 4:
        deal = random_deal(rng, rng.randint(4, 6), rng.randint(1, 3))
        trump, leader = rng.choice(list(Trump)), rng.choice(list(Seat))
        kept = deal.hands[house.announcer] | (deal.kitty or Hand())
        with Engine(1) as engine:
            short = best_discards(engine, deal, house, trump, leader, by=by, alternatives=alternatives)
        with Solver(1) as solver:
            whole = [
                DiscardValue(discard, solver.solve(position_after(deal, house, discard, trump, leader)))
                for discard in most_promising_first(distinct_discards(deal, house), kept, trump)
            ]
        whole.sort(key=lambda entry: yardstick(entry.values.guaranteed, house.announcer, by), reverse=True)
        assert [(entry.discard, entry.values.guaranteed) for entry in short.ranking] == [
            (entry.discard, entry.values.guaranteed) for entry in whole[: alternatives + 1]
        ], str(deal)
        first, second = (yardstick(entry.values.guaranteed, house.announcer, by) for entry in whole[:2])
        ties += first == second
    assert ties


@pytest.mark.parametrize("by", YARDSTICKS)
def test_the_stored_best_is_found_with_a_discard_that_attains_it(by: By) -> None:
    for line in lines("analyze_small.jsonl"):
        record = Record.parse(line["record"])
        house = record.rules
        for letter, best in line["trumps"].items():
            trump = Trump.parse(letter)
            with Engine(1) as engine:
                found = best_discards(engine, record.deal, house, trump, house.first_leader, by=by)
            (entry,) = found.ranking
            assert found.complete
            assert (by == "share") <= (round(entry.values.share["D"], 3) == best["share"]), line["record"]
            assert (by == "guaranteed") <= (entry.values.guaranteed["D"] == best["guaranteed"])
            assert entry.discard in map(sorted_cards, every_choice(record.deal, house))
            position = position_after(record.deal, house, entry.discard, trump, house.first_leader)
            with Solver(1) as solver:
                assert solver.solve(position).guaranteed == entry.values.guaranteed, line["record"]


def test_the_larger_stored_analyses_hold_against_every_choice() -> None:
    checked = 0
    for line in lines("analyze_small.jsonl"):
        record = Record.parse(line["record"])
        house, leader = record.rules, record.rules.first_leader
        if record.deal.size < 5:
            continue
        with Solver(1) as solver:
            for letter, best in line["trumps"].items():
                values = [
                    solver.solve(position_after(record.deal, house, discard, Trump.parse(letter), leader))
                    for discard in every_choice(record.deal, house)
                ]
                assert max(each.guaranteed["D"] for each in values) == best["guaranteed"], line["record"]
                assert round(max(each.share["D"] for each in values), 3) == best["share"], line["record"]
        checked += 1
    assert checked


def test_the_score_orders_values_by_the_yardstick_and_ties_by_the_other_one() -> None:
    everything = [
        BySeat(own, left, right)
        for own in range(6)
        for left in range(6 - own)
        for right in range(6 - own - left)
    ]
    for by in YARDSTICKS:
        for seat in Seat:
            for one in everything:
                for other in everything:
                    scores = score(Values(5, one), seat, by), score(Values(5, other), seat, by)
                    ranks = yardstick(one, seat, by), yardstick(other, seat, by)
                    assert (scores[0] > scores[1]) == (ranks[0] > ranks[1])
                    assert (scores[0] == scores[1]) == (ranks[0] == ranks[1])


def test_a_deal_without_a_kitty_has_one_choice_to_lay_nothing_aside() -> None:
    hands = random_deal(Random(5), 4, 0).hands
    for deal in (Deal(hands, Hand()), Deal(hands)):
        with Engine(1) as engine:
            found = best_discards(engine, deal, PRESETS["classic"], Trump.H, Seat.R)
        assert (found.choices, found.distinct, found.complete) == (1, 1, True)
        assert found.ranking[0].discard == ()
        assert found.ranking[0].values.guaranteed == brute(Position(hands, Trump.H, Seat.R))


def test_a_kitty_larger_than_the_hand_cannot_be_laid_aside_blind() -> None:
    deal = random_deal(Random(6), 2, 3)
    with Engine(1) as engine:
        with pytest.raises(InputError, match="D cannot lay 3 cards aside: D holds 2"):
            best_discards(engine, deal, PRESETS["classic"], Trump.S, Seat.D)
        assert best_discards(engine, deal, PRESETS["pickup"], Trump.S, Seat.D).choices == comb(5, 3)


@pytest.mark.parametrize("by", YARDSTICKS)
def test_only_what_beats_the_values_to_beat_is_found_and_then_it_is_the_best_as_ever(by: By) -> None:
    rng = Random(31)
    house = PRESETS["classic"]
    with Engine(1) as engine:
        for _ in range(6):
            deal = random_deal(rng, 5, 2)
            everything = best_discards(engine, deal, house, Trump.S, Seat.D, by=by, alternatives=1000)
            best = everything.ranking[0]
            for other in everything.ranking:
                found = best_discards(engine, deal, house, Trump.S, Seat.D, by=by, beat=other.values)
                beaten = score(other.values, Seat.D, by) < score(best.values, Seat.D, by)
                assert found.best == (best if beaten else None)
                assert found.complete


def test_an_unknown_yardstick_is_refused() -> None:
    deal = random_deal(Random(7), 2, 1)
    with Engine(1) as engine, pytest.raises(InputError, match="no yardstick 'luck'; expected one of share"):
        best_discards(engine, deal, PRESETS["classic"], Trump.S, Seat.D, by="luck")  # type: ignore[arg-type]


# On the way.


def test_progress_counts_up_to_all_choices_and_its_best_only_gets_better() -> None:
    deal = random_deal(Random(8), 6, 2)
    house = PRESETS["pickup"]
    seen: list[tuple[int, int, DiscardValue | None]] = []
    with Engine(1) as engine:
        found = best_discards(
            engine, deal, house, Trump.S, Seat.D, progress=lambda *report: seen.append(report)
        )
    assert [done for done, _, _ in seen] == list(range(1, found.distinct + 1))
    assert {total for _, total, _ in seen} == {found.distinct}
    scores = [score(best.values, Seat.D, "share") for _, _, best in seen if best]
    assert len(scores) == len(seen)
    assert scores == sorted(scores)
    assert seen[-1][2] == found.ranking[0]


def test_a_stopped_search_keeps_the_best_of_the_choices_it_decided() -> None:
    deal = random_deal(Random(9), 16, 4)
    house = PRESETS["classic"]
    with Engine(16) as engine:

        def stop_after(done: int, total: int, best: DiscardValue | None) -> None:
            if done == 5:
                engine.stop()

        found = best_discards(engine, deal, house, Trump.S, Seat.D, alternatives=100, progress=stop_after)
        assert not found.complete
        assert 5 <= found.searched < found.distinct
        assert len(found.ranking) == found.searched
        engine.resume()
        for entry in found.ranking[:2]:
            position = position_after(deal, house, entry.discard, Trump.S, Seat.D)
            assert entry.values.guaranteed["D"] == engine.bounds(position, Seat.D).lower
