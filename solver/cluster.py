"""The workers of a Dask cluster, behind the same interface as the threads of this machine.

Dask gives a chunk to another worker when the one that had it dies.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from concurrent.futures import CancelledError, Future
from contextlib import suppress
from types import TracebackType

from sgtmajor.batch import Chunk, Pool
from sgtmajor.errors import InputError, SgtMajorError

_SECONDS_TO_CONNECT = 10


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
        self.executor = self._client.get_executor()

    def result(self, future: Future[Chunk]) -> Chunk:
        """Returns what a chunk has become.

        Raises:
            InputError: If a worker has another version.
            SgtMajorError: If the cluster could not work on it.
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
            raise SgtMajorError(f"the cluster has lost a part of the work: {_reason(error)}") from None

    def stop(self, running: Sequence[Future[Chunk]]) -> None:
        """Withdraws what is running; the pool is of no use then."""
        for future in running:
            future.cancel()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with suppress(OSError, RuntimeError):
            self.executor.shutdown(wait=False)
            self._client.close()


def _reason(error: BaseException) -> str:
    return f"{type(error).__name__} {error}".strip()
