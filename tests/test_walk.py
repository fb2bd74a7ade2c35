"""A walk through a play: on, back, and along other cards."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from strategies import records

from sgtmajor.cards import Card, Seat, parse_cards
from sgtmajor.errors import InputError
from sgtmajor.record import Record
from sgtmajor.walk import Walk

TEXT = "D:A5.QJ.K. 84.K.A9. K.T8.J4. trump=S lead=L play=S8,SK,S5,H8,HQ,HK id=x"


@pytest.fixture
def walk() -> Walk:
    return Walk.of(Record.parse(TEXT))


def test_it_starts_before_the_first_card(walk: Walk) -> None:
    assert (walk.played, walk.trick, len(walk.ahead)) == ((), 1, 6)
    assert walk.position == Record.parse(TEXT).start


def test_going_on_to_the_end_gives_the_record(walk: Walk) -> None:
    assert walk.next(6).record == Record.parse(TEXT)
    assert walk.next().next(5) == walk.next(6)
    with pytest.raises(InputError, match="cannot go on by 7: the record has 6 more"):
        walk.next(7)
    with pytest.raises(InputError, match="cannot go on by 1: the record has left no card"):
        walk.next(6).next()


def test_another_card_leaves_the_record_until_it_is_taken_back(walk: Walk) -> None:
    other = walk.play(Card.parse("S4"))
    assert other.ahead == ()
    assert str(other.record).endswith("play=S4 id=x")
    assert other.back() == walk
    assert walk.play(Card.parse("S8")) == walk.next()


def test_tricks_are_found_along_the_way(walk: Walk) -> None:
    assert walk.to_trick(2) == walk.next(3)
    assert walk.next(5).to_trick(1) == walk
    assert walk.to_trick(3).trick == 3
    for number in (0, 4):
        with pytest.raises(InputError, match=f"there is no trick {number} here, expected 1 to 3"):
            walk.to_trick(number)


def test_what_may_not_be_played_changes_nothing(walk: Walk) -> None:
    with pytest.raises(InputError, match=r"^trick 1: L cannot play SA: L holds 84\.K\.A9\.; D holds SA"):
        walk.play(Card.parse("SA"))
    with pytest.raises(InputError, match=r"^trick 1: D cannot play SA: it is the turn of L"):
        walk.play(Card.parse("SA"), Seat.D)
    with pytest.raises(InputError, match="cannot go back by 1: cards played so far: 0"):
        walk.back()
    assert walk.play(Card.parse("S8"), Seat.L) == walk.next()


def test_a_trick_in_progress_can_be_taken_back() -> None:
    walk = Walk.of(Record.parse("D:A5.QJ.K. 4.K.A9. K.T8.J4. trump=S lead=L trick=S8"))
    assert walk.ahead == parse_cards("S8")
    assert walk.position.to_play is Seat.L


def test_a_record_without_a_trump_is_refused() -> None:
    with pytest.raises(InputError, match="the trump is not given"):
        Walk.of(Record.parse("D:A... K... Q..."))


@settings(max_examples=40, deadline=None)
@given(records().filter(lambda record: record.trump is not None))
def test_every_record_can_be_walked_through(record: Record) -> None:
    walk = Walk.of(record)
    end = walk.next(len(walk.ahead)) if walk.ahead else walk
    assert end.position == record.position
    assert Record.parse(str(end.record)).position == record.position
    assert end.to_trick(1) == walk
