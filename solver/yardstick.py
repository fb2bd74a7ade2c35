"""The yardstick: by which number of a seat one thing is better than another."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Protocol

from sgtmajor.cards import BySeat, Seat
from sgtmajor.errors import InputError

if TYPE_CHECKING:
    from sgtmajor.values import Values

By = Literal["share", "guaranteed"]
Yardstick = Literal["share", "guaranteed", "equilibrium"]
YARDSTICKS: tuple[By, ...] = ("share", "guaranteed")

# More than any difference in the yardstick that only decides between equals.
_TIE = 1000


def check_yardstick(by: str) -> None:
    """Refuses what is no yardstick."""
    if by not in YARDSTICKS:
        raise InputError(f"no yardstick {by!r}; expected one of {', '.join(YARDSTICKS)}")


def other_than(by: Yardstick) -> By:
    """Returns the other yardstick to look at: what is guaranteed, or if that is the yardstick the share."""
    return "share" if by == "guaranteed" else "guaranteed"


def split_by(by: Yardstick) -> Yardstick:
    """Returns the number beside the guaranteed tricks: it splits all tricks among the seats."""
    return "equilibrium" if by == "equilibrium" else "share"


class Numbers(Protocol):
    """What the yardsticks are read from: the values of a moment, or how they change."""

    @property
    def guaranteed(self) -> BySeat[int]:
        """Of the tricks that a seat is sure of."""

    @property
    def share(self) -> BySeat[float]:
        """Of the shares."""

    @property
    def equilibrium(self) -> BySeat[float] | None:
        """Of the tricks that a seat can expect; None where these are not known."""


def worth(numbers: Numbers, by: Yardstick) -> BySeat[float]:
    """Returns the yardstick for each seat, in tricks: of a moment, or what a change brings."""
    if by == "equilibrium":
        assert numbers.equilibrium, "what is asked about was valued by it"
        return numbers.equilibrium
    if by == "share":
        return numbers.share
    return BySeat.of(lambda seat: float(numbers.guaranteed[seat]))


def score(values: Values, seat: Seat, by: By) -> int:
    """Returns the yardstick as one number: the higher, the better for ``seat``.

    It is whole: shares are thirds, of which two that are equal may differ as floats.
    """
    return score_of(values.guaranteed, seat, by)


def score_of(guaranteed: BySeat[int], seat: Seat, by: By) -> int:
    """Returns the :func:`score` of what the seats are sure of; the tricks there are must be the same."""
    own, other = _weights(by)
    against = sum(guaranteed.values()) - guaranteed[seat]
    return own * guaranteed[seat] - other * against


def _weights(by: By) -> tuple[int, int]:
    """Returns what a guaranteed trick counts for the seat, and against it for each of the others."""
    return (2 * _TIE + 1, _TIE) if by == "share" else (_TIE + 2, 1)
