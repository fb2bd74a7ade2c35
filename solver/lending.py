"""One budget of memory for the equilibria of several threads.

Each thread enumerates a play of its own, in memory that is lent to it: as little as is likely to do, and more
if that was not enough. Whether a play fits depends on the whole budget only, not on what the others do
meanwhile.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Condition
from time import monotonic
from typing import TypeVar

from sgtmajor.deal import Position
from sgtmajor.equilibrium import (
    DEFAULT_EQUILIBRIUM_MB,
    NEUTRAL,
    WORTH_AN_ESTIMATE,
    Expect,
    Expectations,
    Ties,
    estimate,
)
from sgtmajor.errors import EnumerationFull
from sgtmajor.workers import time_limit

T = TypeVar("T")

# Plays too short to be worth an estimate take less.
_SMALL_MB = 16
# Estimates are off by this much often enough: what is lent too little has been enumerated in vain.
_RESERVE = 2


class Lender:
    """Lends memory to the equilibria of several threads: first come, first served.

    Args:
        memory_mb: MiB that all of them may take together, at least 1.
    """

    def __init__(self, memory_mb: int = DEFAULT_EQUILIBRIUM_MB) -> None:
        self._memory_mb = memory_mb
        self._free = memory_mb
        self._waiting: deque[object] = deque()
        self._running: set[Expectations] = set()
        # Held to change any of these.
        self._changed = Condition()

    def ask(
        self,
        position: Position,
        work: Callable[[Expect], T],
        *,
        ties: Ties = NEUTRAL,
        seconds: float | None = None,
    ) -> T:
        """Enumerates a play in the calling thread, and returns what some work makes of it.

        Args:
            position: Where the play starts.
            work: Is given what answers for every position of the play.
            ties: What a seat does that has several best cards.
            seconds: Time limit; to wait for memory does not count.

        Raises:
            SearchStopped: If it was stopped.
            EnumerationFull: If the positions do not fit into all of the memory.
            SolverMemoryError: If the system refuses the memory.
        """
        spent = 0.0
        for memory_mb in self._sizes(position):
            with self._lent(memory_mb), self._open(memory_mb, ties) as expectations:
                begun = monotonic()
                with time_limit(expectations, None if seconds is None else max(0.0, seconds - spent)):
                    try:
                        expectations.of(position)
                    except EnumerationFull:
                        if memory_mb == self._memory_mb:
                            raise
                    else:
                        return work(expectations.expect)
                spent += monotonic() - begun
        raise AssertionError("the last size is all of the memory")

    def stop(self) -> None:
        """Ends what is running, from any thread."""
        with self._changed:
            for expectations in self._running:
                expectations.stop()

    def _sizes(self, position: Position) -> list[int]:
        """Returns the MiB to try one after the other: a part of the memory that may do, ..., all of it."""
        short = position.tricks < WORTH_AN_ESTIMATE
        likely = _SMALL_MB if short else _RESERVE * estimate(position).memory_mb
        sizes = [self._memory_mb]
        while sizes[0] // 2 >= likely:
            sizes.insert(0, sizes[0] // 2)
        return sizes

    @contextmanager
    def _lent(self, memory_mb: int) -> Iterator[None]:
        """Waits for some memory, behind those that came before, and gives it back."""
        ticket = object()
        with self._changed:
            self._waiting.append(ticket)
            self._changed.wait_for(lambda: self._waiting[0] is ticket and self._free >= memory_mb)
            self._waiting.popleft()
            self._free -= memory_mb
            self._changed.notify_all()
        try:
            yield
        finally:
            with self._changed:
                self._free += memory_mb
                self._changed.notify_all()

    @contextmanager
    def _open(self, memory_mb: int, ties: Ties) -> Iterator[Expectations]:
        """Makes what can be stopped while it is used."""
        with Expectations(memory_mb, ties=ties) as expectations:
            with self._changed:
                self._running.add(expectations)
            try:
                yield expectations
            finally:
                with self._changed:
                    self._running.remove(expectations)
