"""The border to the C core, from both sides: C trusts nobody, and the engine says what went wrong."""

from __future__ import annotations

import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import astuple
from random import Random
from typing import Any

import pytest
from stored import random_position, stored

from sgtmajor._core import ffi, lib
from sgtmajor.cards import BySeat, Card, Hand, Seat, Trump
from sgtmajor.deal import Position
from sgtmajor.engine import MAX_TRICKS, Bounds, Engine
from sgtmajor.errors import InputError, SearchStopped, SgtMajorError, SolverMemoryError

MIB = 1 << 20
SMALL = stored("guaranteed_small.jsonl")
FULL = stored("guaranteed_full.jsonl")
# Whole deals that take a second or more.
HARD = [FULL[place] for place in (19, 20, 23)]
ERRORS = [
    *("SGM_ERR_NULL", "SGM_ERR_MEMORY", "SGM_ERR_BUDGET", "SGM_ERR_SEAT", "SGM_ERR_TRUMP", "SGM_ERR_CARD"),
    *("SGM_ERR_DUPLICATE", "SGM_ERR_SIZE", "SGM_ERR_TRICK", "SGM_ERR_WINDOW", "SGM_ERR_FULL"),
    *("SGM_ERR_UNKNOWN", "SGM_ERR_THREADS", "SGM_ERR_TIES"),
]
NULL = ffi.NULL


@pytest.fixture
def context() -> Iterator[Any]:
    out = ffi.new("sgm_context **")
    assert lib.sgm_new(MIB, out) == lib.SGM_OK
    yield out[0]
    lib.sgm_free(out[0])


@pytest.fixture(scope="module")
def warm() -> Iterator[Engine]:
    with Engine(64) as engine:
        yield engine


def raw(
    hands: Sequence[int], trump: int = 0, leader: int = 0, trick: Sequence[int] = (), count: int = -1
) -> Any:
    """Makes a C position out of anything that fits its fields."""
    position = ffi.new("sgm_position *")
    position.hands = list(hands)
    position.trump, position.leader = trump, leader
    position.trick_count = len(trick) if count < 0 else count
    for place, number in enumerate(trick):
        position.trick[place] = number
    return position


def raw_of(position: Position) -> Any:
    return raw(
        [hand.mask for hand in position.hands.values()],
        position.trump.index,
        position.leader.index,
        [card.number for card in position.trick],
    )


def ask(
    context: Any,
    position: Any,
    seat: int = 0,
    at_least: int = 0,
    nodes: int = 0,
    window: tuple[int, int] = (0, MAX_TRICKS),
) -> tuple[int, tuple[int, int]]:
    """Asks the C core; returns its status and the bounds that come back."""
    bounds = ffi.new("sgm_bounds *", window)
    status: int = lib.sgm_guaranteed(context, position, seat, at_least, nodes, bounds)
    return status, (bounds.lower, bounds.upper)


def card(name: str) -> int:
    return 1 << Card.parse(name).number


GOOD = [card("SA"), card("SK"), card("H2")]


# What C refuses.


@pytest.mark.parametrize(
    ("position", "fault"),
    [
        *[(raw([1 << bit, *GOOD[1:]]), "CARD") for bit in range(64) if bit % 16 >= 13],
        (raw([(1 << 64) - 1] * 3), "CARD"),
        (raw([card("SA"), card("SA"), card("H2")]), "DUPLICATE"),
        (raw([card("SA"), card("SK"), card("SA")]), "DUPLICATE"),
        (raw([card("SA"), card("SK"), card("SK")]), "DUPLICATE"),
        (raw([card("SA"), card("SK"), 0]), "SIZE"),
        (raw([0, card("SK"), card("H2")]), "SIZE"),
        (raw([card("SA"), card("SK") | card("SQ"), card("H2")]), "SIZE"),
        (raw([0x1FFF, 0x1FFF << 16, 0x1FFF << 32]), "OK"),
        (raw([0x1FFF | 0x1F << 48, 0x1FFF << 16 | 0x1E0 << 48, 0x1FFF << 32 | 0x1E00 << 48]), "SIZE"),
        (raw([0x1FFF | 0x1F << 48, 0x1FFF << 16 | 0x3E0 << 48, 0x1FFF << 32 | 0x1C00 << 48]), "SIZE"),
        *[(raw(GOOD, trump=trump), "TRUMP") for trump in (-128, -1, 5, 127)],
        *[(raw(GOOD, leader=leader), "SEAT") for leader in (-128, -1, 3, 127)],
        *[(raw(GOOD, count=count), "TRICK") for count in (3, 4, 127)],
        (raw(GOOD, trick=[3]), "SIZE"),
        (raw([0, *GOOD[1:]], trick=[Card.parse("SK").number]), "DUPLICATE"),
        (raw([0, 0, card("H2")], trick=[12, 12]), "DUPLICATE"),
        (raw([card("C2"), card("S2"), card("S3") | card("S4")], trick=[12, 28]), "TRICK"),
        (raw([card("C2"), card("D2"), card("S3") | card("S4")], trick=[12, 28]), "OK"),
        (raw([0, 0, 0], trick=[12]), "SIZE"),
        (raw([0, 0, 0]), "OK"),
    ],
)
def test_a_position_that_cannot_be_is_refused_with_the_status_of_its_fault(
    context: Any, position: Any, fault: str
) -> None:
    expected = lib.SGM_OK if fault == "OK" else getattr(lib, f"SGM_ERR_{fault}")
    assert lib.sgm_check(position) == expected
    if expected != lib.SGM_OK:
        assert ask(context, position, window=(2, 5)) == (expected, (2, 5))


