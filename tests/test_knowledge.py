"""What a seat knows: always the truth, all that the exchange tells, and no contradictions."""

from __future__ import annotations

import json
from contextlib import suppress
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings, strategies as st
from strategies import deals

from sgtmajor.cards import BySeat, Card, Hand, Seat
from sgtmajor.deal import Deal
from sgtmajor.errors import InputError
from sgtmajor.gifts import Gift, apply_gifts
from sgtmajor.knowledge import Fact, Knowledge, learn, parse_holds, parse_lacks, parse_returned
from sgtmajor.record import Record
from sgtmajor.rules import PRESETS
from sgtmajor.sampling import Layouts
from sgtmajor.view import View, read_view

HAND = "AKQJ5.T98.A72.KJ543"
ONE = f"D:{HAND} ? ?"
# All cards but the ace of hearts, and the king of clubs is not out.
PACK = "AKQJT98765432.KQJT98765432.AKQJT98765432.AQJT98765432"
FULL = "D:AT76.K8.AJ842.KJ763 K8.973.KT763.AQ9542 QJ9543.AQJT654.Q5.8"


def some_gifts(rng: Random, deal: Deal) -> tuple[Gift, ...]:
    """Gifts that the rules allow: one giver and two receivers, or two givers and one receiver."""
    seats = rng.sample(list(Seat), 3)
    pairs = [(seats[0], seats[1]), (seats[0], seats[2])]
    if rng.random() < 0.5:
        pairs = [(receiver, giver) for giver, receiver in pairs]
    gifts: list[Gift] = []
    for giver, receiver in rng.choices(pairs, k=rng.randint(1, 4)):
        moved = {gift.card for gift in gifts} | set(apply_gifts(deal, gifts)[1])
        held = [card for card in apply_gifts(deal, gifts)[0].hands[giver] if card not in moved]
        if held:
            gifts.append(Gift(giver, receiver, rng.choice(held)))
    return tuple(gifts)


@settings(max_examples=150, deadline=None)
@given(deals(min_size=2, max_size=8, kitty=st.integers(0, 3)), st.integers(0, 1 << 30))
def test_what_a_seat_knows_after_an_exchange_is_true(deal: Deal, seed: int) -> None:
    gifts = some_gifts(Random(seed), deal)
    after = apply_gifts(deal, gifts)[0]
    for seat in Seat:
        known = learn(View.of(Record(deal, give=gifts)), seat)
        assert known.hand == after.hands[seat]
        holders = {str(other): hand for other, hand in after.hands.items()} | {"K": after.kitty or Hand()}
        for card, places in known.allowed.items():
            assert any(card in holders[place] for place in places), (card, places, seat)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("seat", ["D", "L"])
def test_of_a_single_gift_both_sides_know_all_that_there_is_to_know(seed: int, seat: str) -> None:
    """The deals that are kept are those in which the exchange would have looked the same, and no others."""
    rng = Random(seed)
    pack = rng.sample([card for card in Hand.full() if card.rank > 8 and card.suit.index < 2], 10)
    deal = Deal(BySeat(Hand.of(pack[:3]), Hand.of(pack[3:6]), Hand.of(pack[6:9])), Hand.of(pack[9:]))
    gift = Gift(Seat.D, Seat.L, rng.choice(list(deal.hands.D)))
    asker = Seat.parse(seat)
    (back,) = apply_gifts(deal, [gift])[1]
    known = learn(View.of(Record(deal, give=(gift,))), asker)
    layouts = Layouts(known)
    found = {tuple(sorted((p, h.mask) for p, h in layouts[i].items())) for i in range(layouts.count)}
    expected = set()
    own = deal.hands[asker]
    rest = [card for card in pack if card not in own]
    for first in combinations(rest, 3):
        for second in combinations([card for card in rest if card not in first], 3):
            kitty = [card for card in rest if card not in (*first, *second)]
            hands = BySeat(own, own, own)
            hands = hands.replace(asker.next, Hand.of(first)).replace(asker.next.next, Hand.of(second))
            if gift.card not in hands.D:
                continue
            other, (returned,) = apply_gifts(Deal(hands, Hand.of(kitty)), [gift])
            if returned == back:
                places = {str(s): h for s, h in other.hands.items() if s is not asker} | {"K": Hand.of(kitty)}
                expected.add(tuple(sorted((place, hand.mask) for place, hand in places.items())))
    assert found == expected


