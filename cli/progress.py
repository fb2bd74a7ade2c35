"""The progress bars of an analysis and of an advice, on stderr, where that is a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock

from sgtmajor.cards import Trump
from sgtmajor.race import Stage
from sgtmajor.trump import Progress


@contextmanager
def progress_bar(contracts: int) -> Iterator[Callable[[Progress], None] | None]:
    """Shows how many choices are decided over all contracts.

    Args:
        contracts: How many contracts there are.

    Yields:
        What the searching threads call after each choice; None if nobody would see it.
    """
    if not (sys.stderr and sys.stderr.isatty()):
        yield None
        return
    from tqdm import tqdm

    lock = Lock()
    done: dict[Trump, Progress] = {}
    with tqdm(unit=" choices", leave=False, file=sys.stderr, dynamic_ncols=True) as bar:

        def update(progress: Progress) -> None:
            with lock:
                done[progress.trump] = progress
                # A contract that has not begun is taken to have as many choices as the others.
                bar.total = sum(each.total for each in done.values()) * contracts // len(done)
                bar.update(sum(each.done for each in done.values()) - bar.n)

        yield update


@contextmanager
def sample_bar() -> Iterator[Callable[[Stage], None] | None]:
    """Shows how many samples are solved, and how many candidates are still in the race.

    Yields:
        What the race calls after each round; None if nobody would see it.
    """
    if not (sys.stderr and sys.stderr.isatty()):
        yield None
        return
    from tqdm import tqdm

    with tqdm(unit=" samples", leave=False, file=sys.stderr, dynamic_ncols=True) as bar:

        def update(stage: Stage) -> None:
            bar.total = stage.total
            bar.set_postfix_str(f"{stage.candidates} candidates", refresh=False)
            bar.update(stage.samples - bar.n)

        yield update
