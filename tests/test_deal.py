"""Deals and positions: notation, filling in, legal play and equal cards."""

from __future__ import annotations

import pickle
from functools import partial

import oracle
import pytest
from hypothesis import given, strategies as st
from strategies import cards, deals, positions, read_or_refuse

from sgtmajor.cards import BySeat, Card, Hand, Seat, Trump
from sgtmajor.deal import Deal, Position
from sgtmajor.errors import InputError

FULL = "D:AT76.K8.AJ842.KJ763 K8.973.KT763.AQ9542 QJ9543.AQJT654.Q5.8"
FULL_KITTY = "2.2.9.T"


def position(text: str) -> Position:
    """Reads ``hands trump leader trick``: ``A... K... Q... S D S2``."""
    *three, trump, leader = text.split()[:5]
    trick = tuple(map(Card.parse, text.split()[5:]))
    return Position(BySeat(*map(Hand.parse, three)), Trump.parse(trump), Seat.parse(leader), trick)


@given(deals())
def test_a_deal_reads_back_from_its_text_and_its_repr(deal: Deal) -> None:
    assert Deal.parse(str(deal)) == deal
    assert eval(repr(deal)) == deal
    assert str(Deal.parse(str(deal))) == str(deal)
    assert pickle.loads(pickle.dumps(deal)) == deal


@given(deals(), st.sampled_from(Seat))
def test_a_deal_may_be_written_from_any_seat(deal: Deal, seat: Seat) -> None:
    hands = " ".join(str(deal.hands[s]) for s in (seat, seat.next, seat.next.next))
    kitty = "" if deal.kitty is None else f"  k: {deal.kitty}"
    assert Deal.parse(f" {str(seat).lower()} : {hands}{kitty} ") == deal


@given(deals(min_size=16, max_size=16, kitty=st.just(4)), st.sampled_from(["D", "L", "R", "K", ""]))
def test_one_hand_or_the_kitty_of_a_whole_deck_may_be_left_open(deal: Deal, unknown: str) -> None:
    hands = {str(seat): str(hand) for seat, hand in deal.hands.items()} | {unknown: "?"}
    kitty = f" K:{hands.get('K', str(deal.kitty))}" if unknown else ""
    assert Deal.parse(f"D:{hands['D']} {hands['L']} {hands['R']}{kitty}") == deal


@given(deals(max_size=15, kitty=st.integers(0, 6)), st.sampled_from(["D", "L", "R"]))
def test_a_hand_of_a_short_deck_is_never_forced(deal: Deal, unknown: str) -> None:
    hands = {str(seat): str(hand) for seat, hand in deal.hands.items()} | {unknown: "?"}
    left = 52 - 2 * deal.size - len(deal.kitty or ())
    if left != deal.size:
        with pytest.raises(InputError, match=f"the hand of {unknown} is not forced: {left} cards"):
            Deal.parse(f"D:{hands['D']} {hands['L']} {hands['R']} K:{deal.kitty}")


@given(deals(), cards, st.sampled_from(Seat))
def test_a_card_held_twice_is_refused_with_both_holders(deal: Deal, card: Card, seat: Seat) -> None:
    holders = [str(other) for other, hand in deal.hands.items() if card in hand and other is not seat]
    if holders and card not in deal.hands[seat]:
        hand = Hand.of([*list(deal.hands[seat])[1:], card])
        first, second = sorted([*holders, str(seat)])
        with pytest.raises(InputError, match=f"{card} is held by both {first} and {second}"):
            Deal(deal.hands.replace(seat, hand), deal.kitty)


@given(st.text() | st.text("DLRK:?. \tAKQ23\0"))
def test_no_text_does_anything_but_read_as_a_deal_or_raise_an_input_error_of_one_line(text: str) -> None:
    for uneven in (False, True):
        deal = read_or_refuse(partial(Deal.parse, uneven=uneven), text)
        assert deal is None or Deal.parse(str(deal), uneven=uneven) == deal


def oracle_view(state: Position) -> oracle.Position:
    """The same position as the oracle reads it with its own parser."""
    return oracle.read_position(str(state))


def names(taken: oracle.Cards) -> set[str]:
    return set(oracle.write_cards(taken).split(","))


@given(positions())
def test_the_legal_cards_are_those_of_the_oracle(state: Position) -> None:
    other = oracle_view(state)
    assert set(map(str, state.legal())) == names(oracle.legal(other.hands[state.to_play.index], other.trick))


@given(positions(), st.data())
def test_a_card_leads_to_the_position_and_the_winner_of_the_oracle(
    state: Position, data: st.DataObject
) -> None:
    card = data.draw(st.sampled_from(list(state.legal())))
    winner, other = oracle.play(*oracle_view(state), oracle.read_cards(str(card))[0])
    after = state.after(card)
    assert oracle_view(after) == other
    assert state.winner_after(card) == (None if winner is None else tuple(Seat)[winner])
    assert after.tricks == state.tricks - (winner is not None)


