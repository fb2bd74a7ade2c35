"""The exchange: what comes back for each gift, and what may not be given."""

from __future__ import annotations

from contextlib import suppress
from itertools import permutations, product

import pytest
from hypothesis import given, settings, strategies as st
from strategies import any_gifts, deals, gifts, read_or_refuse

from sgtmajor.cards import BySeat, Card, Hand, Seat, Suit, Trump, format_cards
from sgtmajor.deal import Deal
from sgtmajor.errors import InputError
from sgtmajor.gifts import (
    Due,
    Gift,
    apply_gifts,
    check_gifts,
    check_up,
    format_gifts,
    format_up,
    owed,
    parse_gifts,
    parse_up,
)
from sgtmajor.record import Record
from sgtmajor.rules import PRESETS, Rules

CLASSIC = PRESETS["classic"]

any_up = st.tuples(st.integers(-8, 8), st.integers(-8, 8)).map(lambda two: BySeat(*two, -sum(two)))


@given(st.lists(any_gifts(), min_size=1))
def test_gifts_read_back_from_their_text(given_cards: list[Gift]) -> None:
    assert parse_gifts(format_gifts(given_cards)) == tuple(given_cards)
    assert parse_gifts(format_gifts(given_cards).lower().replace(",", " , ")) == tuple(given_cards)


@given(any_up)
def test_scores_read_back_from_their_text(up: BySeat[int]) -> None:
    assert parse_up(format_up(up)) == up
    assert parse_up(",".join(reversed(format_up(up).lower().replace("+", "").split(",")))) == up
    check_up(up)


@given(deals(), st.data())
def test_an_exchange_moves_cards_and_changes_no_size(deal: Deal, data: st.DataObject) -> None:
    done = data.draw(gifts(deal))
    after, returned = apply_gifts(deal, done)
    assert len(returned) == len(done)
    assert [len(hand) for hand in after.hands.values()] == [len(hand) for hand in deal.hands.values()]
    assert Hand.of(c for hand in after.hands.values() for c in hand) == Hand.of(
        c for hand in deal.hands.values() for c in hand
    )
    assert after.kitty == deal.kitty


@given(deals(), st.data())
def test_what_comes_back_is_of_the_suit_and_no_weaker(deal: Deal, data: st.DataObject) -> None:
    done = data.draw(gifts(deal))
    _, returned = apply_gifts(deal, done)
    for gift, back in zip(done, returned, strict=True):
        assert back.suit is gift.card.suit
        assert back.rank >= gift.card.rank


def kept(mine: list[Card], theirs: list[Card], given_cards: tuple[Card, ...]) -> set[Card]:
    """What the giver holds by the rule as it is told at the table, card by card, with sets and loops only."""
    hand, other = set(mine), set(theirs)
    for card in given_cards:
        stronger = [c for c in other if c.suit is card.suit and c.rank > card.rank]
        if stronger:
            best = max(stronger, key=lambda c: c.rank)
            other = (other - {best}) | {card}
            hand = (hand - {card}) | {best}
    return hand


@given(deals(max_size=7), st.data())
def test_the_exchange_goes_as_it_is_told_at_the_table(deal: Deal, data: st.DataObject) -> None:
    giver, receiver = Seat.D, data.draw(st.sampled_from([Seat.L, Seat.R]))
    given_cards = tuple(data.draw(st.lists(st.sampled_from(list(deal.hands.D)), unique=True)))
    after, _ = apply_gifts(deal, [Gift(giver, receiver, card) for card in given_cards])
    assert set(after.hands.D) == kept(list(deal.hands.D), list(deal.hands[receiver]), given_cards)


@settings(max_examples=60)
@given(deals(max_size=7), st.data())
def test_with_one_giver_and_one_receiver_no_order_matters_and_the_giver_gets_the_top_of_each_suit(
    deal: Deal, data: st.DataObject
) -> None:
    given_cards = data.draw(st.lists(st.sampled_from(list(deal.hands.D)), max_size=4, unique=True))
    pool = deal.hands.L | Hand.of(given_cards)
    expected = deal.hands.D - Hand.of(given_cards)
    for suit in Suit:
        count = len(Hand.of(given_cards).suit(suit))
        expected |= Hand.of(list(pool.suit(suit))[:count])
    for order in permutations(given_cards):
        after, _ = apply_gifts(deal, [Gift(Seat.D, Seat.L, card) for card in order])
        assert after.hands["D"] == expected


