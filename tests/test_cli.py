"""The command line: what the commands print, in each format, and what they say of bad input."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import shlex
import stat
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result

from sgtmajor import (
    PRESETS,
    Bounds,
    Record,
    SearchStopped,
    Solver,
    Trump,
    analyze,
    engine,
    solve,
    yardstick,
)
from sgtmajor.cli import main as cli_main, options
from sgtmajor.cli.group import COMMANDS, program

THREE = "D:AK.5.. Q.A.2. JT.K.. trump=S"
FIVE = "D:A5.QJ.K. 84.K.A9. K.T8.J4. trump=S lead=L"
KITTY = "D:AK.5.3. QT.A..2 J9.K.Q. K:...A"
FULL = "D:AT76.K8.AJ842.KJ763 K8.973.KT763.AQ9542 QJ9543.AQJT654.Q5.8"  # the kitty is what is left
TWICE = "D:AK.5.. A.A.2. JT.K.. trump=S"
COMMAND_LINES = [["solve", THREE], ["analyze", KITTY], ["rules"], ["completion", "bash"]]


class Program:
    """What the click test runner needs of a command: the real entry point with its exit codes."""

    name = "sgtmajor"

    def main(self, args: list[str], prog_name: str, **extra: Any) -> None:
        sys.exit(cli_main.run(list(args)))


def run(*arguments: str, stdin: str | bytes | None = None) -> Result:
    result = CliRunner().invoke(Program(), list(arguments), input=stdin)  # type: ignore[arg-type]
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def objects(result: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


def table(result: Result) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(result.stdout)))


def assert_refused(result: Result, *words: str) -> None:
    """Checks exit code 2 and exactly one line on stderr."""
    assert result.exit_code == 2, result.output
    assert result.stderr.count("\n") == 1, result.stderr
    assert result.stderr.endswith("\n")
    assert "Traceback" not in result.output
    for word in words:
        assert word in result.stderr


# What is repeated so that the command line starts fast.


def test_the_options_repeat_what_the_library_says() -> None:
    assert tuple(PRESETS) == options.PRESET_NAMES
    assert tuple(map(str, Trump)) == options.TRUMP_LETTERS
    assert options.YARDSTICKS == yardstick.YARDSTICKS
    assert options.DEFAULT_MEMORY_MB == engine.DEFAULT_MEMORY_MB
    assert options.MAX_MEMORY_MB == engine._MAX_MEMORY_MB


# Help.


def test_a_call_without_arguments_prints_the_help() -> None:
    result = run()
    assert result.exit_code == 0
    assert result.stdout == run("--help").stdout
    for name in COMMANDS:
        assert f"\n  {name} " in result.stdout


def command_names() -> list[str]:
    """Returns all commands, those within a group too, such as ``recommend trump``."""
    names = []
    with click.Context(program) as context:
        for name in COMMANDS:
            command = program.get_command(context, name)
            names.append(name)
            names += (
                [f"{name} {each}" for each in command.commands] if isinstance(command, click.Group) else []
            )
    return names


@pytest.mark.parametrize("name", command_names())
def test_each_command_has_help_with_examples(name: str) -> None:
    result = run(*name.split(), "--help")
    assert result.exit_code == 0
    assert "Examples:" in result.stdout
    assert result.stdout == run(*name.split(), "-h").stdout
    assert max(map(len, result.stdout.splitlines())) <= 88


def examples() -> list[str]:
    helps = [run("--help").stdout, *(run(*name.split(), "--help").stdout for name in command_names())]
    lines = dict.fromkeys(
        line.strip() for text in helps for line in text.partition("Examples:")[2].splitlines()
    )
    return [line for line in lines if "sgtmajor " in line]


def test_there_are_examples() -> None:
    assert len(examples()) >= 15


@pytest.mark.parametrize("line", examples())
def test_the_examples_of_the_help_work(line: str, tmp_path: Path) -> None:
    (tmp_path / "deals.txt").write_text(f"# two deals\n{THREE}\n{KITTY} trump=N id=second\n")
    (tmp_path / "values.jsonl").write_text(run("batch", "-", stdin=THREE).stdout)
    command = tmp_path / "sgtmajor"
    command.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m sgtmajor "$@"\n')
    command.chmod(command.stat().st_mode | stat.S_IEXEC)
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["sh", "-c", line],
        cwd=tmp_path,
        env=os.environ | {"PATH": path},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, "")
    written = re.search(r" (?:>|-o) (\S+)", line)
    assert (tmp_path / written[1]).stat().st_size if written else done.stdout.strip()


# solve.


def test_solve_prints_the_hands_and_the_three_numbers() -> None:
    lines = run("solve", FIVE).stdout.splitlines()
    assert lines[0] == "5 tricks, ♠ trumps, L leads, all cards open"
    assert "  L  leads        R" in lines
    assert "          ♥ QJ" in lines
    assert "  guaranteed      1      2      0  whatever the other two do, even together" in lines
    assert any(line.startswith("  share        1.67   2.67   0.67") for line in lines)
    assert any(line.startswith("  ceiling         3      4      2") for line in lines)


def test_solve_prints_the_cards_of_the_seat_to_play_best_first() -> None:
    text = run("solve", "--cards", FIVE).stdout
    rows = text[text.index("L to play") :].splitlines()[3:]
    solution = solve(FIVE, cards=True)
    assert solution.cards is not None
    assert len(rows) == len(solution.cards)
    for row, card in zip(rows, solution.cards, strict=True):
        name, *numbers = row.split()
        assert name[1] == str(card.card)[1]
        assert numbers[:3] == list(map(str, card.values.guaranteed.values()))


def test_equal_cards_are_one_row() -> None:
    text = run("solve", "--cards", THREE).stdout
    assert "  ♠AK " in text
    assert "  (cards in one row are equal)" in text


def test_solve_says_what_each_card_does_to_the_other_seats() -> None:
    lines = run("solve", "--cards", f"{FIVE} play=S8,SK").stdout.splitlines()
    rows = {line.split()[0]: line.split()[-3:] for line in lines[-2:]}
    assert rows == {"♠A": ["-", "-", "-"], "♠5": ["-1.00", "-", "+1.00"]}
    (found,) = objects(run("solve", "--cards", "--format", "json", f"{FIVE} play=S8,SK"))
    assert found["cards"][1]["gains"] == {
        "guaranteed": {"D": -1, "L": 0, "R": 1},
        "share": {"D": -1.0, "L": 0.0, "R": 1.0},
    }


def test_solve_prints_a_tree_of_the_best_line() -> None:
    lines = run("solve", "--tree", "2", f"{FIVE} play=S8,SK").stdout.splitlines()
    assert "D plays ♠A to ♠8 ♠K" in lines
    assert "D plays ♠5" in lines
    (found,) = objects(run("solve", "--tree", "2", "--format", "json", f"{FIVE} play=S8,SK"))
    assert [(fork["seat"], fork["card"], fork["tricks"]) for fork in found["tree"]] == [
        ("D", "SA", 5),
        ("D", "S5", 4),
    ]
    assert [card["card"] for card in found["tree"][0]["cards"]] == ["SA", "S5"]
    assert_refused(run("solve", "--tree", "2", "--format", "csv", FIVE), "--tree", "csv has one row a record")


def test_solve_prints_a_line_trick_by_trick() -> None:
    text = run("solve", "--line", FIVE).stdout
    rows = text[text.index("One best line") :].splitlines()[1:]
    assert len(rows) == 6
    assert rows[0] == "   1   L ♠4   R ♠K   D ♠5   R wins"
    assert rows[5].strip() == "D 1, L 2, R 2"


def test_the_tricks_of_a_line_are_numbered_from_those_that_were_played() -> None:
    text = run("solve", "--line", f"{THREE} play=H5,HA,HK").stdout
    rows = text[text.index("One best line") :].splitlines()[1:]
    assert [row.split()[0] for row in rows[:2]] == ["2", "3"]


def test_a_line_starts_with_the_trick_in_progress() -> None:
    text = run("solve", "--line", "D:A5.QJ.. 84.K.A9. K.T8.J4. trump=S lead=D trick=DK").stdout
    assert "D led" in text
    assert "D  played ♦K" in text
    assert "L  to play" in text
    assert "   1   D ♦K   L ♦" in text


def test_tricks_that_were_played_are_told() -> None:
    text = run("solve", f"{THREE} play=H5,HA,HK").stdout
    assert "2 tricks, ♠ trumps, L leads" in text
    assert "taken before: D 0, L 1, R 0" in text


def test_a_play_that_is_over_has_no_tricks_left() -> None:
    played = "D:A... K... Q... trump=S play=SA,SK,SQ"
    result = run("solve", "--cards", "--line", played)
    assert result.exit_code == 0
    assert result.stdout.startswith("0 tricks, ")
    assert "All cards are played: sgtmajor review looks back at the play." in result.stdout
    assert "guaranteed" not in result.stdout
    assert objects(run("solve", "--format", "json", played))[0]["guaranteed"] == {"D": 0, "L": 0, "R": 0}


def test_json_has_the_keys_of_the_contract() -> None:
    (plain,) = objects(run("solve", "--format", "json", FIVE))
    assert list(plain) == ["id", "record", "tricks", "guaranteed", "ceiling", "share", "nodes", "seconds"]
    assert plain["id"] == "1"
    assert Record.parse(plain["record"]) == Record.parse(FIVE)
    assert plain["guaranteed"] == {"D": 1, "L": 2, "R": 0}
    assert plain["ceiling"] == {"D": 3, "L": 4, "R": 2}
    assert plain["share"] == {"D": 1.667, "L": 2.667, "R": 0.667}
    (full,) = objects(run("solve", "--format", "json", "--cards", "--line", FIVE))
    assert list(full) == [*list(plain)[:6], "cards", "line", *list(plain)[6:]]
    assert list(full["cards"][0]) == ["card", "equals", "guaranteed", "ceiling", "share", "seats", "gains"]
    assert len(full["line"]) == 15
    assert full["line"][:3] == ["S4", "SK", "S5"]


def test_the_id_is_the_records_or_the_line_number() -> None:
    stdin = f"# comment\n\n{THREE}\n{THREE} id=board-7\n"
    found = objects(run("solve", "-", "--format", "json", stdin=stdin))
    assert [each["id"] for each in found] == ["3", "board-7"]
    assert [each["record"].endswith("id=board-7") for each in found] == [False, True]


def test_csv_has_a_heading_and_a_row_a_record() -> None:
    result = run("solve", "-", "--format", "csv", stdin=f"{THREE}\n{TWICE}\n{FIVE}\n")
    heading = result.stdout.splitlines()[0]
    assert heading == (
        "id,record,tricks,trump,lead,guaranteed_D,guaranteed_L,guaranteed_R,ceiling_D,ceiling_L,ceiling_R,"
        "share_D,share_L,share_R,nodes,seconds,error"
    )
    first, bad, last = table(result)
    assert [first["id"], bad["id"], last["id"]] == ["1", "2", "3"]
    assert (last["tricks"], last["trump"], last["lead"]) == ("5", "S", "L")
    assert (first["guaranteed_D"], first["share_L"], first["error"]) == ("2", "1.0", "")
    assert (bad["tricks"], bad["record"]) == ("", TWICE)
    assert "SA is held by both D and L" in bad["error"]
    assert last["guaranteed_L"] == "2"


def test_several_records_are_rows_of_one_table() -> None:
    result = run("solve", "-", stdin=f"{THREE} id=first\n{FIVE}\n{FULL} trump=S id=full\n")
    lines = result.stdout.splitlines()
    assert len(lines) == 5
    assert " ".join(lines[2].split()) == "first 3 ♠ D 2 1 0 2.00 1.00 0.00 2 1 0"
    assert lines[3].split()[:4] == ["2", "5", "♠", "L"]
    # Shares with two digits before the point stay in their column.
    assert lines[4].index(".") == lines[2].index(".")


@pytest.mark.parametrize("options", [[], ["--cards", "--line"]])
def test_a_single_record_is_reported_in_full_wherever_it_comes_from(
    options: list[str], tmp_path: Path
) -> None:
    expected = run("solve", FIVE, *options).stdout
    path = tmp_path / "deals.txt"
    path.write_text(f"# one deal\n\n{FIVE}\n")
    assert run("solve", str(path), *options).stdout == expected
    assert run("solve", "-", *options, stdin=FIVE).stdout == expected
    named = f"{FIVE} id=first"
    assert run("solve", "-", *options, stdin=named).stdout == run("solve", named, *options).stdout
    assert run("solve", named, *options).stdout == f"first: {expected}"


def test_records_with_details_are_blocks_with_their_ids() -> None:
    text = run("solve", "-", "--cards", stdin=f"{THREE} id=first\n{FIVE}\n").stdout
    assert text.startswith("first: 3 tricks")
    assert "\n\n2: 5 tricks" in text


def test_an_option_gives_the_trump_that_a_record_lacks() -> None:
    record = THREE.removesuffix(" trump=S")
    assert_refused(run("solve", record), "the trump is not given")
    (found,) = objects(run("solve", record, "--trump", "s", "--format", "json"))
    assert found["guaranteed"] == {"D": 2, "L": 1, "R": 0}
    assert "trump=S" in found["record"]


def test_options_take_the_place_of_what_the_record_says_before_it_is_checked() -> None:
    assert "no trump" in run("solve", THREE, "--trump", "N").stdout
    assert "L leads" in run("solve", THREE, "--rules", "eldest").stdout
    # Only the announcer of these rules can lay this card aside, and only with a trump can cards be played.
    record = "D:AK.5.3. QT.A..2 J9.K.Q. K:...A discard=SQ"
    assert_refused(run("solve", record, "--trump", "S"), "SQ")
    assert run("solve", record, "--trump", "S", "--rules", "polish").exit_code == 0
    assert run("solve", f"{THREE.removesuffix(' trump=S')} play=H5", "--trump", "S").exit_code == 0


def test_a_record_may_be_json() -> None:
    record = json.dumps(Record.parse(FIVE).to_dict())
    assert run("solve", record).stdout == run("solve", FIVE).stdout
    assert_refused(run("solve", '{"deal": 1'), "column")


def test_csv_refuses_what_has_no_column() -> None:
    for flag in ("--cards", "--line"):
        assert_refused(run("solve", "--format", "csv", flag, THREE), "--format text or json")


# When time is up.


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes a search of a full deal stop as if its time were up, with some bounds proven."""

    def stopped(self: Solver, *arguments: object) -> None:
        raise SearchStopped("stopped", Record.parse(THREE).deal.hands.of(lambda _: Bounds(5, 7)))

    monkeypatch.setattr(Solver, "run", stopped)


