"""The command ``solve``."""

from __future__ import annotations

import time
from dataclasses import replace
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
    trump_option,
)

if TYPE_CHECKING:
    from sgtmajor.cards import Trump
    from sgtmajor.cli.reading import Entry, Writer
    from sgtmajor.equilibrium import Ties
    from sgtmajor.errors import SearchStopped
    from sgtmajor.record import Record
    from sgtmajor.rules import Rules
    from sgtmajor.values import Solution

CSV_COLUMNS = (
    "record",
    "tricks",
    "trump",
    "lead",
    *(f"{name}_{seat}" for name in ("guaranteed", "ceiling", "share") for seat in "DLR"),
    "nodes",
    "seconds",
)
EQUILIBRIUM_COLUMNS = ("ties", *(f"equilibrium_{seat}" for seat in "DLR"))


@click.command(
    "solve",
    cls=SourceCommand,
    short_help="Solve positions, all cards open.",
    epilog=examples(
        "sgtmajor solve 'D:AK.5.. Q.A.2. JT.K.. trump=S'",
        "sgtmajor solve --cards --line 'D:A5.QJ.K. 84.K.A9. K.T8.J4. trump=S lead=L'",
        "sgtmajor solve --equilibrium --cards 'D:A5.QJ.K. 84.K.A9. K.T8.J4. trump=S lead=L'",
        "sgtmajor solve --tree 3 'D:A5.QJ.K. 84.K.A9. K.T8.J4. trump=S lead=L'",
        "sgtmajor solve --trump N --format json 'D:A5.QJ.K. 84.K.A9. K.T8.J4.'",
        "sgtmajor solve --seconds 10 --format csv deals.txt > values.csv",
        "echo 'D:AK.5.. Q.A.2. JT.K.. trump=S play=H5,HA,HK' | sgtmajor solve -",
    ),
)
@source_argument
@click.option("--cards", is_flag=True, help="Value each legal card of the seat to play, best first.")
@click.option(
    "--tree",
    metavar="N",
    type=click.IntRange(1),
    help="Value each legal card at each of the next N cards of a best line.",
)
@click.option("--line", is_flag=True, help="Play one best line to the end.")
@click.option(
    "--equilibrium", is_flag=True, help="Also what each seat can expect when each plays for himself (max^n)."
)
@equilibrium_options
@trump_option
@rules_option
@jobs_option
@limit_options
@format_option("text", "json", "csv")
def command(
    source: str,
    cards: bool,
    tree: int | None,
    line: bool,
    equilibrium: bool,
    ties: Ties,
    equilibrium_mb: int,
    trump: Trump | None,
    rules: Rules | None,
    jobs: int | None,
    memory_mb: int,
    seconds: float | None,
    form: str,
) -> None:
    """Solves a record, the records of a file, or those of standard input (-), all cards open.

    For each seat: the tricks that are guaranteed whatever the other two do together, the ceiling if those
    make no mistake, and the share: what is guaranteed plus a third of the tricks that nobody is sure of. When
    time is up, what is proven of the guaranteed tricks is printed, as in 5-7.

    With --equilibrium also the tricks that each seat can expect when each of the three plays for himself.
    That takes some seconds and up to 2 GiB for a whole deal; only then are more threads (--jobs) of use.

    A record that fails does not stop the others; the exit code then is 1, or 2 if it was wrong and the only
    one.
    """
    from sgtmajor.cli.main import complain
    from sgtmajor.cli.progress import listing_bar
    from sgtmajor.cli.reading import CutShort, process
    from sgtmajor.equilibrium import doubtful
    from sgtmajor.errors import EnumerationFull, SearchStopped
    from sgtmajor.record import read_record
    from sgtmajor.values import Solver, solve
    from sgtmajor.workers import default_jobs

    check_equilibrium(equilibrium, "--equilibrium")
    if form == "csv" and (cards or tree or line):
        raise click.UsageError(
            "--cards, --tree and --line need --format text or json: csv has one row a record."
        )
    threads = jobs or default_jobs()
    with Solver(memory_mb, equilibrium_mb=equilibrium_mb, jobs=threads, ties=ties) as solver:

        def work(record: Record) -> Solution:
            # Cold for each record: what it costs does not depend on those before it.
            solver.clear()
            end = time.monotonic() + (seconds or 0)

            def left() -> float | None:
                return max(0.0, end - time.monotonic()) if seconds else None

            try:
                solution = solve(record, seconds=seconds, solver=solver)
            except SearchStopped as stopped:
                raise SearchStopped(f"time was up after {seconds:g} s", stopped.bounds) from None
            asked = {"the equilibrium": equilibrium, "the cards": cards, "the tree": tree, "the line": line}
            missing = [name for name, wanted in asked.items() if wanted]
            position = record.position
            try:
                if equilibrium:
                    likely = doubtful(position, equilibrium_mb)
                    if likely:
                        complain(
                            f"sgtmajor: the equilibrium needs roughly {likely.memory_mb} MiB, more than the"
                            f" {equilibrium_mb} allowed (--equilibrium-memory); trying"
                        )
                    begun = time.monotonic()
                    with listing_bar(solver.listing):
                        expected = solver.equilibrium(position, seconds=left())
                    taken = solution.values.seconds + time.monotonic() - begun
                    values = replace(solution.values, equilibrium=expected, seconds=taken)
                    solution = replace(solution, values=values, ties=ties)
                    missing.remove("the equilibrium")
                if cards:
                    found = solver.cards(position, equilibrium=equilibrium, seconds=left())
                    solution = replace(solution, cards=found)
                    missing.remove("the cards")
                if tree:
                    forks = solver.tree(position, tree, equilibrium=equilibrium, seconds=left())
                    solution = replace(solution, tree=forks)
                    missing.remove("the tree")
                if line:
                    best = solver.line(position, equilibrium=equilibrium, seconds=left())
                    solution = replace(solution, line=best)
            except SearchStopped:
                message = f"time was up after {seconds:g} s, before {' and '.join(missing)}"
                raise CutShort(message, solution, solution.values.bounds) from None
            except EnumerationFull as full:
                raise CutShort(str(full), solution, solution.values.bounds) from None
            return solution

        several, alone = _writers(form, cards or bool(tree) or line, equilibrium)
        process(source, work, several, read=read_record, alone=alone, trump=trump, rules=rules)


