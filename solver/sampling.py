"""Deals that fit what a seat knows: how many there are, each by its number, and uniform samples of them.

Unseen cards that may lie in the same places form a group. A table over the groups, filled by dynamic
programming, counts the deals that are consistent; reading it backwards turns a number below the count into a
deal, so that a uniform random number is a uniform deal and counting up enumerates them all. Nothing is ever
rejected.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from math import comb
from threading import Lock

from sgtmajor.cards import Card, Hand
from sgtmajor.errors import InputError
from sgtmajor.knowledge import Knowledge, Place
from sgtmajor.parts import splits

MAX_SEED = (1 << 64) - 1
# Deals that are enumerated if nothing else is asked for.
FEW = 1000

_WORD = 64


def check_seed(seed: int) -> int:
    """Returns a seed that can be one.

    Raises:
        InputError: If it is out of range.
    """
    if not 0 <= seed <= MAX_SEED:
        raise InputError(f"a seed of {seed} is out of range, expected 0 to {MAX_SEED}")
    return seed


class Dice:
    """Uniform random numbers, the same for a seed on every machine and with every version of Python.

    The generator is SplitMix64 (Steele, Lea & Flood, "Fast splittable pseudorandom number generators", 2014).

    Args:
        seed: 0 to 2**64 - 1.

    Raises:
        InputError: If the seed is out of range.
    """

    def __init__(self, seed: int) -> None:
        self._state = check_seed(seed)

    def below(self, limit: int) -> int:
        """Returns a number from 0 to ``limit`` - 1, of any size, each as likely."""
        bits = (limit - 1).bit_length()
        words = -(-bits // _WORD)
        surplus = words * _WORD - bits
        while True:
            number = 0
            for _ in range(words):
                number = number << _WORD | self._next()
            number >>= surplus
            if number < limit:
                return number

    def shuffled(self, count: int) -> list[int]:
        """Returns 0 to ``count`` - 1 in random order."""
        numbers = list(range(count))
        for last in range(count - 1, 0, -1):
            other = self.below(last + 1)
            numbers[last], numbers[other] = numbers[other], numbers[last]
        return numbers

    def _next(self) -> int:
        self._state = (self._state + 0x9E3779B97F4A7C15) & MAX_SEED
        word = self._state
        word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 & MAX_SEED
        word = (word ^ word >> 27) * 0x94D049BB133111EB & MAX_SEED
        return word ^ word >> 31


class Layouts:
    """All ways in which the unseen cards can lie, numbered from 0.

    Args:
        knowledge: What is known.
    """

    def __init__(self, knowledge: Knowledge) -> None:
        self._places = tuple(knowledge.sizes)
        self._sizes = tuple(knowledge.sizes.values())
        by_places: dict[frozenset[Place], list[Card]] = {}
        for card, allowed in knowledge.allowed.items():
            by_places.setdefault(allowed, []).append(card)
        self._groups = [
            (cards, tuple(place in allowed for place in self._places)) for allowed, cards in by_places.items()
        ]
        self._ways: dict[tuple[int, tuple[int, ...]], int] = {}

    @property
    def unseen(self) -> Hand:
        """All cards that are laid."""
        return Hand.of(card for cards, _ in self._groups for card in cards)

    @cached_property
    def count(self) -> int:
        """How many there are."""
        return self._count(0, self._sizes)

    def __getitem__(self, number: int) -> Mapping[Place, Hand]:
        """Returns the cards of each place in the layout of a number below ``count``."""
        if not 0 <= number < self.count:
            raise IndexError(number)
        hands = dict.fromkeys(self._places, Hand())
        room = self._sizes
        for index, (cards, _) in enumerate(self._groups):
            for split in self._splits(index, room):
                left = _less(room, split)
                ways = self._count(index + 1, left)
                arrangements = _arrangements(split)
                if number < ways * arrangements:
                    break
                number -= ways * arrangements
            arrangement, number = divmod(number, ways)
            for place, chosen in zip(self._places, _arranged(cards, split, arrangement), strict=True):
                hands[place] |= chosen
            room = left
        return hands

    def _count(self, index: int, room: tuple[int, ...]) -> int:
        """Counts the ways to lay the groups from ``index`` on into places with so much room."""
        if index == len(self._groups):
            return int(not any(room))
        key = (index, room)
        if key not in self._ways:
            self._ways[key] = sum(
                _arrangements(split) * self._count(index + 1, _less(room, split))
                for split in self._splits(index, room)
            )
        return self._ways[key]

    def _splits(self, index: int, room: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        """Yields how many cards of a group can go to each place."""
        cards, allowed = self._groups[index]
        yield from splits(len(cards), [size if may else 0 for size, may in zip(room, allowed, strict=True)])


def _less(room: tuple[int, ...], split: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(size - part for size, part in zip(room, split, strict=True))


def _arrangements(split: tuple[int, ...]) -> int:
    """Returns in how many ways cards can be dealt into parts of these sizes."""
    ways, left = 1, sum(split)
    for part in split:
        ways *= comb(left, part)
        left -= part
    return ways


def _arranged(cards: list[Card], split: tuple[int, ...], number: int) -> Iterator[Hand]:
    """Yields the cards of each part in the arrangement of a number."""
    left = cards
    for part in split:
        number, choice = divmod(number, comb(len(left), part))
        chosen, left = _combination(left, part, choice)
        yield Hand.of(chosen)


def _combination(cards: list[Card], size: int, number: int) -> tuple[list[Card], list[Card]]:
    """Returns the choice of a number among all choices of ``size`` cards, and the other cards."""
    chosen: list[Card] = []
    others: list[Card] = []
    for place, card in enumerate(cards):
        # As many choices hold this card.
        with_it = comb(len(cards) - place - 1, size - len(chosen) - 1) if len(chosen) < size else 0
        if number < with_it:
            chosen.append(card)
        else:
            number -= with_it
            others.append(card)
    return chosen, others


class Samples:
    """Layouts to look at, in a random order that a seed fixes.

    If there are few layouts they come all, each once: then what is counted over them is exact. Otherwise each
    sample is drawn anew from all of them. The same seed draws otherwise for other unseen cards: a seed whose
    first samples are lucky for one hand is not so for all.

    Args:
        layouts: Those that are consistent.
        seed: 0 to 2**64 - 1.
        wanted: How many samples are wanted at most; layouts are few if there are not more than that.

    Attributes:
        layouts: Those that are consistent.
        exhaustive: Whether the samples are all of them, each once.
    """

    def __init__(self, layouts: Layouts, seed: int, wanted: int) -> None:
        self.layouts = layouts
        self.exhaustive = layouts.count <= wanted
        own = Dice(layouts.unseen.mask).below(MAX_SEED + 1)
        self._dice = Dice((check_seed(seed) + own) & MAX_SEED)
        # Samples are drawn one after the other, whichever thread asks first.
        self._drawing = Lock()
        self._numbers: list[int] = []
        # Where a number of the enumeration has been moved to by the draws so far: a shuffle that goes only as
        # far as it is looked at (Fisher & Yates, with the cards that have moved in a table).
        self._moved: dict[int, int] = {}

    def __getitem__(self, place: int) -> Mapping[Place, Hand]:
        """Returns a sample; the same for a place, whatever was asked before."""
        with self._drawing:
            while place >= len(self._numbers):
                self._numbers.append(self._drawn())
        return self.layouts[self._numbers[place]]

    def _drawn(self) -> int:
        """Draws the number of the next sample."""
        if not self.exhaustive:
            return self._dice.below(self.layouts.count)
        place = len(self._numbers)
        other = place + self._dice.below(self.layouts.count - place)
        here = self._moved.pop(place, place)
        if other == place:
            return here
        drawn = self._moved.get(other, other)
        self._moved[other] = here
        return drawn
