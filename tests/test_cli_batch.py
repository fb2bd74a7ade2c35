"""The command ``batch``: formats, what goes on after a failure, and what survives when it is killed."""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from stored import random_deal
from test_cli import assert_refused, objects, run, table

from sgtmajor import solve, tasks
from sgtmajor.cli import batch
from sgtmajor.cli.batch_lock import OutputLock
from sgtmajor.errors import InputError
from sgtmajor.trump import Analysis

KITTY = "D:AK.5.3. QT.A..2 J9.K.Q. K:...A"
PLAYED = "D:AK.5.. Q.A.2. JT.K.. trump=S play=SK,SQ,ST,SA,HA,SJ"
posix = pytest.mark.skipif(os.name != "posix", reason="signals and devices as POSIX has them")


def endings(count: int, size: int = 3) -> str:
    rng = Random(count)
    return "".join(f"{random_deal(rng, size, 0)} trump={rng.choice('SHDCN')}\n" for _ in range(count))


@pytest.fixture
def deals(tmp_path: Path) -> Path:
    path = tmp_path / "deals.txt"
    path.write_text(f"# endings\n{endings(30)}\nnonsense\n{endings(9)}")
    return path


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "out.jsonl"


def test_the_options_repeat_what_the_library_says() -> None:
    assert tuple(tasks.TASKS) == batch.TASK_NAMES


def test_an_equilibrium_that_does_not_fit_is_one_line_that_says_what_to_do() -> None:
    large = "D:AT76.K8.AJ8.KJ7 K8.973.KT76.AQ9 QJ95.AQJT.Q5.86 trump=N"
    result = run(
        "batch", "--task", "equilibrium", "--equilibrium-memory", "2", "-", stdin=f"{endings(2)}{large}\n"
    )
    assert result.exit_code == 1
    assert [bool(each.get("error")) for each in objects(result)] == [False, False, True]
    assert "12 tricks do not fit into 2 MiB" in result.stderr
    assert result.stderr.startswith("<stdin>:3: the positions")
    assert "Allow more (equilibrium_mb, --equilibrium-memory)" in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_trumps_are_compared_for_the_hands_as_the_play_has_left_them(tmp_path: Path) -> None:
    # By other trumps others would have won the first trick, and the second could not go on like this.
    played = "D:7.A.. K...2 .9.3. K:JT3.J8.K. trump=N play=S7,SK,H9,C2,D3,HA"
    (found,) = objects(run("batch", "--task", "trumps", "-", stdin=played))
    (solved,) = objects(run("batch", "-", stdin=played))
    assert found["trumps"]["S"]["share"].keys() == solved["share"].keys()
    ended = "D:A5.QJ.K. 84.K.A9. K.T8.J4. trump=S lead=L play=S8,SK,S5"
    (found,) = objects(run("batch", "--task", "trumps", "-", stdin=ended))
    (solved,) = objects(run("batch", "-", stdin=ended))
    assert found["lead"] == "R"
    assert found["trumps"]["S"] == {key: solved[key] for key in found["trumps"]["S"]}


def test_an_output_with_numbers_that_are_none_is_refused(deals: Path, out: Path) -> None:
    out.write_text('{"id": "1", "number": Infinity, "record": ""}\n')
    assert_refused(run("batch", str(deals), "-o", str(out), "--resume"), "this is no line of a batch output")


def test_a_broken_review_is_not_gone_on_with_another_question(tmp_path: Path, out: Path) -> None:
    path = tmp_path / "played.txt"
    announced = "D:AK.5.3. QT.A..2 J9.K.Q. K:...A trump=S discard=SK play=SA"
    path.write_text(f"{PLAYED}\n{announced}\n{PLAYED}\n{announced}\n")
    arguments = ["batch", "--task", "review", str(path), "-o", str(out)]
    assert run(*arguments, "--no-announcement").exit_code == 0
    out.write_text("".join(out.read_text().splitlines(keepends=True)[:3]))
    assert_refused(run(*arguments, "--resume"), "is answered otherwise now")


