"""The picture of many answers: how often each seat takes so many tricks."""

from __future__ import annotations

from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator, PercentFormatter

from sgtmajor.stats import ALL, BEST, Tally

_WIDTH = 0.27


def draw(axes: Axes, tally: Tally) -> None:
    """Draws the distribution of shares by seat, of the best trump of each deal if that is known."""
    group = BEST if BEST in tally.groups else ALL
    for seat, count in tally.groups[group].items():
        counts = count.tricks["share"]
        axes.bar(
            [tricks + (seat.index - 1) * _WIDTH for tricks in counts],
            [number / count.records for number in counts.values()],
            width=_WIDTH,
            label=f"{seat}: {count.mean('share'):.2f}",
        )
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.yaxis.set_major_formatter(PercentFormatter(1))
    axes.set_xlabel("tricks by share, rounded down")
    axes.set_ylabel("best trump of each deal" if group == BEST else "answers")
    axes.set_title(f"{tally.answers - tally.failed} answers")
    axes.legend()
