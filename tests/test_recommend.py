"""Advice from one hand: brute force over all deals that fit, no peeking, and the form of the answer."""

from __future__ import annotations

import _thread
import json
import time
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, pairwise
from random import Random
from statistics import fmean
from threading import Timer

import oracle
import pytest
from stored import random_deal

from sgtmajor.advice import Effort
from sgtmajor.cards import BySeat, Card, Hand, Seat, Trump
from sgtmajor.deal import Deal, Position
from sgtmajor.engine import Bounds, Engine
from sgtmajor.errors import InputError, Interrupted, SearchStopped
from sgtmajor.gifts import Gift, apply_gifts
from sgtmajor.kitty import distinct_discards
from sgtmajor.knowledge import parse_holds, parse_lacks
from sgtmajor.promise import promising_first
from sgtmajor.race import LEAST_SAMPLES, Stage
from sgtmajor.recommend import Advice, recommend_discard, recommend_trump
from sgtmajor.record import Record
from sgtmajor.rules import PRESETS, Rules
from sgtmajor.thumb import thumb_discard, thumb_trump
from sgtmajor.values import Values
from sgtmajor.view import View, read_view
from sgtmajor.yardstick import YARDSTICKS, By

HAND = "AKQJ5.T98.A72.KJ543"
ALL = Effort(samples=10_000, discards=1000, memory_mb=4)


def small_view(rng: Random, seat: Seat, rules: Rules, size: int = 3, kitty: int = 1) -> View:
    """One hand of a small deal, from a short pack in which cards are close."""
    pack = rng.sample([card for card in Hand.full() if card.rank > 9], 3 * size + kitty)
    hand = Hand.of(pack[:size])
    return View(BySeat.of(lambda each: hand if each is seat else None), None, Hand.of(pack), rules=rules)


def layouts(view: View, seat: Seat) -> list[Deal]:
    """All deals that fit, without the package's sampling."""
    own = view.hands[seat]
    assert own is not None
    found = []
    for first in combinations(view.pack - own, len(own)):
        left = view.pack - own - Hand.of(first)
        for second in combinations(left, len(own)):
            hands = BySeat(own, own, own).replace(seat.next, Hand.of(first))
            hands = hands.replace(seat.next.next, Hand.of(second))
            found.append(Deal(hands, left - Hand.of(second)))
    return found


def worth(deal: Deal, rules: Rules, discard: tuple[Card, ...], trump: Trump, seat: Seat, by: By) -> Fraction:
    """The value of a seat by brute force, once the announcer has laid cards aside."""
    hands, _, _ = oracle.read_deal(str(Deal(rules.take_kitty(deal, discard).hands, Hand())))
    sure = oracle.guarantees(hands, trump.index, rules.first_leader.index)
    mine = Fraction(sure[seat.index])
    return mine if by == "guaranteed" else mine + Fraction(len(hands[0]) - sum(sure), 3)


def mean(values: list[Fraction]) -> Fraction:
    return sum(values, Fraction()) / len(values)


# Against brute force.


@pytest.mark.parametrize("by", YARDSTICKS)
@pytest.mark.parametrize("house", ["classic", "eldest"])
def test_a_blind_discard_serves_all_deals_that_fit(house: str, by: By) -> None:
    rules = PRESETS[house]
    view = small_view(Random(house), Seat.D, rules)
    deals = layouts(view, Seat.D)
    advice = recommend_trump(view, by=by, effort=ALL)
    assert advice.exact
    assert advice.deals == advice.samples == len(deals)
    for trump in rules.contracts:
        expected = {
            discard: mean([worth(deal, rules, discard, trump, Seat.D, by) for deal in deals])
            for discard in ((card,) for card in view.hands.D or ())
        }
        option = next(option for option in advice.ranking if option.trump is trump)
        assert option.tricks.mean == pytest.approx(float(max(expected.values())))
        assert option.tricks.mean == option.tricks.lower == option.tricks.upper
        for each in advice.options:
            if each.trump is trump:
                assert each.tricks.mean == pytest.approx(float(expected[each.discard or ()]))


