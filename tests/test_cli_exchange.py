"""The command exchange: what it prints in each format, and what it says of bad input."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from test_cli import assert_refused, objects, run

from sgtmajor import Interrupted, Record, exchange, read_records
from sgtmajor.cli import main

SMALL = "D:A2.5.3. QT.A..2 J9.K.Q. K:...A"
ONE = f"{SMALL} up=D:+1,L:-1,R:0 rules=classic,targets=2-1-1"
TWO_DOWN = f"{SMALL} up=D:+2,L:-1,R:-1"
TWO_UP = f"{SMALL} up=D:+1,L:-2,R:+1"
FULL = "D:AT76.K8.AJ842.KJ763 K8.973.KT763.AQ9542 QJ9543.AQJT654.Q5.8 up=D:+1,L:-1,R:0"


def test_the_report_says_who_gives_what_comes_back_and_what_it_is_worth() -> None:
    result = run("exchange", f"{SMALL} up=D:+1,L:-1,R:0")
    assert result.exit_code == 0
    assert result.stderr == ""
    expected = """\
4 tricks, rules classic: D announces, D leads first
Owed: D gives 1 card to L.
Each seat chooses by its own share: D, who gives, then D, who announces.
All cards are open: this is an analysis of the whole deal, not advice from one hand.
No points: targets 8-5-3 are not for 4 tricks.

  L  receives 1    R
  ♠ QT             ♠ J9
  ♥ A              ♥ K
  ♦ -              ♦ Q
  ♣ 2              ♣ -

          D  gives 1, announces, leads    kitty
          ♠ A2                            ♠ -
          ♥ 5                             ♥ -
          ♦ 3                             ♦ -
          ♣ -                             ♣ A

                                           guaranteed    share               ceiling
  D gives  comes back  trump  lay aside       D  L  R       D     L     R    D  L  R
  ♥5       ♥A          ♥      ♠2              3  0  0    3.33  0.33  0.33    4  1  1
  ♠2       ♠Q          ♠      ♥5              3  0  0    3.33  0.33  0.33    4  1  1
  ♦3       ♦3          ♣      ♥5              2  0  0    2.67  0.67  0.67    4  2  2

Best: D gives ♥5
      then D names ♥ trumps, lays aside ♠2; D is sure of 3 tricks, share 3.33