def test_the_third_seat_learns_nothing_of_a_gift_and_is_sure_of_less() -> None:
    with_gift = learn(read_view(f"{FULL} give=D>L:S6"), Seat.R)
    assert with_gift.allowed == learn(read_view(FULL), Seat.R).allowed
    assert not with_gift.sees_all_gifts
    assert learn(read_view(f"{FULL} give=D>L:S6"), Seat.L).sees_all_gifts


def test_a_later_gift_of_the_third_seat_leaves_only_what_is_certain() -> None:
    # D gave S6 to L and got SK; then R gives L a spade that D does not see.
    known = learn(read_view(f"{FULL} give=D>L:S6,R>L:S3"), Seat.D)
    assert known.allowed[Card.parse("S6")] == {"L", "R"}
    assert known.allowed[Card.parse("SQ")] == {"L", "R", "K"}
    before = learn(read_view(f"{FULL} give=D>L:S6"), Seat.D)
    assert before.allowed[Card.parse("S6")] == {"L"}
    # The king came back, and D holds the ace.
    assert before.allowed[Card.parse("SQ")] == {"L", "R", "K"}


def test_a_receiver_that_returned_the_card_given_holds_none_above_it() -> None:
    known = learn(read_view(f"{FULL} give=D>R:C7"), Seat.D)
    assert Card.parse("C7") not in known.hand
    assert known.allowed[Card.parse("C7")] == {"R"}
    known = learn(read_view(f"{FULL} give=D>R:CJ"), Seat.D)
    assert Card.parse("CJ") in known.hand
    assert all("R" not in known.allowed[Card.parse(card)] for card in ("CA", "CQ"))


def test_what_a_receiver_lacks_it_still_lacks_after_a_gift_that_the_seat_does_not_see() -> None:
    known = learn(read_view(f"{FULL} give=D>R:CJ,L>R:SK"), Seat.D)
    assert all("R" not in known.allowed[Card.parse(card)] for card in ("CA", "CQ"))


def test_what_a_seat_lacks_need_not_be_in_the_pack() -> None:
    pack = Hand.parse("AKQ.AK.AK2.AK")
    view = read_view("D:AK..2. ? ?", pack=pack)
    known = learn(view, Seat.D, facts=[parse_lacks("D:H"), parse_lacks("L:H<K")])
    assert known.allowed == learn(view, Seat.D).allowed


def test_what_a_question_mark_hides_of_an_exchange_has_to_be_told() -> None:
    text = f"{ONE} give=D>L:C3"
    with pytest.raises(InputError, match="what L returned is not known, expected --returned"):
        learn(read_view(text), Seat.D)
    known = learn(read_view(text), Seat.D, returned=parse_returned("CQ"))
    assert str(known.hand) == "AKQJ5.T98.A72.KQJ54"
    assert known.allowed[Card.parse("C3")] == {"L"}
    assert known.allowed[Card.parse("CA")] == {"R", "K"}
    assert known.allowed[Card.parse("CT")] == {"L", "R", "K"}


@pytest.mark.parametrize(
    ("gifts", "returned", "back"),
    [
        ("D>L:SA", "", "SA"),
        ("D>L:SJ", "", "SJ"),  # D holds all that is above it.
        ("D>L:CQ,D>L:C3", "CQ,C9", "CQ,C9"),  # What is known may be told all the same.
        ("D>L:SJ,D>L:C3", "C9", "SJ,C9"),
        ("D>L:C3,D>L:CT", "C9", "C9,CT"),  # L has none above the nine.
        ("D>R:C3,D>L:HK", "CA", "CA,HK"),
    ],
)
def test_what_can_only_have_come_back_need_not_be_told(gifts: str, returned: str, back: str) -> None:
    view = read_view(f"D:AKQJ5.KT8.A72.QT543 ? ? give={gifts}", pack=Hand.parse(PACK))
    known = learn(view, Seat.D, returned=parse_returned(returned) if returned else ())
    assert known == learn(view, Seat.D, returned=parse_returned(back))


