"""The bounds of the search: their claims are true of every position that the table takes them for."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import oracle
import pytest

from sgtmajor.record import Record
from sgtmajor.values import Solver

TESTS = Path(__file__).resolve().parent


@pytest.mark.skipif(not shutil.which("cc"), reason="needs a C compiler")
@pytest.mark.parametrize(("count", "largest"), [(120_000, 6), (6_000, 9)])
def test_no_bound_claims_what_the_search_without_bounds_refutes(count: int, largest: int) -> None:
    command = [str(TESTS / "check_bounds.sh"), str(count), str(largest), "11"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.endswith("\n0 failed\n")
    assert " 0 claims" not in done.stdout


@pytest.mark.parametrize(
    "record",
    [
        # Each refutes a bound that looked right.
        "D:A32.A2.. .KQJ.2.2 KQJT..3. trump=C lead=R",
        "D:AK87... 6432... QJ95... trump=S lead=R",
        "D:K32... 9.A.K. A84... trump=S lead=L",
    ],
)
def test_deals_that_refute_a_tempting_bound_are_solved_right(record: str) -> None:
    with Solver(1) as solver:
        values = solver.solve(Record.parse(record).position)
    assert values.guaranteed.values() == oracle.guarantees(*oracle.read_position(record))
