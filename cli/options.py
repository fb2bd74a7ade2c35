"""Options and arguments that several commands share."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.core import ParameterSource
from click.shell_completion import CompletionItem

if TYPE_CHECKING:
    from sgtmajor.cards import Trump
    from sgtmajor.equilibrium import Ties
    from sgtmajor.gifts import Gift
    from sgtmajor.rules import Rules

T = TypeVar("T")
Function = TypeVar("Function", bound=Callable[..., Any])

# What the library knows too, repeated because importing it takes longer than reading the command line; a test
# holds them together.
MAX_MEMORY_MB = 1 << 24
DEFAULT_MEMORY_MB = 256
DEFAULT_EQUILIBRIUM_MB = 2048
PRESET_NAMES = ("classic", "eldest", "pickup", "polish")
TRUMP_LETTERS = ("S", "H", "D", "C", "N")
YARDSTICKS = ("share", "guaranteed")

_MAX_SECONDS = 1_000_000


def read_rules(text: str) -> Rules:
    """Reads the value of --rules."""
    from sgtmajor.rules import Rules

    return Rules.parse(text)


def _read_ties(text: str) -> Ties:
    from sgtmajor.equilibrium import Ties

    return Ties.parse(text)


def _read_gifts(text: str) -> tuple[Gift, ...]:
    from sgtmajor.gifts import parse_gifts

    return parse_gifts(text)


def _read_trump(text: str) -> Trump:
    from sgtmajor.cards import Trump

    return Trump.parse(text)


def read_trumps(texts: tuple[str, ...]) -> list[Trump]:
    """Reads the values of a --trump that takes some trumps."""
    return list(dict.fromkeys(_read_trump(part) for text in texts for part in text.split(",")))


def _read_seconds(text: str) -> float:
    from sgtmajor.errors import InputError

    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 < seconds <= _MAX_SECONDS:
        raise InputError(f"{text!r} is no time limit, expected more than 0 and up to {_MAX_SECONDS} seconds")
    return seconds


def reading(read: Callable[[Any], T]) -> Callable[[click.Context, click.Parameter, Any], T | None]:
    """Makes a callback of a reader: what is wrong with the value is told with the name of the option."""

    def callback(context: click.Context, parameter: click.Parameter, value: Any) -> T | None:
        from sgtmajor.errors import InputError

        if value is None:
            return None
        try:
            return read(value)
        except InputError as error:
            raise click.BadParameter(f"{error.message}.", context, parameter) from None

    return callback


def offering(*words: str) -> Callable[[click.Context, click.Parameter, str], list[str]]:
    """Makes the completion of an option that mostly is one of some words."""

    def complete(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
        return [word for word in words if word.lower().startswith(incomplete.lower())]

    return complete


def offer_files(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Completes the name of a file."""
    return [CompletionItem(incomplete, type="file")]


def block(title: str, *lines: str) -> str:
    """Returns a part of a help text that is not to be filled: a title and indented lines."""
    return "\n".join(["\b", title, *(f"  {line}" for line in lines), "", ""])


def examples(*lines: str) -> str:
    """Returns the examples of a help text; tests run them."""
    return block("Examples:", *lines)


