"""Keeps a second batch from writing into the same OUT: both would add the same records."""

from __future__ import annotations

import os
from contextlib import suppress
from types import TracebackType
from typing import TYPE_CHECKING

from sgtmajor.cli.batch_output import opened
from sgtmajor.errors import InputError

if TYPE_CHECKING:
    from typing import BinaryIO

try:
    import fcntl
except ImportError:  # Windows has no such locks.
    fcntl = None  # type: ignore[assignment]


class OutputLock:
    """The lock on an output, which the system takes off with the process, however that ends.

    A file that was made for it and is still empty in the end is removed.

    Args:
        out: The file; None, or what is no file, needs no lock.

    Raises:
        InputError: If another run has it, or it cannot be written.
    """

    def __init__(self, out: str | None) -> None:
        self._out = out if out is not None and (os.path.isfile(out) or not os.path.exists(out)) else None
        self._made = self._out is not None and not os.path.exists(self._out)
        self._held: BinaryIO | None = None
        self.renew()

    def renew(self) -> None:
        """Takes the lock, also of a file that has been put in the place of the one that is locked."""
        while self._out is not None and not (self._held and _is_at(self._held, self._out)):
            held = opened(self._out)
            try:
                _lock(held, self._out)
            except BaseException:
                held.close()
                raise
            if self._held:
                self._held.close()
            self._held = held

    def __enter__(self) -> OutputLock:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._out is None or self._held is None:
            return
        with self._held, suppress(OSError):
            if self._made and not os.path.getsize(self._out):
                os.unlink(os.path.realpath(self._out))


def _lock(held: BinaryIO, out: str) -> None:
    if fcntl is None:
        return
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise InputError(
            "another run is writing into it, expected that to end first, or another OUT", source=out
        ) from None
    except OSError:
        # A file system without locks.
        return


def _is_at(held: BinaryIO, out: str) -> bool:
    """Says whether a file that is open is still the one of that name."""
    try:
        return os.path.samestat(os.fstat(held.fileno()), os.stat(out))
    except FileNotFoundError:
        return False
