"""Which discards are worth a closer look, and what an announcer likely does: by a score of the cards kept.

The score is linear in simple features of each suit. Its weights, in hundredths of a trick of the announcer's
share, are a least-squares fit to the mean shares of all discards that differ of 168 hands of 12 cards over 6
to 8 samples each, the better discards weighing more (examples/promise_fit.py fits them anew), rounded by hand
to whole numbers. How little the score loses is measured in docs/advice.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from types import MappingProxyType

from sgtmajor.cards import Card, Hand, Suit, Trump
from sgtmajor.deal import Deal
from sgtmajor.parts import splits
from sgtmajor.rules import Rules

_ACE = 14
_MIDDLE = 8
# What each of the features counts for.
WEIGHTS: Mapping[str, int] = MappingProxyType(
    {
        "trump": 60,
        "trump rank": 5,
        "top trump": 45,
        "second trump": 12,
        "void": 35,
        "singleton": 15,
        "top": 90,
        "next top": 48,
        "second": 20,
        "third": 8,
        "higher": -2,
    }
)


def promising_first(discards: Iterable[tuple[Card, ...]], pool: Hand, trump: Trump) -> list[tuple[Card, ...]]:
    """Sorts discards by the score of the cards kept, the most promising first.

    Args:
        discards: What can be laid aside.
        pool: The cards from which it is taken.
        trump: The contract.
    """

    def promise(discard: tuple[Card, ...]) -> int:
        return hand_promise(pool - Hand.of(discard), trump)

    return sorted(discards, key=lambda discard: (-promise(discard), discard))


def likely_announcement(
    deal: Deal, rules: Rules, contracts: Sequence[Trump]
) -> tuple[Trump, tuple[Card, ...]]:
    """Returns the trump and the discard that look best to the announcer, from the cards that he then sees.

    Nothing is solved, and no hand but his is looked at: this stands for his choice where looking for the best
    one would cost too much. No trump is named only where nothing else may be.

    Args:
        deal: The hands after the exchange, and the kitty.
        rules: Say who announces, and whether he lays aside before or after he sees the kitty.
        contracts: What may be announced.
    """
    hand, kitty = deal.hands[rules.announcer], deal.kitty or Hand()
    blind = rules.kitty == "blind"
    suits = [trump for trump in contracts if trump.suit] or list(contracts)
    aside = len(kitty) if blind else 0
    trump = max(suits, key=lambda each: _most_promising(hand, aside, each)[0])
    return trump, _most_promising(hand if blind else hand | kitty, len(kitty), trump)[1]


def hand_promise(hand: Hand, trump: Trump) -> int:
    """Returns the score of a hand under a contract, in about hundredths of a trick of the announcer."""
    return sum(_promise(hand.suit(suit), suit is trump.suit) for suit in Suit)


def _most_promising(pool: Hand, count: int, trump: Trump) -> tuple[int, tuple[Card, ...]]:
    """Returns the best score of what can be kept, and what is laid aside for it: suits are independent."""
    found = []
    for numbers in splits(count, [len(pool.suit(suit)) for suit in Suit]):
        parts = [
            _least_missed(pool.suit(suit), number, suit is trump.suit)
            for suit, number in zip(Suit, numbers, strict=True)
        ]
        found.append((sum(score for score, _ in parts), tuple(card for _, cards in parts for card in cards)))
    return max(found, key=lambda each: each[0])


@lru_cache(maxsize=1 << 14)
def _least_missed(cards: Hand, count: int, trumps: bool) -> tuple[int, tuple[Card, ...]]:
    """Returns the best score of a suit without so many cards, and these; of equals the lowest ones."""
    choices = combinations(reversed(list(cards)), count)
    return max(
        ((_promise(cards - Hand.of(aside), trumps), aside) for aside in choices), key=lambda each: each[0]
    )


def features(cards: Hand, trumps: bool) -> dict[str, int]:
    """Counts what the score is made of in the cards of one suit.

    Args:
        cards: The cards that a hand keeps of the suit.
        trumps: Whether they are trumps.

    Returns:
        Of trumps: how many, the sum of their ranks above the eight, and how many no other hand can beat, or
        one card can. Of a plain suit: whether it is void or a singleton; whether it has a card that no other
        hand can beat, and how many more such; if it is no singleton, how many a single card can beat, or two;
        and how many cards beat each, in sum.
    """
    ranks = [card.rank for card in cards]
    # How many cards that the hand does not hold beat each of them.
    higher = [_ACE - place - rank for place, rank in enumerate(ranks)]
    first, second, third = (higher.count(number) for number in range(3))
    if trumps:
        above = sum(rank - _MIDDLE for rank in ranks)
        return {"trump": len(ranks), "trump rank": above, "top trump": first, "second trump": second}
    return {
        "void": int(not ranks),
        "singleton": int(len(ranks) == 1),
        "top": min(first, 1),
        "next top": max(first - 1, 0),
        "second": second if len(ranks) > 1 else 0,
        "third": third if len(ranks) > 1 else 0,
        "higher": sum(higher),
    }


@lru_cache(maxsize=1 << 14)
def _promise(cards: Hand, trumps: bool) -> int:
    """Returns the score of the cards of one suit."""
    return sum(WEIGHTS[name] * count for name, count in features(cards, trumps).items())
