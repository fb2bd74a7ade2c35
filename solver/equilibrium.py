"""The equilibrium: the tricks that each seat can expect when each of the three plays for himself (max^n).

Every position that the play can lead to is enumerated once, and then every one of them can be asked about.
"""

from __future__ import annotations

import math
import os
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from threading import Lock
from types import TracebackType
from typing import Literal, cast, get_args

from sgtmajor.cards import BySeat, Seat, Suit
from sgtmajor.deal import Position
from sgtmajor.engine import MIB, Enumeration, Listing
from sgtmajor.errors import EnumerationFull, InputError

DEFAULT_EQUILIBRIUM_MB = 2048

# Measured on random deals: what comes up in play grows with a power of what is conceivable, a position takes
# so many bytes and processor seconds, and each trick less leaves so many times fewer positions.
_POWER = 0.8
_BYTES = 30
_SECONDS = 0.8e-6
_TIMES_FEWER = 2.7
# How many times as many positions as were listed a play likely has, past the trick that has most, and before.
_SOME_MORE, _MANY_MORE = 1.25, 2
# The estimate is rarely further off than this: above it, nobody has to wait for the memory to be full.
_OFF_BY = 4
# Shorter plays are enumerated sooner than estimated, in tricks.
WORTH_AN_ESTIMATE = 12
# Of the machine's memory, the part that positions may take whatever is allowed: more of it is swapped out.
_PART_OF_MACHINE = 0.75

# Expected tricks that differ by no more are equal, as in the core.
TIE = 1e-9

Rule = Literal["neutral", "against", "for"]


@dataclass(frozen=True, slots=True)
class Ties:
    """What a seat does that has several best cards: cards within 1e-9 tricks of the best for it.

    Attributes:
        rule: ``neutral``: it plays each of them equally often. ``against``: those that are worst for `seat`.
            ``for``: those that are best for `seat`. If these are several, each equally often.
        seat: The seat that is named; none if neutral.
    """

    rule: Rule = "neutral"
    seat: Seat | None = None

    def __post_init__(self) -> None:
        if (self.rule == "neutral") != (self.seat is None):
            raise InputError(f"ties {self.rule!r} with seat {self.seat}; {_EXPECTED}")

    @classmethod
    def parse(cls, text: str) -> Ties:
        """Reads ``neutral``, ``against:L`` or ``for:L``.

        Raises:
            InputError: If it is none of these.
        """
        rule, colon, seat = text.strip().partition(":")
        rule = rule.lower()
        if rule not in get_args(Rule) or bool(colon) != (rule != "neutral"):
            raise InputError(f"{text!r} is no rule for ties, {_EXPECTED}")
        return cls(cast(Rule, rule), Seat.parse(seat) if colon else None)

    def __str__(self) -> str:
        return f"{self.rule}:{self.seat}" if self.seat else self.rule


NEUTRAL = Ties()


@dataclass(frozen=True, slots=True)
class Expect:
    """What answers for the equilibrium of positions.

    Attributes:
        of: Returns what each seat can expect in a position.
        ties: What a seat does that has several best cards.
    """

    of: Callable[[Position], BySeat[float]]
    ties: Ties = NEUTRAL

    def __call__(self, position: Position) -> BySeat[float]:
        """Returns what each seat can expect in a position."""
        return self.of(position)


def places(expected: Sequence[float]) -> list[int]:
    """Returns the place of each number among them all, the highest first: 0, 1, ...; equal ones share one.

    What is within 1e-9 of the highest of its place is equal to it.
    """
    found = [0] * len(expected)
    place, top = -1, math.inf
    for number in sorted(range(len(expected)), key=lambda each: -expected[each]):
        if place < 0 or expected[number] < top - TIE:
            place, top = place + 1, expected[number]
        found[number] = place
    return found


@dataclass(frozen=True, slots=True, order=True)
class Estimate:
    """What the enumeration of a play will take, to within a factor of three or so.

    Attributes:
        positions: Positions at trick starts.
    """

    positions: int

    @property
    def memory_mb(self) -> int:
        """MiB for the positions."""
        return math.ceil(self.positions * _BYTES / MIB)

    @property
    def seconds(self) -> float:
        """Seconds of one processor."""
        return self.positions * _SECONDS


def estimate(position: Position) -> Estimate:
    """Estimates what the enumeration of a play will take, from the positions that are conceivable at all.

    These are the ways to leave equally many cards to each seat, up to relative ranks; what can come up by the
    rules of play is a small part of them.
    """
    suits = []
    for suit in Suit:
        owners = [
            (card.rank, seat.index) for seat, hand in position.hands.items() for card in hand.suit(suit)
        ]
        suits.append(_kept(owner for _, owner in sorted(owners)))
    # All four together would be many ways of which few leave equally many cards to each seat.
    ways, others = _together(suits[0], suits[1]), _together(suits[2], suits[3])
    total = sum(
        count * others[kept - d, kept - left, kept - r]
        for (d, left, r), count in ways.items()
        for kept in range(max(2, d, left, r), position.tricks + 1)
    )
    return Estimate(round(total**_POWER))


# How many cards of each seat are left, and in how many ways up to relative ranks that can be.
_Left = tuple[int, int, int]


def _kept(owners: Iterable[int]) -> Counter[_Left]:
    """Counts the different sequences of owners that a suit can be reduced to."""
    before: list[Counter[_Left]] = [Counter({(0, 0, 0): 1})]
    last: dict[int, Counter[_Left]] = {}
    for owner in owners:
        now = Counter(before[-1])
        now.update(_with_card(before[-1], owner))
        if owner in last:
            now.subtract(_with_card(last[owner], owner))
        last[owner] = before[-1]
        before.append(now)
    return before[-1]