def test_bounds_are_printed_when_time_is_up(slow: None) -> None:
    result = run("solve", f"{FULL} trump=S", "--seconds", "0.5")
    assert result.exit_code == 1
    assert result.stderr == "sgtmajor: time was up after 0.5 s\n"
    assert "  guaranteed    5-7    5-7    5-7" in result.stdout
    assert "ceiling" not in result.stdout


def test_bounds_are_in_every_format_when_time_is_up(slow: None) -> None:
    arguments = ["solve", "-", "--seconds", "0.5"]
    stdin = f"{FULL} trump=S\n"
    (found,) = objects(run(*arguments, "--format", "json", stdin=stdin))
    assert list(found) == ["id", "record", "error", "bounds"]
    assert found["bounds"] == {"D": [5, 7], "L": [5, 7], "R": [5, 7]}
    (row,) = table(run(*arguments, "--format", "csv", stdin=stdin))
    assert (row["id"], row["tricks"], row["trump"], row["lead"]) == ("1", "16", "S", "D")
    assert (row["guaranteed_D"], row["share_D"]) == ("", "")
    assert row["error"] == "time was up after 0.5 s; guaranteed: D 5-7, L 5-7, R 5-7"
    result = run(*arguments, stdin=stdin * 2)
    assert result.stdout.splitlines()[-1].split() == ["2", "16", "♠", "D", "5-7", "5-7", "5-7"]
    assert result.stderr.splitlines()[1] == "<stdin>:2: time was up after 0.5 s"


