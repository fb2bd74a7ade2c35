"""The ways to give in an exchange: each one that makes a difference, equal ones once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import chain, combinations, islice, product
from operator import add, or_
from typing import NamedTuple

from sgtmajor.cards import Card, Hand, Suit
from sgtmajor.deal import Deal
from sgtmajor.errors import InputError
from sgtmajor.gifts import Due, Gift, apply_gifts

# More ways than these are not listed: nobody has the time to value them.
MOST_WAYS = 20_000


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


# How many cards each receiver is given, and what results for each: what can be told apart of a way to give.
_State = tuple[tuple[int, ...], tuple[Hand, ...]]

# For each result a way that leads to it: what each receiver is given.
_Found = dict[_State, tuple[Hand, ...]]


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

    Raises:
        InputError: If there are more ways than :data:`MOST_WAYS`.
    """
    giver = dues[0].giver
    own = [due for due in dues if due.giver is giver]
    counts = tuple(due.count for due in own)
    held = [done.deal.hands[due.receiver] for due in own]
    free = done.deal.hands[giver] - done.moved
    in_suits = [_suit_givings(free.suit(suit), [hand.suit(suit) for hand in held], counts) for suit in Suit]
    pool = reduce(Hand.__or__, held, done.deal.hands[giver])
    return [
        Way(_gifts(own, given), reduce(Hand.__sub__, after, pool))
        for after, given in _put_together(in_suits, own)
    ]


def ways_from_one_hand(free: Hand, unseen: Hand, dues: Sequence[Due]) -> list[tuple[Gift, ...]]:
    """Returns the ways to give among which a giver has to choose who does not see the other hands.

    In each suit the lowest cards are given, and with two receivers, who gets which of them is left open. Any
    other way gives a card while a lower one of the suit is kept. To give that one instead leaves its receiver
    the same cards or one that is lower, and the other receiver what he had; so the giver has the same cards
    or one that is higher, wherever the unseen cards are. A card above all unseen ones of its suit comes
    straight back; ways that differ in such cards only are one.

    Args:
        free: The cards that the giver may give.
        unseen: The cards that the giver does not see.
        dues: What he owes, in order.

    Raises:
        InputError: If there are more ways than :data:`MOST_WAYS`.
    """
    counts = tuple(due.count for due in dues)
    in_suits = [_distinct(_lowest(free.suit(suit), unseen.suit(suit), counts)) for suit in Suit]
    return [_gifts(dues, given) for _, given in _put_together(in_suits, dues)]


def _gifts(dues: Sequence[Due], given: Sequence[Hand]) -> tuple[Gift, ...]:
    """Returns as gifts what each receiver is given."""
    return tuple(
        Gift(due.giver, due.receiver, card) for due, cards in zip(dues, given, strict=True) for card in cards
    )


def _lowest(held: Hand, others: Hand, most: Sequence[int]) -> Iterator[tuple[_State, tuple[Hand, ...]]]:
    """Yields each way to give the lowest cards of a suit: what need not come back, and what is given."""
    upwards = list(reversed(list(held)))
    top = max((card.rank for card in others), default=0)
    for count in range(min(len(upwards), sum(most)) + 1):
        low = Hand.of(upwards[:count])
        for size in range(max(0, count - sum(most[1:])), min(count, most[0]) + 1):
            for part in combinations(low, size):
                first = Hand.of(part)
                parts = (first, low - first)[: len(most)]
                kept = (Hand.of(card for card in cards if card.rank < top) for cards in parts)
                yield (tuple(map(len, parts)), tuple(kept)), parts


def _suit_givings(own: Hand, held: Sequence[Hand], most: Sequence[int]) -> _Found:
    """Returns what can result from giving cards of a suit, and the lowest cards that lead to each.

    Args:
        own: The cards that may be given.
        held: What each receiver holds of the suit.
        most: How many cards each receiver may be given.
    """
    nothing = (Hand(),) * len(held)
    # The second hands are here the given cards that stay. Upwards: a card stays if it is then among the
    # lowest, of which the receiver keeps as many as he held, and no higher one changes that.
    found: _Found = {((0,) * len(held), nothing): nothing}
    for card in reversed(list(own)):
        below = [sum(other.rank < card.rank for other in hand) for hand in held]
        more: list[tuple[_State, tuple[Hand, ...]]] = []
        for (counts, staying), given in found.items():
            for place, hand in enumerate(held):
                if counts[place] == most[place]:
                    continue
                stays = below[place] + len(staying[place]) < len(hand)
                totals = tuple(count + (each == place) for each, count in enumerate(counts))
                after = _with_card(staying, place, card) if stays else staying
                more.append(((totals, after), _with_card(given, place, card)))
        found = _distinct(chain(found.items(), more))
    return {(counts, tuple(map(_kept, held, staying))): given for (counts, staying), given in found.items()}


