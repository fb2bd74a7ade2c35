"""Statistics of many answers, held against counting them in another way."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any

import pytest
from stored import random_deal
from test_cli import assert_refused, run

from sgtmajor import Record, analyze, solve
from sgtmajor.batch import solve_many
from sgtmajor.cards import Seat, Suit
from sgtmajor.errors import InputError
from sgtmajor.stats import NUMBERS, Tally


@pytest.fixture(scope="module")
def deals() -> list[str]:
    rng = Random(3)
    return [f"{random_deal(rng, 4, 0)} rules=classic,targets=2-1-1" for _ in range(40)]


@pytest.fixture(scope="module")
def answers(deals: list[str]) -> list[dict[str, Any]]:
    return [outcome.to_dict() for outcome in solve_many(deals, task="trumps")]


def tally_of(answers: list[dict[str, Any]]) -> dict[str, Any]:
    tally = Tally()
    for answer in answers:
        tally.add(answer)
    return tally.to_dict()


def test_means_and_distributions_are_those_of_all_answers(answers: list[dict[str, Any]]) -> None:
    found = tally_of(answers)
    assert (found["answers"], found["failed"]) == (40, 0)
    for trump in "SHDC":
        for seat in "DLR":
            sure = [answer["trumps"][trump]["guaranteed"][seat] for answer in answers]
            group = found["groups"][trump]["seats"][seat]
            assert group["guaranteed"] == pytest.approx(fmean(sure), abs=1e-3)
            assert group["tricks"]["guaranteed"] == {str(n): sure.count(n) for n in sorted(set(sure))}
            target = {"D": 2, "L": 1, "R": 1}[seat]
            assert group["reaches_target"]["guaranteed"] == sum(n >= target for n in sure) / 40
            assert group["points"] == pytest.approx(group["share"] - target, abs=2e-3)
    assert found["groups"]["all"]["records"] == 160


def test_expected_tricks_are_counted_of_the_answers_that_have_them(tmp_path: Path) -> None:
    rng = Random(5)
    lines = [f"{random_deal(rng, 3, 0)} trump=S rules=classic,targets=1-1-1" for _ in range(20)]
    answers = [
        outcome.to_dict()
        for task, some in (("equilibrium", lines[:15]), ("solve", lines[15:]))
        for outcome in solve_many(some, task=task)
    ]
    found = tally_of(answers)["groups"]["S"]
    assert found["records"] == 20
    for seat in "DLR":
        expected = [answer["equilibrium"][seat] for answer in answers[:15]]
        group = found["seats"][seat]
        assert group["equilibrium"] == pytest.approx(fmean(expected), abs=1e-3)
        assert sum(group["tricks"]["equilibrium"].values()) == 15
        reached = sum(tricks > 1 - 1e-6 for tricks in expected) / 15
        assert group["reaches_target"]["equilibrium"] == pytest.approx(reached, abs=1e-3)
    path = tmp_path / "values.jsonl"
    path.write_text("".join(json.dumps(answer) + "\n" for answer in answers))
    assert "equilibrium, rounded down" in run("stats", str(path)).stdout
    path.write_text(json.dumps(answers[-1]) + "\n")
    assert "equilibrium" not in run("stats", str(path)).stdout


def answer_of(tricks: int, trump: str, equilibrium: float | None = None) -> dict[str, Any]:
    """An answer about a deal of so many tricks, of which D has all but two."""
    sure = {"D": tricks - 2, "L": 1, "R": 1}
    suit = "AKQJT98765432"[:tricks]
    record = f"D:{suit}... .{suit}.. ..{suit}. trump={trump} rules=classic,targets={tricks}-0-0"
    found: dict[str, Any] = {"record": record, **dict.fromkeys(("guaranteed", "share", "ceiling"), sure)}
    if equilibrium is not None:
        rest = (tricks - equilibrium) / 2
        found["equilibrium"] = {"D": equilibrium, "L": rest, "R": rest}
    return found


def shown(answers: list[dict[str, Any]]) -> str:
    return run("stats", "-", stdin="".join(json.dumps(answer) + "\n" for answer in answers)).stdout


def test_answers_of_all_sizes_and_kinds_are_counted_side_by_side() -> None:
    mixed = [answer_of(13, "S"), answer_of(3, "S", 2.0), answer_of(3, "H", 2.5), answer_of(3, "D")]
    found = tally_of(mixed)["groups"]
    assert found["all"]["seats"]["D"]["equilibrium"] == 2.25
    assert found["all"]["seats"]["D"]["tricks"]["equilibrium"] == {"2": 2}
    assert "equilibrium" not in found["D"]["seats"]["D"]
    rows = [line.split() for line in shown(mixed).splitlines()]
    trump = {row[0]: row for row in rows if row and row[0] in ("all", "♠", "♥", "♦")}
    assert len(trump["♦"]) == len(trump["♥"]) - 3, "no equilibrium at all under diamonds"
    # Half of the answers have an equilibrium: all of these are two tricks, rounded down.
    (two,) = (row for row in rows if row and row[0] == "2")
    assert two == ["2", "100.0%"]
    assert "The equilibrium is that of 2 of 4 records only" in shown(mixed)


def test_expected_tricks_just_below_a_trick_are_not_rounded_up() -> None:
    found = tally_of([answer_of(3, "S", 2.9995)])["groups"]["S"]["seats"]["D"]
    assert found["tricks"]["equilibrium"] == {"2": 1}
    assert found["reaches_target"]["equilibrium"] == 0
    found = tally_of([answer_of(3, "S", 2.9999995)])["groups"]["S"]["seats"]["D"]
    assert found["tricks"]["equilibrium"] == {"3": 1}


def test_targets_are_left_open_where_no_answer_with_an_equilibrium_has_one() -> None:
    without = answer_of(3, "S", 2.0)
    without["record"] = without["record"].replace(" rules=classic,targets=3-0-0", "")
    found = tally_of([answer_of(13, "S"), without])["groups"]["S"]["seats"]["D"]
    assert set(found["reaches_target"]) == {"guaranteed", "share", "ceiling"}
    lines = shown([answer_of(13, "S"), without]).splitlines()
    (target,) = (line for line in lines if line.split()[:1] == ["target"])
    assert len(target.split()) == 1 + 6


def test_plays_that_are_over_and_reviews_are_not_counted() -> None:
    over = run("batch", "-", stdin="D:A... K... Q... trump=S play=SA,SK,SQ\n").stdout
    mixed = tally_of([json.loads(over), answer_of(3, "S")])
    assert (mixed["answers"], mixed["over"], mixed["groups"]["all"]["records"]) == (2, 1, 1)
    assert "2 answers, 1 of plays that are over, all cards" in shown([json.loads(over), answer_of(3, "S")])
    played = "D:AK.5.. Q.A.2. JT.K.. trump=S play=SK,SQ,ST\n"
    reviewed = run("batch", "--task", "review", "-", stdin=played).stdout
    assert_refused(run("stats", "-", stdin=reviewed), "<stdin>:1: a review is not counted")


def test_the_longest_suit_is_that_of_the_hand_that_was_valued() -> None:
    deal = "D:AK.5.3. QT.A..2 J9.K.Q. K:...A discard=SA\n"
    after, before = (
        tally_of([json.loads(run("batch", "--task", task, "-", stdin=deal).stdout)])["longest"]
        for task in ("trumps", "analyze")
    )
    assert (after["agrees"], after["loss"] >= 0) == (1, True), "all four suits have one card"
    assert list(before["lengths"]) in (["1"], ["2"])


def test_the_leader_is_the_one_who_leads_after_the_play() -> None:
    played = "D:A5.QJ.K. 84.K.A9. K.T8.J4. trump=S lead=L play=S8,SK,S5\n"
    for task in ("solve", "trumps"):
        answer = json.loads(run("batch", "--task", task, "-", stdin=played).stdout)
        assert list(tally_of([answer])["leads"]) == ["R"]


@pytest.mark.parametrize("order", [1, -1])
def test_many_tricks_are_told_where_deals_have_so_many(order: int) -> None:
    assert "12 tricks or more" in shown([answer_of(13, "S"), answer_of(3, "S")][::order])
    assert "12 tricks or more" not in shown([answer_of(3, "S")])


def test_where_all_have_failed_that_is_said() -> None:
    failed = run("batch", "-", stdin="nonsense\nmore of it\n").stdout
    assert_refused(run("stats", "-", stdin=failed), "no answers to count: 2 failed, expected some that were")


def test_shares_are_rounded_down_as_the_thirds_they_are(answers: list[dict[str, Any]]) -> None:
    found = tally_of(answers)["groups"]["all"]["seats"]["L"]["tricks"]["share"]
    thirds = [round(3 * answer["trumps"][trump]["share"]["L"]) for answer in answers for trump in "SHDC"]
    assert found == {str(n): [each // 3 for each in thirds].count(n) for n in range(5) if str(n) in found}
    assert sum(found.values()) == 160


def test_the_best_trump_is_held_against_the_longest_suit(
    deals: list[str], answers: list[dict[str, Any]]
) -> None:
    longest = tally_of(answers)["longest"]
    agrees, losses = 0, []
    for line, answer in zip(deals, answers, strict=True):
        hand = Record.parse(line).deal.hands.D
        lengths = {str(suit): len(hand.suit(suit)) for suit in Suit}
        shares = {trump: answer["trumps"][trump]["share"]["D"] for trump in "SHDC"}
        top = [suit for suit in "SHDC" if lengths[suit] == max(lengths.values())]
        order = {trump: (shares[trump], answer["trumps"][trump]["guaranteed"]["D"]) for trump in "SHDC"}
        best = max("SHDC", key=order.__getitem__)
        agrees += any(order[suit] == order[best] for suit in top)
        losses.append(shares[best] - fmean(shares[suit] for suit in top))
    assert longest["records"] == 40
    assert longest["agrees"] == agrees
    assert longest["loss"] == pytest.approx(fmean(losses), abs=1e-3)


def test_of_trumps_worth_the_same_any_may_be_the_longest_suit() -> None:
    # Spades and clubs are worth the same, clubs are longer.
    number = {"D": 1, "L": 1, "R": 1}
    worth = {"guaranteed": number, "share": number, "ceiling": number}
    less = {**worth, "share": {"D": 0, "L": 2, "R": 1}}
    answer = {"record": "D:A...AK K...QJ Q...T9", "trumps": {"S": worth, "H": less, "D": less, "C": worth}}
    found = tally_of([answer])["longest"]
    assert (found["agrees"], found["loss"], found["lengths"]) == (1, 0, {"2": 1})


def test_analyses_cut_short_are_left_out_and_named(answers: list[dict[str, Any]], tmp_path: Path) -> None:
    cut = [{**answer, "complete": False} for answer in answers[:3]]
    found = tally_of([*cut, *answers[3:]])
    assert (found["answers"], found["cut_short"]) == (40, 3)
    assert found["groups"] == tally_of(answers[3:])["groups"]
    path = tmp_path / "values.jsonl"
    path.write_text("".join(json.dumps(answer) + "\n" for answer in [*cut, *answers[3:]]))
    assert run("stats", str(path)).stdout.startswith("40 answers, 3 cut short and left out, all cards")
    path.write_text(json.dumps(cut[0]) + "\n")
    assert_refused(run("stats", str(path)), "no answers to count: 1 were cut short, expected")


def test_the_value_of_the_lead_is_seen_where_several_seats_lead() -> None:
    rng = Random(4)
    lines = [f"{random_deal(rng, 3, 0)} trump=S lead={seat}" for seat in "DLR" for _ in range(10)]
    found = tally_of([outcome.to_dict() for outcome in solve_many(lines)])
    shares = {line: solve(line).values.share for line in lines}
    for seat in Seat:
        own = [share[seat] for line, share in shares.items() if f"lead={seat}" in line]
        others = [share[seat] for line, share in shares.items() if f"lead={seat}" not in line]
        assert found["value_of_lead"][str(seat)] == pytest.approx(fmean(own) - fmean(others), abs=2e-3)
    assert "value_of_lead" not in tally_of([outcome.to_dict() for outcome in solve_many(lines[:5])])


def test_the_choice_of_the_card_to_lead_is_valued_where_cards_were() -> None:
    line = "D:A5.QJ.K. 84.K.A9. K.T8.J4. trump=S lead=L"
    (outcome,) = solve_many([line], cards=True)
    answer: dict[str, Any] = outcome.to_dict()
    shares = [each["share"] for each in answer["cards"] for _ in range(1 + len(each["equals"]))]
    assert len(shares) == 5
    found = tally_of([answer])["choice_of_lead"]
    assert found == {
        "records": 1,
        "over_mean": round(max(shares) - fmean(shares), 3),
        "over_worst": round(max(shares) - min(shares), 3),
    }


def test_analyses_and_failures_are_counted_too(deals: list[str]) -> None:
    analysis = analyze("D:AK.5.3. QT.A..2 J9.K.Q. K:...A rules=classic,targets=2-1-1").to_dict()
    failed = next(iter(solve_many(["nonsense"]))).to_dict()
    found = tally_of([analysis, failed, solve(f"{deals[0]} trump=N").to_dict()])
    assert (found["answers"], found["failed"]) == (3, 1)
    assert found["groups"]["best"]["records"] == 1
    best = analysis["best"]
    assert isinstance(best, dict)
    assert found["groups"]["best"]["seats"]["D"]["share"] == analysis["trumps"][best["trump"]]["share"]["D"]  # type: ignore[index]
    assert "N" in found["groups"]


@pytest.mark.parametrize(
    "answer",
    [
        {},
        {"guaranteed": 1, "record": "D:A... K... Q... trump=N"},
        {"guaranteed": {}, "record": "nonsense"},
        {"trumps": {}},
        {"trumps": {"S": 3}, "record": "D:A... K... Q..."},
        {"guaranteed": {"D": 1}, "record": "D:A... K... Q..."},
        *(
            dict.fromkeys(NUMBERS, dict.fromkeys("DLR", number)) | {"record": "D:A... K... Q... trump=N"}
            for number in (10**400, 1e308, float("nan"), float("inf"), -1)
        ),
    ],
)
def test_what_is_no_answer_is_refused(answer: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        Tally().add(answer)


# The command.


@pytest.fixture
def path(tmp_path: Path, answers: list[dict[str, Any]]) -> Path:
    path = tmp_path / "values.jsonl"
    path.write_text("".join(json.dumps(answer) + "\n" for answer in answers))
    return path


def test_text_says_what_json_says(path: Path) -> None:
    text = run("stats", str(path)).stdout
    found = json.loads(run("stats", str(path), "--format", "json").stdout)
    assert text.startswith("40 answers, all cards open\n")
    seats = found["groups"]["best"]["seats"]
    assert f"naming the longest costs {found['longest']['loss']:.2f} tricks" in text
    (row,) = [line.split() for line in text.splitlines() if line.startswith("  best ")]
    assert row[1:5] == ["40", *(f"{seats[seat]['guaranteed']:.2f}" for seat in "DLR")]
    assert "Always led by D" in text


def test_several_files_are_counted_together(path: Path) -> None:
    assert json.loads(run("stats", str(path), str(path), "--format", "json").stdout)["answers"] == 80


def test_a_picture_is_drawn(path: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    picture = tmp_path / "tricks.png"
    assert run("stats", str(path), "--plot", str(picture)).exit_code == 0
    assert picture.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", ["<stdin>: no answers to count"]),
        ("nonsense\n", ["<stdin>:1", "'nonsense' is no answer"]),
        ('{"id": 1}\n', ["<stdin>:1", "no answer of solve"]),
        ('{"id": "1", "error": "bad"}\n', ["no answers to count: 1 failed, expected"]),
        ('{"guaranteed": 1, "reco', ["<stdin>:1", "no JSON object"]),
    ],
)
def test_files_that_are_no_answers_are_refused(text: str, words: list[str]) -> None:
    assert_refused(run("stats", "-", stdin=text), *words)