def test_a_row_has_the_values_that_are_exact_when_time_is_up(monkeypatch: pytest.MonkeyPatch) -> None:
    bounds = replace(Record.parse(THREE).deal.hands, D=Bounds(5, 5), L=Bounds(0, 6), R=Bounds(0, 11))

    def stopped(self: Solver, *arguments: object) -> None:
        raise SearchStopped("stopped", bounds)

    monkeypatch.setattr(Solver, "run", stopped)
    (row,) = table(run("solve", f"{FULL} trump=S", "--seconds", "1", "--format", "csv"))
    assert [row[f"guaranteed_{seat}"] for seat in "DLR"] == ["5", "", ""]
    assert row["error"].endswith("; guaranteed: D 5, L 0-6, R 0-11")


@pytest.mark.parametrize(
    ("stuck", "options", "missing"),
    [
        ("cards", ["--cards"], "the cards"),
        ("cards", ["--cards", "--line"], "the cards and the line"),
        ("line", ["--cards", "--line"], "the line"),
        ("line", ["--line"], "the line"),
    ],
)
def test_values_that_are_exact_are_printed_although_time_is_up(
    stuck: str, options: list[str], missing: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(self: Solver, *arguments: object, **limits: object) -> None:
        raise SearchStopped("stopped", Record.parse(THREE).deal.hands.of(lambda _: Bounds(0, 1)))

    plain = run("solve", FIVE).stdout
    (whole,) = objects(run("solve", FIVE, "--format", "json"))
    monkeypatch.setattr(Solver, stuck, stopped)
    result = run("solve", FIVE, "--seconds", "9", *options)
    assert result.exit_code == 1
    assert result.stdout.startswith(plain)
    assert ("to play, best card" in result.stdout) == (stuck == "line" and "--cards" in options)
    assert result.stderr == f"sgtmajor: time was up after 9 s, before {missing}\n"
    (found,) = objects(run("solve", FIVE, "--seconds", "9", "--format", "json", *options))
    assert found["error"] == f"time was up after 9 s, before {missing}"
    assert whole.keys() <= found.keys()
    assert found["guaranteed"] == whole["guaranteed"]
    assert "bounds" not in found


def test_a_time_limit_holds_for_all_questions_about_a_record() -> None:
    result = run("solve", f"{FULL} trump=S", "--cards", "--line", "--seconds", "0.05", "--format", "json")
    assert result.exit_code == 1
    (found,) = objects(result)
    # A fast machine may have the values by then, but not the cards of the whole line.
    assert found["error"].startswith("time was up after 0.05 s")
    for lower, upper in found.get("bounds", {}).values():
        assert 0 <= lower <= upper <= 16


# analyze.


def test_every_analysis_names_what_it_rests_on() -> None:
    text = run("analyze", KITTY).stdout
    assert text.startswith("4 tricks, rules classic: D announces, D leads first\n")
    assert "ranked by share of D" in text
    assert "All cards are open" in text
    assert "not advice from one hand" in text
    assert "D  announces, leads    kitty" in text
    other = run("analyze", KITTY, "--rules", "polish,leader=second", "--by", "guaranteed").stdout
    assert other.startswith("4 tricks, rules polish,leader=second: L announces, R leads first\n")
    assert "ranked by guaranteed of L" in other


def test_an_analysis_shows_each_contract_and_what_to_name() -> None:
    lines = run("analyze", KITTY).stdout.splitlines()
    assert "  ♠      ♥5              3  0  0    3.33  0.33  0.33    4  1  1" in lines
    assert "Best: D names ♠ trumps, lays aside ♥5" in lines
    assert "      sure of 3 tricks, share 3.33, at most 4" in lines
    assert lines[-1].startswith("Then: ♣ as good   ♥ -0.33   ♦ -0.33")


def test_points_are_shown_where_the_targets_are_for_this_deal() -> None:
    text = run("analyze", KITTY, "--rules", "classic,targets=2-1-1").stdout
    assert "points by share" in text
    assert "+1.33  -0.67  -0.67" in text
    assert "target 2: +1.33" in text
    without = run("analyze", KITTY).stdout
    assert "No points: targets 8-5-3 are not for 4 tricks.\n" in without
    assert "points by share" not in without
    assert "No points" not in text


def test_an_exchange_that_was_not_made_is_told() -> None:
    note = "The exchange owed by up= has not been made: the hands are analyzed as written.\n"
    up = f"{KITTY} up=D:+1,L:-1,R:0"
    assert note in run("analyze", up).stdout
    for record in (KITTY, f"{KITTY} up=D:0,L:0,R:0", f"{up} give=D>L:D3"):
        assert note not in run("analyze", record).stdout


def test_alternatives_are_rows_of_their_contract() -> None:
    text = run("analyze", KITTY, "--alternatives", "2", "--trump", "S").stdout
    rows = text[text.index("trump ") :].splitlines()[1:4]
    assert rows[0].startswith("  ♠ ")
    assert [row[:9].strip() for row in rows[1:]] == ["", ""]
    (found,) = objects(run("analyze", KITTY, "--alternatives", "2", "--trump", "S", "--format", "json"))
    assert len(found["trumps"]["S"]["alternatives"]) == 2


@pytest.mark.parametrize(
    "arguments", [["--trump", "S,N"], ["--trump", "S", "--trump", "NT"], ["--trump", "♠,n,S"]]
)
def test_contracts_are_chosen_by_a_list_or_by_repeating(arguments: list[str]) -> None:
    (found,) = objects(run("analyze", KITTY, "--format", "json", *arguments))
    assert set(found["trumps"]) == {"S", "N"}


def test_the_json_of_an_analysis_has_the_keys_of_the_contract() -> None:
    (found,) = objects(run("analyze", KITTY, "--format", "json", "--rules", "classic,targets=2-1-1"))
    assert next(iter(found)) == "id"
    assert {"deal", "rules", "trumps", "best", "by", "leader", "announcer", "complete"} <= set(found)
    assert set(found["best"]) == {"trump", "discard"}
    contract = found["trumps"][found["best"]["trump"]]
    assert {"discard", "guaranteed", "ceiling", "share", "alternatives", "points"} <= set(contract)
    assert contract["discard"] == found["best"]["discard"]
    assert analyze(KITTY, rules="classic,targets=2-1-1").to_dict()["trumps"] == found["trumps"]


def test_the_csv_of_an_analysis_has_a_row_a_discard() -> None:
    result = run("analyze", "-", "--format", "csv", "--alternatives", "1", stdin=f"{KITTY}\n{TWICE}\n")
    *rows, bad = table(result)
    assert [row["trump"] for row in rows] == list("SSCCHHDD")
    assert [row["place"] for row in rows] == list("12121212")
    assert rows[0]["discard"] == "H5"
    assert rows[0]["complete"] == "true"
    assert [rows[0][f"target_{seat}"] for seat in "DLR"] == ["8", "5", "3"]
    assert "held by both" in bad["error"]
    assert result.exit_code == 1


def test_a_deal_without_a_kitty_is_analyzed_as_it_stands() -> None:
    text = run("analyze", THREE).stdout
    assert "kitty" not in text
    assert "lays aside" not in text
    assert "Best: D names " in text


def test_an_analysis_that_is_not_done_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    from sgtmajor import trump

    whole = analyze(KITTY, trumps=[Trump.S, Trump.H])
    spades, hearts = whole.contracts
    nothing = replace(hearts, ranking=(), searched=0)
    partial = replace(whole, contracts=(replace(spades, searched=1), nothing))
    monkeypatch.setattr(trump, "analyze", lambda *arguments, **options: partial)
    result = run("analyze", KITTY, "--seconds", "5")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert any(line.startswith("INCOMPLETE: time was up.") for line in lines)
    rows = [line.split()[:3] for line in lines]
    assert ["♠", "♥5", f"1/{spades.distinct}"] in rows
    assert ["♥", "?", f"0/{hearts.distinct}"] in rows
    assert lines[-1] == "Not looked at: ♥"
    (row,) = table(run("analyze", KITTY, "--format", "csv"))
    assert (row["trump"], row["complete"]) == ("S", "false")


def test_an_analysis_that_found_nothing_in_time_is_a_failure() -> None:
    result = run("analyze", FULL, "--seconds", "0.000001")
    assert result.exit_code == 1
    assert result.stdout == ""
    assert result.stderr == "sgtmajor: time was up after 1e-06 s, before any discard was valued\n"
    (found,) = objects(run("analyze", FULL, "--seconds", "0.000001", "--format", "json"))
    assert "before any discard" in found["error"]


def test_the_answer_does_not_depend_on_memory_or_threads() -> None:
    expected = run("analyze", KITTY).stdout
    for arguments in (["--memory", "1"], ["--jobs", "1"], ["--jobs", "1000000", "--memory", "3"]):
        assert run("analyze", KITTY, *arguments).stdout == expected
    assert run("solve", FIVE, "--memory", "1").stdout == run("solve", FIVE).stdout


# rules and completion.


def test_all_presets_are_shown_side_by_side() -> None:
    text = run("rules").stdout
    heading, *rows = text.splitlines()
    assert heading.split() == list(PRESETS)
    assert any(row.split() == ["targets", "D-L-R", "8-5-3", "8-5-3", "8-5-3", "3-8-5"] for row in rows)
    assert "Not covered: must-trump, must-beat, misère and counter-clockwise play." in text


def test_rules_are_shown_with_their_options() -> None:
    text = run("rules", "classic,leader=second,targets=9-5-2").stdout
    assert text.splitlines()[0].split() == ["classic,targets=9-5-2,leader=second"]
    assert "L (second)" in text


def test_the_json_of_rules_can_be_read_back() -> None:
    from sgtmajor import Rules

    found = objects(run("rules", "--format", "json"))
    assert [Rules.parse(each["rules"]) for each in found] == list(PRESETS.values())
    assert found[3]["targets"] == {"D": 3, "L": 8, "R": 5}
    assert found[3]["first_lead"] == "L"
    assert found[3]["contracts"] == list("SHDCN")


@pytest.mark.parametrize(("text", "words"), [("nonsense", "unknown rules"), ("must-trump", "not covered")])
def test_unknown_rules_are_refused(text: str, words: str) -> None:
    assert_refused(run("rules", text), words)
    assert_refused(run("solve", THREE, "--rules", text), "--rules", words)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_prints_a_script(shell: str) -> None:
    result = run("completion", shell)
    assert result.exit_code == 0
    assert "_SGTMAJOR_COMPLETE" in result.stdout


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("sgtmajor ", set(COMMANDS)),
        ("sgtmajor rules p", {"pickup", "polish"}),
        ("sgtmajor solve --rules e", {"eldest"}),
        ("sgtmajor analyze --trump n", {"N"}),
        ("sgtmajor analyze --by g", {"guaranteed"}),
    ],
)
def test_a_shell_is_offered_what_fits(words: str, offered: set[str], monkeypatch: pytest.MonkeyPatch) -> None:
    parts = words.split(" ")
    monkeypatch.setenv("_SGTMAJOR_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", words)
    monkeypatch.setenv("COMP_CWORD", str(len(parts) - 1))
    result = run()
    assert {line.split(",")[1] for line in result.stdout.splitlines()} == offered


