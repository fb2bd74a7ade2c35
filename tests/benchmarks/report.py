"""The table that the benchmarks print at the end of a run: what was measured, against whom, and the ratio."""

from __future__ import annotations

import platform
import statistics
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

MARKS = ("<!-- measured -->\n", "<!-- end of measured -->\n")


@dataclass
class Series:
    """Times of the same kind, one a deal.

    Attributes:
        name: What was timed.
        times: Seconds.
        nodes: Cards played in all; None where the peer does not tell.
    """

    name: str
    times: list[float] = field(default_factory=list)
    nodes: int | None = None

    def percentile(self, percent: int) -> float:
        return statistics.quantiles(self.times, n=100, method="inclusive")[percent - 1]

    def row(self) -> list[str]:
        numbers = (statistics.fmean(self.times), *map(self.percentile, (50, 95, 99)), max(self.times))
        nodes = "" if self.nodes is None else f"{self.nodes / len(self.times):,.0f}"
        return [self.name, *(f"{1000 * number:,.1f}" for number in numbers), nodes]


@dataclass
class Table:
    """What the benchmarks of a run found."""

    series: list[Series] = field(default_factory=list)
    ratios: list[tuple[str, float, str]] = field(default_factory=list)

    def add(self, *series: Series) -> None:
        self.series.extend(series)

    def ratio(self, name: str, value: float, target: str) -> None:
        """Notes a ratio with the target it is held against, in words."""
        self.ratios.append((name, value, target))

    def markdown(self) -> str:
        series = [each.row() for each in self.series]
        ratios = [[name, f"{value:.2f}", target] for name, value, target in self.ratios]
        return "\n\n".join(
            [
                f"{platform.machine()}, {_processor()}, Python {platform.python_version()}.",
                _table(("milliseconds", "mean", "median", "p95", "p99", "max", "cards played"), series),
                _table(("ratio", "measured", "target"), ratios),
            ]
        )


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or sys.platform
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return f"{names[0]} ({len(names)} processors)" if names else sys.platform


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def write_between_marks(path: Path, text: str) -> None:
    """Replaces what stands between the two marks of a file."""
    before, rest = path.read_text(encoding="utf-8").split(MARKS[0], 1)
    _, after = rest.split(MARKS[1], 1)
    path.write_text(f"{before}{MARKS[0]}\n{text}\n\n{MARKS[1]}{after}", encoding="utf-8")
