"""How ``batch --resume`` goes on: what an earlier run has written is checked, kept, and not done again."""

from __future__ import annotations

import csv
import gzip
import json
import os
import shutil
import zlib
from array import array
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import chain, groupby
from tempfile import mkstemp
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, cast

from sgtmajor.batch import AHEAD, Pool, run_batch
from sgtmajor.cli.batch_output import PACKED, columns, csv_heading, text_of
from sgtmajor.cli.reading import GZIP
from sgtmajor.errors import InputError
from sgtmajor.tasks import ACCIDENTAL, Item, Job

if TYPE_CHECKING:
    from collections.abc import Iterable


_JSON_BEGINS = b'{"id": "'


class Written(NamedTuple):
    """A line of the output of an earlier run.

    Attributes:
        number: The number of the record.
        id: Its id.
        record: Its text.
        failed: Whether it failed.
        final: Whether the answer is all that there is to say: no error, and not cut short by time.
        text: The line.
    """

    number: int
    id: str
    record: str
    failed: bool
    final: bool
    text: bytes


@dataclass(slots=True)
class Stock:
    """What an earlier run has written.

    Attributes:
        out: The file; None if there is none.
        form: Its format.
        count: How many records it holds.
        failed: How many of them failed.
        samples: The lines of the first and of the last record that are answered for good.
        repair: Cuts off, or writes anew, what was torn.
    """

    out: str | None = None
    form: str = "json"
    count: int = 0
    failed: int = 0
    samples: tuple[tuple[Written, ...], ...] = ()
    repair: Callable[[], None] = lambda: None
    # A checksum of each record by its number, 0 for those that are not done: 4 bytes a record.
    _sums: array[int] = field(default_factory=lambda: array("I"))

    def add(self, lines: tuple[Written, ...]) -> None:
        """Takes notice of the lines of one record."""
        first = lines[0]
        if not 0 < first.number <= self.count + 2 * AHEAD:
            raise self.error(f"record {first.number} is out of place")
        if first.number >= len(self._sums):
            self._sums.frombytes(bytes(self._sums.itemsize * (first.number + 1 - len(self._sums))))
        elif self._sums[first.number]:
            raise self.error(f"record {first.number} is there twice")
        self._sums[first.number] = checksum(first.record)
        self.count += 1
        self.failed += first.failed
        if all(line.final for line in lines):
            self.samples = (*self.samples[:1], lines)

    def done(self, number: int) -> int:
        """Returns the checksum of a record that is done, else 0."""
        return self._sums[number] if number < len(self._sums) else 0

    @property
    def highest(self) -> int:
        """The highest number of a record that is done."""
        return len(self._sums) - 1

    def error(self, message: str, line: int | None = None) -> InputError:
        """Returns the error for an output that cannot be gone on with."""
        expected = "expected what an earlier run of the same command has written"
        return InputError(f"{message}, {expected}", source=self.out, line=line)


def checksum(text: str) -> int:
    """Returns a number above 0 for a text."""
    return zlib.crc32(text.encode("utf-8", "surrogatepass")) or 1


def take_stock(out: str | None, form: str, task: str, resume: bool) -> Stock:
    """Reads what an earlier run has written.

    Raises:
        InputError: If there is something although nothing is to be resumed, or it is no output of a batch.
    """
    if out is None or not os.path.isfile(out) or not os.path.getsize(out):
        return Stock()
    if not resume:
        instead = "another OUT" if form == "parquet" else "--resume to go on with it, or another OUT"
        raise InputError(f"the file exists, expected {instead}", source=out)
    stock = Stock(out, form)
    kept = 0
    for lines in _finished(stock, task):
        stock.add(lines)
        kept += sum(len(line.text) for line in lines)
    if out.endswith(PACKED):
        stock.repair = partial(_pack_anew, out, form, task)
    elif form == "csv":
        heading = len(csv_heading(task))
        stock.repair = partial(os.truncate, out, kept + heading if kept else 0)
    else:
        stock.repair = partial(os.truncate, out, kept)
    return stock


def left_over(items: Iterable[Item], stock: Stock, job: Job) -> Iterator[Item]:
    """Yields the records that are not done.

    Raises:
        InputError: If those that are done are others than the output has.
    """
    number = 0
    for item in items:
        number = item.number
        expected = stock.done(number)
        if not expected:
            yield item
        elif not _is_record(item, expected, job):
            raise InputError(
                f"this is not record {number} of {stock.out}, expected the records that it was made from",
                source=item.source,
                line=item.line,
            )
    if number < stock.highest:
        raise stock.error(f"it has a record {stock.highest}, but there are only {number}")


def _is_record(item: Item, expected: int, job: Job) -> bool:
    """Says whether a record has a checksum: as it came, or as the output has it once it is read."""
    as_it_came = expected in (checksum(item.text), checksum(item.text.strip()))
    if as_it_came and not job.rules and not job.trumps:
        return True
    try:
        return expected == checksum(str(job.read(item.text)))
    except InputError:
        return as_it_came