def test_text_json_lines_and_packed_files_are_read_alike(tmp_path: Path) -> None:
    text = endings(5)
    lines = text.splitlines()
    (tmp_path / "text").write_text(text)
    (tmp_path / "json").write_text("".join(json.dumps({"record": line}) + "\n" for line in lines))
    (tmp_path / "packed").write_bytes(gzip.compress(text[:100].encode()) + gzip.compress(text[100:].encode()))
    expected = run("batch", "-", stdin=text).stdout
    for name in ("text", "json", "packed"):
        assert run("batch", str(tmp_path / name)).stdout == expected
    assert run("batch", "-", stdin=gzip.compress(text.encode())).stdout == expected
    for line, values in zip(lines, objects(run("batch", "-", stdin=text)), strict=True):
        assert values["guaranteed"] == solve(line).values.guaranteed.to_dict()


def test_files_are_numbered_through(deals: Path) -> None:
    found = objects(run("batch", str(deals), str(deals)))
    assert [each["number"] for each in found] == list(range(1, 81))
    assert found[0]["id"] == found[40]["id"] == "2"


def test_a_record_that_fails_is_told_in_its_place_and_on_stderr(deals: Path) -> None:
    result = run("batch", str(deals))
    assert result.exit_code == 1
    assert result.stderr == f"{deals}:33:1: 'nonsense' is no deal, {library_expectation()}\n"
    bad = objects(result)[30]
    assert bad == {"id": "33", "number": 31, "record": "nonsense", "error": result.stderr.rstrip("\n")}


def library_expectation() -> str:
    return "expected a seat, a colon and three hands, such as 'D:AK.Q.. ... ... K:...'"


def test_ten_thousand_malformed_lines_give_ten_thousand_errors_of_one_line() -> None:
    rng = Random(7)
    letters = 'DLRK:AKQJT98765432. =#{}[]"\\,♠\x1b\x85 trumpid'
    lines = ["!" + "".join(rng.choices(letters, k=rng.randrange(60))) for _ in range(10_000)]
    result = run("batch", "-", stdin="\n".join(lines) + "\n")
    assert result.exit_code == 1
    assert result.stderr.count("\n") == len(objects(result)) == 10_000
    assert all(line.startswith("<stdin>:") for line in result.stderr.splitlines())
    assert all(each["error"] for each in objects(result))


def test_csv_has_a_heading_and_a_row_for_each_record_or_trump(deals: Path) -> None:
    rows = table(run("batch", "--format", "csv", str(deals)))
    assert len(rows) == 40
    assert rows[30]["error"]
    assert rows[0]["trump"] in "SHDCN"
    rows = table(run("batch", "--format", "csv", "--task", "equilibrium", "--trump", "N", str(deals)))
    assert {(row["trump"], row["ties"]) for row in rows if not row["error"]} == {("N", "neutral")}
    assert sum(float(rows[0][f"equilibrium_{seat}"]) for seat in "DLR") == pytest.approx(3, abs=1e-5)
    rows = table(run("batch", "--format", "csv", "--task", "analyze", "-", stdin=KITTY))
    assert [row["number"] for row in rows] == ["1"] * 4
    assert rows[0]["complete"] == "true"


def test_a_review_has_a_row_for_each_card_and_in_json_the_announcement() -> None:
    rows = table(run("batch", "--format", "csv", "--task", "review", "-", stdin=PLAYED))
    assert [row["card"] for row in rows] == ["SK", "SQ", "ST", "SA", "HA", "SJ"]
    assert [row["better"] for row in rows if row["better"]] == ["D2"]
    assert {row["complete"] for row in rows} == {"true"}
    alone = table(run("review", "--format", "csv", PLAYED))
    assert [{key: row[key] for key in alone[0] if key != "id"} for row in rows] == [
        {key: each for key, each in row.items() if key != "id"} for row in alone
    ]
    announced = f"{KITTY} trump=S discard=D3 play=SK"
    (values,) = objects(run("batch", "--task", "review", "-", stdin=announced))
    assert values["announcement"]["discard"] == ["D3"]
    (values,) = objects(run("batch", "--task", "review", "--no-announcement", "-", stdin=announced))
    assert "announcement" not in values


