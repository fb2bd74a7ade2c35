"""The form of an advice from one hand: how much work it may take, what an option is worth, and the answer."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from dataclasses import dataclass, replace
from math import floor
from typing import Generic, TypeVar

from sgtmajor.cards import BySeat, Seat
from sgtmajor.engine import DEFAULT_MEMORY_MB
from sgtmajor.errors import InputError
from sgtmajor.knowledge import Knowledge
from sgtmajor.race import Estimate, rounded
from sgtmajor.rules import Rules
from sgtmajor.view import View
from sgtmajor.yardstick import By

DEFAULT_SECONDS = 10.0
DEFAULT_SEED = 1
# Samples, discards or ways that may be asked for: more than anybody has time for.
MOST_ASKED = 1_000_000


@dataclass(frozen=True, slots=True)
class Effort:
    """How much work an advice may take.

    Attributes:
        samples: Samples at most. Not given: as many as the time allows.
        seconds: Time limit. Not given: ten seconds, or none if the samples are given.
        seed: The seed of the samples, 0 to 2**64 - 1.
        discards: Discards to compare for each contract, the most promising ones; for
            :func:`sgtmajor.recommend.recommend_trump` and :func:`sgtmajor.recommend.recommend_discard`.
        jobs: Threads.
        memory_mb: MiB for the tables of all threads together.
        ways: Ways to give to compare, the most promising ones; for
            :func:`sgtmajor.recommend_gifts.recommend_exchange`.
    """

    samples: int | None = None
    seconds: float | None = None
    seed: int = DEFAULT_SEED
    discards: int | None = None
    jobs: int = 1
    memory_mb: int = DEFAULT_MEMORY_MB
    ways: int | None = None

    def __post_init__(self) -> None:
        for name in ("samples", "discards", "ways"):
            number = getattr(self, name)
            if number is not None and not 1 <= number <= MOST_ASKED:
                raise InputError(f"{number} {name} are out of range, expected 1 to {MOST_ASKED}")

    @property
    def limit(self) -> float | None:
        """The time limit in seconds; None for none."""
        if self.seconds is None and self.samples is None:
            return DEFAULT_SECONDS
        return self.seconds


@dataclass(frozen=True, slots=True)
class Worth(ABC):
    """What an option is worth to the seat that asks.

    Attributes:
        tricks: Expected tricks of the seat that asks, by the yardstick.
        behind: The difference to the best option, in pairs on the same samples; 0 for the best.
        reaches_target: The part of the samples in which the tricks reach the target.
        values: The tricks of each sample.
    """

    tricks: Estimate
    behind: Estimate
    reaches_target: float
    values: tuple[float, ...]

    @property
    def histogram(self) -> Counter[int]:
        """How many samples give so many tricks, parts of a trick left out."""
        return Counter(map(floor, self.values))

    @abstractmethod
    def choice_to_dict(self) -> dict[str, object]:
        """Returns the JSON form of what is chosen, without what it is worth."""


O_co = TypeVar("O_co", bound=Worth, covariant=True)


@dataclass(frozen=True, slots=True)
class Answer(ABC, Generic[O_co]):
    """An advice from one hand, whatever was asked.

    Attributes:
        view: What was written of the deal.
        knowledge: What the seat that asks knows.
        rules: The house rules.
        by: The yardstick.
        leader: The seat that leads the first trick.
        options: All that were compared, best first.
        deals: How many deals fit what is known.
        samples: How many of them were solved for the best option.
        exact: Whether these are all.
        complete: Whether all samples asked for were solved, for all that was to be compared: false if it was
            stopped before.
        entered: How many options were to be compared; those that there was no time for are left out.
        seed: The seed of the samples.
        seconds: Wall-clock time.
    """

    view: View
    knowledge: Knowledge
    rules: Rules
    by: By
    leader: Seat
    options: tuple[O_co, ...]
    deals: int
    samples: int
    exact: bool
    complete: bool
    entered: int
    seed: int
    seconds: float

    @property
    def seat(self) -> Seat:
        """The seat that asks."""
        return self.knowledge.seat

    @property
    def best(self) -> O_co:
        """The option to take."""
        return self.options[0]

    @property
    def ranking(self) -> tuple[O_co, ...]:
        """What the answer is about, best first."""
        return self.options

    @property
    def seen(self) -> str:
        """The cards that the seat sees, after the gifts of ``give``, in the notation of a deal."""
        hands = BySeat.of(lambda seat: self.knowledge.hand if seat is self.seat else None)
        return replace(self.view, hands=hands, kitty=self.knowledge.kitty).cards

    @property
    def target(self) -> int | None:
        """The target of the seat; None if the targets are not for a deal of this size."""
        fits = sum(self.rules.targets.values()) == self.view.size
        return self.rules.targets[self.seat] if fits else None

    def points(self, option: Worth) -> float | None:
        """Returns expected tricks minus target; None if the targets are not for a deal of this size."""
        return None if self.target is None else option.tricks.mean - self.target

    def to_dict(self) -> dict[str, object]:
        """Returns the JSON form of the output contract."""
        options = [self._option_to_dict(option) for option in self.ranking]
        return {
            "seen": self.seen,
            "seat": str(self.seat),
            "rules": str(self.rules),
            "by": self.by,
            "announcer": str(self.rules.announcer),
            "leader": str(self.leader),
            "target": self.target,
            "deals": self.deals,
            "samples": self.samples,
            "exact": self.exact,
            "complete": self.complete,
            "seed": self.seed,
            **self.question_to_dict(),
            "entered": self.entered,
            "compared": len(self.options),
            "options": options,
            "best": options[0],
            "seconds": round(self.seconds, 3),
        }

    @abstractmethod
    def question_to_dict(self) -> dict[str, object]:
        """Returns the JSON form of what only answers to this question have."""

    def _option_to_dict(self, option: Worth) -> dict[str, object]:
        tricks, behind = option.tricks.rounded(), option.behind.rounded()
        result = {
            **option.choice_to_dict(),
            "tricks": tricks.mean,
            "ci95": _interval_to_list(tricks),
        }
        points = self.points(option)
        if points is not None:
            result["points"] = rounded(points)
            result["reaches_target"] = round(option.reaches_target, 3)
        return result | {
            "difference": behind.mean,
            "difference_ci95": _interval_to_list(behind),
            "samples": len(option.values),
        }


def _interval_to_list(estimate: Estimate) -> list[float] | None:
    if estimate.lower is None or estimate.upper is None:
        return None
    return [estimate.lower, estimate.upper]
