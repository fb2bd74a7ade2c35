"""The questions that can be asked about each record of a batch, and what becomes of a record.

What an answer says depends on the record and the job only, not on which worker gave it, nor on what that
worker had answered before: so the time and the nodes of a search are not in it. A new question is a new entry
of :data:`TASKS`, and of TASK_NAMES in the command.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Protocol

from sgtmajor.cards import Trump
from sgtmajor.engine import DEFAULT_MEMORY_MB, Engine
from sgtmajor.errors import InputError, SearchStopped, SgtMajorError, error_to_dict
from sgtmajor.kitty import By
from sgtmajor.record import Record, read_record
from sgtmajor.rules import Rules
from sgtmajor.tabular import flat
from sgtmajor.trump import analyze_record, check_found
from sgtmajor.values import solve_record, trump_values

# Left out of answers: they differ from run to run.
_ACCIDENTAL = ("nodes", "seconds")


class Answer(Protocol):
    """What a task finds out about a record."""

    def to_dict(self) -> dict[str, object]:
        """Returns the JSON form of the output contract."""


@dataclass(frozen=True, slots=True)
class Job:
    """What is asked about each record of a batch.

    Attributes:
        task: The question, one of :data:`TASKS`.
        trumps: For ``solve``, the trump in place of the record's; for the others, the trumps to look at,
            those of the rules if there are none.
        rules: The rules in place of the record's.
        by: The yardstick of ``analyze``.
        alternatives: Next best discards that ``analyze`` is to value.
        cards: Whether ``solve`` values the cards of the seat to play.
        line: Whether ``solve`` gives one best line.
        seconds: Time limit for each record.
        memory_mb: MiB for the tables of all workers of this machine; on a cluster, of each worker thread.

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

    def __post_init__(self) -> None:
        if self.task not in TASKS:
            raise InputError(f"unknown task {self.task!r}, expected one of {' '.join(TASKS)}")
        if self.task == "solve" and len(self.trumps) > 1:
            raise InputError("the task solve takes one trump, expected the task trumps for several")
        for name, usual in _USUAL.items():
            if getattr(self, name) != usual and name not in TASKS[self.task].options:
                those = " ".join(task for task, each in TASKS.items() if name in each.options)
                raise InputError(f"the task {self.task} has no {name}, expected the task {those}")

    def read(self, record: Record | str) -> Record:
        """Reads a record; what the job says takes the place of what the record says."""
        overrides: dict[str, Any] = {} if self.rules is None else {"rules": self.rules}
        if self.task == "solve" and self.trumps:
            overrides["trump"] = self.trumps[0]
        return read_record(record, **overrides) if isinstance(record, str) else replace(record, **overrides)


@dataclass(frozen=True, slots=True)
class Task:
    """A question that can be asked about each record of a batch.

    Attributes:
        ask: Answers it for a record, on an engine, in the calling thread; raises :class:`InputError` if the
            record is not made for it, and :class:`SearchStopped` if time is up.
        columns: What a table has for it; see :meth:`Outcome.rows`.
        options: The options of a job that are for it.
    """

    ask: Callable[[Engine, Record, Job], Answer]
    columns: tuple[str, ...]
    options: tuple[str, ...] = ()


def _solve(engine: Engine, record: Record, job: Job) -> Answer:
    return solve_record(engine, record, cards=job.cards, line=job.line, seconds=job.seconds)


def _trumps(engine: Engine, record: Record, job: Job) -> Answer:
    return trump_values(engine, record, job.trumps or record.rules.contracts, job.seconds)


def _analyze(engine: Engine, record: Record, job: Job) -> Answer:
    analysis = analyze_record(
        engine,
        record,
        by=job.by,
        trumps=job.trumps or None,
        alternatives=job.alternatives,
        seconds=job.seconds,
    )
    return check_found(analysis, job.seconds)


def _by_seat(*names: str) -> tuple[str, ...]:
    return tuple(f"{name}_{seat}" for name in names for seat in "DLR")


_NUMBERS = _by_seat("guaranteed", "ceiling", "share")

TASKS: Mapping[str, Task] = {
    "solve": Task(_solve, ("tricks", "trump", "lead", *_NUMBERS), ("cards", "line")),
    "trumps": Task(_trumps, ("tricks", "trump", "lead", *_NUMBERS)),
    "analyze": Task(
        _analyze,
        (
            *("rules", "by", "announcer", "leader", "trump", "discard"),
            *_NUMBERS,
            *_by_seat("points"),
            "complete",
        ),
        ("by", "alternatives"),
    ),
}
# What the options are that are for some tasks only, if nothing is said of them.
_USUAL = {
    each.name: each.default for each in fields(Job) if each.name in ("by", "alternatives", "cards", "line")
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
    """

    number: int
    id: str
    text: str
    record: Record | None = None
    answer: Answer | None = None
    error: SgtMajorError | None = None

    def to_dict(self) -> dict[str, object]:
        """Returns the JSON form: id, number, record, and then the answer or the error."""
        head: dict[str, object] = {"id": self.id, "number": self.number, "record": self.text}
        if self.error:
            return head | error_to_dict(self.error)
        assert self.answer is not None, "an outcome is an answer or an error"
        answer = self.answer.to_dict()
        return head | {key: value for key, value in answer.items() if key not in (*head, *_ACCIDENTAL)}

    def rows(self) -> list[dict[str, object]]:
        """Returns the outcome as rows of a table: one, or one for each trump, best first."""
        values = self.to_dict()
        trumps = values.pop("trumps", None)
        if isinstance(trumps, dict):
            return [flat(values) | {"trump": trump} | flat(each) for trump, each in trumps.items()]
        if self.answer and self.record and self.record.trump and "trump" not in values:
            values |= {"trump": str(self.record.trump), "lead": str(self.record.position.leader)}
        return [flat(values)]


def answer(engine: Engine, item: Item, job: Job) -> Outcome:
    """Answers one record on an engine, in the calling thread; what is wrong with it is in the outcome."""
    record, text, name = None, item.text, str(item.line or item.number)
    # What was stored for other records would only be in the way.
    engine.clear()
    try:
        if isinstance(item.content, InputError):
            raise item.content
        record = job.read(item.content)
        text, name = str(record), record.id or name
        return Outcome(item.number, name, text, record, TASKS[job.task].ask(engine, record, job))
    except InputError as error:
        placed = error.at(source=item.source, line=item.line if item.source else None)
        return Outcome(item.number, name, text, record, error=placed)
    except SearchStopped as stopped:
        place = f"{item.source}:{item.line}: " if item.source else ""
        error_text = f"{place}time was up after {job.seconds or 0:g} s"
        return Outcome(item.number, name, text, record, error=SearchStopped(error_text, stopped.bounds))
    finally:
        if job.seconds is not None:
            engine.resume()
