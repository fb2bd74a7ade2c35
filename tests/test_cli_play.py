"""The command ``play``: scripts on standard input, and what it says of what cannot be followed."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st
from test_cli import assert_refused, run

from sgtmajor.record import Record

RECORD = "D:A5.QJ.K. 84.K.A9. K.T8.J4. trump=S lead=L play=S8,SK,S5,H8,HQ,HK"
BARE = RECORD.partition(" play=")[0]


def lines(script: str, record: str = RECORD) -> list[str]:
    result = run("play", record, stdin=script)
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout.splitlines()


def test_it_starts_with_the_hands_and_the_values() -> None:
    shown = lines("")
    assert shown[0] == "All cards are open; what is best, and a mistake, is by share."
    assert shown[2] == "  L  leads        R"
    assert shown[-1] == (
        "trick 1, ♠ trumps, L leads:   D 0, sure of 1, share 1.67   L 0, sure of 2, share 2.67"
        "   R 0, sure of 0, share 0.67"
    )


def test_each_card_says_what_it_has_changed_and_what_was_better() -> None:
    shown = lines("next 3")[-4:]
    assert shown[0] == (
        "  L ♠8?     D +0.67 L -0.33 R -0.33 by share   better ♠4: 0.33 of share lost, to D +0.67 R -0.33"
    )
    assert shown[1] == "  R (♠K)"
    assert shown[2] == (
        "  D ♠5?     D -1.00 R +1.00 by share   better ♠A: 1 sure, 1.00 of share lost, to R +1.00"
        "   R wins trick 1"
    )
    assert shown[3].startswith("trick 2, ♠ trumps, R leads:   D 0, sure of 1")


def test_another_card_can_be_tried_and_the_record_written(tmp_path: Path) -> None:
    path = tmp_path / "written.txt"
    path.write_text("# mine\n")
    shown = lines(f"next 2 SA record\nundo 1\nnext\nwrite {path}")
    (tried,) = (line for line in shown if line.startswith("D:"))
    assert tried.endswith("play=S8,SK,SA")
    assert path.read_text() == f"# mine\n{Record.parse(BARE + ' play=S8,SK,S5')}\n"
    assert run("review", str(path)).exit_code == 0


@pytest.mark.parametrize("last", [BARE, f"{BARE} id=first # mine", "# mine", f"{BARE}\n", f"{BARE}\n\n", ""])
def test_what_is_written_is_a_line_of_its_own(tmp_path: Path, last: str) -> None:
    path = tmp_path / "deals.txt"
    path.write_text(last)
    lines(f"next 2 write {path} undo write {path}")
    assert path.read_text() == (
        last + ("\n" if last and last[-1] != "\n" else "") + f"{BARE} play=S8,SK\n{BARE} play=S8\n"
    )


def test_a_file_is_made_to_be_written_to(tmp_path: Path) -> None:
    path = tmp_path / "new.txt"
    lines(f"next write {path}")
    assert path.read_text() == f"{BARE} play=S8\n"


def test_best_plays_on_to_the_end_without_a_mistake() -> None:
    shown = lines("best 15 record", BARE)
    assert "?" not in "".join(shown)
    assert any(line.startswith("end of the play: D 1, L 2, R 2") for line in shown)
    assert run("review", shown[-1]).stdout.count("no mistake") == 1


def test_cards_line_hands_and_help_are_shown() -> None:
    shown = "\n".join(lines("S8 SK cards\nline\nhands\nhelp"))
    assert "♠A         2  2  0" in shown
    assert "   1   L ♠8   R ♠K   D ♠A   D wins" in shown
    assert "D to play, best card by share first" in shown
    assert "One best line: the best card by share each time" in shown
    assert "D  to play" in shown
    assert "write FILE" in shown


@pytest.mark.parametrize("by", ["share", "guaranteed"])
def test_line_plays_what_best_plays_and_counts_all_tricks(by: str) -> None:
    def follow(script: str) -> list[str]:
        return run("play", "--by", by, f"{SPLIT} play=HJ,HA,H2", stdin=script).stdout.splitlines()

    shown = follow("next 3 line")
    at = shown.index(f"One best line: the best card by {by} each time, the lowest of equals")
    played = follow("next 3 best 18 record")[-2:]
    cards = [word.lstrip("♠♥♦♣") for row in shown[at + 1 : -1] for word in row.split()[2:7:2]]
    assert cards == [card[1] for card in played[1].partition("play=")[2].split(",")[3:]]
    assert shown[-1].strip().replace("in all", "end of the play:") == played[0]


SPLIT = "D:K43.J85.8. J76.A7.A.9 2.92..KJ53 trump=D lead=D"


def test_commands_may_be_cut_short_and_quit_ends() -> None:
    shown = lines("n 3\nu 2\nt 2\nq\nnonsense")
    assert [line.split(",")[0] for line in shown if line.startswith("trick")] == [
        "trick 1",
        "trick 2",
        "trick 1",
        "trick 2",
    ]


def test_blank_lines_and_comments_are_skipped() -> None:
    assert lines("\n# a comment\n\nS8 # the lead\n")[-1].startswith("  L ♠8?")


def test_a_card_may_name_its_seat() -> None:
    assert lines("L:S8 r:sk")[-1] == "  R (♠K)"


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("S8\n\nD:SA", ["<stdin>:3: trick 1: D cannot play SA: it is the turn of R"]),
        ("SA", ["<stdin>:1: trick 1: L cannot play SA: L holds 84.K.A9.; D holds SA"]),
        ("S8 SK HQ", ["trick 1: D cannot play HQ: D holds SA,S5 of the suit led"]),
        ("S8 SK S8", ["trick 1: D cannot play S8: D holds A5.QJ.K.; L has played S8 to trick 1"]),
        ("best 15 SA", ["trick 6: ", "cannot play SA: the play is over"]),
        ("best 16", ["cannot go on by 16: there are 15 more cards to play"]),
        ("best 15 best", ["the play is over, expected undo or quit"]),
        ("best 15 line", ["the play is over, expected undo or quit"]),
        ("best 15 cards", ["the play is over, expected undo or quit"]),
        ("nonsense", ["<stdin>:1: 'nonsense' is no command and no card, expected one such as SA, or help"]),
        ("h", ["'h' may be hands or help, expected more letters"]),
        ("next 7", ["cannot go on by 7: the record has 6 more from here"]),
        ("undo", ["cannot go back by 1: cards played so far: 0"]),
        ("trick", ["trick needs a number"]),
        ("trick 9", ["there is no trick 9 here, expected 1 to 3"]),
        ("next -1", ["<stdin>:1: -1 is out of range, expected 1 to 1000"]),
        ("next 0", ["0 is out of range, expected 1 to 1000"]),
        ("next 99999999999999999999", ["is out of range"]),
        ("write", ["write needs the name of a file"]),
        ("write /nowhere/at/all", ["'/nowhere/at/all' cannot be written: No such file"]),
        ("\udcff", ["<stdin>:1", "is not UTF-8"]),
    ],
)
def test_what_cannot_be_followed_ends_a_script_with_its_line(script: str, words: list[str]) -> None:
    assert_refused(run("play", RECORD, stdin=script.encode("utf-8", "surrogateescape")), *words)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            ["next", "undo", "best", "cards", "line", "hands", "record", "trick", "S8", "SK", "SA"]
        )
        | st.sampled_from(["1", "2", "3", "L:S4", "?", "D", "n", "99", "h", "-1", "٣"])
        | st.text(st.characters(exclude_categories=["Cs"]), max_size=4),
        max_size=8,
    ).map(" ".join)
)
def test_no_script_gives_a_traceback(script: str) -> None:
    result = run("play", RECORD, stdin=script.encode())
    assert result.exit_code in (0, 2)
    assert result.stderr.count("\n") == (result.exit_code == 2)
    assert "Traceback" not in result.output


def test_what_came_before_a_fault_is_shown() -> None:
    assert "  L ♠8?" in run("play", RECORD, stdin="S8 nonsense").stdout


def test_a_file_holds_one_record(tmp_path: Path) -> None:
    path = tmp_path / "deals.txt"
    path.write_text(f"# one\n{RECORD}\n")
    assert run("play", str(path), stdin="").exit_code == 0
    path.write_text(f"{RECORD}\n{RECORD}\n")
    assert_refused(run("play", str(path), stdin=""), f"{path}: 2 records, expected one to play")
    path.write_text("nonsense\n")
    assert_refused(run("play", str(path), stdin=""), f"{path}:1:")
    assert_refused(run("play", "-", stdin=RECORD), "<stdin>: the commands are read from here")


def test_a_record_without_a_trump_needs_the_option() -> None:
    record = "D:A... K... Q..."
    assert_refused(run("play", record, stdin=""), "the trump is not given")
    assert run("play", record, "--trump", "N", stdin="SA SK SQ").exit_code == 0
