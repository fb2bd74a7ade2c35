"""What a position is worth: guaranteed, ceiling and share of each seat, of each card, and a best line."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import TracebackType
from typing import TypeVar

from sgtmajor.cards import BySeat, Card, Seat, Trump
from sgtmajor.deal import Position
from sgtmajor.engine import DEFAULT_MEMORY_MB, Bounds, Engine, Listing, Stats, unproven
from sgtmajor.equilibrium import DEFAULT_EQUILIBRIUM_MB, NEUTRAL, TIE, Expect, Expectations, Ties, places
from sgtmajor.errors import SearchStopped
from sgtmajor.lending import Lender
from sgtmajor.record import Record
from sgtmajor.workers import run_on, time_limit
from sgtmajor.yardstick import By, check_yardstick, score

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
        equilibrium: The tricks that a seat can expect when each plays for himself: max^n (Luckhardt & Irani
            1986). None where it was not asked for.
    """

    tricks: int
    guaranteed: BySeat[int]
    nodes: int = 0
    seconds: float = 0.0
    equilibrium: BySeat[float] | None = None

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

    @property
    def bounds(self) -> BySeat[Bounds]:
        """What is known of the tricks that each seat is sure of: all."""
        return BySeat.of(lambda seat: Bounds(self.guaranteed[seat], self.guaranteed[seat]))

    def to_dict(self) -> dict[str, dict[str, int] | dict[str, float]]:
        """Returns the numbers by seat as the JSON output has them."""
        numbers: dict[str, dict[str, int] | dict[str, float]] = {
            "guaranteed": self.guaranteed.to_dict(),
            "ceiling": self.ceiling.to_dict(),
            "share": {str(seat): round(share, 3) for seat, share in self.share.items()},
        }
        if self.equilibrium:
            numbers["equilibrium"] = {str(seat): round(each, 6) for seat, each in self.equilibrium.items()}
        return numbers

    def with_taken(self, taken: BySeat[int]) -> Values:
        """Returns the same with the tricks that were taken before."""
        guaranteed = BySeat.of(lambda seat: self.guaranteed[seat] + taken[seat])
        expected = self.equilibrium
        if expected:
            expected = BySeat(*(expected[seat] + taken[seat] for seat in Seat))
        return Values(self.tricks + sum(taken.values()), guaranteed, equilibrium=expected)

    def since(self, before: Values) -> Change:
        """Returns what has changed since ``before``, which counts the same tricks."""
        guaranteed = BySeat.of(lambda seat: self.guaranteed[seat] - before.guaranteed[seat])
        now, then = self.equilibrium, before.equilibrium
        return Change(guaranteed, BySeat.of(lambda seat: now[seat] - then[seat]) if now and then else None)


