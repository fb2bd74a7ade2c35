"""The command ``stats``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from sgtmajor.cli.options import examples, format_option, offer_files
from sgtmajor.cli.plotting import plot_option, save_plot

if TYPE_CHECKING:
    from sgtmajor.stats import Tally


@click.command(
    "stats",
    short_help="Count what many answers say: tricks, points, targets.",
    epilog=examples(
        "sgtmajor stats values.jsonl",
        "sgtmajor deal 9 --seed 1 --cards 3 --trump any | sgtmajor batch - | sgtmajor stats -",
    ),
)
@click.argument("files", metavar="FILE|-...", nargs=-1, required=True, shell_complete=offer_files)
@plot_option("the distribution of tricks")
@format_option("text", "json")
def command(files: tuple[str, ...], plot: str | None, form: str) -> None:
    """Counts the answers of files, or of standard input (-), as batch, solve and analyze write them in JSON.

    Shows the mean of guaranteed, share and ceiling by seat and trump, how the tricks are distributed, how
    often the targets are reached, what it costs to name the longest suit, and what it is worth to lead, as
    far as the answers tell. Files may be packed by gzip, and of any size.
    """
    tally = _tally(files)
    if form == "json":
        import json

        click.echo(json.dumps(tally.to_dict()))
    else:
        from sgtmajor.cli.stats_text import show_tally

        show_tally(tally)
    if plot:
        from sgtmajor.cli.stats_plot import draw

        save_plot(plot, lambda axes: draw(axes, tally))


def _tally(files: tuple[str, ...]) -> Tally:
    """Counts the answers of files.

    Raises:
        InputError: If something is no answer, or there is none that did not fail and was not cut short.
    """
    from functools import partial

    from sgtmajor.cli.progress import record_bar
    from sgtmajor.cli.reading import count_lines, lines_of, source_name
    from sgtmajor.errors import InputError
    from sgtmajor.reading import read_either
    from sgtmajor.stats import Tally

    tally = Tally()
    read = partial(read_either, parse=_refuse, from_dict=tally.add)
    with record_bar(partial(count_lines, files)) as watch:
        for source, (line, text, fault) in lines_of(files):
            try:
                if fault:
                    raise fault
                read(text)
            except InputError as error:
                raise error.at(source=source, line=line) from None
            watch.advance()
    if not tally.groups:
        raise InputError(_nothing_counted(tally), source=source_name(files[0]))
    return tally


def _nothing_counted(tally: Tally) -> str:
    if not tally.answers:
        return "no answers to count, expected the output of batch"
    parts = {
        "failed": tally.failed,
        "were cut short": tally.cut_short,
        "are of plays that are over": tally.over,
    }
    reasons = " and ".join(f"{count} {what}" for what, count in parts.items() if count)
    return f"no answers to count: {reasons}, expected some that were solved"


def _refuse(text: str) -> None:
    from sgtmajor.errors import InputError
    from sgtmajor.reading import quoted

    raise InputError(f"{quoted(text)} is no answer, expected JSON Lines as batch writes them")
