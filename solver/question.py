"""One seat's question: what it knows, the samples, and the race of what it can choose over them."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Any, TypeVar

from sgtmajor.advice import Effort
from sgtmajor.cards import BySeat, Card, Hand, Seat, Trump
from sgtmajor.deal import Deal, Position
from sgtmajor.engine import Engine, unproven
from sgtmajor.errors import InputError, Interrupted, SearchStopped
from sgtmajor.knowledge import Fact, Knowledge, Place, learn
from sgtmajor.race import MOST_SAMPLES, Estimate, Outcome, Stage, Standing, race
from sgtmajor.record import Record
from sgtmajor.rules import Rules
from sgtmajor.sampling import FEW, Layouts, Samples
from sgtmajor.values import seat_values
from sgtmajor.view import View, read_view
from sgtmajor.yardstick import By, check_yardstick

A = TypeVar("A")
C = TypeVar("C")
Q = TypeVar("Q", bound="Question")


def view_of(view: View | Record | str, rules: Rules | str | None) -> View:
    """Returns what is seen as a view, under other rules if these are given."""
    if isinstance(view, str):
        view = read_view(view)
    if isinstance(view, Record):
        view = View.of(view)
    if isinstance(rules, str):
        rules = Rules.parse(rules)
    return replace(view, rules=rules) if rules else view


@dataclass(frozen=True, slots=True)
class Question:
    """What one seat asks, and how choices are valued on the samples.

    Attributes:
        view: What is written of the deal.
        knowledge: What the seat knows.
        by: The yardstick.
        samples: Deals that fit.
        effort: How much work the answer may take.
    """

    view: View
    knowledge: Knowledge
    by: By
    samples: Samples
    effort: Effort

    @classmethod
    def of(
        cls: type[Q],
        view: View,
        seat: Seat,
        by: By,
        facts: Iterable[Fact],
        returned: Sequence[Card],
        effort: Effort | None,
        *,
        sees_kitty: bool = False,
    ) -> Q:
        """Returns the question of a seat: see :func:`sgtmajor.recommend.recommend_trump`."""
        check_yardstick(by)
        effort = effort or Effort()
        knowledge = learn(view, seat, facts=facts, returned=returned, sees_kitty=sees_kitty)
        samples = Samples(Layouts(knowledge), effort.seed, effort.samples or FEW)
        return cls(view, knowledge, by, samples, effort)

    @property
    def seat(self) -> Seat:
        """The seat that asks."""
        return self.knowledge.seat

    @property
    def rules(self) -> Rules:
        """The house rules."""
        return self.view.rules

    @property
    def announces(self) -> bool:
        """Whether the seat that asks names the trump."""
        return self.seat is self.rules.announcer

    def check_enough(self) -> None:
        """Refuses a deal in which the announcer cannot lay as many cards aside as the kitty has."""
        size, count = self.view.size, self.view.kitty_size
        if self.rules.kitty == "blind" and count > size:
            raise InputError(
                f"{self.rules.announcer} cannot lay {count} cards aside: {self.rules.announcer} holds {size}"
            )

    def deal(self, number: int) -> Deal:
        """Returns a sample as a deal."""
        known = self.knowledge
        places: Mapping[Place, Hand] = self.samples[number]
        hands = BySeat.of(lambda seat: known.hand if seat is known.seat else places[str(seat)])
        return Deal(hands, places.get("K", known.kitty or Hand()))

    def worth_after(self, engine: Engine, deal: Deal, trump: Trump, discard: tuple[Card, ...]) -> float:
        """Returns what a deal is worth to the seat that asks once the announcer has laid cards aside."""
        position = self.played(deal, trump, discard)
        if self.by == "guaranteed":
            return float(engine.bounds(position, self.seat).lower)
        return seat_values(engine, position).share[self.seat]

    def played(self, deal: Deal, trump: Trump, discard: tuple[Card, ...]) -> Position:
        """Returns what is played once the announcer has laid cards aside."""
        after = self.rules.take_kitty(deal, discard) if deal.kitty else deal
        return Position(after.hands, trump, self.view.leader)

    def answer(
        self,
        choices: Sequence[C],
        values: Callable[[Engine, int, Sequence[C]], Sequence[float]],
        make: Callable[[Outcome[C], dict[str, Any]], A],
        *,
        group: Callable[[C], Hashable],
        choosing: bool = True,
        all_looked_at: bool = True,
        less: str,
        meanwhile: str = "",
        progress: Callable[[Stage], None] | None,
    ) -> A:
        """Races choices over the samples and makes an answer of how they end.

        Args:
            choices: At least one.
            values: Values choices of a group on the sample of a number: see :func:`race`.
            make: Makes the answer of the outcome and the fields that all answers have, but the options.
            group: See :func:`race`.
            choosing: See :func:`race`.
            all_looked_at: Whether the mean over all deals is exact: false if better choices may be left out
                in a sample, or some deals are likelier than others.
            less: What makes less work, for the message if there was no time for one sample.
            meanwhile: What to do without an answer, for that message.
            progress: Called from time to time.

        Raises:
            SearchStopped: If time ran out before the first sample was solved.
            Interrupted: On Ctrl-C, if samples were solved by then: with the answer so far.
        """
        started = time.perf_counter()
        deals, effort = self.samples.layouts.count, self.effort
        # What the two others gave each other makes some deals likelier than others.
        certain = self.samples.exhaustive and all_looked_at and self.knowledge.sees_all_gifts

        def answered(outcome: Outcome[C], stopped: bool) -> A:
            # Without a number of samples, time is what ends a race.
            endless = effort.samples is None and not self.samples.exhaustive and not stopped
            fields: dict[str, Any] = {
                "view": self.view,
                "knowledge": self.knowledge,
                "rules": self.rules,
                "by": self.by,
                "leader": self.view.leader,
                "deals": deals,
                "samples": outcome.samples,
                "exact": outcome.complete and certain,
                "complete": (outcome.complete or endless) and len(outcome.standings) == len(choices),
                "entered": len(choices),
                "seed": effort.seed,
                "seconds": time.perf_counter() - started,
            }
            return make(outcome, fields)

        try:
            outcome = race(
                choices,
                values,
                group=group,
                samples=deals if self.samples.exhaustive else effort.samples or MOST_SAMPLES,
                exhaustive=self.samples.exhaustive,
                choosing=choosing,
                seconds=effort.limit,
                jobs=effort.jobs,
                memory_mb=effort.memory_mb,
                progress=progress,
            )
        except Interrupted as stop:
            raise Interrupted(answered(stop.result, True)) from None
        if not outcome.standings:
            raise self.stopped(
                f"time was up after {effort.limit:g} s, before the first sample was solved; give more time"
                f" (--seconds 60, or --samples 1 without --seconds), or less work ({less}){meanwhile}"
            )
        return answered(outcome, False)

    def worth(
        self, standing: Standing[C], exact: bool
    ) -> tuple[Estimate, Estimate, float, tuple[float, ...]]:
        """Returns how a choice has done as the fields of :class:`sgtmajor.advice.Worth`."""
        level, behind = standing.level, standing.behind
        if exact:
            level, behind = (Estimate(each.mean, each.mean, each.mean) for each in (level, behind))
        else:
            tricks = float(self.view.size)
            level, behind = _clipped(level, 0.0, tricks), _clipped(behind, -tricks, tricks)
        target = self.rules.targets[self.seat]
        return level, behind, fmean(value >= target for value in standing.values), standing.values

    def stopped(self, message: str) -> SearchStopped:
        """Returns the error that time was up with nothing known."""
        return SearchStopped(message, unproven(self.view.size))


def _clipped(estimate: Estimate, least: float, most: float) -> Estimate:
    """Returns an estimate of something within limits: the mean moved there first, so that its width stays."""
    mean = min(max(estimate.mean, least), most)
    if estimate.lower is None or estimate.upper is None:
        return Estimate(mean, None, None)
    moved = mean - estimate.mean
    return Estimate(mean, max(estimate.lower + moved, least), min(estimate.upper + moved, most))
