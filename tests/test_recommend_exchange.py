"""What to give from one hand: brute force over all deals that fit and all ways to give, and no peeking."""

from __future__ import annotations

import _thread
import json
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations
from random import Random
from threading import Timer

import oracle
import pytest
from hypothesis import example, given, settings, strategies as st
from stored import random_deal
from strategies import deals
from test_giving import all_givings, give_one, told
from test_recommend import layouts, mean, small_view

from sgtmajor.advice import Effort
from sgtmajor.cards import BySeat, Card, Hand, Seat, Trump
from sgtmajor.deal import Deal
from sgtmajor.errors import InputError, Interrupted, SearchStopped
from sgtmajor.gifts import Due, Gift, apply_gifts, format_gifts, parse_gifts
from sgtmajor.knowledge import parse_holds
from sgtmajor.promise import hand_promise, likely_announcement
from sgtmajor.race import Stage
from sgtmajor.recommend import recommend_trump
from sgtmajor.recommend_gifts import ExchangeAdvice, recommend_exchange
from sgtmajor.record import Record
from sgtmajor.rules import PRESETS, Rules
from sgtmajor.thumb import thumb_gifts
from sgtmajor.view import View
from sgtmajor.ways import Giving, ways_from_one_hand, ways_to_give
from sgtmajor.yardstick import YARDSTICKS, By

HAND = "AKQJ5.T98.A72.KJ543"
WHOLE = "D:AKQJ5.T98.A72.KJ543 ? ?"
ALL = Effort(samples=10_000, ways=1000, memory_mb=4)


def asked(seed: int, seat: Seat, up: BySeat[int], rules: Rules, size: int = 3) -> View:
    return replace(small_view(Random(seed), seat, rules, size), up=up)


# Against brute force. How others give, and what the announcer does then, are rules tested below; the exchange
# itself, and what it is worth, share nothing with the package.


def all_gifts(hand: Hand, dues: tuple[Due, ...]) -> Iterator[tuple[Gift, ...]]:
    """Yields every choice of cards for what one giver owes."""
    if not dues:
        yield ()
        return
    for cards in combinations(hand, dues[0].count):
        for rest in all_gifts(hand - Hand.of(cards), dues[1:]):
            yield (*(Gift(dues[0].giver, dues[0].receiver, card) for card in cards), *rest)


def told_exchange(deal: Deal, gifts: tuple[Gift, ...]) -> tuple[Deal, list[str]]:
    """Plays an exchange out on sets of cards; returns the deal after it and what came back."""
    hands, returned = told(deal), []
    for gift in gifts:
        card = oracle.read_cards(str(gift.card))[0]
        hands, back = give_one(hands, gift.giver.index, gift.receiver.index, card)
        returned.append(oracle.write_cards((back,)))
    after = [Hand.parse(oracle.write_hand(tuple(hand))) for hand in hands]
    return Deal(BySeat(*after), deal.kitty), returned


def whole_exchange(view: View, seat: Seat, deal: Deal, way: tuple[Gift, ...]) -> tuple[Gift, ...]:
    """The gifts of all seats, in the order of the rules: the others give by the rule of thumb."""
    gifts: list[Gift] = []
    for giver in dict.fromkeys(due.giver for due in view.owed):
        if giver is seat:
            gifts += way
        else:
            (due,) = (due for due in view.owed if due.giver is giver)
            gifts += [Gift(giver, due.receiver, card) for card in thumb_gifts(deal.hands[giver], due.count)]
    return tuple(gifts)


@cache
def worth(view: View, seat: Seat, deal: Deal, by: By, contracts: tuple[Trump, ...]) -> Fraction:
    """What a deal after the exchange is worth by brute force, once the announcer has done what looks best."""
    trump, discard = likely_announcement(deal, view.rules, contracts)
    hands, _, _ = oracle.read_deal(str(Deal(view.rules.take_kitty(deal, discard).hands, Hand())))
    sure = oracle.guarantees(hands, trump.index, view.rules.first_leader.index)
    mine = Fraction(sure[seat.index])
    return mine if by == "guaranteed" else mine + Fraction(len(hands[0]) - sum(sure), 3)


