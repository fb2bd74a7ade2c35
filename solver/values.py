"""What a position is worth: guaranteed, ceiling and share of each seat, of each card, and a best line."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import TracebackType
from typing import TypeVar

from sgtmajor.cards import BySeat, Card, Seat, Trump
from sgtmajor.deal import Position
from sgtmajor.engine import DEFAULT_MEMORY_MB, Bounds, Engine, Stats
from sgtmajor.errors import SearchStopped
from sgtmajor.record import Record
from sgtmajor.workers import run_on, time_limit

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Values:
    """What a position is worth to each seat, in tricks, the trick in progress included.

    Attributes:
        tricks: Tricks still to be won.
        guaranteed: The most tricks a seat is sure of whatever the other two do, even together: max-min, the
            "paranoid" value (Sturtevant & Korf 2000).
        nodes: Cards played by the search to get here.
        seconds: Wall-clock time of the search.
    """

    tricks: int
    guaranteed: BySeat[int]
    nodes: int = 0
    seconds: float = 0.0

    @property
    def ceiling(self) -> BySeat[int]:
        """What each seat gets at most if the other two make no mistake."""
        total = sum(self.guaranteed.values())
        return BySeat.of(lambda seat: self.tricks - total + self.guaranteed[seat])

    @property
    def share(self) -> BySeat[float]:
        """Guaranteed plus a third of what nobody is sure of: the coalition game's Shapley value (1953)."""
        rest = self.tricks - sum(self.guaranteed.values())
        return BySeat.of(lambda seat: self.guaranteed[seat] + rest / 3)

    def to_dict(self) -> dict[str, dict[str, int] | dict[str, float]]:
        """Returns the three numbers by seat as the JSON output has them."""
        return {
            "guaranteed": self.guaranteed.to_dict(),
            "ceiling": self.ceiling.to_dict(),
            "share": {str(seat): round(share, 3) for seat, share in self.share.items()},
        }


@dataclass(frozen=True, slots=True)
class CardValue:
    """What a position is worth if a card is played now.

    Attributes:
        card: The card; the highest of its run of equals.
        equals: The other cards of the run, which do the same.
        values: Tricks from here on, counted before the card is played.
    """

    card: Card
    equals: tuple[Card, ...]
    values: Values


@dataclass(frozen=True, slots=True)
class Solution:
    """The answer to :func:`solve`; ``cards`` and ``line`` are None where they were not asked for."""

    record: Record
    values: Values
    cards: tuple[CardValue, ...] | None = None
    line: tuple[Card, ...] | None = None

    def to_dict(self) -> dict[str, object]:
        """Returns the JSON form of the output contract."""
        result: dict[str, object] = {"id": self.record.id, "record": str(self.record)}
        result |= {"tricks": self.values.tricks, **self.values.to_dict()}
        if self.cards is not None:
            seat = self.record.position.to_play
            result["cards"] = [_card_to_dict(card, seat) for card in self.cards]
        if self.line is not None:
            result["line"] = [str(card) for card in self.line]
        return result | {"nodes": self.values.nodes, "seconds": round(self.values.seconds, 3)}


@dataclass(frozen=True, slots=True)
class TrumpValues:
    """What the hands of a record, as they stand, are worth under each of some trumps."""

    record: Record
    values: Mapping[Trump, Values]

    def to_dict(self) -> dict[str, object]:
        """Returns the JSON form of the output contract."""
        tricks = next(iter(self.values.values())).tricks
        return {
            "id": self.record.id,
            "record": str(self.record),
            "tricks": tricks,
            "lead": str(self.record.leader),
            "trumps": {str(trump): values.to_dict() for trump, values in self.values.items()},
        }


