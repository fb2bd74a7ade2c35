"""The commands ``recommend trump`` and ``recommend discard``."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from sgtmajor.cli.options import (
    SourceCommand,
    by_option,
    examples,
    format_option,
    jobs_option,
    memory_option,
    reading,
    rules_option,
    seconds_option,
    trump_option,
    trumps_option,
)
from sgtmajor.cli.plotting import plot_option, save_plot

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sgtmajor.cards import Card, Hand, Seat, Trump
    from sgtmajor.cli.reading import Entry, Writer
    from sgtmajor.errors import SgtMajorError
    from sgtmajor.kitty import By
    from sgtmajor.knowledge import Fact
    from sgtmajor.race import Stage
    from sgtmajor.recommend import Advice, Effort
    from sgtmajor.rules import Rules
    from sgtmajor.view import View

CSV_COLUMNS = (
    "record",
    "seat",
    "rules",
    "by",
    "leader",
    "place",
    "trump",
    "discard",
    "tricks",
    "lower",
    "upper",
    "points",
    "reaches_target",
    "difference",
    "difference_lower",
    "difference_upper",
    "samples",
    "exact",
    "complete",
)
# What the library knows too, repeated to read the command line without it; a test holds them together.
MAX_SEED = (1 << 64) - 1
DEFAULT_SEED = 1
MOST_ASKED = 1_000_000


@click.group(
    "recommend",
    invoke_without_command=True,
    short_help="Advise a player from his own hand.",
    epilog=examples(
        "sgtmajor recommend trump --hand AK..J. --pack AKQ.AK.AKJ.AK",
        "sgtmajor recommend discard --hand AK..J. --pack AKQ.AK.AKJ.AK --trump S",
    ),
)
@click.pass_context
def command(context: click.Context) -> None:
    """Advises a player who sees his own cards only.

    The unseen cards are dealt in all ways that fit what he knows; samples of these deals are solved, each
    with all cards open. So the advice cannot see bluff, or what hiding cards is worth.
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


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

    def read(self, text: str, **overrides: Any) -> View:
        """Reads a record; in one that was made from --hand, columns mean nothing to its reader."""
        from sgtmajor.errors import InputError
        from sgtmajor.view import read_view

        try:
            return read_view(text, **overrides)
        except InputError as error:
            raise error if self.hand is None else InputError(error.message) from None


def _is_hand(text: str) -> bool:
    """Whether RECORD|FILE|- is a hand, and no file of that name."""
    from sgtmajor.errors import InputError

    try:
        _read_hand(text)
    except InputError:
        return False
    return not os.path.exists(text)