CASES = [
    ("classic", "D", BySeat(1, -1, 0)),
    ("classic", "D", BySeat(2, -1, -1)),
    ("eldest", "L", BySeat(0, 1, -1)),
    ("pickup", "R", BySeat(-2, 0, 2)),
    ("classic", "D", BySeat(1, 1, -2)),  # L answers
    ("classic", "R", BySeat(1, -2, 1)),  # D has given before
    ("pickup", "L", BySeat(-3, 2, 1)),
]


@pytest.mark.parametrize(("house", "letter", "up"), CASES, ids=str)
def test_every_way_to_give_is_valued_as_brute_force_does_over_all_deals_that_fit(
    house: str, letter: str, up: BySeat[int]
) -> None:
    rules, seat = PRESETS[house], Seat.parse(letter)
    view = asked(len(house) + up.D, seat, up, rules)
    by = YARDSTICKS[up.L % 2]
    advice = recommend_exchange(view, by=by, effort=ALL)
    deals_that_fit = layouts(view, seat)
    assert advice.exact
    assert advice.deals == advice.samples == len(deals_that_fit)
    own = tuple(due for due in view.owed if due.giver is seat)
    expected: dict[frozenset[str], float] = {}
    for way in all_gifts(view.hands[seat] or Hand(), own):
        values = []
        for deal in deals_that_fit:
            after, _ = told_exchange(deal, whole_exchange(view, seat, deal, way))
            values.append(worth(view, seat, after, by, rules.contracts))
        expected[frozenset(map(str, way))] = float(mean(values))
    for option in advice.options:
        assert option.tricks.mean == pytest.approx(expected[frozenset(map(str, option.gifts))])
    if seat is rules.announcer:
        # Higher cards than those listed may do a little better, for he is taken to go by how his hand looks.
        # Another seat may even make him name another trump.
        assert max(expected.values()) - advice.best.tricks.mean < 0.1
    means = [option.tricks.mean for option in advice.options]
    assert means == pytest.approx(sorted(means, reverse=True))


@pytest.mark.parametrize(("house", "letter", "up"), CASES[:2] + CASES[5:6], ids=str)
def test_the_chances_of_what_comes_back_are_counted_over_all_deals_that_fit(
    house: str, letter: str, up: BySeat[int]
) -> None:
    rules, seat = PRESETS[house], Seat.parse(letter)
    view = asked(7, seat, up, rules)
    advice = recommend_exchange(view, by="guaranteed", effort=ALL)
    fit = layouts(view, seat)
    for option in advice.options:
        counted: Counter[tuple[str, str]] = Counter()
        for deal in fit:
            gifts = whole_exchange(view, seat, deal, option.gifts)
            backs = told_exchange(deal, gifts)[1]
            counted.update(
                (str(gift.receiver), back)
                for gift, back in zip(gifts, backs, strict=True)
                if gift.giver is seat
            )
        found = {(str(receiver), str(card)): chance for (receiver, card), chance in option.received.items()}
        assert found == pytest.approx({key: times / len(fit) for key, times in counted.items()})
        assert sum(found.values()) == pytest.approx(len(option.gifts))
        own = {(str(gift.receiver), str(gift.card)) for gift in option.gifts}
        stronger = sum(times for key, times in counted.items() if key not in own) / len(fit)
        assert option.stronger == pytest.approx(stronger)


# The ways that are listed.


def above(one: Hand, other: Hand) -> bool:
    """Whether each card of a hand is at least as high as its fellow of the other, suit by suit."""
    pairs = zip(sorted(one, key=rank), sorted(other, key=rank), strict=True)
    return all(a.suit is b.suit and a.rank >= b.rank for a, b in pairs)