def test_a_trick_count_below_zero_is_refused(context: Any) -> None:
    for count in (-1, -2, -128):
        position = raw(GOOD)
        position.trick_count = count
        assert ask(context, position)[0] == lib.SGM_ERR_TRICK


def test_seventeen_cards_each_and_the_last_of_the_deck_in_the_trick_are_refused() -> None:
    full = Hand.full()
    hands = [Hand.of(list(full)[:17]), Hand.of(list(full)[17:34]), Hand.of(list(full)[34:51])]
    assert lib.sgm_check(raw([hand.mask for hand in hands])) == lib.SGM_OK
    left = next(iter(full - hands[0] - hands[1] - hands[2]))
    assert lib.sgm_check(raw([hand.mask for hand in hands], trick=[left.number])) == lib.SGM_ERR_SIZE


@pytest.mark.parametrize("place", [0, 1])
def test_a_trick_holds_cards_of_the_deck_only(context: Any, place: int) -> None:
    own, other = Card.parse("D5").number, Card.parse("D6").number
    for number in range(256):
        trick = [number] if place == 0 else [other, number]
        hands = [0, 1 << own, 1 << 60] if place == 0 else [0, 0, 1 << own]
        if number >= 64 or number % 16 >= 13:
            expected = lib.SGM_ERR_CARD
        elif any(hand >> number & 1 for hand in hands) or number in trick[:place]:
            expected = lib.SGM_ERR_DUPLICATE
        else:
            expected = lib.SGM_OK
        position = raw(hands, trick=trick)
        assert lib.sgm_check(position) == expected, number
        assert ask(context, position)[0] == expected, number


def test_missing_pointers_seats_windows_and_budgets_are_refused(context: Any) -> None:
    good = raw(GOOD)
    bounds = ffi.new("sgm_bounds *", (0, MAX_TRICKS))
    out = ffi.new("sgm_context **")
    assert lib.sgm_new(MIB, NULL) == lib.SGM_ERR_NULL
    assert lib.sgm_check(NULL) == lib.SGM_ERR_NULL
    assert lib.sgm_guaranteed(NULL, good, 0, 0, 0, bounds) == lib.SGM_ERR_NULL
    assert lib.sgm_guaranteed(context, NULL, 0, 0, 0, bounds) == lib.SGM_ERR_NULL
    assert lib.sgm_guaranteed(context, good, 0, 0, 0, NULL) == lib.SGM_ERR_NULL
    assert lib.sgm_get_stats(NULL, ffi.new("sgm_stats *")) == lib.SGM_ERR_NULL
    assert lib.sgm_get_stats(context, NULL) == lib.SGM_ERR_NULL
    for seat in (-(2**31), -1, 3, 2**31 - 1):
        assert ask(context, good, seat, window=(0, 9)) == (lib.SGM_ERR_SEAT, (0, 9))
    for window in ((1, 0), (17, 16), (2**31 - 1, -(2**31))):
        assert ask(context, good, window=window) == (lib.SGM_ERR_WINDOW, window)
    for memory in (0, 1, MIB - 1):
        out[0] = ffi.cast("sgm_context *", 16)
        assert lib.sgm_new(memory, out) == lib.SGM_ERR_BUDGET
        assert out[0] == NULL


