"""The memory of equilibria that several threads share: never more than there is, and enough for what fits."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from random import Random
from threading import Event, Lock
from time import sleep

import pytest
from stored import random_deal

from sgtmajor import lending
from sgtmajor.cards import BySeat
from sgtmajor.deal import Position
from sgtmajor.equilibrium import Expectations, Ties
from sgtmajor.errors import EnumerationFull, SearchStopped
from sgtmajor.lending import Lender
from sgtmajor.record import Record


def position(size: int, seed: int = 1) -> Position:
    return Record.parse(f"{random_deal(Random(seed), size, 0)} trump=S").position


class Held:
    """What is lent at the moment, and the most that ever was."""

    def __init__(self) -> None:
        self.now = self.most = 0
        self._lock = Lock()

    def add(self, memory_mb: int) -> None:
        with self._lock:
            self.now += memory_mb
            self.most = max(self.most, self.now)


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[Held]:
    """Counts the memory of enumerations that need as much as the position has tricks, times ten."""
    count = Held()

    class Counted(Expectations):
        def __init__(self, memory_mb: int, *, ties: Ties) -> None:
            super().__init__(1, ties=ties)
            self._mb = memory_mb
            count.add(memory_mb)

        def of(self, position: Position) -> BySeat[float]:
            sleep(0.001)
            if self._mb < 10 * position.tricks:
                raise EnumerationFull("too little")
            return BySeat(float(position.tricks), 0.0, 0.0)

        def close(self) -> None:
            count.add(-self._mb)
            super().close()

    monkeypatch.setattr(lending, "Expectations", Counted)
    yield count
    assert count.now == 0


def test_threads_together_never_hold_more_than_there_is(held: Held) -> None:
    lender = Lender(100)
    positions = [position(size, seed) for seed in range(20) for size in (1, 2, 5, 10)]
    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(lambda each: lender.ask(each, lambda expect: expect(each).D), positions))
    assert found == [each.tricks for each in positions]
    assert held.most == 100


def test_what_does_not_fit_into_all_of_it_is_refused_and_nothing_stays_lent(held: Held) -> None:
    lender = Lender(99)
    with pytest.raises(EnumerationFull):
        lender.ask(position(10), lambda expect: None)
    assert held.most == 99
    assert lender.ask(position(9), lambda expect: 1) == 1


@pytest.mark.parametrize("memory_mb", [1, 3, 64, 2048])
def test_the_answers_are_those_of_a_single_enumeration(memory_mb: int) -> None:
    root = position(6)
    with Expectations(64) as alone:
        expected = [alone.of(each) for each in (root, root.after(min(root.legal())))]
    found = Lender(memory_mb).ask(
        root, lambda expect: [expect(each) for each in (root, root.after(min(root.legal())))]
    )
    assert found == expected


def test_stopping_ends_what_runs_and_time_that_is_up_only_the_own_question() -> None:
    lender, started = Lender(2048), Event()

    def work(expect: object) -> None:
        started.set()

    with pytest.raises(SearchStopped):
        lender.ask(position(14), work, seconds=0.01)
    assert lender.ask(position(5), lambda expect: 1, seconds=60) == 1
    with ThreadPoolExecutor(1) as threads:
        running = threads.submit(lender.ask, position(14), work)
        while not running.done():
            sleep(0.01)
            lender.stop()
        with pytest.raises(SearchStopped):
            running.result()
    assert not started.is_set()
