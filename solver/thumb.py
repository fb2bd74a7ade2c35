"""What players do by rule of thumb: what they give, name and lay aside, without a search."""

from __future__ import annotations

from collections.abc import Sequence

from sgtmajor.cards import Card, Hand, Trump

_JACK, _KING, _ACE = 11, 13, 14


def thumb_trump(hand: Hand, contracts: Sequence[Trump]) -> Trump:
    """Returns the longest suit; of equally long ones that with more, or else higher, honours (A K Q J).

    No trump is named only where nothing else may be.
    """

    def strength(trump: Trump) -> tuple[int, int, int]:
        cards = hand.suit(trump.suit) if trump.suit else Hand()
        honours = [card.rank for card in cards if card.rank >= _JACK]
        return len(cards), len(honours), sum(honours)

    return max(contracts, key=strength)


def thumb_discard(hand: Hand, count: int, trump: Trump) -> tuple[Card, ...]:
    """Returns the cards to lay aside by the players' rule: void the shortest plain suit, keep aces and kings.

    Plain suits are emptied one after the other, the shortest first and from the bottom, as far as they are
    below the king. If that is not enough, kings go next, then aces, and trumps last.

    Args:
        hand: The cards to choose from, at least ``count``.
        count: How many to lay aside.
        trump: The contract.
    """

    def reluctance(card: Card) -> tuple[bool, int, int, int, int]:
        trumps = card.suit is trump.suit
        honour = max(0, card.rank - _KING + 1)
        return trumps, 0 if trumps else honour, len(hand.suit(card.suit)), card.suit.index, card.rank

    return tuple(sorted(sorted(hand, key=reluctance)[:count]))


def thumb_gifts(hand: Hand, count: int) -> tuple[Card, ...]:
    """Returns the cards to give by the players' rule: ask with the lowest card of the shortest suit.

    Each further card is of the next suit; suits whose ace is held come last, for it cannot come back. Only
    when all suits have been asked in does a suit have its turn again.

    Args:
        hand: The cards that may be given, at least ``count``.
        count: How many to give.
    """

    def turn(card: Card) -> tuple[int, bool, int, int]:
        suit = list(hand.suit(card.suit))
        return len(suit) - 1 - suit.index(card), suit[0].rank == _ACE, len(suit), card.suit.index

    return tuple(sorted(hand, key=turn)[:count])