@settings(max_examples=150, deadline=None)
@given(deals(min_size=2, max_size=5, kitty=st.integers(0, 2)), st.integers(0, 1 << 30))
def test_what_is_concluded_of_cards_that_came_back_is_true(deal: Deal, seed: int) -> None:
    gifts = some_gifts(Random(seed), deal)
    seat = gifts[0].giver
    after = apply_gifts(deal, gifts)[0]
    hands = BySeat.of(lambda each: deal.hands[each] if each is seat else None)
    pack = deal.hands.D | deal.hands.L | deal.hands.R | (deal.kitty or Hand())
    view = View(hands, None, pack, give=gifts, returned=(None,) * len(gifts))
    # Mostly more than one card could have come back, and that is refused.
    with suppress(InputError):
        assert learn(view, seat).hand == after.hands[seat]


def test_a_receiver_knows_by_itself_what_he_returned() -> None:
    known = learn(read_view(f"L:{HAND} ? ? give=D>L:C2"), Seat.L)
    assert str(known.hand) == "AKQJ5.T98.A72.J5432"
    assert known.allowed[Card.parse("CK")] == {"D"}


@pytest.mark.parametrize(
    ("text", "returned", "message"),
    [
        (f"{ONE} give=D>L:C3", "SA", "cannot have returned SA"),
        (f"{ONE} give=D>L:C3", "C2", "cannot have returned C2"),
        (f"{ONE} give=D>L:C3", "CK", "cannot have returned CK"),
        (f"{ONE} give=D>L:C3", "CQ,CA", "CA came back for no gift"),
        (f"{ONE} give=D>L:C3,D>L:C4", "CQ,CA", "cannot have returned CA: by what came back for an earlier"),
        (f"{ONE} give=D>L:C5,D>L:C4", "CA,C4", "cannot have returned C4: by an earlier gift L holds C5"),
        (f"{ONE} give=D>L:C3,D>L:CQ", "CQ,CA", "CQ was received or returned in this exchange"),
        (f"{ONE} give=D>L:S5,D>L:S5", "S5,S5", "S5 was received or returned in this exchange"),
        (f"{ONE} give=D>L:C3,L>R:C9", "CQ", "L both gives and receives"),
        (f"L:{HAND} ? ? give=D>L:C2,D>L:CK", "", "CK was received or returned in this exchange"),
        (f"{ONE} give=D>L:C6", "CQ", "D does not hold C6"),
        (f"L:{HAND} ? ? give=D>L:C3", "", "L holds C3, so D cannot give it"),
        (f"D:{HAND} ? T6432.A65.K65.Q9862 give=D>L:C3", "CQ", "the hand of R is written beside give="),
    ],
)
def test_an_exchange_that_cannot_be_is_refused(text: str, returned: str, message: str) -> None:
    view = read_view(text)
    with pytest.raises(InputError, match=message):
        learn(
            view,
            view.asker if text[0] == "L" else Seat.D,
            returned=parse_returned(returned) if returned else (),
        )


def test_a_card_that_came_back_after_a_gift_that_the_seat_did_not_see_is_no_contradiction() -> None:
    known = learn(read_view(f"{ONE} give=D>L:C4,R>L:D8,D>L:C3"), Seat.D, returned=parse_returned("CQ,C4"))
    assert str(known.hand) == "AKQJ5.T98.A72.KQJ54"
    assert known.allowed[Card.parse("C3")] == {"L"}


def test_a_card_that_the_receiver_was_known_to_lack_may_be_given_and_come_back() -> None:
    known = learn(read_view(f"{ONE} give=D>L:S5,D>L:SA"), Seat.D, returned=parse_returned("S5,SA"))
    assert str(known.hand) == HAND


# Facts.


KITTY = "D:AK..J. ? ? K:...A rules=pickup trump=S"
GIVEN = f"{ONE} give=D>L:C3"


