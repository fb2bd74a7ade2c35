"""Conditions on a deal, such as ``D.spades >= 6 and L.hcp < 10``: a small language, never run as code.

    condition  = both { "or" both }
    both       = not { "and" not }
    not        = "not" not | comparison
    comparison = sum { ("<" | "<=" | "==" | "!=" | ">=" | ">") sum }       4 <= D.hearts <= 6
    sum        = atom { ("+" | "-") atom }
    atom       = number | place "." measure | place ".has(" card ")" | "(" condition ")"

A place is D, L, R, or K for the kitty. What a condition says for certain of one number of one place (its
ranges) is told apart from the rest: deals can be made to fit ranges, the rest has to be tried.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import reduce
from itertools import combinations
from typing import NamedTuple

from sgtmajor.cards import Card, Hand, Suit
from sgtmajor.errors import InputError
from sgtmajor.reading import quoted, shifted

PLACES = ("D", "L", "R", "K")
SUIT_NAMES = {"spades": Suit.S, "hearts": Suit.H, "diamonds": Suit.D, "clubs": Suit.C}
MEASURES = (*SUIT_NAMES, "hcp", "longest", "shortest")

_TOKEN = re.compile(r"\s*(?P<token>[0-9]+|[A-Za-z]\w*|<=|>=|==|!=|[<>=().+\-]|\S)")
_CARD = re.compile(r"""\s*\(\s*(?P<quote>["']?)(?P<card>[^"'()\s]*)(?P=quote)\s*\)""")
_NESTED = 50
_MAX_LENGTH = 10_000
_MANY = 1_000_000

Hands = Mapping[str, Hand]
Sizes = Mapping[str, int]


class Space(NamedTuple):
    """What a place can hold.

    Attributes:
        size: How many cards it has.
        fixed: Those that lie there for certain.
        pool: Those that lie nowhere for certain, of which the others are.
    """

    size: int
    fixed: Hand
    pool: Hand

    @property
    def free(self) -> int:
        """How many cards are not fixed."""
        return self.size - len(self.fixed)


Spaces = Mapping[str, Space]


def spaces_of(sizes: Sizes, fixed: Mapping[str, Hand]) -> Spaces:
    """Returns what each place can hold, given how many cards it has, and which for certain."""
    pool = Hand.full()
    for hand in fixed.values():
        pool -= hand
    return {place: Space(size, fixed.get(place, Hand()), pool) for place, size in sizes.items()}


class Range(NamedTuple):
    """The numbers from ``low`` to ``high``."""

    low: int
    high: int

    def meet(self, other: Range) -> Range:
        """Returns the numbers in both; none if ``high`` is below ``low``."""
        return Range(max(self.low, other.low), min(self.high, other.high))


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of a condition: a number, or true and false as 1 and 0.

    Attributes:
        value: Returns what it is for some hands.
        bounds: Returns what it can be, given what each place can hold.
        logical: Whether it is true or false.
        measure: The place and the measure, if it is nothing else.
        constant: Whether it is a number as written.
        both: The parts that all have to be true, if it says so.
        ranges: What it says of a single measure, if it says nothing else.
        card: The place and the card that it has, if it says nothing else.
    """

    value: Callable[[Hands], int]
    bounds: Callable[[Spaces], Range]
    logical: bool = False
    measure: tuple[str, str] | None = None
    constant: int | None = None
    both: tuple[_Part, ...] = ()
    ranges: tuple[str, str, Range] | None = None
    card: tuple[str, Card] | None = None


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition on a deal.

    Attributes:
        text: As it was written.
        ranges: What it says for certain, by place and measure.
    """

    text: str
    ranges: Mapping[tuple[str, str], Range]
    _whole: _Part
    _others: tuple[_Part, ...]

    @classmethod
    def parse(cls, text: str) -> Condition:
        """Reads a condition.

        Raises:
            InputError: If it is none, with the column.
        """
        whole = _Reader(text).read()
        ranges: dict[tuple[str, str], Range] = {}
        others = []
        for part in _conjuncts(whole):
            if part.ranges is None:
                others.append(part)
                continue
            place, measure, found = part.ranges
            ranges[place, measure] = found.meet(ranges.get((place, measure), found))
        return cls(text, ranges, whole, tuple(others))

    def holds(self, hands: Hands) -> bool:
        """Says whether it is true of the hands by place: D L R K."""
        return bool(self._whole.value(hands))

    def possible(self, sizes: Sizes, fixed: Mapping[str, Hand] | None = None) -> bool:
        """Says whether it can be true, as far as that is easily seen.

        Args:
            sizes: How many cards each place has.
            fixed: Cards that lie in a place for certain.
        """
        lies = dict(fixed or {})
        for place, card in self._cards:
            if any(card in hand for other, hand in lies.items() if other != place):
                return False
            lies[place] = lies.get(place, Hand()) | Hand.of([card])
        if any(len(hand) > sizes[place] for place, hand in lies.items()):
            return False
        spaces = spaces_of(sizes, lies)
        return self._apart(spaces) and self._together(spaces) and self._whole.bounds(spaces).high > 0

    def _apart(self, spaces: Spaces) -> bool:
        """Says whether each place by itself can be within its ranges."""
        met = (
            found.meet(bounds_of(measure, spaces[place])) for (place, measure), found in self.ranges.items()
        )
        return all(each.low <= each.high for each in met)

    def _together(self, spaces: Spaces) -> bool:
        """Says whether the cards have the points that several places are to have in sum."""
        each = {
            place: bounds_of("hcp", space).meet(self.ranges.get((place, "hcp"), Range(0, _MANY)))
            for place, space in spaces.items()
        }
        for count in range(2, len(spaces) + 1):
            for places in combinations(spaces, count):
                low, high = (sum(numbers) for numbers in zip(*(each[place] for place in places), strict=True))
                met = Range(low, high).meet(bounds_of("hcp", _joined(spaces, places)))
                if met.low > met.high:
                    return False
        return True

    @property
    def _cards(self) -> Iterator[tuple[str, Card]]:
        """The cards that a place has for certain."""
        return (part.card for part in self._others if part.card)

    @property
    def only_suits(self) -> bool:
        """Whether it says nothing but how long suits are, each for itself."""
        return not self._others and all(measure in SUIT_NAMES for _, measure in self.ranges)


def bounds_of(measure: str, space: Space) -> Range:
    """Returns what a measure of a place can be."""
    if measure == "hcp":
        has, points = measure_of(space.fixed, measure), _points_of(space.pool)
        return Range(has + sum(points[: space.free]), has + sum(points[len(points) - space.free :]))
    if measure in SUIT_NAMES:
        return _length_of(SUIT_NAMES[measure], space)
    lengths = [_length_of(suit, space) for suit in Suit]
    if measure == "longest":
        low = max(-(-space.size // 4), *(each.low for each in lengths))
        return Range(low, max(each.high for each in lengths))
    high = min(space.size // 4, *(each.high for each in lengths))
    return Range(min(each.low for each in lengths), high)


def _joined(spaces: Spaces, places: Iterable[str]) -> Space:
    """Returns what some places can hold together."""
    some = [spaces[place] for place in places]
    fixed = reduce(operator.or_, (space.fixed for space in some))
    return Space(sum(space.size for space in some), fixed, some[0].pool)


def _length_of(suit: Suit, space: Space) -> Range:
    has, more = len(space.fixed.suit(suit)), len(space.pool.suit(suit))
    others = len(space.pool) - more
    return Range(has + max(0, space.free - others), has + min(space.free, more))


def _points_of(hand: Hand) -> list[int]:
    """Returns the points of each card, the lowest first."""
    found = [points for cards, points in _POINTS for _ in range((hand.mask & cards).bit_count())]
    return [0] * (len(hand) - len(found)) + sorted(found)


_POINTS = tuple(
    (Hand.of(card for card in Hand.full() if card.rank == rank).mask, rank - 10) for rank in (14, 13, 12, 11)
)


def measure_of(hand: Hand, measure: str) -> int:
    """Returns a suit length, the high-card points (A 4, K 3, Q 2, J 1), or the longest or shortest suit."""
    if measure == "hcp":
        return sum(points * (hand.mask & cards).bit_count() for cards, points in _POINTS)
    if measure in SUIT_NAMES:
        return len(hand.suit(SUIT_NAMES[measure]))
    lengths = [len(hand.suit(suit)) for suit in Suit]
    return max(lengths) if measure == "longest" else min(lengths)


_COMPARE: Mapping[str, Callable[[int, int], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    "==": operator.eq,
    "=": operator.eq,
    "!=": operator.ne,
    ">=": operator.ge,
    ">": operator.gt,
}
_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "=": "="}


class _Reader:
    """Reads a condition by recursive descent."""

    def __init__(self, text: str) -> None:
        if len(text) > _MAX_LENGTH:
            raise InputError(f"a condition of {len(text)} characters, expected at most {_MAX_LENGTH}")
        self._text = text
        self._place = 0
        self._depth = 0

    def read(self) -> _Part:
        whole = self._logical(self._either)
        if self._peek():
            raise self._error("expected and, or, or the end")
        return whole

    def _peek(self) -> str:
        match = _TOKEN.match(self._text, self._place)
        return match["token"] if match else ""

    def _next(self) -> str:
        match = _TOKEN.match(self._text, self._place)
        self._place = match.end() if match else len(self._text)
        return match["token"] if match else ""

    def _error(self, expected: str, place: int | None = None) -> InputError:
        """Returns the error for what comes next, or comes at a place."""
        rest = self._text[self._place if place is None else place :].lstrip()
        found = quoted(rest.split()[0]) if rest else "the end"
        return InputError(f"unexpected {found}, {expected}", column=len(self._text) - len(rest) + 1)

    def _logical(self, read: Callable[[], _Part]) -> _Part:
        """Reads what has to be true or false."""
        start = self._place
        part = read()
        if not part.logical:
            raise self._error("expected a comparison, such as D.spades >= 6", start)
        return part

    def _number(self, read: Callable[[], _Part]) -> _Part:
        """Reads what has to be a number."""
        start = self._place
        part = read()
        if part.logical:
            raise self._error("expected a number, such as D.spades", start)
        return part

    def _either(self) -> _Part:
        parts = [self._all()]
        while self._peek() == "or":
            self._check_logical(parts[-1])
            self._next()
            parts.append(self._logical(self._all))
        return parts[0] if len(parts) == 1 else _any_of(parts)

    def _all(self) -> _Part:
        parts = [self._negation()]
        while self._peek() == "and":
            self._check_logical(parts[-1])
            self._next()
            parts.append(self._logical(self._negation))
        return parts[0] if len(parts) == 1 else _all_of(parts)

    def _check_logical(self, part: _Part) -> None:
        if not part.logical:
            raise self._error("expected a comparison before it")

    def _negation(self) -> _Part:
        if self._peek() != "not":
            return self._comparison()
        self._next()
        with _Nested(self):
            part = self._logical(self._negation)
        return _negated(part)

    def _comparison(self) -> _Part:
        left = self._sum()
        parts = []
        while self._peek() in _COMPARE:
            if left.logical:
                raise self._error("expected a number before it")
            sign = self._next()
            right = self._number(self._sum)
            parts.append(_compared(left, sign, right))
            left = right
        if not parts:
            return left
        return parts[0] if len(parts) == 1 else _all_of(parts)

    def _sum(self) -> _Part:
        first = self._atom()
        terms = [(1, first)]
        while self._peek() in ("+", "-"):
            if first.logical:
                raise self._error("expected a number before it")
            sign = 1 if self._next() == "+" else -1
            terms.append((sign, self._number(self._atom)))
        return first if len(terms) == 1 else _added(terms)

    def _atom(self) -> _Part:
        token = self._peek()
        if token.isascii() and token.isdecimal():
            if len(token) >= len(str(_MANY)):
                raise self._error(f"expected a number below {_MANY}")
            self._next()
            number = int(token)
            return _Part(lambda hands: number, lambda spaces: Range(number, number), constant=number)
        if token == "(":
            self._next()
            with _Nested(self):
                part = self._either()
            if self._peek() != ")":
                raise self._error("expected )")
            self._next()
            return part
        if token.upper() in PLACES:
            self._next()
            return self._measure(token.upper())
        raise self._error("expected a number, a place D L R K and what it has, such as D.spades, or (")

    def _measure(self, place: str) -> _Part:
        if self._peek() != ".":
            raise self._error(f"expected . and one of {' '.join(MEASURES)} has(card)")
        self._next()
        name = self._peek()
        if name == "has":
            self._next()
            return self._has(place)
        if name not in MEASURES:
            raise self._error(f"expected one of {' '.join(MEASURES)} has(card)")
        self._next()
        return _Part(
            lambda hands: measure_of(hands[place], name),
            lambda spaces: bounds_of(name, spaces[place]),
            measure=(place, name),
        )

    def _has(self, place: str) -> _Part:
        match = _CARD.match(self._text, self._place)
        if not match:
            raise self._error("expected a card in brackets, such as (SA)")
        with shifted(match.start("card")):
            card = Card.parse(match["card"])
        self._place = match.end()

        def bounds(spaces: Spaces) -> Range:
            space = spaces[place]
            here = card in space.fixed
            return Range(int(here), int(here or (space.free > 0 and card in space.pool)))

        return _Part(lambda hands: int(card in hands[place]), bounds, logical=True, card=(place, card))


class _Nested:
    """Counts how deep brackets are nested; refuses what is deeper than anyone writes."""

    def __init__(self, reader: _Reader) -> None:
        self._reader = reader

    def __enter__(self) -> None:
        self._reader._depth += 1
        if self._reader._depth > _NESTED:
            raise self._reader._error(f"expected at most {_NESTED} nested brackets")

    def __exit__(self, *error: object) -> None:
        self._reader._depth -= 1


def _negated(part: _Part) -> _Part:
    def bounds(spaces: Spaces) -> Range:
        # Asked for once: twice for each of many nested ones would never end.
        low, high = part.bounds(spaces)
        return Range(1 - high, 1 - low)

    return _Part(lambda hands: 1 - part.value(hands), bounds, logical=True)


def _any_of(parts: list[_Part]) -> _Part:
    def bounds(spaces: Spaces) -> Range:
        each = [part.bounds(spaces) for part in parts]
        return Range(max(one.low for one in each), max(one.high for one in each))

    return _Part(lambda hands: int(any(part.value(hands) for part in parts)), bounds, logical=True)


def _all_of(parts: list[_Part]) -> _Part:
    def bounds(spaces: Spaces) -> Range:
        each = [part.bounds(spaces) for part in parts]
        return Range(min(one.low for one in each), min(one.high for one in each))

    return _Part(
        lambda hands: int(all(part.value(hands) for part in parts)), bounds, logical=True, both=tuple(parts)
    )


def _added(terms: list[tuple[int, _Part]]) -> _Part:
    measured = [part.measure for sign, part in terms if part.measure and sign > 0]
    places, measure = {place for place, _ in measured}, measured[0][1] if measured else ""
    # No two places have the same card: what they have together is what one place of their size could have.
    shared = (
        len(places) == len(terms)
        and all(other == measure for _, other in measured)
        and measure in ("hcp", *SUIT_NAMES)
    )

    def bounds(spaces: Spaces) -> Range:
        if shared:
            return bounds_of(measure, _joined(spaces, places))
        each = [(sign, part.bounds(spaces)) for sign, part in terms]
        return Range(
            sum(found.low if sign > 0 else -found.high for sign, found in each),
            sum(found.high if sign > 0 else -found.low for sign, found in each),
        )

    return _Part(lambda hands: sum(sign * part.value(hands) for sign, part in terms), bounds)


def _compared(left: _Part, sign: str, right: _Part) -> _Part:
    compare = _COMPARE[sign]

    def bounds(spaces: Spaces) -> Range:
        one, other = left.bounds(spaces), right.bounds(spaces)
        if sign in ("<", ">="):
            low, high = one.high < other.low, one.low < other.high
        elif sign in ("<=", ">"):
            low, high = one.high <= other.low, one.low <= other.high
        else:
            low = one.low == one.high == other.low == other.high
            high = max(one.low, other.low) <= min(one.high, other.high)
        return Range(not high, not low) if sign in (">=", ">", "!=") else Range(low, high)

    found = None
    if left.measure and right.constant is not None:
        found = _range(left.measure, sign, right.constant)
    elif right.measure and left.constant is not None and sign in _MIRRORED:
        found = _range(right.measure, _MIRRORED[sign], left.constant)
    return _Part(
        lambda hands: int(compare(left.value(hands), right.value(hands))), bounds, logical=True, ranges=found
    )


def _range(measure: tuple[str, str], sign: str, number: int) -> tuple[str, str, Range] | None:
    """Returns what a comparison with a number says, None if that is no range."""
    ranges = {
        "<": Range(0, number - 1),
        "<=": Range(0, number),
        "==": Range(number, number),
        "=": Range(number, number),
        ">=": Range(number, _MANY),
        ">": Range(number + 1, _MANY),
    }
    return (*measure, ranges[sign]) if sign in ranges else None


def _conjuncts(part: _Part) -> Iterator[_Part]:
    """Yields the parts that all have to be true."""
    if part.both:
        for each in part.both:
            yield from _conjuncts(each)
    else:
        yield part