@pytest.mark.parametrize("task", ["solve", "review", "equilibrium"])
def test_parquet_has_the_rows_of_csv(deals: Path, tmp_path: Path, task: str) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    deals.write_text(f"{deals.read_text()}{PLAYED}\n")
    out = tmp_path / "out.parquet"
    assert run("batch", "--task", task, "--format", "parquet", "-o", str(out), str(deals)).exit_code == 1
    found = parquet.read_table(out).to_pylist()
    expected = table(run("batch", "--task", task, "--format", "csv", str(deals)))
    assert [{k: cell(v) for k, v in row.items()} for row in found] == expected


def cell(value: object) -> str:
    """Returns a value as CSV has it."""
    if isinstance(value, bool):
        return str(value).lower()
    return "" if value is None else str(value)


def test_parquet_that_was_broken_off_is_not_taken_for_complete(deals: Path, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    out = tmp_path / "out.parquet"
    packed = gzip.compress(endings(30).encode())[:-9]
    result = run("batch", "--format", "parquet", "-o", str(out), "-", stdin=packed)
    assert_refused(result, "<stdin>: cannot be read")
    assert not out.exists()
    assert parquet.read_table(f"{out}.partial").num_rows > 0
    assert run("batch", "--format", "parquet", "-o", str(out), str(deals)).exit_code == 1
    assert [each.name for each in tmp_path.glob("out*")] == ["out.parquet"]
    result = run("batch", "--format", "parquet", "-o", str(out), str(deals))
    assert_refused(result, "the file exists, expected another OUT")


def test_parquet_without_its_extra_says_which(
    deals: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sgtmajor.cli.parquet.find_spec", lambda name: None)
    result = run("batch", "--format", "parquet", "-o", str(tmp_path / "out.parquet"), str(deals))
    assert_refused(result, "python3 -m pip install 'sgtmajor[parquet]'")


def test_options_change_the_question(deals: Path) -> None:
    (values,) = objects(run("batch", "--trump", "N", "--cards", "--line", "-", stdin=endings(1)))
    assert values["record"].endswith("trump=N")
    assert values["cards"]
    assert len(values["line"]) == 9
    (values,) = objects(run("batch", "--task", "equilibrium", "--ties", "for:L", "-", stdin=endings(1)))
    assert values["ties"] == "for:L"
    assert sum(values["equilibrium"].values()) == pytest.approx(3, abs=1e-5)
    (values,) = objects(run("batch", "--task", "trumps", "--trump", "S,N", "-", stdin=endings(1)))
    assert list(values["trumps"]) == ["S", "N"]
    (values,) = objects(run("batch", "--task", "analyze", "--rules", "polish", "-", stdin=KITTY))
    assert values["rules"] == "polish"
    assert len(values["trumps"]) == 5


def test_unordered_output_has_the_same_lines(deals: Path) -> None:
    unordered = run("batch", "--unordered", "--jobs", "3", str(deals)).stdout.splitlines()
    assert sorted(unordered) == sorted(run("batch", str(deals)).stdout.splitlines())


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--resume", "-"], ["expected -o OUT"]),
        (["--format", "parquet", "-"], ["-o OUT"]),
        (["--jobs", "2", "--scheduler", "tcp://a:1", "-"], ["--jobs is for this machine"]),
        (["--format", "csv", "--cards", "-"], ["no place for --alternatives, --cards, --line"]),
        (
            ["--format", "parquet", "--line", "-o", "nowhere", "-"],
            ["no place for --alternatives, --cards, --line"],
        ),
        (["--by", "guaranteed", "-"], ["--by is for --task analyze or review, not for solve"]),
        (
            ["--task", "analyze", "--alternatives", "2", "--format", "csv", "-"],
            ["no place for --alternatives, --cards, --line"],
        ),
        (["--alternatives", "2", "-"], ["--alternatives is for --task analyze, not for solve"]),
        (
            ["--task", "trumps", "--cards", "-"],
            ["--cards is for --task solve or equilibrium, not"],
        ),
        (
            ["--task", "analyze", "--line", "-"],
            ["--line is for --task solve or equilibrium, not"],
        ),
        (["--no-announcement", "-"], ["--announcement is for --task review, not for solve"]),
        # What is said is refused even if it is what it would be anyway.
        (["--ties", "neutral", "-"], ["--ties is for --task equilibrium, not for solve"]),
        (["--by", "share", "-"], ["--by is for --task analyze or review, not for solve"]),
        (
            ["--equilibrium-memory", "9", "-"],
            ["--equilibrium-memory is for --task equilibrium"],
        ),
        (["-", "-"], ["only once"]),
        ([""], ["FILE is empty"]),
        (["-o", "", "-"], ["-o OUT is empty"]),
        (["--trump", "S,H", "-"], ["takes one trump"]),
        (["nowhere.txt"], ["nowhere.txt: cannot be read: No such file"]),
        (["-o", "nowhere/out", "-"], ["nowhere/out: cannot be written: No such file"]),
        ([], ["Missing argument"]),
    ],
)
def test_usage_that_makes_no_sense_is_refused(arguments: list[str], words: list[str]) -> None:
    assert_refused(run("batch", *arguments, stdin=endings(1)), *words)


