"""Random deals: whole ones, endings and positions in the middle of the play, with conditions.

Cards and hands that are fixed, and suit lengths that have to hold, are dealt as they must be: it is counted
in how many ways the cards can lie, and one of these is drawn, each as likely. What else a condition says is
tried until it holds. The same seed gives the same deals on every machine and with every version.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import combinations, count, product
from math import comb
from typing import Literal, TypeVar

from sgtmajor.cards import BySeat, Card, Hand, Seat, Suit, Trump
from sgtmajor.condition import PLACES, SUIT_NAMES, Condition, Range, spaces_of
from sgtmajor.deal import FULL_HAND, MAX_HAND, MAX_KITTY, Deal
from sgtmajor.errors import InputError
from sgtmajor.record import Record
from sgtmajor.rules import PRESETS, Rules
from sgtmajor.sampling import MAX_SEED, Dice

_T = TypeVar("_T")

# Deals that are tried for one that a condition holds for.
MAX_TRIES = 200_000
_FULL_KITTY = 4
_DECK = 52
# Places whose suit lengths are dealt as they must be.
_TIED = 2


@dataclass(frozen=True, slots=True)
class Wanted:
    """What deals are wanted.

    Attributes:
        cards: Cards a hand, 1 to 17.
        kitty: Cards of the kitty, 0 to 6; 4 for hands of 16 cards and none for others if None.
        fixed: Cards that lie in a place for certain, by place: D, L, R, or K for the kitty.
        condition: What has to hold, None if all is wanted.

    Raises:
        InputError: If there can be no such deal, as far as that can be seen at once.
    """

    cards: int = FULL_HAND
    kitty: int | None = None
    fixed: Mapping[str, Hand] = field(default_factory=dict)
    condition: Condition | None = None

    def __post_init__(self) -> None:
        if not 1 <= self.cards <= MAX_HAND:
            raise InputError(f"hands of {self.cards} cards cannot be, expected 1 to {MAX_HAND}")
        if self.cards == FULL_HAND and self.kitty not in (None, _FULL_KITTY):
            raise InputError(f"a kitty of {self.kitty} cards cannot be with hands of 16, expected 4")
        most = min(MAX_KITTY, _DECK - 3 * self.cards)
        if not 0 <= self.sizes["K"] <= most:
            raise InputError(
                f"a kitty of {self.kitty} cards cannot be with hands of {self.cards}, expected 0 to {most}"
            )
        for place, hand in self.fixed.items():
            if len(hand) > self.sizes[place]:
                raise InputError(
                    f"{place} cannot hold {len(hand)} fixed cards, expected at most {self.sizes[place]}"
                )
            for other, more in self.fixed.items():
                for card in hand & more if other != place else ():
                    raise InputError(f"{card} is fixed for both {place} and {other}")
        if self.condition and not self.condition.possible(self.sizes, self.fixed):
            raise _impossible(self.condition)

    @property
    def sizes(self) -> Mapping[str, int]:
        """How many cards each place has: D, L, R and K."""
        usual = _FULL_KITTY if self.cards == FULL_HAND else 0
        return dict.fromkeys("DLR", self.cards) | {"K": usual if self.kitty is None else self.kitty}


def _impossible(condition: Condition) -> InputError:
    return InputError(f"no deal can match {condition.text!r}, expected something that can be")


class Dealer:
    """Deals what is wanted, each deal as likely.

    Args:
        wanted: What is wanted.
        seed: 0 to 2**64 - 1.

    Attributes:
        tries: How many deals have been tried.
        found: How many of these were what is wanted.
        rejects: Whether deals have to be tried at all.

    Raises:
        InputError: If no deal can be what is wanted, or the seed is out of range.
    """

    def __init__(self, wanted: Wanted, seed: int) -> None:
        self._wanted = wanted
        self._dice = Dice(seed)
        self._lengths = _Lengths(wanted)
        if not self._lengths.count:
            assert wanted.condition, "without a condition there always is a deal"
            raise _impossible(wanted.condition)
        self.rejects = bool(wanted.condition and not (wanted.condition.only_suits and self._lengths.complete))
        self.tries = self.found = 0

    def deal(self) -> Deal:
        """Returns the next deal.

        Raises:
            InputError: If none is found for too long.
        """
        condition = self._wanted.condition
        for _ in range(MAX_TRIES):
            self.tries += 1
            hands = self._lengths.draw(self._dice)
            if not (condition and self.rejects) or condition.holds(hands):
                self.found += 1
                kitty = hands["K"] if self._wanted.sizes["K"] else None
                return Deal(BySeat.of(lambda seat: hands[str(seat)]), kitty)  # noqa: B023
        assert condition, "only a condition rejects deals"
        raise InputError(
            f"no deal in {MAX_TRIES} tries matches {condition.text!r}, expected something less rare"
        )


class _Lengths:
    """The ways in which suits of limited length can be split, with as many deals as each has.

    Only two places have their limits seen to in this way, those that would be met least often: for more there
    are too many ways. The cards of the other places, and the suits without limits, are dealt out in the end.

    Attributes:
        count: In how many ways the cards of the two places can lie; 0 if no deal is within the limits.
        complete: Whether all limits are seen to.
    """

    def __init__(self, wanted: Wanted, only: str | None = None) -> None:
        limits = _suit_limits(wanted)
        spaces = spaces_of(wanted.sizes, wanted.fixed)
        self._fixed = {place: space.fixed for place, space in spaces.items()}
        self._room = {place: space.free for place, space in spaces.items()}
        self._suits = {suit: list(spaces["D"].pool.suit(suit)) for suit in Suit}
        limited = [place for place in PLACES if any((place, suit) in limits for suit in Suit)]
        self._tied = [only] if only else limited
        if len(self._tied) > _TIED:
            self._tied = sorted(limited, key=lambda place: _Lengths(wanted, place).part)[:_TIED]
        self.complete: bool = len(limited) <= _TIED
        self._free = [place for place in PLACES if place not in self._tied]
        self._limits = {
            suit: [self._still(place, suit, limits.get((place, suit))) for place in self._tied]
            for suit in Suit
            if any((place, suit) in limits for place in self._tied)
        }
        self._order = list(self._limits)
        self._pool = sum(len(cards) for suit, cards in self._suits.items() if suit not in self._limits)
        self._ways: dict[tuple[int, tuple[int, ...]], int] = {}
        self._start = tuple(self._room[place] for place in self._tied)
        self.count: int = self._count(0, self._start) if only or self._possible(limits) else 0

    @property
    def part(self) -> Fraction:
        """The part of all deals that is within the limits seen to."""
        return Fraction(self.count, _choices(sum(map(len, self._suits.values())), self._start))

    def draw(self, dice: Dice) -> dict[str, Hand]:
        """Returns the hands by place, each deal as likely."""
        cards = {place: list[Card]() for place in PLACES}
        pool: list[Card] = []
        rest: list[Card] = []
        room = self._start
        for suit, of_suit in self._suits.items():
            mixed = [of_suit[place] for place in dice.shuffled(len(of_suit))]
            if suit not in self._limits:
                pool += mixed
                continue
            split, room = self._draw_split(dice, self._order.index(suit), room)
            for place, size in zip(self._tied, split, strict=True):
                cards[place] += mixed[:size]
                mixed = mixed[size:]
            rest += mixed
        for place, size in zip(self._tied, room, strict=True):
            cards[place] += [_drawn(dice, pool) for _ in range(size)]
        rest += pool
        for place in self._free:
            cards[place] += [_drawn(dice, rest) for _ in range(self._room[place])]
        return {place: self._fixed[place] | Hand.of(cards[place]) for place in PLACES}

    def _possible(self, limits: Mapping[tuple[str, Suit], Range]) -> bool:
        """Says whether there is any deal within all limits, those that are not dealt among them.

        By Hoffman's theorem on flows there is one if, for any suits and any places, what those suits have
        beyond the room of those places, less what these must get of other suits, can go to the other places.
        """
        suits = {suit: len(cards) for suit, cards in self._suits.items()}
        out = sum(suits.values()) - sum(self._room.values())
        room = {**self._room, "": out}
        most: dict[tuple[str, Suit], int] = {}
        least: dict[tuple[str, Suit], int] = {}
        for (place, size), (suit, cards) in product(room.items(), suits.items()):
            limit = self._still(place, suit, limits.get((place, suit))) if place else Range(0, out)
            least[place, suit], most[place, suit] = max(0, limit.low), min(limit.high, size, cards)
            if least[place, suit] > most[place, suit]:
                return False
        return all(
            sum(suits[suit] for suit in some) - sum(room[place] for place in places)
            <= sum(most[place, suit] for suit in some for place in room if place not in places)
            - sum(least[place, suit] for suit in suits if suit not in some for place in places)
            for some in _subsets(suits)
            for places in _subsets(room)
        )

    def _still(self, place: str, suit: Suit, limit: Range | None) -> Range:
        """Returns how many cards of a suit a place may get beside those that are fixed."""
        has = len(self._fixed[place].suit(suit))
        return Range(limit.low - has, limit.high - has) if limit else Range(0, _DECK)

    def _draw_split(
        self, dice: Dice, index: int, room: tuple[int, ...]
    ) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Draws how many cards of a suit each place gets; returns that and the room that is left."""
        number = dice.below(self._count(index, room))
        for split, left, ways in self._splits(index, room):
            number -= ways
            if number < 0:
                return split, left
        raise AssertionError("the ways add up to the count")

    def _count(self, index: int, room: tuple[int, ...]) -> int:
        """Counts the ways to fill the room from the limited suits from ``index`` on, and the others."""
        if index == len(self._order):
            return _choices(self._pool, room)
        key = (index, room)
        if key not in self._ways:
            self._ways[key] = sum(ways for _, _, ways in self._splits(index, room))
        return self._ways[key]

    def _splits(
        self, index: int, room: tuple[int, ...]
    ) -> Iterator[tuple[tuple[int, ...], tuple[int, ...], int]]:
        """Yields each way to split a suit, the room then left, and in how many ways the cards can lie."""
        suit = self._order[index]
        limits, cards = self._limits[suit], len(self._suits[suit])
        parts = (
            range(max(0, limit.low), min(limit.high, size, cards) + 1)
            for limit, size in zip(limits, room, strict=True)
        )
        for split in product(*parts):
            left = tuple(size - part for size, part in zip(room, split, strict=True))
            choices = _choices(cards, split)
            ways = choices and choices * self._count(index + 1, left)
            if ways:
                yield split, left, ways


