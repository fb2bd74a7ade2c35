"""Where the outcomes of a batch go: JSON Lines, CSV or Parquet, in a file, packed or not, or on stdout.

Every outcome is written whole and at once, so that whatever ends the program can tear only the last one.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

import click

from sgtmajor.cli.main import discard_output
from sgtmajor.errors import InputError, SgtMajorError
from sgtmajor.tasks import TASKS, Outcome

if TYPE_CHECKING:
    from typing import BinaryIO

PACKED = ".gz"


class Output(Protocol):
    """Takes the outcomes of a batch."""

    def write(self, outcome: Outcome) -> None:
        """Writes an outcome."""


def columns(task: str) -> tuple[str, ...]:
    """Returns the columns of a table of outcomes."""
    return ("id", "number", "record", *TASKS[task].columns, "error")


def json_text(outcome: Outcome) -> str:
    """Returns the line of an outcome."""
    return json.dumps(outcome.to_dict()) + "\n"


def csv_text(outcome: Outcome, task: str) -> str:
    """Returns the rows of an outcome, each on one line."""
    text = io.StringIO()
    table = csv.DictWriter(text, columns(task), extrasaction="ignore", lineterminator="\n")
    table.writerows({key: _cell(value) for key, value in row.items()} for row in outcome.rows())
    return text.getvalue()


def csv_heading(task: str) -> str:
    """Returns the heading, a line."""
    return ",".join(columns(task)) + "\n"


def _cell(value: object) -> object:
    if isinstance(value, bool):
        return str(value).lower()
    return joined(value)


def joined(value: object) -> object:
    """Returns what a table has for a value: lists with blanks between their items."""
    return " ".join(map(str, value)) if isinstance(value, list) else value


class Lines:
    """Writes outcomes as lines of text.

    Args:
        text: Returns the lines of an outcome.
        put: Writes some text whole.
    """

    def __init__(self, text: Callable[[Outcome], str], put: Callable[[str], None]) -> None:
        self._text = text
        self._put = put

    def write(self, outcome: Outcome) -> None:
        """Writes an outcome."""
        self._put(self._text(outcome))


def text_of(form: str, task: str) -> Callable[[Outcome], str]:
    """Returns what makes text of an outcome in a format that is text."""
    return json_text if form == "json" else lambda outcome: csv_text(outcome, task)


@contextmanager
def open_output(out: str | None, form: str, task: str) -> Iterator[Output]:
    """Opens the output; what is in the file stays.

    Args:
        out: The file, None for stdout.
        form: ``json``, ``csv`` or ``parquet``.
        task: The task, which says what columns there are.

    Raises:
        InputError: If it cannot be opened.
        SgtMajorError: If who reads stdout has closed it.
        OSError: If it cannot be written.
    """
    if form == "parquet":
        from sgtmajor.cli.parquet import ParquetOutput

        assert out is not None, "the command line has been checked"
        with ParquetOutput(out, columns(task)) as table:
            yield table
        return
    with _on_stdout() if out is None else _into_file(out) as (put, empty):
        if form == "csv" and empty:
            put(csv_heading(task))
        yield Lines(text_of(form, task), put)


@contextmanager
def _on_stdout() -> Iterator[tuple[Callable[[str], None], bool]]:
    """Yields what prints some text, and that nothing has been printed."""
    try:
        yield (lambda text: click.echo(text, nl=False)), True
    except BrokenPipeError:
        discard_output()
        raise SgtMajorError(
            "the output was closed before all records were done; write into a file, -o OUT, to go on later"
        ) from None


@contextmanager
def _into_file(out: str) -> Iterator[tuple[Callable[[str], None], bool]]:
    """Yields what appends some text to a file, and whether that is empty."""
    with opened(out) as raw:
        empty = not (raw.seekable() and raw.tell())
        if not out.endswith(PACKED):
            yield (lambda text: _write_whole(raw, text.encode())), empty
            return
        # Without the time, so that the same records are the same bytes.
        with gzip.GzipFile(filename="", mode="wb", fileobj=_Whole(raw), mtime=0) as packed:

            def put(text: str) -> None:
                packed.write(text.encode())
                packed.flush()

            yield put, empty


def opened(out: str) -> BinaryIO:
    """Opens a file to append to it, past all buffers.

    Raises:
        InputError: If it cannot be written.
    """
    try:
        return open(out, "ab", buffering=0)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise InputError(f"cannot be written: {reason}", source=out) from None


class _Whole:
    """Writes past all buffers what gzip packs, which takes no notice of what the system has not taken."""

    def __init__(self, raw: BinaryIO) -> None:
        self._raw = raw

    def write(self, data: bytes) -> int:
        _write_whole(self._raw, data)
        return len(data)

    def flush(self) -> None:
        """Has nothing to do: nothing is held back."""


def _write_whole(raw: BinaryIO, data: bytes) -> None:
    """Writes bytes past all buffers; the system may take them in parts."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(raw.fileno(), rest) :]