@pytest.mark.parametrize(
    ("text", "fact", "message"),
    [
        (KITTY, parse_holds("K:CA"), None),
        (KITTY, parse_holds("D:CA"), "CA is seen in the kitty, but D holds CA"),
        (KITTY, parse_lacks("K:CA"), "CA is seen in the kitty, but the kitty lacks CA"),
        (KITTY, parse_lacks("D:CA"), None),
        (KITTY, parse_holds("D:SA"), None),
        (KITTY, parse_lacks("D:S"), "SA is seen by D, but D lacks"),
        (GIVEN, parse_holds("D:CQ"), None),
        (GIVEN, parse_holds("D:C3"), "no place is left for C3"),
        (GIVEN, parse_holds("L:C3"), None),
    ],
)
def test_facts_are_held_against_where_a_card_is_seen(text: str, fact: Fact, message: str | None) -> None:
    pack = Hand.parse("AKQ.AK.AKJ.AK") if text is KITTY else Hand.full()
    returned = parse_returned("CQ") if text is GIVEN else ()

    def asked() -> Knowledge:
        view = read_view(text, pack=pack)
        return learn(view, Seat.D, facts=[fact], returned=returned, sees_kitty=text is KITTY)

    if message is None:
        assert asked().seat is Seat.D
    else:
        with pytest.raises(InputError, match=message):
            asked()


@pytest.mark.parametrize(
    ("text", "cards"),
    [
        ("L:S>9", "AKQJT..."),
        ("L:S<4", "32..."),
        ("L:S", "AKQJT98765432..."),
        ("L:♠>Q,HA", "AK.A.."),
        ("l:s>q", "AK..."),
        ("K:S10", "T..."),
    ],
)
def test_lacked_cards_are_a_card_a_suit_or_a_part_of_one(text: str, cards: str) -> None:
    assert str(parse_lacks(text).cards) == cards


@pytest.mark.parametrize("text", ["", "L", "L:", "X:S2", "L:S>", "L:S>1", "L:Z>9", "L:S=9", "L:S2,", "S2"])
def test_what_is_no_fact_is_refused_with_its_column(text: str) -> None:
    for parse in (parse_lacks, parse_holds):
        with pytest.raises(InputError) as caught:
            parse(text)
        assert caught.value.column is not None


def test_facts_narrow_where_cards_can_be() -> None:
    facts = [parse_holds("L:S2"), parse_lacks("L:S>9"), parse_lacks("K:H")]
    known = learn(read_view(ONE), Seat.D, facts=facts)
    assert known.allowed[Card.parse("S2")] == {"L"}
    assert known.allowed[Card.parse("ST")] == {"R", "K"}
    assert known.allowed[Card.parse("S9")] == {"L", "R", "K"}
    assert known.allowed[Card.parse("HA")] == {"L", "R"}


@pytest.mark.parametrize(
    ("facts", "message"),
    [
        (
            ["+L:S2", "-L:S"],
            r"no place is left for S2: L holds S2 \(--holds L:S2\); L lacks .*\(--lacks L:S\)",
        ),
        (["+L:S2", "+R:S2"], "no place is left for S2: L holds S2 .*; R holds S2"),
        (
            ["-L:S2", "-R:S2", "-K:S2"],
            "no place is left for S2: L lacks S2 .*; R lacks S2 .*; the kitty lacks S2",
        ),
        (["+L:SA"], "SA is seen by D, but L holds SA"),
        (["-D:SA"], "SA is seen by D, but D lacks SA"),
        (["+D:S2"], "no place is left for S2: D holds S2"),
        (
            ["+K:S2,S3,S4,S6,S7"],
            "5 cards can only be with the kitty, where 4 are: S7,S6,S4,S3,S2; the kitty holds",
        ),
        (["-L:H,D", "-R:H,D"], "20 cards can only be with the kitty, where 4 are"),
        (
            ["-L:H,D,C"],
            "28 cards can only be with R or the kitty, where 20 are: HA,HK,HQ,HJ,H7,H6 and 22 more; L lacks",
        ),
    ],
)
def test_a_contradiction_is_named(facts: list[str], message: str) -> None:
    read = {"+": parse_holds, "-": parse_lacks}
    with pytest.raises(InputError, match=message):
        learn(read_view(ONE), Seat.D, facts=[read[fact[0]](fact[1:]) for fact in facts])