def rank(card: Card) -> tuple[int, int]:
    return card.suit.index, card.rank


@settings(max_examples=40, deadline=None)
@given(deals(min_size=3, max_size=5), st.sampled_from([(1, 0), (2, 0), (0, 2), (1, 1), (1, 2)]))
@example(Deal.parse("D:.7.KT. .J.95. .Q.A6."), (1, 2))
@example(Deal.parse("D:874... .A76.. AT.2.."), (1, 2))
def test_for_every_way_to_give_there_is_a_listed_one_that_leaves_higher_cards(
    deal: Deal, counts: tuple[int, int]
) -> None:
    dues = tuple(
        Due(Seat.D, receiver, count)
        for receiver, count in zip((Seat.L, Seat.R), counts, strict=True)
        if count
    )
    unseen = deal.hands.L | deal.hands.R | (deal.kitty or Hand())
    listed = [apply_gifts(deal, way)[0].hands for way in ways_from_one_hand(deal.hands.D, unseen, dues)]
    for way in all_gifts(deal.hands.D, dues):
        hands = apply_gifts(deal, way)[0].hands
        assert any(
            above(best.D, hands.D) and above(hands.L, best.L) and above(hands.R, best.R) for best in listed
        )


def test_listed_ways_are_legal_and_differ() -> None:
    rng = Random(3)
    for size in (3, 4, 5):
        for dues in ([Due(Seat.L, Seat.R, 2)], [Due(Seat.L, Seat.R, 1), Due(Seat.L, Seat.D, 2)]):
            deal = random_deal(rng, size, 1)
            ways = ways_from_one_hand(deal.hands.L, deal.hands.D | deal.hands.R, dues)
            assert len(set(ways)) == len(ways)
            slots = [(due.giver.index, due.receiver.index) for due in dues for _ in range(due.count)]
            outcomes = set(all_givings(told(deal), slots))
            assert {told(apply_gifts(deal, way)[0]) for way in ways} <= outcomes


def test_one_card_is_given_from_the_bottom_of_each_suit_once_where_it_comes_back_for_certain() -> None:
    unseen = Hand.parse("T9.AK.5.")
    ways = ways_from_one_hand(Hand.parse("AKQ.QJ2.76.3"), unseen, [Due(Seat.D, Seat.L, 1)])
    # No higher spade, diamond or club is out: these three are one way.
    assert sorted(map(format_gifts, ways)) == ["D>L:C3", "D>L:H2"]


def test_who_of_two_receivers_gets_which_of_the_lowest_cards_is_left_open() -> None:
    dues = [Due(Seat.D, Seat.L, 1), Due(Seat.D, Seat.R, 1)]
    for unseen in ("AK...", "AK3..."):
        ways = ways_from_one_hand(Hand.parse("42..."), Hand.parse(unseen), dues)
        assert sorted(map(format_gifts, ways)) == ["D>L:S2,D>R:S4", "D>L:S4,D>R:S2"]


def test_of_touching_cards_the_one_that_comes_back_may_matter() -> None:
    # What came back says that L has no spade above the jack: whatever he is given now comes back, and R, who
    # may have the ace, is better given the lower card.
    view = View.parse("D:KQ2.4.. ? ? up=D:+3,L:-2,R:-1 give=D>L:S2", pack=Hand.parse("AKQJT2.A54.AK.AK"))
    advice = recommend_exchange(view, returned=[Card.parse("SJ")], effort=ALL)
    worths = {format_gifts(option.gifts): option.tricks.mean for option in advice.options}
    assert worths["D>L:SK,D>R:SQ"] > worths["D>L:SQ,D>R:SK"]


