"""The workers of a Dask cluster, behind the same interface as the threads of this machine.

Dask gives a chunk to another worker when the one that had it dies.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError, Future
from contextlib import suppress
from time import monotonic
from types import TracebackType

from sgtmajor.batch import Chunk, LostWorkError, Pool
from sgtmajor.errors import InputError, SgtMajorError

_SECONDS_TO_CONNECT = 10
_LOOK_EACH = 10


class ClusterPool(Pool):
    """The workers of a cluster that is running.

    Args:
        address: Of its scheduler, such as ``tcp://host:8786``.

    Raises:
        InputError: If dask.distributed is not installed, no scheduler answers, or it has no workers.
    """

    def __init__(self, address: str) -> None:
        try:
            from distributed import Client
            from distributed.comm import get_address_host_port
        except ImportError:
            raise InputError(
                "a cluster needs dask.distributed, expected it: python3 -m pip install 'sgtmajor[cluster]'"
            ) from None
        # What matters of it is told here, in one line.
        for name in ("distributed.client", "distributed.core"):
            logging.getLogger(name).setLevel(logging.CRITICAL)
        try:
            # A client of no address at all is hard to get rid of.
            get_address_host_port(address)
            self._client = Client(address, timeout=_SECONDS_TO_CONNECT, set_as_default=False)
        except (OSError, ValueError, TypeError) as error:
            raise InputError(f"no scheduler answers: {_reason(error)}", source=address) from None
        self.width = sum(self._client.nthreads().values())
        if not self.width:
            self._client.close()
            raise InputError(f"it has no workers, expected some: dask worker {address}", source=address)
        self._executor = self._client.get_executor()
        self._next_look = monotonic() + _LOOK_EACH
        self._deserted = False

    def submit(self, work: Callable[[], Chunk]) -> Future[Chunk]:
        """Hands a chunk to the workers."""
        future: Future[Chunk] = self._executor.submit(work)
        return future

    def check(self) -> None:
        """Looks from time to time whether there are workers.

        Raises:
            SgtMajorError: If there were none twice in a row: one that has died may come back meanwhile.
        """
        if monotonic() < self._next_look:
            return
        self._next_look = monotonic() + _LOOK_EACH
        try:
            workers = self._client.nthreads()
        except (OSError, RuntimeError) as error:
            raise SgtMajorError(f"the cluster does not answer any more: {_reason(error)}") from None
        if not workers and self._deserted:
            raise SgtMajorError("the cluster has no workers any more; start some, and go on with --resume")
        self._deserted = not workers

    def result(self, future: Future[Chunk]) -> Chunk:
        """Returns what a chunk has become.

        Raises:
            InputError: If a worker has another version.
            SgtMajorError: If a worker cannot load the package.
            LostWorkError: If it was lost.
        """
        try:
            return super().result(future)
        except SgtMajorError:
            raise
        except ImportError as error:
            raise SgtMajorError(
                f"a worker cannot load sgtmajor ({_reason(error)}); install the same version there"
            ) from None
        except (Exception, CancelledError) as error:
            raise LostWorkError(f"the cluster has lost a part of the work: {_reason(error)}") from None

    def stop(self, running: Sequence[Future[Chunk]]) -> None:
        """Withdraws what is running; the pool is of no use then."""
        for future in running:
            future.cancel()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with suppress(OSError, RuntimeError):
            self._executor.shutdown(wait=False)
            self._client.close()


def _reason(error: BaseException) -> str:
    return f"{type(error).__name__} {error}".strip()
