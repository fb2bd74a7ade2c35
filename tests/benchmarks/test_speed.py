"""How fast the answers are. Not run with the tests: ``pytest tests/benchmarks --benchmark-only``.

Machines are noisy, so what counts is a ratio: the bridge solver DDS on the same deals, in the same run, taken
in turns, on the time of the processor. Every solve starts cold.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import oracle
import pytest
from stored import Stored, random_deal, stored

from sgtmajor.cards import Seat
from sgtmajor.engine import Engine
from sgtmajor.kitty import YARDSTICKS, By
from sgtmajor.trump import analyze
from sgtmajor.values import seat_values

FULL = stored("guaranteed_full.jsonl")
THREE_SUITS = stored("three_suits.jsonl")
# Lines of guaranteed_full.jsonl from an easy one to a very hard one.
SOME = (13, 29, 21, 3, 1, 27, 23)


@pytest.fixture
def engine() -> Iterator[Engine]:
    with Engine() as engine:
        yield engine


def solve_cold(engine: Engine, line: Stored) -> int:
    """Returns the cards played to solve a position for every seat."""
    engine.clear()
    values = seat_values(engine, line.position)
    assert {seat: values.guaranteed[seat] for seat in line.guaranteed} == line.guaranteed
    return values.nodes


@pytest.mark.parametrize("place", SOME)
def test_solving_a_whole_deal(benchmark: Any, engine: Engine, place: int) -> None:
    benchmark.extra_info["cards played"] = solve_cold(engine, FULL[place])
    benchmark.pedantic(solve_cold, (engine, FULL[place]), rounds=3)


@pytest.mark.parametrize("by", YARDSTICKS)
def test_analyzing_a_whole_classic_deal(benchmark: Any, by: By) -> None:
    deal = random_deal(Random(1), 16, 4)
    analysis = benchmark.pedantic(analyze, (deal,), {"by": by, "jobs": 2}, rounds=1)
    assert analysis.complete
    benchmark.extra_info["cards played"] = analysis.nodes


def processor_time(work: Callable[[], object]) -> float:
    started = time.process_time()
    work()
    return 1000 * (time.process_time() - started)


def summary(name: str, times: list[float]) -> str:
    cuts = statistics.quantiles(times, n=20)
    mean, median = statistics.fmean(times), statistics.median(times)
    return f"{name}: mean {mean:.2f}, median {median:.2f}, p95 {cuts[-1]:.2f}, max {max(times):.2f} ms"


def test_three_suit_deals_against_the_bridge_solver(
    benchmark: Any, engine: Engine, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("endplay")
    import dds

    positions = [oracle.read_position(line.record) for line in THREE_SUITS]
    bridge = [dds.bridge_deal(*position, 0) for position in positions]
    dds.solve(bridge[0])
    ours: list[float] = []
    theirs: list[float] = []

    def run() -> None:
        for line, deal in zip(THREE_SUITS, bridge, strict=True):
            engine.clear()
            ours.append(processor_time(lambda: engine.bounds(line.position, Seat.D)))  # noqa: B023
            theirs.append(processor_time(lambda: dds.solve(deal)))  # noqa: B023

    benchmark.pedantic(run, rounds=3)
    ratio = sum(ours) / sum(theirs)
    benchmark.extra_info["ratio"] = ratio
    with capsys.disabled():
        print(f"\n{summary('sgtmajor', ours)}\n{summary('DDS', theirs)}\nratio of the means {ratio:.2f}")


@pytest.mark.parametrize("memory_mb", [1, 256])
def test_making_and_closing_an_engine(benchmark: Any, memory_mb: int) -> None:
    benchmark(lambda: Engine(memory_mb).close())
