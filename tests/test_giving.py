"""What to give: brute force over every giving, card by card, and the form of the answer."""

from __future__ import annotations

import _thread
import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import permutations
from random import Random
from threading import Timer
from typing import Any

import oracle
import pytest
from hypothesis import given, settings, strategies as st
from stored import random_deal
from strategies import deals

from sgtmajor.cards import BySeat, Hand, Trump
from sgtmajor.deal import Deal
from sgtmajor.errors import InputError, Interrupted, SgtMajorError
from sgtmajor.gifts import Due, apply_gifts, format_gifts, owed
from sgtmajor.giving import Exchange, exchange
from sgtmajor.record import Record
from sgtmajor.rules import PRESETS, Rules
from sgtmajor.trump import analyze
from sgtmajor.ways import Giving, ways_to_give
from sgtmajor.yardstick import YARDSTICKS, By, score

SMALL = "D:A2.5.3. QT.A..2 J9.K.Q. K:...A"

# Brute force: the rules as they are told at the table, on sets of cards, one card at a time. It shares
# nothing with the package: a card is an int of the oracle, a seat is 0, 1 or 2.

Hands = tuple[frozenset[int], frozenset[int], frozenset[int]]


def told_dues(up: Sequence[int], targets: Sequence[int], most_up: bool) -> list[tuple[int, int, int]]:
    """Who gives to whom how many, in order, by the text of the rules."""
    givers = [seat for seat in range(3) if up[seat] > 0]
    downs = [seat for seat in range(3) if up[seat] < 0]
    if len(givers) == 1:
        (giver,) = givers
        clockwise = [(giver + step) % 3 for step in (1, 2)]
        return [(giver, seat, -up[seat]) for seat in clockwise if seat in downs]
    if most_up:
        givers.sort(key=lambda seat: (up[seat], targets[seat]), reverse=True)
    else:
        givers.sort(key=lambda seat: targets[seat], reverse=True)
    return [(giver, downs[0], up[giver]) for giver in givers]


