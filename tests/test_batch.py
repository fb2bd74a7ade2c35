"""Many records at once: the same answers as one by one, in order, whatever the pool and whatever fails."""

from __future__ import annotations

import pickle
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import closing
from random import Random

import pytest
from hypothesis import given, settings, strategies as st
from stored import random_deal
from strategies import records

from sgtmajor import tasks
from sgtmajor.batch import AHEAD, Chunk, LocalPool, LostWorkError, run_batch, solve_many
from sgtmajor.cards import Seat, Trump
from sgtmajor.engine import Engine
from sgtmajor.equilibrium import Ties
from sgtmajor.errors import EnumerationFull, InputError, SearchStopped
from sgtmajor.lending import Lender
from sgtmajor.mistakes import review
from sgtmajor.record import Record
from sgtmajor.tabular import FRAME_LIBRARIES, to_frame
from sgtmajor.tasks import TASKS, Answer, Item, Job, Outcome, Task, Tools
from sgtmajor.trump import analyze
from sgtmajor.values import Solver, solve

KITTY = "D:AK.5.3. QT.A..2 J9.K.Q. K:...A rules=classic,targets=2-1-1"
PLAYED = "D:AK.5.3. QT.A..2 J9.K.Q. K:...A trump=S discard=D3 play=SK,ST,S9,H5,HA,HK,C2,DQ,CA"
FULL = "D:AT76.K8.AJ842.KJ763 K8.973.KT763.AQ9542 QJ9543.AQJT654.Q5.8 trump=N"


def endings(count: int, size: int = 4) -> list[str]:
    rng = Random(count)
    return [f"{random_deal(rng, size, 0)} trump={rng.choice('SHDCN')} id=x{i}" for i in range(count)]


def accidental(values: dict[str, object]) -> dict[str, object]:
    return {key: value for key, value in values.items() if key not in ("nodes", "seconds")}


def test_each_record_is_answered_as_if_it_were_alone() -> None:
    lines = endings(60)
    found = list(solve_many(lines, jobs=2, memory_mb=2))
    assert [each.number for each in found] == list(range(1, 61))
    for line, outcome in zip(lines, found, strict=True):
        values = outcome.to_dict()
        assert values.pop("number") == outcome.number
        assert values == accidental(solve(line, memory_mb=1).to_dict())


def test_analyzing_many_deals_is_analyzing_each() -> None:
    rng = Random(5)
    lines = [f"{random_deal(rng, 4, 2)} rules=pickup,contracts=SHDCN" for _ in range(6)]
    for line, outcome in zip(lines, solve_many(lines, task="analyze", by="guaranteed"), strict=True):
        values = outcome.to_dict()
        alone = analyze(line, by="guaranteed").to_dict()
        assert {key: values[key] for key in accidental(alone)} == accidental(alone)
        assert values["record"] == line


@pytest.mark.parametrize("announcement", [True, False])
def test_reviewing_many_plays_is_reviewing_each(announcement: bool) -> None:
    short = PLAYED.split(" discard=")[0] + " play=SK,ST,S9,H5,HA,HK"
    lines = [f"{PLAYED} id=a", f"{short} id=b", *(with_play(line) for line in endings(6))]
    found = solve_many(lines, task="review", by="guaranteed", announcement=announcement, jobs=2, memory_mb=2)
    for line, outcome in zip(lines, found, strict=True):
        alone = review(line, by="guaranteed", announcement=announcement)
        values = outcome.to_dict()
        assert {key: values[key] for key in accidental(alone.to_dict())} == accidental(alone.to_dict())
        cards = [(row["trick"], row["seat"], row["card"], row["share_after_D"]) for row in outcome.rows()]
        assert cards == [
            (each.turn.trick, str(each.turn.seat), str(each.turn.card), round(each.after.share.D, 3))
            for each in alone.cards
        ]


def with_play(line: str) -> str:
    """Adds the play of the cards by a best line, the first card of which is another one."""
    record = Record.parse(line)
    with Solver(1) as solver:
        first = max(record.position.legal())
        play = [first, *solver.line(record.position.after(first))]
    return f"{line} play={','.join(map(str, play))}"


