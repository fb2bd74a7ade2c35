"""Cards, hands, seats and trumps: what is written reads back, and what is wrong is named with its column."""

from __future__ import annotations

import copy
import pickle
from contextlib import suppress

import pytest
from hypothesis import given, strategies as st
from strategies import DECK, cards, hands, read_or_refuse, seats, suits, trumps

from sgtmajor.cards import BySeat, Card, Hand, Seat, Suit, Trump, format_cards, parse_cards
from sgtmajor.errors import InputError, SearchStopped

card_lists = st.lists(cards, min_size=1, unique=True)


@given(cards)
def test_a_card_reads_back_from_its_text_its_repr_and_its_number(card: Card) -> None:
    assert Card.parse(str(card)) == card
    assert eval(repr(card)) == card
    assert Card.from_number(card.number) == card


@given(cards)
def test_a_card_reads_in_every_lenient_form(card: Card) -> None:
    suit, rank = list(str(card))
    names = [suit, suit.lower(), card.suit.symbol, card.suit.symbol + "\ufe0f"]
    ranks = [rank, rank.lower()] + (["10"] if rank == "T" else [])
    forms = [a + b for name in names for rank in ranks for a, b in ((name, rank), (rank, name))]
    assert {Card.parse(f" {form}\t") for form in forms} == {card}


@given(hands)
def test_a_hand_reads_back_from_its_text_and_its_repr(hand: Hand) -> None:
    assert Hand.parse(str(hand)) == hand
    assert eval(repr(hand)) == hand
    assert Hand.parse(f" {hand}\n".lower().replace("t", "10")) == hand


@given(hands, st.randoms())
def test_a_hand_reads_in_any_order_of_ranks(hand: Hand, random: st.DataObject) -> None:
    groups = [list(group) for group in str(hand).split(".")]
    for group in groups:
        random.shuffle(group)  # type: ignore[attr-defined]
    assert Hand.parse(".".join(map("".join, groups))) == hand


@given(hands, hands)
def test_hands_are_sets_of_cards(one: Hand, two: Hand) -> None:
    assert set(one | two) == set(one) | set(two)
    assert set(one & two) == set(one) & set(two)
    assert set(one - two) == set(one) - set(two)
    assert len(one) == len(set(one))
    assert bool(one) == (len(one) > 0)
    assert all(card in one for card in one)
    assert {card for suit in Suit for card in one.suit(suit)} == set(one)


@given(hands)
def test_a_hand_iterates_in_the_order_in_which_cards_sort_and_are_written(hand: Hand) -> None:
    assert list(hand) == sorted(hand)
    assert [str(card)[1] for card in hand] == list(str(hand).replace(".", ""))
    assert Hand.of(hand) == hand


@given(card_lists)
def test_a_list_of_cards_reads_back_in_its_order(chosen: list[Card]) -> None:
    assert parse_cards(format_cards(chosen)) == tuple(chosen)


@given(seats, suits, trumps)
def test_seats_suits_and_trumps_read_back_in_either_case(seat: Seat, suit: Suit, trump: Trump) -> None:
    assert (
        Seat.parse(str(seat)) is Seat.parse(str(seat).lower()) is Seat.of(seat) is Seat.of(str(seat)) is seat
    )
    assert Trump.parse(str(trump)) is Trump.parse(str(trump).lower()) is trump
    assert Trump.parse(suit.symbol).suit is suit
    assert Trump.parse(suit.symbol + "\ufe0f").suit is suit


@given(cards, hands, seats, trumps)
def test_values_survive_pickling_and_copying(card: Card, hand: Hand, seat: Seat, trump: Trump) -> None:
    for value in (card, hand, seat, trump, BySeat(card, card, card)):
        assert pickle.loads(pickle.dumps(value)) == value == copy.deepcopy(value)


@given(st.text())
def test_no_text_does_anything_but_read_or_raise_an_input_error_of_one_line(text: str) -> None:
    for read in (Card.parse, Hand.parse, Seat.parse, Trump.parse, parse_cards):
        read_or_refuse(read, text)


@given(st.text("AKQJT98765432.10sSHhDCd♠♥,: \0"))
def test_whatever_reads_as_a_hand_is_written_as_the_same_hand(text: str) -> None:
    with suppress(InputError):
        assert Hand.parse(str(Hand.parse(text))) == Hand.parse(text)


def test_the_deck_has_52_cards_with_the_numbers_that_the_core_uses() -> None:
    assert len(Hand.full()) == len(set(DECK)) == 52
    assert str(Hand.full()) == ".".join(["AKQJT98765432"] * 4)
    assert [Card.parse(text).number for text in ("S2", "SA", "H2", "CA")] == [0, 12, 16, 60]


def test_seats_play_clockwise() -> None:
    assert [seat.next for seat in (Seat.D, Seat.L, Seat.R)] == [Seat.L, Seat.R, Seat.D]
    assert [seat.index for seat in Seat] == [0, 1, 2]


def test_no_trump_has_no_suit_and_several_spellings() -> None:
    assert {Trump.parse(text) for text in ("N", "n", "NT", "nt", "Nt")} == {Trump.N}
    assert Trump.N.suit is None
    assert Trump.H.suit is Suit.H


def test_values_by_seat_are_found_by_seat_letter_and_name() -> None:
    tricks = BySeat(D=7, L=3, R=2)
    assert tricks["D"] == tricks[Seat.D] == tricks.D == 7
    assert tricks["l"] == 3
    assert list(tricks) == [Seat.D, Seat.L, Seat.R]
    assert len(tricks) == 3
    assert tricks.values() == (7, 3, 2)
    assert dict(tricks.items()) == {Seat.D: 7, Seat.L: 3, Seat.R: 2}
    assert tricks.to_dict() == {"D": 7, "L": 3, "R": 2}
    assert tricks.replace(Seat.L, 9) == BySeat(7, 9, 2)
    assert repr(tricks) == "BySeat(D=7, L=3, R=2)"
    assert hash(tricks) == hash(BySeat(7, 3, 2))
    with pytest.raises(InputError, match="unknown seat 'X', expected one of D L R"):
        tricks["X"]


