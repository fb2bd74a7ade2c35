"""The command ``review``: its report, its formats, the page, and what it says of bad input."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from test_cli import assert_refused, objects, run, table

from sgtmajor import review
from sgtmajor.cli.review_text import conditions

PLAYED = "D:A5.QJ.K. 84.K.A9. K.T8.J4. trump=S lead=L play=S8,SK,S5,H8,HQ,HK"
FAULTLESS = "D:AK.5.. Q.A.2. JT.K.. trump=S play=SK,SQ,ST"
DISCARDED = "D:AK.5.3. QT.A..2 J9.K.Q. K:...A rules=classic,targets=2-1-1 trump=S discard=SK play=SA"
# Elements without an end tag.
VOID = {"meta"}


class Page(HTMLParser):
    """Reads a page strictly: every element is closed in its place; nothing is loaded, nothing runs."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.text = ""
        self.feed(text)
        self.close()
        assert self.open == []
        assert len(self.ids) == len(set(self.ids))
        assert all(link.startswith("#") and link[1:] in self.ids for link in self.links)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag not in ("script", "link", "img", "iframe", "object", "form")
        for name, value in attrs:
            assert name not in ("src", "style", "srcset"), name
            assert not name.startswith("on")
            if name == "id":
                self.ids.append(value or "")
            if name == "href":
                self.links.append(value or "")
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] == "style":
            assert "url(" not in data
            assert "@import" not in data
        self.text += data


def test_the_report_marks_mistakes_and_forced_cards() -> None:
    lines = run("review", PLAYED).stdout.splitlines()
    assert lines[:2] == [
        "5 tricks, ♠ trumps, L leads, all cards open",
        "6 cards played, 2 mistakes by share.",
    ]
    rows = [" ".join(line.split()) for line in lines]
    assert "1 L ♠8? R (♠K) D ♠5? R 1 2 1 1.33 2.33 1.33" in rows
    at = lines.index("The mistakes, the worst first")
    assert rows[at + 3] == "1 D ♠5 ♠A 1 1.00 2>1 2 0>1 -1.00 - +1.00"
    assert rows[at + 4] == "1 L ♠8 ♠4 - 0.33 1>2 2 0 +0.67 -0.33 -0.33"
    assert rows[at + 5] == "(sure of, and gains: against the better card)"
    assert rows[-1] == "taken, and of 3 tricks left 1 2 1 1.33 2.33 1.33"


def test_all_cards_can_be_listed_in_the_order_of_play() -> None:
    lines = run("review", "--order", "play", PLAYED).stdout.splitlines()
    at = lines.index("The cards, in the order of play")
    rows = [line.split()[:3] for line in lines[at + 3 : at + 9]]
    assert rows == [
        ["1", "L", "♠8?"],
        ["1", "R", "(♠K)"],
        ["1", "D", "♠5?"],
        ["2", "R", "♥8"],
        ["2", "D", "(♥Q)"],
        ["2", "L", "(♥K)"],
    ]


GIVEN = "D:6.Q4.Q95.Q4 QT.K6.82.K2 82.T5.K4.A6 trump=H lead=R play=C6,CQ,CK,SQ,S8,S6,HK,HT,HQ"
TWO_BEST = "D:.74.KJ93.AJ6 J9762.6.T5.9 AT3..872.KQ4 trump=N lead=R play=ST"


def numbers(cells: list[str]) -> list[float]:
    return [0.0 if cell == "-" else float(cell) for cell in cells]


@pytest.mark.parametrize("record", [PLAYED, GIVEN, TWO_BEST])
@pytest.mark.parametrize("by", ["share", "guaranteed"])
def test_the_mistakes_of_a_player_add_up_to_what_is_said_of_him(record: str, by: str) -> None:
    lines = [line.split() for line in run("review", "--by", by, record).stdout.splitlines()]
    at = next(place for place, line in enumerate(lines) if line[:2] == ["The", "mistakes,"]) + 3
    to = next(place for place, line in enumerate(lines) if line[:3] == ["What", "the", "players"]) + 3
    mistakes = [line for line in lines[at : to - 4] if line[0] != "(sure"]
    assert mistakes
    for place, seat in enumerate("DLR"):
        mine = [line for line in mistakes if line[1] == seat]
        row = lines[to + place]
        assert int(row[3]) == len(mine)
        gained = [numbers(line[-3:]) for line in mine]
        others = [each for each in range(3) if each != place]
        for each, total in zip(others, numbers(row[-2:]), strict=True):
            # Each row is rounded.
            assert sum(row[each] for row in gained) == pytest.approx(total, abs=0.02)


def test_who_gained_by_a_mistake_is_told_against_the_better_card() -> None:
    # Against the moment before, L and D: both of the cards of L give D something.
    rows = [" ".join(line.split()) for line in run("review", GIVEN).stdout.splitlines()]
    assert "3 L ♥K ♦2 - 0.33 1>2 3 2 +0.67 -0.33 -0.33" in rows