"""
    assert result.stdout == expected
    assert "points by share" in run("exchange", ONE).stdout


def test_with_two_receivers_the_report_says_who_gets_which_card() -> None:
    result = run("exchange", "--alternatives", "0", TWO_DOWN)
    assert result.exit_code == 0
    assert "Owed: D gives 1 card to L, then D gives 1 card to R.\n" in result.stdout
    assert "\n  L ♥5, R ♦3  L ♥A, R ♦Q  ♥ " in result.stdout
    assert "Not shown: 9 ways to give that are not better\n" in result.stdout
    assert "No points: targets 8-5-3 are not for 4 tricks.\n" in result.stdout


def test_with_two_givers_the_report_has_the_answer_of_the_second() -> None:
    result = run("exchange", TWO_UP)
    assert result.exit_code == 0
    assert (
        "Each seat chooses by its own share: D, then R, who give, then D, who announces.\n" in result.stdout
    )
    assert "  D gives  comes back  R answers  comes back  trump  lay aside " in result.stdout
    assert "Best: D gives ♥5\n      then R gives ♠9\n      then D names ♥ trumps" in result.stdout
    second = run("exchange", "--give", "D>L:H5", TWO_UP)
    assert "Owed: R gives 1 card to L.\nGiven already: D>L:H5.\n" in second.stdout
    assert "  R gives  comes back  trump " in second.stdout


def test_json_has_the_options_best_first() -> None:
    (written,) = objects(run("exchange", ONE, "--format", "json"))
    assert written["id"] == "1"
    assert [option["give"] for option in written["options"]] == [["D>L:H5"], ["D>L:S2"], ["D>L:D3"]]
    assert written["options"][0]["received"] == ["D<L:HA"]
    assert written["best"] == written["options"][0]
    assert written["complete"] is True


def test_an_exchange_that_is_given_is_played_out_into_a_file_of_records() -> None:
    result = run("exchange", "--give", "D>L:S2,D>R:H5", f"{TWO_DOWN} id=x")
    assert result.exit_code == 0
    assert result.stdout == (
        "# D gives ♠2 to L, ♠Q comes back\n"
        "# D gives ♥5 to R, ♥K comes back\n"
        "D:AQ.K.3. T2.A..2 J9.5.Q. K:...A id=x\n"
    )
    ((_, record),) = read_records(result.stdout.splitlines(), "out")
    assert isinstance(record, Record)
    assert run("analyze", "-", stdin=result.stdout).exit_code == 0
    (written,) = objects(run("exchange", "--give", "D>L:S2,D>R:H5", TWO_DOWN, "--format", "json"))
    (option,) = written["options"]
    assert option["record"] == option["deal"] == "D:AQ.K.3. T2.A..2 J9.5.Q. K:...A"


def test_the_records_of_a_file_are_answered_one_by_one_and_a_bad_one_does_not_stop_the_others(
    tmp_path: Path,
) -> None:
    file = tmp_path / "deals.txt"
    file.write_text(f"{ONE} id=a\n{SMALL}\n{TWO_DOWN} id=c\n")
    result = run("exchange", str(file), "--format", "json")
    assert result.exit_code == 1
    first, bad, last = objects(result)
    assert (first["id"], last["id"]) == ("a", "c")
    assert bad["error"] == f"{file}:2: no scores of the last deal; expected up= such as up=D:+3,L:-1,R:-2"


def test_options_change_the_question() -> None:
    (by,) = objects(run("exchange", ONE, "--by", "guaranteed", "--format", "json"))
    assert by["by"] == "guaranteed"
    (few,) = objects(
        run("exchange", ONE, "--trump", "C,H", "--jobs", "1", "--memory", "1", "--format", "json")
    )
    assert all(set(option["trumps"]) == {"C", "H"} for option in few["options"])
    (polish,) = objects(run("exchange", ONE, "--rules", "polish", "--trump", "H", "--format", "json"))
    assert polish["announcer"] == "L"
    assert all(set(option["trumps"]) == {"H"} for option in polish["options"])


def test_when_time_is_up_before_anything_is_valued_the_ways_to_give_are_listed() -> None:
    message = "sgtmajor: time was up after 0.01 s, before any of 14 ways to give was valued\n"
    result = run("exchange", "--seconds", "0.01", FULL)
    assert result.exit_code == 1
    assert result.stderr == message
    assert "INCOMPLETE: stopped early. 0 of 14 ways to give were decided" in result.stdout
    assert len([line for line in result.stdout.splitlines() if line.endswith("?")]) == 14
    assert "Best:" not in result.stdout
    result = run("exchange", "--seconds", "0.01", FULL, "--format", "json")
    (written,) = objects(result)
    assert (result.exit_code, result.stderr) == (1, message)
    assert (written["options"], written["best"], written["complete"]) == ([], None, False)
    assert len(written["undecided"]) == 14
    assert set(written["undecided"][0]) == {"give", "received", "deal"}


def test_what_was_valued_before_ctrl_c_is_printed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    found = exchange(ONE, memory_mb=1)
    first, *others = found.options
    partial = replace(found, options=(first,), undecided=tuple(option.giving for option in others))

    def interrupted(*arguments: object, **options: object) -> None:
        raise Interrupted(partial)

    monkeypatch.setattr("sgtmajor.giving.exchange", interrupted)
    with pytest.raises(KeyboardInterrupt):
        main.run(["exchange", ONE])
    printed = capsys.readouterr().out
    assert (
        "INCOMPLETE: stopped early. 1 of 3 ways to give were decided; there may be a better one." in printed
    )
    assert "\n  ♦3       ♦3          ?\n" in printed
    assert "Best so far: D gives ♥5" in printed


def test_of_many_ways_that_were_not_decided_the_first_are_listed() -> None:
    result = run("exchange", "--seconds", "0.01", FULL.replace("D:+1,L:-1,R:0", "D:+2,L:-1,R:-1"))
    assert result.exit_code == 1
    assert len([line for line in result.stdout.splitlines() if line.endswith("?")]) == 20
    assert "more that were not decided\n" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([SMALL], ["no scores of the last deal; expected up="]),
        ([ONE, "--rules", "polish"], ["the exchange comes after the announcement", "expected trump="]),
        ([ONE, "--rules", "polish", "--trump", "N"], ["no cards are exchanged at no trump (exchange=after)"]),
        ([ONE, "--rules", "polish", "--trump", "S,H"], ["one contract is announced before the exchange"]),
        ([ONE, "--rules", "exchange=none"], ["no cards are exchanged by these rules (exchange=none)"]),
        ([ONE, "--rules", "exchange=none", "--give", "D>L:S2"], ["no cards are exchanged by these rules"]),
        ([ONE, "--give", "D>L"], ["Invalid value for '--give': 'D>L' is no gift"]),
        ([ONE, "--give", "D>L:SK"], ["D>L:SK: D does not hold SK"]),
        ([ONE, "--give", "D>R:S2"], ["D>R:S2: R was not down in the last deal, so gets nothing"]),
        ([ONE, "--give", "D>L:S2,D>L:H5"], ["D>L:H5: D was up by 1, so that is one card too many"]),
        ([TWO_UP, "--give", "R>L:S9"], ["R>L:S9: D gives before R, expected 1 more of D first"]),
        ([ONE, "--alternatives", "-1"], ["Invalid value for '--alternatives'"]),
        ([ONE, "--jobs", "0"], ["Invalid value for '--jobs'"]),
        ([ONE, "--seconds", "x"], ["Invalid value for '--seconds'"]),
        (
            [FULL.replace("D:+1,L:-1,R:0", "D:+8,L:-5,R:-3")],
            ["ways in which D can give 5 to L and 3 to R, expected at most 20,000: say with give= (--give)"],
        ),
        ([f"{SMALL} up=D:+9,L:-9,R:0"], ["D has to give 9 cards, but has 4 that may be given"]),
        ([*ONE.split()], ["a record needs quotes around it"]),
    ],
)
def test_bad_input_is_refused_in_one_line(arguments: list[str], words: list[str]) -> None:
    assert_refused(run("exchange", *arguments), *words)


@pytest.mark.parametrize("command", ["solve", "analyze"])
def test_gifts_without_a_place_in_the_rules_are_refused_by_the_other_commands_too(command: str) -> None:
    record = f"{SMALL} trump=S give=D>L:S2"
    assert run(command, record).exit_code == 0
    assert_refused(run(command, record, "--rules", "exchange=none"), "no cards are exchanged by these rules")


def test_analyze_says_that_no_trump_is_played_without_an_exchange_after_the_announcement() -> None:
    result = run("analyze", f"{SMALL} give=D>L:S2 rules=polish")
    assert f"No trump is analyzed without the exchange (exchange=after): {SMALL}\n" in result.stdout
    assert "No trump is" not in run("analyze", f"{SMALL} give=D>L:S2").stdout


def test_analyze_says_that_an_exchange_is_owed_only_while_it_is() -> None:
    told = "The exchange owed by up= has not been made: the hands are analyzed as written.\n"
    assert told in run("analyze", TWO_DOWN).stdout
    assert told in run("analyze", f"{TWO_DOWN} give=D>L:S2").stdout
    assert told not in run("analyze", f"{TWO_DOWN} give=D>L:S2,D>R:H5").stdout
    assert told not in run("analyze", f"{TWO_DOWN} rules=exchange=none").stdout
