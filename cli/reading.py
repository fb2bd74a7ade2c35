"""The argument RECORD|FILE|-, and what happens to each of its records."""

from __future__ import annotations

import itertools
import os
import re
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from io import BufferedReader, BytesIO, RawIOBase
from typing import TYPE_CHECKING, Any, BinaryIO, Protocol, TypeVar, cast

import click

from sgtmajor.cards import BySeat
from sgtmajor.cli.main import BAD_INPUT, FAILED, complain
from sgtmajor.engine import Bounds
from sgtmajor.errors import InputError, Interrupted, SearchStopped, SgtMajorError
from sgtmajor.reading import MAX_LINE, Line, read_lines
from sgtmajor.record import BadRecord, Record, read_each

if TYPE_CHECKING:
    from sgtmajor.view import View

C = TypeVar("C", bound="Record | View")
T = TypeVar("T")
R = TypeVar("R", contravariant=True)

STDIN = "<stdin>"
EXPECTED = "expected a deal on each line, such as 'D:AK... QJ... T9...'"
# A seat and a colon (a backslash or slash would be a Windows path), JSON, or nothing at all.
_RECORD = re.compile(r"\s*([DLR]\s*:(?![\\/])|\{|$)", re.IGNORECASE)
# A hand, with more behind it.
_SEATLESS = re.compile(r"\s*[0-9TJQKA]*(\.[0-9TJQKA]*){3}\s+\S", re.IGNORECASE)
_CHUNK = 1 << 13
_BLOCK = 1 << 20
GZIP = b"\x1f\x8b"


@dataclass(frozen=True, slots=True)
class Entry:
    """One record of the input.

    Attributes:
        id: Its name, or the number of its line.
        text: The record, as far as it can be read.
        content: The record, or what is wrong with it.
        source: The file, None if the record is the argument itself.
        line: The number of its line.
    """

    id: str
    text: str
    content: Record | View | InputError
    source: str | None
    line: int

    @property
    def place(self) -> str:
        """Where the entry is, for messages."""
        return f"{self.source}:{self.line}" if self.source else "sgtmajor"

    @property
    def prefix(self) -> str:
        """What headings begin with: the id, unless the record is the argument itself and has none."""
        return "" if self.source is None and self.id == "1" else f"{self.id}: "


class CutShort(SearchStopped):
    """Time was up, or memory full, before all that was asked about a record was answered.

    Attributes:
        result: What there is of the answer.
    """

    def __init__(self, message: str, result: object, bounds: BySeat[Bounds]) -> None:
        super().__init__(message, bounds)
        # A writer of any kind of result takes it.
        self.result: Any = result


class Writer(Protocol[R]):
    """Prints results in one format."""

    def result(self, entry: Entry, result: R) -> None:
        """Prints the result for a record."""

    def failure(self, entry: Entry, error: SgtMajorError) -> None:
        """Prints, where the format has a place for it, that there is no result for a record."""


def is_record(argument: str) -> bool:
    """Whether RECORD|FILE|- is a record. What exists as a file never is."""
    looks = _RECORD.match(argument) or _SEATLESS.match(argument) or (":" in argument and " " in argument)
    return bool(looks) and not os.path.exists(argument)


def process(
    argument: str,
    work: Callable[[C], T],
    writer: Writer[T],
    *,
    read: Callable[..., C],
    alone: Writer[T] | None = None,
    only: str | None = None,
    **overrides: Any,
) -> None:
    """Works on each record and prints the results, going on after a record that fails.

    Args:
        argument: RECORD|FILE|-.
        work: What to do with a record.
        writer: Prints.
        read: Reads a record; the overrides are its keywords.
        alone: Prints instead if there is just one record. The second is waited for before the first is
            worked on.
        only: What is wrong if there are more records than one, which is then told before any work.
        overrides: Fields that take the place of those of each record; None for those that do not.

    Raises:
        InputError: If there is nothing to read.
        Interrupted: On Ctrl-C, after what was finished has been printed.
        click.exceptions.Exit: With the exit code, if a record failed.
    """
    count = 0
    failures: list[SgtMajorError] = []
    fields = {key: value for key, value in overrides.items() if value is not None}
    entries = _entries(argument, partial(read, **fields))
    if alone or only:
        first = list(itertools.islice(entries, 2))
        entries = itertools.chain(first, entries)
        if only and len(first) > 1:
            raise InputError(only, source=first[1].source, line=first[1].line)
        writer = alone if alone and len(first) < 2 else writer
    for entry in entries:
        count += 1
        try:
            if isinstance(entry.content, InputError):
                raise entry.content
            # What `read` has read.
            result = work(cast(C, entry.content))
        except InputError as error:
            failures.append(error.at(source=entry.source, line=entry.line if entry.source else None))
            writer.failure(entry, failures[-1])
            complain(str(failures[-1]))
        except SgtMajorError as error:
            failures.append(error)
            writer.failure(entry, error)
            complain(f"{entry.place}: {error}")
        except Interrupted as stop:
            writer.result(entry, stop.result)
            raise
        else:
            writer.result(entry, result)
    if count == 1 and failures and isinstance(failures[0], InputError):
        raise click.exceptions.Exit(BAD_INPUT)
    if failures:
        raise click.exceptions.Exit(FAILED)


