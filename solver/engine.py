"""The border to the C core: the only module that touches cffi."""

from __future__ import annotations

from dataclasses import dataclass
from threading import Lock
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal

from sgtmajor._core import ffi, lib
from sgtmajor.cards import BySeat, Seat
from sgtmajor.deal import Position
from sgtmajor.errors import EnumerationFull, InputError, SearchStopped, SgtMajorError, SolverMemoryError

if TYPE_CHECKING:
    from typing_extensions import Self

DEFAULT_MEMORY_MB = 256
MAX_TRICKS: int = lib.SGM_MAX_TRICKS
MIB = 1 << 20
_MAX_MEMORY_MB = 1 << 24
_TIES = {
    "neutral": lib.SGM_TIES_NEUTRAL,
    "against": lib.SGM_TIES_AGAINST,
    "for": lib.SGM_TIES_FOR,
}


@dataclass(frozen=True, slots=True)
class Bounds:
    """What is proven of a number of tricks: ``lower`` <= exact value <= ``upper``."""

    lower: int = 0
    upper: int = MAX_TRICKS

    @property
    def exact(self) -> bool:
        """Whether the value is known."""
        return self.lower == self.upper

    def __str__(self) -> str:
        return str(self.lower) if self.exact else f"{self.lower}-{self.upper}"


def unproven(tricks: int) -> BySeat[Bounds]:
    """Returns the bounds of each seat where nothing is proven, of so many tricks."""
    return BySeat.of(lambda _: Bounds(0, tricks))


@dataclass(frozen=True, slots=True)
class Stats:
    """What an engine has done since it was made or cleared.

    Attributes:
        plays: Cards played by the search: the node count.
        lookups: Positions looked up in the table.
        hits: Look-ups that answered the question.
        stores: Patterns stored.
        evictions: Times that patterns were dropped to make room.
        memory: Bytes that the engine holds.
    """

    plays: int
    lookups: int
    hits: int
    stores: int
    evictions: int
    memory: int


