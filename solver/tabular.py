"""Answers as rows of a table: numbers by seat in columns of their own, and data frames of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from sgtmajor.errors import InputError

if TYPE_CHECKING:
    from sgtmajor.tasks import Outcome

FRAME_LIBRARIES = ("pandas", "polars")


def by_seat(name: str, values: Mapping[str, object]) -> dict[str, object]:
    """Returns the columns of one number for three seats: ``guaranteed_D`` and so on."""
    return {f"{name}_{seat}": value for seat, value in values.items()}


def flat(values: Mapping[str, object]) -> dict[str, object]:
    """Returns the columns of a JSON object: numbers by seat become ``guaranteed_D`` and so on."""
    row: dict[str, object] = {}
    for key, value in values.items():
        row |= by_seat(key, value) if isinstance(value, Mapping) else {key: value}
    return row


def to_frame(outcomes: Iterable[Outcome], library: str | None = None) -> Any:
    """Returns the rows of outcomes as a data frame of pandas or polars.

    Args:
        outcomes: What :func:`solve_many` yields.
        library: ``pandas`` or ``polars``; the first of them that is installed if not given.

    Returns:
        A ``pandas.DataFrame`` or a ``polars.DataFrame``; columns as in :meth:`Outcome.rows`.

    Raises:
        InputError: If the library is not installed, or is another one.
    """
    if library is not None and library not in FRAME_LIBRARIES:
        raise InputError(f"no data frames of {library!r}, expected one of {' '.join(FRAME_LIBRARIES)}")
    wanted = FRAME_LIBRARIES if library is None else (library,)
    for name in wanted:
        if find_spec(name):
            rows = [row for outcome in outcomes for row in outcome.rows()]
            # Polars would guess the type of a column from the first rows only.
            more = {"infer_schema_length": None} if name == "polars" else {}
            return import_module(name).DataFrame(rows, **more)
    raise InputError(f"{' and '.join(wanted)} not installed, expected it: python3 -m pip install {wanted[0]}")
