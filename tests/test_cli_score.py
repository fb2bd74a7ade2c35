"""The command score: the table, the chart, the picture, JSON, and what it says of bad input."""

from __future__ import annotations

from itertools import accumulate
from pathlib import Path
from random import Random
from xml.sax.saxutils import escape

import pytest
from test_cli import assert_refused, objects, run

from sgtmajor.cli.score_text import chart
from sgtmajor.session import score

EXAMPLE = Path(__file__).resolve().parent.parent / "examples" / "session.txt"
TWO = "players=Ann,Ben,Cat\ndealer=Ann tricks=9,4,3\ndealer=Ben tricks=6,6,4\n"


def test_the_report_has_a_table_a_chart_the_next_deal_and_the_winner() -> None:
    result = run("score", "-", stdin=TWO)
    assert result.exit_code == 0
    assert result.stderr == ""
    expected = """\
2 deals, rules classic

                  tricks         points         total
  deal  dealer  Ann  Ben  Cat  Ann  Ben  Cat  Ann  Ben  Cat  owed next
     1  Ann       9    4    3   +1   -1    0   +1   -1    0  Ann gives 1 to Ben
     2  Ben       6    6    4   +3   -2   -1   +4   -3   -1  Ann gives 2 to Ben, Ann gives 1 to Cat

  +4 |        A
  +3 |       .
  +2 |     ..
  +1 |   .A
   0 |*...C..--
  -1 |   .B  .C
  -2 |     ...
  -3 |        B

  A Ann   B Ben   C Cat   * several

Next: Cat deals; Ann gives 2 to Ben, then Ann gives 1 to Cat.
If it ends here, Ann wins with +4, by total
"""
    assert result.stdout == expected


@pytest.mark.parametrize(
    ("session", "words"),
    [
        (
            "players=A,B,C\ndealer=A tricks=8,5,3",
            ["No winner: A, B and C are level: add won=", "nobody owes cards"],
        ),
        ("players=A,B,C rules=eldest\ndealer=A tricks=12,3,1", ["\nA wins with +4, at once"]),
        (
            "players=A,B,C rules=polish\ndealer=A tricks=4,8,4",
            ["A gives 1 to C if a suit is announced.", "\n  (owed next only if a suit is announced)\n"],
        ),
        (
            "players=A,B,C rules=exchange=none\ndealer=A tricks=9,4,3",
            ["Next: B deals; there is no exchange."],
        ),
    ],
)
def test_the_end_of_the_report_says_what_is_decided_and_owed(session: str, words: list[str]) -> None:
    result = run("score", "-", stdin=session)
    assert result.exit_code == 0
    for word in words:
        assert word in result.stdout


def test_a_session_won_at_once_has_no_next_deal_in_the_report() -> None:
    assert "Next:" not in run("score", "-", stdin="players=A,B,C rules=eldest\ndealer=A tricks=12,3,1").stdout


def test_json_is_the_score_of_the_library() -> None:
    assert objects(run("score", "-", "--format", "json", stdin=TWO)) == [score(TWO).to_dict()]


def test_the_example_runs() -> None:
    result = run("score", str(EXAMPLE))
    assert result.exit_code == 0
    assert result.stdout == run("score", "-", stdin=EXAMPLE.read_bytes()).stdout


# The chart.


@pytest.mark.parametrize("deals", [1, 2, 5, 17, 18, 24, 36, 71, 72, 73, 200, 1000])
@pytest.mark.parametrize("most", [1, 3, 8])
def test_a_chart_fits_and_ends_with_the_last_totals(deals: int, most: int) -> None:
    rng = Random(deals)
    ann = list(accumulate((rng.randint(-most, most) for _ in range(deals)), initial=0))
    ben = list(accumulate((rng.randint(-most, most) for _ in range(deals)), initial=0))
    series = [ann, ben, [-a - b for a, b in zip(ann, ben, strict=True)]]
    lines = chart(series)
    assert len(lines) <= 15
    assert max(map(len, lines)) <= 80
    assert all(line.isascii() for line in lines)
    assert len({line.index("|") for line in lines}) == 1
    scale = [int(line.partition("|")[0]) for line in lines]
    assert scale == sorted(scale, reverse=True)
    assert 0 in scale
    end = max(map(len, lines)) - 1
    unit = scale[0] - scale[1]
    for letter, line in zip("ABC", series, strict=True):
        row = next(
            row for row, level in zip(lines, scale, strict=True) if round(line[-1] / unit) * unit == level
        )
        assert len(row) == end + 1
        assert row[end] in (letter, "*")


