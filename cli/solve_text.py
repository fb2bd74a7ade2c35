"""What the command ``solve`` prints for reading: a block for one record, a row for each of several."""

from __future__ import annotations

from collections.abc import Sequence

from sgtmajor.cards import BySeat, Card, Seat
from sgtmajor.cli.reading import CutShort, Entry
from sgtmajor.cli.render import (
    Column,
    Table,
    cards_text,
    diagram,
    plural,
    seat_columns,
    show,
    show_table,
    signed,
    trump_text,
    trumps_text,
)
from sgtmajor.deal import Position
from sgtmajor.equilibrium import NEUTRAL
from sgtmajor.errors import SearchStopped, SgtMajorError
from sgtmajor.record import Record
from sgtmajor.values import CardValue, Solution, Values
from sgtmajor.yardstick import Yardstick, worth


def number_columns(tricks: int = 1, share: int = 4, *, equilibrium: bool = False) -> list[Column]:
    """Returns the columns of guaranteed, share and ceiling for each seat, and of the equilibrium.

    Args:
        tricks: Characters, at least, for a number of tricks.
        share: Characters, at least, for a share.
        equilibrium: Whether there is one.
    """
    return [
        *seat_columns("guaranteed", tricks),
        *seat_columns("share", share),
        *(seat_columns("equilibrium", share) if equilibrium else []),
        *seat_columns("ceiling", tricks),
    ]


def number_cells(values: Values, *, equilibrium: bool = False) -> list[str]:
    """Returns the cells of the columns of :func:`number_columns`.

    Args:
        values: The numbers.
        equilibrium: Whether there are columns for one even if these values have none.
    """
    expected = ["-"] * len(Seat) if equilibrium else []
    if values.equilibrium:
        expected = [f"{each:.2f}" for each in values.equilibrium.values()]
    return [
        *two_numbers(values),
        *expected,
        *map(str, values.ceiling.values()),
    ]


def two_numbers(values: Values, split: Yardstick = "share") -> list[str]:
    """Returns the cells of guaranteed, and of share or what else splits all tricks, for each seat."""
    return [*map(str, values.guaranteed.values()), *(f"{each:.2f}" for each in worth(values, split).values())]


class RowWriter:
    """Prints one row for each record.

    Args:
        equilibrium: Whether there is one in the results.
    """

    def __init__(self, equilibrium: bool) -> None:
        columns = [Column("id", width=8, left=True), Column("tricks"), Column("trump"), Column("lead")]
        # Rows are printed as they come, so the columns are wide enough for all of them, bounds too.
        numbers = number_columns(tricks=4, share=5, equilibrium=equilibrium)
        self._table = Table([*columns, *numbers])
        self._numbers = len(numbers)
        self._equilibrium = equilibrium
        self._started = False

    def result(self, entry: Entry, result: Solution) -> None:
        """Prints the row of a result."""
        self._row(entry, result.record, number_cells(result.values, equilibrium=self._equilibrium))

    def failure(self, entry: Entry, error: SgtMajorError) -> None:
        """Prints what there is of the answer, or the bounds proven, if there are any."""
        if isinstance(error, CutShort):
            self.result(entry, error.result)
        elif isinstance(error, SearchStopped) and isinstance(entry.content, Record):
            self._row(entry, entry.content, [*map(str, error.bounds.values())])

    def _row(self, entry: Entry, record: Record, numbers: list[str]) -> None:
        numbers = numbers + [""] * (self._numbers - len(numbers))
        if not self._started:
            show(self._table.header(), bold=True)
            self._started = True
        position = record.position
        show(
            self._table.row(
                [
                    entry.id,
                    str(position.tricks),
                    trump_text(position.trump),
                    str(position.leader),
                    *numbers,
                ]
            )
        )


