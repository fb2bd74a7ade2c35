"""What the command ``play`` prints."""

from __future__ import annotations

from sgtmajor.cards import BySeat, Seat
from sgtmajor.cli.render import cards_text, diagram, show, trumps_text
from sgtmajor.cli.review_text import card_text, number_text, totals
from sgtmajor.cli.solve_text import changes, role
from sgtmajor.deal import Position
from sgtmajor.mistakes import ReviewedCard
from sgtmajor.values import Solver
from sgtmajor.walk import Walk


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
    values = totals(solver.solve(position), taken)
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
    if card.change:
        gains = zip(Seat, changes(card.change.share), strict=True)
        parts.append(" ".join(f"{seat} {gain}" for seat, gain in gains if gain != "-"))
    if card.better:
        lost = f"{card.lost} sure, " if card.lost else ""
        parts.append(
            f"better {cards_text(card.better.run)}: {lost}{number_text(card.lost_share)} of share lost"
        )
    if turn.winner:
        parts.append(f"{turn.winner} wins trick {turn.trick}")
    show("   ".join(parts).rstrip())
