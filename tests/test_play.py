"""The play: whose card each one is, who wins the tricks, and what is said of cards that may not be played."""

from __future__ import annotations

import oracle
import pytest
from hypothesis import given, settings, strategies as st
from strategies import deals, play_some, seats, trumps

from sgtmajor.cards import Seat, Trump, parse_cards
from sgtmajor.deal import Position
from sgtmajor.errors import InputError
from sgtmajor.play import parse_play, play_out, turns
from sgtmajor.record import Record

START = "D:A2.Q2.. K3.K3.. Q4.A4.. trump=S lead=D"


def played(text: str) -> list[Position]:
    record = Record.parse(START)
    return play_out(record.start, parse_play(text))


@given(st.data())
def test_whose_card_it_is_and_who_wins_follow_from_the_cards(data: st.DataObject) -> None:
    deal = data.draw(deals(max_size=6))
    start = Position(deal.hands, data.draw(trumps), data.draw(seats))
    cards = play_some(data.draw, start, data.draw(st.integers(0, 3 * deal.size)))[1]
    positions = play_out(start, cards)
    found = list(turns(cards, start.trump, start.leader))
    assert [turn.card for turn in found] == list(cards)
    assert len(positions) == len(cards) + 1
    for count, (turn, position) in enumerate(zip(found, positions, strict=False)):
        assert turn.seat is position.to_play
        assert turn.winner is position.winner_after(turn.card)
        assert turn.trick == count // 3 + 1
        assert turn.led == (position.trick[0] if position.trick else turn.card)
        assert turn.follows == (turn.card.suit is turn.led.suit)


@given(st.data())
def test_the_winner_of_a_trick_is_the_oracles(data: st.DataObject) -> None:
    pack = data.draw(st.permutations(list(range(52))))[:3]
    trump, leader = data.draw(trumps), data.draw(seats)
    cards = parse_cards(oracle.write_cards(tuple(pack)))
    expected = (leader.index + oracle.winner(tuple(pack), trump.index)) % 3
    assert [turn.winner for turn in turns(cards, trump, leader)] == [None, None, list(Seat)[expected]]


@pytest.mark.parametrize(
    ("cards", "message"),
    [
        ("S3", "trick 1: D cannot play S3: D holds A2.Q2..; L holds S3"),
        ("SA,H3", "trick 1: L cannot play H3: L holds SK,S3 of the suit led, expected one of these"),
        (
            "SA,S3,S4,HQ,H3,SQ",
            "trick 2: R cannot play SQ: R holds HA,H4 of the suit led, expected one of these",
        ),
        ("SA,S3,S4,SA", "trick 2: D cannot play SA: D holds 2.Q2..; D has played SA to trick 1"),
        ("SA,S3,S4,S3", "trick 2: D cannot play S3: D holds 2.Q2..; L has played S3 to trick 1"),
        ("SA,C2", "trick 1: L cannot play C2: L holds K3.K3.."),
        (
            "SA,S3,S4,S2,SK,SQ,HK,H4,H2,H3,HA,HQ,C2",
            "trick 5: R cannot play C2: the play is over",
        ),
    ],
)
def test_an_illegal_card_is_refused_with_trick_seat_and_reason(cards: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        played(cards)
    assert str(caught.value) == message
    with pytest.raises(InputError, match=r"^column \d+: trick "):
        Record.parse(f"{START} play={cards}")


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_every_illegal_card_is_refused(data: st.DataObject) -> None:
    deal = data.draw(deals(max_size=4))
    start = Position(deal.hands, data.draw(trumps), data.draw(seats))
    position, cards = play_some(data.draw, start, data.draw(st.integers(0, 3 * deal.size)))
    for other in (card for hand in deal.hands.values() for card in hand):
        if other not in position.legal():
            with pytest.raises(InputError, match=f"^trick {len(cards) // 3 + 1}: . cannot play {other}: "):
                play_out(start, (*cards, other))


def test_a_trick_in_progress_is_the_play_from_whole_hands() -> None:
    now = Record.parse("D:A2.Q2.. 3.K3.. Q4.A4.. trump=S lead=L trick=SK id=x")
    whole = now.from_whole_hands()
    assert whole.position == now.position
    assert (whole.trick, whole.play, whole.id) == ((), parse_cards("SK"), "x")
    assert whole.from_whole_hands() is whole
    assert whole.start.trump is Trump.S
