"""Any number of records: answered on all cores or on a cluster, one by one as they come.

The records are cut into chunks that go to the workers of a pool: threads here (the C core releases the GIL),
or those of a cluster. A chunk is as long as takes a moment: hard records go alone, easy ones in company. Only
so many records are on their way at a time, so memory does not grow with their number. A hard record does not
hold up those behind it: they are answered meanwhile, and wait in line if the order matters.
"""

from __future__ import annotations

import time
from abc import abstractmethod
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from functools import cache, partial
from itertools import count
from queue import SimpleQueue
from threading import local
from types import TracebackType

from sgtmajor.cards import Trump
from sgtmajor.engine import DEFAULT_MEMORY_MB, Engine
from sgtmajor.equilibrium import DEFAULT_EQUILIBRIUM_MB, NEUTRAL, Ties
from sgtmajor.errors import InputError, SgtMajorError
from sgtmajor.lending import Lender
from sgtmajor.record import Record
from sgtmajor.rules import Rules
from sgtmajor.tasks import Item, Job, Outcome, Tools, answer
from sgtmajor.workers import check_jobs, default_jobs, stop_all, submit
from sgtmajor.yardstick import By

# Records between the oldest that is not answered and the newest that is read.
AHEAD = 10_000
# Chunks on their way for each worker: one that it works on and one that waits for it.
_CHUNKS_EACH = 2
_CHUNK_SECONDS = 0.2
_MAX_CHUNK = 256
# A record that is so many times as long as those that were measured has more cards: it goes alone.
_LONGER = 1.25
_WAIT_SLICE = 0.2
# How often a chunk may be lost before the run ends.
_MAX_LOST = 3


class LostWorkError(SgtMajorError):
    """A chunk was lost on its way, with a worker or the connection to it: it may be sent again."""


class Pool(AbstractContextManager["Pool"]):
    """Workers behind the interface of concurrent.futures.

    Attributes:
        width: How many chunks it works on at a time.
    """

    width: int

    @abstractmethod
    def submit(self, work: Callable[[], Chunk]) -> Future[Chunk]:
        """Hands a chunk to the workers."""

    def check(self) -> None:
        """Looks how many workers there are; refuses to wait any longer if there is nobody to wait for."""

    def result(self, future: Future[Chunk]) -> Chunk:
        """Returns what a chunk has become.

        Raises:
            LostWorkError: If it was lost.
        """
        return future.result()

    @abstractmethod
    def stop(self, running: Sequence[Future[Chunk]]) -> None:
        """Ends what is running, at once; the pool is of no use then."""