def test_two_cards_are_named_where_none_is_best_by_both_yardsticks() -> None:
    rows = [" ".join(line.split()) for line in run("review", TWO_BEST).stdout.splitlines()]
    assert "1 R ♠T ♠A ♦2 1 0.33 4 0>1 1 -0.33 +0.67 -0.33" in rows
    page = Page(run("review", "--format", "html", TWO_BEST).stdout)
    assert "R played ♠T, better was ♠A; by guaranteed, ♦2" in page.text
    (row,) = table(run("review", "--format", "csv", TWO_BEST))
    assert (row["better"], row["other"], row["given_share_L"]) == ("SA", "D2", "0.667")
    (found,) = objects(run("review", "--format", "json", TWO_BEST))
    (card,) = found["cards"]
    assert (card["better"]["card"], card["other"]["card"]) == ("SA", "D2")
    assert card["given"]["share"] == {"D": -0.333, "L": 0.667, "R": -0.333}


def test_a_play_without_a_mistake_says_so() -> None:
    text = run("review", FAULTLESS).stdout
    assert "3 cards played, no mistake by share." in text
    assert "No mistake by share." in text


def test_the_announcement_is_reviewed_unless_it_is_left_out() -> None:
    text = run("review", DISCARDED).stdout
    assert "D named ♠ trumps and laid aside ♠K: share " in text
    assert "best to lay aside: ♥5" in text
    assert re.search(r"no mistake by share\. The announcement lost [0-9.]+, see below\.", text)
    plain = run("review", "--no-announcement", DISCARDED).stdout
    assert "D named" not in plain
    assert "announcement" not in plain
    best = run("review", DISCARDED.replace("discard=SK", "discard=H5")).stdout
    assert "nothing would have been better" in best
    assert "The announcement lost" not in best


def test_a_discard_that_is_not_told_is_asked_for() -> None:
    text = run("review", re.sub(r" discard=\S+", "", DISCARDED)).stdout
    missing = "The announcement is not reviewed: what was laid aside is not told, discard=."
    assert missing in text
    assert missing not in run("review", "--no-announcement", re.sub(r" discard=\S+", "", DISCARDED)).stdout


