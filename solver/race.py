"""A race of candidates over samples: which is best on average, with no more work than it takes to tell.

All candidates are valued on the same samples, so that luck of the deal cancels out in the differences. The
samples come in rounds; after each, candidates that are clearly behind are dropped. The rounds and what is
dropped depend on the values alone, so the result is the same for any number of threads.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import fmean
from time import monotonic
from typing import Generic, NamedTuple, TypeVar

from sgtmajor.engine import DEFAULT_MEMORY_MB, Engine
from sgtmajor.errors import Interrupted, SearchStopped
from sgtmajor.workers import run_tasks

C = TypeVar("C")

# Samples at most, where neither samples nor time are limited otherwise: the error is far below the model's.
MOST_SAMPLES = 10_000
# The best candidate of each group is shown, so it gets at least so many samples.
LEAST_SAMPLES = 8

_LARGEST_ROUND = 32
# Standard errors that a candidate must be behind to be dropped. That is coarse while samples are few: equal
# rivals are dropped more often than the one time in forty that these stand for. Being stricter costs more
# than it gains: the time would go into candidates that are far behind.
_CLEARLY = 2.0
# Standard deviation of a difference, at least, in the unit of the values: a few equal differences prove
# little.
_DOUBT = 0.5
# So many of the closest rivals of the leader, and the closest one of another group, are kept until the
# interval of the difference tells them apart: whether the next best is worse is the first thing to know.
_RIVALS = 2
_CONFIDENCE = 0.95
# Intervals are as wide as if one more sample had been so far off: a few equal samples are no certainty, for
# tricks are whole, or thirds, and the rare deal may not have come yet. It fades like one sample among many.
ONE_MORE_OFF = 1.0
# Sums of thirds of a trick that are equal differ by rounding only, far behind these decimals.
_DECIMALS = 9


class Estimate(NamedTuple):
    """A mean with the bounds of its 95 % interval; these are None after a single sample."""

    mean: float
    lower: float | None
    upper: float | None

    def rounded(self) -> Estimate:
        """Returns it as it is written out."""
        lower, upper = (None if bound is None else rounded(bound) for bound in (self.lower, self.upper))
        return Estimate(rounded(self.mean), lower, upper)


def rounded(number: float) -> float:
    """Returns a number as it is written out: three decimals, and never a zero below zero."""
    return round(number, 3) + 0.0


@dataclass(frozen=True, slots=True)
class Standing(Generic[C]):
    """How a candidate has done.

    Attributes:
        candidate: The candidate.
        values: Its values, sample by sample; fewer than the winner's if it was dropped.
        level: What it is worth on average over all samples of the race. For a dropped candidate: the winner's
            average, and the difference in pairs on the samples that both have (a control variate).
        behind: The mean difference to the winner in pairs; 0, and its interval too, for the winner.

    Intervals never have width 0 but for the winner's difference to itself: they are t-intervals, widened as
    if one more sample had been a trick off (:data:`ONE_MORE_OFF`).
    """

    candidate: C
    values: tuple[float, ...]
    level: Estimate
    behind: Estimate


@dataclass(frozen=True, slots=True)
class Outcome(Generic[C]):
    """How a race ended.

    Attributes:
        standings: The candidates, best first, those left out that there was no time for. Empty only if time
            ran out before the first of each group were valued once.
        samples: How many samples the winner was valued on.
        complete: Whether all the samples were used; false if time ran out.
    """

    standings: tuple[Standing[C], ...]
    samples: int
    complete: bool


class Stage(NamedTuple):
    """How far a race is: samples done, samples there are (None if only time ends it), candidates in it."""

    samples: int
    total: int | None
    candidates: int


def race(
    candidates: Sequence[C],
    values: Callable[[Engine, int, Sequence[C]], Sequence[float]],
    *,
    group: Callable[[C], Hashable],
    samples: int,
    exhaustive: bool = False,
    choosing: bool = True,
    seconds: float | None = None,
    jobs: int = 1,
    memory_mb: int = DEFAULT_MEMORY_MB,
    progress: Callable[[Stage], None] | None = None,
) -> Outcome[C]:
    """Values candidates on samples until these, or the time, are used up.

    Args:
        candidates: At least one; of equals the first wins.
        values: Values candidates of one group on the sample of a number, on an engine, in a thread of the
            race.
        group: Candidates that profit from each other's tables when valued one after the other. The best of
            each group is kept until it has enough samples to be shown.
        samples: How many samples to use at most.
        exhaustive: Whether these are all there are. Candidates that were dropped are then valued on the rest
            in the end, so that nothing is left to chance.
        choosing: Whether only the best matters. If not, nothing is dropped.
        seconds: Time limit. Samples that it cuts short are not used.
        jobs: Threads.
        memory_mb: MiB for the tables of all threads together.
        progress: Called after each round.

    Raises:
        Interrupted: On Ctrl-C, if something was valued by then: its ``result`` is the outcome so far.
    """
    track = _Track(
        candidates, values, [group(candidate) for candidate in candidates], seconds, jobs, memory_mb
    )
    try:
        track.run_all(samples, exhaustive, choosing, progress)
    except KeyboardInterrupt:
        track.in_time = False
        partial = track.outcome()
        if partial.standings:
            raise Interrupted(partial) from None
        raise
    return track.outcome()


class _Track(Generic[C]):
    """The values of a race as they come in.

    Attributes:
        found: The values of each candidate, by sample.
        in_time: Whether there was time for all that was run.
    """

    def __init__(
        self,
        candidates: Sequence[C],
        values: Callable[[Engine, int, Sequence[C]], Sequence[float]],
        groups: Sequence[Hashable],
        seconds: float | None,
        jobs: int,
        memory_mb: int,
    ) -> None:
        self.found: list[list[float]] = [[] for _ in candidates]
        self.in_time = True
        self._candidates = candidates
        self._values = values
        self._groups = groups
        self._deadline = None if seconds is None else monotonic() + seconds
        self._jobs = jobs
        self._memory_mb = memory_mb

    def run_all(
        self, samples: int, exhaustive: bool, choosing: bool, progress: Callable[[Stage], None] | None
    ) -> None:
        """Values candidates round by round, and those that were dropped where the answer needs it."""
        alive = list(range(len(self.found)))
        total = samples if self._deadline is None else None
        used = 0
        while self.in_time and used < samples:
            numbers = range(used, min(samples, used + min(used, _LARGEST_ROUND)))
            used += self.run(numbers, alive) if used else self.run_first()
            if self.in_time and choosing and used > 1:
                alive = self.still_racing(alive)
            if progress:
                progress(Stage(used, total, len(alive)))
        if exhaustive:
            self.catch_up(range(len(self.found)), samples, progress)
        # What was dropped because of another one than the winner may be ahead of the winner.
        while self.in_time and (ahead := self.ahead()):
            self.catch_up(ahead, samples, progress)

    def outcome(self) -> Outcome[C]:
        """Returns how it stands."""
        used = max(map(len, self.found))
        return Outcome(_standings(self._candidates, self.found) if used else (), used, self.in_time)

    def run_first(self) -> int:
        """Values all candidates on the first sample; returns 1, or 0 if there was no time for it.

        The first of each group go before the others, and each that there was time for counts, so that a
        little time gives an answer, too: the others then have no values.
        """
        lanes = self._lanes(range(len(self.found)))
        firsts = [lane[:1] for lane in lanes]
        got: dict[int, float] = {}

        def value(lane: Sequence[int], engine: Engine) -> None:
            # One by one: what a lane has valued when time is up is kept.
            for i in lane:
                values = self._run_lane(0, [i], engine)
                if values is None:
                    return
                got[i] = values[0]

        tasks = [partial(value, lane) for lane in [*firsts, *(lane[1:] for lane in lanes)] if lane]
        try:
            run_tasks(tasks, jobs=self._jobs, memory_mb=self._memory_mb, seconds=self._left(), fair=False)
        finally:
            used = int(all(first[0] in got for first in firsts))
            if used:
                self.found = [[got[i]] if i in got else [] for i in range(len(self.found))]
        self.in_time = len(got) == len(self.found)
        return used

    def run(self, numbers: Sequence[int], entered: Sequence[int]) -> int:
        """Values candidates on samples; returns for how many of these there was time."""
        lanes = self._lanes(entered)
        tasks = [partial(self._run_lane, number, lane) for number in numbers for lane in lanes]
        results = run_tasks(
            tasks, jobs=self._jobs, memory_mb=self._memory_mb, seconds=self._left(), fair=False
        )
        done = 0
        # Taken over as a whole in the end, so that Ctrl-C cannot come in between.
        found = [list(values) for values in self.found]
        for place in range(0, len(results), len(lanes)):
            row = results[place : place + len(lanes)]
            if any(values is None for values in row):
                # What came later is left out, too: all candidates keep the same samples, without a gap.
                self.in_time = False
                break
            done += 1
            for lane, values in zip(lanes, row, strict=True):
                for i, value in zip(lane, values or (), strict=True):
                    found[i].append(value)
        self.found = found
        return done

    def still_racing(self, entered: Sequence[int]) -> list[int]:
        """Returns the candidates that are not clearly behind, with those kept for the answer's sake.

        These are the closest rivals of the leader, one of another group among them, and the best of each
        group that is not done.
        """
        found = self.found
        leader, *others = sorted(entered, key=lambda i: _rank(found, i))
        best = {_leader(found, lane) for lane in self._lanes(entered)}
        kept = {i for i in best if len(found[i]) < LEAST_SAMPLES}
        strangers = [i for i in others if self._groups[i] != self._groups[leader]]
        rivals = others[:_RIVALS] + strangers[:1]
        kept |= {i for i in rivals if not _told_apart(found[i], found[leader])}
        return [i for i in entered if i in kept or not _clearly_behind(found[i], found[leader])]

    def ahead(self) -> list[int]:
        """Returns the candidates that were dropped, but are ahead of the winner on the samples they have."""
        most = max(map(len, self.found))
        best = self.found[_winner(self.found)]
        late = [i for i, values in enumerate(self.found) if len(values) < most]
        return [i for i in late if round(_behind(self.found[i], best).mean, _DECIMALS) > 0]

    def catch_up(self, some: Iterable[int], samples: int, progress: Callable[[Stage], None] | None) -> None:
        """Values candidates that were dropped on the samples that they have missed."""
        missed = {i: len(self.found[i]) for i in some}
        for start in sorted(set(missed.values()) - {samples}):
            late = [i for i, count in missed.items() if count == start]
            for first in range(start, samples, _LARGEST_ROUND):
                if not self.in_time:
                    return
                done = first + self.run(range(first, min(first + _LARGEST_ROUND, samples)), late)
                if progress:
                    progress(Stage(done, samples, len(late)))

    def _lanes(self, entered: Sequence[int]) -> list[list[int]]:
        """Returns candidates by group."""
        lanes: dict[Hashable, list[int]] = {}
        for i in entered:
            lanes.setdefault(self._groups[i], []).append(i)
        return list(lanes.values())

    def _left(self) -> float | None:
        """Returns the seconds left; None for no limit."""
        return None if self._deadline is None else max(0.0, self._deadline - monotonic())

    def _run_lane(self, number: int, lane: Sequence[int], engine: Engine) -> Sequence[float] | None:
        """Values the candidates of a group on a sample; None if time runs out."""
        try:
            return self._values(engine, number, [self._candidates[i] for i in lane])
        except SearchStopped:
            return None


def _winner(found: Sequence[Sequence[float]]) -> int:
    """Returns the candidate that leads those with the most samples."""
    most = max(map(len, found))
    return _leader(found, [i for i, values in enumerate(found) if len(values) == most])


def _leader(found: Sequence[Sequence[float]], among: Sequence[int]) -> int:
    """Returns the candidate with the best mean; all have the same samples."""
    return min(among, key=lambda i: _rank(found, i))


def _rank(found: Sequence[Sequence[float]], i: int) -> tuple[float, int]:
    """Sorts candidates with the same samples, the best first; of equals the first one is better."""
    return -round(math.fsum(found[i]), _DECIMALS), i


def _told_apart(values: Sequence[float], best: Sequence[float]) -> bool:
    upper = _behind(values, best).upper
    return upper is not None and upper < 0


def _clearly_behind(values: Sequence[float], best: Sequence[float]) -> bool:
    differences = [a - b for a, b in zip(values, best, strict=True)]
    error = max(_deviation(differences), _DOUBT) / math.sqrt(len(differences))
    return fmean(differences) + _CLEARLY * error < 0


def _standings(candidates: Sequence[C], found: Sequence[Sequence[float]]) -> tuple[Standing[C], ...]:
    """Ranks the candidates by their differences to the one that leads those with the most samples."""
    winner = _winner(found)
    best = found[winner]
    first = Standing(
        candidates[winner], tuple(best), mean_interval(best, ONE_MORE_OFF), Estimate(0.0, 0.0, 0.0)
    )
    others = [
        Standing(candidate, tuple(values), _level(values, best), _behind(values, best))
        for i, (candidate, values) in enumerate(zip(candidates, found, strict=True))
        if i != winner and values
    ]
    return first, *sorted(others, key=lambda each: -round(each.behind.mean, _DECIMALS))


def mean_interval(values: Sequence[float], one_more_off: float = 0.0) -> Estimate:
    """Returns the mean of independent values with its 95 % t-interval.

    Args:
        values: The values.
        one_more_off: Widens the interval as if one more value had been so far from the mean; the mean and the
            degrees of freedom stay. It can only widen, so it holds the mean at least as often.
    """
    return _interval(fmean(values), _mean_variance(values, one_more_off), len(values))


def _behind(values: Sequence[float], best: Sequence[float]) -> Estimate:
    """Estimates the difference to the winner on the samples that both have."""
    return mean_interval([a - b for a, b in zip(values, best, strict=False)], ONE_MORE_OFF)


def _level(values: Sequence[float], best: Sequence[float]) -> Estimate:
    """Estimates the mean of a candidate, from all samples of the winner if it has less of its own.

    The winner's mean is then made up by the difference in pairs. The variance of the sum is that of both
    parts and of what they have in common; where that would lower it, it is left out, to be cautious: from two
    or three samples it is hardly known, and the variance could come out below zero.
    """
    if len(values) == len(best):
        return mean_interval(values, ONE_MORE_OFF)
    differences = [a - b for a, b in zip(values, best, strict=False)]
    # The samples of the differences are among those of the winner.
    shared = 2 * _covariance(best[: len(values)], differences) / len(best)
    variance = _mean_variance(best, ONE_MORE_OFF) + _mean_variance(differences, ONE_MORE_OFF)
    return _interval(fmean(best) + fmean(differences), variance + max(shared, 0.0), len(values))


def _mean_variance(values: Sequence[float], one_more_off: float) -> float:
    """Returns the variance of a mean; nothing is known of that of a single value."""
    n = len(values)
    return (_covariance(values, values) + one_more_off**2 / max(n - 1, 1)) / n


def _interval(mean: float, variance: float, count: int) -> Estimate:
    if count < 2:
        return Estimate(mean, None, None)
    half = _t_quantile(count - 1) * math.sqrt(variance)
    return Estimate(mean, mean - half, mean + half)


def _deviation(values: Sequence[float]) -> float:
    """Returns the standard deviation of a sample, 0 for a single value."""
    return math.sqrt(_covariance(values, values))


def _covariance(first: Sequence[float], second: Sequence[float]) -> float:
    if len(first) < 2:
        return 0.0
    one, two = fmean(first), fmean(second)
    return math.fsum((a - one) * (b - two) for a, b in zip(first, second, strict=True)) / (len(first) - 1)


def _t_quantile(freedom: int) -> float:
    """Returns how many standard errors from the mean the 95 % interval ends, for so many degrees of freedom.

    Closed forms for one and two degrees, else the expansion of Abramowitz & Stegun, 26.7.5.
    """
    p = (1 + _CONFIDENCE) / 2
    if freedom == 1:
        return math.tan(math.pi * (p - 0.5))
    if freedom == 2:
        return (2 * p - 1) * math.sqrt(2 / (4 * p * (1 - p)))
    z = 1.959963984540054
    return (
        z
        + (z**3 + z) / (4 * freedom)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * freedom**3)
        + (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / (92160 * freedom**4)
    )