class LocalPool(Pool):
    """Threads of this process, each with an engine of its own.

    Args:
        jobs: How many; one a processor if not given.
        memory_mb: MiB for the tables of all of them.
        equilibrium_mb: MiB for the equilibria of all of them.

    Raises:
        InputError: If there is no thread, or less than 1 MiB for each.
        SolverMemoryError: If the system refuses the memory.
    """

    def __init__(
        self,
        jobs: int | None = None,
        memory_mb: int = DEFAULT_MEMORY_MB,
        equilibrium_mb: int = DEFAULT_EQUILIBRIUM_MB,
    ) -> None:
        jobs = default_jobs() if jobs is None else jobs
        check_jobs(jobs, jobs, memory_mb)
        self.width = jobs
        self._engines = [Engine(memory_mb // jobs) for _ in range(jobs)]
        self._lender = Lender(equilibrium_mb)
        idle: SimpleQueue[Engine] = SimpleQueue()
        for engine in self._engines:
            idle.put(engine)

        def take_tools() -> None:
            _here.tools, _here.memory = Tools(idle.get(), self._lender), None

        self._threads = ThreadPoolExecutor(jobs, initializer=take_tools)

    def submit(self, work: Callable[[], Chunk]) -> Future[Chunk]:
        """Hands a chunk to the threads."""
        return submit(self._threads, work)

    def stop(self, running: Sequence[Future[Chunk]]) -> None:
        """Ends what is running, at once; the pool is of no use then."""
        stop_all(self._threads, running, [*self._engines, self._lender])

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._threads.shutdown()
        for engine in self._engines:
            engine.close()


# The tools of each worker thread; with their memory on a cluster, where they serve one job after another.
_here = local()


def _tools(job: Job) -> Tools:
    """Returns the tools of this thread."""
    memory = (job.memory_mb, job.equilibrium_mb)
    if not hasattr(_here, "tools") or _here.memory not in (None, memory):
        _here.tools, _here.memory = Tools(Engine(job.memory_mb), Lender(job.equilibrium_mb)), memory
    tools: Tools = _here.tools
    return tools


@dataclass(frozen=True, slots=True)
class Chunk:
    """The outcomes of some records, in order, and the seconds that they took."""

    outcomes: tuple[Outcome, ...]
    seconds: float


def answer_chunk(job: Job, items: Sequence[Item], version: str) -> Chunk:
    """Answers some records, in a worker thread.

    Args:
        job: What is asked.
        items: The records.
        version: The version of the package that asks.

    Raises:
        InputError: If the worker has another version.
    """
    if version != package_version():
        raise InputError(
            f"a worker has sgtmajor {package_version()}, expected {version} as here: install the same on both"
        )
    tools = _tools(job)
    started = time.perf_counter()
    outcomes = tuple(answer(tools, item, job) for item in items)
    return Chunk(outcomes, time.perf_counter() - started)


@cache
def package_version() -> str:
    """Returns the version of the package."""
    import sgtmajor

    return str(sgtmajor.__version__)


@dataclass(slots=True)
class _Feed:
    """Cuts the records into chunks that take a moment each."""

    items: Iterator[Item]
    size: int = 1
    each: float = 0.0
    ended: bool = False
    error: Exception | None = None
    read: int = 0
    # A record that is to go alone, and how long the records of the last chunk were.
    held: Item | None = None
    length: int = 0

    def next_chunk(self) -> list[Item]:
        """Returns the next records; none at the end. Records that come slowly are not waited for long."""
        chunk: list[Item] = []
        end = time.monotonic() + _CHUNK_SECONDS
        while len(chunk) < self.size and (not chunk or time.monotonic() < end):
            item = self._next_item()
            # Many cards are hard: those in company with them would have to wait.
            alone = item is not None and len(item.text) > _LONGER * self.length
            if chunk and alone:
                self.held = item
                break
            if item is not None:
                chunk.append(item)
            if item is None or alone:
                break
        self.read += len(chunk)
        return chunk

    def _next_item(self) -> Item | None:
        """Returns the next record; None at the end, and where the input is broken."""
        held, self.held = self.held, None
        if held:
            return held
        try:
            return next(self.items)
        except StopIteration:
            self.ended = True
        except Exception as error:
            # What is on its way is answered first.
            self.ended, self.error = True, error
        return None

    def learn(self, items: Sequence[Item], chunk: Chunk) -> None:
        """Fits the size of chunks to what the last ones took; it grows step by step, and shrinks at once."""
        self.length = max(len(item.text) for item in items)
        measured = chunk.seconds / len(chunk.outcomes)
        self.each = measured if measured > self.each else (self.each + measured) / 2
        fitting = int(_CHUNK_SECONDS / self.each) if self.each else _MAX_CHUNK
        self.size = max(1, min(fitting, 2 * self.size, _MAX_CHUNK))


@dataclass(frozen=True, slots=True)
class _Sent:
    """A chunk that is on its way: its number, its records, and how often it was lost before."""

    number: int
    items: Sequence[Item]
    lost: int = 0


@dataclass(slots=True)
class _Line:
    """Chunks that are done, waiting for those before them."""

    ordered: bool
    done: dict[int, Chunk] = field(default_factory=dict)
    # The number of the chunk that is next to leave, and how many records have left.
    head: int = 0
    left: int = 0

    def add(self, number: int, chunk: Chunk) -> Iterator[Outcome]:
        """Takes a chunk; yields the outcomes whose turn it is."""
        self.done[number] = chunk
        turn = self.head if self.ordered else number
        while turn in self.done:
            leaving = self.done.pop(turn)
            self.head, turn = self.head + 1, turn + 1
            self.left += len(leaving.outcomes)
            yield from leaving.outcomes


def run_batch(
    items: Iterable[Item], job: Job, pool: Pool, *, ordered: bool = True
) -> Generator[Outcome, None, None]:
    """Answers records on a pool of workers.

    Args:
        items: The records.
        job: What is asked.
        pool: The workers.
        ordered: Whether outcomes come in the order of the records, or as they are ready.

    Yields:
        The outcomes. Closing the generator ends what is running.

    Raises:
        Exception: What taking the records has raised, after the outcomes of those before.
    """
    feed, line = _Feed(iter(items)), _Line(ordered)
    running: dict[Future[Chunk], _Sent] = {}
    numbers = count()

    def send(chunk: _Sent) -> None:
        running[pool.submit(partial(answer_chunk, job, chunk.items, package_version()))] = chunk

    try:
        while running or not feed.ended:
            pool.check()
            # The next record may be long in coming: what is done goes first.
            while (
                len(running) < _CHUNKS_EACH * pool.width
                and feed.read - line.left < AHEAD
                and not any(future.done() for future in running)
            ):
                chunk = feed.next_chunk()
                if not chunk:
                    break
                send(_Sent(next(numbers), chunk))
            # In slices: Ctrl-C must get through.
            done = wait(running, timeout=_WAIT_SLICE, return_when=FIRST_COMPLETED).done
            for future in sorted(done, key=lambda each: running[each].number):
                sent = running.pop(future)
                try:
                    finished = pool.result(future)
                except LostWorkError:
                    if sent.lost == _MAX_LOST:
                        raise
                    send(replace(sent, lost=sent.lost + 1))
                    continue
                feed.learn(sent.items, finished)
                yield from line.add(sent.number, finished)
        if feed.error:
            raise feed.error
    finally:
        if running:
            pool.stop(list(running))


def solve_many(
    records: Iterable[Record | str],
    *,
    task: str = "solve",
    jobs: int | None = None,
    ordered: bool = True,
    scheduler: str | None = None,
    trumps: Sequence[Trump] = (),
    rules: Rules | str | None = None,
    by: By = "share",
    alternatives: int = 0,
    cards: bool = False,
    line: bool = False,
    seconds: float | None = None,
    memory_mb: int = DEFAULT_MEMORY_MB,
    ties: Ties = NEUTRAL,
    equilibrium_mb: int = DEFAULT_EQUILIBRIUM_MB,
    announcement: bool = True,
) -> Iterator[Outcome]:
    """Answers a question about each of any number of records, on all cores or on a cluster.

    Records are taken from the iterable as they are needed, so it may be endless. A record that fails does not
    stop the others.

    Args:
        records: Records, or their texts.
        task: ``solve`` (a :class:`Solution` each), ``equilibrium`` (a :class:`Solution` with it), ``trumps``
            (:class:`TrumpValues`: each trump, the hands as they stand), ``analyze`` (an :class:`Analysis`) or
            ``review`` (a :class:`Review`).
        jobs: Threads; one a processor if not given.
        ordered: Whether outcomes come in the order of the records, or as they are ready.
        scheduler: Address of the scheduler of a Dask cluster, such as ``tcp://host:8786``, to be used in
            place of threads; needs the extra ``cluster``.
        trumps: For ``trumps`` and ``analyze``, the trumps to look at, those of the rules if not given; for
            the others, one trump in place of the record's.
        rules: Rules in place of the record's.
        by: The yardstick of ``analyze`` and ``review``.
        alternatives: Next best discards that ``analyze`` is to value.
        cards: Whether ``solve`` and ``equilibrium`` value the cards of the seat to play.
        line: Whether they give one best line.
        seconds: Time limit for each record.
        memory_mb: MiB for the tables of all threads; on a cluster, of each worker thread.
        ties: What indifferent seats do in the equilibrium.
        equilibrium_mb: MiB for the positions of all equilibria at a time; on a cluster, of each worker
            thread. A record that does not fit fails.
        announcement: Whether ``review`` holds the trump and the discard against the best, too.

    Yields:
        An outcome for each record, with its ``answer`` or ``error``.

    Raises:
        InputError: If an argument is wrong.
    """
    if isinstance(rules, str):
        rules = Rules.parse(rules)
    job = Job(
        task,
        tuple(trumps),
        rules,
        by,
        alternatives,
        cards,
        line,
        seconds,
        memory_mb,
        ties,
        equilibrium_mb,
        announcement,
    )
    return _outcomes(records, job, jobs, scheduler, ordered)


def _outcomes(
    records: Iterable[Record | str], job: Job, jobs: int | None, scheduler: str | None, ordered: bool
) -> Iterator[Outcome]:
    items = (Item(number, record, str(record)) for number, record in enumerate(records, start=1))
    with open_pool(job, jobs, scheduler) as pool:
        yield from run_batch(items, job, pool, ordered=ordered)


def open_pool(job: Job, jobs: int | None, scheduler: str | None) -> Pool:
    """Returns the workers for a job: threads, or those of a cluster if an address is given."""
    if scheduler is None:
        return LocalPool(jobs, job.memory_mb, job.equilibrium_mb)
    from sgtmajor.cluster import ClusterPool

    return ClusterPool(scheduler)
