"""Which discards are worth a closer look: a score of the cards kept, so that few have to be compared.

The score is linear in simple features of each suit. Its weights, in hundredths of a trick of the announcer's
share, are a least-squares fit to the mean shares of all discards that differ of 168 hands of 12 cards over 6
to 8 samples each, the better discards weighing more (examples/promise_fit.py fits them anew), rounded by hand
to whole numbers. How little the score loses is measured in docs/advice.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from types import MappingProxyType

from sgtmajor.cards import Card, Hand, Suit, Trump

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
        kept = pool - Hand.of(discard)
        return sum(_promise(kept.suit(suit), suit is trump.suit) for suit in Suit)

    return sorted(discards, key=lambda discard: (-promise(discard), discard))


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