def give_one(hands: Hands, giver: int, receiver: int, card: int) -> tuple[Hands, int]:
    """Moves one card, and back the strongest card of its suit if it is stronger, else the card itself."""
    stronger = [other for other in hands[receiver] if other // 13 == card // 13 and other > card]
    if not stronger:
        return hands, card
    back = max(stronger)
    after = list(hands)
    after[giver] = hands[giver] - {card} | {back}
    after[receiver] = hands[receiver] - {back} | {card}
    return (after[0], after[1], after[2]), back


def all_givings(
    hands: Hands, slots: Sequence[tuple[int, int]], moved: frozenset[int] = frozenset()
) -> Iterator[Hands]:
    """Yields what comes of every way to fill the slots, one after the other."""
    if not slots:
        yield hands
        return
    (giver, receiver), *rest = slots
    for card in hands[giver] - moved:
        after, back = give_one(hands, giver, receiver, card)
        yield from all_givings(after, rest, moved | {card, back})


def told(deal: Deal) -> Hands:
    """Returns the hands as the brute force knows them."""
    d, left, right = oracle.read_deal(str(deal))[0]
    return frozenset(d), frozenset(left), frozenset(right)


def slots_of(dues: Sequence[tuple[int, int, int]]) -> list[tuple[int, int]]:
    return [(giver, receiver) for giver, receiver, count in dues for _ in range(count)]


def outcomes(done: Giving, dues: Sequence[Due]) -> list[Hands]:
    """Returns the outcomes that the package lists."""
    return [told(done.then(way.gifts).deal) for way in ways_to_give(done, dues)]


PATTERNS = [
    BySeat(*pattern)
    for pattern in sorted({*permutations((1, -1, 0)), *permutations((2, -1, -1)), *permutations((1, 1, -2))})
]
LARGER = [BySeat(3, -1, -2), BySeat(-3, 2, 1), BySeat(1, -3, 2), BySeat(-2, 3, -1), BySeat(2, 2, -4)]
RULES = [PRESETS["classic"], PRESETS["pickup"], PRESETS["polish"]]


@pytest.mark.parametrize("size", [3, 4, 5])
@pytest.mark.parametrize("rules", RULES, ids=str)
def test_the_ways_to_give_are_all_outcomes_of_brute_force_each_once(size: int, rules: Rules) -> None:
    rng = Random(size)
    for up in PATTERNS + LARGER[: 5 * (size == 5)]:
        targets = rules.targets.values()
        dues = told_dues(up.values(), targets, rules.exchange_order == "most_up")
        found = owed(up, rules)
        assert [(due.giver.index, due.receiver.index, due.count) for due in found] == dues
        for deal in (random_deal(rng, size, 0), Deal(BySeat(*few_suits(rng, size)))):
            done = Giving.of(deal, ())
            first = [due for due in dues if due[0] == dues[0][0]]
            listed = outcomes(done, found)
            assert len(listed) == len(set(listed))
            assert set(listed) == set(all_givings(told(deal), slots_of(first))), (str(deal), up)
            if first != dues:
                # The second giver, after each way of the first.
                both = []
                for way in ways_to_give(done, found):
                    both += outcomes(done.then(way.gifts), found[1:])
                assert set(both) == set(all_givings(told(deal), slots_of(dues))), (str(deal), up)


def few_suits(rng: Random, size: int) -> list[Hand]:
    """Deals from two suits, so that gifts meet."""
    hands = oracle.random_deal(rng, size, suits=2)[0]
    return [Hand.parse(oracle.write_hand(hand)) for hand in hands]


def card(name: str) -> int:
    return oracle.read_cards(name)[0]


def test_the_lemma_does_not_hold_for_two_givers_because_the_second_may_get_what_the_first_gave() -> None:
    hands = told(Deal.parse("D:8.2.. 5.3.. Q4..."))
    first, back = give_one(hands, 0, 2, card("S8"))
    assert back == card("SQ")
    d_before_l, back = give_one(first, 1, 2, card("S5"))
    assert back == card("S8")
    first, back = give_one(hands, 1, 2, card("S5"))
    assert back == card("SQ")
    l_before_d, back = give_one(first, 0, 2, card("S8"))
    assert back == card("S8")
    assert d_before_l != l_before_d


def test_the_lemma_does_not_hold_where_cards_may_be_given_on() -> None:
    hands = told(Deal.parse("D:32.2.. K..4.3 A..6.5"))
    slots = [(0, 1), (0, 2)]

    def given_on() -> Iterator[Hands]:
        for one in hands[0]:
            after, _ = give_one(hands, 0, 1, one)
            for other in after[0]:
                yield give_one(after, 0, 2, other)[0]

    assert set(all_givings(hands, slots)) < set(given_on())


@settings(max_examples=60, deadline=None)
@given(deals(min_size=3, max_size=8), st.sampled_from(PATTERNS + LARGER), st.sampled_from(RULES))
def test_every_way_to_give_is_legal_and_conserves_the_cards(
    deal: Deal, up: BySeat[int], rules: Rules
) -> None:
    dues = owed(up, rules)
    done = Giving.of(deal, ())
    for way in ways_to_give(done, dues)[:50]:
        giving = done.then(way.gifts)
        Record(deal, up=up, give=giving.gifts, rules=rules)
        assert giving.deal.hands[dues[0].giver] == way.hand
        assert (giving.deal, giving.returned) == apply_gifts(deal, way.gifts)
        assert len({len(hand) for hand in giving.deal.hands.values()}) == 1
        assert sum(hand.mask for hand in giving.deal.hands.values()) == sum(
            hand.mask for hand in deal.hands.values()
        )
        assert giving.deal.kitty == deal.kitty


def test_what_has_been_given_limits_what_is_left_to_give() -> None:
    rng = Random(5)
    up = BySeat(3, -1, -2)
    rules = PRESETS["classic"]
    for _ in range(4):
        deal = random_deal(rng, 5, 0)
        gifts = ways_to_give(Giving.of(deal, ()), owed(up, rules))[0].gifts[:2]
        done = Giving.of(deal, gifts)
        dues = owed(up, rules, done=gifts)
        moved = frozenset(oracle.read_cards(",".join(map(str, done.moved))))
        slots = [(due.giver.index, due.receiver.index) for due in dues for _ in range(due.count)]
        listed = outcomes(done, dues)
        assert len(listed) == len(set(listed))
        assert set(listed) == set(all_givings(told(done.deal), slots, moved))


def test_of_equal_ways_the_lowest_cards_are_given() -> None:
    # L has no spade and no heart: whatever D gives of these comes back.
    found = exchange("D:AK.32.. ..54.54 ..32.32 up=D:+1,L:-1,R:0", memory_mb=1)
    assert [format_gifts(option.giving.gifts) for option in found.options] == ["D>L:H2"]


# What it is worth.


def worth(found: Exchange) -> list[tuple[object, ...]]:
    """Returns all that must not depend on how the answer was computed."""
    return [
        (option.giving, option.analysis.best.trump, option.choice.discard, option.choice.values.guaranteed)
        for option in found.options
    ]


@pytest.mark.parametrize("by", YARDSTICKS)
@pytest.mark.parametrize("rules", RULES[:2], ids=str)
def test_the_announcer_makes_of_each_outcome_what_brute_force_does(by: By, rules: Rules) -> None:
    rng = Random(str(rules))
    for up in PATTERNS[::2]:
        record = Record(random_deal(rng, 3, 1), up=up, rules=rules)
        found = exchange(record, by=by, memory_mb=1)
        assert found.complete
        for option in found.options:
            hands, kitty, _ = oracle.read_deal(str(option.giving.deal))
            best = oracle.best_discards(hands, kitty, 0, rules.first_leader.index, rules.kitty == "pickup")
            values = option.choice.values
            if by == "share":
                assert pytest.approx(max(each.share for each in best.values())) == values.share.D
            else:
                assert max(each.guaranteed for each in best.values()) == values.guaranteed.D


@pytest.mark.parametrize("by", YARDSTICKS)
def test_ways_come_best_first_for_the_seat_that_gives_with_the_analysis_of_what_follows(by: By) -> None:
    rng = Random(8)
    for up in PATTERNS:
        record = Record(random_deal(rng, 4, 1), up=up)
        found = exchange(record, by=by, memory_mb=1)
        assert found.seat
        scores = [score(option.choice.values, found.seat, by) for option in found.options]
        assert scores == sorted(scores, reverse=True)
        for option in found.options:
            after = analyze(Record(record.deal, give=option.giving.gifts), by=by, memory_mb=1)
            assert (after.best.trump, after.best.best) == (option.analysis.best.trump, option.choice)


@pytest.mark.parametrize("by", YARDSTICKS)
@pytest.mark.parametrize(
    ("up", "rules"),
    [
        (BySeat(1, 1, -2), "classic"),
        (BySeat(1, -2, 1), "classic"),
        (BySeat(-2, 1, 1), "classic"),
        (BySeat(1, 2, -3), "pickup"),  # the announcer gives second
    ],
    ids=str,
)
def test_the_second_giver_answers_with_what_is_best_for_himself(up: BySeat[int], rules: str, by: By) -> None:
    record = Record(random_deal(Random(9), 3, 1), up=up, rules=PRESETS[rules])
    found = exchange(record, by=by, memory_mb=1)
    first, second = found.owed
    assert found.distinct == len(found.options) == len(ways_to_give(found.done, found.owed))
    for option in found.options:
        own = [gift for gift in option.giving.gifts if gift.giver is first.giver]
        answers = exchange(replace(record, give=tuple(own)), by=by, memory_mb=1)
        assert answers.seat is second.giver
        best = answers.options[0].choice.values
        assert score(option.choice.values, second.giver, by) == score(best, second.giver, by)


def test_only_the_contracts_asked_for_may_be_announced() -> None:
    record = f"{SMALL} up=D:+1,L:-1,R:0"
    found = exchange(record, trumps=[Trump.C, Trump.N], memory_mb=1)
    for option in found.options:
        assert {contract.trump for contract in option.analysis.contracts} == {Trump.C, Trump.N}


def test_an_exchange_after_the_announcement_is_valued_for_the_contract_announced() -> None:
    record = f"{SMALL} up=D:+1,L:-1,R:0 rules=polish"
    found = exchange(f"{record} trump=H", memory_mb=1)
    for option in found.options:
        assert [contract.trump for contract in option.analysis.contracts] == [Trump.H]
    assert worth(exchange(record, trumps=[Trump.H], memory_mb=1)) == worth(found)
    assert worth(exchange(f"{record} trump=S", trumps=[Trump.H], memory_mb=1)) == worth(found)


# Ways to compute the same.


@pytest.mark.parametrize(
    ("up", "rules"),
    [
        (BySeat(1, -1, 0), "classic"),
        (BySeat(-1, 1, 0), "classic"),
        (BySeat(2, -1, -1), "classic"),
        (BySeat(1, 1, -2), "classic"),
        (BySeat(1, 2, -3), "pickup"),
    ],
    ids=str,
)
def test_jobs_memory_and_alternatives_do_not_change_the_answer(up: BySeat[int], rules: str) -> None:
    record = Record(random_deal(Random(12), 5, 1), up=up, rules=PRESETS[rules])
    everything = exchange(record, memory_mb=16)
    assert everything.complete
    for jobs, alternatives in ((1, 0), (2, 0), (2, 3), (4, None)):
        other = exchange(record, jobs=jobs, alternatives=alternatives, memory_mb=4)
        count = None if alternatives is None else alternatives + 1
        assert worth(other) == worth(everything)[:count]
        if jobs > 1:
            alone = exchange(record, alternatives=alternatives, memory_mb=4)
            assert [option.to_dict() for option in other.options] == [
                option.to_dict() for option in alone.options
            ]
        assert (other.distinct, other.searched) == (everything.distinct, everything.distinct)


@pytest.mark.parametrize("by", YARDSTICKS)
def test_the_few_ways_asked_for_are_the_first_of_all_and_are_found_with_less_search(by: By) -> None:
    rng = Random(21)
    all_nodes = few_nodes = 0
    for _ in range(8):
        record = Record(random_deal(rng, 6, 1), up=BySeat(2, -1, -1))
        everything = exchange(record, by=by, memory_mb=1)
        for alternatives in range(5):
            few = exchange(record, by=by, alternatives=alternatives, memory_mb=1)
            assert worth(few) == worth(everything)[: alternatives + 1]
            all_nodes, few_nodes = all_nodes + everything.nodes, few_nodes + few.nodes
    assert few_nodes < all_nodes


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_time_limit_leaves_what_was_valued_and_says_that_it_is_not_complete(jobs: int) -> None:
    record = Record(random_deal(Random(13), 16, 4), up=BySeat(1, -1, 0))
    nothing = exchange(record, seconds=0.05, jobs=jobs, memory_mb=2)
    assert not nothing.complete
    assert nothing.options == ()
    assert nothing.to_dict()["best"] is None
    record = Record(random_deal(Random(13), 9, 1), up=BySeat(3, -1, -2))
    some = exchange(record, seconds=1, jobs=jobs, memory_mb=16, progress=lambda *_: time.sleep(1.2))
    assert 0 < len(some.options) == some.searched <= jobs < some.distinct
    assert json.loads(json.dumps(some.to_dict()))["complete"] is False


@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_ends_an_exchange_at_once(jobs: int) -> None:
    record = Record(random_deal(Random(13), 16, 4), up=BySeat(1, -1, 0))
    Timer(0.3, _thread.interrupt_main).start()
    started = time.perf_counter()
    with pytest.raises(KeyboardInterrupt):
        exchange(record, jobs=jobs, memory_mb=2)
    assert time.perf_counter() - started < 1.5


def test_ctrl_c_does_not_lose_what_was_valued() -> None:
    record = Record(random_deal(Random(13), 9, 1), up=BySeat(3, -1, -2))

    def interrupt(done: int, total: int) -> None:
        if done == 3:
            _thread.interrupt_main()
            time.sleep(0.5)

    with pytest.raises(Interrupted) as caught:
        exchange(record, memory_mb=16, progress=interrupt)
    partial: Exchange = caught.value.result
    assert len(partial.options) == partial.searched == 3
    assert len(partial.undecided) == partial.distinct - 3
    assert not partial.complete


def test_progress_counts_the_ways_to_give() -> None:
    seen: list[tuple[int, int]] = []
    found = exchange(f"{SMALL} up=D:+1,L:-1,R:0", memory_mb=1, progress=lambda *each: seen.append(each))
    assert seen == [(done, found.distinct) for done in range(1, found.distinct + 1)]


# The form of the answer.


def test_an_exchange_has_the_keys_of_the_output_contract() -> None:
    found = exchange(f"{SMALL} up=D:+1,L:-1,R:0 rules=targets=2-1-1", memory_mb=1)
    written: dict[str, Any] = json.loads(json.dumps(found.to_dict()))
    assert written["deal"] == SMALL
    assert written["owed"] == [{"giver": "D", "receiver": "L", "cards": 1}]
    assert written["best"] == written["options"][0]
    for option in written["options"]:
        assert set(option) == {"give", "received", "deal", "trumps", "value"}
        assert set(option["value"]) == {"trump", "discard", "guaranteed", "ceiling", "share", "points"}
        chosen = option["trumps"][option["value"]["trump"]]
        assert chosen["share"] == option["value"]["share"]
        assert set(option["trumps"]) == set("SHDC")
    first = next(option for option in written["options"] if option["give"] == ["D>L:S2"])
    assert first["received"] == ["D<L:SQ"]
    assert first["deal"] == "D:AQ.5.3. T2.A..2 J9.K.Q. K:...A"


def test_an_exchange_that_is_done_is_played_out_and_leaves_a_record_ready_for_analysis() -> None:
    record = Record.parse(f"{SMALL} up=D:+2,L:-1,R:-1 give=D>L:S2,D>R:H5 id=x rules=eldest")
    found = exchange(record)
    assert found.seat is None
    assert str(found.result) == "D:AQ.K.3. T2.A..2 J9.5.Q. K:...A id=x rules=eldest"
    (option,) = json.loads(json.dumps(found.to_dict()))["options"]
    assert option == {
        "give": ["D>L:S2", "D>R:H5"],
        "received": ["D<L:SQ", "D<R:HK"],
        "deal": "D:AQ.K.3. T2.A..2 J9.5.Q. K:...A",
        "record": str(found.result),
    }
    assert found.result
    assert analyze(found.result, memory_mb=1).contracts == analyze(record, memory_mb=1).contracts


def test_what_the_record_says_of_discard_and_play_stays_in_the_record_after_the_exchange() -> None:
    record = Record.parse(f"{SMALL} give=D>L:S2 trump=S discard=H5 play=SA,S2,S9")
    after = exchange(record).result
    assert after
    assert after.position == record.position


# Refusals.


@pytest.mark.parametrize(
    ("record", "message"),
    [
        (SMALL, r"no scores of the last deal; expected up= such as up=D:\+3,L:-1,R:-2"),
        (f"{SMALL} up=D:0,L:0,R:0", "nobody was up in the last deal: no cards are exchanged"),
        (f"{SMALL} up=D:+1,L:-1,R:0 rules=exchange=none", r"no cards are exchanged by these rules"),
        (f"{SMALL} up=D:+1,L:-1,R:0 rules=polish trump=N", r"no cards are exchanged at no trump"),
        (f"{SMALL} up=D:+1,L:-1,R:0 rules=polish", r"comes after the announcement .* expected trump="),
        (f"{SMALL} up=D:+5,L:-5,R:0", "D has to give 5 cards, but has 4 that may be given"),
        (f"{SMALL} up=D:+1,L:-6,R:+5", "R has to give 5 cards, but has 4 that may be given"),
        ("D:A... .K.. ..Q2. lead=D trick=C2,C3 up=D:+1,L:-1,R:0", "expected a record without trick="),
    ],
)
def test_what_has_no_exchange_is_refused_in_one_line(record: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        exchange(record)
    assert "\n" not in str(caught.value)


def test_impossible_arguments_are_refused() -> None:
    record = f"{SMALL} up=D:+1,L:-1,R:0"
    with pytest.raises(InputError, match="0 jobs are too few"):
        exchange(record, jobs=0)
    with pytest.raises(InputError, match="alternatives"):
        exchange(record, alternatives=-1)
    with pytest.raises(InputError, match="no contract"):
        exchange(record, trumps=[])
    with pytest.raises(InputError, match="one contract is announced before the exchange; found 2"):
        exchange(f"{record} rules=polish", trumps=[Trump.S, Trump.H])
    with pytest.raises(SgtMajorError, match="no yardstick"):
        exchange(record, by="luck")  # type: ignore[arg-type]
