"""The command ``recommend card``: its report, its formats, and what it says of bad input."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from test_cli import assert_refused, objects, run, table

from sgtmajor.advice import Effort
from sgtmajor.cards import Card
from sgtmajor.race import Estimate, Outcome, Standing
from sgtmajor.recommend_play import recommend_card

ENDING = "D:A5.QJ.K. 84.K.A9. K.T8.J4. trump=S lead=L play=S8,SK"
PACK = "AKQJ5.AKQ2.AKQ."
SEEN = "D:? A5.K2.. ? trump=S"


def card(*arguments: str) -> list[str]:
    result = run("recommend", "card", *arguments)
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout.splitlines()


def test_it_says_whose_turn_it_is_and_ranks_the_cards() -> None:
    shown = card(ENDING, "--samples", "100")
    assert shown[0] == "trick 1, ♠ trumps, D to play, rules classic"
    assert "  D      ♠A5 ♥QJ ♦K" in shown
    assert "  trick  L ♠8  R ♠K" in shown
    assert "Counted are all tricks of the deal; taken so far: D 0, L 0, R 0." in shown
    at = next(i for i, line in enumerate(shown) if line.startswith("  card "))
    assert [line.split()[0] for line in shown[at + 1 : at + 3]] == ["♠A", "♠5"]
    assert "Best: D plays ♠A" in shown


def test_what_is_laid_aside_unseen_makes_no_answer_exact() -> None:
    laid = "D:AK.5.3. QT.A..2 J9.K.Q. K:...A trump=S discard=D3 play=SA"
    told = (
        "What D has laid aside was chosen, and is not known: all deals that fit are taken as equally likely."
    )
    unseen, seen = card(laid, "--samples", "1000"), card(f"{laid},ST,S9", "--samples", "1000")
    assert told in unseen
    assert "exact" not in "".join(unseen)
    assert told not in seen
    assert "exact" in "".join(seen)


def test_equal_cards_are_one_option_and_a_forced_card_is_said_to_be_one() -> None:
    assert any(
        line.startswith("  ♥QJ ") for line in card(f"{ENDING},SA", "--samples", "5", "--holds", "L:HK")
    )
    shown = card(ENDING.replace("S8,SK", "S8"))
    assert "There is no choice: one card, or all of them do the same." in shown


def test_json_is_what_the_library_says() -> None:
    (found,) = objects(run("recommend", "card", ENDING, "--samples", "100", "--format", "json"))
    expected = json.loads(json.dumps(recommend_card(ENDING, effort=Effort(samples=100)).to_dict()))
    for values in (found, expected):
        del values["seconds"]
    del found["id"]
    assert found == expected
    assert found["seen"] == "D:A5.QJ.K. ? ?"
    assert list(found["options"][0])[:4] == ["card", "equals", "tricks", "ci95"]


def test_csv_has_a_row_an_option() -> None:
    rows = table(run("recommend", "card", ENDING, "--samples", "100", "--format", "csv"))
    assert [(row["place"], row["card"], row["equals"]) for row in rows] == [("1", "SA", ""), ("2", "S5", "")]
    assert rows[0]["exact"] == "true"


def test_the_play_and_the_trump_can_be_given_as_options() -> None:
    by_record = card(f"{SEEN} play=HA", "--pack", PACK, "--samples", "50")
    record = SEEN.removesuffix(" trump=S")
    assert card(record, "--trump", "S", "--play", "HA", "--pack", PACK, "--samples", "50") == by_record
    hand = ["--hand", "A5.K2..", "--seat", "L", "--trump", "S", "--play", "HA"]
    assert card(*hand, "--pack", PACK, "--samples", "50") == by_record


def test_cards_that_there_was_no_time_for_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    only = Standing((Card.parse("SA"),), (1.0,), Estimate(1.0, None, None), Estimate(0.0, 0.0, 0.0))
    monkeypatch.setattr("sgtmajor.question.race", lambda *args, **options: Outcome((only,), 1, False))
    shown = card(ENDING)
    assert "INCOMPLETE: stopped before 1 option of 2 was looked at." in shown
    assert "Best of those looked at: D plays ♠A" in shown
    assert not any(line.startswith("There is no choice") for line in shown)


def test_what_is_asked_for_must_fit_the_record() -> None:
    assert_refused(run("recommend", "card", "--seat", "L", ENDING), "--seat L: it is the turn of D")
    assert run("recommend", "card", "--seat", "D", "--samples", "5", ENDING).exit_code == 0
    for pack, words in [
        ("A5.QJ.K.", "is not in the pack A5.QJ.K."),
        ("AKQ854.QJKT8.KA9J4.", "SQ of the pack is not in the record"),
    ]:
        assert_refused(run("recommend", "card", "--pack", pack, ENDING), words)
    assert run("recommend", "card", "--pack", "AK854.QJKT8.KA9J4.", "--samples", "5", ENDING).exit_code == 0
    (found,) = objects(run("recommend", "card", "--samples", "5", "--format", "json", ENDING))
    assert "K:" not in str(found)


def test_the_announcer_is_told_if_it_is_not_known_what_he_has_laid_aside() -> None:
    told = "What D has laid aside is not told: it is dealt like all unseen cards."
    hand, play = (
        ["--hand", "AKJ964.K52.AQ4.JT92"],
        ["--trump", "S", "--play", "CJ,CA,C5,D5,D2", "--samples", "1"],
    )
    assert told in run("recommend", "card", *hand, *play).stdout
    known = "D:AKJ94.K4.AQ73.JT982 ? ? K:6.52.4. discard=H4,D7,D3,C8"
    assert told not in run("recommend", "card", known, *play).stdout


def test_a_picture_is_drawn(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    path = tmp_path / "card.svg"
    card(ENDING, "--samples", "100", "--plot", str(path))
    assert path.read_text().lstrip().startswith("<?xml")


@pytest.mark.parametrize(
    ("record", "words"),
    [
        (SEEN, ["it is the turn of D, whose hand is not written"]),
        (SEEN.removesuffix(" trump=S"), ["the trump is not given"]),
        (f"{SEEN} play=HA,SA", ["it is the turn of R"]),
        (f"{SEEN} play=HA,SA,HQ", ["trick 1: L cannot have played SA: L held HK,H2 of the suit led"]),
        (f"{SEEN} play=HA discard=SK", ["L does not see what is laid aside"]),
        (f"{SEEN} play=HA,H2,SQ,SQ", ["trick 2: R cannot play SQ: R has played it to trick 1"]),
        ("D:A... K... Q... trump=S play=SA,SK,SQ", ["there is no card to choose"]),
        ("D:A... K... Q... trump=S play=SK", ["trick 1: D cannot play SK"]),
    ],
)
def test_what_cannot_be_is_refused(record: str, words: list[str]) -> None:
    result = run("recommend", "card", record, *(["--pack", PACK] if "?" in record else []))
    assert_refused(result, *words)
