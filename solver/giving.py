"""What to give in an exchange: what each way to give is worth, all cards open."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from threading import Lock

from sgtmajor.cards import Seat, Trump
from sgtmajor.engine import DEFAULT_MEMORY_MB, Engine, unproven
from sgtmajor.errors import InputError, Interrupted, SearchStopped
from sgtmajor.gifts import Due, Gift, announced, check_owed, contracts_after
from sgtmajor.kitty import DiscardValue, promise
from sgtmajor.record import Record
from sgtmajor.rules import Rules
from sgtmajor.trump import Analysis, analyze_on, check_contracts
from sgtmajor.values import Values
from sgtmajor.ways import Giving, Way, ways_to_give
from sgtmajor.workers import run_tasks
from sgtmajor.yardstick import By, check_yardstick, score


@dataclass(frozen=True, slots=True)
class ExchangeOption:
    """One way to give for the seat that decides, and what follows.

    Attributes:
        giving: The whole exchange: what was given already, the gifts of the seat that decides, and the best
            answer of the second giver if there is one.
        analysis: What the announcer makes of the deal after it; only of his best contract where the others
            were not looked at exactly.
        choice: The announcer's discard for his best trump, with what that is worth to each seat.
    """

    giving: Giving
    analysis: Analysis
    choice: DiscardValue

    def to_dict(self) -> dict[str, object]:
        """Returns the JSON form of the output contract."""
        value = {"trump": str(self.analysis.best.trump), **self.analysis.value_to_dict(self.choice)}
        return {**self.giving.to_dict(), "trumps": self.analysis.to_dict()["trumps"], "value": value}


@dataclass(frozen=True, slots=True)
class Exchange:
    """The answer to :func:`exchange`.

    Attributes:
        record: The record: its deal is the one before the exchange.
        by: The yardstick by which every seat chooses.
        done: What was given already.
        owed: Who has still to give how many cards to whom, in this order; empty if all is given.
        options: What was valued, best first for the seat that decides.
        distinct: How many ways to give there are that make a difference.
        undecided: The ways to give that were not reached, the most promising first.
        nodes: Cards played by the searches.
        seconds: Wall-clock time.
    """

    record: Record
    by: By
    done: Giving
    owed: tuple[Due, ...] = ()
    options: tuple[ExchangeOption, ...] = ()
    distinct: int = 0
    undecided: tuple[Giving, ...] = ()
    nodes: int = 0
    seconds: float = 0.0

    @property
    def seat(self) -> Seat | None:
        """The seat that decides what to give; None if nothing is left to decide."""
        return self.owed[0].giver if self.owed else None

    @property
    def searched(self) -> int:
        """How many ways to give have been decided: all, unless time ran out."""
        return self.distinct - len(self.undecided)

    @property
    def complete(self) -> bool:
        """Whether every way to give has been decided: false if time ran out."""
        return not self.undecided

    @property
    def result(self) -> Record | None:
        """The record after the exchange, if nothing is left to decide: ready for the analysis or the play."""
        return None if self.owed else replace(self.record, deal=self.done.deal, up=None, give=())

    def to_dict(self) -> dict[str, object]:
        """Returns the JSON form of the output contract."""
        options = [option.to_dict() for option in self.options]
        if self.result:
            options = [self.done.to_dict() | {"record": str(self.result)}]
        rules = self.record.rules
        return {
            "deal": str(self.record.deal),
            "rules": str(rules),
            "by": self.by,
            "leader": str(self.record.leader),
            "announcer": str(rules.announcer),
            "owed": [due.to_dict() for due in self.owed],
            "options": options,
            "best": options[0] if options else None,
            "distinct": self.distinct,
            "searched": self.searched,
            "complete": self.complete,
            "undecided": [way.to_dict() for way in self.undecided],
            "nodes": self.nodes,
            "seconds": round(self.seconds, 3),
        }


def exchange(
    record: Record | str,
    *,
    by: By = "share",
    rules: Rules | str | None = None,
    trumps: Sequence[Trump] | None = None,
    alternatives: int | None = None,
    jobs: int = 1,
    memory_mb: int = DEFAULT_MEMORY_MB,
    seconds: float | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Exchange:
    """Finds what to give in the exchange that the scores of the last deal ask for, all cards open.

    For each way to give that makes a difference the announcer names his best trump and lays his best cards
    aside, by the yardstick; its worth for the seat that gives is what it has then. A second giver answers the
    first with what is best for himself. What the record says in ``give`` has been done already, and the seat
    that has to give next decides. If everything has been given, the exchange is only played out.

    Args:
        record: A record with ``up``, or its text.
        by: The yardstick of every seat: ``share`` or ``guaranteed``; the other one decides between equals.
        rules: Rules, or their text; those of the record if not given.
        trumps: The contracts that may be announced; those of the rules if not given. Where the exchange comes
            after the announcement, the one contract that was announced; that of the record if not given.
        alternatives: How many of the next best ways to give to value, too; all if not given. Where the giver
            announces, it is only asked of the others whether they are better, and the options then have the
            announcer's best contract only.
        jobs: Threads: ways to give are searched side by side.
        memory_mb: MiB for the tables of all threads together.
        seconds: Time limit; the answer then holds what was valued by then.
        progress: Called from the searching threads with the ways to give decided, and how many there are.

    Raises:
        InputError: If the record, the rules or an argument is wrong, or nothing is owed.
        SolverMemoryError: If the system refuses the memory.
        Interrupted: On Ctrl-C, if something was valued by then, which is its ``result``.
    """
    record = _checked(Record.parse(record) if isinstance(record, str) else record, rules, trumps)
    check_yardstick(by)
    if alternatives is not None and alternatives < 0:
        raise InputError(f"{alternatives} alternatives; expected 0 or more")
    started = time.perf_counter()
    done = Giving.of(record.deal, record.give)
    dues = record.owed
    if not dues:
        return Exchange(record, by, done, distinct=1)
    contracts = contracts_after(record.rules, record.trump, trumps)
    search = _Search(record, by, check_contracts(contracts), alternatives, done, progress)

    def answer() -> Exchange:
        return Exchange(
            record,
            by,
            done,
            dues,
            search.best_first(),
            len(search.ways),
            search.undecided(),
            search.nodes,
            time.perf_counter() - started,
        )

    # To list the ways is part of the work: of many cards it alone takes seconds.
    left = None if seconds is None else max(0.0, seconds - (time.perf_counter() - started))
    try:
        search.run(jobs, memory_mb, left)
    except KeyboardInterrupt:
        partial = answer()
        if partial.options:
            raise Interrupted(partial) from None
        raise
    return answer()


def _checked(record: Record, rules: Rules | str | None, trumps: Sequence[Trump] | None) -> Record:
    """Returns the record under the rules and announcement asked for; refuses what has no exchange."""
    rules = Rules.parse(rules) if isinstance(rules, str) else rules or record.rules
    record = replace(record, rules=rules, trump=announced(rules, record.trump, trumps))
    if record.trick:
        raise InputError("an exchange is made with whole hands; expected a record without trick=")
    if record.owed or record.give:
        _check_enough(record)
    if record.owed or not record.give:
        check_owed(record.owed, record.up, rules, record.trump)
    return record


def _check_enough(record: Record) -> None:
    """Refuses an exchange in which a seat owes more cards than it can give."""
    done = Giving.of(record.deal, record.give)
    for seat in Seat:
        due = sum(each.count for each in record.owed if each.giver is seat)
        own = done.deal.hands[seat] - done.moved
        if due > len(own):
            raise InputError(f"{seat} has to give {due} cards, but has {len(own)} that may be given")


class _Search:
    """The ways to give for the seat that decides, and what is known of their worth.

    Attributes:
        ways: The ways to give, the most promising first.
        nodes: Cards played by the searches.
    """

    def __init__(
        self,
        record: Record,
        by: By,
        contracts: tuple[Trump, ...],
        alternatives: int | None,
        done: Giving,
        progress: Callable[[int, int], None] | None,
    ) -> None:
        self._record = record
        self._by = by
        self._contracts = contracts
        self._shown = None if alternatives is None else alternatives + 1
        self._progress = progress
        self._done = done
        self._seat = record.owed[0].giver
        self._answers = [due for due in record.owed if due.giver is not self._seat]
        # Where the last giver announces, a way is worth to him what his contract is, and it is enough to ask
        # whether it is better than the best so far, or than those that are to be shown.
        announces = record.owed[-1].giver is record.rules.announcer
        self._only_better = announces and (bool(self._answers) or alternatives is not None)
        self.ways = self._most_promising_first(ways_to_give(done, record.owed), self._seat)
        self.nodes = 0
        self._decided: set[int] = set()
        self._todo = iter(range(len(self.ways)))
        self._valued: dict[int, ExchangeOption] = {}
        self._lock = Lock()

    def run(self, jobs: int, memory_mb: int, seconds: float | None) -> None:
        """Values the ways to give."""
        lanes = [self._lane] * min(jobs, len(self.ways)) if jobs > 0 else []
        run_tasks(lanes, jobs=jobs, memory_mb=memory_mb, seconds=seconds)

    def best_first(self) -> tuple[ExchangeOption, ...]:
        """Returns what has been valued, best first for the seat that decides."""
        in_order = [self._valued[index] for index in sorted(self._valued)]
        in_order.sort(key=lambda option: self._score(option.choice.values), reverse=True)
        return tuple(in_order[: self._shown])

    def undecided(self) -> tuple[Giving, ...]:
        """Returns the ways that have not been decided, played out."""
        left = (way for index, way in enumerate(self.ways) if index not in self._decided)
        return tuple(map(self._done.then, left))

    def _most_promising_first(self, ways: Iterable[Way], seat: Seat) -> list[tuple[Gift, ...]]:
        """Sorts ways to give by how good the hand of the giver then looks."""
        trumps = self._contracts if seat is self._record.rules.announcer else (Trump.N,)

        def looks(way: Way) -> int:
            return max(promise(way.hand, trump) for trump in trumps)

        return [way.gifts for way in sorted(ways, key=looks, reverse=True)]

    def _score(self, values: Values, seat: Seat | None = None) -> int:
        return score(values, seat or self._seat, self._by)

    def _lane(self, engine: Engine) -> None:
        """Values one way after the other, until none is left or time is up."""
        while True:
            with self._lock:
                index = next(self._todo, None)
            if index is None:
                return
            plays = engine.stats().plays
            try:
                found = self._value(engine, self._done.then(self.ways[index]), self._to_beat(index))
            except SearchStopped:
                return
            with self._lock:
                self.nodes += engine.stats().plays - plays
                self._decided.add(index)
                if found:
                    self._valued[index] = found
                if self._progress:
                    self._progress(len(self._decided), len(self.ways))

    def _to_beat(self, index: int) -> Values | None:
        """Returns what a way has to be better than to be among those asked for, None if that is not known.

        Only ways before this one count: what is found then does not depend on which lane is ahead.
        """
        if self._shown is None or self._answers or not self._only_better:
            return None
        with self._lock:
            before = [option.choice.values for other, option in self._valued.items() if other < index]
        before.sort(key=self._score, reverse=True)
        return before[self._shown - 1] if len(before) >= self._shown else None

    def _value(self, engine: Engine, way: Giving, beat: Values | None) -> ExchangeOption | None:
        """Returns a way with what follows and its worth; None if it is not better than what is to beat."""
        if not self._answers:
            return self._announced(engine, way, beat)
        second = self._answers[0].giver
        best: ExchangeOption | None = None
        for answer in self._most_promising_first(ways_to_give(way, self._answers), second):
            worth = best.choice.values if best else None
            found = self._announced(engine, way.then(answer), worth if self._only_better else None)
            if found and (
                worth is None or self._score(found.choice.values, second) > self._score(worth, second)
            ):
                best = found
        return best

    def _announced(self, engine: Engine, way: Giving, beat: Values | None) -> ExchangeOption | None:
        """Returns a whole exchange with what the announcer makes of it, None if that is not better for him.

        Raises:
            SearchStopped: If time was up before all contracts were decided.
        """
        record = self._record
        analysis = analyze_on(
            engine, way.deal, record.rules, record.leader, self._contracts, by=self._by, beat=beat
        )
        if not analysis.complete:
            raise SearchStopped("time was up before the exchange was valued", unproven(way.deal.size))
        if self._only_better:
            # Whether another contract is better than what was to beat is no news of this way.
            analysis = replace(analysis, contracts=analysis.contracts[:1])
        best = analysis.best.best
        return ExchangeOption(way, analysis, best) if best else None