def test_a_chart_of_a_session_on_target_is_one_line() -> None:
    assert chart([[0, 0], [0, 0], [0, 0]]) == ["  0 |*...*"]


# The picture.


@pytest.mark.parametrize(("name", "start"), [("a.png", b"\x89PNG"), ("a.svg", b"<?xml"), ("A.SVG", b"<?xml")])
def test_a_picture_is_drawn(name: str, start: bytes, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    file = tmp_path / name
    result = run("score", "-", "--plot", str(file), stdin=TWO)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == run("score", "-", stdin=TWO).stdout
    assert file.read_bytes().startswith(start)


@pytest.mark.parametrize("names", ["$\\frac{$,$x^2$,C", "_Ann,_,__", "アン,ベン,キャ", "a&b,<c>,%"])
def test_names_are_drawn_as_they_are_and_nothing_is_said(names: str, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    file = tmp_path / "a.svg"
    first = names.split(",")[0]
    result = run("score", "-", "--plot", str(file), stdin=f"players={names}\ndealer={first} tricks=9,4,3\n")
    assert (result.exit_code, result.stderr) == (0, "")
    for name in names.split(","):
        assert f"<!-- {escape(name)} -->" in file.read_text(encoding="utf-8")


def test_without_matplotlib_the_message_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sgtmajor.cli.plotting.find_spec", lambda name: None)
    result = run("score", "-", "--plot", "a.png", stdin=TWO)
    assert_refused(result, "--plot", "python3 -m pip install matplotlib")


def test_a_picture_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    file = tmp_path / "a.png"
    file.mkdir()
    result = run("score", "-", "--plot", str(file), stdin=TWO)
    assert_refused(result, "--plot", "cannot be written: it is a folder")


def test_a_picture_of_another_kind_is_refused_before_any_work() -> None:
    assert_refused(run("score", "nowhere.txt", "--plot", "a.pdf"), "'a.pdf' is no picture", ".png or .svg")


# Refusals.


def test_every_error_of_a_file_is_a_line(tmp_path: Path) -> None:
    file = tmp_path / "s.txt"
    file.write_text("players=A,B,C\ndealer=B tricks=9,4,4\n\ndealer=B tricks=x won=ABD\n")
    result = run("score", str(file))
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr == (
        f"{file}:2:17: 9,4,4 are 17 tricks, expected 16 in all\n"
        f"{file}:4:8: B deals after B, expected C: the deal moves clockwise\n"
        f"{file}:4:17: 'x' are no tricks, expected three numbers such as 9,4,3\n"
        f"{file}:4:25: 'D' is no player, expected A B C for the players in their order\n"
    )


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", ["<stdin>: no players, expected a first line such as"]),
        (b"\0\0", ["<stdin>: a binary file, expected text"]),
        (b"players=A,B,C\n", ["<stdin>: no deals, expected lines such as"]),
        (b"D:A... K... Q...\n", ["<stdin>:1:1: no players"]),
    ],
)
def test_what_is_no_session_is_refused(content: bytes, words: list[str]) -> None:
    result = run("score", "-", stdin=content)
    assert result.exit_code == 2
    for word in words:
        assert word in result.stderr


def test_a_file_that_is_not_there_is_refused() -> None:
    assert_refused(run("score", "nowhere.txt"), "nowhere.txt: cannot be read: No such file or directory")