@dataclass(frozen=True, slots=True)
class Change:
    """What a card, or several, have changed for each seat, in tricks.

    A card never raises what its own seat is sure of, nor its share, and never lowers what another is sure of:
    the value before it is the best of all cards for the one, and the worst of them for the others.

    Attributes:
        guaranteed: Of the tricks that a seat is sure of.
        equilibrium: Of those that it can expect; None where these are not known.
    """

    guaranteed: BySeat[int]
    equilibrium: BySeat[float] | None = None

    @property
    def share(self) -> BySeat[float]:
        """Of the shares; adds up to 0: what one seat loses the others gain."""
        total = sum(self.guaranteed.values())
        return BySeat.of(lambda seat: (3 * self.guaranteed[seat] - total) / 3)

    def __bool__(self) -> bool:
        expected = self.equilibrium.values() if self.equilibrium else ()
        return any(self.guaranteed.values()) or any(abs(each) > TIE for each in expected)

    def __add__(self, other: Change) -> Change:
        guaranteed = BySeat.of(lambda seat: self.guaranteed[seat] + other.guaranteed[seat])
        one, two = self.equilibrium, other.equilibrium
        return Change(guaranteed, BySeat.of(lambda seat: one[seat] + two[seat]) if one and two else None)

    def to_dict(self) -> dict[str, dict[str, int] | dict[str, float]]:
        """Returns the JSON form."""
        numbers: dict[str, dict[str, int] | dict[str, float]] = {
            "guaranteed": self.guaranteed.to_dict(),
            "share": {str(seat): round(share, 3) for seat, share in self.share.items()},
        }
        if self.equilibrium:
            numbers["equilibrium"] = {
                str(seat): round(each, 6) + 0.0 for seat, each in self.equilibrium.items()
            }
        return numbers


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

    @property
    def run(self) -> tuple[Card, ...]:
        """The card and its equals."""
        return (self.card, *self.equals)

    @property
    def lowest(self) -> Card:
        """The lowest card of the run: the one to play, for what it is worth."""
        return self.run[-1]

    def to_dict(self, seat: Seat, before: Values) -> dict[str, object]:
        """Returns the JSON form.

        Args:
            seat: The seat that plays the card: its numbers come first, then those of all seats.
            before: What the position is worth before the card.
        """
        numbers = self.values.to_dict()
        own = {name: by_seat[str(seat)] for name, by_seat in numbers.items()}
        return {
            "card": str(self.card),
            "equals": [str(card) for card in self.equals],
            **own,
            "seats": numbers,
            "gains": self.values.since(before).to_dict(),
        }


@dataclass(frozen=True, slots=True)
class Fork:
    """A moment of a line: what each card is worth there, and which one goes on with the line.

    Attributes:
        position: The moment.
        values: What it is worth.
        cards: The legal cards, best first.
    """

    position: Position
    values: Values
    cards: tuple[CardValue, ...]

    @property
    def card(self) -> Card:
        """The card of the line: the lowest of the best ones."""
        return self.cards[0].lowest

    def to_dict(self) -> dict[str, object]:
        """Returns the JSON form."""
        seat = self.position.to_play
        return {
            "seat": str(seat),
            "card": str(self.card),
            "tricks": self.values.tricks,
            **self.values.to_dict(),
            "cards": [card.to_dict(seat, self.values) for card in self.cards],
        }


@dataclass(frozen=True, slots=True)
class Solution:
    """The answer to :func:`solve`; ``cards``, ``tree``, ``line`` are None where not asked for.

    ``ties`` says what indifferent seats do in the equilibrium, if there is one.
    """

    record: Record
    values: Values
    cards: tuple[CardValue, ...] | None = None
    tree: tuple[Fork, ...] | None = None
    line: tuple[Card, ...] | None = None
    ties: Ties = NEUTRAL

    def to_dict(self) -> dict[str, object]:
        """Returns the JSON form of the output contract."""
        result: dict[str, object] = {"id": self.record.id, "record": str(self.record)}
        result |= {"tricks": self.values.tricks, **self.values.to_dict()}
        if self.values.equilibrium:
            result["ties"] = str(self.ties)
        if self.cards is not None:
            seat = self.record.position.to_play
            result["cards"] = [card.to_dict(seat, self.values) for card in self.cards]
        if self.tree is not None:
            result["tree"] = [fork.to_dict() for fork in self.tree]
        if self.line is not None:
            result["line"] = [str(card) for card in self.line]
        return result | {"nodes": self.values.nodes, "seconds": round(self.values.seconds, 3)}


@dataclass(frozen=True, slots=True)
class TrumpValues:
    """What the hands of a record, as they stand, are worth under each of some trumps.

    Attributes:
        record: The record.
        leader: Who has led to the trick in progress, or leads to the next one.
        values: The values by trump.
    """

    record: Record
    leader: Seat
    values: Mapping[Trump, Values]

    def to_dict(self) -> dict[str, object]:
        """Returns the JSON form of the output contract."""
        tricks = next(iter(self.values.values())).tricks
        return {
            "id": self.record.id,
            "record": str(self.record),
            "tricks": tricks,
            "lead": str(self.leader),
            "trumps": {str(trump): values.to_dict() for trump, values in self.values.items()},
        }