@pytest.mark.parametrize(
    "text", ["", " ", "S", "A", "S1", "XA", "SAA", "S11", "SS", "AA", "S-", "\0", "ſA", "S１０", "?"]
)
def test_what_is_no_card_is_refused_with_its_text(text: str) -> None:
    with pytest.raises(InputError, match="is no card, expected a suit S H D C and a rank A K Q"):
        Card.parse(text)


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("", 1, "a hand has four groups, spades.hearts.diamonds.clubs (... is an empty one), found nothing"),
        ("AKQ", 1, "found 1 group"),
        ("A.K.Q", 1, "found 3 groups"),
        ("A.K.Q.J.T", 1, "found 5 groups"),
        ("A.K.1.J", 5, "unknown rank '1', expected A K Q J T 9 8 7 6 5 4 3 2"),
        ("A.KX.Q.J", 4, "unknown rank 'X'"),
        ("AKA.Q..", 3, "SA is written twice in one hand"),
        ("10.Q10t..", 7, "HT is written twice in one hand"),
        ("A. K..", 3, "unknown rank ' '"),
        ("  A.K\0..", 6, r"unknown rank '\x00'"),
        ("A.K.♠.", 5, "unknown rank '♠'"),
        ("A.K.\udcff.", 5, r"unknown rank '\udcff'"),
    ],
)
def test_what_is_wrong_with_a_hand_is_named_with_its_column(text: str, column: int, message: str) -> None:
    with pytest.raises(InputError) as caught:
        Hand.parse(text)
    assert message in caught.value.message
    assert caught.value.column == column


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("S2,H3,S2", "column 7: S2 is listed twice"),
        ("S2,,H3", "column 4: '' is no card"),
        ("S2, X3", "column 5: 'X3' is no card"),
        ("", "column 1: an empty list"),
    ],
)
def test_what_is_wrong_with_a_list_of_cards_is_named_with_its_column(text: str, error: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_cards(text)
    assert str(caught.value).startswith(error)


@pytest.mark.parametrize("text", ["", "X", "SH", "NTN", "♠♠", "1", "\0", "N T"])
def test_what_is_no_trump_is_refused(text: str) -> None:
    with pytest.raises(InputError, match=r"unknown trump .*, expected one of S H D C N"):
        Trump.parse(text)


@pytest.mark.parametrize("rank", [-1, 0, 1, 15, 10**30])
def test_a_rank_outside_the_deck_is_refused(rank: int) -> None:
    with pytest.raises(InputError, match=f"no rank {rank}"):
        Card(Suit.S, rank)


@pytest.mark.parametrize("number", [-1, 13, 15, 61, 64, 10**30])
def test_a_number_between_the_suits_is_no_card(number: int) -> None:
    with pytest.raises(InputError, match=f"no card has the number {number}"):
        Card.from_number(number)


@pytest.mark.parametrize("mask", [-1, 1 << 13, 1 << 61, 1 << 64])
def test_bits_that_are_no_card_make_no_hand(mask: int) -> None:
    with pytest.raises(InputError, match="bits that are no card"):
        Hand(mask)


def test_a_long_text_is_quoted_in_short() -> None:
    with pytest.raises(InputError) as caught:
        Card.parse("x" * 100_000)
    assert len(str(caught.value)) < 200


def test_cards_compare_with_cards_only() -> None:
    assert Card.parse("SA") < Card.parse("SK") < Card.parse("HA")
    assert Card.parse("SA") >= Card.parse("SA")
    with pytest.raises(TypeError):
        assert Card.parse("SA") < "SK"


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (InputError("wrong"), "wrong"),
        (InputError("wrong", column=17), "column 17: wrong"),
        (InputError("wrong", line=3, column=17), "line 3, column 17: wrong"),
        (InputError("wrong", "deals.txt", 3, 17), "deals.txt:3:17: wrong"),
        (InputError("wrong", "deals.txt", 3), "deals.txt:3: wrong"),
        (InputError("wrong", "deals.txt"), "deals.txt: wrong"),
        (InputError("wrong", field="play"), "play: wrong"),
        (InputError("wrong", "deals.txt", 3, 17, "deal"), "deals.txt:3: deal, column 17: wrong"),
        (InputError("wrong", line=3, column=17, field="deal"), "line 3, deal, column 17: wrong"),
    ],
)
def test_an_error_says_as_much_of_its_place_as_is_known(error: InputError, text: str) -> None:
    assert str(error) == text
    assert str(pickle.loads(pickle.dumps(error))) == text
    assert isinstance(error, ValueError)


def test_an_error_learns_its_place_on_the_way_out() -> None:
    error = InputError("wrong", column=2).at(offset=10).at(source="deals.txt", line=3)
    assert str(error) == "deals.txt:3:12: wrong"
    assert InputError("wrong").at(offset=10).column == 11
    assert InputError("wrong", field="play").at(offset=10).field is None
    assert str(InputError("wrong", column=2).at(field="deal")) == "deal, column 2: wrong"


def test_a_stopped_search_keeps_its_bounds() -> None:
    error = SearchStopped("stopped after 5 s", BySeat(1, 2, 3))  # type: ignore[arg-type]
    assert str(error) == "stopped after 5 s"
    assert pickle.loads(pickle.dumps(error)).bounds == BySeat(1, 2, 3)
