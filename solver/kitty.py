"""The announcer's discard: all choices, equal ones once, and the best of them with open cards."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import comb

from sgtmajor.cards import BySeat, Card, Hand, Seat, Suit, Trump
from sgtmajor.deal import Deal, Position
from sgtmajor.engine import Engine, unproven
from sgtmajor.errors import EnumerationFull, InputError, SearchStopped
from sgtmajor.parts import splits
from sgtmajor.rules import Rules
from sgtmajor.values import Values
from sgtmajor.yardstick import By, check_yardstick, score, score_of


@dataclass(frozen=True, slots=True)
class DiscardValue:
    """What the deal is worth when the announcer lays these cards aside."""

    discard: tuple[Card, ...]
    values: Values


@dataclass(frozen=True, slots=True)
class ContractReport:
    """One contract: the announcer's best discards, and how they were found.

    Attributes:
        trump: The contract.
        ranking: The best discard, then the alternatives asked for, best first. Empty only if the search was
            stopped before the first discard had been valued, or if none is as good as was asked for.
        choices: How many ways there are to lay cards aside.
        distinct: How many of them lead to different positions.
        searched: How many of those have been decided: all, unless the search was stopped.
        candidates: How many discards were to be compared by equilibrium; 0 if by another yardstick.
        compared: How many of these have been. They come first in the ranking; the others have no equilibrium.
        refused: Why a candidate could not be compared, if one does not fit into the memory.
    """

    trump: Trump
    ranking: tuple[DiscardValue, ...]
    choices: int
    distinct: int
    searched: int
    candidates: int = 0
    compared: int = 0
    refused: EnumerationFull | None = None

    @property
    def best(self) -> DiscardValue | None:
        """The best discard with what it is worth; None if none was valued."""
        return self.ranking[0] if self.ranking else None

    @property
    def alternatives(self) -> tuple[DiscardValue, ...]:
        """The next best discards, as many as were asked for."""
        return self.ranking[1:]

    @property
    def complete(self) -> bool:
        """Whether every choice has been decided, and every candidate compared."""
        return self.searched == self.distinct and self.compared == self.candidates


def choices(deal: Deal, rules: Rules) -> int:
    """Returns the number of ways in which the announcer can lay cards aside."""
    return comb(len(_pool(deal, rules)), len(_kitty(deal)))


def distinct_discards(deal: Deal, rules: Rules) -> list[tuple[Card, ...]]:
    """Returns one discard for each position that laying cards aside can lead to, whatever is trumps.

    Cards are equal here if no card of another seat lies between them; of equal cards the lowest are laid
    aside.

    Raises:
        InputError: If the announcer has fewer cards than the kitty to lay aside.
    """
    return discards_from(rules.announcer, _pool(deal, rules), _others(deal, rules), len(_kitty(deal)))


def discards_from(seat: Seat, pool: Hand, others: Hand, count: int) -> list[tuple[Card, ...]]:
    """Returns one choice of cards to lay aside for each that makes a difference, whatever is trumps.

    Args:
        seat: The announcer.
        pool: The cards from which he lays aside.
        others: The cards that can meet his own in play: what lies between two of his keeps them apart.
        count: How many cards to lay aside.

    Raises:
        InputError: If there are fewer cards than that.
    """
    groups = list(runs_between(pool, others))
    found = []
    for numbers in splits(count, [len(group) for group in groups]):
        aside = [card for group, n in zip(groups, numbers, strict=True) for card in group[len(group) - n :]]
        found.append(tuple(sorted(aside)))
    if not found:
        raise InputError(f"{seat} cannot lay {count} cards aside: {seat} holds {len(pool)}")
    return found


def _kitty(deal: Deal) -> Hand:
    """Returns the kitty: none where the deal has none, and then nothing is laid aside."""
    return deal.kitty or Hand()


def _pool(deal: Deal, rules: Rules) -> Hand:
    """Returns the cards from which the announcer lays aside."""
    hand = deal.hands[rules.announcer]
    return hand | _kitty(deal) if rules.kitty == "pickup" else hand


def _others(deal: Deal, rules: Rules) -> Hand:
    """Returns the cards that can meet the announcer's in play: those of the two other seats."""
    seat = rules.announcer
    return deal.hands[seat.next] | deal.hands[seat.next.next]


def runs_between(pool: Hand, others: Hand) -> Iterator[tuple[Card, ...]]:
    """Splits cards into runs, each from high to low: no card of the others lies between those of a run."""
    for suit in Suit:
        run: list[Card] = []
        for card in (pool | others).suit(suit):
            if card in pool:
                run.append(card)
            elif run:
                yield tuple(run)
                run = []
        if run:
            yield tuple(run)


def position_after(deal: Deal, rules: Rules, discard: Iterable[Card], trump: Trump, leader: Seat) -> Position:
    """Returns the position when the announcer has taken the kitty and laid cards aside."""
    seat = rules.announcer
    kept = (deal.hands[seat] | _kitty(deal)) - Hand.of(discard)
    return Position(deal.hands.replace(seat, kept), trump, leader)


def most_promising_first(
    discards: Iterable[tuple[Card, ...]], kept: Hand, trump: Trump
) -> list[tuple[Card, ...]]:
    """Sorts discards by the players' rule of thumb: keep trumps, aces and kings, make voids.

    The order does not change what is best, only which of several equally good discards is named, and how soon
    the best is found.
    """
    return sorted(discards, key=lambda discard: (-promise(kept - Hand.of(discard), trump), discard))


