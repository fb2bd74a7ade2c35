"""Prints the table of what the benchmarks measured at the end of a run."""

from __future__ import annotations

from pathlib import Path

import pytest
from report import Table, write_between_marks

TABLE = pytest.StashKey[Table]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--write-table", metavar="FILE", help="Put the table of the benchmarks into FILE, too.")


def pytest_configure(config: pytest.Config) -> None:
    config.stash[TABLE] = Table()


@pytest.fixture
def table(request: pytest.FixtureRequest) -> Table:
    """The table of the run."""
    return request.config.stash[TABLE]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    table = config.stash[TABLE]
    if not table.series:
        return
    text = table.markdown()
    terminalreporter.section("sgtmajor and its peers")
    terminalreporter.write_line(text)
    path = config.getoption("--write-table")
    if path:
        write_between_marks(Path(path), text)