def test_what_may_be_null_may_be_null() -> None:
    for function in (lib.sgm_free, lib.sgm_clear, lib.sgm_stop, lib.sgm_resume):
        function(NULL)


@pytest.mark.parametrize(
    "window",
    [
        (0, 1),
        (1, 1),
        (-5, 99),
        (-(2**31), 2**31 - 1),
        (5, 9),
        (-9, -3),
    ],
)
@pytest.mark.parametrize("at_least", [-(2**31), -1, 0, 1, 17, 2**31 - 1])
def test_bounds_come_back_in_order_whatever_the_window(
    context: Any, window: tuple[int, int], at_least: int
) -> None:
    status, (lower, upper) = ask(context, raw(GOOD), at_least=at_least, window=window)
    if status == lib.SGM_OK:
        assert 0 <= lower <= upper <= 1
    else:
        assert (status, (lower, upper)) == (lib.SGM_ERR_WINDOW, window)


def test_an_error_leaves_the_context_as_it_was(context: Any) -> None:
    bad = [raw([1 << 13, *GOOD[1:]]), raw([GOOD[0]] * 3), raw(GOOD, trump=9), raw(GOOD, trick=[77]), NULL]
    for place, line in enumerate(SMALL[::5]):
        position = raw_of(line.position)
        assert ask(context, bad[place % len(bad)])[0] >= lib.SGM_ERR_NULL
        for seat, exact in line.guaranteed.items():
            assert ask(context, position, Seat.parse(seat).index) == (lib.SGM_OK, (exact, exact))


def test_c_and_python_refuse_the_same_positions() -> None:
    rng = Random(7)
    refused = 0
    for _ in range(4000):
        position = random_position(rng, rng.randint(1, 4), mid_trick=rng.random() < 0.6)
        hands, trick = list(position.hands.values()), list(position.trick)
        for _ in range(rng.randrange(3)):
            some = Card.from_number(rng.choice([n for n in range(64) if n % 16 < 13]))
            place = rng.randrange(4)
            if place < 3:
                hands[place] = Hand(hands[place].mask ^ 1 << some.number)
            elif trick:
                trick[rng.randrange(len(trick))] = rng.choice([some, *hands[0], *hands[1]])
        leader = rng.choice(list(Seat)) if rng.random() < 0.2 else position.leader
        status = lib.sgm_check(
            raw([hand.mask for hand in hands], 0, leader.index, [each.number for each in trick])
        )
        try:
            Position(BySeat(*hands), Trump.S, leader, tuple(trick))
            sound = True
        except InputError:
            sound = False
            refused += 1
        assert sound == (status == lib.SGM_OK), (hands, leader, trick, status)
    assert 1000 < refused < 3000


def test_every_status_has_a_text_of_its_own_in_one_line() -> None:
    statuses = [lib.SGM_OK, lib.SGM_STOPPED, *(getattr(lib, name) for name in ERRORS)]
    assert statuses == list(range(16))
    texts = [ffi.string(lib.sgm_status_text(status)).decode() for status in statuses]
    assert len(set(texts)) == len(texts)
    assert all(text.isprintable() and text for text in texts)
    for status in (16, 99, 2**31 - 1):
        assert ffi.string(lib.sgm_status_text(status)) == b"unknown status"


# What C answers.


@pytest.mark.parametrize("place", range(0, 400, 40))
def test_a_question_is_decided_by_the_bounds_that_come_back(context: Any, place: int) -> None:
    line = SMALL[place]
    position = raw_of(line.position)
    for seat, exact in line.guaranteed.items():
        for at_least in range(1, line.position.tricks + 2):
            lib.sgm_clear(context)
            status, (lower, upper) = ask(context, position, Seat.parse(seat).index, at_least)
            assert status == lib.SGM_OK
            assert lower <= exact <= upper
            assert lower >= at_least or upper < at_least


def test_what_is_known_already_is_not_asked_again(context: Any) -> None:
    line = FULL[0]
    for seat, exact in line.guaranteed.items():
        index = Seat.parse(seat).index
        before = plays(context)
        assert ask(context, raw_of(line.position), index, window=(exact, exact))[1] == (exact, exact)
        assert plays(context) == before
        for window in ((exact, exact + 1), (max(0, exact - 1), exact), (0, exact), (exact, 17)):
            assert ask(context, raw_of(line.position), index, window=window) == (lib.SGM_OK, (exact, exact))