def promise(hand: Hand, trump: Trump) -> int:
    """Returns how good a hand looks to the rule of thumb: about twenty for a trick.

    Searches of whole deals go by it, which find what is best in any order. Advice from one hand leaves out
    what does not look good, and goes by the score of :mod:`sgtmajor.promise`, which was fitted to results.
    """
    return sum(_promise(hand.suit(suit), suit is trump.suit) for suit in Suit)


@lru_cache(maxsize=1 << 14)
def _promise(cards: Hand, trumps: bool) -> int:
    """Returns how good the cards of one suit look."""
    if trumps:
        return sum(20 + 2 * (card.rank - 8) for card in cards)
    total = -3 * len(cards)
    for place, card in enumerate(cards):
        missing = 14 - place - card.rank
        total += max(0, 20 - 7 * missing - 2 * place)
    return total


def best_discards(
    engine: Engine,
    deal: Deal,
    rules: Rules,
    trump: Trump,
    leader: Seat,
    *,
    by: By = "share",
    alternatives: int = 0,
    beat: Values | None = None,
    discards: Iterable[tuple[Card, ...]] | None = None,
    progress: Callable[[int, int, DiscardValue | None], None] | None = None,
) -> ContractReport:
    """Finds the announcer's best discard for a trump, all cards open, on an engine, in the calling thread.

    Every choice is decided: equal choices are searched once, and of each it is only asked whether it beats
    the best so far. The discard is chosen knowing the kitty, under ``blind`` rules too.

    Args:
        engine: The engine, whose table serves all choices.
        deal: The hands before the kitty is taken, and the kitty; without a kitty nothing is laid aside.
        rules: Say who announces, and from which cards he lays aside.
        trump: The contract.
        leader: The seat that leads the first trick.
        by: The yardstick; the other one decides between equals.
        alternatives: How many of the next best discards to value exactly, too.
        beat: What a discard has to be better than to be looked at exactly.
        discards: Those of :func:`distinct_discards`, if the caller has them: they serve every trump.
        progress: Called with the choices decided, the choices there are, and the best so far.

    Raises:
        InputError: If `by` is no yardstick, or the announcer has fewer cards than the kitty to lay aside.
    """
    check_yardstick(by)
    seat = rules.announcer
    kept = deal.hands[seat] | _kitty(deal)
    order = most_promising_first(discards or distinct_discards(deal, rules), kept, trump)
    ranking: list[DiscardValue] = []
    searched = 0
    for discard in order:
        position = position_after(deal, rules, discard, trump, leader)
        full = len(ranking) > alternatives
        try:
            values = values_if_better(engine, position, seat, by, ranking[-1].values if full else beat)
        except SearchStopped:
            break
        if values:
            ranking.append(DiscardValue(discard, values))
            # A stable sort: of equals, the more promising discard stays in front.
            ranking.sort(key=lambda found: -score(found.values, seat, by))
            del ranking[alternatives + 1 :]
        searched += 1
        if progress:
            progress(searched, len(order), ranking[0] if ranking else None)
    return ContractReport(trump, tuple(ranking), choices(deal, rules), len(order), searched)


def values_if_better(
    engine: Engine, position: Position, seat: Seat, by: By, best: Values | None
) -> Values | None:
    """Values a position if it is better for a seat than the best so far, asking as little as that takes.

    Args:
        engine: The engine.
        position: Any moment of the play.
        seat: The seat for which it should be better.
        by: The yardstick; the other one decides between equals.
        best: What it has to be better than; None for nothing.

    Returns:
        The exact values, or None if it is not better.
    """
    return _Question(engine, position, seat, by, best).values_if_better()


class _Question:
    """Is a position better for a seat than the best so far? Asks the engine as little as it can."""

    def __init__(self, engine: Engine, position: Position, seat: Seat, by: By, best: Values | None) -> None:
        self._engine = engine
        self._position = position
        self._seat = seat
        self._by = by
        self._best = best
        self._bounds = unproven(position.tricks)

    def values_if_better(self) -> Values | None:
        """Returns the exact values if the position is better, or if there is nothing to beat; else None."""
        seats = (self._seat, self._seat.next, self._seat.next.next)
        if self._best:
            # Most choices are about as good as the best: ask for just what would make this one no better.
            likely = self._best.guaranteed
            for seat in seats:
                if not self._may_be_better():
                    return None
                self._ask(seat, likely[seat] + (seat is self._seat))
        for seat in seats:
            while not self._bounds[seat].exact:
                if not self._may_be_better():
                    return None
                self._ask(seat, (self._bounds[seat].lower + self._bounds[seat].upper + 1) // 2)
        if not self._may_be_better():
            return None
        return Values(self._position.tricks, BySeat.of(lambda seat: self._bounds[seat].lower))

    def _ask(self, seat: Seat, at_least: int) -> None:
        bounds = self._bounds[seat]
        if bounds.lower < at_least <= bounds.upper:
            bounds = self._engine.bounds(self._position, seat, at_least=at_least, known=bounds)
            self._bounds = self._bounds.replace(seat, bounds)

    def _may_be_better(self) -> bool:
        """Whether the best that the bounds allow beats the best so far."""
        if self._best is None:
            return True
        seat = self._seat
        hopeful = BySeat.of(
            lambda each: self._bounds[each].upper if each is seat else self._bounds[each].lower
        )
        return score_of(hopeful, seat, self._by) > score(self._best, seat, self._by)
