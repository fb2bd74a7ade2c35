"""The picture of an advice: how often the best option, and the next one, take so many tricks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator, PercentFormatter

from sgtmajor.advice import Answer

_WIDTH = 0.4


def draw(axes: Axes, advice: Answer[Any], names: Sequence[str]) -> None:
    """Draws the distributions of the best two options of a ranking, of which each has a name."""
    for place, option in enumerate(advice.ranking[:2]):
        counts = option.histogram
        axes.bar(
            [tricks + (place - 0.5) * _WIDTH for tricks in counts],
            [count / len(option.values) for count in counts.values()],
            width=_WIDTH,
            label=f"{names[place]}: {option.tricks.mean:.2f} (of {len(option.values)})",
        )
    if advice.target is not None:
        axes.axvline(advice.target - 0.5, color="black", linestyle=":", label=f"target {advice.target}")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.yaxis.set_major_formatter(PercentFormatter(1))
    axes.set_xlabel(f"tricks of {advice.seat} by {advice.by}, rounded down")
    axes.set_ylabel("deals that fit" if advice.exact else "samples")
    axes.set_title(f"{advice.seat}, rules {advice.rules}")
    axes.legend()