def test_the_equilibrium_of_many_is_that_of_each() -> None:
    lines, ties = endings(20, size=5), Ties.parse("against:L")
    found = solve_many(lines, task="equilibrium", cards=True, line=True, ties=ties, jobs=2, equilibrium_mb=2)
    for line, outcome in zip(lines, found, strict=True):
        values = outcome.to_dict()
        del values["number"]
        alone = solve(line, equilibrium=True, cards=True, line=True, ties=ties)
        assert values == accidental(alone.to_dict())


def test_an_equilibrium_that_does_not_fit_fails_in_its_place_whatever_the_threads() -> None:
    large = FULL.replace("AT76.K8.AJ842.KJ763", "AT76.K8.AJ.KJ").replace(
        "K8.973.KT763.AQ9542", "K8.97.KT7.AQ9"
    )
    large = large.replace("QJ9543.AQJT654.Q5.8", "QJ95.AQJT.Q.8")
    found = [
        list(solve_many([*endings(3), large, *endings(3)], task="equilibrium", equilibrium_mb=1, jobs=jobs))
        for jobs in (1, 3)
    ]
    assert [each.to_dict() for each in found[0]] == [each.to_dict() for each in found[1]]
    assert [bool(each.error) for each in found[0]] == [False] * 3 + [True] + [False] * 3
    error = found[0][3].error
    assert isinstance(error, EnumerationFull)
    assert "10 tricks do not fit into 1 MiB" in str(error)


def test_an_equilibrium_without_the_time_for_it_says_what_is_proven() -> None:
    (outcome,) = solve_many([FULL], task="equilibrium", seconds=1)
    assert isinstance(outcome.error, SearchStopped)
    assert outcome.to_dict()["error"] == "time was up after 1 s"
    assert set(outcome.to_dict()["bounds"]) == set("DLR")  # type: ignore[call-overload]


def test_the_values_of_each_trump_are_those_of_solving_with_it() -> None:
    (line,) = endings(1, size=5)
    (outcome,) = solve_many([line], task="trumps", trumps=list(Trump))
    trumps = outcome.to_dict()["trumps"]
    assert isinstance(trumps, dict)
    for trump in Trump:
        (alone,) = solve_many([line], trumps=[trump])
        assert trumps[str(trump)]["guaranteed"] == alone.to_dict()["guaranteed"]


@settings(max_examples=30, deadline=None)
@given(st.lists(records(), min_size=1, max_size=4), st.sampled_from(list(TASKS)))
def test_any_record_is_answered_or_refused_in_one_line(found: list[Record], task: str) -> None:
    pairs = [Item(number, str(record), str(record)) for number, record in enumerate(found, start=1)]
    with Engine(1) as engine:
        tools = Tools(engine, Lender(1))
        for item in pairs:
            if max(map(len, Record.parse(item.text).deal.hands.values())) > 4:
                continue
            outcome = tasks.answer(tools, item, Job(task))
            assert outcome.text == item.text
            assert (outcome.answer is None) == (outcome.error is not None)
            assert str(outcome.error or "").isprintable()
            assert pickle.loads(pickle.dumps(outcome)).to_dict() == outcome.to_dict()


def test_a_record_that_fails_is_reported_in_its_place_and_the_rest_goes_on() -> None:
    good = endings(2)
    first, bad, last = solve_many([good[0], "nonsense", good[1]])
    assert first.answer
    assert last.answer
    assert bad.to_dict()["id"] == "2"
    assert bad.to_dict()["record"] == "nonsense"
    assert "is no deal" in str(bad.to_dict()["error"])
    assert list(bad.rows()[0]) == ["id", "number", "record", "error"]


