"""Advice from one hand: which trump to name, and what to lay aside, seeing what a player sees.

The unseen cards are dealt out again and again in all ways that fit what the seat knows, and each such sample
is solved with open cards. What follows from hiding cards, or from others not seeing them, is out of sight.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import comb, floor
from statistics import fmean

from sgtmajor.cards import BySeat, Card, Hand, Seat, Trump, format_cards
from sgtmajor.deal import Deal, Position
from sgtmajor.engine import DEFAULT_MEMORY_MB, Bounds, Engine
from sgtmajor.errors import InputError, Interrupted, SearchStopped
from sgtmajor.gifts import check_exchange
from sgtmajor.kitty import (
    By,
    best_discards,
    check_yardstick,
    discards_from,
    distinct_discards,
)
from sgtmajor.knowledge import Fact, Knowledge, Place, learn
from sgtmajor.promise import promising_first
from sgtmajor.race import MOST_SAMPLES, Estimate, Outcome, Stage, Standing, race, rounded
from sgtmajor.record import Record
from sgtmajor.rules import Rules
from sgtmajor.sampling import FEW, Layouts, Samples
from sgtmajor.thumb import thumb_discard, thumb_trump
from sgtmajor.trump import check_contracts
from sgtmajor.values import seat_values
from sgtmajor.view import View, read_view

DEFAULT_SECONDS = 10.0
DEFAULT_SEED = 1
# Discards that are compared: for each contract, and where there is one contract only. How little is lost by
# that is measured in docs/advice.md. Without trumps they are harder to tell apart beforehand.
TRUMP_DISCARDS = 6
DISCARDS = 24
NO_TRUMP_FACTOR = 3
# Samples or discards that may be asked for: more than anybody has time for.
MOST_ASKED = 1_000_000


@dataclass(frozen=True, slots=True)
class Option:
    """A choice and what it is worth.

    Attributes:
        trump: The contract.
        discard: The cards to lay aside: none for a seat that does not, None if they are chosen later.
        tricks: Expected tricks of the seat that asks, by the yardstick.
        behind: The difference to the best option, in pairs on the same samples; 0 for the best.
        reaches_target: The part of the samples in which the tricks reach the target.
        values: The tricks of each sample.
    """

    trump: Trump
    discard: tuple[Card, ...] | None
    tricks: Estimate
    behind: Estimate
    reaches_target: float
    values: tuple[float, ...]

    @property
    def histogram(self) -> Counter[int]:
        """How many samples give so many tricks, parts of a trick left out."""
        return Counter(map(floor, self.values))


@dataclass(frozen=True, slots=True)
class Advice:
    """The answer to :func:`recommend_trump` and :func:`recommend_discard`.

    Attributes:
        view: What was written of the deal.
        knowledge: What the seat that asks knows.
        rules: The house rules.
        by: The yardstick.
        leader: The seat that leads the first trick.
        options: All that were compared, best first.
        deals: How many deals fit what is known.
        samples: How many of them were solved for the best option.
        exact: Whether these are all.
        complete: Whether all samples asked for were solved, for all that was to be compared: false if time
            ran out before.
        entered: How many options were to be compared; those that there was no time for are left out.
        discards: How many discards there are that differ, for each contract.
        seed: The seed of the samples.
        seconds: Wall-clock time.
    """

    view: View
    knowledge: Knowledge
    rules: Rules
    by: By
    leader: Seat
    options: tuple[Option, ...]
    deals: int
    samples: int
    exact: bool
    complete: bool
    entered: int
    discards: int
    seed: int
    seconds: float

    @property
    def seat(self) -> Seat:
        """The seat that asks."""
        return self.knowledge.seat

    @property
    def best(self) -> Option:
        """The option to take."""
        return self.options[0]

    @property
    def ranking(self) -> tuple[Option, ...]:
        """What the answer is about, best first: contracts, each with its best discard, or discards of one.

        The best discard of a contract is the best of those that were valued on the most samples.
        """
        found: dict[Trump, Option] = {}
        for option in self.options:
            known = found.setdefault(option.trump, option)
            if len(option.values) > len(known.values):
                found[option.trump] = option
        if len(found) == 1:
            return self.options
        return tuple(
            sorted(found.values(), key=lambda option: (option is not self.best, -option.behind.mean))
        )

    @property
    def seen(self) -> str:
        """The cards that the seat sees, after the exchange, in the notation of a deal."""
        hands = BySeat.of(lambda seat: self.knowledge.hand if seat is self.seat else None)
        return replace(self.view, hands=hands, kitty=self.knowledge.kitty).cards

    @property
    def target(self) -> int | None:
        """The target of the seat; None if the targets are not for a deal of this size."""
        fits = sum(self.rules.targets.values()) == self.view.size
        return self.rules.targets[self.seat] if fits else None

    def to_dict(self) -> dict[str, object]:
        """Returns the JSON form of the output contract."""
        options = [self._option_to_dict(option) for option in self.ranking]
        return {
            "seen": self.seen,
            "seat": str(self.seat),
            "rules": str(self.rules),
            "by": self.by,
            "announcer": str(self.rules.announcer),
            "leader": str(self.leader),
            "target": self.target,
            "deals": self.deals,
            "samples": self.samples,
            "exact": self.exact,
            "complete": self.complete,
            "seed": self.seed,
            "discards": self.discards,
            "entered": self.entered,
            "compared": len(self.options),
            "options": options,
            "best": options[0],
            "seconds": round(self.seconds, 3),
        }

    def points(self, option: Option) -> float | None:
        """Returns expected tricks minus target; None if the targets are not for a deal of this size."""
        return None if self.target is None else option.tricks.mean - self.target

    def _option_to_dict(self, option: Option) -> dict[str, object]:
        tricks, behind = option.tricks.rounded(), option.behind.rounded()
        result: dict[str, object] = {
            "trump": str(option.trump),
            "discard": None if option.discard is None else [str(card) for card in option.discard],
            "tricks": tricks.mean,
            "ci95": _interval_to_list(tricks),
        }
        points = self.points(option)
        if points is not None:
            result["points"] = rounded(points)
            result["reaches_target"] = round(option.reaches_target, 3)
        return result | {
            "difference": behind.mean,
            "difference_ci95": _interval_to_list(behind),
            "samples": len(option.values),
        }


def _clipped(estimate: Estimate, least: float, most: float) -> Estimate:
    """Returns an estimate of something within limits: the mean moved there first, so that its width stays."""
    mean = min(max(estimate.mean, least), most)
    if estimate.lower is None or estimate.upper is None:
        return Estimate(mean, None, None)
    moved = mean - estimate.mean
    return Estimate(mean, max(estimate.lower + moved, least), min(estimate.upper + moved, most))


def _interval_to_list(estimate: Estimate) -> list[float] | None:
    if estimate.lower is None or estimate.upper is None:
        return None
    return [estimate.lower, estimate.upper]


@dataclass(frozen=True, slots=True)
class Effort:
    """How much work an advice may take.

    Attributes:
        samples: Samples at most. Not given: as many as the time allows.
        seconds: Time limit. Not given: ten seconds, or none if the samples are given.
        seed: The seed of the samples, 0 to 2**64 - 1.
        discards: Discards to compare for each contract, the most promising ones.
        jobs: Threads.
        memory_mb: MiB for the tables of all threads together.
    """

    samples: int | None = None
    seconds: float | None = None
    seed: int = DEFAULT_SEED
    discards: int | None = None
    jobs: int = 1
    memory_mb: int = DEFAULT_MEMORY_MB

    def __post_init__(self) -> None:
        for name, number in (("samples", self.samples), ("discards", self.discards)):
            if number is not None and not 1 <= number <= MOST_ASKED:
                raise InputError(f"{number} {name} are out of range, expected 1 to {MOST_ASKED}")

    @property
    def limit(self) -> float | None:
        """The time limit in seconds; None for none."""
        if self.seconds is None and self.samples is None:
            return DEFAULT_SECONDS
        return self.seconds


def recommend_trump(
    view: View | Record | str,
    *,
    seat: Seat | str | None = None,
    by: By = "share",
    rules: Rules | str | None = None,
    trumps: Sequence[Trump] | None = None,
    facts: Iterable[Fact] = (),
    returned: Sequence[Card] = (),
    effort: Effort | None = None,
    progress: Callable[[Stage], None] | None = None,
) -> Advice:
    """Ranks the contracts for the announcer from what he sees, or says what another seat can expect of each.

    Under ``blind`` rules each contract comes with the one discard that is best over all samples; under
    ``pickup`` the discard is chosen in each sample, the kitty in sight. For another seat the announcer lays
    aside by the players' rule of thumb, and nothing is concluded from his having named the trump.

    Args:
        view: What is seen: a view, a record, or the text of either.
        seat: The seat that asks; if not given the one whose hand is written alone, else the announcer.
        by: The yardstick: ``share`` or ``guaranteed`` of the seat that asks.
        rules: Rules, or their text; those of the view if not given.
        trumps: The contracts to compare. If not given, those of the rules; for a seat that does not announce
            the trump of the view, if that is known.
        facts: What is known of unseen cards: see :func:`parse_holds` and :func:`parse_lacks`.
        returned: What came back for the gifts of the seat, in order, where the view does not show it.
        effort: How much work it may take.
        progress: Called from time to time.

    Raises:
        InputError: If something is wrong with the input, or what is known contradicts itself.
        SearchStopped: If time ran out before the first sample was solved.
        Interrupted: On Ctrl-C, if something was valued by then: its ``result`` is the advice so far.
    """
    question = _Question.of(view, seat, by, rules, facts, returned, effort or Effort(), sees_kitty=False)
    named = (question.view.trump,) if question.view.trump and not question.announces else None
    contracts = check_contracts(trumps if trumps is not None else named or question.contracts)
    if not question.announces:
        question.check_enough()
        choices = [_Choice(trump, ()) for trump in contracts]
        return question.answer(choices, 0, question.expected, progress)
    if question.rules.kitty == "pickup":
        choices = [_Choice(trump, None) for trump in contracts]
        return question.answer(choices, 0, question.best_with_kitty, progress)
    discards = question.discards()
    choices = [
        choice for trump in contracts for choice in question.promising(discards, trump, TRUMP_DISCARDS)
    ]
    return question.answer(choices, len(discards), question.laid_aside, progress)


def recommend_discard(
    view: View | Record | str,
    *,
    trump: Trump | None = None,
    by: By = "share",
    rules: Rules | str | None = None,
    facts: Iterable[Fact] = (),
    returned: Sequence[Card] = (),
    effort: Effort | None = None,
    progress: Callable[[Stage], None] | None = None,
) -> Advice:
    """Ranks what the announcer can lay aside from what he sees: one discard for all samples.

    Under ``blind`` rules he sees his own cards, under ``pickup`` rules the kitty, too.

    Args:
        view: What is seen: a view, a record, or the text of either.
        trump: The contract; that of the view if not given.
        by: The yardstick: ``share`` or ``guaranteed`` of the announcer.
        rules: Rules, or their text; those of the view if not given.
        facts: What is known of unseen cards: see :func:`parse_holds` and :func:`parse_lacks`.
        returned: What came back for the gifts of the announcer, in order, where the view does not show it.
        effort: How much work it may take.
        progress: Called from time to time.

    Raises:
        InputError: If something is wrong with the input, or what is known contradicts itself.
        SearchStopped: If time ran out before the first sample was solved.
        Interrupted: On Ctrl-C, if something was valued by then: its ``result`` is the advice so far.
    """
    view = _read(view, rules)
    seat = view.rules.announcer
    question = _Question.of(
        view, seat, by, None, facts, returned, effort or Effort(), sees_kitty=view.rules.kitty == "pickup"
    )
    trump = trump or view.trump
    if trump is None:
        raise InputError(
            "the trump is not given, expected trump= in the record, or --trump, and one of S H D C N"
        )
    discards = question.discards()
    choices = question.promising(discards, trump, DISCARDS)
    return question.answer(choices, len(discards), question.laid_aside, progress)


@dataclass(frozen=True, slots=True)
class _Choice:
    trump: Trump
    discard: tuple[Card, ...] | None


def _read(view: View | Record | str, rules: Rules | str | None) -> View:
    if isinstance(view, str):
        view = read_view(view)
    if isinstance(view, Record):
        view = View.of(view)
    if isinstance(rules, str):
        rules = Rules.parse(rules)
    return replace(view, rules=rules) if rules else view


@dataclass(frozen=True, slots=True)
class _Question:
    """One seat's question: what it knows, the samples, and how choices are valued on them."""

    view: View
    knowledge: Knowledge
    by: By
    samples: Samples
    effort: Effort

    @classmethod
    def of(
        cls,
        view: View | Record | str,
        seat: Seat | str | None,
        by: By,
        rules: Rules | str | None,
        facts: Iterable[Fact],
        returned: Sequence[Card],
        effort: Effort,
        *,
        sees_kitty: bool,
    ) -> _Question:
        check_yardstick(by)
        view = _read(view, rules)
        asker = view.asker if seat is None else Seat.of(seat)
        knowledge = learn(view, asker, facts=facts, returned=returned, sees_kitty=sees_kitty)
        samples = Samples(Layouts(knowledge), effort.seed, effort.samples or FEW)
        return cls(view, knowledge, by, samples, effort)

    @property
    def rules(self) -> Rules:
        return self.view.rules

    @property
    def contracts(self) -> tuple[Trump, ...]:
        """The contracts that the rules allow, and for which there are the gifts that were made."""
        given = bool(self.view.give)
        return tuple(each for each in self.rules.contracts if not given or self.rules.exchanges(each))

    @property
    def announces(self) -> bool:
        return self.knowledge.seat is self.rules.announcer

    def discards(self) -> list[tuple[Card, ...]]:
        """Returns what the announcer can lay aside, without regard to where the unseen cards lie."""
        known = self.knowledge
        return discards_from(known.seat, known.seen, known.unseen, self.view.kitty_size)

    def check_enough(self) -> None:
        """Refuses a deal in which the announcer cannot lay as many cards aside as the kitty has."""
        size, count = self.view.size, self.view.kitty_size
        if count > size + (count if self.rules.kitty == "pickup" else 0):
            raise InputError(
                f"{self.rules.announcer} cannot lay {count} cards aside: {self.rules.announcer} holds {size}"
            )

    def promising(self, discards: Sequence[tuple[Card, ...]], trump: Trump, count: int) -> list[_Choice]:
        """Returns the most promising discards for a contract."""
        likely = self.likely(discards, self.knowledge.seen, trump, count)
        return [_Choice(trump, discard) for discard in likely]

    def likely(
        self, discards: Sequence[tuple[Card, ...]], pool: Hand, trump: Trump, count: int
    ) -> list[tuple[Card, ...]]:
        """Returns the most promising discards: as many as were asked for, else ``count``."""
        count *= 1 if trump.suit else NO_TRUMP_FACTOR
        return promising_first(discards, pool, trump)[: self.effort.discards or count]

    def deal(self, number: int) -> Deal:
        """Returns a sample as a deal."""
        known = self.knowledge
        places: Mapping[Place, Hand] = self.samples[number]
        hands = BySeat.of(lambda seat: known.hand if seat is known.seat else places[str(seat)])
        return Deal(hands, places.get("K", known.kitty or Hand()))

    def laid_aside(self, engine: Engine, number: int, choices: Sequence[_Choice]) -> list[float]:
        """Values discards that are the same whatever the sample."""
        deal = self.deal(number)
        return [self._after(engine, deal, choice.trump, choice.discard or ()) for choice in choices]

    def best_with_kitty(self, engine: Engine, number: int, choices: Sequence[_Choice]) -> list[float]:
        """Values contracts for which the discard is chosen with the kitty, and all else, in sight."""
        deal = self.deal(number)
        kept = deal.hands[self.knowledge.seat] | (deal.kitty or Hand())
        discards = distinct_discards(deal, self.rules)
        return [
            self._best_of(
                engine, deal, choice.trump, self.likely(discards, kept, choice.trump, TRUMP_DISCARDS)
            )
            for choice in choices
        ]

    def _best_of(
        self, engine: Engine, deal: Deal, trump: Trump, discards: Sequence[tuple[Card, ...]]
    ) -> float:
        """Returns what a deal is worth to the announcer if he picks the best of some discards for it."""
        if self.by == "guaranteed":
            return float(self._most_sure(engine, deal, trump, discards))
        report = best_discards(
            engine, deal, self.rules, trump, self.view.leader, by=self.by, discards=discards
        )
        if not report.complete or report.best is None:
            raise self._stopped("time was up within a sample")
        return report.best.values.share[self.knowledge.seat]

    def _most_sure(
        self, engine: Engine, deal: Deal, trump: Trump, discards: Sequence[tuple[Card, ...]]
    ) -> int:
        """Returns the most that the announcer is sure of with one of some discards."""
        most = 0
        for discard in discards:
            position = self._played(deal, trump, discard)
            bounds = engine.bounds(position, self.knowledge.seat, at_least=most + 1)
            if bounds.lower > most:
                most = engine.bounds(position, self.knowledge.seat, known=bounds).lower
        return most

    def expected(self, engine: Engine, number: int, choices: Sequence[_Choice]) -> list[float]:
        """Values contracts for a seat that does not announce: the announcer lays aside by rule of thumb."""
        deal = self.deal(number)
        kitty = deal.kitty or Hand()
        pool = deal.hands[self.rules.announcer] | (kitty if self.rules.kitty == "pickup" else Hand())
        return [
            self._after(engine, deal, choice.trump, thumb_discard(pool, len(kitty), choice.trump))
            for choice in choices
        ]

    def _after(self, engine: Engine, deal: Deal, trump: Trump, discard: tuple[Card, ...]) -> float:
        """Returns what a deal is worth to the seat that asks once the announcer has laid cards aside."""
        seat, position = self.knowledge.seat, self._played(deal, trump, discard)
        if self.by == "guaranteed":
            return float(engine.bounds(position, seat).lower)
        return seat_values(engine, position).share[seat]

    def _played(self, deal: Deal, trump: Trump, discard: tuple[Card, ...]) -> Position:
        """Returns what is played once the announcer has laid cards aside."""
        after = self.rules.take_kitty(deal, discard) if deal.kitty else deal
        return Position(after.hands, trump, self.view.leader)

    def answer(
        self,
        choices: Sequence[_Choice],
        discards: int,
        values: Callable[[Engine, int, Sequence[_Choice]], Sequence[float]],
        progress: Callable[[Stage], None] | None,
    ) -> Advice:
        """Races the choices and makes an advice of how they end."""
        for choice in choices:
            # Hands after an exchange say nothing of a contract for which there is none.
            check_exchange(self.view.give, self.view.up, self.rules, choice.trump)
        started = time.perf_counter()

        def advice(outcome: Outcome[_Choice], interrupted: bool = False) -> Advice:
            seconds = time.perf_counter() - started
            return self._advice(outcome, interrupted, len(choices), discards, seconds)

        deals, effort = self.samples.layouts.count, self.effort
        try:
            outcome = race(
                choices,
                values,
                group=lambda choice: choice.trump,
                samples=deals if self.samples.exhaustive else effort.samples or MOST_SAMPLES,
                exhaustive=self.samples.exhaustive,
                choosing=self.announces,
                seconds=effort.limit,
                jobs=effort.jobs,
                memory_mb=effort.memory_mb,
                progress=progress,
            )
        except Interrupted as stop:
            raise Interrupted(advice(stop.result, interrupted=True)) from None
        if not outcome.standings:
            raise self._too_early(choices)
        return advice(outcome)

    def _advice(
        self, outcome: Outcome[_Choice], interrupted: bool, entered: int, discards: int, seconds: float
    ) -> Advice:
        """Makes an advice of how a race ended."""
        exact = self.samples.exhaustive and outcome.complete and not self._leaves_out(outcome)
        # What the two others gave each other makes some deals likelier than others.
        exact = exact and self.knowledge.sees_all_gifts
        # Without a number of samples, time is what ends a race.
        endless = self.effort.samples is None and not self.samples.exhaustive and not interrupted
        all_samples = outcome.complete or endless
        return Advice(
            self.view,
            self.knowledge,
            self.rules,
            self.by,
            self.view.leader,
            tuple(self._option(standing, exact) for standing in outcome.standings),
            self.samples.layouts.count,
            outcome.samples,
            exact,
            all_samples and len(outcome.standings) == entered,
            entered,
            discards,
            self.effort.seed,
            seconds,
        )

    def _leaves_out(self, outcome: Outcome[_Choice]) -> bool:
        """Whether each deal may have had a better discard than those that were looked at."""
        if outcome.standings[0].candidate.discard is not None:
            return False
        ways = comb(len(self.knowledge.hand) + self.view.kitty_size, self.view.kitty_size)
        return ways > (self.effort.discards or TRUMP_DISCARDS)

    def _option(self, standing: Standing[_Choice], exact: bool) -> Option:
        level, behind = standing.level, standing.behind
        if exact:
            level, behind = (Estimate(each.mean, each.mean, each.mean) for each in (level, behind))
        else:
            tricks = float(self.view.size)
            level, behind = _clipped(level, 0.0, tricks), _clipped(behind, -tricks, tricks)
        target = self.rules.targets[self.knowledge.seat]
        reached = fmean(value >= target for value in standing.values)
        choice = standing.candidate
        return Option(choice.trump, choice.discard, level, behind, reached, standing.values)

    def _stopped(self, message: str) -> SearchStopped:
        unknown = Bounds(0, self.view.size)
        return SearchStopped(message, BySeat(unknown, unknown, unknown))

    def _too_early(self, choices: Sequence[_Choice]) -> SearchStopped:
        """Says that there is no sample, what to do about it, and what the rule of thumb says meanwhile."""
        return self._stopped(
            f"time was up after {self.effort.limit:g} s, before the first sample was solved; give more time"
            " (--seconds 60, or --samples 1 without --seconds), or less work (--by guaranteed, --discards 1)"
            + (f"; {self._by_thumb(choices)}" if self.announces else "")
        )

    def _by_thumb(self, choices: Sequence[_Choice]) -> str:
        """Says what the announcer would do by the players' rule of thumb, of the contracts he can choose."""
        known = self.knowledge
        trump = thumb_trump(known.hand, list(dict.fromkeys(choice.trump for choice in choices)))
        discard = thumb_discard(known.seen, self.view.kitty_size, trump) if choices[0].discard else ()
        aside = f" and lays aside {format_cards(discard)}" if discard else ""
        return f"by rule of thumb {known.seat} names {trump}{aside}"
