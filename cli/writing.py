"""Writers for programs: JSON, one object a line, and CSV."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Generic, TypeVar

import click

from sgtmajor.cli.reading import CutShort, Entry
from sgtmajor.errors import SearchStopped, SgtMajorError, error_to_dict

T = TypeVar("T")


class JsonWriter(Generic[T]):
    """Prints one JSON object for each record.

    Args:
        to_dict: Returns the keys of a result; the id comes in front.
    """

    def __init__(self, to_dict: Callable[[T], Mapping[str, object]]) -> None:
        self._to_dict = to_dict

    def result(self, entry: Entry, result: T) -> None:
        """Prints a result."""
        click.echo(json.dumps(self._object(entry, result)))

    def failure(self, entry: Entry, error: SgtMajorError) -> None:
        """Prints an object with the error, and with what there is or the bounds proven if time ran out."""
        if isinstance(error, CutShort):
            click.echo(json.dumps({**self._object(entry, error.result), "error": str(error)}))
            return
        click.echo(json.dumps({"id": entry.id, "record": entry.text, **error_to_dict(error)}))

    def _object(self, entry: Entry, result: T) -> dict[str, object]:
        values = {key: value for key, value in self._to_dict(result).items() if key != "id"}
        return {"id": entry.id, **values}


class CsvWriter(Generic[T]):
    """Prints a heading and rows, some for each record.

    Args:
        columns: The names of the columns, between ``id`` and ``error``.
        rows: Returns the rows of a result.
        stopped: Returns what the row of a record holds for which time ran out.
    """

    def __init__(
        self,
        columns: Sequence[str],
        rows: Callable[[Entry, T], Iterable[Mapping[str, object]]],
        stopped: Callable[[Entry, SearchStopped], Mapping[str, object]] = lambda entry, error: {},
    ) -> None:
        self._columns = ("id", *columns, "error")
        self._rows = rows
        self._stopped = stopped
        self._started = False

    def result(self, entry: Entry, result: T) -> None:
        """Prints the rows of a result."""
        for row in self._rows(entry, result):
            self._write({**row, "id": entry.id})

    def failure(self, entry: Entry, error: SgtMajorError) -> None:
        """Prints a row with the error, and with what is known; the rows of an answer that was cut short."""
        if isinstance(error, CutShort):
            for row in self._rows(entry, error.result):
                self._write({**row, "id": entry.id, "error": str(error)})
            return
        known = self._stopped(entry, error) if isinstance(error, SearchStopped) else {}
        self._write({"id": entry.id, "record": entry.text, "error": str(error), **known})

    def _write(self, row: Mapping[str, object]) -> None:
        import csv
        import io

        text = io.StringIO()
        table = csv.DictWriter(text, self._columns, extrasaction="ignore", lineterminator="\n")
        if not self._started:
            table.writeheader()
            self._started = True
        table.writerow(row)
        click.echo(text.getvalue(), nl=False)