def test_a_file_that_is_missing_is_told_before_the_work(deals: Path) -> None:
    result = run("batch", str(deals), "nowhere.txt")
    assert_refused(result, "nowhere.txt: cannot be read")
    assert result.stdout == ""


def test_no_records_at_all_are_refused() -> None:
    assert_refused(run("batch", "-", stdin="# nothing\n"), "<stdin>: no records")


def test_a_packed_file_that_is_torn_is_told_after_what_could_be_read_of_it() -> None:
    text = endings(300)
    result = run("batch", "-", stdin=gzip.compress(text.encode())[:-9])
    assert result.exit_code == 2
    assert result.stderr.startswith("<stdin>: cannot be read")
    assert result.stderr.count("\n") == 1
    found = objects(result)
    assert len(found) >= 290
    assert [each["record"] for each in found] == text.splitlines()[: len(found)]


# Going on with an output.


def test_a_file_that_exists_is_not_written_over(deals: Path, out: Path) -> None:
    out.write_text("precious\n")
    assert_refused(run("batch", str(deals), "-o", str(out)), str(out), "the file exists, expected --resume")
    assert_refused(run("batch", str(deals), "-o", str(deals)), "is read and written")
    assert out.read_text() == "precious\n"


FORMS = [("json", ".jsonl"), ("csv", ".csv"), ("json", ".jsonl.gz"), ("csv", ".csv.gz")]


@pytest.mark.parametrize(("form", "suffix"), FORMS)
@pytest.mark.parametrize("task", ["solve", "trumps", "review", "equilibrium"])
def test_an_output_torn_anywhere_is_completed_to_the_same(
    deals: Path, tmp_path: Path, form: str, suffix: str, task: str
) -> None:
    if task == "review":
        deals.write_text(f"{PLAYED}\n" * 3 + "nonsense\n" + f"{PLAYED}\n" * 3)
    arguments = ["batch", str(deals), "--task", task, "--format", form]
    whole = run(*arguments).stdout.encode()
    out = tmp_path / f"out{suffix}"
    assert run(*arguments, "-o", str(out)).exit_code == 1
    stored = out.read_bytes()
    rng = Random(suffix + task)
    for cut in (0, 1, *(rng.randrange(len(stored)) for _ in range(5)), len(stored) - 1, len(stored)):
        out.write_bytes(stored[:cut])
        result = run(*arguments, "-o", str(out), "--resume")
        assert result.exit_code == 1, "a record has failed, in this run or the one before"
        found = gzip.decompress(out.read_bytes()) if suffix.endswith(".gz") else out.read_bytes()
        assert found == whole, cut


