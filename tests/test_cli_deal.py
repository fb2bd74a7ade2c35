"""The command ``deal``: records that can be read again, and plain words where there can be none."""

from __future__ import annotations

import json

import pytest
from test_cli import assert_refused, run

from sgtmajor import Card, Record


def test_deals_are_records_and_do_not_depend_on_how_many_are_asked_for() -> None:
    many = run("deal", "5", "--seed", "7").stdout
    assert many.startswith(run("deal", "2", "--seed", "7").stdout)
    assert [Record.parse(line).id for line in many.splitlines()] == ["7-1", "7-2", "7-3", "7-4", "7-5"]
    assert many != run("deal", "5", "--seed", "8").stdout


def test_json_has_the_keys_of_a_record() -> None:
    arguments = ["deal", "3", "--seed", "7", "--cards", "5", "--trump", "any", "--lead", "R", "--played", "4"]
    texts = run(*arguments).stdout.splitlines()
    objects = map(json.loads, run(*arguments, "--format", "json").stdout.splitlines())
    assert [Record.from_dict(each) for each in objects] == list(map(Record.parse, texts))


@pytest.mark.parametrize("form", ["text", "json"])
def test_the_kitty_is_hidden_if_wanted(form: str) -> None:
    arguments = ["deal", "1", "--seed", "7", "--cards", "5", "--kitty", "2", "--format", form]
    shown, hidden = run(*arguments).stdout, run(*arguments, "--hide-kitty").stdout
    assert " K:" in shown
    assert " K:" not in hidden
    assert hidden[:20] == shown[:20]


def test_what_was_tried_is_told_only_where_something_was() -> None:
    assert run("deal", "3", "--seed", "7", "--where", "D.spades >= 8").stderr == ""
    stderr = run("deal", "3", "--seed", "7", "--where", "D.hcp >= 18").stderr
    assert stderr.startswith("3 of ")
    assert stderr.endswith(" %)\n")


def test_what_was_tried_is_told_too_where_nothing_was_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sgtmajor.dealing.MAX_TRIES", 50)
    result = run("deal", "3", "--seed", "7", "--where", "D.spades + L.spades == 13")
    assert result.exit_code == 2
    tried, failed = result.stderr.splitlines()
    assert tried == "0 of 50 deals that were tried match (0 %)"
    assert "no deal in 50 tries matches" in failed


def test_fixed_cards_and_hands_are_dealt() -> None:
    line = run(
        "deal", "1", "--seed", "7", "--fix", "d:AKQ5.T98.A72.KJ5432", "--fix", "K:S2", "--fix", "L:SJ,ST"
    ).stdout
    assert line.startswith("D:AKQ5.T98.A72.KJ5432 JT")
    assert Card.parse("S2") in (Record.parse(line).deal.kitty or ())


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["3"], ["Missing option '--seed'"]),
        (["0", "--seed", "1"], ["0 is not in the range"]),
        (["9" * 23, "--seed", "1"], ["is not in the range"]),
        (["1", "--seed", "-1"], ["a seed of -1 is out of range"]),
        (["1", "--seed", "1", "--where", "D.spade > 1"], ["--where", "column 3", "expected one of spades"]),
        (["1", "--seed", "1", "--where", "D.spades > 13"], ["no deal can match 'D.spades > 13'"]),
        (["1", "--seed", "1", "--fix", "X:SA"], ["--fix", "fixes nothing"]),
        (["1", "--seed", "1", "--fix", "D:SA", "--fix", "L:SA"], ["SA is fixed for both D and L"]),
        (["1", "--seed", "1", "--fix", "K:SA,SK,SQ,SJ,ST"], ["K cannot hold 5 fixed cards"]),
        (["1", "--seed", "1", "--played", "3"], ["expected a trump"]),
        (["1", "--seed", "1", "--played", "49", "--trump", "S"], ["expected 0 to 48"]),
        (["1", "--seed", "1", "--trump", "X"], ["--trump", "unknown trump 'X'"]),
        (["1", "--seed", "1", "--kitty", "2"], ["expected 4"]),
    ],
)
def test_what_cannot_be_dealt_is_refused(arguments: list[str], words: list[str]) -> None:
    assert_refused(run("deal", *arguments), *words)