def check_job(stock: Stock, job: Job, pool: Pool) -> None:
    """Answers two records again that are done, to see whether the earlier run was asked the same.

    Raises:
        InputError: If what comes out is something else.
    """
    for lines in stock.samples:
        first = lines[0]
        line = int(first.id) if first.id.isdecimal() else None
        item = Item(first.number, first.record, first.record, stock.out, line)
        (outcome,) = run_batch([item], job, pool)
        # An answer that is cut short by time says nothing of the earlier one.
        if job.seconds and not outcome.to_dict().get("complete", outcome.error is None):
            continue
        answered = text_of(stock.form, job.task)(outcome).encode()
        earlier = b"".join(each.text for each in lines)
        if answered != earlier and not (job.times and _timeless(answered) == _timeless(earlier)):
            raise stock.error(f"record {first.number} is answered otherwise now")


def _timeless(line: bytes) -> dict[str, object]:
    """Returns what a line of JSON says, but not how long that took."""
    return {key: None if key in ACCIDENTAL else value for key, value in json.loads(line).items()}


def _finished(stock: Stock, task: str) -> Iterator[tuple[Written, ...]]:
    """Yields the lines of each record that was written whole."""
    assert stock.out is not None
    with _opened(stock.out) as stream:
        if stock.out.endswith(PACKED):
            _check_packed(stock)
        lines = _whole_lines(stream, stock, task)
        if stock.form == "json":
            for number, line in enumerate(lines, start=1):
                yield (_from_json(line, number, stock),)
            return
        if next(lines, None) not in (None, csv_heading(task).encode()):
            raise stock.error("the heading is another one", line=1)
        rows = (_from_csv(line, number, stock, task) for number, line in enumerate(lines, start=2))
        held: tuple[Written, ...] = ()
        for _, group in groupby(rows, key=lambda row: row.number):
            if held:
                yield held
            held = tuple(group)
        # Of the last record some rows may be missing: it is done again.


def _whole_lines(stream: BinaryIO, stock: Stock, task: str) -> Iterator[bytes]:
    """Yields the lines up to where the file was torn.

    Raises:
        InputError: If what was torn was no line of a batch output: it is not cut off.
    """
    try:
        for number, line in enumerate(stream, start=1):
            if not line.endswith(b"\n"):
                begins = _JSON_BEGINS if stock.form == "json" else csv_heading(task).encode()
                if (number == 1 or stock.form == "json") and line[: len(begins)] != begins[: len(line)]:
                    raise stock.error("this is no line of a batch output", line=number)
                return
            yield line
    except (EOFError, zlib.error, gzip.BadGzipFile):
        return


def _check_packed(stock: Stock) -> None:
    """Refuses a file that does not begin as gzip does."""
    assert stock.out is not None
    with open(stock.out, "rb") as raw:
        if not GZIP.startswith(raw.read(len(GZIP))):
            raise stock.error("this is not packed by gzip")


def _from_json(line: bytes, place: int, stock: Stock) -> Written:
    try:
        values = json.loads(line)
        failed = "error" in values
        final = not failed and values.get("complete", True)
        return Written(int(values["number"]), str(values["id"]), str(values["record"]), failed, final, line)
    except (ValueError, OverflowError, KeyError, TypeError, AttributeError, RecursionError):
        raise stock.error("this is no line of a batch output", line=place) from None


def _from_csv(line: bytes, place: int, stock: Stock, task: str) -> Written:
    names = columns(task)
    try:
        (cells,) = csv.reader([line.decode().rstrip("\n")], strict=True)
        row = dict(zip(names, cells, strict=True))
        failed = bool(row["error"])
        final = not failed and row.get("complete") != "false"
        return Written(int(row["number"]), row["id"], row["record"], failed, final, line)
    except (ValueError, csv.Error):
        raise stock.error("this is no line of a batch output", line=place) from None


@contextmanager
def _opened(out: str) -> Iterator[BinaryIO]:
    try:
        stream = gzip.open(out, "rb") if out.endswith(PACKED) else open(out, "rb")  # noqa: SIM115 (closed below)
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", source=out) from None
    with stream:
        yield cast(BinaryIO, stream)


def _pack_anew(out: str, form: str, task: str) -> None:
    """Writes what is whole in a packed file into a new one, which then takes its place."""
    # Where OUT is a link, its target is replaced, and no other file is written over.
    target = os.path.realpath(out)
    number, new = mkstemp(dir=os.path.dirname(target), prefix=f"{os.path.basename(target)}.")
    heading = [csv_heading(task).encode()] if form == "csv" else []
    finished = (line.text for lines in _finished(Stock(out, form), task) for line in lines)
    try:
        with open(number, "wb") as raw, gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0) as packed:
            for text in chain(heading, finished):
                packed.write(text)
        shutil.copymode(target, new)
        os.replace(new, target)
    except BaseException:
        os.unlink(new)
        raise
