"""The equilibrium: the tricks that each seat can expect when each of the three plays for himself (max^n).

Every position that the play can lead to is enumerated once, and then every one of them can be asked about.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType
from typing import Literal, cast, get_args

from sgtmajor.cards import BySeat, Seat
from sgtmajor.deal import Position
from sgtmajor.engine import Enumeration, Listing
from sgtmajor.errors import InputError

DEFAULT_EQUILIBRIUM_MB = 2048

Rule = Literal["neutral", "against", "for"]
Expect = Callable[[Position], BySeat[float]]


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

_EXPECTED = "expected neutral, against:SEAT or for:SEAT, as in against:L"


class Expectations:
    """Answers what each seat can expect, from one enumeration that is kept until another play is asked about.

    Args:
        memory_mb: MiB that the positions may take, at least 1.
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
        self._enumeration = Enumeration(memory_mb)
        self._jobs = jobs
        self._ties = ties

    def __enter__(self) -> Expectations:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def of(self, position: Position) -> BySeat[float]:
        """Returns the tricks that each seat can expect, in the calling thread.

        The trick in progress counts. A position that is not part of the play enumerated last is enumerated.

        Raises:
            SearchStopped: If it was stopped; nothing is known then.
            EnumerationFull: If the positions do not fit into the memory.
        """
        found = self._enumeration.values(position)
        if found is None:
            self._enumeration.enumerate(position, self._jobs, self._ties.rule, self._ties.seat or Seat.D)
            found = self._enumeration.values(position)
            assert found is not None, "the root is part of its own play"
        return found

    def progress(self) -> Listing:
        """Returns how far the enumeration is, from any thread."""
        return self._enumeration.progress()

    def clear(self) -> None:
        """Forgets what was enumerated."""
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
