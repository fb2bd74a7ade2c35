"""The bounds of the search: they decide nothing that the search without them decides otherwise."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parent


@pytest.mark.skipif(not shutil.which("cc"), reason="needs a C compiler")
@pytest.mark.parametrize(("count", "largest"), [(30_000, 6), (2_000, 9)])
def test_the_search_finds_the_same_without_its_bounds(count: int, largest: int) -> None:
    command = [str(TESTS / "bounds_off.sh"), str(count), str(largest), "11"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "the same" in done.stdout