@pytest.mark.parametrize("by", YARDSTICKS)
def test_with_the_kitty_taken_first_the_discard_is_chosen_in_each_deal(by: By) -> None:
    rules = PRESETS["pickup"]
    view = small_view(Random(3), Seat.D, rules)
    deals = layouts(view, Seat.D)
    advice = recommend_trump(view, by=by, effort=ALL)
    for option in advice.ranking:
        best = [
            max(
                worth(deal, rules, (card,), option.trump, Seat.D, by)
                for card in deal.hands.D | (deal.kitty or Hand())
            )
            for deal in deals
        ]
        assert option.discard is None
        assert option.tricks.mean == pytest.approx(float(mean(best)))


def test_a_discard_from_hand_and_kitty_is_best_over_the_hands_of_the_others() -> None:
    rules = PRESETS["pickup"]
    view = small_view(Random(4), Seat.D, rules)
    deals = layouts(view, Seat.D)
    kitty = deals[0].kitty or Hand()
    deals = [deal for deal in deals if deal.kitty == kitty]
    advice = recommend_discard(replace(view, kitty=kitty), trump=Trump.H, effort=ALL)
    assert advice.deals == len(deals)
    for option in advice.options:
        expected = mean(
            [worth(deal, rules, option.discard or (), Trump.H, Seat.D, "share") for deal in deals]
        )
        assert option.tricks.mean == pytest.approx(float(expected))
    assert advice.best.tricks.mean == max(option.tricks.mean for option in advice.options)


@pytest.mark.parametrize("house", ["classic", "pickup"])
def test_another_seat_expects_the_announcer_to_go_by_the_rule_of_thumb(house: str) -> None:
    rules = PRESETS[house]
    view = small_view(Random(5), Seat.L, rules)
    advice = recommend_trump(view, effort=ALL)
    assert advice.seat is Seat.L
    for option in advice.ranking:
        values = []
        for deal in layouts(view, Seat.L):
            kitty = deal.kitty or Hand()
            pool = deal.hands.D | kitty if house == "pickup" else deal.hands.D
            discard = thumb_discard(pool, len(kitty), option.trump)
            values.append(worth(deal, rules, discard, option.trump, Seat.L, "share"))
        assert option.tricks.mean == pytest.approx(float(mean(values)))


def test_facts_leave_only_the_deals_that_fit_them() -> None:
    rules = PRESETS["classic"]
    view = small_view(Random(6), Seat.D, rules)
    unseen = list(view.pack - (view.hands.D or Hand()))
    facts = [parse_holds(f"L:{unseen[0]}"), parse_lacks(f"R:{unseen[1]},{unseen[2]}")]
    deals = [
        deal
        for deal in layouts(view, Seat.D)
        if unseen[0] in deal.hands.L and not {unseen[1], unseen[2]} & set(deal.hands.R)
    ]
    advice = recommend_discard(view, trump=Trump.S, facts=facts, effort=ALL)
    assert advice.deals == len(deals)
    expected = mean([worth(d, rules, advice.best.discard or (), Trump.S, Seat.D, "share") for d in deals])
    assert advice.best.tricks.mean == pytest.approx(float(expected))


