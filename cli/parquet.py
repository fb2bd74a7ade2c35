"""Outcomes of a batch as a Parquet file, by pyarrow, which is an extra."""

from __future__ import annotations

import os
from collections.abc import Sequence
from importlib.util import find_spec
from types import TracebackType
from typing import Any

from sgtmajor.cli.batch_output import joined
from sgtmajor.errors import InputError
from sgtmajor.tasks import Outcome

_ROWS = 10_000
_PARTIAL = ".partial"
# The words of a column's name that say what it holds.
_WHOLE = {"number", "trick", "tricks", "guaranteed", "ceiling", "taken"}
_REAL = {"share", "points", "equilibrium"}


class ParquetOutput:
    """Writes the rows of outcomes into a Parquet file, in groups; it is there once all are written.

    Until then its name has ``.partial`` at its end, and so it stays if the run is broken off.

    Args:
        out: The file.
        columns: Its columns.

    Raises:
        InputError: If pyarrow is not installed, or the file cannot be opened.
    """

    def __init__(self, out: str, columns: Sequence[str]) -> None:
        if find_spec("pyarrow") is None:
            raise InputError("Parquet needs pyarrow, expected it: python3 -m pip install 'sgtmajor[parquet]'")
        import pyarrow
        from pyarrow import parquet

        self._make: Any = pyarrow.Table.from_pylist
        self._schema = pyarrow.schema([(name, _type(name)) for name in columns])
        self._rows: list[dict[str, object]] = []
        # What is no file, such as /dev/null, keeps its place.
        self._target = os.path.realpath(out) if os.path.isfile(out) or not os.path.exists(out) else None
        self._name = f"{self._target}{_PARTIAL}" if self._target else out
        try:
            self._file = parquet.ParquetWriter(self._name, self._schema)
        except OSError as error:
            raise InputError(f"cannot be written: {error.strerror or error}", source=out) from None

    def __enter__(self) -> ParquetOutput:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._flush()
        self._file.close()
        if kind is None and self._target:
            os.replace(self._name, self._target)

    def write(self, outcome: Outcome) -> None:
        """Writes an outcome."""
        for row in outcome.rows():
            self._rows.append({name: joined(row.get(name)) for name in self._schema.names})
        if len(self._rows) >= _ROWS:
            self._flush()

    def _flush(self) -> None:
        if self._rows:
            self._file.write_table(self._make(self._rows, self._schema))
            self._rows.clear()


def _type(column: str) -> Any:
    """Returns the type of a column."""
    import pyarrow

    words = set(column.split("_"))
    if words & _WHOLE:
        return pyarrow.int64()
    if words & _REAL:
        return pyarrow.float64()
    return pyarrow.bool_() if column == "complete" else pyarrow.string()