def test_an_unordered_output_is_completed_too(deals: Path, out: Path) -> None:
    lines = run("batch", str(deals)).stdout.splitlines(keepends=True)
    Random(1).shuffle(lines)
    out.write_text("".join(lines[:25]) + lines[25][:40])
    assert run("batch", str(deals), "-o", str(out), "--resume", "--unordered").exit_code == 1
    assert sorted(out.read_text().splitlines(keepends=True)) == sorted(lines)


def test_csv_does_not_wait_for_an_announcement_that_it_does_not_print(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sgtmajor.mistakes.analyze_record", None)
    announced = "D:AK.5.3. QT.A..2 J9.K.Q. K:...A trump=S discard=SK play=SA\n"
    assert run("batch", "--task", "review", "--format", "csv", "-", stdin=announced).exit_code == 0


@pytest.mark.parametrize("task", batch.TASK_NAMES)
def test_times_are_said_where_they_are_asked_for(task: str) -> None:
    # Of these cards some have to be played by the search, whatever is asked.
    text = "D:A53.QJ7.K.T 84.K2.A97.5 K9.T8.J42.6 trump=S lead=L" + (" play=S8" if task == "review" else "")
    (plain,), (timed,) = (
        objects(run("batch", "--task", task, *more, "-", stdin=text)) for more in ([], ["--times"])
    )
    assert timed.pop("nodes") > 0
    assert timed.pop("seconds") >= 0
    assert timed == plain


def test_the_times_of_an_answer_are_those_of_all_the_work() -> None:
    text = "D:A53.QJ7.K.T 84.K2.A97.5 K9.T8.J42.6 trump=S lead=L"
    plain, detailed = (
        objects(run("batch", "--times", *more, "-", stdin=text))[0] for more in ([], ["--cards", "--line"])
    )
    assert detailed["nodes"] > plain["nodes"]
    ten = "D:K8532.95.5.AT 964.T3.AJ.KJ8 Q.AK6.T7.Q754 trump=H lead=L"
    (expected,) = objects(run("batch", "--times", "--task", "equilibrium", "-", stdin=ten))
    assert expected["seconds"] > 0, "the enumeration takes hundredths of a second"


def test_an_output_with_times_is_gone_on_with_and_only_so(deals: Path, out: Path) -> None:
    arguments = ["batch", str(deals), "-o", str(out)]
    whole = objects(run("batch", str(deals)))
    run(*arguments, "--times")
    lines = out.read_text().splitlines(keepends=True)
    out.write_text("".join(lines[:20]) + lines[20][:9])
    assert_refused(run(*arguments, "--resume"), str(out), "is answered otherwise now")
    assert run(*arguments, "--times", "--resume").exit_code == 1
    found = [json.loads(line) for line in out.read_text().splitlines()]
    assert all(("seconds" in each) != ("error" in each) for each in found)
    assert [{k: v for k, v in each.items() if k not in tasks.ACCIDENTAL} for each in found] == whole
    out.write_text("".join(lines[:20]))
    assert_refused(run(*arguments, "--times", "--trump", "N", "--resume"), "is answered otherwise now")
    assert_refused(run(*arguments, "--times", "--line", "--resume"), "is answered otherwise now")


def test_another_yardstick_is_seen_in_an_output_with_times(out: Path) -> None:
    path = out.with_suffix(".txt")
    path.write_text(f"{PLAYED}\n" * 3)
    arguments = ["batch", str(path), "-o", str(out), "--task", "review", "--times"]
    run(*arguments)
    out.write_text(out.read_text().splitlines(keepends=True)[0])
    assert_refused(run(*arguments, "--by", "guaranteed", "--resume"), "is answered otherwise now")


def test_records_with_the_same_id_are_told_apart(tmp_path: Path, out: Path) -> None:
    path = tmp_path / "deals.txt"
    path.write_text("".join(f"{line} id=same\n" for line in endings(9).splitlines()[:1] * 9))
    whole = run("batch", str(path)).stdout
    out.write_text("".join(whole.splitlines(keepends=True)[:4]))
    assert run("batch", str(path), "-o", str(out), "--resume").exit_code == 0
    assert out.read_text() == whole


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--task", "trumps"], "is answered otherwise now"),
        (["--cards"], "is answered otherwise now"),
        (["--times"], "is answered otherwise now"),
        (["--trump", "N"], "is answered otherwise now"),
        (["--format", "csv"], "the heading is another one"),
    ],
)
def test_the_output_of_another_question_is_not_gone_on_with(
    deals: Path, out: Path, arguments: list[str], words: str
) -> None:
    run("batch", str(deals), "-o", str(out))
    before = out.read_bytes()
    assert_refused(run("batch", str(deals), "-o", str(out), "--resume", *arguments), str(out), words)
    assert out.read_bytes() == before