class Solver:
    """Answers questions about positions, with tables of its own that later questions profit from.

    Cold when new; ``close()`` or a with-block frees the tables. Ctrl-C ends a question at once. Threads that
    share a solver wait for each other; ``stop()`` then ends all their questions.

    The first question about an equilibrium enumerates the play from its position on, which takes seconds for
    a whole deal; the enumeration is kept, and answers all later positions of that play at once.

    Args:
        memory_mb: MiB that the tables may use, at least 1. Answers do not depend on it.
        equilibrium_mb: MiB that the positions of an equilibrium may take.
        jobs: Threads that enumerate them.
        ties: What a seat does that has several best cards.

    Raises:
        InputError: If ``memory_mb`` is out of range.
        SolverMemoryError: If the system refuses the memory.
    """

    def __init__(
        self,
        memory_mb: int = DEFAULT_MEMORY_MB,
        *,
        equilibrium_mb: int = DEFAULT_EQUILIBRIUM_MB,
        jobs: int = 1,
        ties: Ties = NEUTRAL,
    ) -> None:
        self._engine = Engine(memory_mb)
        self._expectations = Expectations(equilibrium_mb, jobs=jobs, ties=ties)
        self._ties = ties

    @property
    def ties(self) -> Ties:
        """What indifferent seats do in the equilibrium."""
        return self._ties

    def __enter__(self) -> Solver:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Frees the tables."""
        self._engine.close()
        self._expectations.close()

    def clear(self) -> None:
        """Forgets all that is stored: the solver is cold again."""
        self._engine.clear()
        self._expectations.clear()

    def stop(self) -> None:
        """Ends the running question, from any thread; it raises :class:`SearchStopped`."""
        self._engine.stop()
        self._expectations.stop()

    def stats(self) -> Stats:
        """Returns the counters of the search."""
        return self._engine.stats()

    def listing(self) -> Listing:
        """Returns how far the enumeration for the equilibrium is, from any thread."""
        return self._expectations.progress()

    def equilibrium(self, position: Position, *, seconds: float | None = None) -> BySeat[float]:
        """Returns the tricks that each seat can expect when each plays for himself (max^n).

        A seat that is indifferent (within 1e-9 tricks) plays each of its best cards equally often, or as the
        solver's `ties` say.

        Args:
            position: Any moment of the play.
            seconds: Time limit.

        Raises:
            SearchStopped: If time ran out; nothing is known then.
            EnumerationFull: If the positions do not fit into the memory that they may take.
        """
        return self.run(lambda _: self._expectations.of(position), seconds)

    def guaranteed(self, position: Position, seat: Seat | str, *, seconds: float | None = None) -> int:
        """Returns the tricks that a seat is sure of (max-min; the trick in progress counts).

        Args:
            position: Any moment of the play.
            seat: A seat or its letter.
            seconds: Time limit.

        Raises:
            SearchStopped: If time ran out; its ``bounds`` are what was proven.
        """
        return self.run(lambda engine: engine.bounds(position, Seat.of(seat)).lower, seconds)

    def solve(self, position: Position, *, equilibrium: bool = False, seconds: float | None = None) -> Values:
        """Returns what a position is worth to each seat.

        Args:
            position: Any moment of the play.
            equilibrium: Also say what each seat can expect.
            seconds: Time limit.

        Raises:
            SearchStopped: If time ran out; its ``bounds`` are what was proven, by seat.
        """
        return self.run(lambda engine: seat_values(engine, position, self.expect(equilibrium)), seconds)

    def cards(
        self,
        position: Position,
        *,
        by: By = "share",
        equilibrium: bool = False,
        seconds: float | None = None,
    ) -> tuple[CardValue, ...]:
        """Returns what each legal card of the seat to play leads to, best for that seat first.

        Equal cards are one entry. Best means: highest share, then highest guaranteed, then the lowest card;
        with ``equilibrium`` highest equilibrium before these.

        Args:
            position: Any moment of the play.
            by: The yardstick; by ``guaranteed`` the share only decides between equals.
            equilibrium: Also say what each seat can expect, and rank by that first.
            seconds: Time limit.

        Raises:
            InputError: If ``by`` is no yardstick.
            SearchStopped: If time ran out.
        """
        check_yardstick(by)
        expect = self.expect(equilibrium)
        return self.run(lambda engine: card_values(engine, position, expect, by), seconds)

    def tree(
        self, position: Position, count: int, *, equilibrium: bool = False, seconds: float | None = None
    ) -> tuple[Fork, ...]:
        """Returns the first cards of :meth:`line`, each with all that could be played instead.

        Args:
            position: Any moment of the play.
            count: How many cards of the line to look at; fewer if it is shorter.
            equilibrium: Also say what each seat can expect.
            seconds: Time limit.

        Raises:
            SearchStopped: If time ran out.
        """
        expect = self.expect(equilibrium)
        return self.run(lambda engine: best_tree(engine, position, count, expect), seconds)

    def line(
        self,
        position: Position,
        *,
        by: By = "share",
        equilibrium: bool = False,
        seconds: float | None = None,
    ) -> tuple[Card, ...]:
        """Returns one best line to the end: each seat plays the first card of :meth:`cards`.

        Other lines are as good: among equal cards the lowest is played.

        Args:
            position: Any moment of the play.
            by: The yardstick of all three seats.
            equilibrium: Rank by what each seat can expect first.
            seconds: Time limit.

        Raises:
            InputError: If ``by`` is no yardstick.
            SearchStopped: If time ran out.
        """
        check_yardstick(by)
        expect = self.expect(equilibrium)
        return self.run(lambda engine: best_line(engine, position, expect, by), seconds)

    def run(self, work: Callable[[Engine], T], seconds: float | None = None) -> T:
        """Runs searches of the engine in a thread of its own: Ctrl-C and the time limit end them at once."""
        self._engine.resume()
        self._expectations.resume()
        return run_on(self, lambda: work(self._engine), seconds)

    def expect(self, equilibrium: bool) -> Expect | None:
        """Returns what answers for the equilibrium in the calling thread, if that is asked for."""
        return self._expectations.expect if equilibrium else None


def solve(
    record: Record | str,
    *,
    cards: bool = False,
    tree: int = 0,
    line: bool = False,
    equilibrium: bool = False,
    ties: Ties = NEUTRAL,
    jobs: int = 1,
    memory_mb: int = DEFAULT_MEMORY_MB,
    equilibrium_mb: int = DEFAULT_EQUILIBRIUM_MB,
    seconds: float | None = None,
    solver: Solver | None = None,
) -> Solution:
    """Solves the position of a record: its hands as they stand, after ``give``, ``discard`` and ``play``.

    Args:
        record: A record, or its text; it must name the trump.
        cards: Also value every legal card of the seat to play.
        tree: Also value every legal card at each of so many cards of the best line.
        line: Also give one best line.
        equilibrium: Also say what each seat can expect when each plays for himself.
        ties: What indifferent seats do in the equilibrium.
        jobs: Threads for the equilibrium.
        memory_mb: MiB for the tables.
        equilibrium_mb: MiB for the positions of the equilibrium.
        seconds: Time limit for all of it.
        solver: The solver to use, with what it has stored, and its ties, threads and memory; a new one if not
            given.

    Raises:
        InputError: If the record is wrong or has no position to solve.
        SearchStopped: If time ran out; its ``bounds`` are what was proven of the position, by seat.
    """
    if isinstance(record, str):
        record = Record.parse(record)
    position = record.position
    if solver is None:
        with Solver(memory_mb, equilibrium_mb=equilibrium_mb, jobs=jobs, ties=ties) as new:
            return solve(
                record,
                cards=cards,
                tree=tree,
                line=line,
                equilibrium=equilibrium,
                seconds=seconds,
                solver=new,
            )
    expect = solver.expect(equilibrium)
    solution = solver.run(
        lambda engine: _solution(engine, record, position, cards, tree, line, expect), seconds
    )
    return replace(solution, ties=solver.ties)


def solve_record(
    engine: Engine, record: Record, *, cards: bool = False, line: bool = False, seconds: float | None = None
) -> Solution:
    """Solves the position of a record on an engine, in the calling thread: see :func:`solve`."""
    position = record.position
    with time_limit(engine, seconds):
        return _solution(engine, record, position, cards, 0, line, None)


def expected_record(
    engine: Engine,
    lender: Lender,
    record: Record,
    *,
    cards: bool = False,
    line: bool = False,
    ties: Ties = NEUTRAL,
    seconds: float | None = None,
) -> Solution:
    """Solves a record and its equilibrium, in the calling thread: see :func:`solve`.

    Raises:
        EnumerationFull: If the positions do not fit into the memory that can be lent.
        SearchStopped: If time ran out; its ``bounds`` are what was proven of the position, by seat.
    """
    position = record.position
    begun = time.perf_counter()
    with time_limit(engine, seconds):
        values = seat_values(engine, position)
    left = None if seconds is None else max(0.0, seconds - (time.perf_counter() - begun))

    def work(expect: Expect) -> Solution:
        with time_limit(engine, left):
            return _solution(engine, record, position, cards, 0, line, expect)

    try:
        return replace(lender.ask(position, work, ties=ties, seconds=left), ties=ties)
    except SearchStopped as stopped:
        raise _with_values(stopped, values) from None


def _solution(
    engine: Engine,
    record: Record,
    position: Position,
    cards: bool,
    tree: int,
    line: bool,
    expect: Expect | None,
) -> Solution:
    """Answers all questions about a record on an engine, in the calling thread."""
    values = seat_values(engine, position, expect)
    try:
        return Solution(
            record,
            values,
            card_values(engine, position, expect=expect) if cards else None,
            best_tree(engine, position, tree, expect) if tree else None,
            best_line(engine, position, expect=expect) if line else None,
        )
    except SearchStopped as stopped:
        raise _with_values(stopped, values) from None


def _with_values(stopped: SearchStopped, values: Values) -> SearchStopped:
    """Says what is known of the position that was asked about, not of the one in which time was up."""
    return SearchStopped(stopped.message, values.bounds)


def trump_values(
    engine: Engine, record: Record, trumps: Sequence[Trump], seconds: float | None = None
) -> TrumpValues:
    """Solves the hands of a record for each of some trumps on an engine, in the calling thread.

    Args:
        engine: The engine.
        record: A record; the trump it names only says who has won the tricks of its play.
        trumps: The trumps, one or more.
        seconds: Time limit.

    Raises:
        InputError: If the record has no position to solve under one of the trumps.
        SearchStopped: If time ran out; its ``bounds`` are those of the trump that was searched.
    """
    if record.play and record.trump:
        # By other trumps others would have won the tricks.
        stands = record.position
        positions = {trump: replace(stands, trump=trump) for trump in trumps}
    else:
        positions = {trump: replace(record, trump=trump).position for trump in trumps}
    with time_limit(engine, seconds):
        values = {trump: seat_values(engine, position) for trump, position in positions.items()}
    return TrumpValues(record, positions[trumps[0]].leader, values)


def seat_values(engine: Engine, position: Position, expect: Expect | None = None) -> Values:
    """Solves a position for each seat on an engine, in the calling thread.

    Args:
        engine: The engine.
        position: Any moment of the play.
        expect: Returns the equilibrium of a position, if that is asked for too.

    Raises:
        SearchStopped: If the engine was stopped; its ``bounds`` are what was proven, by seat.
    """
    started, plays = time.perf_counter(), engine.stats().plays
    proven = unproven(position.tricks)
    for seat in Seat:
        # The guarantees of three seats never add up to more than the tricks there are.
        sure = sum(bounds.lower for bounds in proven.values())
        known = Bounds(0, position.tricks - sure)
        try:
            proven = proven.replace(seat, engine.bounds(position, seat, known=known))
        except SearchStopped as stopped:
            raise SearchStopped(str(stopped), proven.replace(seat, stopped.bounds[seat])) from None
    guaranteed = BySeat.of(lambda seat: proven[seat].lower)
    plays = engine.stats().plays - plays
    values = Values(position.tricks, guaranteed, plays, time.perf_counter() - started)
    if expect is None:
        return values
    try:
        expected = expect(position)
    except SearchStopped as stopped:
        raise _with_values(stopped, values) from None
    return replace(values, seconds=time.perf_counter() - started, equilibrium=expected)


def card_values(
    engine: Engine, position: Position, expect: Expect | None = None, by: By = "share"
) -> tuple[CardValue, ...]:
    """Values each legal card on an engine, in the calling thread: see :meth:`Solver.cards`."""
    found = [
        CardValue(run[0], run[1:], values_after(engine, position, run[0], expect)) for run in runs(position)
    ]
    return ranked(found, position.to_play, by, expect.ties if expect else NEUTRAL)


def ranked(options: Iterable[CardValue], seat: Seat, by: By, ties: Ties = NEUTRAL) -> tuple[CardValue, ...]:
    """Ranks cards for the seat that plays them, best first: by the equilibrium if it is known.

    Of several that bring the seat the same, first those that the rule for ties has it play. Else by a
    yardstick; the other one decides between equals, then the lowest card is best.
    """
    found = list(options)

    def expected(of: Seat, sign: int = 1) -> list[int]:
        known = [each.values.equilibrium for each in found]
        return places([sign * each[of] if each else 0.0 for each in known])

    own = expected(seat)
    named = expected(ties.seat, -1 if ties.rule == "against" else 1) if ties.seat else [0] * len(found)

    def order(number: int) -> tuple[int, int, int, int]:
        option = found[number]
        return (own[number], named[number], -score(option.values, seat, by), option.lowest.rank)

    return tuple(found[number] for number in sorted(range(len(found)), key=order))


def best_tree(
    engine: Engine, position: Position, count: int, expect: Expect | None = None
) -> tuple[Fork, ...]:
    """Follows a best line on an engine, in the calling thread: see :meth:`Solver.tree`."""
    forks: list[Fork] = []
    while position.tricks and len(forks) < count:
        values = seat_values(engine, position, expect)
        forks.append(Fork(position, values, card_values(engine, position, expect=expect)))
        position = position.after(forks[-1].card)
    return tuple(forks)


def best_line(
    engine: Engine, position: Position, expect: Expect | None = None, by: By = "share"
) -> tuple[Card, ...]:
    """Plays a position out on an engine, in the calling thread: see :meth:`Solver.line`."""
    line = []
    while position.tricks:
        card = card_values(engine, position, expect, by)[0].lowest
        line.append(card)
        position = position.after(card)
    return tuple(line)


def values_after(engine: Engine, position: Position, card: Card, expect: Expect | None = None) -> Values:
    """Returns what playing the card leads to, with the trick it may complete."""
    return with_trick(seat_values(engine, position.after(card), expect), position.winner_after(card), 1)


def with_trick(values: Values, winner: Seat | None, count: int) -> Values:
    """Returns values with a trick more for its winner (count 1) or less (-1); the same if nobody wins one."""
    if winner is None:
        return values
    guaranteed = values.guaranteed.replace(winner, values.guaranteed[winner] + count)
    expected = values.equilibrium
    if expected:
        expected = expected.replace(winner, expected[winner] + count)
    return replace(values, tricks=values.tricks + count, guaranteed=guaranteed, equilibrium=expected)


def runs(position: Position) -> list[tuple[Card, ...]]:
    """Returns the legal cards of the seat to play, equals together; each run from high to low."""
    found: list[tuple[Card, ...]] = []
    seen: set[Card] = set()
    for card in position.legal():
        if card not in seen:
            found.append((card, *position.equals(card)))
            seen.update(found[-1])
    return found