def test_a_record_whose_time_is_up_says_what_is_proven_and_the_next_is_answered() -> None:
    stopped, answered = solve_many([FULL, *endings(1)], seconds=0.001, jobs=1)
    assert isinstance(stopped.error, SearchStopped)
    assert stopped.to_dict()["error"] == "time was up after 0.001 s"
    assert set(stopped.to_dict()["bounds"]) == set("DLR")  # type: ignore[call-overload]
    assert stopped.text == str(Record.parse(FULL))
    # What is easier may not make it either, on a busy machine, but it is asked.
    assert answered.answer or answered.error


def test_an_analysis_without_time_for_any_discard_is_a_failure() -> None:
    (outcome,) = solve_many([FULL.replace(" trump=N", "")], task="analyze", seconds=1e-6)
    assert isinstance(outcome.error, SearchStopped)


class Slept:
    """The answer of a task that sleeps."""

    def to_dict(self) -> dict[str, object]:
        return {}


def sleep_for(tools: Tools, record: Record, job: Job) -> Answer:
    time.sleep(float(record.id or 0))
    return Slept()


@pytest.fixture
def sleep(monkeypatch: pytest.MonkeyPatch) -> str:
    """A task that takes as long as the id of a record says."""
    monkeypatch.setattr(tasks, "TASKS", {**TASKS, "sleep": Task(sleep_for, ())})
    return "sleep"


def sleepers(seconds: list[float]) -> list[str]:
    return [f"D:A... K... Q... trump=N id={each}" for each in seconds]


def test_a_hard_record_does_not_hold_up_the_others(sleep: str) -> None:
    lines = sleepers([0.5, *[0.01] * 20])
    ready = [each.number for each in solve_many(lines, task=sleep, jobs=2, ordered=False)]
    assert ready[-1] == 1
    assert sorted(ready) == list(range(1, 22))
    ordered = [each.number for each in solve_many(lines, task=sleep, jobs=2)]
    assert ordered == list(range(1, 22))


def test_what_was_read_before_the_input_broke_is_answered(sleep: str) -> None:
    def lines() -> Iterator[str]:
        yield from sleepers([0.2, *[0.01] * 9])
        raise InputError("torn")

    found = solve_many(lines(), task=sleep, jobs=2)
    assert [next(found).number for _ in range(10)] == list(range(1, 11))
    with pytest.raises(InputError, match="torn"):
        next(found)


def test_a_record_of_many_cards_does_not_hold_up_easy_ones() -> None:
    easy = "D:A... K... Q... trump=N"
    lines = [easy] * 30 + [FULL] + [easy] * 30
    with closing(solve_many(lines, task="trumps", jobs=2, ordered=False)) as found:
        before = [next(found).number for _ in range(60)]
    assert 31 not in before


def test_what_waits_behind_a_hard_record_is_bounded(sleep: str) -> None:
    taken = 0

    def lines() -> Iterator[str]:
        nonlocal taken
        for line in (sleepers([1.5])[0], *sleepers([0]) * (2 * AHEAD)):
            taken += 1
            yield line

    with closing(solve_many(lines(), task=sleep, jobs=2)) as found:
        assert next(found).number == 1
        assert taken < AHEAD + 1000


def test_records_are_taken_as_they_are_needed() -> None:
    def for_ever() -> Iterator[str]:
        while True:
            yield "D:A... K... Q... trump=N"

    with closing(solve_many(for_ever())) as found:
        assert [next(found).number for _ in range(5)] == [1, 2, 3, 4, 5]


class LossyPool(LocalPool):
    """Threads that lose each chunk once, or for ever."""

    def __init__(self, for_ever: bool) -> None:
        super().__init__(2, 2)
        self._for_ever = for_ever
        self._seen: set[int] = set()

    def result(self, future: Future[Chunk]) -> Chunk:
        chunk = super().result(future)
        first = chunk.outcomes[0].number
        if self._for_ever or first not in self._seen:
            self._seen.add(first)
            raise LostWorkError("lost")
        return chunk