def _subsets(of: Iterable[_T]) -> list[tuple[_T, ...]]:
    items = list(of)
    return [some for size in range(len(items) + 1) for some in combinations(items, size)]


def _suit_limits(wanted: Wanted) -> Mapping[tuple[str, Suit], Range]:
    """Returns what the condition says of the lengths of suits, by place and suit."""
    ranges = wanted.condition.ranges if wanted.condition else {}
    return {
        (place, SUIT_NAMES[measure]): found
        for (place, measure), found in ranges.items()
        if measure in SUIT_NAMES
    }


def _choices(cards: int, sizes: Sequence[int]) -> int:
    """Returns in how many ways parts of these sizes can be taken from some cards."""
    ways = 1
    for size in sizes:
        ways *= comb(cards, size)
        cards = max(0, cards - size)
    return ways


def _drawn(dice: Dice, cards: list[Card]) -> Card:
    """Takes one of some cards at random."""
    chosen = dice.below(len(cards))
    cards[chosen], cards[-1] = cards[-1], cards[chosen]
    return cards.pop()


@dataclass(frozen=True, slots=True)
class Setting:
    """What is said of a random deal beside its cards.

    Attributes:
        trump: What is trumps, None if it is not announced, ``any`` to draw one of the contracts.
        lead: Who leads, None by the rules, ``any`` to draw a seat.
        rules: The rules.
        played: How many cards have been played: random legal ones.

    Raises:
        InputError: If cards are played without a trump.
    """

    trump: Trump | Literal["any"] | None = None
    lead: Seat | Literal["any"] | None = None
    rules: Rules = PRESETS["classic"]
    played: int = 0

    def __post_init__(self) -> None:
        if self.played and self.trump is None:
            raise InputError("cards cannot be played before the trump is known, expected a trump")


