"""The race: the best on average, in pairs, the same for any number of threads."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from itertools import permutations
from random import Random
from statistics import fmean

import pytest

from sgtmajor.cards import BySeat
from sgtmajor.deal import Position
from sgtmajor.engine import Bounds, Engine
from sgtmajor.errors import SearchStopped
from sgtmajor.race import LEAST_SAMPLES, ONE_MORE_OFF, Outcome, Stage, mean_interval, race
from sgtmajor.record import Record

# Quantiles of Student's t for 95 % intervals, by degrees of freedom (any table of them).
T_TABLE = {1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776, 5: 2.571, 7: 2.365, 10: 2.228, 20: 2.086, 60: 2.000}


def noisy(engine: Engine, number: int, means: Sequence[float]) -> list[float]:
    """Values that share the luck of the sample, and have little of their own."""
    luck = Random(number).gauss(0, 3)
    return [mean + luck + Random(f"{number} {mean}").gauss(0, 0.3) for mean in means]


def run(means: Sequence[float], samples: int, jobs: int = 1, exhaustive: bool = False) -> Outcome[float]:
    return race(
        means,
        noisy,
        group=lambda mean: mean > 5,
        samples=samples,
        exhaustive=exhaustive,
        jobs=jobs,
        memory_mb=4,
    )


def test_the_best_on_average_wins_whatever_the_luck_of_the_samples() -> None:
    outcome = run([3.0, 4.5, 5.5, 5.9, 2.0], 64)
    assert outcome.standings[0].candidate == 5.9
    assert outcome.samples == 64
    assert outcome.complete


def test_an_outcome_does_not_depend_on_the_number_of_threads() -> None:
    means = [3.0, 4.5, 5.5, 5.6, 5.9, 2.0]
    assert run(means, 40) == run(means, 40, jobs=2)


def test_what_is_clearly_behind_is_dropped_and_what_is_close_gets_all_samples() -> None:
    standings = {each.candidate: each for each in run([5.5, 5.6, 1.0, 0.5], 64).standings}
    assert len(standings[5.5].values) == len(standings[5.6].values) == 64
    # The best of its group is kept for a while.
    assert LEAST_SAMPLES <= len(standings[1.0].values) < 64
    assert len(standings[0.5].values) < LEAST_SAMPLES


def test_differences_are_taken_on_the_same_samples() -> None:
    best, second, *_ = run([5.6, 5.0], 32).standings
    assert second.behind.mean == pytest.approx(
        fmean(b - a for a, b in zip(best.values, second.values, strict=False))
    )
    assert best.behind == (0, 0, 0)


def test_the_level_of_a_dropped_candidate_makes_up_for_the_luck_of_its_few_samples() -> None:
    outcome = run([5.6, 1.0, 0.5], 64)
    best, *others = outcome.standings
    for each in others:
        assert each.level.mean == pytest.approx(best.level.mean + each.behind.mean)
    kept = run([5.6, 5.5], 64).standings[1]
    assert kept.level == pytest.approx(mean_interval(kept.values, ONE_MORE_OFF))


def test_an_exhaustive_race_leaves_nobody_out() -> None:
    outcome = run([5.6, 1.0, 0.5], 50, exhaustive=True)
    for each in outcome.standings:
        assert len(each.values) == 50
        assert each.level.mean == pytest.approx(fmean(each.values))
        assert list(each.values) == [noisy(None, i, [each.candidate])[0] for i in range(50)]  # type: ignore[arg-type]


def test_of_equals_the_first_wins() -> None:
    outcome = race(
        ["a", "b", "c"], lambda engine, n, some: [1.0] * len(some), group=str, samples=8, memory_mb=1
    )
    assert [each.candidate for each in outcome.standings] == ["a", "b", "c"]


def long_search() -> Position:
    deal = "D:AT76.K8.AJ842.KJ763 K8.973.KT763.AQ9542 QJ9543.AQJT654.Q5.8 trump=N"
    return Record.parse(deal).position


def test_a_race_that_time_ends_keeps_the_samples_that_are_done() -> None:
    position = long_search()

    def slow(engine: Engine, number: int, some: Sequence[str]) -> list[float]:
        if number >= 3:
            while True:
                engine.clear()
                engine.bounds(position, position.leader)
        return [float(len(each)) for each in some]

    started = time.monotonic()
    outcome = race(["a", "bb"], slow, group=len, samples=100, seconds=0.5, jobs=2, memory_mb=4)
    assert time.monotonic() - started < 5
    assert outcome.samples == 3
    assert not outcome.complete
    assert [each.candidate for each in outcome.standings] == ["bb", "a"]


def test_a_race_that_ends_while_it_catches_up_compares_the_same_samples() -> None:
    def stopped_once(engine: Engine, number: int, some: Sequence[float]) -> list[float]:
        if number == 20 and 2.0 in some:
            unknown = Bounds(0, 16)
            raise SearchStopped("time is up", BySeat(unknown, unknown, unknown))
        return [mean + Random(number).gauss(0, 3) for mean in some]

    outcome = race([5.0, 2.0], stopped_once, group=bool, samples=40, exhaustive=True, memory_mb=1)
    late = outcome.standings[1]
    assert not outcome.complete
    assert len(late.values) == 20
    assert late.behind.mean == pytest.approx(-3.0)


def test_a_race_without_time_for_one_sample_has_no_standings() -> None:
    position = long_search()

    def slow(engine: Engine, number: int, some: Sequence[str]) -> list[float]:
        while True:
            engine.clear()
            engine.bounds(position, position.leader)

    assert race(["a"], slow, group=len, samples=2, seconds=0.1, memory_mb=4).standings == ()


def test_with_little_time_the_first_of_each_group_are_compared() -> None:
    position = long_search()

    def slow(engine: Engine, number: int, some: Sequence[str]) -> list[float]:
        while some[0] not in ("a", "bb"):
            engine.clear()
            engine.bounds(position, position.leader)
        return [float(len(each)) for each in some]

    outcome = race(["a", "c", "bb", "dd"], slow, group=len, samples=9, seconds=0.3, memory_mb=4)
    assert [each.candidate for each in outcome.standings] == ["bb", "a"]
    assert outcome.samples == 1
    assert not outcome.complete


def test_progress_tells_the_samples_and_the_candidates_left() -> None:
    stages: list[Stage] = []
    race([5.6, 5.5, 1.0], noisy, group=bool, samples=20, memory_mb=1, progress=stages.append)
    assert [stage.samples for stage in stages] == [1, 2, 4, 8, 16, 20]
    assert stages[-1].total == 20
    assert stages[-1].candidates == 2


@pytest.mark.parametrize(("freedom", "quantile"), T_TABLE.items())
def test_intervals_are_those_of_students_t(freedom: int, quantile: float) -> None:
    values = [float(i) for i in range(freedom + 1)]
    n, mean = len(values), fmean(values)
    error = math.sqrt(sum((value - mean) ** 2 for value in values) / (n - 1) / n)
    found = mean_interval(values)
    assert found.mean == mean
    assert found.upper is not None
    assert found.lower is not None
    assert found.upper - mean == pytest.approx(quantile * error, rel=2e-3)
    assert mean - found.lower == pytest.approx(quantile * error, rel=2e-3)


def test_one_value_has_no_interval() -> None:
    assert mean_interval([2.0]) == (2.0, None, None)


def test_intervals_hold_the_mean_nineteen_times_in_twenty() -> None:
    rng = Random(4)
    held = 0
    for _ in range(2000):
        found = mean_interval([rng.gauss(3, 2) for _ in range(6)])
        held += (found.lower or 0) <= 3 <= (found.upper or 0)
    assert 0.935 < held / 2000 < 0.965


@pytest.mark.parametrize("count", [2, 3, 4, 6, 8, 12, 20])
@pytest.mark.parametrize("likely", [0.1, 0.5, 0.8])
def test_intervals_of_whole_tricks_hold_the_mean_nine_times_in_ten(count: int, likely: float) -> None:
    rng = Random(f"{count} {likely}")
    held = 0
    for _ in range(500):
        values = [float(sum(rng.random() < likely for _ in range(8))) for _ in range(count)]
        found = mean_interval(values, ONE_MORE_OFF)
        held += (found.lower or 0) <= 8 * likely <= (found.upper or 0)
    assert held / 500 > 0.9


def test_intervals_of_all_candidates_hold_their_means_nine_times_in_ten() -> None:
    means = [8.0, 7.6, 7.0, 5.0, 3.0]

    def tricks(engine: Engine, number: int, some: Sequence[float]) -> list[float]:
        both = Random(number).gauss(0, 1.5)
        own = {mean: Random(f"{number} {mean}").gauss(0, 0.7) for mean in some}
        return [round(mean + (both if mean > 6 else -both) + own[mean]) for mean in some]

    for samples in (3, 5, 10, 20):
        levels, held, differences, behind = 0, 0, 0, 0
        for run in range(60):
            outcome = race(
                means,
                lambda engine, number, some, start=1000 * run: tricks(engine, start + number, some),
                group=lambda mean: mean > 6,
                samples=samples,
                memory_mb=1,
            )
            best = outcome.standings[0].candidate
            for each in outcome.standings:
                level, difference = each.level, each.behind
                assert level.lower is not None
                assert level.upper is not None
                assert level.lower < level.upper
                levels += 1
                held += level.lower <= each.candidate <= level.upper
                if each is not outcome.standings[0]:
                    differences += 1
                    low, high = difference.lower or 0, difference.upper or 0
                    behind += low <= each.candidate - best <= high
        assert held / levels > 0.9, samples
        assert behind / differences > 0.9, samples


def test_what_was_dropped_is_taken_up_again_if_it_turns_out_to_be_ahead() -> None:
    for seed in range(30):

        def values(engine: Engine, number: int, some: Sequence[float], seed: int = seed) -> list[float]:
            return [mean + Random(f"{seed} {number} {mean}").gauss(0, 1) for mean in some]

        means = [5 - step / 12 for step in range(24)]
        best, *others = race(means, values, group=bool, samples=24, memory_mb=1).standings
        assert len(best.values) == 24
        assert all(each.behind.mean <= 0 for each in others)


def test_nothing_is_dropped_if_there_is_nothing_to_choose() -> None:
    outcome = race([5.6, 1.0], noisy, group=bool, samples=30, choosing=False, memory_mb=1)
    assert [len(each.values) for each in outcome.standings] == [30, 30]


def test_equal_samples_are_no_certainty() -> None:
    def same(engine: Engine, number: int, some: Sequence[float]) -> list[float]:
        return list(some)

    for samples in (2, 4, 16, 64):
        first, *others = race([9.0, 8.0, 2.0], same, group=bool, samples=samples, memory_mb=1).standings
        for each in (first.level, *(one.level for one in others), *(one.behind for one in others)):
            assert each.lower is not None
            assert each.upper is not None
            assert each.lower < each.mean < each.upper


def test_of_means_that_differ_by_rounding_only_the_first_wins() -> None:
    thirds = {
        "a": [1 / 3, 2 / 3, 1.0, 7 / 3],
        "b": [2 / 3, 7 / 3, 1 / 3, 1.0],
        "c": [1.0, 1 / 3, 7 / 3, 2 / 3],
    }

    def values(engine: Engine, number: int, some: Sequence[str]) -> list[float]:
        return [thirds[each][number] for each in some]

    for order in permutations("abc"):
        outcome = race(order, values, group=len, samples=4, memory_mb=1)
        assert tuple(each.candidate for each in outcome.standings) == order


def test_the_next_best_is_dropped_only_when_it_is_told_apart() -> None:
    for seed in range(30):

        def values(engine: Engine, number: int, some: Sequence[float], seed: int = seed) -> list[float]:
            return [mean + Random(f"{seed} {number} {mean}").gauss(0, 1) for mean in some]

        outcome = race([5.0, 4.6, 4.2, 1.0], values, group=bool, samples=24, memory_mb=1)
        second = outcome.standings[1]
        assert len(second.values) == outcome.samples or (second.behind.upper or 0) < 0
