"""The command ``review``."""

from __future__ import annotations

from contextlib import ExitStack, nullcontext
from typing import TYPE_CHECKING

import click

from sgtmajor.cli.options import (
    SourceCommand,
    by_option,
    examples,
    jobs_option,
    limit_options,
    rules_option,
    source_argument,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sgtmajor.cli.reading import Entry, Writer
    from sgtmajor.kitty import By
    from sgtmajor.mistakes import Review
    from sgtmajor.record import Record
    from sgtmajor.rules import Rules

CSV_COLUMNS = (
    "record",
    "by",
    "trick",
    "seat",
    "card",
    "wins",
    "forced",
    "better",
    "mistake_guaranteed",
    "mistake_share",
    *(f"taken_{seat}" for seat in "DLR"),
    *(
        f"{name}_{when}_{seat}"
        for name in ("guaranteed", "ceiling", "share")
        for when in ("before", "after")
        for seat in "DLR"
    ),
    "complete",
)


@click.command(
    "review",
    cls=SourceCommand,
    short_help="Find where tricks were lost in a play, and to whom.",
    epilog=examples(
        "sgtmajor review 'D:AK.5.. Q.A.2. JT.K.. trump=S play=SK,SQ,ST,SA,HA,SJ'",
        "sgtmajor review --order play 'D:A5.QJ.K. 84.K.A9. K.T8.J4. trump=S lead=L play=S8'",
        "sgtmajor review --format csv 'D:AK.5.. Q.A.2. JT.K.. trump=S play=H5,HA,HK'",
        "echo 'D:A... K... Q... trump=S play=SA' | sgtmajor review --format html - > p.html",
    ),
)
@source_argument
@by_option
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
    " some seconds.",
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
    by: By,
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
    """
    from sgtmajor.cli.progress import cards_bar, progress_bar
    from sgtmajor.cli.reading import process
    from sgtmajor.errors import SearchStopped
    from sgtmajor.mistakes import review
    from sgtmajor.record import read_record
    from sgtmajor.workers import default_jobs

    # Each thread needs a MiB of its own.
    threads = min(jobs or default_jobs(), memory_mb)

    def work(record: Record) -> Review:
        announced = announcement and bool(record.discard)
        contracts = progress_bar(len(record.rules.contracts)) if announced else nullcontext()
        with cards_bar() as progress, contracts as choices:
            try:
                return review(
                    record,
                    by=by,
                    announcement=announcement,
                    jobs=threads,
                    memory_mb=memory_mb,
                    seconds=seconds,
                    progress=progress,
                    announcement_progress=choices,
                )
            except SearchStopped as stopped:
                message = f"time was up after {seconds:g} s, before the start of the play was valued"
                raise SearchStopped(message, stopped.bounds) from None

    with ExitStack() as stack:
        process(source, work, _writer(form, order, stack), read=read_record, rules=rules)


def _writer(form: str, order: str, stack: ExitStack) -> Writer[Review]:
    if form == "json":
        from sgtmajor.cli.writing import JsonWriter

        return JsonWriter(lambda review: review.to_dict())
    if form == "csv":
        from sgtmajor.cli.writing import CsvWriter

        return CsvWriter(CSV_COLUMNS, _rows)
    if form == "html":
        from sgtmajor.cli.review_html import HtmlWriter

        return stack.enter_context(HtmlWriter())
    from sgtmajor.cli.review_text import TextWriter

    return TextWriter(all_cards=order == "play")


def _rows(entry: Entry, review: Review) -> Iterator[dict[str, object]]:
    """Makes a row of each card, in the order of play."""
    from sgtmajor.race import rounded
    from sgtmajor.tabular import by_seat

    for card in review.cards:
        numbers = {
            f"{name}_{when}": each
            for when, values in (("before", card.before), ("after", card.after))
            for name, each in values.to_dict().items()
        }
        yield {
            "record": entry.text,
            "by": review.by,
            "trick": card.turn.trick,
            "seat": card.turn.seat,
            "card": card.turn.card,
            "wins": card.turn.winner,
            "forced": card.forced,
            "better": " ".join(map(str, card.better.run)) if card.better else None,
            "mistake_guaranteed": card.lost,
            "mistake_share": rounded(card.lost_share),
            **by_seat("taken", card.taken.to_dict()),
            **{key: value for name, each in numbers.items() for key, value in by_seat(name, each).items()},
            "complete": str(review.complete).lower(),
        }