def _read_hand(text: str) -> Hand:
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
        callback=reading(_read_hand),
        help="The player's cards, in place of a record.",
    )
    @rules_option
    @click.option(
        "--pack",
        metavar="HAND",
        callback=reading(_read_hand),
        help="All cards of the game, if these are not the 52: for small deals.",
    )
    @click.option(
        "--holds",
        metavar="SEAT:CARDS",
        multiple=True,
        callback=reading(_read_holds),
        help="Cards that sit in a hand for certain: L:S2 or L:S2,H3; K is the kitty. May be repeated.",
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
        help="What came back for the player's gifts of give=, in order, where a ? hides it.",
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


def effort_options(function: Callable[..., None]) -> Callable[..., None]:
    """Adds the options that say how much work to do, handed on as one :class:`Effort`."""

    @click.option(
        "--samples",
        metavar="N",
        type=click.IntRange(1, MOST_ASKED),
        help="Samples at most.  [default: as time allows]",
    )
    @seconds_option("10; none if --samples is given")
    @click.option(
        "--seed",
        metavar="N",
        type=click.IntRange(0, MAX_SEED),
        default=DEFAULT_SEED,
        show_default=str(DEFAULT_SEED),
        help="Which samples to draw: with --samples, the same seed gives the same answer.",
    )
    @click.option(
        "--discards",
        metavar="N",
        type=click.IntRange(1, MOST_ASKED),
        help="Discards to compare for each contract, the most promising ones.",
    )
    @jobs_option
    @memory_option
    @wraps(function)
    def packed(*args: Any, jobs: int | None, memory_mb: int, **others: Any) -> None:
        from sgtmajor.recommend import Effort
        from sgtmajor.workers import default_jobs

        given = {name: others.pop(name) for name in ("samples", "seconds", "seed", "discards")}
        # Each thread needs a MiB of its own.
        effort = Effort(**given, jobs=min(jobs or default_jobs(), memory_mb), memory_mb=memory_mb)
        function(*args, effort=effort, **others)

    return packed


@command.command(
    "trump",
    cls=SourceCommand,
    short_help="Which trump to name.",
    epilog=examples(
        "sgtmajor recommend trump --hand AKQJ5.T98.A72.KJ543 --samples 2",
        "sgtmajor recommend trump --hand AK..J. --pack AKQ.AK.AKJ.AK",
        "sgtmajor recommend trump --hand AK..J. --pack AKQ.AK.AKJ.AK --seat L --trump S",
        "sgtmajor recommend trump 'D:A.J.. ? ?' --holds L:HK --lacks 'R:H>Q' --pack AKQ.AKJ..",
    ),
)
@asking_options
@click.option(
    "--seat",
    metavar="SEAT",
    callback=reading(_read_seat),
    help="Who asks.  [default: whose hand is written alone; else the announcer]",
)
@trumps_option
@by_option
@effort_options
@plot_option("the tricks of the best two")
@format_option("text", "json", "csv")
def trump_command(
    asked: Asked,
    seat: Seat | None,
    trumps: list[Trump],
    by: By,
    effort: Effort,
    plot: str | None,
    form: str,
) -> None:
    """Ranks the contracts by what the announcer can expect, seeing his own cards only.

    Each contract comes with the discard that is best on average. Under pickup rules the discard is chosen
    when the kitty is known, so only the contracts are ranked. Another seat may ask what it can expect (--seat
    L).

    A record without ? is looked at with the eyes of the seat that asks. A ? stands for what is not seen.
    """
    from sgtmajor.recommend import recommend_trump

    def work(view: View, progress: Callable[[Stage], None] | None) -> Advice:
        return recommend_trump(
            view,
            seat=seat,
            by=by,
            trumps=trumps or None,
            facts=asked.facts,
            returned=asked.returned,
            effort=effort,
            progress=progress,
        )

    _answer(asked.argument(seat), asked, work, form, plot)


@command.command(
    "discard",
    cls=SourceCommand,
    short_help="What to lay aside.",
    epilog=examples(
        "sgtmajor recommend discard --hand AKQJ5.T98.A72.KJ543 --trump S --samples 2",
        "sgtmajor recommend discard --hand AK..J. --pack AKQ.AK.AKJ.AK --trump S",
        "sgtmajor recommend discard 'D:A... ? ? K:.A.. trump=S rules=pickup' --pack AKQ.A..",
    ),
)
@asking_options
@click.option(
    "--kitty", metavar="HAND", callback=reading(_read_hand), help="The kitty, where it is taken first."
)
@trump_option
@by_option
@effort_options
@plot_option("the tricks of the best two")
@format_option("text", "json", "csv")
def discard_command(
    asked: Asked,
    kitty: Hand | None,
    trump: Trump | None,
    by: By,
    effort: Effort,
    plot: str | None,
    form: str,
) -> None:
    """Ranks what the announcer can lay aside, seeing his own cards, and under pickup rules the kitty, too.

    One discard has to serve for all samples. A record without ? is looked at with the eyes of the announcer.
    """
    from sgtmajor.recommend import recommend_discard

    def work(view: View, progress: Callable[[Stage], None] | None) -> Advice:
        return recommend_discard(
            view,
            trump=trump,
            by=by,
            facts=asked.facts,
            returned=asked.returned,
            effort=effort,
            progress=progress,
        )

    _answer(asked.argument(None, kitty), asked, work, form, plot)


def _answer(
    argument: str,
    asked: Asked,
    work: Callable[[View, Callable[[Stage], None] | None], Advice],
    form: str,
    plot: str | None,
) -> None:
    """Answers each record, or the one made from --hand."""
    from sgtmajor.cli.progress import sample_bar
    from sgtmajor.cli.reading import process

    def watched(view: View) -> Advice:
        with sample_bar() as progress:
            return work(view, progress)

    writer = _writer(form)
    process(
        argument,
        watched,
        PlottingWriter(writer, plot) if plot else writer,
        read=asked.read,
        only="--plot draws one record, expected no more" if plot else None,
        rules=asked.rules,
        pack=asked.pack,
    )


class PlottingWriter:
    """Prints what another writer prints, and draws it, too."""

    def __init__(self, writer: Writer[Advice], path: str) -> None:
        self._writer = writer
        self._path = path

    def result(self, entry: Entry, result: Advice) -> None:
        """Prints an advice; draws it."""
        from sgtmajor.cli.recommend_plot import draw

        self._writer.result(entry, result)
        save_plot(self._path, lambda axes: draw(axes, result))

    def failure(self, entry: Entry, error: SgtMajorError) -> None:
        """Prints that there is no advice."""
        self._writer.failure(entry, error)


def _writer(form: str) -> Writer[Advice]:
    if form == "json":
        from sgtmajor.cli.writing import JsonWriter

        return JsonWriter(lambda advice: advice.to_dict())
    if form == "csv":
        from sgtmajor.cli.writing import CsvWriter

        return CsvWriter(CSV_COLUMNS, _rows)
    from sgtmajor.cli.recommend_text import TextWriter

    return TextWriter()


def _rows(entry: Entry, advice: Advice) -> Iterator[dict[str, object]]:
    """Makes a row of each option, best first."""
    from sgtmajor.race import rounded

    for place, option in enumerate(advice.ranking, start=1):
        tricks, behind = option.tricks.rounded(), option.behind.rounded()
        row: dict[str, object] = {
            "record": entry.text,
            "seat": advice.seat,
            "rules": advice.rules,
            "by": advice.by,
            "leader": advice.leader,
            "place": place,
            "trump": option.trump,
            "discard": " ".join(map(str, option.discard or ())),
            "tricks": tricks.mean,
            "lower": tricks.lower,
            "upper": tricks.upper,
            "difference": behind.mean,
            "difference_lower": behind.lower,
            "difference_upper": behind.upper,
            "samples": len(option.values),
            "exact": str(advice.exact).lower(),
            "complete": str(advice.complete).lower(),
        }
        points = advice.points(option)
        if points is not None:
            row["points"] = rounded(points)
            row["reaches_target"] = round(option.reaches_target, 3)
        yield row
