"""The command ``exchange``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from sgtmajor.cli.options import (
    SourceCommand,
    by_option,
    examples,
    format_option,
    give_option,
    jobs_option,
    limit_options,
    rules_option,
    source_argument,
    trumps_option,
)

if TYPE_CHECKING:
    from sgtmajor.cards import Trump
    from sgtmajor.cli.reading import Writer
    from sgtmajor.gifts import Gift
    from sgtmajor.giving import Exchange
    from sgtmajor.record import Record
    from sgtmajor.rules import Rules
    from sgtmajor.yardstick import By


@click.command(
    "exchange",
    cls=SourceCommand,
    short_help="Find the best cards to give, all cards open.",
    epilog=examples(
        "sgtmajor exchange 'D:A2.5.3. QT.A..2 J9.K.Q. K:...A up=D:+1,L:-1,R:0'",
        "sgtmajor exchange --alternatives 2 'D:A2.5.. QT.A.. J9.K.. up=D:+2,L:-1,R:-1'",
        "sgtmajor exchange 'D:A2.5.. QT.A.. J9.K.. up=D:+1,L:-1,R:0' --give 'D>L:S2'",
        "sgtmajor exchange 'D:A2.5.. QT.A.. J9.K..' --give 'D>L:S2' | sgtmajor analyze -",
    ),
)
@source_argument
@give_option(
    "What has been given already, as in 'D>L:S2,D>R:H3', in place of the record's. If that is all that is"
    " owed, it is only played out, and the record after it printed."
)
@by_option
@trumps_option
@rules_option
@click.option(
    "--alternatives",
    metavar="N",
    type=click.IntRange(0),
    help="Next best ways to give to show. The fewer, the faster it goes where the giver announces.  [default:"
    " all]",
)
@jobs_option
@limit_options
@format_option("text", "json")
def command(
    source: str,
    give: tuple[Gift, ...] | None,
    by: By,
    trumps: list[Trump],
    rules: Rules | None,
    alternatives: int | None,
    jobs: int | None,
    memory_mb: int,
    seconds: float | None,
    form: str,
) -> None:
    """Finds what to give in the exchange of a deal, the deals of a file, or those of standard input (-).

    up= in the record says how the seats of this deal scored in the last one, and so who gives how many cards
    to whom. Every way to give that makes a difference is valued by what the announcer then makes of the deal;
    of two givers, the second answers with what is best for himself. All cards are open.

    Where the exchange comes after the announcement, trump= or --trump says what was announced.

    When time is up, and on Ctrl-C, what has been valued is printed, and which ways to give have not been.
    """
    from sgtmajor.cli.progress import ways_bar
    from sgtmajor.cli.reading import CutShort, process
    from sgtmajor.engine import unproven
    from sgtmajor.giving import exchange
    from sgtmajor.record import read_record
    from sgtmajor.workers import fitting_jobs

    threads = fitting_jobs(jobs, memory_mb)

    def work(record: Record) -> Exchange:
        with ways_bar() as progress:
            found = exchange(
                record,
                by=by,
                trumps=trumps or None,
                alternatives=alternatives,
                jobs=threads,
                memory_mb=memory_mb,
                seconds=seconds,
                progress=progress,
            )
        if found.owed and not found.options:
            raise CutShort(
                f"time was up after {seconds:g} s, before any of {found.distinct} ways to give was valued",
                found,
                unproven(record.deal.size),
            )
        return found

    process(source, work, _writer(form), read=read_record, rules=rules, give=give)


def _writer(form: str) -> Writer[Exchange]:
    if form == "json":
        from sgtmajor.cli.writing import JsonWriter

        return JsonWriter(lambda found: found.to_dict())
    from sgtmajor.cli.exchange_text import TextWriter

    return TextWriter()