@settings(max_examples=30, deadline=None)
@given(deals(min_size=3, max_size=4), st.sampled_from([(1, 0), (3, 0), (1, 1), (1, 2)]))
def test_too_many_ways_are_counted_and_refused(deal: Deal, counts: tuple[int, int]) -> None:
    dues = [Due(Seat.D, *due) for due in zip((Seat.L, Seat.R), counts, strict=True) if due[1]]
    done, unseen = Giving.of(deal, ()), deal.hands.L | deal.hands.R
    listings: list[Callable[[], Sequence[object]]] = [
        lambda: ways_to_give(done, dues),
        lambda: ways_from_one_hand(deal.hands.D, unseen, dues),
    ]
    for listed in listings:
        number = len(listed())
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("sgtmajor.ways.MOST_WAYS", number)
            assert len(listed()) == number
            patch.setattr("sgtmajor.ways.MOST_WAYS", number - 1)
            with pytest.raises(InputError, match=f"there are {number} ways in which D can give"):
                listed()


# What the others do.


@settings(max_examples=60, deadline=None)
@given(
    deals(min_size=3, max_size=6, kitty=st.integers(0, 2)),
    st.sampled_from(["classic", "pickup"]),
    st.lists(st.sampled_from(list(Trump)), min_size=1, unique=True),
)
def test_the_announcer_is_taken_to_do_what_looks_best_from_his_own_cards(
    deal: Deal, house: str, contracts: list[Trump]
) -> None:
    rules, kitty = PRESETS[house], deal.kitty or Hand()
    trump, discard = likely_announcement(deal, rules, contracts)
    suits = [each for each in contracts if each is not Trump.N] or contracts

    def kept(pool: Hand, count: int, each: Trump) -> int:
        return max(hand_promise(pool - Hand.of(aside), each) for aside in combinations(pool, count))

    hand = deal.hands.D
    aside = 0 if house == "pickup" else len(kitty)
    assert kept(hand, aside, trump) == max(kept(hand, aside, each) for each in suits)
    pool = hand | kitty if house == "pickup" else hand
    assert hand_promise(pool - Hand.of(discard), trump) == kept(pool, len(kitty), trump)
    rules.take_kitty(Deal(deal.hands, kitty), discard)
    assert trump in suits


def test_the_announcer_does_not_look_at_other_cards() -> None:
    deal = random_deal(Random(1), 8, 2)
    other = Deal(BySeat(deal.hands.D, deal.hands.R, deal.hands.L), deal.kitty)
    contracts = PRESETS["classic"].contracts
    for house in ("classic", "pickup"):
        rules = PRESETS[house]
        assert likely_announcement(deal, rules, contracts) == likely_announcement(other, rules, contracts)


@pytest.mark.parametrize(
    ("hand", "count", "cards"),
    [
        ("K74.Q3.J9852.T", 1, "CT"),
        ("K74.Q3.J9852.T", 3, "CT,H3,S4"),
        ("K74.Q3.J9852.A", 1, "H3"),
        ("K74.Q3.J9852.A", 4, "H3,S4,D2,CA"),
        ("K74.Q3.J9852.", 5, "H3,S4,D2,HQ,S7"),
    ],
)
def test_the_rule_of_thumb_asks_with_the_lowest_card_of_the_shortest_suit(
    hand: str, count: int, cards: str
) -> None:
    assert ",".join(map(str, thumb_gifts(Hand.parse(hand), count))) == cards


def test_what_the_first_giver_has_given_is_not_given_again() -> None:
    # L asks once before D has given, and once when D has: D's card is then where it was given.
    up = BySeat(1, 1, -2)
    view = asked(21, Seat.L, up, PRESETS["classic"], size=4)
    before = recommend_exchange(view, effort=Effort(samples=8, memory_mb=4))
    assert [due.giver for due in before.owed] == [Seat.D, Seat.L]
    card = next(iter(view.pack - (view.hands.L or Hand())))
    given_by_d = replace(view, give=(Gift(Seat.D, Seat.R, card),), returned=(None,))
    after = recommend_exchange(given_by_d, effort=Effort(samples=8, memory_mb=4))
    assert [due.giver for due in after.owed] == [Seat.L]
    # L sees nothing of it: his advice is that of a deal in which D owes nothing, and not that before it.
    alone = recommend_exchange(replace(view, up=BySeat(0, 1, -1)), effort=Effort(samples=8, memory_mb=4))
    assert after.options == alone.options != before.options