class SourceCommand(click.Command):
    """A command with the argument RECORD|FILE|-: words too many are likely a record without quotes."""

    allow_extra_args = True

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Reads the command line; refuses what is left of it."""
        rest = super().parse_args(ctx, args)
        if rest and not ctx.resilient_parsing:
            ctx.fail(f"Unexpected argument {rest[0]!r}: a record needs quotes around it.")
        return rest


def source_argument(function: Function) -> Function:
    """Adds the argument RECORD|FILE|-."""
    return click.argument("source", metavar="RECORD|FILE|-", shell_complete=offer_files)(function)


def rules_option(function: Function) -> Function:
    """Adds --rules."""
    return click.option(
        "--rules",
        metavar="RULES",
        callback=reading(read_rules),
        shell_complete=offering(*PRESET_NAMES),
        help="House rules in place of the record's: a preset, and options that differ, as in"
        " 'classic,leader=second'. See 'sgtmajor rules'.",
    )(function)


def trump_option(function: Function) -> Function:
    """Adds --trump with one trump."""
    return click.option(
        "--trump",
        metavar="TRUMP",
        callback=reading(_read_trump),
        shell_complete=offering(*TRUMP_LETTERS),
        help="S H D C, or N for no trump, in place of the record's.",
    )(function)


def some_trumps_option(text: str) -> Callable[[Function], Function]:
    """Adds --trump with some trumps, and a help text of its own."""

    def add(function: Function) -> Function:
        return click.option(
            "--trump",
            "trumps",
            metavar="TRUMP",
            multiple=True,
            callback=reading(read_trumps),
            shell_complete=offering(*TRUMP_LETTERS),
            help=text,
        )(function)

    return add


def trumps_option(function: Function) -> Function:
    """Adds --trump with the contracts to look at."""
    return some_trumps_option(
        "Only these contracts, S H D C N: separate them by commas, or repeat the option.  [default: all that"
        " the rules allow]"
    )(function)


def give_option(text: str) -> Callable[[Function], Function]:
    """Adds --give with some gifts."""

    def add(function: Function) -> Function:
        return click.option("--give", metavar="GIFTS", callback=reading(_read_gifts), help=text)(function)

    return add


def yardstick_option(*more: str) -> Callable[[Function], Function]:
    """Adds --by, with yardsticks that not all commands have."""

    def add(function: Function) -> Function:
        return click.option(
            "--by",
            type=click.Choice([*YARDSTICKS, *more]),
            default=YARDSTICKS[0],
            show_default=True,
            help="The yardstick: what makes a choice the best for its seat.",
        )(function)

    return add


def by_option(function: Function) -> Function:
    """Adds --by."""
    return yardstick_option()(function)


def memory_option(function: Function) -> Function:
    """Adds --memory."""
    return click.option(
        "--memory",
        "memory_mb",
        metavar="MIB",
        type=click.IntRange(1, MAX_MEMORY_MB),
        default=DEFAULT_MEMORY_MB,
        show_default=True,
        help="MiB for the tables; the answers do not depend on it.",
    )(function)


def equilibrium_options(function: Function) -> Function:
    """Adds --ties and --equilibrium-memory: how an equilibrium is found."""
    memory = click.option(
        "--equilibrium-memory",
        "equilibrium_mb",
        metavar="MIB",
        type=click.IntRange(1, MAX_MEMORY_MB),
        default=DEFAULT_EQUILIBRIUM_MB,
        show_default=True,
        help="MiB for the positions of the equilibrium. A deal that does not fit is refused.",
    )
    ties = click.option(
        "--ties",
        metavar="RULE",
        callback=reading(_read_ties),
        shell_complete=offering("neutral", "against:D", "against:L", "against:R", "for:D", "for:L", "for:R"),
        default="neutral",
        show_default=True,
        help="Which of its best cards a seat plays in the equilibrium: any, each as likely (neutral), or"
        " those that are worst (against:L) or best (for:L) for a seat.",
    )
    return ties(memory(function))


def said(*names: str) -> Iterator[str]:
    """Yields the options on the command line that set one of some parameters of the command."""
    context = click.get_current_context()
    for parameter in context.command.params:
        name = parameter.name or ""
        if name in names and context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            yield parameter.opts[0]


def check_equilibrium(asked: bool, option: str, *more: str) -> None:
    """Refuses what was said of the equilibrium where none is asked for: it would not be heard.

    Args:
        asked: Whether an equilibrium is asked for.
        option: What asks for one.
        more: The parameters of the command that are about it, beside those of all such commands.
    """
    for name in () if asked else said("ties", "equilibrium_mb", *more):
        raise click.UsageError(f"{name} is about the equilibrium: expected {option} with it.")


def seconds_option(default: str) -> Callable[[Function], Function]:
    """Adds --seconds; the library knows the default, which is only told here."""

    def add(function: Function) -> Function:
        return click.option(
            "--seconds",
            metavar="SECONDS",
            callback=reading(_read_seconds),
            help=f"Time limit for each record.  [default: {default}]",
        )(function)

    return add


def limit_options(function: Function) -> Function:
    """Adds --memory and --seconds."""
    return memory_option(seconds_option("none")(function))


def jobs_option(function: Function) -> Function:
    """Adds --jobs."""
    return click.option(
        "--jobs", metavar="N", type=click.IntRange(1), help="Threads.  [default: one a processor]"
    )(function)


def format_option(*formats: str) -> Callable[[Function], Function]:
    """Adds --format with the formats of a command, the first of which is the default."""

    def add(function: Function) -> Function:
        return click.option(
            "--format",
            "form",
            type=click.Choice(formats),
            default=formats[0],
            show_default=True,
            help="text to read; json: one object a line.",
        )(function)

    return add