class BlockWriter:
    """Prints for each record the hands, the numbers, and the cards and the line if they were asked for.

    Args:
        alone: Whether there is just one record, which then needs no number.
    """

    def __init__(self, *, alone: bool = False) -> None:
        self._alone = alone
        self._started = False

    def result(self, entry: Entry, result: Solution) -> None:
        """Prints the block of a result."""
        position = result.record.position
        self._start(entry, result.record)
        if not position.tricks:
            show("All cards are played: sgtmajor review looks back at the play.")
            return
        values = result.values
        _show_values(
            position.tricks,
            [
                list(map(str, values.guaranteed.values())),
                [f"{share:.2f}" for share in values.share.values()],
                list(map(str, values.ceiling.values())),
            ],
            [f"{each:.2f}" for each in (values.equilibrium.values() if values.equilibrium else ())],
            "" if result.ties == NEUTRAL else f", ties {result.ties}",
        )
        by: Yardstick = "equilibrium" if values.equilibrium else "share"
        if result.cards:
            show(["", cards_title(position, by)], bold=True)
            show_cards(result.cards, values)
        if result.tree:
            show(["", f"One best line by {by}, with what could be played instead"], bold=True)
            for fork in result.tree:
                show(["", f"{fork.position.to_play} plays {cards_text([fork.card])}{_to(fork.position)}"])
                show_cards(fork.cards, fork.values)
        if result.line:
            show(["", line_title(by)], bold=True)
            show(line_text(position, result.line, result.record.tricks_taken))

    def failure(self, entry: Entry, error: SgtMajorError) -> None:
        """Prints what there is of the answer, or the bounds proven, if there are any."""
        if isinstance(error, CutShort):
            self.result(entry, error.result)
        elif isinstance(error, SearchStopped) and isinstance(entry.content, Record):
            self._start(entry, entry.content)
            _show_values(entry.content.position.tricks, [list(map(str, error.bounds.values()))])

    def _start(self, entry: Entry, record: Record) -> None:
        position, taken = record.position, record.tricks_taken
        if self._started:
            show("")
        self._started = True
        name = "" if self._alone and record.id is None else f"{entry.id}: "
        leads = f"{position.leader} led" if position.trick else f"{position.leader} leads"
        tricks = plural(position.tricks, "trick")
        show(f"{name}{tricks}, {trumps_text(position.trump)}, {leads}, all cards open", bold=True)
        if any(taken.values()):
            show(f"taken before: {_by_seat(taken)}")
        show("")
        if position.tricks:
            show([*diagram(position.hands, BySeat.of(lambda seat: role(position, seat))), ""])


def _by_seat(numbers: BySeat[int]) -> str:
    return ", ".join(f"{seat} {number}" for seat, number in numbers.items())


def role(position: Position, seat: Seat) -> str:
    """Returns what a seat has played to the trick, or whether it is its turn."""
    player = position.leader
    for card in position.trick:
        if player is seat:
            return f"played {cards_text([card])}"
        player = player.next
    if seat is not position.to_play or not position.tricks:
        return ""
    return "to play" if position.trick else "leads"


def _show_values(
    tricks: int, numbers: list[list[str]], equilibrium: Sequence[str] = (), ties: str = ""
) -> None:
    """Prints a row for each of guaranteed, share, ceiling and equilibrium, as far as they are known."""
    names = [
        ("guaranteed", "whatever the other two do, even together"),
        ("share", f"guaranteed, and a third of the rest: adds up to {tricks}"),
        ("ceiling", "at most, if the other two make no mistake"),
    ]
    rows = [[name, *cells, meaning] for (name, meaning), cells in zip(names, numbers, strict=False)]
    if equilibrium:
        rows.append(["equilibrium", *equilibrium, f"expected, each playing for himself{ties}"])
    seats = [Column(str(seat), width=5) for seat in Seat]
    show_table([Column("tricks", left=True), *seats, Column("", left=True)], rows)


def _to(position: Position) -> str:
    """Says which cards of the trick are on the table."""
    return f" to {' '.join(cards_text([card]) for card in position.trick)}" if position.trick else ""


def cards_title(position: Position, by: Yardstick) -> str:
    """Returns the heading of :func:`show_cards`."""
    return f"{position.to_play} to play, best card by {by} first"


def line_title(by: Yardstick) -> str:
    """Returns the heading of :func:`line_text`."""
    return f"One best line: the best card by {by} each time, the lowest of equals"


def show_cards(cards: Sequence[CardValue], before: Values) -> None:
    """Prints a row for each card: what it leads to, and what each seat gains or loses by it."""
    rows = [
        [cards_text(card.run), *number_cells(card.values), *changes(card.values.since(before).share)]
        for card in cards
    ]
    numbers = number_columns(equilibrium=cards[0].values.equilibrium is not None)
    show_table([Column("card", left=True), *numbers, *seat_columns("gains by share", 5)], rows)
    if any(card.equals for card in cards):
        show("  (cards in one row are equal)")


def changes(numbers: BySeat[float]) -> list[str]:
    """Writes differences, a dash where there is none."""
    return [signed(number) if number else "-" for number in numbers.values()]


def line_text(position: Position, line: Sequence[Card], taken: BySeat[int]) -> list[str]:
    """Writes a line trick by trick, with the seat that wins each; ``taken`` are the tricks before it."""
    before = sum(taken.values())
    lines: list[str] = []
    won: list[Seat] = []
    trick = [cards_text([card]) for card in position.trick]
    leader = position.leader
    for card in line:
        winner = position.winner_after(card)
        position = position.after(card)
        trick.append(cards_text([card]))
        if winner:
            seats = (leader, leader.next, leader.next.next)
            plays = "   ".join(f"{seat} {text}" for seat, text in zip(seats, trick, strict=True))
            won.append(winner)
            lines.append(f"  {before + len(won):>2}   {plays}   {winner} wins")
            leader, trick = winner, []
    total = _by_seat(BySeat.of(lambda seat: taken[seat] + won.count(seat)))
    return [*lines, f"       {f'in all {total}' if before else total}"]