def plays(context: Any) -> int:
    stats = ffi.new("sgm_stats *")
    assert lib.sgm_get_stats(context, stats) == lib.SGM_OK
    return int(stats.plays)


def test_the_largest_node_limit_is_no_limit(context: Any) -> None:
    line = FULL[13]
    lib.sgm_clear(context)
    assert ask(context, raw_of(line.position), 0, nodes=10)[0] == lib.SGM_STOPPED
    exact = line.guaranteed["D"]
    assert ask(context, raw_of(line.position), 0, nodes=2**64 - 1) == (lib.SGM_OK, (exact, exact))


def test_counters_only_grow_until_they_are_cleared(context: Any) -> None:
    stats = ffi.new("sgm_stats *")

    def read() -> dict[str, int]:
        assert lib.sgm_get_stats(context, stats) == lib.SGM_OK
        return {name: getattr(stats, name) for name, _ in ffi.typeof("sgm_stats").fields}

    last = read()
    assert all(last[name] == 0 for name in last if name != "memory")
    assert MIB - 1024 < last["memory"] <= MIB
    for line in FULL[13], FULL[6], HARD[2]:
        assert ask(context, raw_of(line.position), nodes=1_000_000)[0] in (lib.SGM_OK, lib.SGM_STOPPED)
        now = read()
        assert all(now[name] >= last[name] for name in now)
        assert now["plays"] > last["plays"]
        assert now["hits"] <= now["lookups"]
        last = now
    assert last["stores"] > 0
    assert last["evictions"] > 0
    lib.sgm_clear(context)
    assert read() == {name: last["memory"] if name == "memory" else 0 for name in last}


# The engine.


def test_answers_do_not_depend_on_what_was_solved_before(warm: Engine) -> None:
    rng = Random(3)
    lines = SMALL * 2 + FULL[:8]
    for line in rng.sample(lines, len(lines)):
        seat = rng.choice(list(Seat))
        assert warm.bounds(line.position, seat) == Bounds(*[line.guaranteed[str(seat)]] * 2), line.record


def test_a_cleared_engine_plays_the_same_cards_again() -> None:
    with Engine(4) as engine:
        counts = []
        for _ in range(3):
            engine.clear()
            assert astuple(engine.stats())[:-1] == (0, 0, 0, 0, 0)
            engine.bounds(FULL[0].position, Seat.D)
            counts.append(engine.stats())
        with Engine(4) as other:
            other.bounds(FULL[0].position, Seat.D)
            assert counts == [other.stats()] * 3


def test_engines_in_parallel_threads_give_the_right_answers() -> None:
    def work(seed: int) -> int:
        lines = SMALL + [FULL[place] for place in (5, 6, 12, 13, 16, 18, 28, 29)]
        Random(seed).shuffle(lines)
        with Engine(2) as engine:
            for line in lines:
                for seat, exact in line.guaranteed.items():
                    assert engine.bounds(line.position, Seat.parse(seat)).lower == exact, line.record
            return engine.stats().plays

    with ThreadPoolExecutor(2) as pool:
        assert all(pool.map(work, (1, 2)))


def test_stopping_one_engine_does_not_stop_another() -> None:
    with Engine(1) as one, Engine(1) as other:
        one.stop()
        line = FULL[13]
        assert other.bounds(line.position, Seat.D).lower == line.guaranteed["D"]
        with pytest.raises(SearchStopped):
            one.bounds(line.position, Seat.D)
        one.resume()
        assert one.bounds(line.position, Seat.D).lower == line.guaranteed["D"]


def test_a_search_that_was_stopped_can_be_taken_up_again() -> None:
    line = FULL[0]
    for seat, exact in line.guaranteed.items():
        with Engine(64) as engine:
            known = Bounds()
            for _ in range(10_000):
                try:
                    known = engine.bounds(line.position, Seat.parse(seat), node_limit=20_000, known=known)
                    break
                except SearchStopped as stopped:
                    known = stopped.bounds[seat]
                    others = [stopped.bounds[other] for other in Seat if str(other) != seat]
                    assert others == [Bounds(0, 16)] * 2
            assert known == Bounds(exact, exact)


def test_a_closed_engine_says_so() -> None:
    engine = Engine(1)
    engine.close()
    engine.close()
    engine.stop()
    for use in (engine.clear, engine.stats, engine.resume, lambda: engine.bounds(SMALL[0].position, Seat.D)):
        with pytest.raises(SgtMajorError, match=r"^the engine is closed$"):
            use()
    with Engine(1) as other:
        pass
    with pytest.raises(SgtMajorError, match="closed"):
        other.stats()


