"""Which trump to name: every contract with its best discard, all cards open."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

from sgtmajor.cards import BySeat, Card, Seat, Trump
from sgtmajor.deal import Deal
from sgtmajor.engine import DEFAULT_MEMORY_MB, Engine, Listing, unproven
from sgtmajor.equilibrium import DEFAULT_EQUILIBRIUM_MB, NEUTRAL, Expectations, Ties, places
from sgtmajor.errors import EnumerationFull, InputError, SearchStopped
from sgtmajor.gifts import Due, apply_gifts, owed
from sgtmajor.kitty import ContractReport, DiscardValue, best_discards, distinct_discards, position_after
from sgtmajor.record import Record
from sgtmajor.rules import Rules
from sgtmajor.values import Values
from sgtmajor.workers import run_in_turn, run_on, run_tasks
from sgtmajor.yardstick import YARDSTICKS, By, Yardstick, score

DEFAULT_CANDIDATES = 2

# Of a time limit, the part in which candidates are looked for; what is left is for their equilibria.
_PART_TO_FIND = 0.5


class Progress(NamedTuple):
    """How far the analysis of one contract is: choices decided, choices there are, the best so far."""

    trump: Trump
    done: int
    total: int
    best: DiscardValue | None


@dataclass(frozen=True, slots=True)
class Analysis:
    """The answer to :func:`analyze`.

    Attributes:
        deal: The deal that was analyzed: after the exchange, before the kitty is taken.
        rules: The rules.
        by: The yardstick that ranks discards and contracts.
        ties: What indifferent seats do, if the yardstick is the equilibrium.
        leader: The seat that leads the first trick.
        contracts: The contracts, best first for the announcer.
        nodes: Cards played by the searches.
        seconds: Wall-clock time.
        no_trump: The deal that no trump was analyzed with, where it is another: an exchange after the
            announcement is for suit contracts only.
        owed: What the scores of the last deal say is still to be given: it has not been made.
    """

    deal: Deal
    rules: Rules
    by: Yardstick
    leader: Seat
    contracts: tuple[ContractReport, ...]
    nodes: int
    seconds: float
    no_trump: Deal | None = None
    owed: tuple[Due, ...] = ()
    ties: Ties = NEUTRAL

    @property
    def best(self) -> ContractReport:
        """The contract to name."""
        return self.contracts[0]

    @property
    def complete(self) -> bool:
        """Whether every choice of every contract was decided: false if time ran out.

        By equilibrium only the candidates are compared: the discards that lead by the other yardsticks.
        """
        return all(contract.complete for contract in self.contracts)

    @property
    def refused(self) -> EnumerationFull | None:
        """Why a candidate could not be compared by equilibrium, if one does not fit into the memory."""
        return next((contract.refused for contract in self.contracts if contract.refused), None)

    @property
    def has_points(self) -> bool:
        """Whether the targets are for a deal of this size."""
        return sum(self.rules.targets.values()) == self.deal.size

    def points(self, value: DiscardValue) -> BySeat[float] | None:
        """Returns tricks minus target for each seat; None if the targets are not for a deal of this size.

        The tricks are the equilibrium if that is the yardstick, else the share. None for what has not been
        compared by equilibrium.
        """
        tricks = value.values.equilibrium if self.by == "equilibrium" else value.values.share
        return self.rules.points(tricks) if tricks and self.has_points else None

    def to_dict(self) -> dict[str, object]:
        """Returns the JSON form of the output contract."""
        best = self.best.best
        return {
            "deal": str(self.deal),
            "rules": str(self.rules),
            "by": self.by,
            **({"ties": str(self.ties)} if self.by == "equilibrium" else {}),
            "leader": str(self.leader),
            "announcer": str(self.rules.announcer),
            "trumps": {str(contract.trump): self._contract_to_dict(contract) for contract in self.contracts},
            "best": {"trump": str(self.best.trump), **_discard_to_dict(best)} if best else None,
            "complete": self.complete,
            "nodes": self.nodes,
            "seconds": round(self.seconds, 3),
        }

    def _contract_to_dict(self, contract: ContractReport) -> dict[str, object]:
        result: dict[str, object] = {"choices": contract.choices, "distinct": contract.distinct}
        if contract.trump is Trump.N and self.no_trump:
            result["deal"] = str(self.no_trump)
        if not contract.complete:
            result["searched"] = contract.searched
        if contract.candidates:
            result |= {"candidates": contract.candidates, "compared": contract.compared}
        if contract.best:
            result |= self.value_to_dict(contract.best)
        return result | {"alternatives": [self.value_to_dict(each) for each in contract.alternatives]}

    def value_to_dict(self, value: DiscardValue) -> dict[str, object]:
        """Returns the JSON form of a discard with what the deal then is worth."""
        result = {**_discard_to_dict(value), **value.values.to_dict()}
        points = self.points(value)
        if points:
            result["points"] = {str(seat): round(each, 3) for seat, each in points.items()}
        return result


def _discard_to_dict(value: DiscardValue) -> dict[str, object]:
    return {"discard": [str(card) for card in value.discard]}


def analyze(
    record: Record | Deal | str,
    *,
    by: Yardstick = "share",
    rules: Rules | str | None = None,
    trumps: Sequence[Trump] | None = None,
    alternatives: int = 0,
    candidates: int = DEFAULT_CANDIDATES,
    ties: Ties = NEUTRAL,
    jobs: int = 1,
    memory_mb: int = DEFAULT_MEMORY_MB,
    equilibrium_mb: int = DEFAULT_EQUILIBRIUM_MB,
    seconds: float | None = None,
    progress: Callable[[Progress], None] | None = None,
    listing: Callable[[Callable[[], Listing]], None] | None = None,
) -> Analysis:
    """Finds the announcer's best discard for every contract and ranks the contracts, all cards open.

    What a record says of the announcement (``trump``), the discard and the play is not used: the analysis
    starts after the exchange, before the announcement. Where the exchange comes after the announcement
    (``exchange=after``), each suit contract is analyzed after the exchange as it was done, and no trump
    without it. An exchange that is owed by ``up`` but not written in ``give`` is not made.

    By ``equilibrium`` not every discard is compared, only those that lead by share and by guaranteed: valuing
    one takes seconds in a whole deal. Those that time or memory did not suffice for stay in the ranking,
    without an equilibrium: behind those of their contract that have one. Between contracts the share then
    stands in for it.

    Args:
        record: A deal or a record of one, or the text of a record.
        by: The yardstick: ``share`` or ``guaranteed`` - the other one decides between equals - or
            ``equilibrium``.
        rules: Rules, or their text; those of the record if not given.
        trumps: The contracts to look at; those of the rules if not given.
        alternatives: How many of the next best discards to value exactly for each contract, too.
        candidates: How many of the leading discards of each contract, by share and by guaranteed, to compare
            by equilibrium.
        ties: What indifferent seats do in the equilibrium.
        jobs: Threads: contracts are searched side by side; each equilibrium takes all threads.
        memory_mb: MiB for the tables of all threads together.
        equilibrium_mb: MiB for the positions of an equilibrium.
        seconds: Time limit; contracts then hold the best discard found so far. By equilibrium candidates are
            looked for in half of it; then the leading candidate of each contract is valued before any second
            one, that of the most promising contract first.
        progress: Called from the searching threads after each choice.
        listing: Called, before positions are enumerated for the equilibrium, with what says how far that is.

    Raises:
        InputError: If the record, the rules or an argument is wrong.
        SolverMemoryError: If the system refuses the memory.
    """
    if isinstance(record, str):
        record = Record.parse(record)
    if isinstance(record, Deal):
        record = Record(record)
    if isinstance(rules, str):
        rules = Rules.parse(rules)
    question = _question(record, by, rules or record.rules, trumps, alternatives, progress, candidates)
    tasks = [partial(question.search, trump) for trump in question.contracts]
    started = time.perf_counter()
    compared = by == "equilibrium"
    to_find = seconds * _PART_TO_FIND if compared and seconds is not None else seconds
    results = run_tasks(tasks, jobs=jobs, memory_mb=memory_mb, seconds=to_find)
    if compared:
        left = None if seconds is None else max(0.0, seconds - (time.perf_counter() - started))
        with Expectations(equilibrium_mb, jobs=jobs, ties=ties) as expectations:
            if listing:
                listing(expectations.progress)
            results = run_on(expectations, partial(question.compare, expectations, results), left)
    return replace(question.answer(results, time.perf_counter() - started), ties=ties)


def analyze_record(
    engine: Engine,
    record: Record,
    *,
    by: By = "share",
    trumps: Sequence[Trump] | None = None,
    alternatives: int = 0,
    seconds: float | None = None,
) -> Analysis:
    """Analyzes the deal of a record on an engine, in the calling thread: see :func:`analyze`."""
    question = _question(record, by, record.rules, trumps, alternatives)
    tasks = [partial(question.search, trump) for trump in question.contracts]
    started = time.perf_counter()
    results = run_in_turn(engine, tasks, seconds)
    return question.answer(results, time.perf_counter() - started)


def check_found(analysis: Analysis, seconds: float | None) -> Analysis:
    """Returns an analysis that names a trump.

    Raises:
        SearchStopped: If time was up before any discard was valued.
    """
    if analysis.best.best is None:
        raise SearchStopped(
            f"time was up after {seconds or 0:g} s, before any discard was valued",
            unproven(analysis.deal.size),
        )
    return analysis


@dataclass(frozen=True, slots=True)
class _Question:
    """What :func:`analyze` was asked, checked: one search for each contract, and the answer from them all."""

    record: Record
    by: Yardstick
    rules: Rules
    contracts: tuple[Trump, ...]
    alternatives: int
    candidates: int
    progress: Callable[[Progress], None] | None
    deal: Deal
    unexchanged: Deal | None
    leader: Seat
    discards: Sequence[tuple[Card, ...]]

    def search(self, trump: Trump, engine: Engine) -> tuple[ContractReport, int]:
        """Returns what a contract is worth, and the cards played by the search."""

        def report(done: int, total: int, best: DiscardValue | None) -> None:
            if self.progress:
                self.progress(Progress(trump, done, total, best))

        plays = engine.stats().plays
        deal = self._deal_of(trump)
        find = partial(
            best_discards,
            engine,
            deal,
            self.rules,
            trump,
            self.leader,
            discards=self.discards if deal is self.deal else None,
            progress=report,
        )
        if self.by != "equilibrium":
            found = find(by=self.by, alternatives=self.alternatives)
        else:
            found = _leading([find(by=each, alternatives=self.candidates - 1) for each in YARDSTICKS])
        return found, engine.stats().plays - plays

    def _deal_of(self, trump: Trump) -> Deal:
        """Returns the deal that a contract is played with."""
        return self.unexchanged if self.unexchanged and trump is Trump.N else self.deal

    def compare(
        self, expectations: Expectations, results: Sequence[tuple[ContractReport, int]]
    ) -> list[tuple[ContractReport, int]]:
        """Ranks the discards of each contract by equilibrium, in the calling thread."""
        contracts = [(report, self._deal_of(report.trump)) for report, _ in results]
        reports = _compare_all(expectations, contracts, self.rules, self.leader, self.alternatives)
        return [(report, plays) for report, (_, plays) in zip(reports, results, strict=True)]

    def answer(self, results: Sequence[tuple[ContractReport, int]], seconds: float) -> Analysis:
        """Returns the analysis that the results of all contracts make."""
        nodes = sum(plays for _, plays in results)
        ranked = _best_first((report for report, _ in results), self.rules.announcer, self.by)
        unmade = owed(self.record.up, self.rules, done=self.record.give)
        return Analysis(
            self.deal, self.rules, self.by, self.leader, ranked, nodes, seconds, self.unexchanged, unmade
        )


def _question(
    record: Record,
    by: Yardstick,
    rules: Rules,
    trumps: Sequence[Trump] | None,
    alternatives: int,
    progress: Callable[[Progress], None] | None = None,
    candidates: int = DEFAULT_CANDIDATES,
) -> _Question:
    contracts = check_contracts(rules.contracts if trumps is None else trumps)
    if alternatives < 0:
        raise InputError(f"{alternatives} alternatives; expected 0 or more")
    if candidates < 1:
        raise InputError(f"{candidates} candidates; expected 1 or more")
    deal = _deal_before_kitty(record, rules)
    unexchanged = record.deal if record.give and not rules.exchanges(Trump.N) else None
    return _Question(
        record,
        by,
        rules,
        contracts,
        alternatives,
        candidates,
        progress,
        deal,
        unexchanged,
        record.lead or rules.first_leader,
        distinct_discards(deal, rules),
    )


def _leading(reports: Sequence[ContractReport]) -> ContractReport:
    """Puts the best discards of one contract by several yardsticks together, each once."""
    ranking = {value.discard: value for report in reports for value in report.ranking}
    searched = min(report.searched for report in reports)
    return replace(reports[0], ranking=tuple(ranking.values()), searched=searched, candidates=len(ranking))


def _compare_all(
    expectations: Expectations,
    contracts: Sequence[tuple[ContractReport, Deal]],
    rules: Rules,
    leader: Seat,
    alternatives: int,
) -> list[ContractReport]:
    """Ranks the discards of each contract by equilibrium, as far as time allows, in the calling thread."""
    reports = [contract for contract, _ in contracts]
    for number, place in _in_rounds(reports, rules.announcer):
        report, deal = reports[number], contracts[number][1]
        value = report.ranking[place]
        position = position_after(deal, rules, value.discard, report.trump, leader)
        try:
            expected = expectations.of(position)
        except SearchStopped:
            break
        except EnumerationFull as full:
            reports[number] = replace(report, refused=full)
            continue
        compared = replace(value, values=replace(value.values, equilibrium=expected))
        ranking = (*report.ranking[:place], compared, *report.ranking[place + 1 :])
        reports[number] = replace(report, ranking=ranking, compared=report.compared + 1)
    return [_ranked(report, rules.announcer, alternatives) for report in reports]


def _in_rounds(reports: Sequence[ContractReport], announcer: Seat) -> Iterator[tuple[int, int]]:
    """Yields which candidate of which contract is compared next.

    In each round one of every contract, so that time that is too short is not all spent on one of them.
    """
    begun = [number for number, report in enumerate(reports) if report.ranking]
    order = _order([reports[number].ranking[0].values for number in begun], announcer, "share")
    promising = [begun[each] for each in order]
    for place in range(max((len(report.ranking) for report in reports), default=0)):
        yield from ((number, place) for number in promising if place < len(reports[number].ranking))


def _ranked(report: ContractReport, announcer: Seat, alternatives: int) -> ContractReport:
    """Puts what was compared in front, best first, and keeps as many discards as are to be told."""
    compared = [value for value in report.ranking if value.values.equilibrium]
    others = [value for value in report.ranking if not value.values.equilibrium]
    best_first = [
        values[number]
        for values in (compared, others)
        for number in _order([value.values for value in values], announcer, "equilibrium")
    ]
    return replace(report, ranking=tuple(best_first[: alternatives + 1]))


def _order(values: Sequence[Values], seat: Seat, by: Yardstick) -> list[int]:
    """Returns the numbers of some values, those that are best for the seat first; equals stay in order.

    The share decides between equilibria that are equal, and stands in for one that is not known.
    """
    if by != "equilibrium":
        return sorted(range(len(values)), key=lambda number: -score(values[number], seat, by))
    expected = places([(each.equilibrium or each.share)[seat] for each in values])
    return sorted(
        range(len(values)), key=lambda number: (expected[number], -score(values[number], seat, "share"))
    )


def analyze_on(
    engine: Engine,
    deal: Deal,
    rules: Rules,
    leader: Seat,
    contracts: Sequence[Trump],
    *,
    by: By,
    beat: Values | None = None,
) -> Analysis:
    """Analyzes a deal after the exchange on an engine, in the calling thread: see :func:`analyze`.

    Args:
        engine: The engine, whose table serves all contracts.
        deal: The hands before the kitty is taken, and the kitty.
        rules: Say who announces, and from which cards he lays aside.
        leader: The seat that leads the first trick.
        contracts: The contracts to look at.
        by: The yardstick.
        beat: What a contract has to be better than for the announcer to be looked at exactly.
    """
    started, plays = time.perf_counter(), engine.stats().plays
    discards = distinct_discards(deal, rules)
    reports = [
        best_discards(engine, deal, rules, trump, leader, by=by, beat=beat, discards=discards)
        for trump in contracts
    ]
    ranked = _best_first(reports, rules.announcer, by)
    nodes, seconds = engine.stats().plays - plays, time.perf_counter() - started
    return Analysis(deal, rules, by, leader, ranked, nodes, seconds)


def check_contracts(trumps: Iterable[Trump]) -> tuple[Trump, ...]:
    """Returns contracts, each once.

    Raises:
        InputError: If there is none.
    """
    contracts = tuple(dict.fromkeys(trumps))
    if not contracts:
        raise InputError("no contract to look at; expected one or more of S H D C N")
    return contracts


def _best_first(
    reports: Iterable[ContractReport], announcer: Seat, by: Yardstick
) -> tuple[ContractReport, ...]:
    """Sorts contracts by what their best discard is worth to the announcer."""
    contracts = list(reports)
    found = [contract for contract in contracts if contract.best]
    order = _order([contract.ranking[0].values for contract in found], announcer, by)
    return (*(found[number] for number in order), *(each for each in contracts if not each.best))


def _deal_before_kitty(record: Record, rules: Rules) -> Deal:
    """Returns the deal that the announcer looks at, after the exchange."""
    if record.trick:
        raise InputError("analyze looks at a whole deal; expected a record without trick=")
    if record.give and not rules.exchanges(None):
        raise InputError(f"rules {rules} have no exchange; expected a record without give=")
    return apply_gifts(record.deal, record.give)[0] if record.give else record.deal