class Solver:
    """Answers questions about positions, with tables of its own that later questions profit from.

    Cold when new; ``close()`` or a with-block frees the tables. Ctrl-C ends a question at once. Threads that
    share a solver wait for each other; ``stop()`` then ends all their questions.

    Args:
        memory_mb: MiB that the tables may use, at least 1. Answers do not depend on it.

    Raises:
        InputError: If ``memory_mb`` is out of range.
        SolverMemoryError: If the system refuses the memory.
    """

    def __init__(self, memory_mb: int = DEFAULT_MEMORY_MB) -> None:
        self._engine = Engine(memory_mb)

    def __enter__(self) -> Solver:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Frees the tables."""
        self._engine.close()

    def clear(self) -> None:
        """Forgets all that is stored: the solver is cold again."""
        self._engine.clear()

    def stop(self) -> None:
        """Ends the running question, from any thread; it raises :class:`SearchStopped`."""
        self._engine.stop()

    def stats(self) -> Stats:
        """Returns the counters of the search."""
        return self._engine.stats()

    def guaranteed(self, position: Position, seat: Seat | str, *, seconds: float | None = None) -> int:
        """Returns the tricks that a seat is sure of (max-min; the trick in progress counts).

        Args:
            position: Any moment of the play.
            seat: A seat or its letter.
            seconds: Time limit.

        Raises:
            SearchStopped: If time ran out; its ``bounds`` are what was proven.
        """
        return self._run(lambda engine: engine.bounds(position, Seat.of(seat)).lower, seconds)

    def solve(self, position: Position, *, seconds: float | None = None) -> Values:
        """Returns what a position is worth to each seat.

        Args:
            position: Any moment of the play.
            seconds: Time limit.

        Raises:
            SearchStopped: If time ran out; its ``bounds`` are what was proven, by seat.
        """
        return self._run(lambda engine: seat_values(engine, position), seconds)

    def cards(self, position: Position, *, seconds: float | None = None) -> tuple[CardValue, ...]:
        """Returns what each legal card of the seat to play leads to, best for that seat first.

        Equal cards are one entry. Best means: highest share, then highest guaranteed, then the lowest card.

        Args:
            position: Any moment of the play.
            seconds: Time limit.

        Raises:
            SearchStopped: If time ran out.
        """
        return self._run(lambda engine: card_values(engine, position), seconds)

    def line(self, position: Position, *, seconds: float | None = None) -> tuple[Card, ...]:
        """Returns one best line to the end: each seat plays the first card of :meth:`cards`.

        Other lines are as good: among equal cards the lowest is played.

        Args:
            position: Any moment of the play.
            seconds: Time limit.

        Raises:
            SearchStopped: If time ran out.
        """
        return self._run(lambda engine: best_line(engine, position), seconds)

    def _run(self, work: Callable[[Engine], T], seconds: float | None) -> T:
        self._engine.resume()
        return run_on(self._engine, lambda: work(self._engine), seconds)


def solve(
    record: Record | str,
    *,
    cards: bool = False,
    line: bool = False,
    memory_mb: int = DEFAULT_MEMORY_MB,
    seconds: float | None = None,
    solver: Solver | None = None,
) -> Solution:
    """Solves the position of a record: its hands as they stand, after ``give``, ``discard`` and ``play``.

    Args:
        record: A record, or its text; it must name the trump.
        cards: Also value every legal card of the seat to play.
        line: Also give one best line.
        memory_mb: MiB for the tables.
        seconds: Time limit for all of it.
        solver: The solver to use, with what it has stored; a new one if not given.

    Raises:
        InputError: If the record is wrong or has no position to solve.
        SearchStopped: If time ran out; its ``bounds`` are what was proven of the position, by seat.
    """
    if isinstance(record, str):
        record = Record.parse(record)
    position = record.position
    if solver is None:
        with Solver(memory_mb) as new:
            return solve(record, cards=cards, line=line, seconds=seconds, solver=new)
    return solver._run(lambda engine: _solution(engine, record, position, cards, line), seconds)


def solve_record(
    engine: Engine, record: Record, *, cards: bool = False, line: bool = False, seconds: float | None = None
) -> Solution:
    """Solves the position of a record on an engine, in the calling thread: see :func:`solve`."""
    position = record.position
    with time_limit(engine, seconds):
        return _solution(engine, record, position, cards, line)


def _solution(engine: Engine, record: Record, position: Position, cards: bool, line: bool) -> Solution:
    """Answers all questions about a record on an engine, in the calling thread."""
    values = seat_values(engine, position)
    try:
        return Solution(
            record,
            values,
            card_values(engine, position) if cards else None,
            best_line(engine, position) if line else None,
        )
    except SearchStopped as stopped:
        # It knows the bounds of the position that it got stuck in, not of the one that was asked about.
        exact = BySeat.of(lambda seat: Bounds(values.guaranteed[seat], values.guaranteed[seat]))
        raise SearchStopped(stopped.message, exact) from None


def trump_values(
    engine: Engine, record: Record, trumps: Sequence[Trump], seconds: float | None = None
) -> TrumpValues:
    """Solves the hands of a record for each of some trumps on an engine, in the calling thread.

    Args:
        engine: The engine.
        record: A record; the trump it names is not used.
        trumps: The trumps, one or more.
        seconds: Time limit.

    Raises:
        InputError: If the record has no position to solve under one of the trumps.
        SearchStopped: If time ran out; its ``bounds`` are those of the trump that was searched.
    """
    positions = {trump: replace(record, trump=trump).position for trump in trumps}
    with time_limit(engine, seconds):
        values = {trump: seat_values(engine, position) for trump, position in positions.items()}
    return TrumpValues(record, values)


def seat_values(engine: Engine, position: Position) -> Values:
    """Solves a position for each seat on an engine, in the calling thread.

    Raises:
        SearchStopped: If the engine was stopped; its ``bounds`` are what was proven, by seat.
    """
    started, plays = time.perf_counter(), engine.stats().plays
    proven = BySeat.of(lambda seat: Bounds(0, position.tricks))
    for seat in Seat:
        # The guarantees of three seats never add up to more than the tricks there are.
        sure = sum(bounds.lower for bounds in proven.values())
        known = Bounds(0, position.tricks - sure)
        try:
            proven = proven.replace(seat, engine.bounds(position, seat, known=known))
        except SearchStopped as stopped:
            raise SearchStopped(str(stopped), proven.replace(seat, stopped.bounds[seat])) from None
    guaranteed = BySeat.of(lambda seat: proven[seat].lower)
    seconds = time.perf_counter() - started
    return Values(position.tricks, guaranteed, engine.stats().plays - plays, seconds)


def card_values(engine: Engine, position: Position) -> tuple[CardValue, ...]:
    """Values each legal card on an engine, in the calling thread: see :meth:`Solver.cards`."""
    seat = position.to_play
    found: list[CardValue] = []
    seen: set[Card] = set()
    for card in position.legal():
        if card not in seen:
            equals = position.equals(card)
            seen.update(equals)
            found.append(CardValue(card, equals, _values_after(engine, position, card)))

    def order(value: CardValue) -> tuple[float, int, int]:
        return (-value.values.share[seat], -value.values.guaranteed[seat], _lowest(value).rank)

    return tuple(sorted(found, key=order))


def best_line(engine: Engine, position: Position) -> tuple[Card, ...]:
    """Plays a position out on an engine, in the calling thread: see :meth:`Solver.line`."""
    line = []
    while position.tricks:
        card = _lowest(card_values(engine, position)[0])
        line.append(card)
        position = position.after(card)
    return tuple(line)


def _lowest(value: CardValue) -> Card:
    return value.equals[-1] if value.equals else value.card


def _values_after(engine: Engine, position: Position, card: Card) -> Values:
    """Returns what playing the card leads to, with the trick it may complete."""
    values = seat_values(engine, position.after(card))
    winner = position.winner_after(card)
    if winner is None:
        return values
    guaranteed = values.guaranteed.replace(winner, values.guaranteed[winner] + 1)
    return replace(values, tricks=values.tricks + 1, guaranteed=guaranteed)


def _card_to_dict(value: CardValue, seat: Seat) -> dict[str, object]:
    """Returns the JSON form of a card: the numbers of the seat that plays it, then those of all seats."""
    numbers = value.values.to_dict()
    own = {name: by_seat[str(seat)] for name, by_seat in numbers.items()}
    return {"card": str(value.card), "equals": [str(card) for card in value.equals], **own, "seats": numbers}