def test_a_card_that_came_back_is_not_given_on() -> None:
    view = replace(
        View.parse("D:A32.2.. ? ? up=D:+2,L:-2,R:0 give=D>L:S2", pack=Hand.parse("AKQJ32.A2.AK.AK")),
        returned=(Card.parse("SK"),),
    )
    advice = recommend_exchange(view, effort=ALL)
    assert {format_gifts(option.gifts) for option in advice.options} == {"D>L:S3", "D>L:H2"}
    assert advice.owed == (Due(Seat.D, Seat.L, 1),)
    same = recommend_exchange(replace(view, returned=(None,)), returned=[Card.parse("SK")], effort=ALL)
    assert same.options == advice.options


def test_an_exchange_after_the_announcement_is_valued_for_the_contract_announced() -> None:
    rules = Rules.parse("polish,kitty=blind")
    view = asked(5, Seat.L, BySeat(0, 1, -1), rules)
    advice = recommend_exchange(view, trumps=[Trump.H], effort=ALL)
    assert advice.options == recommend_exchange(replace(view, trump=Trump.H), effort=ALL).options
    fit = layouts(view, Seat.L)
    values = [
        worth(view, Seat.L, told_exchange(deal, advice.best.gifts)[0], "share", (Trump.H,)) for deal in fit
    ]
    assert advice.best.tricks.mean == pytest.approx(float(mean(values)))


def test_facts_leave_only_the_deals_that_fit_them() -> None:
    view = View.parse("D:A3.2.. ? ? up=D:+1,L:-1,R:0", pack=Hand.parse("AKQ3.A2.AK.A"))
    without = recommend_exchange(view, effort=ALL)
    told_more = recommend_exchange(view, facts=[parse_holds("L:SK")], effort=ALL)
    assert told_more.deals < without.deals
    option = next(each for each in told_more.options if str(each.gifts[0].card) == "S3")
    assert option.received == {(Seat.L, Card.parse("SK")): 1.0}


# What must not matter.


def test_advice_does_not_look_at_the_cards_of_the_others() -> None:
    rng = Random(9)
    deal = random_deal(rng, 4, 1)
    unseen = list(deal.hands.L | deal.hands.R | (deal.kitty or Hand()))
    rng.shuffle(unseen)
    other = Deal(BySeat(deal.hands.D, Hand.of(unseen[:4]), Hand.of(unseen[4:8])), Hand.of(unseen[8:]))
    effort = Effort(samples=12, memory_mb=4)
    up = BySeat(2, -1, -1)
    one, two = (recommend_exchange(Record(each, up=up), effort=effort) for each in (deal, other))
    assert one.options == two.options
    assert str(deal.hands.L) not in one.seen


def test_the_same_seed_gives_the_same_answer_for_any_number_of_jobs() -> None:
    view = asked(10, Seat.D, BySeat(2, -1, -1), PRESETS["classic"], size=4)
    one, two, other = (
        recommend_exchange(view, effort=Effort(samples=12, seed=seed, jobs=jobs, memory_mb=8))
        for seed, jobs in ((3, 1), (3, 2), (4, 2))
    )
    assert one.options == two.options
    assert one.options != other.options


def test_a_sampled_answer_is_close_to_the_exact_one() -> None:
    view = asked(8, Seat.D, BySeat(1, -1, 0), PRESETS["classic"])
    exact = recommend_exchange(view, effort=ALL)
    sampled = recommend_exchange(view, effort=Effort(samples=100, memory_mb=4))
    assert exact.exact
    assert not sampled.exact
    truth = {option.gifts: option.tricks.mean for option in exact.options}
    best = sampled.best
    assert best.tricks.lower is not None
    assert best.tricks.upper is not None
    assert best.tricks.lower - 0.1 < truth[best.gifts] < best.tricks.upper + 0.1
    assert truth[best.gifts] > max(truth.values()) - 0.1