def _with_card(ways: Counter[_Left], owner: int) -> Counter[_Left]:
    """Gives one card more to a seat."""
    more: Counter[_Left] = Counter()
    for (d, left, r), count in ways.items():
        more[d + (owner == 0), left + (owner == 1), r + (owner == 2)] += count
    return more


def _together(ways: Counter[_Left], others: Counter[_Left]) -> Counter[_Left]:
    """Combines the ways of some suits with those of another."""
    both: Counter[_Left] = Counter()
    for (d, left, r), count in ways.items():
        for (d2, left2, r2), count2 in others.items():
            both[d + d2, left + left2, r + r2] += count * count2
    return both


def _likely(listing: Listing) -> Estimate:
    """Estimates what an enumeration needs that ended while it was listed.

    With each trick there are first more positions, then fewer: once there are fewer, most are listed. The
    last trick of which any are listed is taken to be begun only.
    """
    done = [count for count in reversed(listing.positions) if count][:-1]
    most_listed = len(done) > 1 and done[-1] < done[-2]
    return Estimate(round(listing.listed * (_SOME_MORE if most_listed else _MANY_MORE)))


_EXPECTED = "expected neutral, against:SEAT or for:SEAT, as in against:L"


def doubtful(position: Position, memory_mb: int) -> Estimate | None:
    """Returns the estimate for a play that will be begun but may turn out not to fit; None for all others.

    Args:
        position: Where the play starts.
        memory_mb: MiB that the positions may take.
    """
    if position.tricks < WORTH_AN_ESTIMATE:
        return None
    likely = estimate(position)
    return likely if memory_mb < likely.memory_mb <= _OFF_BY * memory_mb else None


def _machine_mb() -> float:
    """Returns the MiB of this machine that positions may take: no limit where the system does not say."""
    try:
        return _PART_OF_MACHINE * os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / MIB
    except (AttributeError, OSError, ValueError):
        return math.inf


class Expectations:
    """Answers what each seat can expect, from one enumeration that is kept until another play is asked about.

    Args:
        memory_mb: MiB that the positions may take, at least 1; never more than three quarters of what the
            machine has.
        jobs: Threads that enumerate; the answers do not depend on it.
        ties: What a seat does that has several best cards.

    Raises:
        InputError: If an argument is out of range.
    """

    def __init__(
        self,
        memory_mb: int = DEFAULT_EQUILIBRIUM_MB,
        *,
        jobs: int = 1,
        ties: Ties = NEUTRAL,
    ) -> None:
        self._memory_mb = int(min(memory_mb, _machine_mb()))
        self._enumeration = Enumeration(self._memory_mb)
        self._clipped = self._memory_mb < memory_mb
        self._jobs = jobs
        self._ties = ties
        # Held while a question is answered: nobody else may replace the enumeration meanwhile.
        self._asking = Lock()

    def __enter__(self) -> Expectations:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def expect(self) -> Expect:
        """What answers for positions, as :meth:`of` does."""
        return Expect(self.of, self._ties)

    def of(self, position: Position) -> BySeat[float]:
        """Returns the tricks that each seat can expect, in the calling thread.

        The trick in progress counts. A position that is not part of the play enumerated last is enumerated.

        Raises:
            SearchStopped: If it was stopped; nothing is known then.
            EnumerationFull: If the positions do not fit into the memory.
        """
        with self._asking:
            found = self._enumeration.values(position)
            if found is None:
                self._enumerate(position)
                found = self._enumeration.values(position)
                assert found is not None, "the root is part of its own play"
            return found

    def _enumerate(self, position: Position) -> None:
        """Enumerates a play; one that does not fit is refused, if possible before it is begun."""
        if position.tricks >= WORTH_AN_ESTIMATE:
            likely = estimate(position)
            if likely.memory_mb > _OFF_BY * self._memory_mb:
                raise self._full(position, likely)
        try:
            self._enumeration.enumerate(position, self._jobs, self._ties.rule, self._ties.seat or Seat.D)
        except EnumerationFull:
            least = _likely(self._enumeration.progress())
            raise self._full(position, max(estimate(position), least)) from None

    def _full(self, position: Position, need: Estimate) -> EnumerationFull:
        """Says what a play needs that does not fit: more than it may take, whatever the estimate says."""
        memory_mb = max(need.memory_mb, self._memory_mb + 1)
        machine = ", three quarters of this machine's memory" if self._clipped else ""
        fewer = math.log(memory_mb / self._memory_mb, _TIMES_FEWER)
        return EnumerationFull(
            f"the positions of {position.tricks} tricks do not fit into {self._memory_mb} MiB{machine}; they"
            f" need roughly {memory_mb} MiB and {max(1, round(need.seconds))} s of one processor",
            memory_mb,
            min(position.tricks - 1, math.ceil(fewer)),
        )

    def progress(self) -> Listing:
        """Returns how far the enumeration is, from any thread."""
        return self._enumeration.progress()

    def clear(self) -> None:
        """Forgets what was enumerated, after the end of a question if one is being answered."""
        with self._asking:
            self._enumeration.clear()

    def stop(self) -> None:
        """Ends what is running and all that comes later, from any thread."""
        self._enumeration.stop()

    def resume(self) -> None:
        """Withdraws :meth:`stop`."""
        self._enumeration.resume()

    def close(self) -> None:
        """Frees the memory."""
        self._enumeration.close()
