"""The command ``score``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from sgtmajor.cli.options import examples, format_option, offer_files
from sgtmajor.cli.plotting import add_legend, plot_option, save_plot

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from sgtmajor.session import Score

# Of the lines of the three players.
_WIDTHS = (5.0, 3.0, 1.5)


@click.command(
    "score",
    short_help="Score a session: points, what is owed, who has won.",
    epilog=examples(
        r"printf 'players=Ann,Ben,Cat\ndealer=Ann tricks=9,4,3\n' | sgtmajor score -",
        r"printf 'players=A,B,C\ndealer=C tricks=2,9,5\n' | sgtmajor score - --format json",
    ),
)
@click.argument("source", metavar="FILE|-", shell_complete=offer_files)
@plot_option("the totals deal by deal")
@format_option("text", "json")
def command(source: str, plot: str | None, form: str) -> None:
    """Scores the session in a file, or that of standard input (-).

    The first line names the players in clockwise order and the rules, as in 'players=Ann,Ben,Cat
    rules=classic'; each other line is a deal, 'dealer=Ann tricks=9,4,3', with the tricks in the order of the
    players. won=ABAC... may say who won each trick, A B C for the players; ties may need it.

    Shows the points of each deal, the totals, who deals next and owes cards to whom, and who has won.
    Everything that is wrong with the file is told at once.
    """
    from sgtmajor.cli.reading import read_file, source_name
    from sgtmajor.session import Session, score

    result = score(Session.read(read_file(source), source_name(source)))
    if form == "json":
        import json

        click.echo(json.dumps(result.to_dict()))
    else:
        from sgtmajor.cli.score_text import show_score

        show_score(result)
    if plot:
        save_plot(plot, lambda axes: _draw(axes, result))


def _draw(axes: Axes, result: Score) -> None:
    """Draws the totals of the players deal by deal."""
    from matplotlib.ticker import MaxNLocator

    players, lines = result.session.players, []
    # Of players who are level each is seen: later lines are thinner.
    for player, width in zip(players, _WIDTHS, strict=True):
        totals = [0, *(deal.totals[player] for deal in result.deals)]
        lines += axes.plot(range(len(totals)), totals, marker="o", linewidth=width, markersize=3 * width)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    axes.axhline(0, color="grey", linewidth=0.8)
    axes.set_xlabel("deals")
    axes.set_ylabel("points")
    add_legend(axes, lines, players)