def test_the_lemma_holds_for_every_split_of_six_cards_of_a_suit_and_every_order() -> None:
    suit = [Card(Suit.S, rank) for rank in range(2, 8)]
    filler = [Card(Suit.H, rank) for rank in range(2, 15)]
    for split in product("gDL", repeat=len(suit)):
        sides = {side: [c for c, s in zip(suit, split, strict=True) if s == side] for side in "gDL"}
        mine, theirs = sides["g"] + sides["D"], sides["L"]
        pad = [filler[: 7 - len(mine)], filler[7 : 7 + 7 - len(theirs)]]
        pad[1] += [Card(Suit.D, rank) for rank in range(2, 2 + 7 - len(theirs) - len(pad[1]))]
        deal = Deal(
            BySeat(
                Hand.of(mine + pad[0]),
                Hand.of(theirs + pad[1]),
                Hand.of(Card(Suit.C, rank) for rank in range(2, 9)),
            )
        )
        top = sorted(theirs + sides["g"])[: len(sides["g"])]
        for order in permutations(sides["g"]) if len(sides["g"]) < 5 else [sides["g"], sides["g"][::-1]]:
            after, _ = apply_gifts(deal, [Gift(Seat.D, Seat.L, card) for card in order])
            assert set(after.hands.D.suit(Suit.S)) == {*sides["D"], *top}


@given(deals(max_size=4), st.lists(any_gifts(), max_size=3))
def test_impossible_gifts_are_refused_and_never_make_an_impossible_deal(deal: Deal, done: list[Gift]) -> None:
    with suppress(InputError):
        assert apply_gifts(deal, done)[0].size == deal.size


@given(st.text() | st.text("DLR>:S2H3,+-0 \0"))
def test_no_text_does_anything_but_read_or_raise_an_input_error_of_one_line(text: str) -> None:
    for read in (parse_gifts, parse_up):
        read_or_refuse(read, text)


DEAL = Deal.parse("D:A2.5.. K.4.3. QJ.6.. K:3...")


@pytest.mark.parametrize(
    ("given_cards", "returned", "hands"),
    [
        ("D>L:S2", "SK", "AK.5.. 2.4.3. QJ.6.."),
        ("D>L:SA", "SA", "A2.5.. K.4.3. QJ.6.."),
        ("D>L:H5", "H5", "A2.5.. K.4.3. QJ.6.."),
        ("L>D:D3", "D3", "A2.5.. K.4.3. QJ.6.."),
        ("D>R:S2,D>R:SA", "SQ,SA", "AQ.5.. K.4.3. J2.6.."),
        # R looks for his strongest spade with the king in hand that he received before
        ("L>R:SK,D>R:S2", "SK,SQ", "AQ.5.. K.4.3. J2.6.."),
        ("L>R:H4,D>R:H5", "H6,H5", "A2.5.. K.6.3. QJ.4.."),
    ],
)
def test_the_strongest_card_of_the_suit_comes_back(given_cards: str, returned: str, hands: str) -> None:
    after, back = apply_gifts(DEAL, parse_gifts(given_cards))
    assert format_cards(back) == returned
    assert str(after) == f"D:{hands} K:3..."