@given(positions(), st.data())
def test_a_position_made_by_playing_passes_every_check(state: Position, data: st.DataObject) -> None:
    after = state.after(data.draw(st.sampled_from(list(state.legal()))))
    checked = Position(after.hands, after.trump, after.leader, after.trick)
    assert checked == after
    assert hash(checked) == hash(after)
    assert pickle.loads(pickle.dumps(after)) == after


@given(positions(), cards)
def test_a_card_that_is_not_legal_is_refused_and_named(state: Position, card: Card) -> None:
    if card not in state.legal():
        for refuse in (state.after, state.equals):
            with pytest.raises(InputError, match=f"{state.to_play} cannot play {card}: "):
                refuse(card)


@given(positions(max_size=3))
def test_equal_cards_have_equal_values(state: Position) -> None:
    def values(card: Card) -> tuple[int, ...]:
        winner, after = oracle.play(*oracle_view(state), oracle.read_cards(str(card))[0])
        return tuple(sure + (seat == winner) for seat, sure in enumerate(oracle.guarantees(*after)))

    for card in state.legal():
        for other in state.equals(card):
            assert values(other) == values(card)


@given(positions())
def test_equal_cards_form_runs_that_part_the_legal_cards(state: Position) -> None:
    runs = {card: {card, *state.equals(card)} for card in state.legal()}
    for card, run in runs.items():
        assert run <= set(state.legal().suit(card.suit))
        assert all(runs[other] == run for other in run)
        assert card not in state.equals(card)


@pytest.mark.parametrize(
    ("text", "card", "equals"),
    [
        ("AKQ2... JT93... 8765... S D", "SA", "SK SQ"),
        ("AKQ2... JT93... 8765... S D", "S2", ""),
        ("A2... K3... 54... S D", "SA", ""),
        # what is out of play parts nothing
        ("A9... 32... 54... S D", "S9", "SA"),
        # the king wins the trick so far, so it parts ace and queen
        ("32... AQ5... 764... N D SK", "SA", ""),
        # here it is trumped, so it does not
        ("..A. AQ... .6.. H R SK H4", "SA", "SQ"),
        # the nine is beaten, the king is not
        ("..A. T8... .6.. H R S9 SK", "ST", "S8"),
        ("..A. AQ... .6.. H R S9 SK", "SA", ""),
    ],
)
def test_a_run_is_parted_by_the_cards_of_others_and_the_winner_of_the_trick(
    text: str, card: str, equals: str
) -> None:
    assert [str(other) for other in position(text).equals(Card.parse(card))] == equals.split()


def test_the_size_is_the_number_of_cards_a_hand() -> None:
    assert Deal.parse(FULL).size == 16
    assert Deal.parse("D:A... ... K...", uneven=True).size == 1


def test_a_missing_kitty_of_a_whole_deck_is_filled_in() -> None:
    assert str(Deal.parse(FULL).kitty) == FULL_KITTY
    assert str(Deal.parse(FULL)) == f"{FULL} K:{FULL_KITTY}"
    assert Deal(Deal.parse(FULL).hands) == Deal.parse(FULL)


def test_a_kitty_stays_unknown_where_it_is_not_forced_and_empty_where_it_is_empty() -> None:
    assert Deal.parse("D:A... K... Q...").kitty is None
    assert Deal.parse("D:A... K... Q... K:...").kitty == Hand()


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("", 1, "'' is no deal, expected a seat, a colon and three hands"),
        ("A... K... Q...", 1, "'A... K... Q...' is no deal"),
        ("X:A... K... Q...", 1, "unknown seat 'X', expected one of D L R"),
        (":A... K... Q...", 1, "unknown seat ''"),
        ("D:A... K...", 12, "only 2 of three hands"),
        ("D:A... K... K:Q...", 13, "unexpected 'K:Q...'"),
        ("D:A... K... Q... J...", 18, "unexpected 'J...'"),
        ("D:A... K... Q... K:J... T...", 25, "unexpected 'T...'"),
        ("D:A... K... Q... K:J... K:T...", 25, "unexpected 'K:T...'"),
        ("D:A... K... Q... K:", 18, "unexpected 'K:'"),
        ("D:A... L:K... Q...", 8, "unknown rank 'L'"),
        ("D:A... K... A...", 13, "SA is held by both D and R"),
        ("D:A... K... Q... K:.2.3.K K:", 27, "unexpected 'K:'"),
        ("D:A... K... Q... K:.2.3.KA5K", 28, "CK is written twice"),
        ("D:A2... K3... Q...", 15, "the hands have D 2, L 2, R 1 cards, expected as many in each"),
        ("D:A... K3... Q4...", 3, "the hands have D 1, L 2, R 2 cards"),
        ("D:A... K... Q... K:JA...", 21, "SA is held by D and the kitty"),
        ("D:A... K... Q... K:5432.432..", 20, "the kitty has 7 cards, expected 0 to 6"),
        ("D:... ... ...", 3, "the hands are empty, expected 1 to 17 cards each"),
        ("D:AKQJT98765432.AKQJT.. K... Q...", 3, "D holds 18 cards, expected 1 to 17"),
        ("D:A... K... ?", 13, "the hand of R is not forced: 50 cards of the deck are left, expected 1"),
        (
            "D:A... K... Q... K:?",
            20,
            "the kitty is not forced: 49 cards of the deck are left, expected at most 6",
        ),
        ("D:A... ? ?", 8, "the hand of L is not forced: expected at most one '?'"),
        ("D:? K... Q... K:?", 3, "the hand of D is not forced: expected at most one '?'"),
        ("D:A... A... ?", 8, "SA is held by both D and L"),
        ("D:A...\0 K... Q...", 7, r"unknown rank '\x00'"),
        ("D:A.. K... Q...", 3, "found 3 groups"),
    ],
)
def test_what_is_wrong_with_a_deal_is_named_with_its_column(text: str, column: int, message: str) -> None:
    with pytest.raises(InputError) as caught:
        Deal.parse(text)
    assert message in caught.value.message
    assert caught.value.column == column


