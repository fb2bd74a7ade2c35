"""Which discards are worth a closer look: a score of the cards kept, so that few have to be compared.

The score is linear in simple features of each suit. Its weights, in hundredths of a trick of the announcer's
share, are a least-squares fit to the mean shares of all discards that differ of 168 hands of 12 cards over 6
to 8 samples each, the better discards weighing more. How little it loses is measured in docs/advice.md.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from sgtmajor.cards import Card, Hand, Suit, Trump

_ACE = 14
# A trump; how its rank counts above the eight; the highest trump left, the second highest.
_TRUMP, _TRUMP_RANK, _TRUMP_TOP, _TRUMP_SECOND = 60, 5, 45, 12
# A plain suit of so many cards.
_LENGTH = {0: 35, 1: 15}
# In a plain suit: a card that no other hand can beat, as the first of the hand or below one; one that a
# single card, or two, can beat, if it is not alone; and every card that beats one.
_TOP, _NEXT_TOP, _SECOND, _THIRD, _HIGHER = 90, 48, 20, 8, -2


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


@lru_cache(maxsize=1 << 14)
def _promise(cards: Hand, trumps: bool) -> int:
    """Returns the score of the cards of one suit."""
    ranks = [card.rank for card in cards]
    # How many cards that the hand does not hold beat each of them.
    higher = [_ACE - place - rank for place, rank in enumerate(ranks)]
    if trumps:
        tops = _TRUMP_TOP * higher.count(0) + _TRUMP_SECOND * higher.count(1)
        return tops + sum(_TRUMP + _TRUMP_RANK * (rank - 8) for rank in ranks)
    score = _LENGTH.get(len(ranks), 0) + _HIGHER * sum(higher)
    if higher.count(0):
        score += _TOP + _NEXT_TOP * (higher.count(0) - 1)
    if len(ranks) > 1:
        score += _SECOND * higher.count(1) + _THIRD * higher.count(2)
    return score