def random_records(wanted: Wanted, seed: int, setting: Setting | None = None) -> Iterator[Record]:
    """Returns random deals without end, each as likely; see :func:`records_of`."""
    return records_of(Dealer(wanted, seed), seed, setting or Setting(), wanted.cards)


def records_of(dealer: Dealer, seed: int, setting: Setting, cards: int) -> Iterator[Record]:
    """Yields random deals without end, with ids such as ``7-1``: the seed, and the number of the deal.

    The cards do not depend on the setting.

    Args:
        dealer: Deals the cards.
        seed: The seed.
        setting: What is said beside the cards.
        cards: Cards a hand.

    Raises:
        InputError: If more cards are to be played than there are.
    """
    if not 0 <= setting.played <= 3 * cards:
        raise InputError(f"{setting.played} cards cannot be played, expected 0 to {3 * cards}")
    seeds = Dice(MAX_SEED - seed)
    for number in count(1):
        dice = Dice(seeds.below(MAX_SEED + 1))
        contract, seat = dice.below(len(setting.rules.contracts)), dice.below(len(Seat))
        trump = setting.rules.contracts[contract] if setting.trump == "any" else setting.trump
        lead = list(Seat)[seat] if setting.lead == "any" else setting.lead
        record = Record(dealer.deal(), trump, lead, id=f"{seed}-{number}", rules=setting.rules)
        yield _played(record, setting.played, dice) if setting.played else record


def _played(record: Record, cards: int, dice: Dice) -> Record:
    """Returns the record after a number of random legal cards."""
    position, play = record.start, []
    for _ in range(cards):
        legal = list(position.legal())
        play.append(legal[dice.below(len(legal))])
        position = position.after(play[-1])
    return replace(record, play=tuple(play))
