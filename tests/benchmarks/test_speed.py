"""How fast the answers are. Not run with the tests: ``make bench``, which prints a table at the end.

Machines are noisy, so what counts is a ratio: a peer in the same process, in turns, on the time of the
processor, with one thread and cold tables, on the same deals or on deals of the same size. The peer is the
bridge solver DDS; for the equilibrium, which no other program knows, a plain enumeration (tests/c).
"""

from __future__ import annotations

import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import oracle
import pytest
from report import Series, Table
from stored import random_deal, stored, to_package

from sgtmajor.batch import solve_many
from sgtmajor.cards import Card, Seat, Trump
from sgtmajor.deal import Deal, Position
from sgtmajor.dealing import Setting, Wanted, random_records
from sgtmajor.engine import Engine, Enumeration
from sgtmajor.mistakes import review
from sgtmajor.record import Record
from sgtmajor.rules import PRESETS
from sgtmajor.trump import analyze
from sgtmajor.values import best_line, seat_values
from sgtmajor.workers import run_tasks
from sgtmajor.yardstick import YARDSTICKS

DEALS = 100
PLAIN = Path(__file__).parent.parent / "c" / "plain_equilibrium.c"
SUIT_TRUMPS = PRESETS["classic"].contracts


@pytest.fixture
def engine() -> Iterator[Engine]:
    with Engine() as engine:
        yield engine


def processor_time(work: Callable[[], object]) -> float:
    started = time.process_time()
    work()
    return time.process_time() - started


def seconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def mean_ratio(ours: Series, theirs: Series) -> float:
    return statistics.fmean(ours.times) / statistics.fmean(theirs.times)


def whole_deals(seed: int, count: int) -> list[Deal]:
    rng = Random(seed)
    return [random_deal(rng, 16, 4) for _ in range(count)]


def cold(engine: Engine, series: Series, work: Callable[[], object]) -> None:
    """Times work on an engine that has forgotten all."""
    engine.clear()
    series.times.append(processor_time(work))
    series.nodes = (series.nodes or 0) + engine.stats().plays


def time_twelve_values(engine: Engine, series: Series, deal: Deal) -> None:
    """Times the four trumps together, each from a cold table."""
    for trump in SUIT_TRUMPS:
        position = Position(deal.hands, trump, Seat.D)
        cold(engine, series, lambda: seat_values(engine, position))  # noqa: B023
    series.times[-4:] = [sum(series.times[-4:])]


