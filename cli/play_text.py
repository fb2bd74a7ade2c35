"""What the command ``play`` prints."""

from __future__ import annotations

from collections.abc import Sequence

from sgtmajor.cards import BySeat, Seat
from sgtmajor.cli.render import cards_text, diagram, show, trumps_text
from sgtmajor.cli.review_text import card_text, given_cells, number_text
from sgtmajor.cli.solve_text import changes, role
from sgtmajor.deal import Position
from sgtmajor.mistakes import ReviewedCard
from sgtmajor.values import CardValue, Solver
from sgtmajor.walk import Walk
from sgtmajor.yardstick import other_than, worth


def show_hands(position: Position) -> None:
    """Prints the hands."""
    show([*diagram(position.hands, BySeat.of(lambda seat: role(position, seat))), ""])


def show_status(walk: Walk, solver: Solver) -> None:
    """Prints how far the play is, and what each seat has, is sure of, and has as its share."""
    position, taken = walk.position, walk.record.tricks_taken
    if not position.tricks:
        tricks = ", ".join(f"{seat} {number}" for seat, number in taken.items())
        show(f"end of the play: {tricks}", bold=True)
        return
    values = solver.solve(position).with_taken(taken)
    turn = "to play" if position.trick else "leads"
    numbers = "   ".join(
        f"{seat} {taken[seat]}, sure of {values.guaranteed[seat]}, share {values.share[seat]:.2f}"
        for seat in Seat
    )
    show(
        f"trick {walk.trick}, {trumps_text(position.trump)}, {position.to_play} {turn}:   {numbers}",
        bold=True,
    )


def show_card(card: ReviewedCard) -> None:
    """Prints a card that was played: what it has changed, and what would have been better."""
    turn = card.turn
    parts = [f"  {turn.seat} {card_text(card):<5}"]
    if gained := _by_seat(changes(worth(card.change, card.by))):
        parts.append(f"{gained} by {card.by}")
    if card.better:
        parts.append(_better(card, card.better))
    if turn.winner:
        parts.append(f"{turn.winner} wins trick {turn.trick}")
    show("   ".join(parts).rstrip())


def _better(card: ReviewedCard, better: CardValue) -> str:
    """Says what would have been better, what that would have kept, and who has it."""
    lost = {
        "guaranteed": f"{card.lost} sure" if card.lost else "",
        "share": f"{number_text(card.lost_split)} of share" if card.lost_split else "",
    }
    # One card keeps both, unless another is named.
    kept = [lost[card.by]] if card.other else [each for each in lost.values() if each]
    to = _by_seat(given_cells(card.turn.seat, card.given, card.by)) or "nobody"
    text = f"better {cards_text(better.run)}: {', '.join(kept)} lost, to {to}"
    if card.other:
        second = other_than(card.by)
        text += f"; by {second} {cards_text(card.other.run)}: {lost[second]} lost"
    return text


def _by_seat(cells: Sequence[str]) -> str:
    return " ".join(f"{seat} {cell}" for seat, cell in zip(Seat, cells, strict=True) if cell not in ("", "-"))
