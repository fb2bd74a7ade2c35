"""The command ``analyze``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from sgtmajor.cli.options import (
    SourceCommand,
    check_equilibrium,
    equilibrium_options,
    examples,
    format_option,
    jobs_option,
    limit_options,
    rules_option,
    source_argument,
    trumps_option,
    yardstick_option,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sgtmajor.cards import Trump
    from sgtmajor.cli.reading import Entry, Writer
    from sgtmajor.equilibrium import Ties
    from sgtmajor.record import Record
    from sgtmajor.rules import Rules
    from sgtmajor.trump import Analysis
    from sgtmajor.yardstick import Yardstick

CSV_COLUMNS = (
    "record",
    "rules",
    "by",
    "announcer",
    "leader",
    "trump",
    "place",
    "discard",
    *(f"{name}_{seat}" for name in ("guaranteed", "ceiling", "share", "points") for seat in "DLR"),
    *(f"target_{seat}" for seat in "DLR"),
    "complete",
)
EQUILIBRIUM_COLUMNS = ("ties", "candidates", *(f"equilibrium_{seat}" for seat in "DLR"))

# What the library knows too, repeated because importing it takes longer than reading the command line.
DEFAULT_CANDIDATES = 2


@click.command(
    "analyze",
    cls=SourceCommand,
    short_help="Find the best trump and discard of a deal, all cards open.",
    epilog=examples(
        "sgtmajor analyze 'D:AK.5.3. QT.A..2 J9.K.Q. K:...A'",
        "sgtmajor analyze --rules pickup --alternatives 2 'D:AK.5.3. QT.A..2 J9.K.Q. K:...A'",
        "sgtmajor analyze --by guaranteed --trump S,N 'D:AK.5.3. QT.A..2 J9.K.Q. K:...A'",
        "sgtmajor analyze --by equilibrium --candidates 3 'D:AK.5.3. QT.A..2 J9.K.Q. K:...A'",
        "sgtmajor analyze --seconds 60 --format json deals.txt > analyses.jsonl",
    ),
)
@source_argument
@yardstick_option("equilibrium")
@click.option(
    "--candidates",
    metavar="N",
    type=click.IntRange(1),
    default=DEFAULT_CANDIDATES,
    show_default=True,
    help="Discards to compare with --by equilibrium: so many that lead by share, and by guaranteed.",
)
@equilibrium_options
@trumps_option
@rules_option
@click.option(
    "--alternatives",
    metavar="N",
    type=click.IntRange(0),
    default=0,
    show_default=True,
    help="Next best discards to show for each contract.",
)
@jobs_option
@limit_options
@format_option("text", "json", "csv")
def command(
    source: str,
    by: Yardstick,
    candidates: int,
    ties: Ties,
    equilibrium_mb: int,
    trumps: list[Trump],
    rules: Rules | None,
    alternatives: int,
    jobs: int | None,
    memory_mb: int,
    seconds: float | None,
    form: str,
) -> None:
    """Analyzes a deal, the deals of a file, or those of standard input (-), all cards open.

    For each contract: the cards that the announcer best lays aside, what the deal then is worth to each seat,
    and the points against the targets; then the trump to name. This is analysis with all cards in sight, not
    advice from one hand. What a record says of trump, discard and play is not used.

    By equilibrium only candidates are compared: the discards that lead by share and by guaranteed. In a whole
    deal each takes some seconds and up to 2 GiB.

    When time is up, the best found so far is printed, and that it is incomplete. By equilibrium the
    first half of the time is for finding the candidates.
    """
    from contextlib import ExitStack

    from sgtmajor.cli.progress import listing_bar, progress_bar
    from sgtmajor.cli.reading import CutShort, process
    from sgtmajor.engine import unproven
    from sgtmajor.record import read_record
    from sgtmajor.trump import analyze, check_found
    from sgtmajor.workers import fitting_jobs

    check_equilibrium(by == "equilibrium", "--by equilibrium", "candidates")
    threads = fitting_jobs(jobs, memory_mb)

    def work(record: Record) -> Analysis:
        contracts = trumps or record.rules.contracts
        with ExitStack() as bars:
            progress = bars.enter_context(progress_bar(len(contracts)))
            analysis = analyze(
                record,
                by=by,
                trumps=contracts,
                alternatives=alternatives,
                candidates=candidates,
                ties=ties,
                jobs=threads,
                memory_mb=memory_mb,
                equilibrium_mb=equilibrium_mb,
                seconds=seconds,
                progress=progress,
                listing=lambda listing: bars.enter_context(listing_bar(listing)),
            )
        check_found(analysis, seconds)
        if analysis.refused:
            message = f"{analysis.refused.message}. Allow more (--equilibrium-memory), or analyze by share"
            raise CutShort(message, analysis, unproven(analysis.deal.size))
        return analysis

    process(source, work, _writer(form, by), read=read_record, rules=rules)


def _writer(form: str, by: Yardstick) -> Writer[Analysis]:
    if form == "json":
        from sgtmajor.cli.writing import JsonWriter

        return JsonWriter(lambda analysis: analysis.to_dict())
    if form == "csv":
        from sgtmajor.cli.writing import CsvWriter

        columns = CSV_COLUMNS + EQUILIBRIUM_COLUMNS if by == "equilibrium" else CSV_COLUMNS
        return CsvWriter(columns, _rows)
    from sgtmajor.cli.analyze_text import TextWriter

    return TextWriter()


def _rows(entry: Entry, analysis: Analysis) -> Iterator[dict[str, object]]:
    """Makes a row of each discard of each contract, best first."""
    from sgtmajor.tabular import by_seat, flat

    for contract in analysis.contracts:
        found = [contract.best, *contract.alternatives] if contract.best else []
        for place, value in enumerate(found, start=1):
            yield {
                "record": entry.text,
                "rules": analysis.rules,
                "by": analysis.by,
                "ties": analysis.ties,
                "candidates": contract.candidates,
                "announcer": analysis.rules.announcer,
                "leader": analysis.leader,
                "trump": contract.trump,
                "place": place,
                **flat(analysis.value_to_dict(value)),
                "discard": " ".join(map(str, value.discard)),
                **by_seat("target", analysis.rules.targets.to_dict()),
                "complete": str(contract.complete).lower(),
            }
