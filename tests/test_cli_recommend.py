"""The commands `recommend trump` and `recommend discard`: what they print, and what they say of bad input."""

from __future__ import annotations

import csv
import io
import json
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from test_cli import run

from sgtmajor.advice import DEFAULT_SECONDS, DEFAULT_SEED, MOST_ASKED, Effort
from sgtmajor.cli import advising, asking, main, recommend as command
from sgtmajor.cli.recommend_text import FEW_SAMPLES, _is_rival
from sgtmajor.errors import Interrupted
from sgtmajor.race import Estimate
from sgtmajor.recommend import DISCARDS, NO_TRUMP_FACTOR, TRUMP_DISCARDS, recommend_trump
from sgtmajor.sampling import FEW, MAX_SEED

SMALL = ["--hand", "AK..J.", "--pack", "AKQ.AK.AKJ.AK"]
WHOLE = "D:AK.5.3. QT.A..2 J9.K.Q. K:...A"


def test_the_text_names_the_trump_the_discard_and_what_it_does_not_know() -> None:
    result = run("recommend", "trump", *SMALL)
    assert result.exit_code == 0, result.stderr
    for words in (
        "D sees 3 cards, rules classic: D announces, D leads first",
        "all 140 deals that fit were solved: the numbers are exact",
        "bluff, and what hiding cards is worth, are not seen",
        "Best: D names ♠ trumps, lays aside ♦J",
    ):
        assert words in result.stdout
    assert "#" in result.stdout
    assert result.stderr == ""


def test_a_sampled_answer_says_how_many_samples_it_used_and_of_which_seed() -> None:
    result = run("recommend", "trump", *SMALL, "--samples", "12", "--seed", "5")
    assert "12 samples of 140 deals that fit (seed 5)" in result.stdout
    assert (
        run("recommend", "trump", *SMALL, "--samples", "12", "--seed", "5", "--jobs", "2").stdout
        == result.stdout
    )


def test_time_that_is_up_before_all_samples_is_told() -> None:
    hand = ["--hand", "AKQJ5.T98.A72.KJ543", "--trump", "S", "--discards", "1", "--jobs", "1"]
    result = run("recommend", "trump", *hand, "--samples", "9999", "--seconds", "1.5")
    assert "INCOMPLETE: stopped before all samples were solved" in result.stdout
    assert json.loads(run("recommend", "trump", *hand, "--seconds", "1.5", "--format", "json").stdout)[
        "complete"
    ]


def test_no_time_for_one_sample_says_what_to_do_and_what_the_rule_of_thumb_is() -> None:
    hand = ["--hand", "AKQJ5.T98.A72.KJ543", "--seconds", "0.001"]
    result = run("recommend", "trump", *hand)
    assert result.exit_code == 1
    assert result.stdout == ""
    assert "--seconds 60, or --samples 1 without --seconds" in result.stderr
    assert "by rule of thumb D names S and lays aside HT,H9,H8,D2" in result.stderr
    assert (
        "rule of thumb D names C and lays aside" in run("recommend", "discard", *hand, "--trump", "C").stderr
    )
    assert "names S\n" in run("recommend", "trump", *hand, "--rules", "pickup").stderr
    assert "rule of thumb" not in run("recommend", "trump", *hand, "--seat", "L").stderr


def test_an_option_that_was_dropped_early_is_no_rival_unless_it_is_ahead_after_all() -> None:
    def option(samples: int, behind: float) -> Any:
        return SimpleNamespace(values=(1.0,) * samples, behind=Estimate(behind, behind - 9, behind + 9))

    best = option(20, 0.0)
    assert _is_rival(option(20, -0.1), best)
    assert not _is_rival(option(2, -0.1), best)
    assert _is_rival(option(2, 0.1), best)


def test_few_samples_and_close_rivals_make_the_answer_less_than_firm() -> None:
    few = run("recommend", "discard", *SMALL, "--trump", "S", "--samples", "4").stdout
    assert "only 4 samples: not reliable, give --samples 40" in few
    assert "not told apart from it: ♠K" in few
    assert " to +" in few
    many = run("recommend", "discard", *SMALL, "--trump", "S", "--samples", "100").stdout
    assert "not reliable" not in many
    assert "not told apart" not in many
    one = run("recommend", "discard", *SMALL, "--trump", "S", "--samples", "1").stdout
    assert "(?: a single sample does not say how far off it may be)" in one
    exact = run("recommend", "discard", *SMALL, "--trump", "S").stdout
    assert "not reliable" not in exact
    assert "told apart" not in exact


