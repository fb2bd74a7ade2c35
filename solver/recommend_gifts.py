"""Advice from one hand: what to give in the exchange, seeing what a player sees.

In each sample of the unseen cards the exchange is played out, and the announcer then names the trump and lays
aside what looks best from his own cards; only what follows is solved. Looking for his best choice instead
would take a hundred times as long, and he does not see the other hands either.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sgtmajor.advice import Answer, Effort, Worth
from sgtmajor.cards import Card, Hand, Seat, Trump
from sgtmajor.deal import Deal
from sgtmajor.engine import Engine
from sgtmajor.errors import InputError
from sgtmajor.gifts import Due, Gift, announced, apply_gifts, check_owed, contracts_after
from sgtmajor.knowledge import Fact
from sgtmajor.promise import hand_promise, likely_announcement
from sgtmajor.question import Question, view_of
from sgtmajor.race import Outcome, Stage, rounded
from sgtmajor.record import Record
from sgtmajor.rules import Rules
from sgtmajor.thumb import thumb_gifts, thumb_trump
from sgtmajor.trump import check_contracts
from sgtmajor.view import View
from sgtmajor.ways import ways_from_one_hand
from sgtmajor.yardstick import By

# Ways to give that are compared.
WAYS = 10

# Exchanges that are played out, without solving anything: to sort the ways by how good the hand then looks,
# of all ways together and of each at least; and to count for each way which cards come back.
_SORTED, _LEAST_SORTED = 2000, 2
_COUNTED = 400


@dataclass(frozen=True, slots=True)
class WayToGive(Worth):
    """A way to give, what comes back for it, and what it is worth.

    Attributes:
        gifts: What the seat that asks gives.
        received: The chance of each card to come back from each receiver, the likeliest first; the given card
            itself may do so. The chances from a receiver add up to the cards that he is given.
        stronger: For how many of the gifts a stronger card comes back, on average.
    """

    gifts: tuple[Gift, ...]
    received: Mapping[tuple[Seat, Card], float]
    stronger: float

    def choice_to_dict(self) -> dict[str, object]:
        """Returns the JSON form of what is chosen, without what it is worth."""
        giver = self.gifts[0].giver
        return {
            "give": [str(gift) for gift in self.gifts],
            "received": {
                f"{giver}<{receiver}:{card}": rounded(chance)
                for (receiver, card), chance in self.received.items()
            },
            "stronger": rounded(self.stronger),
        }


@dataclass(frozen=True, slots=True)
class ExchangeAdvice(Answer[WayToGive]):
    """The answer to :func:`recommend_exchange`.

    Attributes:
        owed: Who has still to give how many cards to whom, in order.
        ways: How many ways to give there are; the most promising of them were compared.
    """

    owed: tuple[Due, ...]
    ways: int

    def question_to_dict(self) -> dict[str, object]:
        """Returns the JSON form of what only answers to this question have."""
        return {"owed": [due.to_dict() for due in self.owed], "ways": self.ways}


def recommend_exchange(
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
) -> ExchangeAdvice:
    """Ranks what a seat can give in the exchange that ``up`` asks for, from what it sees.

    After the exchange the announcer names the trump and lays aside what looks best to him: see
    :func:`sgtmajor.promise.likely_announcement`. Another giver gives by the players' rule of thumb:
    :func:`sgtmajor.thumb.thumb_gifts`. Nothing is concluded from what he has given already.

    Args:
        view: What is seen, with ``up``: a view, a record, or the text of either. What has been given of the
            cards owed is in ``give``.
        seat: The seat that asks; if not given the one whose hand is written alone, else the next to give.
        by: The yardstick: ``share`` or ``guaranteed`` of the seat that asks.
        rules: Rules, or their text; those of the view if not given.
        trumps: The contracts that may be announced; those of the rules if not given. Where the exchange comes
            after the announcement, the one contract that was announced; that of the view if not given.
        facts: What is known of unseen cards: see :func:`parse_holds` and :func:`parse_lacks`.
        returned: What came back for the gifts of ``give``, in order, where the view does not show it.
        effort: How much work it may take.
        progress: Called from time to time.

    Raises:
        InputError: If something is wrong with the input, or the seat that asks owes nothing.
        SearchStopped: If time ran out before the first sample was solved.
        Interrupted: On Ctrl-C, if samples were solved by then: its ``result`` is the advice so far.
    """
    view = view_of(view, rules)
    view = replace(view, trump=announced(view.rules, view.trump, trumps))
    owed = view.owed
    check_owed(owed, view.up, view.rules, view.trump)
    contracts = check_contracts(contracts_after(view.rules, view.trump, trumps))
    asker = Seat.of(seat) if seat is not None else owed[0].giver if view.whole else view.asker
    _check_turn(view, asker)
    question = Question.of(view, asker, by, facts, returned, effort)
    question.check_enough()
    return _Ways(question, contracts).advice(progress)


def _check_turn(view: View, seat: Seat) -> None:
    """Refuses a seat that has nothing to give, and the second giver while the first is at it."""
    told = ", ".join(f"{due.giver} gives {due.count} to {due.receiver}" for due in view.owed)
    if all(due.giver is not seat for due in view.owed):
        raise InputError(f"{seat} has nothing to give, expected the hand of a seat that has: {told}")
    first = view.owed[0].giver
    if first is not seat and any(gift.giver is first for gift in view.give):
        # Which of his cards came back, and may not be given on, is not known.
        raise InputError(f"{first} has given some of his cards only, expected all of them in give=: {told}")
    for giver in {due.giver for due in view.owed}:
        due = sum(each.count for each in view.owed if each.giver is giver)
        if due > view.size:
            raise InputError(f"{giver} has to give {due} cards, but has {view.size}")


class _Ways:
    """The ways to give of the seat that asks, and how they are valued on the samples.

    Attributes:
        ways: The ways, the most promising first.
    """

    def __init__(self, question: Question, contracts: tuple[Trump, ...]) -> None:
        self._question = question
        self._contracts = contracts
        owed = question.view.owed
        self._first = owed[0].giver
        self._dues = [due for due in owed if due.giver is question.seat]
        self._others = [due for due in owed if due.giver is not question.seat]
        self.ways = self._most_promising_first(
            ways_from_one_hand(self._free(), question.knowledge.unseen, self._dues)
        )

    def _free(self) -> Hand:
        """Returns the cards that the seat may give: none that it received or got back in this exchange."""
        view, known = self._question.view, self._question.knowledge
        given = Hand.of(gift.card for gift in view.give if gift.giver is known.seat)
        free = (view.hands[known.seat] or Hand()) & known.hand - given
        due = sum(each.count for each in self._dues)
        if due > len(free):
            raise InputError(f"{known.seat} has to give {due} cards, but has {len(free)} that may be given")
        return free

    def _most_promising_first(self, ways: Sequence[tuple[Gift, ...]]) -> list[tuple[Gift, ...]]:
        """Sorts ways by how good the hand then looks, on average over some samples.

        Ways that differ only in which receiver gets which of touching cards are nearly the same: the best of
        such ways come first, so that those that are compared differ in more.
        """
        deals = self._deals(max(_SORTED // len(ways), _LEAST_SORTED))
        in_order = sorted(ways, key=lambda way: -sum(self._looks(deal, way) for deal in deals))
        best: dict[tuple[tuple[int, int, int], ...], tuple[Gift, ...]] = {}
        for way in in_order:
            best.setdefault(self._kind(way), way)
        first = set(best.values())
        return [*best.values(), *(way for way in in_order if way not in first)]

    def _kind(self, way: Sequence[Gift]) -> tuple[tuple[int, int, int], ...]:
        """Returns what is given to whom, touching cards being alike: no unseen one is between them."""
        unseen = self._question.knowledge.unseen

        def lower(card: Card) -> int:
            return sum(other.rank < card.rank for other in unseen.suit(card.suit))

        return tuple(sorted((gift.receiver.index, gift.card.suit.index, lower(gift.card)) for gift in way))

    def _looks(self, deal: Deal, way: tuple[Gift, ...]) -> int:
        """Returns how good the hand of the seat looks after a way, under the trump that it then expects.

        Another announcer's trump is that of the rule of thumb here: what he likely announces when the ways
        are valued takes a hundred times as long, and there are thousands of exchanges to sort by.
        """
        hands, announcer = self._played_out(deal, way)[0].hands, self._question.rules.announcer
        if self._question.announces:
            return max(hand_promise(hands[announcer], trump) for trump in self._contracts)
        return hand_promise(hands[self._question.seat], thumb_trump(hands[announcer], self._contracts))

    def _deals(self, most: int) -> list[Deal]:
        """Returns the first samples."""
        samples = self._question.samples
        count = min(most, samples.layouts.count) if samples.exhaustive else most
        return [self._question.deal(number) for number in range(count)]

    def _played_out(self, deal: Deal, way: tuple[Gift, ...]) -> tuple[Deal, tuple[Card, ...]]:
        """Plays an exchange out: the deal after it, and what came back for the gifts of the way."""
        others = [
            Gift(due.giver, due.receiver, card)
            for due in self._others
            for card in thumb_gifts(deal.hands[due.giver], due.count)
        ]
        if self._first is self._question.seat:
            after, returned = apply_gifts(deal, [*way, *others])
            return after, returned[: len(way)]
        after, returned = apply_gifts(deal, [*others, *way])
        return after, returned[len(others) :]

    def _values(self, engine: Engine, number: int, ways: Sequence[tuple[Gift, ...]]) -> list[float]:
        """Values ways on a sample."""
        deal = self._question.deal(number)
        values = []
        for way in ways:
            after, _ = self._played_out(deal, way)
            choice = likely_announcement(after, self._question.rules, self._contracts)
            values.append(self._question.worth_after(engine, after, *choice))
        return values

    def advice(self, progress: Callable[[Stage], None] | None) -> ExchangeAdvice:
        """Races the ways and makes an advice of how they end."""

        def make(outcome: Outcome[tuple[Gift, ...]], fields: dict[str, Any]) -> ExchangeAdvice:
            deals = self._deals(max(_COUNTED, outcome.samples))
            options = [
                WayToGive(
                    *self._question.worth(standing, fields["exact"]),
                    standing.candidate,
                    *self._returns(deals, standing.candidate),
                )
                for standing in outcome.standings
            ]
            return ExchangeAdvice(
                **fields, options=tuple(options), owed=self._question.view.owed, ways=len(self.ways)
            )

        return self._question.answer(
            self.ways[: self._question.effort.ways or WAYS],
            self._values,
            make,
            # What comes back differs a lot from deal to deal: each way gets enough samples to be shown.
            group=lambda way: way,
            less="--by guaranteed, --ways 2",
            progress=progress,
        )

    def _returns(
        self, deals: Sequence[Deal], way: tuple[Gift, ...]
    ) -> tuple[dict[tuple[Seat, Card], float], float]:
        """Returns the chances of the cards that come back for a way, and how many of them are stronger."""
        found: Counter[tuple[Seat, Card]] = Counter()
        for deal in deals:
            returned = self._played_out(deal, way)[1]
            found.update((gift.receiver, card) for gift, card in zip(way, returned, strict=True))
        given = {(gift.receiver, gift.card) for gift in way}
        chances = {key: times / len(deals) for key, times in sorted(found.items(), key=_likeliest_first)}
        # A card that comes back is one of those given to the same seat, or it is stronger than one of them.
        return chances, len(way) - sum(chances.get(key, 0.0) for key in given)


def _likeliest_first(counted: tuple[tuple[Seat, Card], int]) -> tuple[int, int, Card]:
    (receiver, card), times = counted
    return -times, receiver.index, card