# Bad input.


@pytest.mark.parametrize("command", ["solve", "analyze"])
@pytest.mark.parametrize(
    ("record", "words"),
    [
        (TWICE, ["column 10", "SA is held by both D and L"]),
        ("", ["no record"]),
        ("   ", ["no record"]),
        ("AK.5.. Q.A.2. JT.K.. trump=S", ["looks like a deal without its seat, expected D: in front"]),
        ("ak.5.3. QT.A..2 J9.K.Q. K:...A", ["looks like a deal without its seat"]),
        ("D:", ["three hands"]),
        ("D:A... K...", ["only 2 of three hands"]),
        ("X:A... K... Q...", ["unknown seat"]),
        ("D:A... K... Q... colour=S", ["unknown key", "column 18"]),
        ("D:A... K... Q... trump=Z", ["unknown trump", "column 24"]),
        ("D:A... K... Q...\nD:A... K... Q...", ["one line"]),
        ("D:A... K... 1...", ["unknown rank"]),
        ("D:A... K... Q... rules=bridge", ["unknown rules"]),
        ("D:" + "A" * 100_000 + "... K... Q...", ["SA is written twice"]),
        ("D:A... K... \x1b[31m...", ["unknown rank"]),
        ("D:A... K... \udc80...", ["unknown rank"]),
        ("D:A... K... Q... trump=S play=SK", ["trick 1"]),
        ('{"deal": "D:A... K... Q...", "x": 1}', ["unknown key"]),
        ("{" * 100_000, ["column"]),
    ],
)
def test_a_wrong_record_is_one_line_and_exit_code_2(command: str, record: str, words: list[str]) -> None:
    for form in ("text", "json", "csv"):
        assert_refused(run(command, record, "--format", form), *words)


