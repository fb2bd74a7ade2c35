"""The play of the cards: whose card each one is, who wins which trick, and why a card may not be played."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from sgtmajor.cards import BySeat, Card, Seat, Trump
from sgtmajor.deal import Position, beats
from sgtmajor.errors import InputError
from sgtmajor.reading import read_list


@dataclass(frozen=True, slots=True)
class Turn:
    """A card of the play.

    Attributes:
        trick: The number of the trick, from 1.
        seat: The seat that plays the card.
        card: The card.
        led: The card that was led to the trick: the card itself if it leads.
        winner: The seat that wins the trick, if the card completes it.
    """

    trick: int
    seat: Seat
    card: Card
    led: Card
    winner: Seat | None

    @property
    def follows(self) -> bool:
        """Whether the card is of the suit led."""
        return self.card.suit is self.led.suit


def parse_play(text: str) -> tuple[Card, ...]:
    """Reads the cards of a play, separated by commas; a card played twice is refused when it is played."""
    return tuple(card for card, _ in read_list(text, Card.parse))


def turns(cards: Iterable[Card], trump: Trump, leader: Seat) -> Iterator[Turn]:
    """Yields whose cards they are, which follows from the cards alone; whether they are legal is not checked.

    Args:
        cards: Cards in the order of play, from the start of a trick.
        trump: What is trumps.
        leader: The seat that leads the first trick.
    """
    trick, place = 1, 0
    seat = best_seat = leader
    led: Card | None = None
    best: Card | None = None
    for card in cards:
        led = led or card
        if best is None or beats(card, best, trump):
            best, best_seat = card, seat
        place += 1
        if place < len(Seat):
            yield Turn(trick, seat, card, led, None)
            seat = seat.next
        else:
            yield Turn(trick, seat, card, led, best_seat)
            trick, place, seat = trick + 1, 0, best_seat
            led = best = None


def tricks_won(cards: Iterable[Turn]) -> BySeat[int]:
    """Returns how many tricks each seat wins by these cards of a play."""
    return BySeat.of([turn.winner for turn in cards].count)


def play_out(start: Position, cards: Sequence[Card]) -> list[Position]:
    """Plays cards from the start of a trick.

    Returns:
        The positions before each card, and the one after the last.

    Raises:
        InputError: A card may not be played; the message names the trick, the seat and the card.
    """
    positions = [start]
    for turn in turns(cards, start.trump, start.leader):
        try:
            positions.append(positions[-1].after(turn.card))
        except InputError as error:
            message = f"trick {turn.trick}: {error.message}"
            raise InputError(message + _played_before(turn, cards[: len(positions) - 1], start)) from None
    return positions


def _played_before(turn: Turn, earlier: Sequence[Card], start: Position) -> str:
    """Says when a card that cannot be played was played already, if it was."""
    for each in turns(earlier, start.trump, start.leader):
        if each.card == turn.card:
            return f"; {each.seat} has played {each.card} to trick {each.trick}"
    return ""
