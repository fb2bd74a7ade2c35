"""The questions that can be asked about each record of a batch, and what becomes of a record.

What an answer says depends on the record and the job only, not on which worker gave it, nor on what that
worker had answered before: so the time and the nodes of a search are in it only if the job wants them. A
new question is a new entry of :data:`TASKS`, and of TASK_NAMES in the command.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, NamedTuple, Protocol

from sgtmajor.cards import Trump
from sgtmajor.engine import DEFAULT_MEMORY_MB, Engine
from sgtmajor.equilibrium import DEFAULT_EQUILIBRIUM_MB, NEUTRAL, Ties
from sgtmajor.errors import (
    EnumerationFull,
    InputError,
    SearchStopped,
    SgtMajorError,
    SolverMemoryError,
    error_to_dict,
)
from sgtmajor.lending import Lender
from sgtmajor.mistakes import COLUMNS, Review, review_record
from sgtmajor.record import Record, id_in, read_record
from sgtmajor.rules import Rules
from sgtmajor.tabular import flat
from sgtmajor.trump import analyze_record, check_found
from sgtmajor.values import expected_record, solve_record, trump_values
from sgtmajor.yardstick import By

# They differ from run to run: an answer's own are left out, and those of all the work are told if asked for.
ACCIDENTAL = ("nodes", "seconds")


class Answer(Protocol):
    """What a task finds out about a record."""

    def to_dict(self) -> dict[str, object]:
        """Returns the JSON form of the output contract."""


@dataclass(frozen=True, slots=True)
class Job:
    """What is asked about each record of a batch.

    Attributes:
        task: The question, one of :data:`TASKS`.
        trumps: For ``trumps`` and ``analyze``, the trumps to look at, those of the rules if there are none;
            for the others, the trump in place of the record's.
        rules: The rules in place of the record's.
        by: The yardstick of ``analyze`` and ``review``.
        alternatives: Next best discards that ``analyze`` is to value.
        cards: Whether ``solve`` and ``equilibrium`` value the cards of the seat to play.
        line: Whether they give one best line.
        seconds: Time limit for each record.
        memory_mb: MiB for the tables of all workers of this machine; on a cluster, of each worker thread.
        ties: What indifferent seats do in the equilibrium.
        equilibrium_mb: MiB for the positions of all equilibria that this machine works on at a time; on a
            cluster, of each worker thread.
        announcement: Whether ``review`` holds the trump and the discard against the best, too.
        times: Whether outcomes say what they took.

    Raises:
        InputError: If there is no such task, or it cannot be asked so.
    """

    task: str = "solve"
    trumps: tuple[Trump, ...] = ()
    rules: Rules | None = None
    by: By = "share"
    alternatives: int = 0
    cards: bool = False
    line: bool = False
    seconds: float | None = None
    memory_mb: int = DEFAULT_MEMORY_MB
    ties: Ties = NEUTRAL
    equilibrium_mb: int = DEFAULT_EQUILIBRIUM_MB
    announcement: bool = True
    times: bool = False

    def __post_init__(self) -> None:
        if self.task not in TASKS:
            raise InputError(f"unknown task {self.task!r}, expected one of {' '.join(TASKS)}")
        if not TASKS[self.task].compares and len(self.trumps) > 1:
            raise InputError(f"the task {self.task} takes one trump, expected the task trumps for several")
        for name, usual in _USUAL.items():
            if getattr(self, name) != usual and name not in TASKS[self.task].options:
                those = " ".join(task for task, each in TASKS.items() if name in each.options)
                raise InputError(f"the task {self.task} has no {name}, expected one that has: {those}")

    def read(self, record: Record | str) -> Record:
        """Reads a record; what the job says takes the place of what the record says."""
        overrides: dict[str, Any] = {} if self.rules is None else {"rules": self.rules}
        if not TASKS[self.task].compares and self.trumps:
            overrides["trump"] = self.trumps[0]
        return read_record(record, **overrides) if isinstance(record, str) else replace(record, **overrides)


@dataclass(frozen=True, slots=True)
class Tools:
    """What a worker thread answers with.

    Attributes:
        engine: Its own.
        lender: Where it gets the memory for an equilibrium, which the threads of this machine share.
    """

    engine: Engine
    lender: Lender


@dataclass(frozen=True, slots=True)
class Task:
    """A question that can be asked about each record of a batch.

    Attributes:
        ask: Answers it for a record, in the calling thread; raises :class:`InputError` if the record is not
            made for it, :class:`SearchStopped` if time is up, and :class:`SolverMemoryError` if it takes more
            memory than there is.
        columns: What a table has for it; see :meth:`Outcome.rows`.
        compares: Whether it looks at several trumps; otherwise at that of the record.
        options: The options of a job that are for it.
    """

    ask: Callable[[Tools, Record, Job], Answer]
    columns: tuple[str, ...]
    compares: bool = False
    options: tuple[str, ...] = ()


def _solve(tools: Tools, record: Record, job: Job) -> Answer:
    return solve_record(tools.engine, record, cards=job.cards, line=job.line, seconds=job.seconds)


def _equilibrium(tools: Tools, record: Record, job: Job) -> Answer:
    return expected_record(
        tools.engine,
        tools.lender,
        record,
        cards=job.cards,
        line=job.line,
        ties=job.ties,
        seconds=job.seconds,
    )


def _trumps(tools: Tools, record: Record, job: Job) -> Answer:
    return trump_values(tools.engine, record, job.trumps or record.rules.contracts, job.seconds)


def _analyze(tools: Tools, record: Record, job: Job) -> Answer:
    analysis = analyze_record(
        tools.engine,
        record,
        by=job.by,
        trumps=job.trumps or None,
        alternatives=job.alternatives,
        seconds=job.seconds,
    )
    return check_found(analysis, job.seconds)


def _review(tools: Tools, record: Record, job: Job) -> Answer:
    return review_record(tools.engine, record, by=job.by, announcement=job.announcement, seconds=job.seconds)


def _by_seat(*names: str) -> tuple[str, ...]:
    return tuple(f"{name}_{seat}" for name in names for seat in "DLR")


_NUMBERS = _by_seat("guaranteed", "ceiling", "share")

TASKS: Mapping[str, Task] = {
    "solve": Task(_solve, ("tricks", "trump", "lead", *_NUMBERS), options=("cards", "line")),
    "equilibrium": Task(
        _equilibrium,
        ("tricks", "trump", "lead", *_NUMBERS, "ties", *_by_seat("equilibrium")),
        options=("cards", "line", "ties", "equilibrium_mb"),
    ),
    "trumps": Task(_trumps, ("tricks", "trump", "lead", *_NUMBERS), compares=True),
    "analyze": Task(
        _analyze,
        (
            *("rules", "by", "announcer", "leader", "trump", "discard"),
            *_NUMBERS,
            *_by_seat("points"),
            "complete",
        ),
        compares=True,
        options=("by", "alternatives"),
    ),
    "review": Task(_review, COLUMNS, options=("by", "announcement")),
}
# What the options are that are for some tasks only, if nothing is said of them.
_USUAL = {
    each.name: each.default
    for each in fields(Job)
    if any(each.name in task.options for task in TASKS.values())
}


@dataclass(frozen=True, slots=True)
class Item:
    """A record to be answered.

    Attributes:
        number: Its place among the records of the batch, from 1.
        content: The record, its text, or what is wrong with it.
        text: Its text as it came.
        source: The file it is from, for errors.
        line: The number of its line there: its id if it has none.
    """

    number: int
    content: Record | str | InputError
    text: str
    source: str | None = None
    line: int | None = None


class Took(NamedTuple):
    """What an answer took: cards played by the search, and seconds, also those of waiting for memory."""

    nodes: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one record of a batch.

    Attributes:
        number: Its place among the records of the batch, from 1.
        id: Its name, or else the number of its line.
        text: The record, as far as it can be read.
        record: The record, None if it cannot be read.
        answer: The answer, such as a :class:`Solution`; None if it failed.
        error: Why it failed, with its place; None if it did not.
        took: What it took, if the job wants to know.
    """

    number: int
    id: str
    text: str
    record: Record | None = None
    answer: Answer | None = None
    error: SgtMajorError | None = None
    took: Took | None = None

    def to_dict(self) -> dict[str, object]:
        """Returns the JSON form: id, number, record, and then the answer or the error."""
        head: dict[str, object] = {"id": self.id, "number": self.number, "record": self.text}
        if self.error:
            return head | error_to_dict(self.error)
        assert self.answer is not None, "an outcome is an answer or an error"
        answer = self.answer.to_dict()
        took = {"nodes": self.took.nodes, "seconds": round(self.took.seconds, 3)} if self.took else {}
        return head | {k: v for k, v in answer.items() if k not in (*head, *ACCIDENTAL)} | took

    def rows(self) -> list[dict[str, object]]:
        """Returns the outcome as rows of a table: one, one a trump, best first, or one a card of the play."""
        if isinstance(self.answer, Review):
            head = {"id": self.id, "number": self.number, "record": self.text}
            return [head | row for row in self.answer.rows()]
        values = self.to_dict()
        trumps = values.pop("trumps", None)
        if isinstance(trumps, dict):
            return [flat(values) | {"trump": trump} | flat(each) for trump, each in trumps.items()]
        if self.answer and self.record and self.record.trump and "trump" not in values:
            values |= {"trump": str(self.record.trump), "lead": str(self.record.position.leader)}
        return [flat(values)]


