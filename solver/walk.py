"""A walk through a play: on, back, and along other cards than those of the record."""

from __future__ import annotations

from dataclasses import dataclass, replace

from sgtmajor.cards import Card, Seat
from sgtmajor.deal import Position
from sgtmajor.errors import InputError
from sgtmajor.record import Record

_CARDS = len(Seat)


@dataclass(frozen=True, slots=True)
class Walk:
    """A moment of a play, with the way to it and the way that the record goes on.

    Attributes:
        record: The record up to the moment: its ``play`` is what was played so far.
        planned: The whole play of the record that the walk started with.
    """

    record: Record
    planned: tuple[Card, ...]

    @classmethod
    def of(cls, record: Record) -> Walk:
        """Returns the start of the play of a record, before the first card.

        Raises:
            InputError: The trump is not given.
        """
        whole = record.from_whole_hands()
        walk = cls(replace(whole, play=()), whole.play)
        # Asked for here, so that a record without a trump is refused at once.
        _ = walk.position
        return walk

    @property
    def played(self) -> tuple[Card, ...]:
        """The cards played so far."""
        return self.record.play

    @property
    def position(self) -> Position:
        """The moment."""
        return self.record.position

    @property
    def trick(self) -> int:
        """The number of the trick that the next card belongs to, from 1."""
        return len(self.played) // _CARDS + 1

    @property
    def ahead(self) -> tuple[Card, ...]:
        """The cards with which the record goes on; none where the walk has left it."""
        count = len(self.played)
        return self.planned[count:] if self.planned[:count] == self.played else ()

    def play(self, card: Card, seat: Seat | None = None) -> Walk:
        """Returns the walk after one more card.

        Args:
            card: The card.
            seat: Who is said to play it.

        Raises:
            InputError: It may not be played, or it is not the turn of the seat.
        """
        turn = self.position.to_play
        if seat is not None and seat is not turn and self.position.tricks:
            raise InputError(f"trick {self.trick}: {seat} cannot play {card}: it is the turn of {turn}")
        try:
            return replace(self, record=replace(self.record, play=(*self.played, card)))
        except InputError as error:
            # The field of the record is of no interest here.
            raise InputError(error.message) from None

    def next(self, count: int = 1) -> Walk:
        """Returns the walk after so many more cards of the record.

        Raises:
            InputError: There are not so many.
        """
        if count > len(self.ahead):
            left = (
                "the record has left no card" if not self.ahead else f"the record has {len(self.ahead)} more"
            )
            raise InputError(f"cannot go on by {count}: {left} from here")
        return self._at((*self.played, *self.ahead[:count]))

    def back(self, count: int = 1) -> Walk:
        """Returns the walk with so many cards taken back.

        Raises:
            InputError: There are not so many.
        """
        if count > len(self.played):
            raise InputError(f"cannot go back by {count}: cards played so far: {len(self.played)}")
        return self._at(self.played[: len(self.played) - count])

    def to_trick(self, number: int) -> Walk:
        """Returns the walk at the start of a trick, along the cards played, and then those of the record.

        Raises:
            InputError: The play does not go so far.
        """
        count = _CARDS * (number - 1)
        way = (*self.played, *self.ahead)
        if not 0 <= count <= len(way):
            raise InputError(f"there is no trick {number} here, expected 1 to {len(way) // _CARDS + 1}")
        return self._at(way[:count])

    def _at(self, played: tuple[Card, ...]) -> Walk:
        return replace(self, record=replace(self.record, play=played))