def test_the_most_promising_ways_are_compared() -> None:
    view = asked(11, Seat.D, BySeat(3, -1, -2), PRESETS["classic"], size=6)
    few = recommend_exchange(view, by="guaranteed", effort=Effort(samples=2, ways=3, memory_mb=8))
    assert len(few.options) == 3 < few.ways


def test_the_first_ways_differ_in_more_than_who_gets_which_of_touching_cards() -> None:
    # The 3 and 2 of clubs touch, and may go to either receiver: one of these two ways comes after all others.
    view = View.parse("D:A.2..32 ? ? up=D:+2,L:-1,R:-1", pack=Hand.parse("AKQ.AK2.AK.AKQ32"))

    def kinds(ways: int) -> set[tuple[str, ...]]:
        advice = recommend_exchange(view, effort=Effort(samples=2, ways=ways, memory_mb=4))
        return {tuple(f"{gift.receiver}{gift.card.suit}" for gift in way.gifts) for way in advice.options}

    every = kinds(100)
    assert ("LC", "RC") in every
    assert kinds(len(every)) == every


# Time.


def test_no_time_for_a_single_sample_is_an_error() -> None:
    with pytest.raises(SearchStopped, match=r"before the first sample was solved.*--ways 2"):
        recommend_exchange(f"{WHOLE} up=D:+1,L:-1,R:0", effort=Effort(seconds=0.001, memory_mb=16))


def test_ctrl_c_ends_an_advice_at_once() -> None:
    started = time.monotonic()
    Timer(0.3, _thread.interrupt_main).start()
    with pytest.raises(KeyboardInterrupt):
        recommend_exchange(f"{WHOLE} up=D:+1,L:-1,R:0", effort=Effort(seconds=60, jobs=2, memory_mb=32))
    assert time.monotonic() - started < 10


def test_ctrl_c_leaves_the_ranking_so_far() -> None:
    def interrupt(stage: Stage) -> None:
        if stage.samples >= 8:
            _thread.interrupt_main()
            time.sleep(0.5)

    view = asked(12, Seat.D, BySeat(1, -1, 0), PRESETS["classic"], size=6)
    effort = Effort(samples=500, memory_mb=8)
    questions: list[Callable[[], object]] = [
        lambda: recommend_exchange(view, effort=effort, progress=interrupt),
        lambda: recommend_trump(replace(view, up=None), effort=effort, progress=interrupt),
    ]
    for question in questions:
        with pytest.raises(Interrupted) as caught:
            question()
        assert caught.value.result.samples == 8
        assert not caught.value.result.complete
        assert len(caught.value.result.best.values) == 8


# The form of the answer.


def test_an_advice_has_the_documented_form() -> None:
    rules = Rules.parse("targets=2-2-1")
    view = asked(11, Seat.D, BySeat(2, -1, -1), rules, size=5)
    answer = json.loads(json.dumps(recommend_exchange(view, effort=Effort(samples=8)).to_dict()))
    assert answer["best"] == answer["options"][0]
    assert answer["samples"] == 8
    assert answer["seen"] == f"D:{view.hands.D} ? ? K:?"
    assert answer["owed"] == [
        {"giver": "D", "receiver": "L", "cards": 1},
        {"giver": "D", "receiver": "R", "cards": 1},
    ]
    assert answer["ways"] >= len(answer["options"])
    best = answer["best"]
    assert [gift[:4] for gift in best["give"]] == ["D>L:", "D>R:"]
    assert all(key[:4] in ("D<L:", "D<R:") for key in best["received"])
    assert sum(best["received"].values()) == pytest.approx(2, abs=0.02)
    assert 0 <= best["stronger"] <= 2
    assert best["ci95"][0] <= best["tricks"] <= best["ci95"][1]
    assert best["points"] == pytest.approx(best["tricks"] - 2, abs=0.002)
    assert best["difference"] == 0


