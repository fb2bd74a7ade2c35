"""The proofs of the search: what it claims is true of every position that the table takes it for."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import oracle
import pytest

from sgtmajor.record import Record
from sgtmajor.values import Solver

TESTS = Path(__file__).resolve().parent
needs_a_compiler = pytest.mark.skipif(not shutil.which("cc"), reason="needs a C compiler")


def check(*arguments: str) -> str:
    """Runs the check of proofs and returns what it printed."""
    command = [str(TESTS / "check_proofs.sh"), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@needs_a_compiler
@pytest.mark.parametrize(("count", "largest"), [(120_000, 6), (6_000, 9)])
def test_no_bound_claims_what_the_search_without_bounds_refutes(count: int, largest: int) -> None:
    printed = check("bounds", str(count), str(largest), "11")
    assert printed.endswith("\n0 failed\n")
    assert " 0 claims" not in printed


@needs_a_compiler
@pytest.mark.parametrize(("count", "largest"), [(150_000, 4), (15_000, 5)])
def test_what_the_search_stores_holds_for_every_position_of_the_pattern(count: int, largest: int) -> None:
    claims, rest = check("claims", str(count), str(largest), "11").split(" ", 1)
    assert rest == "claims, 0 failed\n"
    assert int(claims) > count


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