def test_csv_does_not_wait_for_an_announcement_that_it_does_not_print(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sgtmajor.mistakes.analyze", None)
    assert len(table(run("review", "--format", "csv", DISCARDED))) == 1


def cut(announcement: bool, cards: int | None = None) -> str:
    """Returns what the report says of a review that time has cut short."""
    found = review(DISCARDED, announcement=announcement)
    found = replace(found, complete=False, announcement=None, cards=found.cards[:cards])
    return " ".join(conditions(found))


def test_what_time_has_cut_short_is_told_as_it_was_asked_for() -> None:
    assert cut(True, 0) == (
        "1 card played, 0 of them reviewed, no mistake by share."
        " INCOMPLETE: time was up. Not reviewed: the last 1 card of the play and the announcement."
    )
    assert cut(False, 0).endswith("Not reviewed: the last 1 card of the play.")
    assert cut(True).endswith(" INCOMPLETE: time was up. Not reviewed: the announcement.")


def test_json_is_what_the_library_says() -> None:
    (found,) = objects(run("review", "--format", "json", PLAYED))
    expected = json.loads(json.dumps(review(PLAYED).to_dict()))
    for values in (found, expected):
        for key in ("id", "nodes", "seconds"):
            del values[key]
    assert found == expected


def test_csv_has_a_row_a_card() -> None:
    rows = table(run("review", "--by", "guaranteed", "--format", "csv", PLAYED))
    assert [row["card"] for row in rows] == ["S8", "SK", "S5", "H8", "HQ", "HK"]
    assert [row["better"] for row in rows] == ["", "", "SA", "", "", ""]
    assert [row["forced"] for row in rows] == ["", "only", "", "", "equal", "only"]
    assert [row["wins"] for row in rows] == ["", "", "R", "", "", "L"]
    third = rows[2]
    assert (third["mistake_guaranteed"], third["mistake_share"]) == ("1", "1.0")
    assert (third["guaranteed_before_D"], third["guaranteed_after_D"]) == ("2", "1")
    assert (third["share_after_R"], third["taken_R"], rows[3]["taken_R"]) == ("1.333", "0", "1")


def test_the_page_is_well_formed_and_needs_nothing_else() -> None:
    result = run("review", "--format", "html", PLAYED)
    assert result.stdout.startswith("<!DOCTYPE html>\n")
    assert result.stdout.isascii()
    page = Page(result.stdout)
    assert "L played ♠8, better was ♠4" in page.text
    assert len(page.links) == 2
    assert "prefers-color-scheme: dark" in page.text
    assert "choicesmistakes" in page.text
    assert "D1 of 2111.00" in page.text


def test_the_page_of_several_records_is_one_page() -> None:
    lines = f"{PLAYED} id=first\nD:A... A... Q... trump=S\n{DISCARDED}\n{PLAYED}\n"
    result = run("review", "-", "--format", "html", stdin=lines)
    assert result.exit_code == 1
    page = Page(result.stdout)
    assert result.stdout.count("<html") == result.stdout.count("</html>") == 1
    assert result.stdout.count("<article>") == 4
    assert "SA is held by both D and L" in page.text
    assert "D named ♠ trumps" in page.text


def test_what_a_user_writes_is_escaped_in_the_page() -> None:
    name = "<script>alert(1)</script>&amp;"
    stdin = f"{PLAYED} id={name}\n<b>no record</b>\n"
    result = run("review", "-", "--format", "html", stdin=stdin)
    assert "<script" not in result.stdout
    assert "<b>no" not in result.stdout
    page = Page(result.stdout)
    assert f"{name}: 5 tricks" in page.text
    assert "<b>no record</b>" in page.text


@pytest.mark.parametrize(
    ("play", "words"),
    [
        ("S8,SK,H8", ["trick 1: D cannot play H8", "R holds H8"]),
        ("S8,SK,HQ", ["trick 1: D cannot play HQ: D holds SA,S5 of the suit led"]),
        ("S8,SK,S5,SK", ["trick 2: R cannot play SK", "R has played SK to trick 1"]),
        ("C2", ["trick 1: L cannot play C2: L holds 84.K.A9."]),
    ],
)
def test_an_illegal_play_is_named(play: str, words: list[str]) -> None:
    record = PLAYED.partition(" play=")[0]
    assert_refused(run("review", f"{record} play={play}"), *words)


def test_a_record_without_a_play_is_refused() -> None:
    record = PLAYED.partition(" play=")[0]
    assert_refused(run("review", record), "there is no play to review, expected play=")


def test_one_bad_record_does_not_stop_the_others(tmp_path: Path) -> None:
    path = tmp_path / "deals.txt"
    path.write_text(f"{PLAYED}\n{PLAYED},SA\n{FAULTLESS} id=last\n")
    result = run("review", str(path))
    assert result.exit_code == 1
    assert result.stderr.startswith(f"{path}:2:")
    assert "\nlast: 3 tricks" in result.stdout


def test_a_bad_record_keeps_its_id() -> None:
    result = run("review", "-", "--format", "json", stdin=f"{PLAYED},SA id=mine\n{FAULTLESS}\n")
    assert [each["id"] for each in objects(result)] == ["mine", "2"]


def test_a_review_without_time_is_no_review() -> None:
    hard = "D:AT76.K8.AJ842.KJ763 K8.973.KT763.AQ9542 QJ9543.AQJT654.Q5.8 trump=N play=SA"
    result = run("review", "--seconds", "0.001", hard)
    assert result.exit_code == 1
    assert "time was up after 0.001 s, before the start of the play was valued" in result.stderr


def test_by_equilibrium_every_format_has_the_expected_tricks() -> None:
    played = "D:A5.QJ.K. 84.K.A9. K.T8.J4. trump=S lead=L play=D9,DJ,DK"
    text = run("review", "--by", "equilibrium", "--ties", "against:R", played).stdout
    assert "1 mistake by equilibrium, ties against:R." in text
    assert "expected in all" in text
    assert "share" not in text
    (found,) = objects(run("review", "--by", "equilibrium", "--format", "json", played))
    (card, *_) = found["cards"]
    assert card["before"]["equilibrium"] == {"D": 1.0, "L": 3.5, "R": 0.5}
    assert card["after"]["equilibrium"] == {"D": 3.0, "L": 2.0, "R": 0.0}
    assert card["mistake"] == {"guaranteed": 0, "equilibrium": 1.5}
    assert card["better"]["card"] == "DA"
    assert found["players"]["L"]["to"] == {"D": 2.0, "R": -0.5}
    first, *_ = table(run("review", "--by", "equilibrium", "--format", "csv", played))
    assert (first["ties"], first["mistake_equilibrium"], first["equilibrium_after_D"]) == (
        "neutral",
        "1.5",
        "3.0",
    )
    assert set(first) - set(table(run("review", "--format", "csv", played))[0]) == {
        *("ties", "mistake_equilibrium"),
        *(f"given_equilibrium_{seat}" for seat in "DLR"),
        *(f"equilibrium_{when}_{seat}" for when in ("before", "after") for seat in "DLR"),
    }
    page = Page(run("review", "--by", "equilibrium", "--format", "html", played).stdout)
    assert "1.50 expected tricks" in page.text
    assert "expected in all" in page.text
    assert "share" not in page.text


def test_by_equilibrium_what_does_not_fit_is_one_line() -> None:
    whole = "D:T865.Q9653.AJT64.K2 AK732.KT7.97.AQ9874 Q4.AJ82.KQ8532.JT65 trump=S play=S5"
    result = run("review", "--by", "equilibrium", "--equilibrium-memory", "1", whole)
    assert result.exit_code == 1
    assert "Allow more (equilibrium_mb, --equilibrium-memory)" in result.stderr
    assert len(result.stderr.splitlines()) == 1
