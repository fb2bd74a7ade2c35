"""Small tools for the readers of text: quoting what was wrong, and keeping track of its column."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from sgtmajor.errors import InputError

_T = TypeVar("_T")
_QUOTE_LENGTH = 40


def quoted(text: str) -> str:
    """Quotes text for an error message: one printable line, long text cut short."""
    return repr(text if len(text) <= _QUOTE_LENGTH else text[: _QUOTE_LENGTH - 1] + "…")


@contextmanager
def shifted(offset: int) -> Iterator[None]:
    """Shifts the column of an InputError by the place where the text that is read starts."""
    try:
        yield
    except InputError as error:
        raise error.at(offset=offset) from None


@contextmanager
def in_field(key: str) -> Iterator[None]:
    """Names the field of a record that an InputError belongs to, unless it is known already."""
    try:
        yield
    except InputError as error:
        raise error.at(field=error.field or key) from None


def read_list(text: str, read: Callable[[str], _T]) -> list[tuple[_T, int]]:
    """Reads a comma-separated list.

    Returns:
        Each item with the offset of its text, from 0.
    """
    items = []
    offset = 0
    for part in text.split(","):
        with shifted(offset):
            items.append((read(part), offset))
        offset += len(part) + 1
    return items
