"""The command ``review``."""

from __future__ import annotations

from contextlib import ExitStack, nullcontext
from typing import TYPE_CHECKING

import click

from sgtmajor.cli.options import (
    SourceCommand,
    check_equilibrium,
    equilibrium_options,
    examples,
    jobs_option,
    limit_options,
    rules_option,
    source_argument,
    yardstick_option,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sgtmajor.cli.reading import Entry, Writer
    from sgtmajor.equilibrium import Ties
    from sgtmajor.mistakes import Review
    from sgtmajor.record import Record
    from sgtmajor.rules import Rules
    from sgtmajor.yardstick import Yardstick


@click.command(
    "review",
    cls=SourceCommand,
    short_help="Find where tricks were lost in a play, and to whom.",
    epilog=examples(
        "sgtmajor review 'D:AK.5.. Q.A.2. JT.K.. trump=S play=SK,SQ,ST,SA,HA,SJ'",
        "sgtmajor review --order play 'D:A5.QJ.K. 84.K.A9. K.T8.J4. trump=S lead=L play=S8'",
        "sgtmajor review --by equilibrium 'D:AK.5.. Q.A.2. JT.K.. trump=S play=SK,SQ,ST'",
        "sgtmajor review --format csv 'D:AK.5.. Q.A.2. JT.K.. trump=S play=H5,HA,HK'",
        "echo 'D:A... K... Q... trump=S play=SA' | sgtmajor review --format html - > p.html",
    ),
)
@source_argument
@yardstick_option("equilibrium")
@equilibrium_options
@click.option(
    "--order",
    type=click.Choice(["worst", "play"]),
    default="worst",
    show_default=True,
    help="For text: list the mistakes, the worst first; or all cards, in the order of play.",
)
@click.option(
    "--announcement/--no-announcement",
    default=True,
    show_default=True,
    help="Hold the trump and the discard against the best, too, where the record has discard=: that takes"
    " some seconds. By share, if --by equilibrium. Not for csv, which has a row a card.",
)
@rules_option
@jobs_option
@limit_options
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "csv", "html"]),
    default="text",
    show_default=True,
    help="text to read; json: one object a line; csv: one row a card; html: one page by itself.",
)
def command(
    source: str,
    by: Yardstick,
    ties: Ties,
    equilibrium_mb: int,
    order: str,
    announcement: bool,
    rules: Rules | None,
    jobs: int | None,
    memory_mb: int,
    seconds: float | None,
    form: str,
) -> None:
    """Reviews the play of a record, of the records of a file, or those of standard input (-), all cards open.

    For each card of play=: what it has changed for each seat, who lost and who gained; the mistake in
    guaranteed tricks and in share, and the better card. Then what each player has lost, and to whom.

    A mistake is what the best card would have kept. What a seat is sure of can always be kept, its share
    cannot. Cards that were no choice are marked. When time is up, the cards reviewed so far are printed.

    By equilibrium a mistake is what the card costs if each plays for himself. One enumeration answers for
    the whole play; it takes some seconds and up to 2 GiB for a whole deal.
    """
    from sgtmajor.cli.progress import cards_bar, listing_bar, progress_bar
    from sgtmajor.cli.reading import process
    from sgtmajor.errors import SearchStopped
    from sgtmajor.mistakes import review
    from sgtmajor.record import read_record
    from sgtmajor.workers import fitting_jobs

    check_equilibrium(by == "equilibrium", "--by equilibrium")
    threads = fitting_jobs(jobs, memory_mb)

    def work(record: Record) -> Review:
        # A row a card has no place for what was announced.
        announced = announcement and form != "csv"
        analyzed = announced and record.discard
        contracts = progress_bar(len(record.rules.contracts)) if analyzed else nullcontext()
        with cards_bar() as progress, contracts as choices, ExitStack() as bars:

            def reviewed(done: int, total: int) -> None:
                # By the first card the positions of the play are known.
                bars.close()
                if progress:
                    progress(done, total)

            try:
                return review(
                    record,
                    by=by,
                    announcement=announced,
                    ties=ties,
                    jobs=threads,
                    memory_mb=memory_mb,
                    equilibrium_mb=equilibrium_mb,
                    seconds=seconds,
                    progress=reviewed,
                    announcement_progress=choices,
                    listing=lambda listing: bars.enter_context(listing_bar(listing)),
                )
            except SearchStopped as stopped:
                message = f"time was up after {seconds:g} s, before the start of the play was valued"
                raise SearchStopped(message, stopped.bounds) from None

    with ExitStack() as stack:
        process(source, work, _writer(form, by, order, stack), read=read_record, rules=rules)


def _writer(form: str, by: Yardstick, order: str, stack: ExitStack) -> Writer[Review]:
    if form == "json":
        from sgtmajor.cli.writing import JsonWriter

        return JsonWriter(lambda review: review.to_dict())
    if form == "csv":
        from sgtmajor.cli.writing import CsvWriter
        from sgtmajor.mistakes import COLUMNS, EQUILIBRIUM_COLUMNS

        more = EQUILIBRIUM_COLUMNS if by == "equilibrium" else ()
        return CsvWriter(("record", *COLUMNS, *more), _rows)
    if form == "html":
        from sgtmajor.cli.review_html import HtmlWriter

        return stack.enter_context(HtmlWriter())
    from sgtmajor.cli.review_text import TextWriter

    return TextWriter(all_cards=order == "play")


def _rows(entry: Entry, review: Review) -> Iterator[dict[str, object]]:
    """Makes a row of each card, in the order of play."""
    for row in review.rows():
        yield {**row, "record": entry.text, "complete": str(review.complete).lower()}
