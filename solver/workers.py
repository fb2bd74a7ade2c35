"""Runs searches on engines in threads, so that Ctrl-C and a time limit end them at once.

A C call in the main thread would hold Ctrl-C back until it returns. Here the calls run in worker threads (the
core releases the GIL) while the calling thread waits and, when interrupted, sets the engines' stop flags.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import ExitStack, contextmanager
from functools import partial
from queue import SimpleQueue
from threading import TIMEOUT_MAX, Lock, Timer
from time import monotonic
from typing import Protocol, TypeVar

from sgtmajor.engine import DEFAULT_MEMORY_MB, Engine
from sgtmajor.errors import InputError, SolverMemoryError

T = TypeVar("T")

# Waiting in slices lets Ctrl-C through on systems where a lock cannot be interrupted.
_WAIT_SLICE = 0.2
_STOP_SLICE = 0.02


class Stoppable(Protocol):
    """What work is done with, and what another thread can stop."""

    def stop(self) -> None:
        """Ends what is running, and all that comes later."""


def default_jobs() -> int:
    """Returns how many threads to use if nothing is said: the processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def check_jobs(jobs: int, threads: int, memory_mb: int) -> None:
    """Refuses to start no thread, or threads of less than 1 MiB.

    Args:
        jobs: The threads that were asked for.
        threads: The threads that are needed of them.
        memory_mb: MiB for all threads together.
    """
    if jobs < 1:
        raise InputError(f"{jobs} jobs are too few; expected 1 or more")
    if memory_mb < threads:
        raise InputError(
            f"{memory_mb} MiB are too little for {threads} jobs; expected 1 MiB or more for each"
        )


def fitting_jobs(jobs: int | None, memory_mb: int) -> int:
    """Returns how many threads to use: as many as are asked for, if the memory has a MiB for each."""
    return min(jobs or default_jobs(), memory_mb)


def run_on(engine: Stoppable, work: Callable[[], T], seconds: float | None = None) -> T:
    """Runs searches of one engine in a worker thread and returns what they return.

    Args:
        engine: The engine that `work` uses.
        work: The searches; it meets :class:`SearchStopped` when the time is up.
        seconds: Time limit; none if not given.
    """
    with time_limit(engine, seconds):
        return _run([work], [engine])[0]


def run_tasks(
    tasks: Sequence[Callable[[Engine], T]],
    *,
    jobs: int = 1,
    memory_mb: int = DEFAULT_MEMORY_MB,
    seconds: float | None = None,
    fair: bool = True,
) -> list[T]:
    """Runs independent tasks, each on an engine of its own thread, and returns their results in order.

    Args:
        tasks: Functions that take the engine they may use; they meet :class:`SearchStopped` when time is up.
        jobs: Threads, and engines, at most.
        memory_mb: MiB for all engines together.
        seconds: Time limit for all tasks together; none if not given.
        fair: Whether each task gets a fair share of the time; else the first ones may use all of it.

    Raises:
        InputError: If there is no thread, or less than 1 MiB for each.
    """
    threads = max(1, min(jobs, len(tasks)))
    check_jobs(jobs, threads, memory_mb)
    idle: SimpleQueue[Engine] = SimpleQueue()
    shares = _shares(seconds, threads, len(tasks), fair)
    next_share = Lock()

    def run(task: Callable[[Engine], T]) -> T:
        engine = idle.get()
        with next_share:
            share = next(shares)
        try:
            with time_limit(engine, share):
                return task(engine)
        finally:
            engine.resume()
            idle.put(engine)

    with ExitStack() as stack:
        engines = [stack.enter_context(Engine(memory_mb // threads)) for _ in range(threads)]
        for engine in engines:
            idle.put(engine)
        return _run([partial(run, task) for task in tasks], engines)


def run_in_turn(
    engine: Engine, tasks: Sequence[Callable[[Engine], T]], seconds: float | None = None
) -> list[T]:
    """Runs tasks one after the other on an engine, in the calling thread.

    Args:
        engine: The engine.
        tasks: As those of :func:`run_tasks`.
        seconds: Time limit for all tasks together, of which each gets a fair share; none if not given.
    """
    results = []
    for task, share in zip(tasks, _shares(seconds, 1, len(tasks), fair=True), strict=True):
        with time_limit(engine, share):
            results.append(task(engine))
        if seconds is not None:
            engine.resume()
    return results


def _shares(seconds: float | None, threads: int, tasks: int, fair: bool) -> Iterator[float | None]:
    """Yields the time limit of each task as it starts: what is left, or a fair share of that."""
    deadline = monotonic() + (seconds or 0)
    for left in range(tasks, 0, -1):
        time_left = max(0.0, deadline - monotonic())
        share = min(1.0, threads / left) if fair else 1.0
        yield None if seconds is None else time_left * share


@contextmanager
def time_limit(engine: Stoppable, seconds: float | None) -> Iterator[None]:
    """Stops the engine when the time is up, but not after the block has ended."""
    if seconds is None:
        yield
        return
    if not seconds >= 0:
        raise InputError(f"a time limit of {seconds} seconds; expected 0 or more")
    timer = Timer(min(seconds, TIMEOUT_MAX), engine.stop)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()


def _run(works: Sequence[Callable[[], T]], engines: Sequence[Stoppable]) -> list[T]:
    """Runs work in as many threads as there are engines; whatever ends the wait early stops the engines."""
    with ThreadPoolExecutor(len(engines)) as pool:
        futures: list[Future[T]] = []
        # Ctrl-C may come at any moment, and leaving the pool waits for its threads: all is inside the try.
        try:
            for work in works:
                futures.append(submit(pool, work))
            pending = set(futures)
            while pending:
                done, pending = wait(pending, timeout=_WAIT_SLICE, return_when="FIRST_EXCEPTION")
                for future in done:
                    future.result()
            return [future.result() for future in futures]
        except BaseException:
            stop_all(pool, futures, engines)
            raise


def submit(pool: ThreadPoolExecutor, work: Callable[[], T]) -> Future[T]:
    """Hands work to a pool of threads.

    Raises:
        SolverMemoryError: If the system refuses a thread.
    """
    try:
        return pool.submit(work)
    except RuntimeError as error:
        raise SolverMemoryError(f"the system refused a thread ({error}); ask for fewer jobs") from None


def stop_all(pool: ThreadPoolExecutor, futures: Sequence[Future[T]], engines: Sequence[Stoppable]) -> None:
    """Stops the engines until no work is left: a task that has just ended may have resumed its engine."""
    _stop(engines)
    pool.shutdown(wait=False, cancel_futures=True)
    # wait() alone would wait for the cancelled futures for ever: nobody is left to take notice of them.
    while wait([each for each in futures if not each.done()], timeout=_STOP_SLICE).not_done:
        _stop(engines)


def _stop(engines: Sequence[Stoppable]) -> None:
    """Stops all engines, whatever comes in between: impatient users press Ctrl-C more than once."""
    try:
        for engine in engines:
            engine.stop()
    except KeyboardInterrupt:
        _stop(engines)