def test_a_wrong_record_is_reported_in_place_and_the_others_are_solved() -> None:
    stdin = f"{THREE}\n{TWICE}\n{FIVE}\n"
    text = run("solve", "-", stdin=stdin)
    assert text.exit_code == 1
    assert text.stderr == "<stdin>:2:10: SA is held by both D and L\n"
    assert [line.split()[0] for line in text.stdout.splitlines()[2:]] == ["1", "3"]
    found = run("solve", "-", "--format", "json", stdin=stdin)
    assert found.exit_code == 1
    first, bad, last = objects(found)
    assert "error" not in first
    assert "error" not in last
    assert bad == {"id": "2", "record": TWICE, "error": "<stdin>:2:10: SA is held by both D and L"}


def test_a_record_without_a_position_to_solve_is_told_with_its_place() -> None:
    result = run("solve", "-", stdin=f"{THREE}\nD:A... K... Q...\n")
    assert result.exit_code == 1
    assert result.stderr.startswith("<stdin>:2: the trump is not given")


def test_the_only_record_of_a_file_being_wrong_is_bad_input(tmp_path: Path) -> None:
    path = tmp_path / "deals.txt"
    path.write_text(f"# one deal\n{TWICE}\n")
    assert_refused(run("solve", str(path)), f"{path}:2:10: SA is held by both D and L")