def random_three_suits(rng: Random) -> oracle.Position:
    """Returns thirteen cards for each seat from three suits: a deal that bridge can play as it is."""
    absent = rng.randrange(4)
    deck = [card for card in range(52) if card // 13 != absent]
    rng.shuffle(deck)
    hands = tuple(tuple(sorted(deck[13 * seat : 13 * seat + 13])) for seat in range(3))
    trump = rng.choice([suit for suit in range(5) if suit != absent])
    return oracle.Position(hands, trump, rng.randrange(3), ())


@pytest.mark.parametrize("kind", ["stored", "random"])
def test_three_suit_deals_against_the_bridge_solver(
    benchmark: Any, engine: Engine, table: Table, kind: str
) -> None:
    dds = pytest.importorskip("dds")
    if kind == "stored":
        positions = [oracle.read_position(line.record) for line in stored("three_suits.jsonl")]
    else:
        rng = Random(35)
        positions = [random_three_suits(rng) for _ in range(200)]
    ours = Series(f"{len(positions)} three-suit deals ({kind}), one seat: sgtmajor", nodes=0)
    theirs = Series("the same: DDS")
    bridge = [dds.bridge_deal(*position, 0) for position in positions]
    dds.solve(bridge[-1])

    def run() -> None:
        for position, deal in zip(positions, bridge, strict=True):
            mine = to_package(position)
            found: list[int] = []
            cold(engine, ours, lambda: found.append(engine.bounds(mine, Seat.D).lower))  # noqa: B023
            theirs.times.append(processor_time(lambda: found.append(dds.solve(deal))))  # noqa: B023
            assert found[0] == found[1]

    benchmark.pedantic(run, rounds=1)
    table.add(ours, theirs)
    table.ratio(f"three-suit deals ({kind}), mean", mean_ratio(ours, theirs), "at most 0.5, aim 0.3")
    table.ratio(f"three-suit deals ({kind}), p95", ours.percentile(95) / theirs.percentile(95), "at most 1")
    table.ratio(f"three-suit deals ({kind}), max", max(ours.times) / max(theirs.times), "at most 1")


def random_bridge_deal(rng: Random) -> Any:
    from endplay.types import Deal as BridgeDeal

    deck = list(range(52))
    rng.shuffle(deck)
    hands = (oracle.write_hand(tuple(sorted(deck[13 * seat : 13 * seat + 13]))) for seat in range(4))
    return BridgeDeal("N:" + " ".join(hands))


def test_twelve_values_of_a_whole_deal_against_twenty_of_a_bridge_deal(
    benchmark: Any, engine: Engine, table: Table
) -> None:
    pytest.importorskip("endplay")
    from endplay import _dds
    from endplay.dds import calc_dd_table

    _dds.SetMaxThreads(1)
    rng = Random(36)
    bridge = [random_bridge_deal(rng) for _ in range(DEALS)]
    calc_dd_table(random_bridge_deal(rng))
    ours = Series(f"12 values of {DEALS} whole deals: sgtmajor", nodes=0)
    theirs = Series(f"20-cell tables of {DEALS} bridge deals: DDS")

    def run() -> None:
        for deal, other in zip(whole_deals(37, DEALS), bridge, strict=True):
            time_twelve_values(engine, ours, deal)
            theirs.times.append(processor_time(lambda: calc_dd_table(other)))  # noqa: B023

    benchmark.pedantic(run, rounds=1)
    table.add(ours, theirs)
    table.ratio("12 values against 20 cells, mean", mean_ratio(ours, theirs), "at most 1")
    table.ratio("12 values against 20 cells, median", ours.percentile(50) / theirs.percentile(50), "")
    tail = ours.percentile(99) / statistics.fmean(ours.times)
    table.ratio("12 values: p99 against their mean", tail, "at most 10")


def hard_hands(rng: Random) -> Deal:
    """Returns sixteen cards each, every seat void in a suit, no two cards of a hand next to each other.

    Three suits are shared by two seats each, six cards and six; the fourth by all three, four cards each.
    """
    suits = rng.sample(range(4), 4)
    hands: list[list[int]] = [[], [], []]
    for suit, seats in zip(suits, [(0, 1), (1, 2), (2, 0), (0, 1, 2)], strict=True):
        order = rng.sample(seats, len(seats)) * (12 // len(seats))
        for rank, seat in enumerate(order, start=1):
            hands[seat].append(13 * suit + rank)
    return Deal.parse(oracle.write_deal(tuple(tuple(sorted(hand)) for hand in hands)))


def test_hard_deals_with_voids_and_no_two_cards_touching(
    benchmark: Any, engine: Engine, table: Table
) -> None:
    rng = Random(38)
    whole = Series("1 value of a whole deal", nodes=0)
    hard = Series("1 value of a hard deal", nodes=0)

    def run() -> None:
        for deals, series in ((whole_deals(37, 20), whole), ([hard_hands(rng) for _ in range(5)], hard)):
            for deal in deals:
                for trump in SUIT_TRUMPS:
                    position = Position(deal.hands, trump, Seat.D)
                    for seat in Seat:
                        cold(engine, series, lambda: engine.bounds(position, seat))  # noqa: B023

    benchmark.pedantic(run, rounds=1)
    table.add(whole, hard)
    worst = max(hard.times) / statistics.fmean(whole.times)
    table.ratio("hard deals: the hardest value against the mean of whole deals", worst, "at most 100")


@pytest.mark.parametrize(("preset", "target"), [("classic", 60), ("pickup", 100)])
def test_analyzing_against_twelve_values(
    benchmark: Any, engine: Engine, table: Table, preset: str, target: int
) -> None:
    values = Series("12 values", nodes=0)
    analyses = {by: Series(f"analyze, {preset}, by {by}", nodes=0) for by in YARDSTICKS}

    def run() -> None:
        for deal in whole_deals(39, 3):
            time_twelve_values(engine, values, deal)
            for by, series in analyses.items():
                started = time.process_time()
                analysis = analyze(deal, by=by, rules=preset, jobs=1)
                series.times.append(time.process_time() - started)
                series.nodes = (series.nodes or 0) + analysis.nodes

    benchmark.pedantic(run, rounds=1)
    table.add(values, *analyses.values())
    for by, series in analyses.items():
        name = f"analyze, {preset}, by {by}, against 12 values"
        table.ratio(name, mean_ratio(series, values), f"at most {target}, aim 20")


def twelve_values(deal: Deal, engine: Engine) -> None:
    time_twelve_values(engine, Series("12 values"), deal)


@pytest.mark.parametrize("kind", ["at random", "by a best line"])
def test_reviewing_a_whole_play_against_solving_its_deal(
    benchmark: Any, engine: Engine, table: Table, kind: str
) -> None:
    rng = Random(41)
    solving = Series("3 values of a whole deal", nodes=0)
    reviewing = Series(f"review of its 48 cards, played {kind}", nodes=0)

    def run() -> None:
        for place, deal in enumerate(whole_deals(41, 10)):
            record = Record(deal, SUIT_TRUMPS[place % len(SUIT_TRUMPS)])
            position = record.position
            play = best_line(engine, position) if kind == "by a best line" else random_play(rng, position)
            cold(engine, solving, lambda: seat_values(engine, position))  # noqa: B023
            started = time.process_time()
            found = review(replace(record, play=play))
            reviewing.times.append(time.process_time() - started)
            reviewing.nodes = (reviewing.nodes or 0) + found.nodes

    benchmark.pedantic(run, rounds=1)
    table.add(solving, reviewing)
    name = f"review of a play {kind}, against the 3 values of the deal"
    table.ratio(f"{name}, mean", mean_ratio(reviewing, solving), "at most 5")
    worst = max(a / b for a, b in zip(reviewing.times, solving.times, strict=True))
    table.ratio(f"{name}, worst", worst, "at most 5")


def random_play(rng: Random, position: Position) -> tuple[Card, ...]:
    play = []
    while position.tricks:
        play.append(rng.choice(list(position.legal())))
        position = position.after(play[-1])
    return tuple(play)


def test_two_threads_against_one(benchmark: Any, table: Table) -> None:
    tasks = [partial(twelve_values, deal) for deal in whole_deals(40, 48)]
    times: dict[int, list[float]] = {1: [], 2: []}

    def run() -> None:
        for jobs in (1, 2, 1, 2):
            times[jobs].append(seconds(lambda: run_tasks(tasks, jobs=jobs)))  # noqa: B023

    benchmark.pedantic(run, rounds=1)
    table.ratio(
        "one thread against two, 48 deals (wall clock)", min(times[1]) / min(times[2]), "at least 1.8"
    )


@pytest.mark.parametrize(
    ("what", "size", "count", "task", "target"),
    [
        ("whole deals, each trump", 16, 48, "trumps", "at least 1.8"),
        ("five-card endings", 5, 4000, "solve", "none: Python reads and writes longer than they take"),
    ],
)
def test_a_batch_of_two_jobs_against_one(
    benchmark: Any, table: Table, what: str, size: int, count: int, task: str, target: str
) -> None:
    wanted, setting = Wanted(size), Setting(trump="any")
    records = [str(record) for record in islice(random_records(wanted, 41, setting), count)]
    times: dict[int, list[float]] = {1: [], 2: []}

    def run() -> None:
        for jobs in (1, 2, 1, 2):
            times[jobs].append(seconds(lambda: list(solve_many(records, task=task, jobs=jobs))))  # noqa: B023

    benchmark.pedantic(run, rounds=1)
    table.ratio(
        f"batch: one job against two, {count} {what} (wall clock)", min(times[1]) / min(times[2]), target
    )


def test_a_table_of_16_mib_against_the_default(benchmark: Any, table: Table) -> None:
    times = {16: Series("12 values, 16 MiB", nodes=0), 256: Series("12 values, 256 MiB", nodes=0)}

    def run() -> None:
        for deal in whole_deals(37, 20):
            for memory_mb, series in times.items():
                with Engine(memory_mb) as engine:
                    time_twelve_values(engine, series, deal)

    benchmark.pedantic(run, rounds=1)
    table.add(*times.values())
    table.ratio("a table of 16 MiB against 256 MiB", mean_ratio(times[16], times[256]), "at most 2")


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Position], tuple[float, list[float]]]:
    """Compiles the plain enumeration; returns what runs it: processor seconds and the three values."""
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler")
    program = tmp_path_factory.mktemp("plain") / "plain_equilibrium"
    subprocess.run([compiler, "-std=c11", "-O3", PLAIN, "-o", program], check=True)

    def run(position: Position) -> tuple[float, list[float]]:
        hands = " ".join(f"{hand.mask:x}" for hand in position.hands.values())
        line = f"{hands} {position.trump.index} {position.leader.index}\n"
        done = subprocess.run([program], input=line, capture_output=True, text=True, check=True)
        seconds, _, *values = map(float, done.stdout.split())
        return seconds, values

    return run