def test_who_asks_is_whose_hand_is_written_alone_else_the_next_to_give() -> None:
    up = "up=D:0,L:+1,R:-1"
    small = "D:AK.5.3. QT.A..2 J9.K.Q. K:...A"
    assert recommend_exchange(f"{small} {up}", effort=Effort(samples=2)).seat is Seat.L
    seen = View.parse(f"L:A2.5.. ? ? {up}", pack=Hand.parse("AKQ2.AK5.AK."))
    assert recommend_exchange(seen, effort=Effort(samples=2)).seat is Seat.L


def wrong(text: str, **arguments: object) -> ExchangeAdvice:
    return recommend_exchange(text, effort=Effort(samples=1), **arguments)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("fields", "arguments", "message"),
    [
        ("", {}, r"no scores of the last deal; expected up= such as up=D:\+3,L:-1,R:-2"),
        ("up=D:0,L:0,R:0", {}, "nobody was up in the last deal"),
        ("up=D:+1,L:-1,R:0", {"rules": "classic,exchange=none"}, "no cards are exchanged by these rules"),
        ("up=D:+1,L:-1,R:0", {"rules": "polish"}, "comes after the announcement .* expected trump="),
        (
            "up=D:+1,L:-1,R:0 trump=N",
            {"rules": "polish"},
            "no cards are exchanged at no trump",
        ),
        (
            "up=D:+1,L:-1,R:0",
            {"rules": "polish", "trumps": [Trump.S, Trump.H]},
            "one contract is announced before the exchange; found 2",
        ),
        (
            "up=D:-1,L:+1,R:0",
            {},
            "D has nothing to give, expected the hand of a seat that has: L gives 1 to D",
        ),
        ("up=D:+1,L:-1,R:0", {"seat": "L"}, "L has nothing to give"),
        ("up=D:+1,L:-1,R:0 give=D>L:C3", {}, "all cards that were owed have been given"),
        ("up=D:+2,L:-2,R:0 give=D>L:C3", {}, "what L returned is not known, expected --returned"),
        ("up=D:+17,L:-17,R:0", {}, "D has to give 17 cards, but has 16"),
        (
            "up=D:+1,L:+2,R:-3 rules=pickup give=L>R:C2",
            {},
            "L has given some of his cards only, expected all of them in give=",
        ),
        ("up=D:+1,L:-1,R:0", {"by": "luck"}, "no yardstick 'luck'"),
        ("up=D:+1,L:-1,R:0", {"trumps": []}, "no contract to look at"),
    ],
)
def test_what_cannot_be_answered_is_refused_in_one_line(
    fields: str, arguments: dict[str, object], message: str
) -> None:
    with pytest.raises(InputError, match=message) as caught:
        wrong(f"{WHOLE} {fields}", **arguments)
    assert "\n" not in str(caught.value)


def test_too_many_ways_are_refused() -> None:
    with pytest.raises(InputError, match="0 ways are out of range"):
        Effort(ways=0)


def test_a_kitty_larger_than_the_hand_cannot_be_laid_aside_for() -> None:
    with pytest.raises(InputError, match="D cannot lay 2 cards aside: D holds 1"):
        recommend_exchange(View.parse("D:A... ? ? up=D:+1,L:-1,R:0", pack=Hand.parse("AKQJT...")))


def test_gifts_read_as_they_are_written() -> None:
    advice = recommend_exchange(
        asked(2, Seat.D, BySeat(1, -1, 0), PRESETS["classic"]), effort=Effort(samples=2)
    )
    for option in advice.options:
        assert parse_gifts(format_gifts(option.gifts)) == option.gifts