def test_files_that_cannot_be_read_are_one_line(tmp_path: Path) -> None:
    assert_refused(run("solve", str(tmp_path / "missing.txt")), "missing.txt", "No such file")
    assert_refused(run("solve", str(tmp_path)), str(tmp_path), "directory")
    assert_refused(run("solve", "missing"), "missing")
    assert_refused(run("solve", "x" * 100_000), "File name too long")
    assert_refused(run("solve", "nul\0byte"), "cannot be read")
    assert_refused(run("solve", "two\nlines\x1b[31m"), "two lines\\x1b[31m: cannot be read")
    for name, content in [
        ("empty", b""),
        ("blank", b"\n\n"),
        ("comments", b"# no deal\n"),
    ]:
        (tmp_path / name).write_bytes(content)
        assert_refused(run("solve", str(tmp_path / name)), name, "no records")
        assert_refused(run("analyze", "-", stdin=content), "<stdin>: no records")


def test_binary_files_are_one_line(tmp_path: Path) -> None:
    path = tmp_path / "binary"
    for content in (bytes(range(256)) * 100, b"\x7fELF\n\n\n\0\n\n", THREE.encode("utf-16")):
        path.write_bytes(content)
        assert_refused(run("solve", str(path)), "binary file")
    path.write_bytes(b"\xff\xfe\n")
    assert_refused(run("solve", str(path)), "0xff is not UTF-8")


