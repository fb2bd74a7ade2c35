"""Advice from one hand: which trump to name, and what to lay aside, seeing what a player sees.

The unseen cards are dealt out again and again in all ways that fit what the seat knows, and each such sample
is solved with open cards. What follows from hiding cards, or from others not seeing them, is out of sight.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import comb
from typing import Any

from sgtmajor.advice import Answer, Effort, Worth
from sgtmajor.cards import Card, Hand, Seat, Trump, format_cards
from sgtmajor.deal import Deal
from sgtmajor.engine import Engine
from sgtmajor.errors import InputError
from sgtmajor.gifts import check_exchange
from sgtmajor.kitty import best_discards, discards_from, distinct_discards
from sgtmajor.knowledge import Fact
from sgtmajor.promise import promising_first
from sgtmajor.question import Question, view_of
from sgtmajor.race import Outcome, Stage
from sgtmajor.record import Record
from sgtmajor.rules import Rules
from sgtmajor.thumb import thumb_discard, thumb_trump
from sgtmajor.trump import check_contracts
from sgtmajor.view import View
from sgtmajor.yardstick import By

# Discards that are compared: for each contract, and where there is one contract only. How little is lost by
# that is measured in docs/advice.md. Without trumps they are harder to tell apart beforehand.
TRUMP_DISCARDS = 6
DISCARDS = 24
NO_TRUMP_FACTOR = 3


@dataclass(frozen=True, slots=True)
class Option(Worth):
    """A contract and a discard, and what they are worth.

    Attributes:
        trump: The contract.
        discard: The cards to lay aside: none for a seat that does not, None if they are chosen later.
    """

    trump: Trump
    discard: tuple[Card, ...] | None

    def choice_to_dict(self) -> dict[str, object]:
        """Returns the JSON form of what is chosen, without what it is worth."""
        aside = None if self.discard is None else [str(card) for card in self.discard]
        return {"trump": str(self.trump), "discard": aside}


@dataclass(frozen=True, slots=True)
class Advice(Answer[Option]):
    """The answer to :func:`recommend_trump` and :func:`recommend_discard`.

    Attributes:
        discards: How many discards there are that differ, for each contract.
    """

    discards: int

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

    def question_to_dict(self) -> dict[str, object]:
        """Returns the JSON form of what only answers to this question have."""
        return {"discards": self.discards}


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
        Interrupted: On Ctrl-C, if samples were solved by then: its ``result`` is the advice so far.
    """
    view = view_of(view, rules)
    question = _Question.of(view, view.asker if seat is None else Seat.of(seat), by, facts, returned, effort)
    named = (question.view.trump,) if question.view.trump and not question.announces else None
    contracts = check_contracts(trumps if trumps is not None else named or question.contracts)
    if not question.announces:
        question.check_enough()
        choices = [_Choice(trump, ()) for trump in contracts]
        return question.advice(choices, 0, question.expected, progress)
    if question.rules.kitty == "pickup":
        choices = [_Choice(trump, None) for trump in contracts]
        return question.advice(choices, 0, question.best_with_kitty, progress)
    discards = question.discards()
    choices = [
        choice for trump in contracts for choice in question.promising(discards, trump, TRUMP_DISCARDS)
    ]
    return question.advice(choices, len(discards), question.laid_aside, progress)


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
        Interrupted: On Ctrl-C, if samples were solved by then: its ``result`` is the advice so far.
    """
    view = view_of(view, rules)
    question = _Question.of(
        view, view.rules.announcer, by, facts, returned, effort, sees_kitty=view.rules.kitty == "pickup"
    )
    trump = trump or view.trump
    if trump is None:
        raise InputError(
            "the trump is not given, expected trump= in the record, or --trump, and one of S H D C N"
        )
    discards = question.discards()
    choices = question.promising(discards, trump, DISCARDS)
    return question.advice(choices, len(discards), question.laid_aside, progress)


@dataclass(frozen=True, slots=True)
class _Choice:
    trump: Trump
    discard: tuple[Card, ...] | None


@dataclass(frozen=True, slots=True)
class _Question(Question):
    """How contracts and discards are valued on the samples."""

    @property
    def contracts(self) -> tuple[Trump, ...]:
        """The contracts that the rules allow, and for which there are the gifts that were made."""
        given = bool(self.view.give)
        return tuple(each for each in self.rules.contracts if not given or self.rules.exchanges(each))

    def discards(self) -> list[tuple[Card, ...]]:
        """Returns what the announcer can lay aside, without regard to where the unseen cards lie."""
        known = self.knowledge
        return discards_from(known.seat, known.seen, known.unseen, self.view.kitty_size)

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

    def laid_aside(self, engine: Engine, number: int, choices: Sequence[_Choice]) -> list[float]:
        """Values discards that are the same whatever the sample."""
        deal = self.deal(number)
        return [self.worth_after(engine, deal, choice.trump, choice.discard or ()) for choice in choices]

    def best_with_kitty(self, engine: Engine, number: int, choices: Sequence[_Choice]) -> list[float]:
        """Values contracts for which the discard is chosen with the kitty, and all else, in sight."""
        deal = self.deal(number)
        kept = deal.hands[self.seat] | (deal.kitty or Hand())
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
            raise self.stopped("time was up within a sample")
        return report.best.values.share[self.seat]

    def _most_sure(
        self, engine: Engine, deal: Deal, trump: Trump, discards: Sequence[tuple[Card, ...]]
    ) -> int:
        """Returns the most that the announcer is sure of with one of some discards."""
        most = 0
        for discard in discards:
            position = self.played(deal, trump, discard)
            bounds = engine.bounds(position, self.seat, at_least=most + 1)
            if bounds.lower > most:
                most = engine.bounds(position, self.seat, known=bounds).lower
        return most

    def expected(self, engine: Engine, number: int, choices: Sequence[_Choice]) -> list[float]:
        """Values contracts for a seat that does not announce: the announcer lays aside by rule of thumb."""
        deal = self.deal(number)
        kitty = deal.kitty or Hand()
        pool = deal.hands[self.rules.announcer] | (kitty if self.rules.kitty == "pickup" else Hand())
        return [
            self.worth_after(engine, deal, choice.trump, thumb_discard(pool, len(kitty), choice.trump))
            for choice in choices
        ]

    def advice(
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

        def make(outcome: Outcome[_Choice], fields: dict[str, Any]) -> Advice:
            options = [
                Option(
                    *self.worth(each, fields["exact"]),
                    trump=each.candidate.trump,
                    discard=each.candidate.discard,
                )
                for each in outcome.standings
            ]
            return Advice(**fields, options=tuple(options), discards=discards)

        return self.answer(
            choices,
            values,
            make,
            group=lambda choice: choice.trump,
            choosing=self.announces,
            all_looked_at=not self._leaves_out(choices),
            less="--by guaranteed, --discards 1",
            meanwhile=f"; {self._by_thumb(choices)}" if self.announces else "",
            progress=progress,
        )

    def _leaves_out(self, choices: Sequence[_Choice]) -> bool:
        """Whether each deal may have had a better discard than those that were looked at."""
        if choices[0].discard is not None:
            return False
        ways = comb(len(self.knowledge.hand) + self.view.kitty_size, self.view.kitty_size)
        return ways > (self.effort.discards or TRUMP_DISCARDS)

    def _by_thumb(self, choices: Sequence[_Choice]) -> str:
        """Says what the announcer would do by the players' rule of thumb, of the contracts he can choose."""
        known = self.knowledge
        trump = thumb_trump(known.hand, list(dict.fromkeys(choice.trump for choice in choices)))
        discard = thumb_discard(known.seen, self.view.kitty_size, trump) if choices[0].discard else ()
        aside = f" and lays aside {format_cards(discard)}" if discard else ""
        return f"by rule of thumb {known.seat} names {trump}{aside}"