def _place(item: Item) -> str:
    return f"{item.source}:{item.line}: " if item.source else ""


def _placed(refused: SolverMemoryError, place: str) -> SolverMemoryError:
    if isinstance(refused, EnumerationFull):
        return EnumerationFull(f"{place}{refused.message}", refused.memory_mb, refused.later)
    return SolverMemoryError(f"{place}{refused}")


def answer(tools: Tools, item: Item, job: Job) -> Outcome:
    """Answers one record, in the calling thread; what is wrong with it is in the outcome."""
    record, text, name = None, item.text, str(item.line or item.number)
    # What was stored for other records would only be in the way.
    tools.engine.clear()
    try:
        if isinstance(item.content, InputError):
            raise item.content
        record = job.read(item.content)
        text, name = str(record), record.id or name
        started, plays = time.perf_counter(), tools.engine.stats().plays
        found = TASKS[job.task].ask(tools, record, job)
        took = Took(tools.engine.stats().plays - plays, time.perf_counter() - started)
        return Outcome(item.number, name, text, record, found, took=took if job.times else None)
    except InputError as error:
        placed = error.at(source=item.source, line=item.line if item.source else None)
        if record is None:
            name = id_in(text) or name
        return Outcome(item.number, name, text, record, error=placed)
    except SearchStopped as stopped:
        error_text = f"{_place(item)}time was up after {job.seconds or 0:g} s"
        return Outcome(item.number, name, text, record, error=SearchStopped(error_text, stopped.bounds))
    except SolverMemoryError as refused:
        return Outcome(item.number, name, text, record, error=_placed(refused, _place(item)))
    finally:
        if job.seconds is not None:
            tools.engine.resume()
