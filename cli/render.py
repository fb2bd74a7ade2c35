"""Text for people: cards, hand diagrams, tables, and colour where it is wanted.

Everything is laid out as plain text first. Colour, and letters where the terminal has no suit symbols, come
last, in :func:`show`, so that they cannot disturb the alignment.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import click

from sgtmajor.cards import BySeat, Card, Hand, Seat, Suit, Trump

_RED = re.compile(r"[♥♦][0-9AKQJT]*")
_GAP = 2
_MARGIN = "  "


def show(lines: str | Iterable[str], *, bold: bool = False) -> None:
    """Prints lines on stdout."""
    for line in [lines] if isinstance(lines, str) else lines:
        click.echo(_painted(_encodable(line), bold))


def _painted(line: str, bold: bool) -> str:
    if not _wants_colour():
        return line
    red = _RED.sub(lambda match: click.style(match[0], fg="red", bold=bold or None), line)
    if not bold:
        return red
    plain = re.split(r"(\x1b\[.*?\x1b\[0m)", red)
    return "".join(
        part if part.startswith("\x1b") else click.style(part, bold=True) for part in plain if part
    )


def _wants_colour() -> bool:
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return bool(sys.stdout and sys.stdout.isatty() and not plain)


def _encodable(line: str) -> str:
    """Returns the line as the terminal can print it."""
    encoding = (sys.stdout and sys.stdout.encoding) or "utf-8"
    try:
        line.encode(encoding)
        return line
    except UnicodeEncodeError:
        return line.translate({ord(suit.symbol): str(suit) for suit in Suit})


def trump_text(trump: Trump) -> str:
    """Writes a trump: ``♠``, ``NT``."""
    return trump.suit.symbol if trump.suit else "NT"


def trumps_text(trump: Trump) -> str:
    """Writes what is trumps: ``♠ trumps``, ``no trump``."""
    return f"{trump.suit.symbol} trumps" if trump.suit else "no trump"


def cards_text(cards: Iterable[Card]) -> str:
    """Writes cards by suits: ``♠AK ♥2``."""
    hand = Hand.of(cards)
    return " ".join(f"{suit.symbol}{ranks}" for suit in Suit if (ranks := _ranks(hand.suit(suit))))


def _ranks(hand: Hand) -> str:
    return "".join(str(card)[1] for card in hand)


def signed(number: float) -> str:
    """Writes a difference with its sign and two decimals; what rounds to zero is ``+0.00``."""
    # Adding zero makes a zero below zero a plain one.
    return f"{round(number, 2) + 0.0:+.2f}"


def plural(count: int, word: str) -> str:
    """Writes a count with its word: ``1 trick``, ``2 tricks``."""
    return f"{count} {word}" if count == 1 else f"{count} {word}s"


def diagram(hands: BySeat[Hand], roles: BySeat[str], kitty: Hand | None = None) -> list[str]:
    """Draws the table: L and R beyond, the dealer before, clockwise D L R, and the kitty beside him.

    Args:
        hands: The hands.
        roles: What to say of each seat beside its letter.
        kitty: The kitty, if it is known.
    """
    left, dealer, right = (
        _block(f"{seat}  {roles[seat]}".rstrip(), hands[seat]) for seat in (Seat.L, Seat.D, Seat.R)
    )
    indent = max(8, len(left[0]) // 2 + 2)
    beside = max(2 * indent, len(left[0]) + 4)
    lines = [f"{a:<{beside}}{b}" for a, b in zip(left, right, strict=True)]
    below = [" " * indent + line for line in dealer]
    if kitty:
        width = max(beside + indent, len(below[0]) + 4)
        below = [f"{a:<{width}}{b}" for a, b in zip(below, _block("kitty", kitty), strict=True)]
    return [(_MARGIN + line).rstrip() for line in [*lines, "", *below]]


def _block(title: str, hand: Hand) -> list[str]:
    """Writes a hand as a title and a line for each suit, all of one width."""
    lines = [title, *(f"{suit.symbol} {_ranks(hand.suit(suit)) or '-'}" for suit in Suit)]
    width = max(map(len, lines))
    return [line.ljust(width) for line in lines]


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table.

    Attributes:
        name: Its heading.
        group: The heading above it, given with the first column of a group.
        width: Characters, at least.
        left: Whether its cells are set flush left.
    """

    name: str
    group: str = ""
    width: int = 0
    left: bool = False


def seat_columns(group: str, width: int) -> list[Column]:
    """Returns three columns, one for each seat, under one heading."""
    first, second, third = (str(seat) for seat in Seat)
    # A group has a wider gap before it, and is as wide as its heading.
    lead = max(width + 2, len(group) + 2 - 2 * (width + _GAP))
    return [Column(first, group, lead), Column(second, width=width), Column(third, width=width)]


class Table:
    """A table in aligned columns, printed as a whole or as its rows come.

    Args:
        columns: The columns.
        rows: Rows that the columns are to be wide enough for.
    """

    def __init__(self, columns: Sequence[Column], rows: Sequence[Sequence[str]] = ()) -> None:
        self._columns = columns
        self._widths = [
            max([column.width, len(column.name), *(len(row[i]) for row in rows)])
            for i, column in enumerate(columns)
        ]

    def header(self) -> list[str]:
        """Returns the headings, in one line or two."""
        names = self.row([column.name for column in self._columns])
        if not any(column.group for column in self._columns):
            return [names]
        groups, place = "", len(_MARGIN)
        for column, width in zip(self._columns, self._widths, strict=True):
            if column.group:
                # Above the first letter of a left column, or above the end of the first number.
                groups = groups.ljust(place if column.left else place + _GAP) + column.group
            place += width + _GAP
        return [groups, names]

    def row(self, cells: Sequence[str]) -> str:
        """Returns a row."""
        aligned = (
            f"{cell:<{width}}" if column.left else f"{cell:>{width}}"
            for cell, width, column in zip(cells, self._widths, self._columns, strict=True)
        )
        return (_MARGIN + (" " * _GAP).join(aligned)).rstrip()


def show_table(columns: Sequence[Column], rows: Sequence[Sequence[str]]) -> None:
    """Prints a table as a whole."""
    table = Table(columns, rows)
    show(table.header(), bold=True)
    show(table.row(row) for row in rows)