@pytest.mark.parametrize("form", ["json", "csv"])
@pytest.mark.parametrize("name", ["notes", "notes.gz"])
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_a_file_that_is_no_output_is_not_cut_off(
    deals: Path, tmp_path: Path, form: str, name: str, pack: Callable[[bytes], bytes]
) -> None:
    notes = tmp_path / name
    notes.write_bytes(pack(b"important notes, no newline"))
    before = notes.read_bytes()
    result = run("batch", str(deals), "--format", form, "-o", str(notes), "--resume")
    assert_refused(result, str(notes), "expected what an earlier run")
    assert notes.read_bytes() == before


def test_each_record_that_is_done_has_to_be_that_of_the_same_question(tmp_path: Path, out: Path) -> None:
    path = tmp_path / "deals.txt"
    line = "D:A5.QJ.K. 84.K.A9. K.T8.J4. trump="
    path.write_text(f"{line}N\n{line}S\n{line}N\n{line}N\n")
    whole = run("batch", str(path)).stdout
    out.write_text("".join(whole.splitlines(keepends=True)[:3]))
    assert_refused(
        run("batch", str(path), "-o", str(out), "--resume", "--trump", "N"), f"{path}:2: this is not record 2"
    )
    assert run("batch", str(path), "-o", str(out), "--resume").exit_code == 0
    assert out.read_text() == whole


def test_failures_of_an_earlier_run_are_told(deals: Path, out: Path) -> None:
    run("batch", str(deals), "-o", str(out))
    result = run("batch", str(deals), "-o", str(out), "--resume")
    assert result.stderr == f"{out}: records that failed in the earlier run and are not asked again: 1\n"


def test_a_record_whose_time_is_up_is_named(tmp_path: Path) -> None:
    path = tmp_path / "deals.txt"
    path.write_text("# hard\nD:AT76.K8.AJ842.KJ763 K8.973.KT763.AQ9542 QJ9543.AQJT654.Q5.8 trump=N\n")
    result = run("batch", str(path), "--seconds", "0.001")
    assert result.stderr == f"{path}:2: time was up after 0.001 s\n"
    assert objects(result)[0]["error"] == result.stderr.rstrip()


def test_the_output_of_other_records_is_not_gone_on_with(deals: Path, out: Path, tmp_path: Path) -> None:
    run("batch", str(deals), "-o", str(out))
    other = tmp_path / "other.txt"
    other.write_text(endings(41))
    assert_refused(
        run("batch", str(other), "-o", str(out), "--resume"), f"{other}:1: this is not record 1 of {out}"
    )
    other.write_text("\n".join(deals.read_text().splitlines()[:20]))
    assert_refused(
        run("batch", str(other), "-o", str(out), "--resume"), "it has a record 40, but there are only 19"
    )


