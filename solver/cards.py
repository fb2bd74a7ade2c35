"""Seats, suits, cards and hands: the vocabulary of everything else.

A hand is an int with one bit a card, the same bits that the C core uses: card number 16 * suit + rank - 2,
suits in the order S H D C and ranks 2 to 14 (the ace). Readers are lenient (lower case, ``10``, ``♠A``,
``AS``); writers always write ``SA``.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import total_ordering
from typing import Generic, TypeVar

from sgtmajor.errors import InputError
from sgtmajor.reading import quoted, read_list, shifted

T = TypeVar("T")

_RANK_LETTERS = "23456789TJQKA"
_RANK_OF = {letter: rank for rank, letter in enumerate(_RANK_LETTERS, start=2)}
_RANK_OF |= {letter.lower(): rank for letter, rank in _RANK_OF.items()} | {"10": 10}
_RANKS_EXPECTED = "A K Q J T 9 8 7 6 5 4 3 2"
_SUIT_BITS = 0x1FFF
_SUIT_STRIDE = 16
_ALL_BITS = 0x1FFF_1FFF_1FFF_1FFF
# Pasted suit symbols often carry this invisible request for the coloured form.
_EMOJI_FORM = "\ufe0f"


class Suit(enum.Enum):
    """A suit. Its index is its place in the order S H D C."""

    S = 0
    H = 1
    D = 2
    C = 3

    def __init__(self, index: int) -> None:
        self.index = index

    @property
    def symbol(self) -> str:
        """The sign of the suit, such as ♠."""
        return "♠♥♦♣"[self.index]

    def __str__(self) -> str:
        return self.name


_SUIT_OF = {
    letter: suit
    for suit, letters in zip(Suit, ("Ss♠♤", "Hh♥♡", "Dd♦♢", "Cc♣♧"), strict=True)
    for letter in letters
}


class Trump(enum.Enum):
    """What is trumps: a suit, or N for no trump."""

    S = 0
    H = 1
    D = 2
    C = 3
    N = 4

    def __init__(self, index: int) -> None:
        self.index = index

    @property
    def suit(self) -> Suit | None:
        """The trump suit, None for no trump."""
        return None if self is Trump.N else Suit(self.index)

    @classmethod
    def parse(cls, text: str) -> Trump:
        """Reads a trump: ``S``, ``s``, ``♠``, and ``N`` or ``NT`` for no trump."""
        stripped = text.strip().replace(_EMOJI_FORM, "")
        if stripped.upper() in ("N", "NT"):
            return cls.N
        if stripped in _SUIT_OF:
            return cls(_SUIT_OF[stripped].index)
        raise InputError(f"unknown trump {quoted(text)}, expected one of S H D C N", column=1)

    def __str__(self) -> str:
        return self.name


class Seat(enum.Enum):
    """A seat: the dealer, the player on the dealer's left, the player on the dealer's right."""

    D = 0
    L = 1
    R = 2

    def __init__(self, index: int) -> None:
        self.index = index

    @property
    def next(self) -> Seat:
        """The seat that plays after this one: D, L, R, D."""
        return _SEATS[(self.index + 1) % 3]

    @classmethod
    def parse(cls, text: str) -> Seat:
        """Reads a seat: ``D``, ``L`` or ``R``, in either case."""
        seat = _SEAT_OF.get(text.strip())
        if seat is None:
            raise InputError(f"unknown seat {quoted(text)}, expected one of D L R", column=1)
        return seat

    @classmethod
    def of(cls, seat: Seat | str) -> Seat:
        """Returns a seat given either as itself or as its letter."""
        return cls.parse(seat) if isinstance(seat, str) else seat

    def __str__(self) -> str:
        return self.name


_SEATS = tuple(Seat)
_SEAT_OF = {letter: seat for seat in Seat for letter in (seat.name, seat.name.lower())}


@dataclass(frozen=True, slots=True)
class BySeat(Generic[T]):
    """One value for each seat: ``values["D"]``, ``values[Seat.D]`` or ``values.D``."""

    D: T
    L: T
    R: T

    @classmethod
    def of(cls, function: Callable[[Seat], T]) -> BySeat[T]:
        """Returns what the function says for each seat."""
        return cls(function(Seat.D), function(Seat.L), function(Seat.R))

    def __getitem__(self, seat: Seat | str) -> T:
        return (self.D, self.L, self.R)[Seat.of(seat).index]

    def __iter__(self) -> Iterator[Seat]:
        return iter(_SEATS)

    def __len__(self) -> int:
        return len(_SEATS)

    def items(self) -> tuple[tuple[Seat, T], ...]:
        """Returns the pairs of seat and value, D L R."""
        return (Seat.D, self.D), (Seat.L, self.L), (Seat.R, self.R)

    def values(self) -> tuple[T, T, T]:
        """Returns the three values, D L R."""
        return self.D, self.L, self.R

    def replace(self, seat: Seat, value: T) -> BySeat[T]:
        """Returns a copy with another value for one seat."""
        values = [self.D, self.L, self.R]
        values[seat.index] = value
        return BySeat(*values)

    def to_dict(self) -> dict[str, T]:
        """Returns ``{"D": …, "L": …, "R": …}``."""
        return {"D": self.D, "L": self.L, "R": self.R}


@total_ordering
@dataclass(frozen=True, slots=True, repr=False)
class Card:
    """A card. Cards sort in the order of display: suits S H D C, ranks from high to low."""

    suit: Suit
    rank: int

    def __post_init__(self) -> None:
        if not 2 <= self.rank <= 14:
            raise InputError(f"there is no rank {self.rank}, expected 2 to 14 (the ace)")

    @classmethod
    def parse(cls, text: str) -> Card:
        """Reads a card: ``SA``, and also ``AS``, ``sa``, ``♠A``, ``S10``."""
        stripped = text.strip().replace(_EMOJI_FORM, "")
        for suit, rank in ((stripped[:1], stripped[1:]), (stripped[-1:], stripped[:-1])):
            if suit in _SUIT_OF and rank in _RANK_OF:
                return _card(_SUIT_OF[suit], _RANK_OF[rank])
        raise InputError(
            f"{quoted(stripped)} is no card, expected a suit S H D C and a rank {_RANKS_EXPECTED}, as in SA",
            column=len(text) - len(text.lstrip()) + 1,
        )

    @classmethod
    def from_number(cls, number: int) -> Card:
        """Returns the card of a number, the inverse of Card.number."""
        card = _CARDS.get(number)
        if card is None:
            raise InputError(f"no card has the number {number}")
        return card

    @property
    def number(self) -> int:
        """The bit of the card in a hand, 16 * suit + rank - 2."""
        return _SUIT_STRIDE * self.suit.index + self.rank - 2

    def __lt__(self, other: object) -> bool:
        if not isinstance(other, Card):
            return NotImplemented
        return (self.suit.index, -self.rank) < (other.suit.index, -other.rank)

    def __hash__(self) -> int:
        return self.number

    def __str__(self) -> str:
        return f"{self.suit}{_RANK_LETTERS[self.rank - 2]}"

    def __repr__(self) -> str:
        return f"Card.parse('{self}')"


def _card(suit: Suit, rank: int) -> Card:
    """Returns the one Card object of a suit and a rank."""
    return _CARDS[_SUIT_STRIDE * suit.index + rank - 2]


_CARDS = {card.number: card for suit in Suit for rank in range(14, 1, -1) for card in [Card(suit, rank)]}


@dataclass(frozen=True, slots=True, repr=False)
class Hand:
    """A set of cards. It iterates in the order of display: suits S H D C, ranks from high to low.

    Attributes:
        mask: One bit a card, bit Card.number.
    """

    mask: int = 0

    def __post_init__(self) -> None:
        if self.mask & ~_ALL_BITS:
            raise InputError(f"{self.mask:#x} has bits that are no card")

    @classmethod
    def parse(cls, text: str) -> Hand:
        """Reads a hand such as ``AKQ5.T98.A72.KJ5432``: spades.hearts.diamonds.clubs, empty for a void."""
        return cls.of(card for card, _ in scan_hand(text))

    @classmethod
    def of(cls, cards: Iterable[Card]) -> Hand:
        """Returns the hand of some cards."""
        mask = 0
        for card in cards:
            mask |= 1 << card.number
        return cls(mask)

    @classmethod
    def full(cls) -> Hand:
        """Returns the whole deck of 52 cards."""
        return cls(_ALL_BITS)

    def suit(self, suit: Suit) -> Hand:
        """Returns the cards of one suit."""
        return Hand(self.mask & (_SUIT_BITS << _SUIT_STRIDE * suit.index))

    def __iter__(self) -> Iterator[Card]:
        for suit in range(len(Suit)):
            ranks = self.mask >> _SUIT_STRIDE * suit & _SUIT_BITS
            while ranks:
                top = ranks.bit_length() - 1
                ranks ^= 1 << top
                yield _CARDS[_SUIT_STRIDE * suit + top]

    def __len__(self) -> int:
        return self.mask.bit_count()

    def __bool__(self) -> bool:
        return self.mask != 0

    def __contains__(self, card: Card) -> bool:
        return bool(self.mask >> card.number & 1)

    def __or__(self, other: Hand) -> Hand:
        return Hand(self.mask | other.mask)

    def __and__(self, other: Hand) -> Hand:
        return Hand(self.mask & other.mask)

    def __sub__(self, other: Hand) -> Hand:
        return Hand(self.mask & ~other.mask)

    def __str__(self) -> str:
        return ".".join("".join(str(card)[1] for card in self.suit(suit)) for suit in Suit)

    def __repr__(self) -> str:
        return f"Hand.parse('{self}')"


def scan_hand(text: str) -> Iterator[tuple[Card, int]]:
    """Reads a hand card by card.

    Returns:
        Each card with the offset of its rank in the text, from 0.

    Raises:
        InputError: There are not four groups, or a rank is unknown or written twice.
    """
    offset = len(text) - len(text.lstrip())
    groups = text.strip().split(".")
    if len(groups) != len(Suit):
        found = f"{len(groups)} group{'s' * (len(groups) > 1)}" if text.strip() else "nothing"
        raise InputError(
            f"a hand has four groups, spades.hearts.diamonds.clubs (... is an empty one), found {found}",
            column=1,
        )
    for suit, group in zip(Suit, groups, strict=True):
        for rank, place in _scan_ranks(group, suit, offset):
            yield _card(suit, rank), place
        offset += len(group) + 1


def _scan_ranks(group: str, suit: Suit, offset: int) -> Iterator[tuple[int, int]]:
    """Reads one group of a hand; each rank comes with its offset."""
    seen = place = 0
    while place < len(group):
        width = 2 if group.startswith("10", place) else 1
        rank = _RANK_OF.get(group[place : place + width])
        column = offset + place + 1
        if rank is None:
            raise InputError(
                f"unknown rank {quoted(group[place])}, expected {_RANKS_EXPECTED}", column=column
            )
        if seen >> rank & 1:
            raise InputError(f"{_card(suit, rank)} is written twice in one hand", column=column)
        seen |= 1 << rank
        yield rank, offset + place
        place += width


def parse_cards(text: str) -> tuple[Card, ...]:
    """Reads a comma-separated list of cards such as ``S2,H3``, in which no card comes twice."""
    cards: dict[Card, None] = {}
    for card, offset in read_list(text, Card.parse):
        with shifted(offset):
            if card in cards:
                raise InputError(f"{card} is listed twice")
        cards[card] = None
    return tuple(cards)


def format_cards(cards: Iterable[Card]) -> str:
    """Writes cards as a comma-separated list, in the order given."""
    return ",".join(map(str, cards))