def test_of_equal_options_of_an_exact_answer_the_others_are_called_as_good() -> None:
    # Hearts and diamonds are alike.
    hand = ["--hand", "A.2.2.", "--pack", "AKQ.AK2.AK2.A"]
    stdout = run("recommend", "discard", *hand, "--trump", "S").stdout
    assert "as good: ♦2" in stdout
    assert "-0.00" not in stdout


def test_the_text_says_what_its_tricks_are() -> None:
    share = run("recommend", "trump", *SMALL).stdout
    assert "Tricks are the share of D, guaranteed plus a third of what nobody is sure of" in share
    assert "Tricks are what D is sure of" in run("recommend", "trump", *SMALL, "--by", "guaranteed").stdout
    only = run("recommend", "discard", "D:A... Q... ? trump=S", "--pack", "AKQ...").stdout
    assert "the only deal that fits was solved" in only


def test_json_has_the_keys_of_the_output_contract() -> None:
    answer = json.loads(run("recommend", "discard", *SMALL, "--trump", "S", "--format", "json").stdout)
    assert answer["seen"] == "D:AK..J. ? ? K:?"
    assert answer["samples"] == 140
    assert answer["exact"] is True
    assert answer["best"] == answer["options"][0]
    assert answer["best"]["trump"] == "S"
    assert answer["best"]["discard"] == ["DJ"]
    assert {"tricks", "ci95"} <= set(answer["best"])


def test_csv_has_a_row_for_each_option() -> None:
    rows = list(csv.DictReader(io.StringIO(run("recommend", "trump", *SMALL, "--format", "csv").stdout)))
    assert [row["place"] for row in rows] == ["1", "2", "3", "4"]
    assert rows[0]["trump"] == "S"
    assert rows[0]["discard"] == "DJ"
    assert rows[0]["exact"] == "true"
    document = (Path(__file__).parent.parent / "docs" / "output.md").read_text(encoding="utf-8")
    columns = {*advising.FIRST_COLUMNS, *command.CHOICE_COLUMNS, *advising.LAST_COLUMNS}
    assert columns <= set(re.findall(r"`(\w+)`", document))


def test_another_seat_is_told_what_to_expect() -> None:
    result = run("recommend", "trump", *SMALL, "--seat", "L", "--trump", "S")
    assert "L sees 3 cards" in result.stdout
    assert "D is taken to lay aside by rule of thumb" in result.stdout
    assert "lay aside  " not in result.stdout
    assert "L has a share of" in result.stdout
    sure = run("recommend", "trump", *SMALL, "--seat", "L", "--trump", "S", "--by", "guaranteed")
    assert "L is sure of" in sure.stdout


def test_with_the_kitty_taken_first_only_contracts_are_ranked() -> None:
    result = run("recommend", "trump", *SMALL, "--rules", "pickup", "--samples", "8")
    assert "the best discard found is laid aside, all cards in sight" in result.stdout
    assert "the numbers are exact" not in result.stdout
    assert "Best: D names ♠ trumps\n" in result.stdout
    result = run("recommend", "discard", *SMALL, "--rules", "pickup", "--kitty", "...A", "--trump", "S")
    assert "kitty  ♣A" in result.stdout
    assert "lays aside ♦J" in result.stdout


def test_a_whole_record_is_seen_with_the_eyes_of_the_announcer() -> None:
    answer = json.loads(run("recommend", "trump", WHOLE, "--samples", "4", "--format", "json").stdout)
    assert answer["seen"] == "D:AK.5.3. ? ? K:?"
    assert "A..2" not in json.dumps(answer)


def test_each_record_of_a_file_is_answered(tmp_path: Path) -> None:
    file = tmp_path / "deals.txt"
    file.write_text(f"{WHOLE} id=a\nD:AK ? ?\n{WHOLE} id=b\n")
    result = run("recommend", "discard", str(file), "--trump", "S", "--samples", "4", "--format", "json")
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    assert [answer["id"] for answer in answers] == ["a", "2", "b"]
    assert "four groups" in answers[1]["error"]
    assert f"{file}:2" in result.stderr
    assert result.exit_code == 1


