"""Advice on a card from one hand: what is known in the play, held against enumeration, and the ranking."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from random import Random
from statistics import fmean

import oracle
import pytest
from stored import random_deal

from sgtmajor.advice import Effort
from sgtmajor.cards import BySeat, Card, Hand, Seat, Trump, parse_cards
from sgtmajor.deal import Deal, Position
from sgtmajor.engine import Engine
from sgtmajor.errors import InputError, Interrupted, SearchStopped
from sgtmajor.gifts import Gift
from sgtmajor.knowledge import parse_holds, parse_lacks
from sgtmajor.moment import Moment, learn_in_play, read_moment
from sgtmajor.play import play_out
from sgtmajor.race import Estimate, Outcome, Standing
from sgtmajor.recommend_play import CardAdvice, _CardQuestion, _choices, recommend_card
from sgtmajor.record import Record
from sgtmajor.rules import PRESETS
from sgtmajor.sampling import Layouts
from sgtmajor.yardstick import YARDSTICKS, By

SMALL = Effort(samples=1000, memory_mb=16)
PACK = Hand.parse("A2KQ.AK3QJ.AK.A2")


def random_record(rng: Random, size: int, kitty: int, *, discards: bool = False) -> Record:
    """Deals, lays aside if asked to, and plays some cards at random; at least one is left to play."""
    rules = rng.choice([PRESETS["classic"], PRESETS["pickup"]])
    deal = random_deal(rng, size, kitty)
    discard: tuple[Card, ...] = ()
    if discards and kitty:
        hand = deal.hands[rules.announcer]
        pool = hand | (deal.kitty or Hand()) if rules.kitty == "pickup" else hand
        discard = tuple(rng.sample(list(pool), kitty))
    record = Record(deal, rng.choice(list(Trump)), rng.choice(list(Seat)), discard, rules=rules)
    position, play = record.start, []
    for _ in range(rng.randrange(3 * size)):
        play.append(rng.choice(list(position.legal())))
        position = position.after(play[-1])
    return replace(record, play=tuple(play))


def layouts(record: Record) -> Iterator[BySeat[Hand]]:
    """Yields every way in which the unseen cards can have lain at the start of the play, by trying all."""
    seat = record.position.to_play
    start = record.start.hands
    aside = Hand.of(record.discard) if record.discard else record.deal.kitty or Hand()
    announces = seat is record.rules.announcer
    others = [seat.next, seat.next.next]
    unseen = list(start[others[0]] | start[others[1]] | (Hand() if announces else aside))
    size = len(start[seat])
    for first in combinations(unseen, size):
        rest = [card for card in unseen if card not in first]
        for second in combinations(rest, size):
            hands = start.replace(others[0], Hand.of(first)).replace(others[1], Hand.of(second))
            try:
                play_out(Position(hands, record.start.trump, record.start.leader), record.play)
            except InputError:
                continue
            yield hands


@pytest.mark.parametrize("discards", [False, True])
def test_the_deals_that_fit_are_those_in_which_the_play_was_legal(discards: bool) -> None:
    rng = Random(71)
    for _ in range(25):
        record = random_record(rng, rng.choice([2, 3]), rng.choice([0, 1, 2]), discards=discards)
        knowledge = learn_in_play(Moment.of(record))
        found = Layouts(knowledge)
        seat = record.position.to_play
        expected = {tuple(hand.mask for hand in hands.values()) for hands in layouts(record)}
        ours = set()
        for number in range(found.count):
            places = found[number]
            hands = BySeat.of(lambda each: knowledge.hand if each is seat else places[str(each)])  # noqa: B023
            ours.add(tuple(hand.mask for hand in hands.values()))
        assert found.count == len(ours)
        assert ours == expected


@pytest.mark.parametrize("by", YARDSTICKS)
def test_an_exact_answer_is_the_mean_over_all_deals_by_brute_force(by: By) -> None:
    rng = Random(72)
    for _ in range(8):
        record = random_record(rng, 3, 1, discards=True)
        advice = recommend_card(record, by=by, effort=SMALL)
        # What the announcer has laid aside was chosen: to the others not every deal is as likely.
        assert advice.exact == (record.position.to_play is record.rules.announcer)
        assert advice.samples == advice.deals
        seat, deals = record.position.to_play, list(layouts(record))
        legal = record.position.legal()
        assert {card for option in advice.options for card in (option.card, *option.equals)} == set(legal)
        for option in advice.options:
            for card in (option.card, *option.equals):
                values = [worth(record, hands, card, seat, by) for hands in deals]
                assert option.tricks.mean == pytest.approx(fmean(values))
        means = [option.tricks.mean for option in advice.options]
        assert means == sorted(means, reverse=True) or max(means) - min(means) < 1e-9


def worth(record: Record, hands: BySeat[Hand], card: Card, seat: Seat, by: By) -> float:
    """Returns what a card is worth to its seat in a deal, by the oracle, with the tricks taken before."""
    start = Position(hands, record.start.trump, record.start.leader)
    position = play_out(start, record.play)[-1]
    number = oracle.read_cards(str(card))[0]
    taker, after = oracle.play(*oracle.read_position(str(position)), number)
    later = oracle.guarantees(*after)
    sure = [later[each] + (each == taker) for each in range(3)]
    taken = record.tricks_taken[seat]
    if by == "guaranteed":
        return taken + sure[seat.index]
    return taken + oracle.share(sure, position.tricks, seat.index)


def test_cards_are_equal_that_are_equal_in_every_deal() -> None:
    rng = Random(76)
    for _ in range(40):
        record = random_record(rng, 3, 1, discards=True)
        knowledge = learn_in_play(Moment.of(record))
        runs = _choices(Moment.of(record), knowledge.hand, knowledge.unseen)
        deals = [
            play_out(Position(hands, record.start.trump, record.start.leader), record.play)[-1]
            for hands in layouts(record)
        ]
        for card in record.position.legal():
            (run,) = (each for each in runs if card in each)
            # What no deal tells apart is one option: cards that are out of play, or beaten, separate nothing.
            always = [position.equals(card) for position in deals]
            assert all(set(run) <= {card, *equals} for equals in always)
            if not knowledge.sizes.get("K"):
                assert set(run) == {card}.union(set.intersection(*map(set, always)))


def test_a_beaten_card_of_the_trick_separates_nothing() -> None:
    advice = recommend_card("D:93.A.. Q4.K.. T8.3.. trump=H lead=D play=S9,SQ", effort=SMALL)
    assert [(str(option.card), *map(str, option.equals)) for option in advice.options] == [("ST", "S8")]


def test_the_other_hands_of_a_record_are_not_looked_at() -> None:
    advice = [
        recommend_card(f"D:A5.QJ.K. {hands} trump=S lead=L play=S8,SK", effort=SMALL).to_dict()
        for hands in ("84.K.A9. K.T8.J4.", "84.T.A9. K.K8.J4.", "84..AJ9. K.KT8.4.")
    ]
    for each in advice:
        del each["seconds"]
    assert advice[0] == advice[1] == advice[2]


def test_who_does_not_follow_has_none_of_the_suit() -> None:
    # L ruffed the second heart: the hearts left are with R, but for what is aside.
    moment = read_moment("D:? ? A2.K3.. trump=S lead=L play=HA,H3,HQ,H2", pack=Hand.parse("A2KQ.AK23QJ.AK.A"))
    assert moment.asker is Seat.R
    moment = read_moment("D:? ? A2.K3.. trump=S lead=D play=HA,C2,H3,HQ,SK", pack=PACK)
    knowledge = learn_in_play(moment)
    assert knowledge.allowed[Card.parse("HJ")] == frozenset("DK")
    assert knowledge.allowed[Card.parse("C2")] == frozenset("L")
    assert knowledge.allowed[Card.parse("DA")] == frozenset("DLK")


def test_the_announcer_knows_what_he_has_laid_aside() -> None:
    record = Record.parse("D:AK.5.3. QT.A..2 J9.K.Q. K:...A trump=S discard=D3 play=SA,ST,S9,SK,SQ,SJ")
    own = learn_in_play(Moment.of(record))
    assert own.seat is Seat.D
    assert set(own.sizes) == {"L", "R"}
    assert str(recommend_card(record, effort=SMALL).seen) == "D:.5..A ? ? K:..3."
    other = learn_in_play(Moment.of(replace(record, play=record.play[:1])))
    assert other.seat is Seat.L
    assert other.sizes["K"] == 1
    assert "K" in other.allowed[Card.parse("D3")]


def test_what_the_exchange_told_of_the_announcer_may_be_laid_aside_now() -> None:
    # L gave S2 to D and got SK back, so D holds S2 and none above SK; then D took the kitty.
    record = Record.parse("D:K3.54.. QT2.A.. J9.KQ.. K:A... trump=H lead=L give=L>D:S2 discard=H4")
    knowledge = learn_in_play(Moment.of(record))
    assert knowledge.seat is Seat.L
    # Laid aside from his own hand, where SA was not; but the kitty may have brought it.
    assert knowledge.allowed[Card.parse("S2")] == frozenset("DK")
    assert knowledge.allowed[Card.parse("SA")] == frozenset("DR")
    bare = learn_in_play(Moment.of(replace(record, discard=(), rules=PRESETS["classic"])))
    assert bare.allowed[Card.parse("S2")] == frozenset("D")


@pytest.mark.parametrize("rules", ["classic", "pickup"])
def test_no_deal_is_left_out_by_what_the_exchange_told(rules: str) -> None:
    rng = Random(73)
    for _ in range(30):
        deal = random_deal(rng, 4, 2)
        giver, receiver = rng.sample(list(Seat), 2)
        card = rng.choice(list(deal.hands[giver]))
        start = Record(deal, Trump.S, give=(Gift(giver, receiver, card),), rules=PRESETS[rules])
        after = Deal(start.start.hands, deal.kitty)
        pool = after.hands.D | (deal.kitty or Hand()) if rules == "pickup" else after.hands.D
        record = replace(start, discard=tuple(rng.sample(list(pool), 2)))
        position, play = record.start, []
        for _ in range(rng.randrange(6)):
            play.append(rng.choice(list(position.legal())))
            position = position.after(play[-1])
        record = replace(record, play=tuple(play))
        knowledge = learn_in_play(Moment.of(record))
        hands = record.start.hands
        for place, cards in {
            **{str(seat): hands[seat] for seat in Seat},
            "K": Hand.of(record.discard),
        }.items():
            for each in cards & knowledge.unseen:
                assert place in knowledge.allowed[each]


@pytest.mark.parametrize("rules", ["classic", "pickup"])
def test_after_a_gift_the_deals_that_fit_are_those_that_can_have_come_about(rules: str) -> None:
    rng = Random(77)
    for _ in range(25):
        deal = random_deal(rng, 2, 1)
        giver, receiver = rng.sample(list(Seat), 2)
        gift = Gift(giver, receiver, rng.choice(list(deal.hands[giver])))
        record = rng.choice(laid_aside(Record(deal, Trump.S, give=(gift,), rules=PRESETS[rules])))
        position = record.start
        for _ in range(rng.randrange(3)):
            card = rng.choice(list(position.legal()))
            record, position = replace(record, play=(*record.play, card)), position.after(card)
        seat = position.to_play
        if seat not in (giver, receiver):
            # It sees nothing of the gift: see the sampling.
            continue
        knowledge = learn_in_play(Moment.of(record))
        found = Layouts(knowledge)
        ours = {
            tuple(sorted((place, hand.mask) for place, hand in found[number].items() if place != "K"))
            for number in range(found.count)
        }
        expected = {
            tuple(sorted((str(each), hands[each].mask) for each in Seat if each is not seat))
            for hands in came_about(record, seat)
        }
        assert ours == expected, str(record)


def laid_aside(record: Record) -> list[Record]:
    """Returns the record with each discard that there can be."""
    hand, kitty = record.start.hands[record.rules.announcer], record.deal.kitty or Hand()
    pool = hand | kitty if record.rules.kitty == "pickup" else hand
    return [replace(record, discard=aside) for aside in combinations(pool, len(kitty))]


def came_about(record: Record, seat: Seat) -> Iterator[BySeat[Hand]]:
    """Yields the hands at the start of the play, of all deals, gifts and discards that look so to a seat."""
    own, kitty = record.deal.hands[seat], record.deal.kitty or Hand()
    one, two = seat.next, seat.next.next
    announces = seat is record.rules.announcer
    rest = list(record.deal.hands[one] | record.deal.hands[two] | (Hand() if announces else kitty))
    for first in combinations(rest, len(own)):
        left = [card for card in rest if card not in first]
        for second in combinations(left, len(own)):
            hands = BySeat(own, own, own).replace(one, Hand.of(first)).replace(two, Hand.of(second))
            aside = kitty if announces else Hand.of(card for card in left if card not in second)
            try:
                given = replace(record, deal=Deal(hands, aside), discard=(), play=())
                if given.start.hands[seat] != replace(record, discard=(), play=()).start.hands[seat]:
                    continue
            except InputError:
                continue
            for each in [replace(given, discard=record.discard)] if announces else laid_aside(given):
                try:
                    play_out(each.start, record.play)
                except InputError:
                    continue
                yield each.start.hands


def test_what_a_user_knows_counts_for_now() -> None:
    moment = read_moment("D:? ? A2.K3.. trump=S lead=D play=HA,HQ", pack=PACK)
    plain = Layouts(learn_in_play(moment)).count
    facts = [parse_holds("L:SK"), parse_lacks("D:H"), parse_lacks("L:H")]
    told = learn_in_play(moment, facts=facts)
    assert told.allowed[Card.parse("SK")] == frozenset("L")
    assert told.allowed[Card.parse("HA")] == frozenset("D")
    assert 0 < Layouts(told).count < plain


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ("D:? ? A2.K3.. trump=S", "it is the turn of D, whose hand is not written"),
        ("D:? ? A2.K3.. lead=R", "the trump is not given"),
        ("D:? ? A2.K3.. trump=S play=S2,SK", "S2 is seen by R, but D holds S2 (played to trick 1)"),
        (
            "D:? ? A2.K3.. trump=N play=HA,HQ,SA,DA,DK",
            "trick 1: R cannot have played SA: R held HK,H3 of the",
        ),
        ("D:? ? A2.K3.. trump=S play=HA,HQ,DK,DA,SQ", "trick 1: R cannot have played DK: R held A2.K3.."),
        ("D:? ? A2.K3.. trump=S play=HA,HA", "trick 1: L cannot play HA: D has played it to trick 1"),
        (
            "D:? ? A2.K3.. trump=S play=HA,C2,H3,HJ,HQ",
            "(did not follow to trick 1); L holds HQ (played to trick 2)",
        ),
        ("D:? ? A2.K3.. trump=S lead=D play=HA,HQ discard=C2", "R does not see what is laid aside"),
        ("D:? ? A2.K3.. trump=S lead=D play=HA trick=HQ", "trick and play are both given"),
        ("D:K2.K3.. ? ? K:A... trump=S discard=SQ", "D cannot lay aside SQ: expected cards of K2.K3.."),
    ],
)
def test_what_cannot_be_is_refused(record: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        learn_in_play(read_moment(record, pack=PACK))
    assert message in str(caught.value)


def test_a_play_that_is_over_has_no_card_to_choose() -> None:
    with pytest.raises(InputError, match="there is no card to choose"):
        recommend_card("D:A... K... Q... trump=S play=SA,SK,SQ")


def test_a_trick_in_progress_is_a_moment_too() -> None:
    whole = recommend_card("D:A5.QJ.K. 84.K.A9. K.T8.J4. trump=S lead=L play=S8,SK", effort=SMALL)
    part = recommend_card("D:A5.QJ.K. 4.K.A9. .T8.J4. trump=S lead=L trick=S8,SK", effort=SMALL)
    assert part.to_dict()["options"] == whole.to_dict()["options"]
    seen = read_moment("D:A5.QJ.K. ? ? trump=S lead=L trick=S8,SK", pack=Hand.parse("AK845.QJKT8.KA9J4."))
    assert recommend_card(seen, effort=SMALL).to_dict()["options"] == whole.to_dict()["options"]


def test_a_seed_and_samples_fix_the_answer_for_any_number_of_jobs() -> None:
    record = random_record(Random(74), 8, 2, discards=True)
    record = replace(record, play=record.play[:7])
    answers = [
        recommend_card(record, effort=Effort(samples=12, seed=5, jobs=jobs, memory_mb=16)).to_dict()
        for jobs in (1, 2)
    ]
    for answer in answers:
        del answer["seconds"]
    assert answers[0] == answers[1]


def test_a_forced_card_takes_little_time() -> None:
    record = Record.parse("D:A5.QJ.K. 84.K.A9. K.T8.J4. trump=S lead=L play=S8")
    advice = recommend_card(record)
    assert isinstance(advice, CardAdvice)
    assert [str(option.card) for option in advice.options] == ["SK"]
    assert advice.seconds < 5


def test_time_for_no_sample_is_an_error_that_says_what_to_do() -> None:
    deal = "D:AT76.K8.AJ842.KJ763 K8.973.KT763.AQ9542 QJ9543.AQJT654.Q5.8 trump=S"
    with pytest.raises(SearchStopped, match=r"before (the first sample|every card)"):
        recommend_card(deal, effort=Effort(seconds=0.001))


def test_the_cards_that_there_was_time_for_are_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    valued: list[str] = []

    def slow(self: _CardQuestion, engine: Engine, position: Position, card: Card) -> float:
        if len(valued) == 2:
            raise self.stopped("time is up")
        valued.append(str(card))
        return 1.0

    monkeypatch.setattr("sgtmajor.recommend_play._CardQuestion._after", slow)
    advice = recommend_card("D:A5.QJ.K. 84.K.A9. K.T8.J4. trump=S lead=L", effort=SMALL)
    assert [str(option.card) for option in advice.options] == valued
    assert not advice.complete
    assert advice.entered > len(advice.options) == 2


def test_ctrl_c_gives_the_cards_valued_by_then(monkeypatch: pytest.MonkeyPatch) -> None:
    only = Standing((Card.parse("SA"),), (1.0,), Estimate(1.0, None, None), Estimate(0.0, 0.0, 0.0))

    def interrupted(*args: object, **options: object) -> None:
        raise Interrupted(Outcome((only,), 1, False))

    monkeypatch.setattr("sgtmajor.question.race", interrupted)
    with pytest.raises(Interrupted) as caught:
        recommend_card("D:A5.QJ.K. 84.K.A9. K.T8.J4. trump=S lead=L play=S8,SK", effort=SMALL)
    advice: CardAdvice = caught.value.result
    assert [str(option.card) for option in advice.options] == ["SA"]
    assert not advice.complete


def test_five_seconds_are_the_time_limit_if_nothing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    limits: list[object] = []
    only = Standing((Card.parse("SA"),), (1.0,), Estimate(1.0, None, None), Estimate(0.0, 0.0, 0.0))

    def watched(*args: object, **options: object) -> Outcome[tuple[Card, ...]]:
        limits.append(options["seconds"])
        return Outcome((only,), 1, False)

    monkeypatch.setattr("sgtmajor.question.race", watched)
    for effort in (None, Effort(jobs=2), Effort(seconds=1.5), Effort(samples=3)):
        recommend_card("D:A5.QJ.K. 84.K.A9. K.T8.J4. trump=S lead=L play=S8,SK", effort=effort)
    assert limits == [5.0, 5.0, 1.5, None]


def test_points_count_the_tricks_of_the_whole_deal() -> None:
    advice = recommend_card(
        "D:A5.QJ.K. 84.K.A9. K.T8.J4. trump=S lead=L play=S8,SK,SA rules=classic,targets=2-2-1",
        effort=SMALL,
    )
    assert advice.target == 2
    assert advice.moment.taken == BySeat(1, 0, 0)
    best = advice.to_dict()["best"]
    assert isinstance(best, dict)
    assert best["tricks"] > 1
    assert best["points"] == pytest.approx(best["tricks"] - 2)


def test_a_moment_is_written_as_it_is_read() -> None:
    text = "D:? ? A2.K3.. K:? trump=S lead=D play=HA,HQ"
    moment = read_moment(text, pack=PACK)
    assert str(moment) == text
    assert moment.trick == parse_cards("HA,HQ")
    record = Record.parse("D:AK.5.3. QT.A..2 J9.K.Q. K:...A trump=S discard=D3 play=SA id=x")
    assert Record.parse(str(Moment.of(record))).position == record.position
