"""The exceptions of the package, and how an input error says where it happened."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sgtmajor.cards import BySeat
    from sgtmajor.engine import Bounds


class SgtMajorError(Exception):
    """The base of every error that the package raises on purpose."""


class InputError(SgtMajorError, ValueError):
    """Something that a user wrote is wrong.

    The text of the error is one line: the place as far as it is known, then the message.

    Attributes:
        message: What is wrong and what was expected, without the place.
        source: Name of the file, or ``<stdin>``.
        line: Line of the file, from 1.
        column: Column of the offending character, from 1: in the line, or in the field if there is one.
        field: Key of the record at fault, where no column of the line can be given.
    """

    def __init__(
        self,
        message: str,
        source: str | None = None,
        line: int | None = None,
        column: int | None = None,
        field: str | None = None,
    ) -> None:
        # All five are args so that the error survives copying and pickling.
        super().__init__(message, source, line, column, field)
        self.message = message
        self.source = source
        self.line = line
        self.column = column
        self.field = field

    def at(
        self,
        *,
        source: str | None = None,
        line: int | None = None,
        offset: int | None = None,
        field: str | None = None,
    ) -> InputError:
        """Returns a copy that knows more about its place.

        Args:
            source: Name of the file.
            line: Line of the file, from 1.
            offset: Where the text that was read starts in the enclosing text, from 0. The column is shifted
                by it, and a fault of the text as a whole points at its start. Replaces the field.
            field: Key of the record that the text was the value of.
        """
        column, place = self.column, field or self.field
        if offset is not None:
            column, place = (column or 1) + offset, None
        return InputError(self.message, source or self.source, line or self.line, column, place)

    def __str__(self) -> str:
        place, details = self.source or "", []
        if self.line:
            if place:
                place += f":{self.line}"
            else:
                details.append(f"line {self.line}")
        if self.field:
            details.append(self.field)
        if self.column:
            if self.source and self.line and not self.field:
                place += f":{self.column}"
            else:
                details.append(f"column {self.column}")
        return ": ".join(part for part in (place, ", ".join(details), self.message) if part)


class InputErrors(InputError):
    """Everything that is wrong with a file.

    Its text is that of the first error, and how many more there are.

    Attributes:
        errors: The errors, each with its place.
    """

    def __init__(self, errors: Sequence[InputError]) -> None:
        first, more = errors[0], len(errors) - 1
        rest = f" (and {more} more)" if more else ""
        super().__init__(first.message + rest, first.source, first.line, first.column, first.field)
        self.errors = tuple(errors)
        self.args = (self.errors,)


class SolverMemoryError(SgtMajorError, MemoryError):
    """The solver could not get the memory that it was allowed to use."""


class EnumerationFull(SolverMemoryError):
    """The positions that the play can lead to do not fit into the memory that they may take.

    Attributes:
        message: What does not fit into which memory, and what it needs.
        memory_mb: MiB that would do, roughly.
        later: After so many tricks, roughly, the rest of the play fits.
    """

    def __init__(self, message: str, memory_mb: int = 0, later: int = 0) -> None:
        super().__init__(message, memory_mb, later)
        self.message = message
        self.memory_mb = memory_mb
        self.later = later

    def __str__(self) -> str:
        if not self.later:
            return self.message
        tricks = f"{self.later} trick{'' if self.later == 1 else 's'}"
        return (
            f"{self.message}. Allow more (equilibrium_mb, --equilibrium-memory), or ask from {tricks} later"
            " in the play on"
        )


class SearchStopped(SgtMajorError):
    """A search ended before the exact value was known: it was stopped, or ran out of time or nodes.

    Attributes:
        message: What ended the search.
        bounds: What had been proven by then, by seat.
    """

    def __init__(self, message: str, bounds: BySeat[Bounds]) -> None:
        super().__init__(message, bounds)
        self.message = message
        self.bounds = bounds

    def __str__(self) -> str:
        return self.message


def error_to_dict(error: SgtMajorError) -> dict[str, object]:
    """Returns the JSON form of an error: its text, and the bounds proven if time ran out."""
    result: dict[str, object] = {"error": str(error)}
    if isinstance(error, SearchStopped):
        result["bounds"] = {str(seat): [each.lower, each.upper] for seat, each in error.bounds.items()}
    return result


class Interrupted(KeyboardInterrupt):
    """Ctrl-C came in the middle of long work: a KeyboardInterrupt that does not lose what is finished.

    Attributes:
        result: What there is of the answer.
    """

    def __init__(self, result: object) -> None:
        super().__init__(result)
        self.result: Any = result