def test_facts_are_taken_into_account_and_contradictions_named() -> None:
    answer = json.loads(
        run("recommend", "trump", *SMALL, "--holds", "L:HA,HK", "--lacks", "R:C", "--format", "json").stdout
    )
    assert answer["deals"] < 140
    result = run("recommend", "trump", *SMALL, "--holds", "L:HA", "--lacks", "L:H>Q")
    assert result.exit_code == 2
    assert (
        "no place is left for HA: L holds HA (--holds L:HA); L lacks HA,HK (--lacks L:H>Q)" in result.stderr
    )


def test_the_options_know_the_limits_of_the_library() -> None:
    assert asking.MAX_SEED == MAX_SEED
    assert asking.DEFAULT_SEED == DEFAULT_SEED
    assert asking.MOST_ASKED == MOST_ASKED
    assert f"default: {DEFAULT_SECONDS:g}; none if" in run("recommend", "trump", "--help").stdout


def test_the_document_of_the_advice_names_the_numbers_of_the_library() -> None:
    text = " ".join((Path(__file__).parent.parent / "docs" / "advice.md").read_text(encoding="utf-8").split())
    assert (
        f"{TRUMP_DISCARDS} for each contract of `recommend trump`, {DISCARDS} in `recommend discard`" in text
    )
    assert NO_TRUMP_FACTOR == 3
    assert "three times as many without trumps" in text
    assert f"few deals fit ({FEW:,}" in text
    assert f"`--seconds` ({DEFAULT_SECONDS:g})" in text
    assert f"fewer than {FEW_SAMPLES} samples" in text


def test_without_a_question_the_help_is_printed() -> None:
    result = run("recommend")
    assert result.exit_code == 0
    assert result.stdout == run("recommend", "--help").stdout


def test_an_exchange_that_is_owed_is_mentioned() -> None:
    note = "The exchange owed by up= has not been made"
    asked = ("recommend", "trump", f"{WHOLE} up=D:+1,L:-1,R:0", "--samples", "4")
    assert note in run(*asked).stdout
    assert note not in run(*asked, "--rules", "classic,exchange=none").stdout


