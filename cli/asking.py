"""The options of ``recommend``: what the player sees and knows, and how much work to do."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar

import click

from sgtmajor.cli.options import Function, jobs_option, memory_option, reading, rules_option, seconds_option

if TYPE_CHECKING:
    from sgtmajor.cards import Card, Hand, Seat
    from sgtmajor.knowledge import Fact
    from sgtmajor.rules import Rules
    from sgtmajor.view import View

V = TypeVar("V", bound="View")

# What the library knows too, repeated to read the command line without it; a test holds them together.
MAX_SEED = (1 << 64) - 1
DEFAULT_SEED = 1
MOST_ASKED = 1_000_000


@dataclass(frozen=True, slots=True)
class Asked:
    """The options that say what the player sees and knows."""

    source: str | None
    hand: Hand | None
    rules: Rules | None
    pack: Hand | None
    facts: list[Fact]
    returned: tuple[Card, ...]

    def argument(self, seat: Seat | None = None, kitty: Hand | None = None) -> str:
        """Returns RECORD|FILE|-, made from --hand if that is given."""
        from sgtmajor.cards import BySeat
        from sgtmajor.rules import Rules

        if (self.source is None) == (self.hand is None):
            raise click.UsageError("Expected either --hand or RECORD|FILE|-.")
        if self.source is not None and _is_hand(self.source):
            raise click.UsageError(f"{self.source} is a hand alone, expected --hand before it.")
        if self.source is not None:
            if kitty is not None:
                raise click.UsageError(
                    "--kitty goes with --hand: in a record, the kitty is K: and its cards."
                )
            return self.source
        asker = seat or (self.rules or Rules()).announcer
        hands = BySeat.of(lambda each: str(self.hand) if each is asker else "?")
        return f"D:{' '.join(hands.values())} K:{'?' if kitty is None else kitty}"

    def read(self, reader: Callable[..., V], text: str, **overrides: Any) -> V:
        """Reads a record with a reader; in one that was made from --hand, columns mean nothing."""
        from sgtmajor.errors import InputError

        try:
            return reader(text, **overrides)
        except InputError as error:
            raise error if self.hand is None else InputError(error.message) from None


def _is_hand(text: str) -> bool:
    """Whether RECORD|FILE|- is a hand, and no file of that name."""
    from sgtmajor.errors import InputError

    try:
        read_hand(text)
    except InputError:
        return False
    return not os.path.exists(text)


def read_hand(text: str) -> Hand:
    """Reads the value of an option that is a hand."""
    from sgtmajor.cards import Hand

    return Hand.parse(text)


def _read_seat(text: str) -> Seat:
    from sgtmajor.cards import Seat

    return Seat.parse(text)


def _read_returned(text: str) -> tuple[Card, ...]:
    from sgtmajor.knowledge import parse_returned

    return parse_returned(text)


def _read_holds(texts: tuple[str, ...]) -> list[Fact]:
    from sgtmajor.knowledge import parse_holds

    return [parse_holds(text) for text in texts]


def _read_lacks(texts: tuple[str, ...]) -> list[Fact]:
    from sgtmajor.knowledge import parse_lacks

    return [parse_lacks(text) for text in texts]


def asking_options(function: Callable[..., None]) -> Callable[..., None]:
    """Adds RECORD|FILE|- and the options that say what is seen and known, handed on as one :class:`Asked`."""

    @click.argument("source", metavar="[RECORD|FILE|-]", required=False)
    @click.option(
        "--hand",
        metavar="HAND",
        callback=reading(read_hand),
        help="The player's cards, in place of a record.",
    )
    @rules_option
    @click.option(
        "--pack",
        metavar="HAND",
        callback=reading(read_hand),
        help="All cards of the game, if these are not the 52: for small deals.",
    )
    @click.option(
        "--holds",
        metavar="SEAT:CARDS",
        multiple=True,
        callback=reading(_read_holds),
        help="Cards that sit in a hand for certain: L:S2 or L:S2,H3; K is the kitty, or what was laid aside"
        " for it. May be repeated.",
    )
    @click.option(
        "--lacks",
        metavar="SEAT:CARDS",
        multiple=True,
        callback=reading(_read_lacks),
        help="Cards that a hand cannot hold: 'L:S>9' all spades above the nine, 'R:H' all hearts. May be"
        " repeated.",
    )
    @click.option(
        "--returned",
        metavar="CARDS",
        callback=reading(_read_returned),
        help="What came back for the player's gifts of give=, in order, where a ? hides it and more than one"
        " card could have.",
    )
    @wraps(function)
    def packed(
        *args: Any,
        source: str | None,
        hand: Hand | None,
        rules: Rules | None,
        pack: Hand | None,
        holds: list[Fact],
        lacks: list[Fact],
        returned: tuple[Card, ...] | None,
        **others: Any,
    ) -> None:
        function(*args, asked=Asked(source, hand, rules, pack, holds + lacks, returned or ()), **others)

    return packed


def seat_option(default: str) -> Callable[[Function], Function]:
    """Adds --seat; the library knows the default, which is only told here."""

    def add(function: Function) -> Function:
        return click.option(
            "--seat",
            metavar="SEAT",
            callback=reading(_read_seat),
            help=f"Who asks.  [default: whose hand is written alone; else {default}]",
        )(function)

    return add


def kitty_option(function: Function) -> Function:
    """Adds --kitty."""
    return click.option(
        "--kitty",
        metavar="HAND",
        callback=reading(read_hand),
        help="The kitty, where it is taken first.",
    )(function)


def effort_options(
    compared: str | None = None, text: str = "", *, seconds: int = 10
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Adds the options that say how much work to do, handed on as one :class:`Effort`.

    Args:
        compared: The field of it that says how many choices to compare; the option has its name. None if all
            are compared.
        text: The help text of that option.
        seconds: The time limit if nothing is said, which the library knows and is only told here.
    """

    def add(function: Callable[..., None]) -> Callable[..., None]:
        if compared:
            most = click.IntRange(1, MOST_ASKED)
            function = click.option(f"--{compared}", metavar="N", type=most, help=text)(function)
        return _with_effort(function, compared, seconds)

    return add


def _with_effort(function: Callable[..., None], compared: str | None, seconds: int) -> Callable[..., None]:
    @click.option(
        "--samples",
        metavar="N",
        type=click.IntRange(1, MOST_ASKED),
        help="Samples at most.  [default: as time allows]",
    )
    @seconds_option(f"{seconds}; none if --samples is given")
    @click.option(
        "--seed",
        metavar="N",
        type=click.IntRange(0, MAX_SEED),
        default=DEFAULT_SEED,
        show_default=str(DEFAULT_SEED),
        help="Which samples to draw: with --samples, the same seed gives the same answer.",
    )
    @jobs_option
    @memory_option
    @wraps(function)
    def packed(*args: Any, jobs: int | None, memory_mb: int, **others: Any) -> None:
        from sgtmajor.advice import Effort
        from sgtmajor.workers import fitting_jobs

        names = ["samples", "seconds", "seed", *([compared] if compared else [])]
        given = {name: others.pop(name) for name in names}
        effort = Effort(**given, jobs=fitting_jobs(jobs, memory_mb), memory_mb=memory_mb)
        function(*args, effort=effort, **others)

    return packed
