"""The command ``analyze``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from sgtmajor.cli.options import (
    SourceCommand,
    by_option,
    examples,
    format_option,
    jobs_option,
    limit_options,
    rules_option,
    source_argument,
    trumps_option,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sgtmajor.cards import Trump
    from sgtmajor.cli.reading import Entry, Writer
    from sgtmajor.kitty import By
    from sgtmajor.record import Record
    from sgtmajor.rules import Rules
    from sgtmajor.trump import Analysis

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


@click.command(
    "analyze",
    cls=SourceCommand,
    short_help="Find the best trump and discard of a deal, all cards open.",
    epilog=examples(
        "sgtmajor analyze 'D:AK.5.3. QT.A..2 J9.K.Q. K:...A'",
        "sgtmajor analyze --rules pickup --alternatives 2 'D:AK.5.3. QT.A..2 J9.K.Q. K:...A'",
        "sgtmajor analyze --by guaranteed --trump S,N 'D:AK.5.3. QT.A..2 J9.K.Q. K:...A'",
        "sgtmajor analyze --seconds 60 --format json deals.txt > analyses.jsonl",
    ),
)
@source_argument
@by_option
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
    by: By,
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

    When time is up, the best found so far is printed, and that it is incomplete.
    """
    from sgtmajor.cli.progress import progress_bar
    from sgtmajor.cli.reading import process
    from sgtmajor.record import read_record
    from sgtmajor.trump import analyze, check_found
    from sgtmajor.workers import default_jobs

    # Each thread needs a MiB of its own.
    threads = min(jobs or default_jobs(), memory_mb)

    def work(record: Record) -> Analysis:
        contracts = trumps or record.rules.contracts
        with progress_bar(len(contracts)) as progress:
            analysis = analyze(
                record,
                by=by,
                trumps=contracts,
                alternatives=alternatives,
                jobs=threads,
                memory_mb=memory_mb,
                seconds=seconds,
                progress=progress,
            )
        return check_found(analysis, seconds)

    process(source, work, _writer(form), read=read_record, rules=rules)


def _writer(form: str) -> Writer[Analysis]:
    if form == "json":
        from sgtmajor.cli.writing import JsonWriter

        return JsonWriter(lambda analysis: analysis.to_dict())
    if form == "csv":
        from sgtmajor.cli.writing import CsvWriter

        return CsvWriter(CSV_COLUMNS, _rows)
    from sgtmajor.cli.analyze_text import TextWriter

    return TextWriter()


def _rows(entry: Entry, analysis: Analysis) -> Iterator[dict[str, object]]:
    """Makes a row of each discard of each contract, best first."""
    from sgtmajor.tabular import by_seat, flat

    for contract in analysis.contracts:
        found = [contract.best, *contract.alternatives] if contract.best else []
        for place, value in enumerate(found, start=1):
            points = analysis.points(value)
            yield {
                "record": entry.text,
                "rules": analysis.rules,
                "by": analysis.by,
                "announcer": analysis.rules.announcer,
                "leader": analysis.leader,
                "trump": contract.trump,
                "place": place,
                "discard": " ".join(map(str, value.discard)),
                **flat(value.values.to_dict()),
                **(
                    by_seat("points", {str(seat): round(each, 3) for seat, each in points.items()})
                    if points
                    else {}
                ),
                **by_seat("target", analysis.rules.targets.to_dict()),
                "complete": str(contract.complete).lower(),
            }