@pytest.mark.parametrize(
    ("given_cards", "message"),
    [
        ("D>L:SK", "D>L:SK: D does not hold SK, but A2.5.."),
        ("D>L:S3", "D>L:S3: D does not hold S3"),
        ("D>L:S2,D>R:SK", "D>R:SK: SK was received or returned in this exchange, expected another card"),
        ("D>L:SA,D>R:SA", "D>R:SA: SA was received or returned in this exchange"),
        ("D>L:S2,L>R:S2", "L>R:S2: L both gives and receives, expected one of the two"),
    ],
)
def test_an_impossible_gift_is_refused_by_name(given_cards: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        apply_gifts(DEAL, parse_gifts(given_cards))
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", "column 1: an empty list"),
        ("D>L", "column 1: 'D>L' is no gift"),
        ("D:S2", "column 1: 'D:S2' is no gift"),
        ("D>L:S2,D>R", "column 8: 'D>R' is no gift"),
        ("D>L:S2,X>R:S3", "column 8: unknown seat 'X'"),
        ("D>L:S2,D>X:S3", "column 10: unknown seat 'X'"),
        ("D>L:S2,D>R:X3", "column 12: 'X3' is no card"),
        ("D>D:S2", "column 5: D>D:S2 gives a card to its own seat, expected two seats"),
    ],
)
def test_what_is_wrong_with_a_list_of_gifts_is_named_with_its_column(text: str, error: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_gifts(text)
    assert str(caught.value).startswith(error)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", "column 1: an empty list"),
        ("D:+3", "column 1: 'D:+3' leaves a seat out, expected one score for each of D L R"),
        ("D:+3,L:-1,D:-2", "column 11: D has two scores"),
        ("D:+3,L:-1,X:-2", "column 11: unknown seat 'X'"),
        ("D:+3,L:-1,R:", "column 11: 'R:' is no score"),
        ("D:+3,L:-1,R:-" + "9" * 9999, "column 11: 'R:-9"),
        ("D:+3,L:-1,R:-٢", "column 11: 'R:-٢' is no score"),
        ("D:+3,L:-1,R:2.0", "column 11: 'R:2.0' is no score"),
    ],
)
def test_what_is_wrong_with_scores_is_named_with_its_column(text: str, error: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_up(text)
    assert str(caught.value).startswith(error)


@pytest.mark.parametrize("text", ["D:+3,L:-1,R:-1", "D:+18,L:-9,R:-9"])
def test_scores_that_cannot_be_are_refused(text: str) -> None:
    with pytest.raises(InputError, match="cannot be, expected scores of at most 17 that sum to 0"):
        check_up(parse_up(text))


def test_nobody_gives_or_receives_more_than_the_scores_say() -> None:
    up = parse_up("D:+2,L:-1,R:-1")
    check_gifts(parse_gifts("D>L:S2,D>R:S3"), up, CLASSIC)
    check_gifts(parse_gifts("D>R:S3,D>L:S2"), up, CLASSIC)
    with pytest.raises(InputError, match=r"D>L:S3: L was down by 1, so that is one card too many"):
        check_gifts(parse_gifts("D>L:S2,D>L:S3"), up, CLASSIC)
    with pytest.raises(InputError, match=r"L>D:S2: L was not up in the last deal, so gives nothing"):
        check_gifts(parse_gifts("L>D:S2"), up, CLASSIC)
    with pytest.raises(InputError, match=r"D>L:S3: D was up by 1, so that is one card too many"):
        check_gifts(parse_gifts("D>L:S2,D>L:S3"), BySeat(1, -2, 1), CLASSIC)
    with pytest.raises(InputError, match=r"D>R:S3: R was not down in the last deal, so gets nothing"):
        check_gifts(parse_gifts("D>R:S3"), BySeat(1, -1, 0), CLASSIC)


def test_of_two_givers_the_first_gives_all_his_cards_first() -> None:
    up = parse_up("D:-3,L:+1,R:+2")
    check_gifts(parse_gifts("L>D:S2,R>D:S3,R>D:S4"), up, CLASSIC)
    with pytest.raises(InputError, match="R>D:S3: L gives before R, expected 1 more of L first"):
        check_gifts(parse_gifts("R>D:S3"), up, CLASSIC)
    check_gifts(parse_gifts("R>D:S3,R>D:S4,L>D:S2"), up, PRESETS["pickup"])
    with pytest.raises(InputError, match="L>D:S2: R gives before L, expected 1 more of R first"):
        check_gifts(parse_gifts("R>D:S3,L>D:S2"), up, PRESETS["pickup"])


# Who owes what: worked by hand from the rules.


@pytest.mark.parametrize(
    ("up", "rules", "dues"),
    [
        ("D:0,L:0,R:0", "classic", ""),
        ("D:+2,L:-2,R:0", "classic", "D>L:2"),
        ("D:0,L:-1,R:+1", "classic", "R>L:1"),
        # one giver: the next player down clockwise from him first
        ("D:+3,L:-1,R:-2", "classic", "D>L:1 D>R:2"),
        ("D:-2,L:+3,R:-1", "classic", "L>R:1 L>D:2"),
        ("D:-2,L:-1,R:+3", "classic", "R>D:2 R>L:1"),
        # two givers: the higher target of the new deal first, 8-5-3 and 3-8-5
        ("D:+1,L:+2,R:-3", "classic", "D>R:1 L>R:2"),
        ("D:-3,L:+1,R:+2", "eldest", "L>D:1 R>D:2"),
        ("D:+1,L:-3,R:+2", "classic", "D>L:1 R>L:2"),
        ("D:+2,L:-3,R:+1", "polish", "R>L:1 D>L:2"),
        ("D:+1,L:+2,R:-3", "polish", "L>R:2 D>R:1"),
        # or whoever was most up
        ("D:+1,L:+2,R:-3", "pickup", "L>R:2 D>R:1"),
        ("D:+2,L:-3,R:+1", "pickup", "D>L:2 R>L:1"),
        # level in that: the higher target, then clockwise from the dealer
        ("D:-2,L:+1,R:+1", "pickup", "L>D:1 R>D:1"),
        ("D:+1,L:+1,R:-2", "exchange_order=most_up,targets=5-8-3", "L>R:1 D>R:1"),
        ("D:-2,L:+1,R:+1", "targets=8-4-4", "L>D:1 R>D:1"),
        ("D:+3,L:-1,R:-2", "exchange=none", ""),
    ],
)
def test_the_scores_say_who_gives_how_many_to_whom_in_which_order(up: str, rules: str, dues: str) -> None:
    found = owed(parse_up(up), Rules.parse(rules))
    assert " ".join(f"{due.giver}>{due.receiver}:{due.count}" for due in found) == dues


@given(any_up, st.sampled_from(list(PRESETS.values())))
def test_who_was_up_gives_as_many_cards_and_who_was_down_gets_as_many(up: BySeat[int], rules: Rules) -> None:
    dues = owed(up, rules)
    for seat, score in up.items():
        assert sum(due.count for due in dues if due.giver is seat) == max(0, score)
        assert sum(due.count for due in dues if due.receiver is seat) == max(0, -score)
    assert all(due.count > 0 for due in dues)


def test_what_has_been_given_is_owed_no_more() -> None:
    up = parse_up("D:+3,L:-1,R:-2")
    assert owed(up, CLASSIC, done=parse_gifts("D>L:S2")) == (Due(Seat.D, Seat.R, 2),)
    assert owed(up, CLASSIC, done=parse_gifts("D>L:S2,D>R:S3")) == (Due(Seat.D, Seat.R, 1),)
    assert owed(up, CLASSIC, done=parse_gifts("D>L:S2,D>R:S3,D>R:S4")) == ()


def test_an_exchange_after_the_announcement_is_for_suit_contracts_only() -> None:
    up = parse_up("D:+1,L:-1,R:0")
    for trump in Trump:
        assert bool(owed(up, PRESETS["polish"], trump)) == (trump is not Trump.N)
        assert owed(up, PRESETS["classic"], trump) == (Due(Seat.D, Seat.L, 1),)


WITHOUT_EXCHANGE = "D:A2.5.. K.4.3. QJ.6.. up=D:+1,L:-1,R:0 rules=classic,exchange=none"


def test_gifts_where_the_rules_have_no_exchange_are_refused() -> None:
    assert Record.parse(WITHOUT_EXCHANGE).owed == ()
    with pytest.raises(
        InputError, match=r"column 74: no cards are exchanged by these rules \(exchange=none\)"
    ):
        Record.parse(f"{WITHOUT_EXCHANGE} give=D>L:S2")


def test_gifts_at_no_trump_are_refused_where_the_exchange_comes_after_the_announcement() -> None:
    polish = "D:A2.5.. K.4.3. QJ.6.. up=D:+1,L:-1,R:0 give=D>L:S2 rules=polish"
    assert Hand.parse("AK.5..") == Record.parse(f"{polish} trump=S").position.hands.D
    with pytest.raises(InputError, match=r"no cards are exchanged at no trump \(exchange=after\)"):
        Record.parse(f"{polish} trump=N")


def test_a_record_knows_what_is_still_owed() -> None:
    record = "D:A2.5.. K.4.3. QJ.6.. up=D:+2,L:-1,R:-1"
    assert Record.parse(record).owed == (Due(Seat.D, Seat.L, 1), Due(Seat.D, Seat.R, 1))
    assert Record.parse(f"{record} give=D>L:S2").owed == (Due(Seat.D, Seat.R, 1),)
    assert Record.parse("D:A2.5.. K.4.3. QJ.6..").owed == ()