def test_a_chunk_that_is_lost_is_sent_again_but_not_for_ever() -> None:
    items = [Item(number, line, line) for number, line in enumerate(endings(60), start=1)]
    with LossyPool(for_ever=False) as pool:
        assert [each.number for each in run_batch(items, Job(), pool)] == list(range(1, 61))
    with LossyPool(for_ever=True) as pool, pytest.raises(LostWorkError):
        list(run_batch(items, Job(), pool))


def test_what_is_done_does_not_wait_for_records_that_come_slowly() -> None:
    taken = 0

    def slowly() -> Iterator[str]:
        nonlocal taken
        for _ in range(10):
            taken += 1
            yield "D:A... K... Q... trump=N"
            time.sleep(0.1)

    for outcome in solve_many(slowly(), jobs=2):
        assert taken <= outcome.number + 3


@pytest.mark.parametrize(("task", "sleep"), [("trumps", 0.0), ("equilibrium", 1.0)])
def test_closing_ends_a_long_search_at_once(task: str, sleep: float) -> None:
    found = solve_many(["D:A... K... Q... trump=N", *[FULL] * 50], task=task, jobs=2)
    next(found)
    time.sleep(sleep)
    started = time.perf_counter()
    found.close()
    assert time.perf_counter() - started < 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"task": "guess"}, "unknown task 'guess'"),
        ({"trumps": [Trump.S, Trump.H]}, "takes one trump"),
        (
            {"cards": True, "task": "trumps"},
            "the task trumps has no cards, expected one that has: solve equilibrium",
        ),
        ({"by": "points"}, "the task solve has no by"),
        ({"ties": Ties("against", Seat.L)}, "the task solve has no ties, expected one that has: equilibrium"),
        ({"equilibrium_mb": 9}, "the task solve has no equilibrium_mb"),
        ({"announcement": False}, "the task solve has no announcement, expected one that has: review"),
        ({"trumps": [Trump.S, Trump.H], "task": "equilibrium"}, "takes one trump"),
        ({"jobs": 0}, "0 jobs are too few"),
        ({"jobs": 4, "memory_mb": 3}, "3 MiB are too little for 4 jobs"),
        ({"rules": "nonsense"}, "unknown rules"),
    ],
)
def test_a_job_that_makes_no_sense_is_refused(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        list(solve_many(endings(1), **arguments))  # type: ignore[arg-type]


def test_rows_have_a_line_for_each_trump() -> None:
    (outcome,) = solve_many([KITTY], task="analyze")
    rows = outcome.rows()
    assert len(rows) == 4
    assert {"id", "number", "record", "trump", "discard", "share_D", "points_R", "complete"} <= set(rows[0])
    for task in TASKS:
        (outcome,) = solve_many([PLAYED if task == "review" else KITTY + " trump=S"], task=task)
        assert outcome.error is None
        assert set(TASKS[task].columns) <= {key for row in outcome.rows() for key in row}


@pytest.mark.parametrize("library", FRAME_LIBRARIES)
def test_outcomes_make_a_data_frame(library: str) -> None:
    pytest.importorskip(library)
    frame = to_frame(solve_many([*endings(3), "nonsense"]), library)
    assert frame.shape[0] == 4
    assert list(frame["number"]) == [1, 2, 3, 4]
    assert set(frame["trump"][:3]) <= set("SHDCN")


def test_a_data_frame_of_another_library_is_refused() -> None:
    with pytest.raises(InputError, match="no data frames of 'numpy'"):
        to_frame([], "numpy")


def test_what_needs_an_extra_says_which(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(InputError, match=r"python3 -m pip install 'sgtmajor\[cluster\]'"):
        list(solve_many(endings(1), scheduler="tcp://127.0.0.1:1"))
    monkeypatch.setattr("sgtmajor.tabular.find_spec", lambda name: None)
    with pytest.raises(InputError, match="pandas and polars not installed"):
        to_frame([])


def test_an_outcome_says_no_more_than_its_record() -> None:
    (one,) = solve_many(endings(1), jobs=1, memory_mb=1)
    many: list[Outcome] = list(solve_many(endings(1) * 3, jobs=1))
    assert all(each.to_dict() == {**one.to_dict(), "number": each.number} for each in many)
