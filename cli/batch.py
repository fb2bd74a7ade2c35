"""The command ``batch``."""

from __future__ import annotations

import os
from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING

import click

from sgtmajor.cli.options import (
    by_option,
    equilibrium_options,
    examples,
    jobs_option,
    memory_option,
    offer_files,
    rules_option,
    said,
    seconds_option,
    some_trumps_option,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sgtmajor.cards import Trump
    from sgtmajor.equilibrium import Ties
    from sgtmajor.rules import Rules
    from sgtmajor.tasks import Item, Job
    from sgtmajor.yardstick import By

# What the library knows too, repeated to read the command line without it; a test holds them together.
TASK_NAMES = ("solve", "equilibrium", "trumps", "analyze", "review")
FORMATS = ("json", "csv", "parquet")


@click.command(
    "batch",
    short_help="Solve, analyze or review files of any size, on all cores or a cluster.",
    epilog=examples(
        "sgtmajor batch deals.txt > values.jsonl",
        "sgtmajor batch --task analyze deals.txt -o analyses.jsonl.gz",
        "sgtmajor batch --task equilibrium --format csv deals.txt -o expected.csv",
        "sgtmajor batch --task trumps --format csv deals.txt -o values.csv --resume",
        "sgtmajor deal 3 --seed 1 --cards 5 --trump any | sgtmajor batch --unordered -",
    ),
)
@click.argument("files", metavar="FILE|-...", nargs=-1, required=True, shell_complete=offer_files)
@click.option(
    "-o",
    "--output",
    "out",
    metavar="OUT",
    help="Write into this file, packed by gzip if its name ends in .gz.  [default: standard output]",
)
@click.option(
    "--task",
    type=click.Choice(TASK_NAMES),
    default=TASK_NAMES[0],
    show_default=True,
    help="solve: the position; equilibrium: also what each seat can expect when each plays for himself;"
    " trumps: the hands as they stand, under each trump; analyze: the best trump and discard of a deal;"
    " review: every card of a play.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    default=FORMATS[0],
    show_default=True,
    help="json: one object a line; parquet needs -o, and pyarrow, the extra 'parquet'.",
)
@click.option("--resume", is_flag=True, help="Go on with an OUT that an earlier run did not finish.")
@click.option("--unordered", is_flag=True, help="Write results as they are ready, not in the order of FILE.")
@some_trumps_option(
    "S H D C N. For trumps and analyze: only these, separated by commas.  [default: all that the rules"
    " allow]  Otherwise: in place of the record's."
)
@rules_option
@by_option
@click.option(
    "--alternatives",
    metavar="N",
    type=click.IntRange(0),
    default=0,
    show_default=True,
    help="For analyze: next best discards to show for each contract.",
)
@click.option(
    "--cards", is_flag=True, help="For solve and equilibrium: value each legal card of the seat to play."
)
@click.option("--line", is_flag=True, help="For solve and equilibrium: give one best line.")
@click.option(
    "--announcement/--no-announcement",
    default=True,
    show_default=True,
    help="For review in json: hold the trump and the discard against the best, too.",
)
@click.option(
    "--times",
    is_flag=True,
    help="For json: say how many nodes and seconds each answer took. No two runs then write the same.",
)
@equilibrium_options
@jobs_option
@click.option(
    "--scheduler",
    metavar="ADDRESS",
    help="Work on the Dask cluster at this address, tcp://host:8786, in place of threads; needs the extra"
    " 'cluster'.",
)
@memory_option
@seconds_option("none")
def command(
    files: tuple[str, ...],
    out: str | None,
    task: str,
    form: str,
    resume: bool,
    unordered: bool,
    trumps: list[Trump],
    rules: Rules | None,
    by: By,
    alternatives: int,
    cards: bool,
    line: bool,
    announcement: bool,
    times: bool,
    ties: Ties,
    equilibrium_mb: int,
    jobs: int | None,
    scheduler: str | None,
    memory_mb: int,
    seconds: float | None,
) -> None:
    """Answers the same question about every record of files, or of standard input (-), all cards open.

    Files may hold records as text or as JSON Lines, and may be packed by gzip; they are read as they are
    needed, so they may be of any size. Results come in the order of the records, each written whole and at
    once. A record that fails is reported in its place and on stderr, and the rest goes on; the exit code then
    is 1.

    If a run is broken off, by whatever, the same command with --resume goes on where it was: what is in OUT
    is kept, a torn last line is repaired. It is refused if OUT is not the output of the same question about
    the same records, or if another run is writing into it.
    """
    from sgtmajor.tasks import Job
    from sgtmajor.workers import fitting_jobs

    _check_heard(task)
    detailed = cards or line or times or bool(alternatives)
    _check_options(files, out, form, resume, detailed, jobs, scheduler)
    threads = None if scheduler else fitting_jobs(jobs, memory_mb)
    job = Job(
        task,
        tuple(trumps or ()),
        rules,
        by,
        alternatives,
        cards,
        line,
        seconds,
        memory_mb,
        ties,
        equilibrium_mb,
        # A row a card has no place for what was announced.
        announcement and (form == "json" or task != "review"),
        times,
    )
    failed = _run(files, out, form, resume, unordered, job, threads, scheduler)
    if failed:
        from sgtmajor.cli.main import FAILED

        raise click.exceptions.Exit(FAILED)


def _check_heard(task: str) -> None:
    """Refuses options that the task does not listen to."""
    from sgtmajor.tasks import TASKS

    for name in sorted({name for each in TASKS.values() for name in each.options}):
        those = [each for each, known in TASKS.items() if name in known.options]
        for option in () if task in those else said(name):
            raise click.UsageError(f"{option} is for --task {' or '.join(those)}, not for {task}.")


def _check_options(
    files: tuple[str, ...],
    out: str | None,
    form: str,
    resume: bool,
    detailed: bool,
    jobs: int | None,
    scheduler: str | None,
) -> None:
    """Refuses options that do not go together."""
    if "" in files or out == "":
        raise click.UsageError(f"{'-o OUT' if out == '' else 'FILE'} is empty, expected the name of a file.")
    if files.count("-") > 1:
        raise click.UsageError("Standard input (-) can be read only once.")
    if resume and out is None:
        raise click.UsageError("--resume goes on with a file, expected -o OUT.")
    if form == "parquet" and (resume or out is None):
        raise click.UsageError("--format parquet needs -o OUT, and cannot be resumed: json can.")
    if form != "json" and detailed:
        raise click.UsageError(
            f"--format {form} has no place for --alternatives, --cards, --line and --times: json has."
        )
    if jobs and scheduler:
        raise click.UsageError("--jobs is for this machine: with --scheduler the cluster has its own.")
    if out is not None and any(name != "-" and _same_file(name, out) for name in files):
        raise click.UsageError(f"{out} is read and written, expected another OUT.")


def _same_file(one: str, other: str) -> bool:
    try:
        return os.path.samefile(one, other)
    except (OSError, ValueError):
        return False


def _run(
    files: tuple[str, ...],
    out: str | None,
    form: str,
    resume: bool,
    unordered: bool,
    job: Job,
    jobs: int | None,
    scheduler: str | None,
) -> int:
    """Answers all records and writes the outcomes.

    Returns:
        How many failed, those that an earlier run has written among them.
    """
    from itertools import chain, islice

    from sgtmajor.batch import open_pool, run_batch
    from sgtmajor.cli.batch_lock import OutputLock
    from sgtmajor.cli.batch_output import open_output
    from sgtmajor.cli.batch_resume import check_job, left_over, take_stock
    from sgtmajor.cli.main import complain
    from sgtmajor.cli.progress import on_terminal, record_bar
    from sgtmajor.cli.reading import count_lines

    with OutputLock(out) as lock:
        stock = take_stock(out, form, job.task, resume)
        failed = stock.failed
        items = left_over(_items(files), stock, job)
        with open_pool(job, jobs, scheduler) as pool:
            check_job(stock, job, pool)
            # The records that are done are compared before anything is changed.
            first = list(islice(items, 1))
            stock.repair()
            lock.renew()
            if failed:
                complain(f"{out}: records that failed in the earlier run and are not asked again: {failed}")
            with (
                open_output(out, form, job.task) as output,
                record_bar(
                    partial(count_lines, files), stock.count, alone=bool(out) or not on_terminal()
                ) as watch,
                closing(run_batch(chain(first, items), job, pool, ordered=not unordered)) as outcomes,
            ):
                for outcome in outcomes:
                    output.write(outcome)
                    watch.advance()
                    if outcome.error:
                        failed += 1
                        watch.complain(str(outcome.error))
    return failed


def _items(files: tuple[str, ...]) -> Iterator[Item]:
    """Reads the records of files, numbered through.

    Raises:
        InputError: If there is none.
    """
    from sgtmajor.cli.reading import EXPECTED, lines_of, source_name
    from sgtmajor.errors import InputError
    from sgtmajor.tasks import Item

    number = 0
    for number, (source, (line, text, fault)) in enumerate(lines_of(files), start=1):
        yield Item(number, fault or text, text, source, line)
    if not number:
        raise InputError(f"no records, {EXPECTED}", source=source_name(files[0]))