def test_what_is_written_beside_question_marks_is_known() -> None:
    known = learn(read_view(f"D:{HAND} T9876.Q765.KQJ6.A29 ?"), Seat.D)
    assert known.allowed[Card.parse("ST")] == {"L"}
    assert known.allowed[Card.parse("S4")] == {"R", "K"}


def test_the_kitty_is_seen_only_by_who_has_taken_it() -> None:
    with pytest.raises(InputError, match="D has not seen the kitty"):
        learn(read_view(f"{ONE} K:4.Q.K.A"), Seat.D)
    known = learn(read_view(f"{ONE} K:4.Q.K.A"), Seat.D, sees_kitty=True)
    assert set(known.sizes) == {"L", "R"}
    with pytest.raises(InputError, match="expected its cards"):
        learn(read_view(ONE), Seat.D, sees_kitty=True)
    # In a whole record it is simply not looked at.
    assert Hand.parse("2.2.9.T") & learn(read_view(FULL), Seat.D).unseen == Hand.parse("2.2.9.T")


# Views.


@pytest.mark.parametrize(
    "text",
    [
        f"D:{HAND} ? ? K:? trump=S lead=L up=D:+1,L:-1,R:0 give=D>L:S5 id=a rules=pickup",
        "D:? ? AK.5.3. K:?",
        f"D:{HAND} ? ? K:4.Q.K.A",
    ],
)
def test_a_view_reads_as_it_is_written(text: str) -> None:
    pack = Hand.full() if HAND in text else Hand.parse("AKQJ.65.3.AKQJT9")
    view = View.parse(text, pack=pack)
    assert View.parse(str(view), pack=pack) == view
    assert str(view).split() == text.split()
    assert read_view(json.dumps({"record": text}), pack=pack) == view


def test_a_view_is_read_from_the_keys_of_an_object() -> None:
    view = read_view(json.dumps({"deal": ONE, "trump": "H", "give": ["D>L:S5"]}))
    assert view == read_view(f"{ONE} trump=H give=D>L:S5")


def test_who_asks_is_whose_hand_is_written_alone() -> None:
    assert read_view(f"L:{HAND} ? ?").asker is Seat.L
    assert read_view(FULL).asker is PRESETS["classic"].announcer
    assert read_view(f"{FULL} rules=polish").asker is Seat.L


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("D:? ? ?", "no hand is written"),
        ("D:AK.5.3. ? ?", "a hand has 16 cards, that of D 4"),
        ("D:AK.5.3. ? ? K:Q...", "a hand has 16 cards, that of D 4"),
        (f"{ONE} discard=S5,C3", "discard comes after the advice"),
        (f"{ONE} play=SA", "play comes after the advice"),
        ("D:AK... A..2. ?", "SA is held by both D and L"),
        ("D:AK... A... ?", "expected as many in each hand"),
        (f"{ONE} K:T98.765.9.", "expected 0 to 6"),
        (f"{ONE} K:4.Q.K.", "the kitty has 3 cards, expected 4"),
        (f"{ONE} foo=1", "unknown key 'foo'"),
        (f"{ONE}\0", "a NUL byte"),
        (f"{ONE} up=D:+1,L:0,R:0", "D:\\+1,L:0,R:0 cannot be"),
        (f"{ONE} up=D:+1,L:-1,R:0 give=D>L:S5,D>L:SJ", "one card too many"),
        (f"{ONE} up=D:+1,L:+1,R:-2 give=L>R:S2", "D gives before L"),
        (f"{ONE} give=D>L:S5 rules=classic,exchange=none", "no cards are exchanged by these rules"),
        (f"{ONE} trump=N give=D>L:S5 rules=polish", "no cards are exchanged at no trump"),
        ("D:A... Q2... JT... trick=SK", "without trick="),
        (json.dumps({"deal": ONE, "record": "x"}), "record"),
        (json.dumps({"record": ONE, "trump": "S"}), "trump is beside the record"),
    ],
)
def test_what_is_no_view_is_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_view(text)


def test_hands_of_another_size_are_taken_where_the_kitty_is_what_is_left() -> None:
    assert read_view("D:AKQJ5.T98.A72.KJ5432 ? ? K:2...").size == 17
    assert read_view("D:AKQ... ? ?", pack=Hand.parse("AKQJ.AKQ.AKQ.")).size == 3
