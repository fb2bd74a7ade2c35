"""Small tools for the readers of text: quoting what was wrong, and keeping track of its column."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import NamedTuple, TypeVar

from sgtmajor.errors import InputError

_T = TypeVar("_T")
_QUOTE_LENGTH = 40
# Bytes; a whole deal with its play takes some 300.
MAX_LINE = 1 << 20
# Characters that are kept of a line that is too long.
_SHOWN = 100
_COMMENT = re.compile(r"(?<!\S)#")
_WORD = re.compile(r"\S+")


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

    Raises:
        InputError: If there is no item, or from reading one.
    """
    if not text.strip():
        raise InputError("an empty list, expected to be left out", column=1)
    offset = 0
    for part in text.split(","):
        with shifted(offset):
            item = read(part)
        yield item, offset
        offset += len(part) + 1


class Line(NamedTuple):
    """A line of a file: its number from 1, its text, and what is wrong with it if it is no text."""

    number: int
    text: str
    error: InputError | None


def read_lines(stream: Iterable[bytes | str]) -> Iterator[Line]:
    """Reads the lines of a file that say something: blank lines and comments are skipped.

    Yields:
        The lines; undecodable bytes are escaped, and a line that is too long is cut short.
    """
    for number, line in enumerate(stream, start=1):
        raw = line.encode("utf-8", "surrogatepass") if isinstance(line, str) else line
        raw = (raw.removeprefix(codecs.BOM_UTF8) if number == 1 else raw).rstrip(b"\r\n")
        text = raw.decode("utf-8", "backslashreplace")
        if not without_comment(text).strip():
            continue
        try:
            if len(raw) >= MAX_LINE:
                text = text[:_SHOWN]
                raise InputError(f"a line of {MAX_LINE} bytes or more, expected a record")
            _check_encoding(raw)
        except InputError as error:
            yield Line(number, text, error)
        else:
            yield Line(number, text, None)


def without_comment(line: str) -> str:
    """Returns a line up to its comment, which starts with a ``#`` of its own."""
    return _COMMENT.split(line, maxsplit=1)[0]


def _check_encoding(raw: bytes) -> None:
    """Refuses bytes that are not text in UTF-8."""
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError as error:
        column = len(raw[: error.start].decode("utf-8")) + 1
        raise InputError(f"byte {raw[error.start]:#04x} is not UTF-8, expected text", column=column) from None


def split_fields(
    line: str,
    start: int,
    check_key: Callable[[str], None],
    found: Callable[[InputError], None] | None = None,
) -> tuple[dict[str, str], dict[str | None, int]]:
    """Splits ``key=value`` fields, in which no key comes twice.

    Args:
        line: The line.
        start: Where the fields start in it.
        check_key: Refuses what is no key.
        found: Called with whatever is wrong with a field, which then is left out; raised if not given.

    Returns:
        The values by key, and the offsets of the values in the line.
    """
    texts: dict[str, str] = {}
    offsets: dict[str | None, int] = {}
    for word in _WORD.finditer(line, start):
        key, equals, value = word[0].partition("=")
        try:
            with shifted(word.start()):
                if not equals:
                    raise InputError(f"unexpected {quoted(key)}, expected key=value")
                check_key(key)
                if key in texts:
                    raise InputError(f"{key} is given twice")
        except InputError as error:
            if not found:
                raise
            found(error)
            continue
        texts[key], offsets[key] = value, word.start() + len(key) + 1
    return texts, offsets


def read_either(text: str, parse: Callable[[str], _T], from_dict: Callable[[Mapping[str, object]], _T]) -> _T:
    """Reads a line that is either text, with ``parse``, or a JSON object, with ``from_dict``."""
    if "\0" in text:
        raise InputError("a NUL byte, expected text", column=text.index("\0") + 1)
    if text.lstrip().startswith("{"):
        return from_dict(_read_object(text))
    return parse(text)


def _read_object(text: str) -> dict[str, object]:
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