@pytest.mark.parametrize("asker", ["giver", "receiver", "announced for"])
@pytest.mark.parametrize("question", ["trump", "discard"])
def test_what_the_exchange_told_leaves_only_the_deals_in_which_it_would_have_looked_the_same(
    asker: str, question: str
) -> None:
    rules, told = PRESETS["classic"], 0
    for seed in range(3):
        giver, receiver = (Seat.L, Seat.D) if asker == "receiver" else (Seat.D, Seat.L)
        seat = Seat.L if asker == "announced for" else Seat.D
        deal = layouts(small_view(Random(seed), Seat.D, rules), Seat.D)[17 * seed]
        gift = Gift(giver, receiver, min(deal.hands[giver], key=lambda card: card.rank))
        after, backs = apply_gifts(deal, [gift])
        # By brute force: all deals before the gift in which the seat would have seen the same.
        own, fit = deal.hands[seat], []
        before = View(
            BySeat.of(lambda each: own if each is seat else None),  # noqa: B023
            None,
            deal.hands.D | deal.hands.L | deal.hands.R | (deal.kitty or Hand()),
        )
        for each in layouts(before, seat):
            if gift.card in each.hands[giver]:
                other, returned = apply_gifts(each, [gift])
                if returned == backs and other.hands[seat] == after.hands[seat]:
                    fit.append(other)
        record = Record(deal, give=(gift,))
        if seat is not rules.announcer:
            advice = recommend_trump(record, seat=seat, trumps=[Trump.H], effort=ALL)
            discards = [thumb_discard(each.hands.D, 1, Trump.H) for each in fit]
        else:
            if question == "trump":
                advice = recommend_trump(record, trumps=[Trump.H], effort=ALL)
            else:
                advice = recommend_discard(record, trump=Trump.H, effort=ALL)
            discards = [advice.best.discard or ()] * len(fit)
        assert advice.deals == len(fit)
        told += len(layouts(before, seat)) - len(fit)
        expected = mean(
            [
                worth(each, rules, aside, Trump.H, seat, "share")
                for each, aside in zip(fit, discards, strict=True)
            ]
        )
        assert advice.best.tricks.mean == pytest.approx(float(expected))
    assert told


def test_intervals_hold_the_exact_value_nineteen_times_in_twenty() -> None:
    levels, differences = [], []
    for seed in range(100):
        view = small_view(Random(seed), Seat.D, PRESETS["classic"])
        exact = recommend_discard(view, trump=Trump.S, effort=ALL)
        sampled = recommend_discard(view, trump=Trump.S, effort=Effort(samples=20, seed=seed, memory_mb=4))
        assert exact.exact
        assert not sampled.exact
        truth = {option.discard: option.tricks.mean for option in exact.options}
        for option in sampled.options:
            level, behind = option.tricks, option.behind
            levels.append((level.lower or 0) <= truth[option.discard] <= (level.upper or 0))
            if option is not sampled.best:
                difference = truth[option.discard] - truth[sampled.best.discard]
                differences.append((behind.lower or 0) <= difference <= (behind.upper or 0))
    assert mean([Fraction(each) for each in levels]) > Fraction(93, 100)
    assert mean([Fraction(each) for each in differences]) > Fraction(93, 100)


def test_a_sampled_answer_is_close_to_the_exact_one() -> None:
    view = small_view(Random(8), Seat.D, PRESETS["classic"], size=4)
    exact = recommend_discard(view, trump=Trump.S, effort=ALL)
    sampled = recommend_discard(view, trump=Trump.S, effort=Effort(samples=400, memory_mb=4))
    assert exact.exact
    assert not sampled.exact
    truth = {option.discard: option.tricks.mean for option in exact.options}
    best = sampled.best
    assert best.tricks.lower is not None
    assert best.tricks.upper is not None
    assert best.tricks.lower - 0.1 < truth[best.discard] < best.tricks.upper + 0.1
    assert truth[best.discard] > max(truth.values()) - 0.1


# What must not matter.


@pytest.mark.parametrize("house", ["classic", "pickup"])
def test_advice_does_not_look_at_the_cards_of_the_others(house: str) -> None:
    rng = Random(9)
    deal = random_deal(rng, 4, 1)
    unseen = list(deal.hands.L | deal.hands.R | (deal.kitty or Hand()))
    rng.shuffle(unseen)
    other = Deal(BySeat(deal.hands.D, Hand.of(unseen[:4]), Hand.of(unseen[4:8])), Hand.of(unseen[8:]))
    effort = Effort(samples=12, memory_mb=4)
    one, two = (recommend_trump(Record(each), rules=house, effort=effort) for each in (deal, other))
    assert one.options == two.options
    assert one.seen == two.seen
    assert str(deal.hands.L) not in one.seen