@pytest.mark.parametrize("where", [0, 1, 2])
def test_one_hand_of_15_cards_in_a_whole_deal_is_refused(where: int) -> None:
    hands = FULL.removeprefix("D:").split()
    hands[where] = hands[where].replace("8", "", 1)
    with pytest.raises(InputError, match=r"15.* expected as many in each") as caught:
        Deal.parse("D:" + " ".join(hands))
    assert caught.value.column == 3 + len(" ".join([*hands[:where], ""]))


def test_an_open_hand_is_refused_while_a_trick_is_in_progress() -> None:
    with pytest.raises(InputError, match="expected no '\\?' while a trick is in progress"):
        Deal.parse("D:A... ? Q...", uneven=True)


def test_hands_may_be_one_card_apart_in_a_trick_but_not_two() -> None:
    assert Deal.parse("D:A... KQ... JT...", uneven=True).size == 2
    assert eval(repr(Deal.parse("D:A... KQ... JT...", uneven=True))).size == 2
    with pytest.raises(InputError, match="expected sizes that a trick in progress explains"):
        Deal.parse("D:A... KQ2... JT...", uneven=True)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("A... K... Q... S D S2 S3 S4", "the trick in progress has 3 cards, expected 0 to 2"),
        ("A... KQ... J... S D", "D 1, L 2, R 1 cards, expected D 1, L 1, R 1 with no trick in progress"),
        ("A... KQ... JT... S L S2", "expected D 2, L 1, R 2 with a trick of 1 led by L"),
        ("... ... ... S D S2", "D 0, L 0, R 0 cards, expected D 0, L 1, R 1 with a trick of 1 led by D"),
        ("... ... ... S D S2 S3", "expected D 0, L 0, R 1 with a trick of 2 led by D"),
        ("A... A... Q... S D", "SA is held by both D and L"),
        ("A... KQ... JT... S D SQ", "SQ is in the trick in progress and held by L"),
        ("A... K... JT... S D SQ SQ", "SQ is in the trick in progress twice"),
        ("A... K... JT... S D S2 H2", "L cannot have played H2 to the trick: L holds SK of the suit led"),
        ("AKQJT98765432.AKQJT.. ... ... S D", "D 18, L 0, R 0 cards, expected at most 17"),
    ],
)
def test_an_impossible_position_is_refused(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        position(text)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("text", "card", "message"),
    [
        ("A2... K3... Q4... H D", "S3", "D cannot play S3: D holds A2...; L holds S3"),
        (
            "2... K.3.. Q4... H D SA",
            "H3",
            "L cannot play H3: L holds SK of the suit led, expected one of these",
        ),
        ("... ... ... H D", "H3", "D cannot play H3: the play is over"),
    ],
)
def test_a_refused_card_comes_with_the_reason(text: str, card: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        position(text).after(Card.parse(card))
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("trump", "trick", "card", "winner"),
    [
        ("N", "S2 S3", "S4", "R"),
        ("N", "S2 HA", "DA", "D"),
        ("H", "S2 H2", "SA", "L"),
        ("H", "SA H2", "H3", "R"),
        ("H", "SA H3", "H2", "L"),
        ("D", "SK SA", "HA", "L"),
    ],
)
def test_the_highest_trump_wins_else_the_highest_card_of_the_suit_led(
    trump: str, trick: str, card: str, winner: str
) -> None:
    hand = Hand.of([Card.parse(card)])
    state = position(f"... ... {hand} {trump} D {trick}")
    assert state.winner_after(Card.parse(card)) is Seat.parse(winner)
    after = state.after(Card.parse(card))
    assert (after.leader, after.tricks, after.trick) == (Seat.parse(winner), 0, ())
    assert len(after.legal()) == 0


def test_a_position_is_written_like_a_record() -> None:
    text = "D:2... K.3.. Q4... trump=H lead=D trick=SA"
    assert str(position("2... K.3.. Q4... H D SA")) == text