@pytest.mark.parametrize("cards", [12, 13])
def test_the_equilibrium_against_a_plain_enumeration(
    benchmark: Any, table: Table, plain: Callable[[Position], tuple[float, list[float]]], cards: int
) -> None:
    rng = Random(41)
    ours = Series(f"equilibrium of 10 {cards}-card deals, one thread: sgtmajor", nodes=0)
    theirs = Series("the same: plain enumeration")

    def run() -> None:
        for _ in range(10):
            position = Position(random_deal(rng, cards, 0).hands, Trump.S, Seat.D)
            with Enumeration(2048) as enumeration:
                ours.times.append(
                    processor_time(lambda: enumeration.enumerate(position, 1, "neutral", Seat.D))  # noqa: B023
                )
                ours.nodes = (ours.nodes or 0) + enumeration.progress().lookups
                found = enumeration.values(position)
            seconds_taken, values = plain(position)
            theirs.times.append(seconds_taken)
            assert found
            assert list(found.values()) == pytest.approx(values, abs=1e-6)

    benchmark.pedantic(run, rounds=1)
    table.add(ours, theirs)
    table.ratio(
        f"plain enumeration against equilibrium, {cards} cards, mean",
        mean_ratio(theirs, ours),
        "at least 3, aim 5",
    )