class _Context:
    """A context of the C core: who may use it when, and how it is stopped and freed."""

    def __init__(self, memory_mb: int, new: Any, type_name: str, free: Any, stop: Any, resume: Any) -> None:
        self._context: Any = None
        # Held by whoever uses the context: the core wants one thread at a time.
        self._busy = Lock()
        # Held for a moment to stop or free the context, so that nobody stops what is being freed.
        self._alive = Lock()
        if not 1 <= memory_mb <= _MAX_MEMORY_MB:
            raise InputError(f"a memory of {memory_mb} MiB is out of range; expected 1 to {_MAX_MEMORY_MB}")
        out = ffi.new(f"{type_name} **")
        _check(new(memory_mb * MIB, out), memory_mb)
        self._context = ffi.gc(out[0], free, memory_mb * MIB)
        self._stop, self._resume = stop, resume
        self._position = ffi.new("sgm_position *")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Frees the tables, after the end of a search if one is running. Only this may be called again."""
        self.stop()
        with self._busy, self._alive:
            if self._context is not None:
                ffi.release(self._context)
                self._context = None

    def stop(self) -> None:
        """Ends a running search, and every later one until :meth:`resume`, within 50 ms; from any thread."""
        with self._alive:
            if self._context is not None:
                self._stop(self._context)

    def resume(self) -> None:
        """Withdraws :meth:`stop`."""
        with self._alive:
            self._resume(self._open())

    def _open(self) -> Any:
        if self._context is None:
            raise SgtMajorError("the engine is closed")
        return self._context

    def _fill(self, position: Position) -> None:
        target = self._position
        target.hands = [hand.mask for hand in position.hands.values()]
        target.trump = position.trump.index
        target.leader = position.leader.index
        target.trick_count = len(position.trick)
        for place, card in enumerate(position.trick):
            target.trick[place] = card.number


class Engine(_Context):
    """A search with its tables: cold when new.

    Threads that share an engine wait for each other; only :meth:`stop` does not wait.

    Args:
        memory_mb: MiB that the tables may use, at least 1.

    Raises:
        InputError: If ``memory_mb`` is out of range.
        SolverMemoryError: If the system refuses the memory.
    """

    def __init__(self, memory_mb: int = DEFAULT_MEMORY_MB) -> None:
        super().__init__(memory_mb, lib.sgm_new, "sgm_context", lib.sgm_free, lib.sgm_stop, lib.sgm_resume)
        self._bounds = ffi.new("sgm_bounds *")
        self._stats = ffi.new("sgm_stats *")

    def bounds(
        self,
        position: Position,
        seat: Seat,
        *,
        at_least: int = 0,
        node_limit: int = 0,
        known: Bounds | None = None,
    ) -> Bounds:
        """Narrows the bounds on the tricks that a seat is sure of (max-min: the other two against it).

        Args:
            position: Any moment of the play; the trick in progress counts.
            seat: The seat that is to be sure of the tricks.
            at_least: End as soon as "at least this many?" is decided; 0 asks for the exact value.
            node_limit: Cards played by the search at most; 0 for no limit.
            known: Bounds that the caller has proven already.

        Returns:
            Exact bounds, or with ``at_least`` bounds that decide the question.

        Raises:
            SearchStopped: If the search was stopped or ran into the node limit; its ``bounds`` are what was
                proven until then.
        """
        known = known or Bounds()
        with self._busy:
            context = self._open()
            self._bounds.lower, self._bounds.upper = known.lower, known.upper
            self._fill(position)
            status = lib.sgm_guaranteed(
                context, self._position, seat.index, at_least, node_limit, self._bounds
            )
            proven = Bounds(self._bounds.lower, self._bounds.upper)
        if status == lib.SGM_STOPPED:
            by_seat = unproven(position.tricks).replace(seat, proven)
            raise SearchStopped("the search was stopped before the value was proven", by_seat)
        _check(status)
        return proven

    def clear(self) -> None:
        """Forgets all that is stored: the engine is cold again. Waits for a search to end."""
        with self._busy:
            lib.sgm_clear(self._open())

    def stats(self) -> Stats:
        """Returns the counters. Waits for a search to end."""
        with self._busy:
            _check(lib.sgm_get_stats(self._open(), self._stats))
            return Stats(*(getattr(self._stats, name) for name in Stats.__slots__))


@dataclass(frozen=True, slots=True)
class Listing:
    """How far an enumeration is.

    Attributes:
        listed: Positions at trick starts found so far.
        valued: Positions of these whose values are known; all of them in the end.
        lookups: Positions looked up, to list them and to value others from them: the node count.
        memory: Bytes held.
        peak: The most bytes that were ever held.
        positions: Positions found, by the cards a hand that are left, from 0.
    """

    listed: int
    valued: int
    lookups: int
    memory: int
    peak: int
    positions: tuple[int, ...]


class Enumeration(_Context):
    """All positions that the play can lead to from a root, each with what every seat can expect.

    Threads that share an enumeration wait for each other; only :meth:`stop` and :meth:`progress` do not wait.

    Args:
        memory_mb: MiB that the positions may take, at least 1.

    Raises:
        InputError: If ``memory_mb`` is out of range.
        SolverMemoryError: If the system refuses the memory.
    """

    def __init__(self, memory_mb: int) -> None:
        super().__init__(
            memory_mb,
            lib.sgm_equilibrium_new,
            "sgm_equilibrium",
            lib.sgm_equilibrium_free,
            lib.sgm_equilibrium_stop,
            lib.sgm_equilibrium_resume,
        )
        self._memory_mb = memory_mb
        self._values = ffi.new("double[3]")

    def enumerate(
        self, root: Position, threads: int, ties: Literal["neutral", "against", "for"], seat: Seat
    ) -> None:
        """Lists and values all that can come up from a position, in place of what was there.

        Args:
            root: Any moment of the play.
            threads: Threads to use, at least 1; the values do not depend on it.
            ties: What a seat does that has several best cards: plays each as likely, or those that are worst
                or best for `seat`.
            seat: The seat that `ties` names; any if neutral.

        Raises:
            InputError: If there are no or too many threads.
            SearchStopped: If it was stopped; nothing is known then.
            EnumerationFull: If the memory does not hold the positions.
            SolverMemoryError: If the system refuses the memory.
        """
        if not 1 <= threads <= lib.SGM_MAX_THREADS:
            raise InputError(f"{threads} threads are out of range; expected 1 to {lib.SGM_MAX_THREADS}")
        with self._busy:
            context = self._open()
            self._fill(root)
            status = lib.sgm_equilibrium_solve(context, self._position, threads, _TIES[ties], seat.index)
        if status == lib.SGM_STOPPED:
            raise SearchStopped(
                "the enumeration was stopped before the values were known", unproven(root.tricks)
            )
        if status == lib.SGM_ERR_FULL:
            raise EnumerationFull(f"the positions do not fit into {self._memory_mb} MiB")
        _check(status, self._memory_mb)

    def values(self, position: Position) -> BySeat[float] | None:
        """Returns the tricks that each seat can expect, or None for a position that was not enumerated."""
        with self._busy:
            context = self._open()
            self._fill(position)
            status = lib.sgm_equilibrium_values(context, self._position, self._values)
            if status == lib.SGM_ERR_UNKNOWN:
                return None
            _check(status, self._memory_mb)
            return BySeat(*self._values)

    def clear(self) -> None:
        """Forgets what was enumerated and frees its memory. Waits for an enumeration to end."""
        with self._busy:
            lib.sgm_equilibrium_clear(self._open())

    def progress(self) -> Listing:
        """Returns how far the enumeration is, without waiting for it."""
        with self._alive:
            found = ffi.new("sgm_progress *")
            _check(lib.sgm_equilibrium_progress(self._open(), found))
        return Listing(
            found.listed, found.valued, found.lookups, found.memory, found.peak, tuple(found.positions)
        )


def _check(status: int, memory_mb: int = 0) -> None:
    """Maps a status of the C core to an exception: the one place where that is done."""
    if status == lib.SGM_OK:
        return
    text = ffi.string(lib.sgm_status_text(status)).decode()
    if status == lib.SGM_ERR_MEMORY:
        raise SolverMemoryError(f"{text} ({memory_mb} MiB); ask for less")
    raise SgtMajorError(f"the solver core refused the position: {text}")