@pytest.mark.parametrize(
    "text", ['{"id": "1"}\n', "nonsense\n", "[]\n", '{"id": 1, "number": 99999999999, "record": "x"}\n']
)
def test_what_is_no_output_is_not_gone_on_with(deals: Path, out: Path, text: str) -> None:
    out.write_text(text)
    assert_refused(run("batch", str(deals), "-o", str(out), "--resume"), str(out), "expected what an earlier")
    assert out.read_text() == text


def test_two_runs_do_not_write_into_the_same_file(deals: Path, out: Path) -> None:
    with OutputLock(str(out)):
        assert_refused(run("batch", str(deals), "-o", str(out)), f"{out}: another run is writing into it")
        out.write_text("precious\n")
        assert_refused(run("batch", str(deals), "-o", str(out), "--resume"), "another run is writing into it")
    assert out.read_text() == "precious\n"


def test_a_file_that_takes_the_place_of_a_locked_one_is_locked_too(out: Path) -> None:
    with OutputLock(str(out)) as lock:
        new = out.with_suffix(".new")
        new.write_text("x\n")
        new.replace(out)
        lock.renew()
        with pytest.raises(InputError, match="another run"):
            OutputLock(str(out))


def test_an_output_into_which_nothing_was_written_does_not_stay(tmp_path: Path, out: Path) -> None:
    assert_refused(run("batch", "nowhere.txt", "-o", str(out)), "nowhere.txt: cannot be read")
    assert not out.exists()


def test_a_packed_output_behind_a_link_stays_there_and_its_neighbours_too(
    deals: Path, tmp_path: Path
) -> None:
    (tmp_path / "real").mkdir()
    out, real = tmp_path / "out.jsonl.gz", tmp_path / "real" / "values.gz"
    neighbour = tmp_path / "real" / "values.gz.new"
    neighbour.write_text("precious\n")
    out.symlink_to(real)
    whole = run("batch", str(deals)).stdout
    run("batch", str(deals), "-o", str(out))
    real.chmod(0o640)
    real.write_bytes(real.read_bytes()[:-20])
    assert run("batch", str(deals), "-o", str(out), "--resume").exit_code == 1
    assert out.is_symlink()
    assert gzip.decompress(real.read_bytes()).decode() == whole
    assert real.stat().st_mode & 0o777 == 0o640
    assert neighbour.read_text() == "precious\n"
    assert sorted(each.name for each in real.parent.iterdir()) == ["values.gz", "values.gz.new"]