def test_the_equilibrium_of_whole_deals(benchmark: Any, table: Table) -> None:
    series = Series("equilibrium of 10 whole deals, two threads (wall clock)", nodes=0)
    peaks: list[float] = []

    def run() -> None:
        for deal in whole_deals(42, 10):
            position = Position(deal.hands, Trump.S, Seat.D)
            # More than the target: the hardest deals are to be measured, too, not refused.
            with Enumeration(8192) as enumeration:
                series.times.append(
                    seconds(lambda: enumeration.enumerate(position, 2, "neutral", Seat.D))  # noqa: B023
                )
                series.nodes = (series.nodes or 0) + enumeration.progress().lookups
                peaks.append(enumeration.progress().peak / 2**30)

    benchmark.pedantic(run, rounds=1)
    table.add(series)
    table.ratio("equilibrium of a whole deal, median, seconds", series.percentile(50), "at most 20, aim 8")
    table.ratio("equilibrium of a whole deal, median memory, GiB", statistics.median(peaks), "at most 2")
    table.ratio("equilibrium of a whole deal, most memory, GiB", max(peaks), "none")


@pytest.mark.parametrize(
    ("name", "arguments", "target"),
    [
        ("--version", ["--version"], 0.15),
        ("a five-card ending", ["solve", "D:AK.QJ.A. 98.T9.2. QJ.K.KQ. trump=S lead=D"], 0.2),
    ],
)
def test_starting_up(
    benchmark: Any, table: Table, name: str, arguments: Sequence[str], target: float
) -> None:
    series = Series(f"process: sgtmajor {name}")
    command = [sys.executable, "-m", "sgtmajor", *arguments]

    def run() -> None:
        series.times.append(seconds(lambda: subprocess.run(command, check=True, capture_output=True)))

    benchmark.pedantic(run, rounds=20)
    table.add(series)
    table.ratio(f"process: {name}, median, seconds", statistics.median(series.times), f"at most {target}")


@pytest.mark.parametrize("memory_mb", [1, 256])
def test_making_and_closing_an_engine(benchmark: Any, memory_mb: int) -> None:
    benchmark(lambda: Engine(memory_mb).close())