def test_the_same_seed_gives_the_same_answer_for_any_number_of_jobs() -> None:
    view = small_view(Random(10), Seat.D, PRESETS["classic"], size=6, kitty=2)
    one, two, other = (
        recommend_trump(view, effort=Effort(samples=24, seed=seed, jobs=jobs, memory_mb=8))
        for seed, jobs in ((3, 1), (3, 2), (4, 2))
    )
    assert one.options == two.options
    assert one.options != other.options


def test_the_order_of_promise_keeps_the_best_of_all_discards() -> None:
    losses = []
    for seed in range(20):
        deal = random_deal(Random(seed), 7, 2)
        view = replace(View.of(Record(deal)), whole=True)
        trump = thumb_trump(deal.hands.D, view.rules.contracts)
        advice = recommend_discard(view, trump=trump, effort=Effort(samples=4, discards=1000, memory_mb=8))
        pool = deal.hands.D
        order = promising_first([option.discard or () for option in advice.options], pool, trump)
        place = next(i for i, option in enumerate(advice.options) if option.discard in order[:6])
        losses.append(-advice.options[place].behind.mean)
    assert fmean(losses) < 0.02


def test_promise_and_distinct_discards_know_the_same_choices() -> None:
    deal = random_deal(Random(2), 6, 2)
    discards = distinct_discards(deal, PRESETS["pickup"])
    order = promising_first(discards, deal.hands.D | (deal.kitty or Hand()), Trump.N)
    assert sorted(order) == sorted(discards)


def test_of_equally_good_discards_the_more_promising_is_named_first() -> None:
    equals = 0
    for seed in range(6):
        view = small_view(Random(seed), Seat.D, PRESETS["classic"], size=4)
        advice = recommend_discard(view, trump=Trump.S, effort=ALL)
        order = promising_first(
            [option.discard or () for option in advice.options], view.hands.D or Hand(), Trump.S
        )
        for one, two in pairwise(advice.options):
            if one.tricks.mean == pytest.approx(two.tricks.mean):
                equals += 1
                assert order.index(one.discard or ()) < order.index(two.discard or ())
    assert equals


# The rule of thumb.


@pytest.mark.parametrize(
    ("hand", "trump", "discard"),
    [
        ("AKQ75.K43.A6.QJ8742", "C", "S5,H3,H4,D6"),
        ("KQ9754.5.AK32.T6432", "S", "H5,D3,D2,C2"),
        ("AQ975.5.AK3.T643", "S", "H5,D3,C4,C3"),
        ("AKQJT.AK.AK.", "S", "HK,DK,HA,DA"),
    ],
)
def test_the_rule_of_thumb_voids_short_suits_and_keeps_aces_and_kings(
    hand: str, trump: str, discard: str
) -> None:
    cards = Hand.parse(hand)
    assert thumb_trump(cards, PRESETS["polish"].contracts) is Trump.parse(trump)
    assert set(thumb_discard(cards, 4, Trump.parse(trump))) == set(map(Card.parse, discard.split(",")))


def test_honours_break_the_tie_of_equally_long_suits() -> None:
    assert thumb_trump(Hand.parse("A5432.KQJ43.2."), tuple(Trump)) is Trump.H
    assert thumb_trump(Hand.parse("A5432.K5432.2."), tuple(Trump)) is Trump.S


# Time.


def test_a_run_ended_by_time_says_how_many_samples_it_used() -> None:
    advice = recommend_trump(
        f"D:{HAND} ? ?", trumps=[Trump.S], effort=Effort(seconds=1.5, discards=1, memory_mb=64)
    )
    assert advice.samples == len(advice.best.values) > 0
    assert advice.complete
    assert advice.seconds < 5
    cut = recommend_trump(
        f"D:{HAND} ? ?",
        trumps=[Trump.S],
        effort=Effort(samples=5000, seconds=0.5, discards=1, memory_mb=64),
    )
    assert not cut.complete
    assert cut.samples < 5000