@posix
@pytest.mark.parametrize("suffix", [".jsonl", ".jsonl.gz"])
def test_what_the_system_takes_in_parts_is_written_whole(
    deals: Path, tmp_path: Path, suffix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, write = run("batch", str(deals)).stdout, os.write
    monkeypatch.setattr("sgtmajor.cli.batch_output.os.write", lambda file, data: write(file, data[:7]))
    out = tmp_path / f"out{suffix}"
    run("batch", str(deals), "-o", str(out))
    found = out.read_bytes()
    assert (gzip.decompress(found) if suffix.endswith(".gz") else found).decode() == whole


def test_other_records_are_refused_before_a_torn_line_is_cut_off(
    deals: Path, out: Path, tmp_path: Path
) -> None:
    run("batch", str(deals), "-o", str(out))
    out.write_bytes(out.read_bytes()[:-5])
    before = out.read_bytes()
    other = tmp_path / "other.txt"
    other.write_text(endings(41))
    assert_refused(run("batch", str(other), "-o", str(out), "--resume"), "this is not record 1 of")
    assert out.read_bytes() == before


def test_an_analysis_cut_short_does_not_speak_against_an_earlier_one(
    tmp_path: Path, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "deals.txt"
    path.write_text(f"{KITTY}\n{KITTY}\n")
    arguments = ["batch", str(path), "--task", "analyze", "--seconds", "60", "-o", str(out)]
    whole = run(*arguments[:-2]).stdout
    out.write_text(whole.splitlines(keepends=True)[0])

    monkeypatch.setattr(Analysis, "complete", False)
    assert run(*arguments, "--resume").exit_code == 0
    assert out.read_text().startswith(whole.splitlines(keepends=True)[0])
    assert out.read_text().count("\n") == 2


# As a process.


def start(*arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "sgtmajor", "batch", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@posix
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_killed_at_any_moment_nothing_is_lost_or_doubled(tmp_path: Path, seed: int) -> None:
    rng = Random(seed)
    path, out = tmp_path / "deals.txt", tmp_path / "out.jsonl"
    path.write_text(endings(300, size=7))
    whole = run("batch", str(path)).stdout
    part = rng.randrange(1, len(whole) // 2)
    with start(str(path), "-o", str(out)) as process:
        while not (out.exists() and out.stat().st_size >= part) and process.poll() is None:
            time.sleep(0.001)
        assert process.poll() is None, "it was killed after the end"
        process.kill()
    kept = [line for line in out.read_text().splitlines(keepends=True) if line.endswith("\n")]
    assert whole.startswith("".join(kept))
    assert run("batch", str(path), "-o", str(out), "--resume").exit_code == 0
    assert out.read_text() == whole


@posix
def test_ctrl_c_ends_at_once_and_keeps_what_is_written(tmp_path: Path) -> None:
    path, out = tmp_path / "deals.txt", tmp_path / "out.jsonl"
    path.write_text(
        endings(3) + "D:AT76.K8.AJ842.KJ763 K8.973.KT763.AQ9542 QJ9543.AQJT654.Q5.8 trump=N\n" * 99
    )
    with start(str(path), "-o", str(out), "--task", "trumps") as process:
        while not (out.exists() and out.read_text().count("\n") >= 3) and process.poll() is None:
            time.sleep(0.01)
        started = time.perf_counter()
        process.send_signal(signal.SIGINT)
        try:
            _, stderr = process.communicate(timeout=20)
        finally:
            process.kill()
        assert time.perf_counter() - started < 3
    assert (process.returncode, stderr) == (130, "interrupted\n")
    assert [json.loads(line)["number"] for line in out.read_text().splitlines()][:3] == [1, 2, 3]


@posix
def test_a_full_disk_and_a_closed_pipe_are_one_line(deals: Path) -> None:
    full = subprocess.run(
        [sys.executable, "-m", "sgtmajor", "batch", str(deals), "-o", "/dev/full"],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (full.returncode, full.stderr) == (
        1,
        "sgtmajor: cannot write the output: No space left on device\n",
    )
    process = start(str(deals))
    assert process.stdout
    assert process.stderr
    process.stdout.close()
    stderr = process.stderr.read()
    assert process.wait(timeout=60) == 1
    assert stderr.startswith("sgtmajor: the output was closed before all records were done")
    assert stderr.count("\n") == 1
    process.stderr.close()


def test_csv_is_read_back_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "odd.txt"
    path.write_bytes(b'a,"b\r\x0b\x1c,c"\n' + endings(2).encode())
    result = run("batch", "--format", "csv", str(path))
    rows = list(csv.DictReader(io.StringIO(result.stdout, newline="")))
    assert rows[0]["record"] == 'a,"b\r\x0b\x1c,c"'
    out = tmp_path / "out.csv"
    run("batch", "--format", "csv", str(path), "-o", str(out))
    out.write_bytes(out.read_bytes()[:-5])
    run("batch", "--format", "csv", str(path), "-o", str(out), "--resume")
    assert out.read_bytes() == result.stdout_bytes
