"""Progress bars on stderr, where that is a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING, NoReturn

from sgtmajor.cli.main import complain

if TYPE_CHECKING:
    from tqdm import tqdm

    from sgtmajor.cards import Trump
    from sgtmajor.engine import Listing
    from sgtmajor.race import Stage
    from sgtmajor.trump import Progress

_WATCH_SECONDS = 0.2


@contextmanager
def progress_bar(contracts: int) -> Iterator[Callable[[Progress], None] | None]:
    """Shows how many choices are decided over all contracts.

    Args:
        contracts: How many contracts there are.

    Yields:
        What the searching threads call after each choice; None if nobody would see it.
    """
    lock = Lock()
    done: dict[Trump, Progress] = {}
    with _bar(" choices") as bar:
        if bar is None:
            yield None
            return

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
    with _bar(" samples") as bar:
        if bar is None:
            yield None
            return

        def update(stage: Stage) -> None:
            bar.total = stage.total
            bar.set_postfix_str(f"{stage.candidates} candidates", refresh=False)
            # What was dropped may be taken up again from an earlier sample.
            bar.update(max(0, stage.samples - bar.n))

        yield update


@contextmanager
def ways_bar() -> Iterator[Callable[[int, int], None] | None]:
    """Shows how many ways to give are decided.

    Yields:
        What the searching threads call with the ways decided and all ways; None if nobody would see it.
    """
    lock = Lock()
    with _bar(" ways to give") as bar:
        if bar is None:
            yield None
            return

        def update(done: int, total: int) -> None:
            with lock:
                bar.total = total
                bar.update(done - bar.n)

        yield update


def on_terminal() -> bool:
    """Whether what is printed goes to a terminal."""
    return bool(sys.stdout and sys.stdout.isatty())


class Watch:
    """What a batch tells the user while it runs.

    Args:
        bar: The bar, None if nobody would see it.
    """

    def __init__(self, bar: tqdm[NoReturn] | None) -> None:
        self._bar = bar

    def advance(self) -> None:
        """Counts one more record."""
        if self._bar is not None:
            self._bar.update()

    def complain(self, message: str) -> None:
        """Prints a message as one line on stderr, above the bar."""
        if self._bar is None:
            complain(message)
            return
        with self._bar.external_write_mode(file=sys.stderr):
            complain(message)


@contextmanager
def record_bar(count: Callable[[], int | None], done: int = 0, *, alone: bool = True) -> Iterator[Watch]:
    """Shows how many records are done, how many a second, and the time that is left.

    Args:
        count: Says how many there are, None if that is not known; only asked if somebody sees it.
        done: How many an earlier run has done.
        alone: Whether nothing else is printed meanwhile; there is no bar otherwise.
    """
    if not alone:
        yield Watch(None)
        return
    with _bar(" records") as bar:
        if bar is not None:
            bar.total = count()
            bar.initial = bar.n = done
            bar.refresh()
        yield Watch(bar)


@contextmanager
def listing_bar(listing: Callable[[], Listing]) -> Iterator[None]:
    """Shows how many positions of an equilibrium are listed, and then how many of them are valued.

    Args:
        listing: Returns how far it is, from any thread.
    """
    done = Event()

    def watch(bar: tqdm[NoReturn]) -> None:
        while not done.wait(_WATCH_SECONDS):
            now = listing()
            if now.listed:
                bar.set_postfix_str(f"{now.listed:,} listed", refresh=False)
                bar.total = now.listed if now.valued else None
                bar.update(now.valued - bar.n)

    with _bar(" positions") as bar:
        if bar is None:
            yield
            return
        watcher = Thread(target=watch, args=(bar,), daemon=True)
        watcher.start()
        try:
            yield
        finally:
            done.set()
            watcher.join()


@contextmanager
def cards_bar() -> Iterator[Callable[[int, int], None] | None]:
    """Shows how many cards of a play are reviewed.

    Yields:
        What the searching thread calls with the cards reviewed and all cards; None if nobody would see it.
    """
    with _bar(" cards") as bar:
        if bar is None:
            yield None
            return

        def update(done: int, total: int) -> None:
            bar.total = total
            bar.update(done - bar.n)

        yield update


@contextmanager
def _bar(unit: str) -> Iterator[tqdm[NoReturn] | None]:
    """Shows a bar; yields None if nobody would see it."""
    if not (sys.stderr and sys.stderr.isatty()):
        yield None
        return
    from tqdm import tqdm

    with tqdm(unit=unit, leave=False, file=sys.stderr, dynamic_ncols=True) as bar:
        yield bar
