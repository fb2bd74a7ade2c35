"""The ways to give in an exchange: each one that makes a difference, equal ones once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import combinations, islice, pairwise
from typing import NamedTuple

from sgtmajor.cards import Card, Hand, Suit
from sgtmajor.deal import Deal
from sgtmajor.gifts import Due, Gift, apply_gifts


@dataclass(frozen=True, slots=True)
class Giving:
    """A way to give: the gifts, the card that comes back for each, and the deal after them."""

    gifts: tuple[Gift, ...]
    returned: tuple[Card, ...]
    deal: Deal

    @classmethod
    def of(cls, deal: Deal, gifts: tuple[Gift, ...]) -> Giving:
        """Plays gifts out."""
        after, returned = apply_gifts(deal, gifts)
        return cls(gifts, returned, after)

    @property
    def moved(self) -> Hand:
        """The cards that may not be given on."""
        return Hand.of(gift.card for gift in self.gifts) | Hand.of(self.returned)

    def then(self, more: Sequence[Gift]) -> Giving:
        """Returns these gifts followed by more."""
        after, returned = apply_gifts(self.deal, more)
        return Giving((*self.gifts, *more), (*self.returned, *returned), after)

    def to_dict(self) -> dict[str, object]:
        """Returns the JSON form: ``D<L:SA`` says that D got SA back from L."""
        pairs = zip(self.gifts, self.returned, strict=True)
        return {
            "give": [str(gift) for gift in self.gifts],
            "received": [f"{gift.giver}<{gift.receiver}:{card}" for gift, card in pairs],
            "deal": str(self.deal),
        }


class Way(NamedTuple):
    """A way to give, and the hand of the giver after it."""

    gifts: tuple[Gift, ...]
    hand: Hand


def ways_to_give(done: Giving, dues: Sequence[Due]) -> list[Way]:
    """Returns the ways in which the first giver can give all he owes, those with equal results once.

    In each suit the giver ends up with the highest *n* of the receiver's cards and the *n* given, so neither
    order nor turns matter, and suits can be looked at one by one. That needs one giver who gives no card on:
    two receivers then get cards that have nothing to do with each other. It does not hold for two givers,
    because the second may be returned what the first gave; so their gifts are never mixed. Of equal ways the
    one with the lowest cards stands for all.

    Args:
        done: What has been given already; its cards may not be given on.
        dues: What is owed, in order.
    """
    giver = dues[0].giver
    own = [due for due in dues if due.giver is giver]
    counts = tuple(due.count for due in own)
    held = [done.deal.hands[due.receiver] for due in own]
    free = done.deal.hands[giver] - done.moved
    # How many cards each receiver has been given, and what he then holds of the suits so far, lead to what
    # was given to each.
    found: dict[_State, tuple[Hand, ...]] = {
        ((0,) * len(own), (Hand(),) * len(own)): (Hand(),) * len(own),
    }
    for suit in Suit:
        in_suit = _distinct(_suit_givings(free.suit(suit), [hand.suit(suit) for hand in held], counts))
        found = _distinct(_joined(found, in_suit, counts))
    pool = reduce(Hand.__or__, held, done.deal.hands[giver])
    return [
        Way(
            tuple(
                Gift(giver, due.receiver, card)
                for due, cards in zip(own, given, strict=True)
                for card in cards
            ),
            reduce(Hand.__sub__, after, pool),
        )
        for (totals, after), given in found.items()
        if totals == counts
    ]


def ways_from_one_hand(free: Hand, unseen: Hand, dues: Sequence[Due]) -> list[tuple[Gift, ...]]:
    """Returns the ways to give among which a giver has to choose who does not see the other hands.

    In each suit the lowest cards are given. Wherever the unseen cards are, that leaves each receiver, one by
    one, with the lowest cards that so many gifts of the suit can leave him, and the giver with the highest.
    What is left to choose is how many cards of each suit, and with two receivers, who gets which of these:
    of cards without an unseen one between them the first receiver gets the lower ones. A card above all
    unseen ones of its suit comes straight back; ways that differ in such cards only are one.

    Args:
        free: The cards that the giver may give.
        unseen: The cards that the giver does not see.
        dues: What he owes, in order.
    """
    counts = tuple(due.count for due in dues)
    nothing = (Hand(),) * len(dues)
    # What each receiver is given, by how many cards that are, and which of them need not come back.
    found = {((0,) * len(dues), nothing): nothing}
    for suit in Suit:
        others = unseen.suit(suit)
        top = max((card.rank for card in others), default=0)
        joined: dict[tuple[tuple[int, ...], tuple[Hand, ...]], tuple[Hand, ...]] = {}
        for (totals, asking), given in found.items():
            room = [most - total for most, total in zip(counts, totals, strict=True)]
            for parts in _lowest(free.suit(suit), others, room):
                more = tuple(map(len, parts))
                kept = (Hand.of(card for card in part if card.rank < top) for part in parts)
                state = (
                    tuple(map(sum, zip(totals, more, strict=True))),
                    tuple(map(Hand.__or__, asking, kept)),
                )
                joined.setdefault(state, tuple(map(Hand.__or__, given, parts)))
        found = joined
    return [
        tuple(
            Gift(due.giver, due.receiver, card)
            for due, cards in zip(dues, given, strict=True)
            for card in cards
        )
        for (totals, _), given in found.items()
        if totals == counts
    ]


def _lowest(held: Hand, others: Hand, room: Sequence[int]) -> Iterator[tuple[Hand, ...]]:
    """Yields each way to give the lowest cards of a suit to receivers with so much room."""
    upwards = list(reversed(list(held)))
    for count in range(min(len(upwards), sum(room)) + 1):
        low = upwards[:count]
        if len(room) == 1:
            yield (Hand.of(low),)
            continue
        touching = [
            (lower, upper)
            for lower, upper in pairwise(low)
            if not any(lower.rank < other.rank < upper.rank for other in others)
        ]
        for size in range(max(0, count - room[1]), min(count, room[0]) + 1):
            for part in combinations(low, size):
                first = Hand.of(part)
                if all(lower in first or upper not in first for lower, upper in touching):
                    yield first, Hand.of(low) - first


# Cards given to each receiver, and what each then holds.
_State = tuple[tuple[int, ...], tuple[Hand, ...]]


def _suit_givings(
    own: Hand, held: Sequence[Hand], most: Sequence[int]
) -> Iterator[tuple[_State, tuple[Hand, ...]]]:
    """Yields each way to give cards of a suit: what results, and what is given to each receiver."""
    if not held:
        yield ((), ()), ()
        return
    for count in range(min(most[0], len(own)) + 1):
        for cards in combinations(own, count):
            given = Hand.of(cards)
            pool = held[0] | given
            kept = pool - Hand.of(islice(pool, count))
            for (counts, after), others in _suit_givings(own - given, held[1:], most[1:]):
                yield ((count, *counts), (kept, *after)), (given, *others)


def _joined(
    first: dict[_State, tuple[Hand, ...]], second: dict[_State, tuple[Hand, ...]], most: Sequence[int]
) -> Iterator[tuple[_State, tuple[Hand, ...]]]:
    """Yields each combination of ways in different suits in which nobody is given too many cards."""
    for (counts, after), given in first.items():
        for (more, other), also in second.items():
            totals = tuple(a + b for a, b in zip(counts, more, strict=True))
            if all(total <= limit for total, limit in zip(totals, most, strict=True)):
                hands = tuple(a | b for a, b in zip(after, other, strict=True))
                yield (totals, hands), tuple(a | b for a, b in zip(given, also, strict=True))


def _distinct(ways: Iterable[tuple[_State, tuple[Hand, ...]]]) -> dict[_State, tuple[Hand, ...]]:
    """Returns one way for each result: the one with the lowest cards."""
    found: dict[_State, tuple[Hand, ...]] = {}
    for state, given in ways:
        known = found.get(state)
        if known is None or _height(given) < _height(known):
            found[state] = given
    return found


def _height(given: tuple[Hand, ...]) -> tuple[int, tuple[int, ...]]:
    """Returns how high cards are, all together; of equally high ones the earlier suits are lower."""
    return sum(card.rank for hand in given for card in hand), tuple(hand.mask for hand in given)
