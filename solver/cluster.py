"""The workers of a Dask cluster, behind the same interface as the threads of this machine.

Dask gives a chunk to another worker when the one that had it dies.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError, Future
from contextlib import suppress
from time import monotonic, sleep
from types import TracebackType

from sgtmajor.batch import Chunk, LostWorkError, Pool
from sgtmajor.errors import InputError, SgtMajorError

_SECONDS_TO_CONNECT = 10
# Workers that are started together with the batch need some time to load.
_SECONDS_FOR_WORKERS = 20
_LOOK_EACH = 2
_WAIT_SLICE = 0.1


class ClusterPool(Pool):
    """The workers of a cluster that is running.

    Args:
        address: Of its scheduler, such as ``tcp://host:8786``.

    Raises:
        InputError: If dask.distributed is not installed, no scheduler answers, or no worker comes.
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
        # A pure function is not called again: a chunk sent anew would only meet the error that is stored.
        self._executor = self._client.get_executor(pure=False)
        try:
            self.width = self._first_workers(address)
        except BaseException:
            self._close()
            raise
        self._seen = monotonic()
        self._next_look = self._seen + _LOOK_EACH

    def _first_workers(self, address: str) -> int:
        """Waits for the first workers; returns how many threads they have."""
        end = monotonic() + _SECONDS_FOR_WORKERS
        while not (workers := self._client.nthreads()):
            if monotonic() > end:
                raise InputError(f"it has no workers, expected some: dask worker {address}", source=address)
            sleep(_WAIT_SLICE)
        return sum(map(int, workers.values()))

    def submit(self, work: Callable[[], Chunk]) -> Future[Chunk]:
        """Hands a chunk to the workers."""
        future: Future[Chunk] = self._executor.submit(work)
        return future

    def check(self) -> None:
        """Looks from time to time how many workers there are.

        Raises:
            SgtMajorError: If there have been none for long: one that has died may come back meanwhile.
        """
        now = monotonic()
        if now < self._next_look:
            return
        self._next_look = now + _LOOK_EACH
        try:
            workers = self._client.nthreads()
        except (OSError, RuntimeError) as error:
            raise SgtMajorError(f"the cluster does not answer any more: {_reason(error)}") from None
        if workers:
            self.width, self._seen = sum(workers.values()), now
        elif now - self._seen > _SECONDS_FOR_WORKERS:
            raise SgtMajorError("the cluster has no workers any more; start some, and go on with --resume")

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
        self._close()

    def _close(self) -> None:
        with suppress(OSError, RuntimeError):
            self._executor.shutdown(wait=False)
            self._client.close()


def _reason(error: BaseException) -> str:
    return f"{type(error).__name__} {error}".strip()
