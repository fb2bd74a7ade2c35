"""The command line: what it prints of the equilibrium, in each format, and what it says of bad input."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import pytest
from test_cli import FIVE, KITTY, objects, run

from sgtmajor.cli import analyze as analyze_command, options
from sgtmajor.equilibrium import DEFAULT_EQUILIBRIUM_MB, Estimate
from sgtmajor.trump import DEFAULT_CANDIDATES

SMALL = "D:AK.5.3. QT.A..2 J9.K.Q. K:...A rules=classic,targets=2-1-1"
WHOLE = "D:T865.Q9653.AJT64.K2 AK732.KT7.97.AQ9874 Q4.AJ82.KQ8532.JT65 trump=S lead=D"


def rows(text: str) -> list[dict[str, Any]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_the_defaults_of_the_library_are_those_of_the_options() -> None:
    assert options.DEFAULT_EQUILIBRIUM_MB == DEFAULT_EQUILIBRIUM_MB
    assert analyze_command.DEFAULT_CANDIDATES == DEFAULT_CANDIDATES


def test_solve_prints_the_equilibrium_only_if_asked() -> None:
    assert "equilibrium" not in run("solve", FIVE).stdout
    result = run("solve", "--equilibrium", "--cards", "--line", FIVE)
    assert result.exit_code == 0
    assert "equilibrium   1.00   3.50   0.50  expected, each playing for himself\n" in result.stdout
    assert "L to play, best card by equilibrium first" in result.stdout
    assert "the best card by equilibrium each time" in result.stdout


def test_a_rule_for_ties_that_is_not_neutral_is_told() -> None:
    result = run("solve", "--equilibrium", "--ties", "for:L", FIVE)
    assert "expected, each playing for himself, ties for:L" in result.stdout


def test_json_has_the_equilibrium_by_seat_and_by_card() -> None:
    (found,) = objects(run("solve", "--equilibrium", "--cards", "--format", "json", FIVE))
    assert found["equilibrium"] == {"D": 1.0, "L": 3.5, "R": 0.5}
    assert found["ties"] == "neutral"
    assert found["cards"][0]["equilibrium"] == 3.5
    assert sum(found["cards"][0]["seats"]["equilibrium"].values()) == pytest.approx(5)


def test_csv_has_columns_for_it_only_if_asked() -> None:
    (plain,) = rows(run("solve", "--format", "csv", FIVE).stdout)
    (found,) = rows(run("solve", "--equilibrium", "--format", "csv", FIVE).stdout)
    assert set(found) - set(plain) == {"ties", "equilibrium_D", "equilibrium_L", "equilibrium_R"}
    assert found["equilibrium_L"] == "3.5"


def test_several_records_are_rows_with_the_equilibrium() -> None:
    result = run("solve", "--equilibrium", "-", stdin=f"{FIVE}\n{FIVE} id=again\n")
    lines = result.stdout.splitlines()
    assert "equilibrium" in lines[0]
    assert lines[2].split()[10:13] == ["1.00", "3.50", "0.50"]
    assert len(lines) == 4


def test_what_does_not_fit_is_one_line_that_says_what_to_do() -> None:
    result = run("solve", "--equilibrium", "--equilibrium-memory", "1", WHOLE)
    assert result.exit_code == 1
    assert "16 tricks do not fit into 1 MiB" in result.stderr
    assert "--equilibrium-memory" in result.stderr
    assert "tricks later in the play" in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_what_does_not_fit_leaves_the_other_numbers_and_the_other_records() -> None:
    arguments = ("solve", "--equilibrium", "--equilibrium-memory", "1")
    alone = run(*arguments, WHOLE).stdout.splitlines()
    assert [line.split()[1:4] for line in alone if line.startswith("  guaranteed")] == [["2", "6", "1"]]
    both = run(*arguments, "-", stdin=f"{WHOLE}\n{FIVE}\n")
    assert both.exit_code == 1
    lines = both.stdout.splitlines()
    assert lines[2].split()[4:] == ["2", "6", "1", "4.33", "8.33", "3.33", "-", "-", "-", "9", "13", "8"]
    assert lines[3].split()[10:13] == ["1.00", "3.50", "0.50"]
    table = rows(run(*arguments, "--format", "csv", "-", stdin=f"{WHOLE}\n{FIVE}\n").stdout)
    assert [row["guaranteed_D"] for row in table] == ["2", "1"]
    assert [row["equilibrium_D"] for row in table] == ["", "1.0"]
    assert ["do not fit" in row["error"] for row in table] == [True, False]


def test_analyze_by_equilibrium_keeps_what_it_knows_if_memory_is_too_little() -> None:
    arguments = ("analyze", "--by", "equilibrium", "--equilibrium-memory", "1", "--trump", "S,N")
    limits = ("--seconds", "2")
    result = run(*arguments, *limits, WHOLE)
    assert result.exit_code == 1
    assert "INCOMPLETE: not every candidate fits into the memory." in result.stdout
    assert "the share stands in for it" in result.stdout
    assert "Best so far: D names" in result.stdout
    assert "Then: NT not compared" in result.stdout
    assert "--equilibrium-memory), or analyze by share" in result.stderr
    assert "later in the play" not in result.stderr
    table = rows(run(*arguments, *limits, "--format", "csv", WHOLE).stdout)
    assert {row["trump"] for row in table} == {"S", "N"}
    assert all(row["share_D"] and row["error"] and not row["equilibrium_D"] for row in table)


def test_analyze_by_equilibrium_prints_the_best_so_far_if_time_is_up() -> None:
    result = run("analyze", "--by", "equilibrium", "--seconds", "2", "--trump", "S,N", WHOLE)
    assert result.exit_code == 0
    assert "INCOMPLETE: time was up." in result.stdout
    assert "Best so far: D names" in result.stdout


def test_time_that_is_up_leaves_the_other_numbers() -> None:
    result = run("solve", "--equilibrium", "--cards", "--seconds", "0.5", "--format", "json", WHOLE)
    (found,) = objects(result)
    assert "time was up" in found["error"]
    assert "equilibrium" not in found


@pytest.mark.parametrize("text", ["best", "against", "for:X", "neutral:L"])
def test_a_rule_for_ties_that_is_none_is_a_usage_error(text: str) -> None:
    result = run("solve", "--equilibrium", "--ties", text, FIVE)
    assert result.exit_code == 2
    assert "--ties" in result.stderr


@pytest.mark.parametrize("option", [("--ties", "against:L"), ("--equilibrium-memory", "99")])
@pytest.mark.parametrize(
    ("arguments", "needed"),
    [
        (("solve", FIVE), "--equilibrium"),
        (("analyze", SMALL), "--by equilibrium"),
        (("review", f"{FIVE} play=S8"), "--by equilibrium"),
    ],
)
def test_what_is_about_an_equilibrium_is_a_usage_error_without_one(
    arguments: tuple[str, ...], needed: str, option: tuple[str, ...]
) -> None:
    result = run(*arguments, *option)
    assert result.exit_code == 2
    assert f"{option[0]} is about the equilibrium: expected {needed} with it." in result.stderr


def test_a_record_that_does_not_fit_does_not_stop_a_review_of_the_others(tmp_path: Path) -> None:
    path = tmp_path / "played.txt"
    small = "D:AK.5.. Q.A.2. JT.K.. trump=S play=SK,SQ,ST"
    path.write_text(f"{small}\n{WHOLE} play=S8\n{small}\n")
    result = run("review", "--by", "equilibrium", "--equilibrium-memory", "1", "--format", "json", str(path))
    assert result.exit_code == 1
    assert ["error" in each for each in objects(result)] == [False, True, False]
    assert result.stderr.startswith(f"{path}:2: the positions of 16 tricks do not fit into 1 MiB")


def test_the_time_of_an_equilibrium_is_in_the_seconds() -> None:
    ten = "D:K8532.95.5.AT 964.T3.AJ.KJ8 Q.AK6.T7.Q754 trump=H lead=L"
    (plain,) = objects(run("solve", "--format", "json", ten))
    (expected,) = objects(run("solve", "--equilibrium", "--format", "json", ten))
    assert expected["seconds"] > plain["seconds"]


def test_a_best_line_keeps_to_the_rule_for_ties() -> None:
    ending = "D:..82. .4.4. 6.K.. trump=H lead=D play=D8,D4"
    arguments = ["solve", "--equilibrium", "--ties", "against:D", "--line", "--cards", "--format", "json"]
    (found,) = objects(run(*arguments, ending))
    assert found["equilibrium"] == {"D": 0, "L": 1, "R": 1}
    assert found["line"][0] == found["cards"][0]["card"] == "HK"


def test_candidates_without_an_equilibrium_are_a_usage_error() -> None:
    result = run("analyze", SMALL, "--candidates", "3")
    assert result.exit_code == 2
    assert "--candidates is about the equilibrium: expected --by equilibrium with it." in result.stderr


def test_what_may_not_fit_is_told_before_it_is_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    likely = Estimate(3 << 20)
    monkeypatch.setattr("sgtmajor.equilibrium.estimate", lambda position: likely)
    # A limit of time: it is told, whatever becomes of it.
    told = run("solve", "--equilibrium", "--equilibrium-memory", "64", "--seconds", "1.5", WHOLE).stderr
    needs = f"needs roughly {likely.memory_mb} MiB, more than the 64 allowed"
    assert told.startswith(f"sgtmajor: the equilibrium {needs}")
    assert "needs roughly" not in run("solve", "--equilibrium", "--equilibrium-memory", "1", FIVE).stderr


def test_analyze_by_equilibrium_says_what_was_compared() -> None:
    result = run("analyze", "--by", "equilibrium", SMALL)
    assert result.exit_code == 0
    assert "Contracts and discards are ranked by equilibrium of D." in result.stdout
    assert "Candidates: only 2 discards a contract were compared" in result.stdout
    assert "points by equilibrium" in result.stdout


def test_analyze_by_equilibrium_in_json_and_csv() -> None:
    arguments = ("analyze", "--by", "equilibrium", "--candidates", "3", "--ties", "against:D", "--format")
    (found,) = objects(run(*arguments, "json", SMALL))
    best = found["trumps"][found["best"]["trump"]]
    assert found["ties"] == "against:D"
    assert best["candidates"] == best["compared"] >= 3
    assert best["points"] == {
        seat: round(best["equilibrium"][seat] - target, 3)
        for seat, target in {"D": 2, "L": 1, "R": 1}.items()
    }
    first = rows(run(*arguments, "csv", KITTY).stdout)[0]
    assert (first["by"], first["ties"], first["complete"]) == ("equilibrium", "against:D", "true")
    assert float(first["equilibrium_D"]) == best["equilibrium"]["D"]