def _entries(argument: str, read: Callable[[str], Record | View]) -> Iterator[Entry]:
    if is_record(argument):
        yield _entry(_read_argument(argument, read), None, 1)
        return
    source = source_name(argument)
    found = False
    for line, content in read_each(read_file(argument), source, read):
        found = True
        yield _entry(content, source, line)
    if not found:
        raise InputError(f"no records, {EXPECTED}", source=source)


def _entry(content: Record | View | BadRecord, source: str | None, line: int) -> Entry:
    if isinstance(content, BadRecord):
        return Entry(content.id or str(line), content.text, content.error, source, line)
    return Entry(content.id or str(line), str(content), content, source, line)


def _read_argument(text: str, read: Callable[[str], Record | View]) -> Record | View | BadRecord:
    """Reads a record that is the argument itself; its errors name no file."""
    try:
        return read(text)
    except InputError as error:
        seatless = InputError("this looks like a deal without its seat, expected D: in front", column=1)
        return BadRecord(1, text, seatless if _SEATLESS.match(text) else error)


def source_name(argument: str) -> str:
    """Returns what FILE|- is called in messages."""
    return STDIN if argument == "-" else argument or "''"


def read_file(argument: str) -> Iterator[bytes]:
    """Reads the lines of FILE|-, unpacked if gzip has packed it.

    Raises:
        InputError: If it cannot be read, or is no text.
    """
    source = source_name(argument)
    with _opened(argument, source) as stream:
        yield from _lines(stream, source)


def lines_of(files: Sequence[str]) -> Iterator[tuple[str, Line]]:
    """Reads the lines of several FILE|- that say something, each with the name of its file.

    Raises:
        InputError: If one of the files is not there, before any is read; or cannot be read, in its turn.
    """
    for name in files:
        # Not only when its turn comes, hours later.
        _check_exists(name)
    for name in files:
        source = source_name(name)
        for line in read_lines(read_file(name)):
            yield source, line


def _check_exists(argument: str) -> None:
    """Refuses a FILE that is not there."""
    try:
        if argument != "-":
            os.stat(argument)
    except (OSError, ValueError) as error:
        raise _unreadable(error, argument) from None


@contextmanager
def _opened(argument: str, source: str) -> Iterator[BinaryIO]:
    """Opens FILE|-."""
    if argument == "-":
        if sys.stdin is None:
            raise InputError("standard input is closed", source=source)
        yield _unpacked(sys.stdin.buffer, source)
        return
    try:
        stream = open(argument, "rb")  # noqa: SIM115 (closed below; only opening it is tried here)
    except (OSError, ValueError) as error:
        raise _unreadable(error, source) from None
    with stream:
        yield _unpacked(stream, source)


def _unpacked(stream: BinaryIO, source: str) -> BinaryIO:
    """Returns a stream that unpacks what gzip has packed, and hands on what it has not."""
    peekable = stream if isinstance(stream, BufferedReader) else BufferedReader(cast(RawIOBase, stream))
    try:
        packed = peekable.peek(len(GZIP)).startswith(GZIP)
    except OSError as error:
        raise _unreadable(error, source) from None
    if not packed:
        return peekable
    import gzip

    return cast(BinaryIO, gzip.GzipFile(fileobj=peekable))


def _lines(stream: BinaryIO, source: str) -> Iterator[bytes]:
    """Reads the lines of a file that is text as far as its beginning shows."""
    try:
        # read1 returns what there is: a pipe is not waited for until the whole chunk has come.
        read = getattr(stream, "read1", stream.read)
        head: bytes = read(_CHUNK)
        if b"\0" in head:
            raise InputError("a binary file, expected text", source=source)
        if not head.endswith(b"\n"):
            head += stream.readline(MAX_LINE)
        yield from BytesIO(head)
        ended = head.endswith(b"\n")
        while line := stream.readline(MAX_LINE):
            # What lies beyond the limit is read over; the reader of records refuses what comes before it.
            if ended:
                yield line
            ended = line.endswith(b"\n")
    except (OSError, EOFError, zlib.error) as error:
        raise _unreadable(error, source) from None


def _unreadable(error: Exception, source: str) -> InputError:
    reason = error.strerror if isinstance(error, OSError) else None
    return InputError(f"cannot be read: {reason or error}", source=source)


def count_lines(arguments: Iterable[str]) -> int | None:
    """Returns how many lines files have, None if one is a pipe, is packed, or cannot be read."""
    count = 0
    for argument in arguments:
        if not os.path.isfile(argument):
            return None
        try:
            with open(argument, "rb") as stream:
                if stream.peek().startswith(GZIP):
                    return None
                count += sum(block.count(b"\n") for block in iter(partial(stream.read, _BLOCK), b""))
        except OSError:
            return None
    return count