def _with_card(hands: tuple[Hand, ...], place: int, card: Card) -> tuple[Hand, ...]:
    """Returns hands with a card more in one of them."""
    return (*hands[:place], hands[place] | Hand.of([card]), *hands[place + 1 :])


def _kept(held: Hand, staying: Hand) -> Hand:
    """Returns what a receiver has of a suit when of what he was given this stays: the highest ones go."""
    pool = held | staying
    return pool - Hand.of(islice(pool, len(staying)))


def _put_together(
    in_suits: Sequence[_Found], dues: Sequence[Due]
) -> Iterator[tuple[tuple[Hand, ...], tuple[Hand, ...]]]:
    """Yields each result of giving all that is owed, put together of the suits, and what is given for it."""
    counts = tuple(due.count for due in dues)
    number = _how_many(in_suits, counts)
    if number > MOST_WAYS:
        owed = " and ".join(f"{due.count} to {due.receiver}" for due in dues)
        raise InputError(
            f"there are {number:,} ways in which {dues[0].giver} can give {owed}, expected at most"
            f" {MOST_WAYS:,}: say with give= (--give) what some of the gifts are"
        )
    nothing = (Hand(),) * len(dues)
    found: _Found = {((0,) * len(dues), nothing): nothing}
    for place, in_suit in enumerate(in_suits, start=1):
        room = [
            sum(max(totals[each] for totals, _ in later) for later in in_suits[place:])
            for each in range(len(dues))
        ]
        found = _distinct(_joined(found, in_suit, counts, room))
    for (_, after), given in found.items():
        yield after, given


def _how_many(in_suits: Sequence[_Found], counts: Sequence[int]) -> int:
    """Counts the results of giving all that is owed, without putting them together.

    A result of several suits is one result of each. What tells results apart is which numbers of cards lead
    to them: cards that come straight back may be more or fewer. So for each set of such numbers it is counted
    how many results have it; a set is written as bits, one for each number of cards to each receiver.
    """
    strides = [1]
    for count in counts:
        # Room for the sum of two numbers, so that no sum is taken for another.
        strides.append(strides[-1] * (2 * count + 1))

    def bit(totals: Iterable[int]) -> int:
        return 1 << sum(total * stride for total, stride in zip(totals, strides, strict=False))

    allowed = sum(bit(totals) for totals in product(*(range(count + 1) for count in counts)))
    found = Counter({bit([0] * len(counts)): 1})
    for in_suit in in_suits:
        numbers: dict[tuple[Hand, ...], int] = {}
        for totals, after in in_suit:
            numbers[after] = numbers.get(after, 0) | bit(totals)
        joined: Counter[int] = Counter()
        for these, number in Counter(numbers.values()).items():
            for others, times in found.items():
                joined[_sums(these, others) & allowed] += number * times
        found = joined
    return sum(times for numbers, times in found.items() if numbers & bit(counts))


def _sums(some: int, others: int) -> int:
    """Returns the sums of each two numbers of two sets, sets written as bits."""
    sums = 0
    while some:
        lowest = some & -some
        sums |= others * lowest
        some -= lowest
    return sums


def _joined(
    first: _Found, second: _Found, most: Sequence[int], room: Sequence[int]
) -> Iterator[tuple[_State, tuple[Hand, ...]]]:
    """Yields each combination of ways in different suits that can still lead to what is owed.

    Args:
        first: Ways in some suits.
        second: Ways in one more suit.
        most: How many cards each receiver is owed.
        room: How many cards he can be given of the suits that are left.
    """
    by_counts: dict[tuple[int, ...], list[tuple[tuple[Hand, ...], tuple[Hand, ...]]]] = {}
    for (more, other), also in second.items():
        by_counts.setdefault(more, []).append((other, also))
    for (counts, after), given in first.items():
        for more, ways in by_counts.items():
            totals = tuple(map(add, counts, more))
            # What is still owed then, against what is left to give.
            if all(0 <= limit - total <= left for total, limit, left in zip(totals, most, room, strict=True)):
                for other, also in ways:
                    yield (totals, tuple(map(or_, after, other))), tuple(map(or_, given, also))


def _distinct(ways: Iterable[tuple[_State, tuple[Hand, ...]]]) -> _Found:
    """Returns one way for each result: the one with the lowest cards."""
    found: _Found = {}
    for state, given in ways:
        known = found.get(state)
        if known is None or _height(given) < _height(known):
            found[state] = given
    return found


def _height(given: tuple[Hand, ...]) -> tuple[int, tuple[int, ...]]:
    """Returns how high cards are, all together; of equally high ones the earlier suits are lower."""
    return sum(card.rank for hand in given for card in hand), tuple(hand.mask for hand in given)