@pytest.mark.parametrize("name", ["picture.png", "picture.svg"])
def test_the_picture_is_drawn(name: str, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    path = tmp_path / name
    result = run("recommend", "trump", *SMALL, "--plot", str(path))
    assert result.exit_code == 0
    start = path.read_bytes()[:200]
    assert start.startswith(b"\x89PNG") or b"<?xml" in start


def test_a_picture_that_cannot_be_written_costs_no_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    figure = pytest.importorskip("matplotlib.figure")

    def full(*arguments: object, **options: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(figure.Figure, "savefig", full)
    result = run("recommend", "trump", *SMALL, "--plot", str(tmp_path / "x.png"))
    assert "Best: D names" in result.stdout
    assert "the picture cannot be written: No space left" in result.stderr
    assert result.exit_code == 2


@pytest.mark.parametrize("name", ["folder.png", "x" * 300 + ".png", "x\0.png"])
def test_a_picture_of_a_name_that_no_file_can_have_is_refused_before_any_work(
    name: str, tmp_path: Path
) -> None:
    pytest.importorskip("matplotlib")
    (tmp_path / "folder.png").mkdir()
    result = run("recommend", "trump", *SMALL, "--plot", str(tmp_path / name))
    assert result.exit_code == 2
    assert result.stdout == ""
    assert "cannot be written" in result.stderr


@pytest.mark.parametrize("form", ["text", "json", "csv"])
def test_ctrl_c_prints_the_ranking_so_far(
    form: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    partial = recommend_trump(f"{WHOLE}", effort=Effort(samples=2, memory_mb=1))

    def interrupted(*arguments: object, **options: object) -> None:
        raise Interrupted(partial)

    monkeypatch.setattr("sgtmajor.recommend.recommend_trump", interrupted)
    with pytest.raises(KeyboardInterrupt):
        main.run(["recommend", "trump", *SMALL, "--format", form])
    printed = capsys.readouterr().out
    assert {"text": "Best: D names", "json": '"options"', "csv": ",true"}[form] in printed


def test_a_picture_without_a_folder_is_refused_before_any_work(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    result = run("recommend", "trump", *SMALL, "--plot", str(tmp_path / "no" / "folder.png"))
    assert result.exit_code == 2
    assert result.stdout == ""
    assert "is no folder, expected one that the picture can be put in" in result.stderr


def test_a_picture_of_several_records_is_refused_before_any_work(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    file = tmp_path / "two.txt"
    file.write_text(f"{WHOLE}\n\n{WHOLE}\n")
    result = run("recommend", "trump", str(file), "--plot", str(tmp_path / "x.png"))
    assert result.exit_code == 2
    assert result.stdout == ""
    assert f"{file}:3: --plot draws one record, expected no more" in result.stderr
    assert not (tmp_path / "x.png").exists()


def test_what_is_wrong_with_a_hand_is_told_without_a_column_of_a_record_that_nobody_wrote() -> None:
    assert run("recommend", "trump", "--hand", "AK..J.").stderr.startswith("a hand has 16 cards")
    assert run("recommend", "trump", "D:AK..J. ? ?").stderr.startswith("column 1: a hand has 16 cards")


def test_without_matplotlib_a_picture_is_refused_with_what_to_install(tmp_path: Path) -> None:
    program = (
        "import sys; sys.modules['matplotlib'] = None; sys.argv[1:] = sys.argv[1:]\n"
        "from sgtmajor.cli.main import main; main()"
    )
    arguments = ["recommend", "trump", *SMALL, "--plot", str(tmp_path / "x.png")]
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "python3 -m pip install matplotlib" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["trump"], "Expected either --hand or RECORD|FILE|-"),
        (["trump", WHOLE, *SMALL], "Expected either --hand or RECORD|FILE|-"),
        (["trump", "--hand", "AKQ"], "a hand has four groups"),
        (["trump", "--hand", "AKQ.2..."], "a hand has four groups"),
        (["trump", "--hand", "AKQ.2.."], "a hand has 16 cards, that of D 4"),
        (["trump", "--hand", "AKQJ5.T98.A72.KJ5432"], "a hand has 16 cards, that of D 17"),
        (["trump", "--hand", "AKQJ5.T98.A72.KJ54"], "a hand has 16 cards, that of D 15"),
        (["trump", "D:AKQJ5.T98.A72.KJ54 ? ? K:?"], "a hand has 16 cards, that of D 15"),
        (["trump", "--hand", "AK..J.", "--pack", "AKQJT9.AKQJT9.AKQJT9."], "leave 9 for the kitty"),
        (["trump", "AKQJ5.T98.A72.KJ543"], "expected --hand before it"),
        (["discard", "--hand", "AKQJ5.T98.A72.KJT98765432", "--trump", "S"], "write it after K: (--kitty)"),
        (["trump", "--hand", "..."], "D holds 0 cards, expected 1 to 17"),
        (["trump", *SMALL, "--seat", "X"], "unknown seat 'X'"),
        (["trump", *SMALL, "--holds", "S2"], "says of no place"),
        (["trump", *SMALL, "--lacks", "L:S>"], "is nothing that a hand can lack"),
        (["trump", *SMALL, "--lacks", "L:S>A"], "is no card at all"),
        (["trump", "D:? AKQJ5.T98.A72.KJ543 ?", "--seat", "R"], "another seat to ask (--seat)"),
        (["trump", "D:AK..J. ? ? give=R>L:SA", "--pack", "AKQ.AK.AKJ.AK"], "D holds SA, so R cannot give it"),
        (["trump", "D:AK..J. ? ? give=R>L:S2", "--pack", "AKQ.AK.AKJ.AK"], "S2 is not in the pack"),
        (["trump", *SMALL, "--returned", "S2"], "S2 came back for no gift"),
        (["trump", *SMALL, "--samples", "0"], "samples"),
        (["trump", *SMALL, "--seed", "-1"], "seed"),
        (["trump", *SMALL, "--seconds", "0"], "time limit"),
        (["trump", *SMALL, "--plot", "x.jpg"], "ends in .png or .svg"),
        (["trump", "--hand", "AK..J.", "--pack", "AK.AKQ.AKQ.AK"], "DJ is not in the pack"),
        (["trump", '{"id": "D:?"}'], "there is no deal"),
        (["discard", *SMALL], "the trump is not given"),
        (["discard", *SMALL, "--trump", "S", "--kitty", "...A"], "has not seen the kitty"),
        (["discard", WHOLE, "--trump", "S", "--kitty", "...A"], "--kitty goes with --hand"),
        (
            ["discard", *SMALL, "--trump", "S", "--rules", "pickup"],
            "expected its cards, too, after K: or with --kitty",
        ),
        (["nothing"], "No such command"),
    ],
)
def test_bad_input_is_refused_in_one_line(arguments: list[str], message: str) -> None:
    result = run("recommend", *arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert message in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1