def test_no_time_for_a_single_sample_is_an_error() -> None:
    with pytest.raises(SearchStopped, match="before the first sample was solved"):
        recommend_trump(f"D:{HAND} ? ?", effort=Effort(seconds=0.001, memory_mb=16))


def test_ctrl_c_ends_an_advice_at_once() -> None:
    started = time.monotonic()
    Timer(0.3, _thread.interrupt_main).start()
    with pytest.raises(KeyboardInterrupt):
        recommend_trump(f"D:{HAND} ? ?", effort=Effort(seconds=60, jobs=2, memory_mb=32))
    assert time.monotonic() - started < 10


def test_ctrl_c_does_not_lose_the_ranking_so_far() -> None:
    def interrupt(stage: Stage) -> None:
        if stage.samples == 4:
            _thread.interrupt_main()
            time.sleep(0.5)

    view = small_view(Random(8), Seat.D, PRESETS["classic"], size=5)
    effort = Effort(memory_mb=4)
    with pytest.raises(Interrupted) as caught:
        recommend_trump(view, effort=effort, progress=interrupt)
    partial: Advice = caught.value.result
    assert partial.samples == 4
    assert not partial.complete
    assert {option.trump for option in partial.ranking} == set(PRESETS["classic"].contracts)


def test_an_answer_says_what_there_was_no_time_for(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = Values(5, BySeat(1, 1, 1))

    def slow(engine: Engine, position: Position) -> Values:
        # All but the first discard of the contract.
        if len(calls) >= 1:
            raise SearchStopped("time is up", BySeat.of(lambda seat: Bounds(0, 5)))
        calls.append(position)
        return whole

    calls: list[Position] = []
    monkeypatch.setattr("sgtmajor.question.seat_values", slow)
    view = small_view(Random(8), Seat.D, PRESETS["classic"], size=5)
    advice = recommend_discard(view, trump=Trump.S, effort=Effort(seconds=60, memory_mb=4))
    assert (len(advice.options), advice.samples, advice.complete) == (1, 1, False)
    assert advice.entered > 1
    assert advice.to_dict()["entered"] == advice.entered
    assert advice.to_dict()["compared"] == 1


def test_a_seat_that_does_not_choose_gets_all_samples_of_each_contract() -> None:
    view = small_view(Random(5), Seat.L, PRESETS["classic"], size=5)
    advice = recommend_trump(view, seat="L", effort=Effort(samples=24, memory_mb=4))
    assert {len(option.values) for option in advice.options} == {24}


def test_an_answer_is_not_called_exact_where_discards_are_left_out() -> None:
    view = small_view(Random(3), Seat.D, PRESETS["pickup"])
    assert recommend_trump(view, effort=ALL).exact
    few = recommend_trump(view, effort=replace(ALL, discards=2))
    assert not few.exact
    assert few.complete
    assert few.samples == few.deals


# The form of the answer.


def test_an_advice_has_the_documented_form() -> None:
    view = small_view(Random(11), Seat.D, PRESETS["classic"], size=5)
    rules = Rules.parse("targets=2-2-1")
    answer = json.loads(json.dumps(recommend_trump(view, rules=rules, effort=Effort(samples=8)).to_dict()))
    assert answer["best"] == answer["options"][0]
    assert answer["samples"] == 8
    assert answer["seen"] == f"D:{view.hands.D} ? ? K:?"
    assert len(answer["options"]) == 4
    best = answer["best"]
    assert best["trump"] in "SHDC"
    assert len(best["discard"]) == 1
    assert best["ci95"][0] <= best["tricks"] <= best["ci95"][1]
    assert best["points"] == pytest.approx(best["tricks"] - 2, abs=0.002)
    assert 0 <= best["reaches_target"] <= 1
    assert best["difference"] == 0
    differences = [option["difference"] for option in answer["options"]]
    assert differences == sorted(differences, reverse=True)


def test_points_are_left_out_where_the_targets_are_not_for_the_deal() -> None:
    advice = recommend_trump(small_view(Random(1), Seat.D, PRESETS["classic"]), effort=Effort(samples=2))
    assert advice.target is None
    assert "points" not in json.dumps(advice.to_dict())


def test_the_chance_of_the_target_is_the_part_of_the_samples_that_reach_it() -> None:
    rules = Rules.parse("targets=1-1-1")
    advice = recommend_trump(small_view(Random(12), Seat.D, rules), effort=ALL)
    for option in advice.options:
        assert option.reaches_target == pytest.approx(fmean(value >= 1 for value in option.values))


def test_one_contract_is_answered_with_its_discards() -> None:
    advice = recommend_trump(small_view(Random(1), Seat.D, PRESETS["classic"]), trumps=[Trump.S], effort=ALL)
    assert advice.ranking == advice.options
    assert len(advice.options) == 3


def test_a_deal_without_a_kitty_has_nothing_to_lay_aside() -> None:
    view = read_view("D:AK.Q.. ? ?", pack=Hand.parse("AKQ.AKQ.AKQ."))
    assert recommend_trump(view, effort=ALL).best.discard == ()
    assert recommend_trump(view, rules="pickup", effort=ALL).best.tricks.mean > 2


def wrong(question: str, **arguments: object) -> Advice:
    ask = {"trump": recommend_trump, "discard": recommend_discard}[question]
    return ask(**{"view": f"D:{HAND} ? ?", "effort": Effort(samples=1), **arguments})  # type: ignore[operator, no-any-return]


@pytest.mark.parametrize(
    ("question", "arguments", "message"),
    [
        ("trump", {"by": "luck"}, "no yardstick 'luck'"),
        ("trump", {"trumps": []}, "no contract to look at"),
        ("trump", {"seat": "L"}, "the hand of L, who asks, is not written"),
        ("trump", {"seat": "X"}, "unknown seat 'X'"),
        ("trump", {"view": f"D:{HAND} ? ? K:4.Q.K.A"}, "has not seen the kitty"),
        (
            "trump",
            {"view": f"D:{HAND} ? ? give=L>R:S2", "rules": "polish", "trumps": [Trump.S, Trump.N]},
            "no cards are exchanged at no trump",
        ),
        ("discard", {}, "the trump is not given"),
        ("discard", {"rules": "polish", "trump": Trump.S}, "the hand of L, who asks, is not written"),
        ("discard", {"rules": "pickup", "trump": Trump.S}, "expected its cards"),
        ("discard", {"view": f"D:{HAND} ? ? K:4.Q.K.A", "trump": Trump.S}, "has not seen the kitty"),
    ],
)
def test_what_cannot_be_answered_is_refused(
    question: str, arguments: dict[str, object], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        wrong(question, **arguments)


@pytest.mark.parametrize("field", ["samples", "discards"])
@pytest.mark.parametrize("number", [0, 10**18])
def test_too_little_or_too_much_effort_is_refused(field: str, number: int) -> None:
    with pytest.raises(InputError, match=f"{number} {field} are out of range, expected 1 to"):
        Effort(**{field: number})


def test_a_contract_is_shown_by_the_best_of_its_discards_with_the_most_samples() -> None:
    view = small_view(Random(13), Seat.D, PRESETS["classic"], size=6, kitty=2)
    advice = recommend_trump(view, effort=Effort(samples=12, memory_mb=8))
    assert advice.ranking[0] is advice.best
    for shown in advice.ranking:
        rivals = [option for option in advice.options if option.trump is shown.trump]
        most = max(len(option.values) for option in rivals)
        assert most >= min(12, LEAST_SAMPLES)
        assert shown is max(
            (option for option in rivals if len(option.values) == most), key=lambda option: option.behind.mean
        )
