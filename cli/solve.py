"""The command ``solve``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from sgtmajor.cli.options import (
    examples,
    format_option,
    limit_options,
    rules_option,
    source_argument,
    trump_option,
)

if TYPE_CHECKING:
    from sgtmajor.cards import Trump
    from sgtmajor.cli.reading import Writer
    from sgtmajor.record import Record
    from sgtmajor.rules import Rules
    from sgtmajor.values import Solution

CSV_COLUMNS = (
    "record",
    "tricks",
    *(f"{name}_{seat}" for name in ("guaranteed", "ceiling", "share") for seat in "DLR"),
    "nodes",
    "seconds",
)


@click.command(
    "solve",
    short_help="Solve positions, all cards open.",
    epilog=examples(
        "sgtmajor solve 'D:AK.5.. Q.A.2. JT.K.. trump=S'",
        "sgtmajor solve --cards --line 'D:A5.QJ.K. 84.K.A9. K.T8.J4. trump=S lead=L'",
        "sgtmajor solve --trump N --format json 'D:A5.QJ.K. 84.K.A9. K.T8.J4.'",
        "sgtmajor solve --seconds 10 --format csv deals.txt > values.csv",
        "echo 'D:AK.5.. Q.A.2. JT.K.. trump=S play=H5,HA,HK' | sgtmajor solve -",
    ),
)
@source_argument
@click.option("--cards", is_flag=True, help="Value each legal card of the seat to play, best first.")
@click.option("--line", is_flag=True, help="Play one best line to the end.")
@trump_option
@rules_option
@limit_options
@format_option("text", "json", "csv")
def command(
    source: str,
    cards: bool,
    line: bool,
    trump: Trump | None,
    rules: Rules | None,
    memory_mb: int,
    seconds: float | None,
    form: str,
) -> None:
    """Solves a record, the records of a file, or those of standard input (-), all cards open.

    For each seat: the tricks that are guaranteed whatever the other two do together, the ceiling if those
    make no mistake, and the share: what is guaranteed plus a third of the tricks that nobody is sure of. When
    time is up, what is proven of the guaranteed tricks is printed, as in 5-7.

    A record that fails does not stop the others; the exit code then is 1, or 2 if it was wrong and the only
    one.
    """
    from sgtmajor.cli.reading import process
    from sgtmajor.errors import SearchStopped
    from sgtmajor.values import Solver, solve

    if form == "csv" and (cards or line):
        raise click.UsageError("--cards and --line need --format text or json: csv has one row a record.")
    with Solver(memory_mb) as solver:

        def work(record: Record) -> Solution:
            # Cold for each record: what it costs does not depend on those before it.
            solver.clear()
            try:
                return solve(record, cards=cards, line=line, seconds=seconds, solver=solver)
            except SearchStopped as stopped:
                raise SearchStopped(f"time was up after {seconds:g} s", stopped.bounds) from None

        process(source, work, _writer(form, source, cards or line), trump=trump, rules=rules)


def _writer(form: str, source: str, detailed: bool) -> Writer[Solution]:
    if form == "json":
        from sgtmajor.cli.writing import JsonWriter

        return JsonWriter(lambda solution: solution.to_dict())
    if form == "csv":
        from sgtmajor.cli.writing import CsvWriter, flat

        return CsvWriter(CSV_COLUMNS, lambda entry, solution: [flat(solution.to_dict())])
    from sgtmajor.cli.reading import is_record
    from sgtmajor.cli.solve_text import BlockWriter, RowWriter

    return BlockWriter() if detailed or is_record(source) else RowWriter()
