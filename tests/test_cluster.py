"""A batch on a Dask cluster: the same bytes as on this machine, even if a worker dies."""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest
from stored import random_deal

from sgtmajor import cluster
from sgtmajor.batch import Chunk, LostWorkError, answer_chunk, run_batch, solve_many
from sgtmajor.errors import InputError, SgtMajorError
from sgtmajor.tasks import Item, Job

distributed = pytest.importorskip("distributed")

pytestmark = [
    pytest.mark.filterwarnings("ignore"),
    pytest.mark.skipif(os.name != "posix", reason="kills a worker as POSIX has it"),
]


@pytest.fixture(scope="module")
def workers() -> Iterator[Any]:
    """Two workers in processes of their own, which come back when they die."""
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, worker_dashboard_address=None
    ) as found:
        yield found


def records(count: int, size: int = 7) -> list[str]:
    rng = Random(count)
    lines = [f"{random_deal(rng, size, 0)} trump={rng.choice('SHDCN')}" for _ in range(count)]
    lines[count // 2] = "nonsense"
    return lines


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "sgtmajor", "batch", *arguments], capture_output=True, text=True, timeout=60
    )


def test_a_cluster_gives_the_same_bytes_although_a_worker_is_killed(workers: Any, tmp_path: Path) -> None:
    path, out = tmp_path / "deals.txt", tmp_path / "there.jsonl"
    path.write_text("\n".join(records(600)) + "\n")
    local = run(str(path))
    victim = next(iter(workers.workers.values())).pid
    arguments = ["batch", str(path), "--scheduler", workers.scheduler_address, "-o", str(out)]
    with subprocess.Popen(
        [sys.executable, "-m", "sgtmajor", *arguments], stderr=subprocess.PIPE, text=True
    ) as process:
        while process.poll() is None and not (out.exists() and out.stat().st_size):
            time.sleep(0.01)
        os.kill(victim, signal.SIGKILL)
        assert process.poll() is None, "the worker was killed after the end"
        stderr = process.communicate(timeout=60)[1]
    assert stderr == local.stderr
    assert out.read_text() == local.stdout
    assert process.returncode == local.returncode == 1


def test_work_that_was_lost_is_done_again_and_not_only_its_error_told_again(
    workers: Any, tmp_path: Path
) -> None:
    tried = tmp_path / "tried"

    def fail_once() -> Chunk:
        with tried.open("a") as file:
            file.write("x")
        if tried.read_text() == "x":
            raise OSError("lost")
        return Chunk((), 0.0)

    with cluster.ClusterPool(workers.scheduler_address) as pool:
        first = pool.submit(fail_once)
        with pytest.raises(LostWorkError):
            pool.result(first)
        assert pool.result(pool.submit(fail_once)) == Chunk((), 0.0)
    assert tried.read_text() == "xx"


def test_python_can_ask_a_cluster(workers: Any) -> None:
    lines = records(20, size=3)
    there = [each.to_dict() for each in solve_many(lines, scheduler=workers.scheduler_address)]
    assert there == [each.to_dict() for each in solve_many(lines)]


def test_a_worker_of_another_version_is_refused(workers: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sgtmajor.batch.package_version", lambda: "0.0.1")
    items = [Item(1, "D:A... K... Q... trump=N", "D:A... K... Q... trump=N")]
    with (
        cluster.ClusterPool(workers.scheduler_address) as pool,
        pytest.raises(InputError, match=r"a worker has sgtmajor .*, expected 0\.0\.1 as here"),
    ):
        list(run_batch(items, Job(), pool))


def test_what_a_worker_cannot_load_is_told_in_one_line(workers: Any) -> None:
    with cluster.ClusterPool(workers.scheduler_address) as pool:
        future = pool.submit(partial(answer_chunk, None, [None], None))  # type: ignore[arg-type]
        with pytest.raises(SgtMajorError) as caught:
            pool.result(future)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("address", ["nonsense", "foo://bar:1"])
def test_an_address_without_a_scheduler_is_refused(address: str, tmp_path: Path) -> None:
    path = tmp_path / "deals.txt"
    path.write_text("D:A... K... Q... trump=N\n")
    done = run(str(path), "--scheduler", address)
    assert done.returncode == 2
    assert done.stderr.startswith(f"{address}: no scheduler answers: ")
    assert done.stderr.count("\n") == 1


def test_a_cluster_without_workers_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "_SECONDS_FOR_WORKERS", 0.1)
    with (
        distributed.LocalCluster(n_workers=0, dashboard_address=None) as empty,
        pytest.raises(InputError, match="it has no workers"),
    ):
        cluster.ClusterPool(empty.scheduler_address)


def test_a_cluster_that_all_workers_have_left_is_not_waited_for_for_ever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(cluster, "_LOOK_EACH", 0.1)
    with (
        distributed.LocalCluster(n_workers=1, dashboard_address=None) as found,
        cluster.ClusterPool(found.scheduler_address) as pool,
    ):
        monkeypatch.setattr(cluster, "_SECONDS_FOR_WORKERS", 0.2)
        found.scale(0)
        with pytest.raises(SgtMajorError, match="no workers any more"):
            check_for_ever(pool)


def check_for_ever(pool: cluster.ClusterPool) -> None:
    while True:
        time.sleep(0.05)
        pool.check()


def test_the_cluster_of_the_readme_works(tmp_path: Path) -> None:
    text = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```sh\n(.*?)\n```", text, flags=re.DOTALL)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    python = shlex.quote(sys.executable)
    script = (
        block.replace("8786", port)
        .replace("deal 1000 --seed 1", "deal 10 --seed 1 --cards 4")
        .replace("dask scheduler", f"{python} -m distributed.cli.dask_scheduler --no-dashboard")
        .replace("dask worker", f"{python} -m distributed.cli.dask_worker --no-dashboard")
        .replace("sgtmajor ", f"{python} -m sgtmajor ")
    )
    with subprocess.Popen(
        ["sh", "-c", f"{script}\nkill 0"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            stdout = process.communicate(timeout=90)[0]
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
    assert stdout.startswith("10 answers, all cards open\n")