def test_closing_an_engine_ends_the_search_that_another_thread_runs_on_it() -> None:
    engine = Engine(1)

    def forever() -> None:
        while True:
            for line in HARD:
                engine.bounds(line.position, Seat.D)

    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(forever)
        time.sleep(0.2)
        started = time.perf_counter()
        engine.close()
        assert isinstance(running.exception(5), SgtMajorError)
        assert time.perf_counter() - started < 1


@pytest.mark.parametrize("memory_mb", [-1, 0, (1 << 24) + 1, 10**30])
def test_a_memory_out_of_range_is_refused(memory_mb: int) -> None:
    with pytest.raises(InputError, match=rf"a memory of {memory_mb} MiB is out of range; expected 1 to \d+$"):
        Engine(memory_mb)


def test_impossible_bounds_are_refused(warm: Engine) -> None:
    with pytest.raises(SgtMajorError, match="no possible value lies between the bounds"):
        warm.bounds(SMALL[0].position, Seat.D, known=Bounds(1, 0))


def test_bounds_are_written_as_a_number_or_a_range() -> None:
    assert str(Bounds(3, 3)) == "3"
    assert str(Bounds(0, 16)) == "0-16"
    assert Bounds() == Bounds(0, MAX_TRICKS)


# Memory.


def run(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, timeout=60
    )


def test_memory_that_the_system_refuses_is_an_error_of_one_line() -> None:
    pytest.importorskip("resource")
    result = run("""
        import resource
        from sgtmajor.engine import Engine
        from sgtmajor.errors import SolverMemoryError
        Engine(1).close()
        resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
        for _ in range(3):
            try:
                Engine(8192)
            except SolverMemoryError as error:
                assert isinstance(error, MemoryError)
                print(error)
        Engine(16).close()
        """)
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout == "the system refused the memory (8192 MiB); ask for less\n" * 3


def test_a_budget_beyond_all_memory_is_refused_or_met() -> None:
    out = ffi.new("sgm_context **")
    for memory in (2**63, 2**64 - 1):
        assert lib.sgm_new(memory, out) in (lib.SGM_OK, lib.SGM_ERR_MEMORY)
        lib.sgm_free(out[0])
    with pytest.raises(SolverMemoryError, match="ask for less"):
        raise_without_memory()


def raise_without_memory() -> None:
    from sgtmajor.engine import _check

    _check(lib.SGM_ERR_MEMORY, 5)


def test_an_engine_stays_within_its_budget() -> None:
    pytest.importorskip("resource")
    result = run(f"""
        import resource
        from sgtmajor.engine import Engine
        from sgtmajor.cards import Seat
        from sgtmajor.errors import SearchStopped
        from sgtmajor.record import Record
        records = {[line.record for line in HARD]!r}
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        with Engine(2) as engine:
            for record in records:
                try:
                    engine.bounds(Record.parse(record).position, Seat.D, node_limit=2_000_000)
                except SearchStopped:
                    pass
            assert engine.stats().evictions
        print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
        """)
    assert result.stderr == ""
    kib = int(result.stdout) // (1024 if sys.platform == "darwin" else 1)
    assert kib <= 3 * 1024


def test_threads_that_share_an_engine_get_right_answers(warm: Engine) -> None:
    def wrong(seed: int) -> list[str]:
        return [
            line.record
            for line in Random(seed).sample(SMALL, 120)
            for seat, expected in line.guaranteed.items()
            if warm.bounds(line.position, Seat.parse(seat)) != Bounds(expected, expected)
        ]

    with ThreadPoolExecutor(3) as pool:
        assert list(pool.map(wrong, range(3))) == [[], [], []]


def test_clearing_waits_for_a_search_in_another_thread() -> None:
    line = FULL[3]
    expected = line.guaranteed["D"]
    with Engine(4) as engine, ThreadPoolExecutor(1) as pool:
        search = pool.submit(engine.bounds, line.position, Seat.D)
        while not search.done():
            engine.clear()
        assert search.result() == Bounds(expected, expected)


def test_stopping_while_another_thread_closes_is_safe() -> None:
    def stop(engine: Engine) -> None:
        for _ in range(200):
            engine.stop()

    with ThreadPoolExecutor(3) as pool:
        for _ in range(60):
            engine = Engine(1)
            stopping = [pool.submit(stop, engine) for _ in range(3)]
            engine.close()
            for each in stopping:
                each.result()