def test_a_very_long_line_is_read(tmp_path: Path) -> None:
    path = tmp_path / "long"
    path.write_text(f"{THREE} {'#' * 1_000_000}\n{THREE}\n")
    assert len(run("solve", str(path)).stdout.splitlines()) == 4


def test_a_file_is_a_file_even_if_its_name_looks_like_a_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("my deals: two").write_text(f"{THREE}\n")
    assert "guaranteed" in run("solve", "my deals: two").stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["solve"], ["RECORD|FILE|-"]),
        (["solve", THREE, "extra"], ["Unexpected argument 'extra'", "quotes around it. See"]),
        (["analyze", *KITTY.split()], ["'QT.A..2'", "quotes around it. See"]),
        (["rules", "classic", "extra"], ["(extra). See"]),
        (["nothing"], ["nothing"]),
        (["--nothing"], ["'--nothing'. See"]),
        (["solve", THREE, "--nothing"], ["--nothing"]),
        (["solve", THREE, "--memory", "0"], ["--memory"]),
        (["solve", THREE, "--memory", "-5"], ["--memory"]),
        (["solve", THREE, "--memory", "9" * 30], ["--memory"]),
        (["solve", THREE, "--memory", "9" * 5000], ["--memory"]),
        (["solve", THREE, "--memory", "much"], ["--memory"]),
        (["solve", THREE, "--memory", str((1 << 24) + 1)], ["--memory"]),
        (["solve", THREE, "--seconds", "0"], ["--seconds"]),
        (["solve", THREE, "--seconds", "-1"], ["--seconds"]),
        (["solve", THREE, "--seconds", "nan"], ["--seconds"]),
        (["solve", THREE, "--seconds", "inf"], ["--seconds"]),
        (["solve", THREE, "--seconds", "1e300"], ["--seconds"]),
        (["solve", THREE, "--seconds", "soon"], ["--seconds"]),
        (["solve", THREE, "--trump", "X"], ["--trump", "unknown trump"]),
        (["solve", THREE, "--format", "xml"], ["--format"]),
        (["analyze", KITTY, "--trump", "S,,H"], ["--trump", "unknown trump"]),
        (["analyze", KITTY, "--trump", ""], ["--trump", "unknown trump"]),
        (["analyze", KITTY, "--by", "luck"], ["--by"]),
        (["analyze", KITTY, "--jobs", "0"], ["--jobs"]),
        (["analyze", KITTY, "--alternatives", "-1"], ["--alternatives"]),
        (["analyze", KITTY, "--rules", "classic,leader=third"], ["--rules", "unknown leader"]),
        (["analyze", KITTY, "--rules", "classic\n\nx"], ["--rules"]),
        (["rules", "--format", "csv"], ["--format"]),
        (["completion", "tcsh"], ["tcsh"]),
        (["completion"], ["{bash|zsh|fish}"]),
    ],
)
def test_bad_usage_is_one_line_and_exit_code_2(arguments: list[str], words: list[str]) -> None:
    assert_refused(run(*arguments), *words)


