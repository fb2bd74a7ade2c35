"""The command `recommend exchange`: what it prints in each format, and what it says of bad input."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from test_cli import run

from sgtmajor import Interrupted, recommend_exchange
from sgtmajor.advice import Effort
from sgtmajor.cli import advising, main, recommend_exchange as command
from sgtmajor.recommend_gifts import WAYS

SMALL = ["recommend", "exchange", "--hand", "AK..J.", "--pack", "AKQ.AK.AKJ.AK"]
UP = ["--up", "D:+1,L:-1,R:0"]
WHOLE = "D:A2.5.3. QT.A..2 J9.K.Q. K:...A up=D:+1,L:-1,R:0"


def test_the_text_says_what_to_give_what_comes_back_and_what_is_taken_for_granted() -> None:
    result = run(*SMALL, *UP)
    assert result.exit_code == 0, result.stderr
    assert result.stderr == ""
    for words in (
        "D sees 3 cards, rules classic: D announces, D leads first",
        "all 140 deals that fit were solved.\n",
        "Owed: D gives 1 card to L.",
        "D is then taken to name, and to lay aside, what looks best from his own cards alone.",
        "♦J    ♦A 43% ♦K 29% ♦J 29%      0.71",
        "Best: D gives ♦J",
    ):
        assert words in result.stdout
    assert "#" in result.stdout


def test_two_receivers_are_told_apart_and_another_giver_is_named() -> None:
    both = run(*SMALL, "--up", "D:+2,L:-1,R:-1", "--samples", "4", "--ways", "2").stdout
    assert "Owed: D gives 1 card to L, then D gives 1 card to R." in both
    assert re.search(r"Best: D gives L \S+, R \S+\n", both)
    two_up = run(*SMALL, "--up", "D:+1,L:+1,R:-2", "--samples", "4").stdout
    assert "L is taken to give by rule of thumb." in two_up
    assert "Compared:" not in two_up
    assert "Compared: the 2 most promising of " in both


@pytest.mark.parametrize(
    ("arguments", "seat"),
    [
        (["--up", "D:-1,L:+1,R:0"], "L"),
        (["--up", "D:-2,L:+1,R:+1"], "L"),
        (["--up", "D:-3,L:+1,R:+2", "--rules", "eldest,exchange_order=most_up"], "R"),
        (["--up", "D:-2,L:+1,R:+1", "--give", "L>D:C2"], "R"),
        (["--up", "D:+1,L:-2,R:+1", "--seat", "R"], "R"),
    ],
)
def test_a_hand_alone_is_that_of_the_next_to_give(arguments: list[str], seat: str) -> None:
    small = ["recommend", "exchange", "--hand", "AK..J.", "--pack", "AKQ.AK.AKJ.A2"]
    result = run(*small, *arguments, "--samples", "2", "--format", "json")
    assert result.exit_code == 0, result.stderr
    assert json.loads(result.stdout)["seat"] == seat


def test_gifts_that_have_been_given_are_told_and_not_given_again() -> None:
    result = run(*SMALL, "--up", "D:+2,L:-2,R:0", "--give", "D>L:DJ", "--returned", "DK", "--samples", "4")
    assert result.exit_code == 0, result.stderr
    assert "Given already: D>L:DJ." in result.stdout
    assert "D      ♠AK ♦K" in result.stdout


def test_json_has_the_keys_of_the_output_contract() -> None:
    answer = json.loads(run(*SMALL, *UP, "--format", "json").stdout)
    assert answer["seen"] == "D:AK..J. ? ? K:?"
    assert (answer["samples"], answer["exact"], answer["ways"]) == (140, True, 2)
    best = answer["best"]
    assert best == answer["options"][0]
    assert best["give"] == ["D>L:DJ"]
    assert best["received"] == {"D<L:DA": 0.429, "D<L:DK": 0.286, "D<L:DJ": 0.286}
    document = (Path(__file__).parent.parent / "docs" / "output.md").read_text(encoding="utf-8")
    assert {*best, *answer} - {"id"} <= set(re.findall(r"`(\w+)`", document))


def test_csv_has_a_row_for_each_way() -> None:
    rows = list(csv.DictReader(io.StringIO(run(*SMALL, *UP, "--format", "csv").stdout)))
    assert [row["place"] for row in rows] == ["1", "2"]
    assert rows[0]["give"] == "D>L:DJ"
    assert rows[0]["received"] == "D<L:DA=0.429 D<L:DK=0.286 D<L:DJ=0.286"
    assert rows[0]["stronger"] == "0.714"
    assert rows[0]["exact"] == "true"
    document = (Path(__file__).parent.parent / "docs" / "output.md").read_text(encoding="utf-8")
    columns = {*advising.FIRST_COLUMNS, *command.CHOICE_COLUMNS, *advising.LAST_COLUMNS}
    assert columns <= set(re.findall(r"`(\w+)`", document))


def test_a_whole_record_is_seen_with_the_eyes_of_the_seat_that_gives() -> None:
    answer = json.loads(run("recommend", "exchange", WHOLE, "--samples", "4", "--format", "json").stdout)
    assert answer["seen"] == "D:A2.5.3. ? ? K:?"
    assert "QT" not in json.dumps(answer["seen"])
    other = run("recommend", "exchange", WHOLE, "--up", "D:0,L:+1,R:-1", "--samples", "4", "--format", "json")
    assert json.loads(other.stdout)["seat"] == "L"


def test_the_picture_is_drawn(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    path = tmp_path / "picture.svg"
    assert run(*SMALL, *UP, "--plot", str(path)).exit_code == 0
    assert b"<svg" in path.read_bytes()


def test_what_was_solved_before_ctrl_c_is_printed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    found = recommend_exchange(WHOLE, effort=Effort(samples=4, memory_mb=1))

    def interrupted(*arguments: object, **options: object) -> None:
        raise Interrupted(replace(found, complete=False))

    monkeypatch.setattr("sgtmajor.recommend_gifts.recommend_exchange", interrupted)
    with pytest.raises(KeyboardInterrupt):
        main.run(["recommend", "exchange", WHOLE])
    printed = capsys.readouterr().out
    assert "INCOMPLETE: stopped before all samples were solved." in printed
    assert "Best: D gives" in printed


def test_the_document_of_the_advice_names_the_numbers_of_the_library() -> None:
    text = " ".join((Path(__file__).parent.parent / "docs" / "advice.md").read_text(encoding="utf-8").split())
    assert f"the {WAYS} most promising" in text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "no scores of the last deal; expected up="),
        (["--up", "D:+1"], "leaves a seat out"),
        (["--up", "D:+1,L:+1,R:+1"], "cannot be, expected scores"),
        (
            ["--up", "D:-1,L:+1,R:0", "--seat", "D"],
            "D has nothing to give, expected the hand of a seat that has",
        ),
        ([*UP, "--seat", "R"], "R has nothing to give"),
        ([*UP, "--give", "D>L:C2"], "all cards that were owed have been given"),
        ([*UP, "--give", "D>R:C2"], "R was not down in the last deal, so gets nothing"),
        (["--up", "D:+2,L:-2,R:0", "--give", "D>L:DJ"], "expected --returned and the card"),
        (["--up", "D:+4,L:-4,R:0"], "D has to give 4 cards, but has 3"),
        ([*UP, "--rules", "classic,exchange=none"], "no cards are exchanged by these rules"),
        ([*UP, "--rules", "classic,exchange=after"], "expected trump="),
        ([*UP, "--ways", "0"], "ways"),
        ([*UP, "--holds", "L:SA"], "SA is seen by D, but L holds SA"),
    ],
)
def test_bad_input_is_refused_in_one_line(arguments: list[str], message: str) -> None:
    result = run(*SMALL, *arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert message in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1