def _writers(
    form: str, detailed: bool, equilibrium: bool
) -> tuple[Writer[Solution], Writer[Solution] | None]:
    """Returns the writer for several records, and the one for a single record if that is another."""
    if form == "json":
        from sgtmajor.cli.writing import JsonWriter

        return JsonWriter(lambda solution: solution.to_dict()), None
    if form == "csv":
        from sgtmajor.cli.writing import CsvWriter

        columns = CSV_COLUMNS + EQUILIBRIUM_COLUMNS if equilibrium else CSV_COLUMNS
        return CsvWriter(columns, _rows, _stopped_row), None
    from sgtmajor.cli.solve_text import BlockWriter, RowWriter

    return BlockWriter() if detailed else RowWriter(equilibrium), BlockWriter(alone=True)


def _rows(entry: Entry, solution: Solution) -> list[dict[str, object]]:
    from sgtmajor.tabular import flat

    return [flat(solution.to_dict()) | _position_columns(solution.record)]


def _stopped_row(entry: Entry, error: SearchStopped) -> dict[str, object]:
    """Makes the row of a record for which time ran out: what is not exact is told in words only."""
    from sgtmajor.record import Record
    from sgtmajor.tabular import by_seat

    assert isinstance(entry.content, Record), "only records are searched"
    exact = {str(seat): each.lower for seat, each in error.bounds.items() if each.lower == each.upper}
    proven = ", ".join(f"{seat} {each}" for seat, each in error.bounds.items())
    return {
        **_position_columns(entry.content),
        **by_seat("guaranteed", exact),
        "error": f"{error}; guaranteed: {proven}",
    }


def _position_columns(record: Record) -> dict[str, object]:
    position = record.position
    return {"tricks": position.tricks, "trump": position.trump, "lead": position.leader}