def test_huge_numbers_that_make_sense_are_taken() -> None:
    assert run("analyze", KITTY, "--alternatives", "9" * 18).exit_code == 0
    assert run("analyze", KITTY, "--jobs", "9" * 18).exit_code == 0
    assert run("solve", THREE, "--seconds", "1000000").exit_code == 0


def test_memory_that_the_system_refuses_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    from sgtmajor import SolverMemoryError

    def refuse(*arguments: object) -> None:
        raise SolverMemoryError("out of memory (256 MiB); ask for less")

    monkeypatch.setattr("sgtmajor.values.Engine", refuse)
    result = run("solve", THREE)
    assert result.exit_code == 1
    assert result.stderr == "sgtmajor: out of memory (256 MiB); ask for less\n"


def test_an_analysis_of_a_trick_in_progress_is_refused() -> None:
    record = "D:A5.QJ.. 84.K.A9. K.T8.J4. trump=S lead=D trick=DK"
    assert_refused(run("analyze", record), "without trick=")


def test_a_line_without_end_is_read_over_and_the_next_is_solved() -> None:
    result = run("solve", "-", "--format", "json", stdin="D:A... " * 400_000 + f"\n{FIVE}\n")
    assert result.exit_code == 1
    bad, good = objects(result)
    assert bad["error"].startswith("<stdin>:1: a line of 1048576 bytes or more")
    assert len(bad["record"]) <= 100
    assert good["id"] == "2"
