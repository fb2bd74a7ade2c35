"""The command ``play``."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from io import TextIOWrapper
from typing import TYPE_CHECKING, Any

import click

from sgtmajor.cli.options import (
    SourceCommand,
    block,
    by_option,
    examples,
    memory_option,
    offer_files,
    rules_option,
    trump_option,
)

if TYPE_CHECKING:
    from sgtmajor.cards import Card, Seat, Trump
    from sgtmajor.deal import Position
    from sgtmajor.reading import Line
    from sgtmajor.record import Record
    from sgtmajor.rules import Rules
    from sgtmajor.values import Solver
    from sgtmajor.walk import Walk
    from sgtmajor.yardstick import By

COMMANDS = (
    ("SA", "play a card, or several: S2 S7; L:S2 also checks whose turn it is"),
    ("next [N]", "play the next card of the record, or the next N"),
    ("undo [N]", "take back the last card, or the last N"),
    ("trick N", "go to the start of trick N"),
    ("best [N]", "play the best card, or the best N one after the other"),
    ("cards", "value each legal card"),
    ("line", "show one best line to the end"),
    ("hands", "show the hands"),
    ("record", "print the record"),
    ("write FILE", "add the record to a file, as its last line"),
    ("help", "show this"),
    ("quit", "end; so does the end of the input"),
)
_WIDTH = max(len(name) for name, _ in COMMANDS)
_HELP = [f"{name:<{_WIDTH}}  {meaning}" for name, meaning in COMMANDS]
_MOST = 1000


@click.command(
    "play",
    cls=SourceCommand,
    short_help="Step through a deal card by card.",
    epilog=block("Commands, which may be cut short as far as they differ:", *_HELP)
    + examples(
        "echo 'SK SQ ST cards' | sgtmajor play 'D:AK.5.. Q.A.2. JT.K.. trump=S'",
        r"printf 'next\nbest\n' | sgtmajor play 'D:AK.5.. Q.A.2. JT.K.. trump=S play=H5,HA'",
    ),
)
@click.argument("source", metavar="RECORD|FILE", shell_complete=offer_files)
@by_option
@trump_option
@rules_option
@memory_option
def command(source: str, by: By, trump: Trump | None, rules: Rules | None, memory_mb: int) -> None:
    """Steps through the deal of a record, or of a file with one record, card by card, all cards open.

    Reads commands, several on a line if you like, and shows after each card what it has changed and what each
    seat now is sure of. It starts before the first card. Where the commands come from a file or a pipe, the
    first one that cannot be followed ends it.
    """
    from sgtmajor.values import Solver
    from sgtmajor.walk import Walk

    walk = Walk.of(_only_record(source, trump=trump, rules=rules))
    with Solver(memory_mb) as solver:
        stepper = Stepper(walk, solver, by)
        stepper.start()
        if sys.stdin is not None and sys.stdin.isatty():
            _converse(stepper)
        else:
            _follow(stepper)


def _only_record(source: str, **overrides: Any) -> Record:
    """Reads RECORD|FILE, which holds one record."""
    from functools import partial

    from sgtmajor.cli.reading import STDIN, is_record, read_file
    from sgtmajor.errors import InputError
    from sgtmajor.record import BadRecord, read_each, read_record

    given = {key: value for key, value in overrides.items() if value is not None}
    read: Callable[[str], Record] = partial(read_record, **given)
    if is_record(source):
        return read(source)
    if source == "-":
        raise InputError("the commands are read from here, expected the record as RECORD|FILE", source=STDIN)
    found = [record for _, record in read_each(read_file(source), source, read)]
    if len(found) != 1:
        raise InputError(f"{len(found)} records, expected one to play", source=source)
    if isinstance(found[0], BadRecord):
        raise found[0].error
    return found[0]


def _follow(stepper: Stepper) -> None:
    """Follows the commands of a file or a pipe."""
    from sgtmajor.cli.reading import STDIN
    from sgtmajor.errors import InputError
    from sgtmajor.reading import without_comment

    for line in _lines():
        try:
            if line.error:
                raise line.error
            if not stepper.follow(without_comment(line.text)):
                return
        except InputError as error:
            raise error.at(source=STDIN, line=line.number) from None


def _lines() -> Iterator[Line]:
    from sgtmajor.cli.reading import read_file
    from sgtmajor.reading import read_lines

    return read_lines(read_file("-"))


def _converse(stepper: Stepper) -> None:
    """Follows the commands of a person; what cannot be followed is told, and Ctrl-C ends a search only."""
    from sgtmajor.cli.main import complain
    from sgtmajor.errors import SgtMajorError
    from sgtmajor.reading import without_comment

    if isinstance(sys.stdin, TextIOWrapper):
        # What cannot be decoded is then refused like any other word.
        sys.stdin.reconfigure(errors="backslashreplace")
    while True:
        click.echo(stepper.prompt, nl=False, err=True)
        line = sys.stdin.readline()
        if not line:
            click.echo("", err=True)
            return
        try:
            if not stepper.follow(without_comment(line)):
                return
        except SgtMajorError as error:
            complain(str(error))
        except KeyboardInterrupt:
            complain("stopped; quit ends the program")


class Stepper:
    """Follows commands.

    Args:
        walk: Where to start.
        solver: Values.
        by: The yardstick of what is a mistake.
    """

    def __init__(self, walk: Walk, solver: Solver, by: By) -> None:
        self._walk = walk
        self._solver = solver
        self._by = by
        self._actions: Mapping[str, Callable[[list[str]], None]] = {
            "next": self._next,
            "undo": self._undo,
            "trick": self._trick,
            "best": self._best,
            "cards": self._cards,
            "line": self._line,
            "hands": self._hands,
            "record": self._record,
            "write": self._write,
            "help": self._help,
            "quit": self._quit,
        }
        self._going = True

    @property
    def prompt(self) -> str:
        """What a person is asked with: whose turn it is."""
        position = self._walk.position
        return f"{position.to_play}> " if position.tricks else "end> "

    def start(self) -> None:
        """Shows where it starts."""
        from sgtmajor.cli.play_text import show_status

        click.echo(f"All cards are open; what is best, and a mistake, is by {self._by}.\n")
        self._hands([])
        show_status(self._walk, self._solver)

    def follow(self, line: str) -> bool:
        """Follows the commands of a line; returns whether to go on.

        Raises:
            InputError: If one cannot be followed; those before it are.
        """
        words = line.split()
        while words and self._going:
            word = words.pop(0)
            action = self._action(word)
            if action:
                action(words)
            else:
                self._play(word)
        return self._going

    def _action(self, word: str) -> Callable[[list[str]], None] | None:
        """Returns the command that a word stands for; None if it must be a card."""
        found = [name for name in self._actions if name.startswith(word.lower())]
        exact = [name for name in found if name == word.lower()]
        if len(exact or found) > 1:
            from sgtmajor.errors import InputError

            raise InputError(f"{word!r} may be {' or '.join(found)}, expected more letters")
        return self._actions[(exact or found)[0]] if found else None

    def _play(self, word: str) -> None:
        seat, card = _read_play(word)
        self._go(self._walk.play(card, seat))

    def _go(self, walk: Walk) -> None:
        """Goes one card on, and shows what it has changed."""
        from sgtmajor.cli.play_text import show_card, show_status
        from sgtmajor.mistakes import review_last_card

        self._walk = walk
        show_card(review_last_card(self._solver, walk.record, by=self._by))
        if not walk.position.trick:
            show_status(walk, self._solver)

    def _move(self, walk: Walk) -> None:
        """Goes somewhere else, and shows where."""
        from sgtmajor.cli.play_text import show_status

        self._walk = walk
        show_status(walk, self._solver)

    def _next(self, words: list[str]) -> None:
        count = _count(words)
        # All at once first: if there are not so many, none is played.
        self._walk.next(count)
        for _ in range(count):
            self._go(self._walk.next())

    def _undo(self, words: list[str]) -> None:
        self._move(self._walk.back(_count(words)))

    def _trick(self, words: list[str]) -> None:
        from sgtmajor.errors import InputError

        if not words or not words[0].isascii() or not words[0].isdigit():
            raise InputError("trick needs a number: trick 3")
        self._move(self._walk.to_trick(_count(words)))

    def _best(self, words: list[str]) -> None:
        from sgtmajor.cards import Seat
        from sgtmajor.errors import InputError

        count, position = _count(words), self._not_over()
        left = len(Seat) * position.tricks - len(position.trick)
        if count > left:
            # All at once, as with the cards of the record: if there are not so many, none is played.
            raise InputError(f"cannot go on by {count}: there are {left} more cards to play")
        for _ in range(count):
            position = self._walk.position
            best = self._solver.cards(position, by=self._by)[0]
            self._go(self._walk.play(best.lowest))

    def _cards(self, words: list[str]) -> None:
        from sgtmajor.cli.render import show
        from sgtmajor.cli.solve_text import cards_title, show_cards

        position = self._not_over()
        values = self._solver.solve(position)
        show(cards_title(position, self._by), bold=True)
        show_cards(self._solver.cards(position, by=self._by), values)

    def _line(self, words: list[str]) -> None:
        from sgtmajor.cli.render import show
        from sgtmajor.cli.solve_text import line_text, line_title

        position = self._not_over()
        line = self._solver.line(position, by=self._by)
        show(line_title(self._by), bold=True)
        show(line_text(position, line, self._walk.record.tricks_taken))

    def _not_over(self) -> Position:
        """Returns the position; refuses one after the last card."""
        from sgtmajor.errors import InputError

        if not self._walk.position.tricks:
            raise InputError("the play is over, expected undo or quit")
        return self._walk.position

    def _hands(self, words: list[str]) -> None:
        from sgtmajor.cli.play_text import show_hands

        show_hands(self._walk.position)

    def _record(self, words: list[str]) -> None:
        click.echo(str(self._walk.record))

    def _write(self, words: list[str]) -> None:
        from sgtmajor.errors import InputError

        if not words:
            raise InputError("write needs the name of a file: write deals.txt")
        path = words.pop(0)
        try:
            _add_line(path, str(self._walk.record))
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else None
            raise InputError(f"{path!r} cannot be written: {reason or error}") from None
        click.echo(f"written to {path}")

    def _help(self, words: list[str]) -> None:
        for line in _HELP:
            click.echo(f"  {line}")

    def _quit(self, words: list[str]) -> None:
        self._going = False


def _add_line(path: str, line: str) -> None:
    """Adds a line to a file, behind its last one, which may not have ended."""
    with open(path, "ab") as file:
        if file.seekable() and file.tell() and not _last_line_ends(path):
            file.write(b"\n")
        file.write(f"{line}\n".encode())


def _last_line_ends(path: str) -> bool:
    with open(path, "rb") as file:
        file.seek(-1, os.SEEK_END)
        return file.read() == b"\n"


def _read_play(word: str) -> tuple[Seat | None, Card]:
    """Reads a card, or a seat and a card: ``SA``, ``L:SA``."""
    from sgtmajor.cards import Card, Seat
    from sgtmajor.errors import InputError

    seat, colon, card = word.rpartition(":")
    try:
        return (Seat.parse(seat) if colon else None), Card.parse(card)
    except InputError:
        pass
    raise InputError(f"{word!r} is no command and no card, expected one such as SA, or help")


def _count(words: list[str]) -> int:
    """Takes the number that may follow a command; 1 if there is none."""
    from sgtmajor.errors import InputError

    if not words or not (words[0].isascii() and words[0].lstrip("+-").isdigit()):
        return 1
    if not words[0].isdigit():
        raise InputError(f"{words[0]} is out of range, expected 1 to {_MOST}")
    number = int(words[0]) if len(words[0]) <= len(str(_MOST)) else _MOST + 1
    if not 1 <= number <= _MOST:
        raise InputError(f"{words[0]} is out of range, expected 1 to {_MOST}")
    words.pop(0)
    return number
