"""Small tools for the readers of text: quoting what was wrong, and keeping track of its column."""

from __future__ import annotations

import json
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


def read_list(text: str, read: Callable[[str], _T]) -> Iterator[tuple[_T, int]]:
    """Reads a comma-separated list.

    Yields:
        Each item with the offset of its text, from 0.
    """
    offset = 0
    for part in text.split(","):
        with shifted(offset):
            item = read(part)
        yield item, offset
        offset += len(part) + 1


def check_encoding(raw: bytes) -> None:
    """Refuses bytes that are not text in UTF-8."""
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError as error:
        column = len(raw[: error.start].decode("utf-8")) + 1
        raise InputError(f"byte {raw[error.start]:#04x} is not UTF-8, expected text", column=column) from None


def read_object(text: str) -> dict[str, object]:
    """Reads a JSON object in which no key comes twice."""
    try:
        values: dict[str, object] = json.loads(text, object_pairs_hook=_without_repeats)
    except InputError:
        raise
    except json.JSONDecodeError as error:
        raise InputError(f"no JSON object: {error.msg}", column=error.colno) from None
    except (ValueError, RecursionError):
        raise InputError(
            "no record: a number is too long, or brackets are nested too deep", column=1
        ) from None
    return values


def _without_repeats(pairs: list[tuple[str, object]]) -> dict[str, object]:
    values: dict[str, object] = {}
    for key, value in pairs:
        if key in values:
            raise InputError(f"key {quoted(key)} is given twice")
        values[key] = value
    return values
