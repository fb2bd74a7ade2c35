"""The oracles agree with each other and with the stored answers; the package itself is not involved."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import oracle
import pytest
from oracle import Cards, Hands, Position

DATA = Path(__file__).parent / "data"
# In each of these presets the dealer announces; the first lead is his or the next seat's.
LEADERS = {"classic": 0, "eldest": 1, "pickup": 1}


def stored(name: str) -> Iterator[dict[str, Any]]:
    with (DATA / name).open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def stored_positions(name: str, size: int) -> Iterator[tuple[dict[str, Any], Position]]:
    for line in stored(name):
        position = oracle.read_position(line["record"])
        if len(position.hands[0]) == size:
            yield line, position


def by_seat(values: tuple[Any, ...]) -> dict[str, Any]:
    return dict(zip(oracle.SEATS, values, strict=True))


def hand(text: str) -> Cards:
    return oracle.read_hand(text)


# Rules of the trick.


def test_the_led_suit_must_be_followed_and_a_void_frees_every_card() -> None:
    cards = hand("A2.K..")
    assert oracle.legal(cards, ()) == cards
    assert oracle.legal(cards, oracle.read_cards("HA")) == hand(".K..")
    assert oracle.legal(cards, oracle.read_cards("DA,H2")) == cards


@pytest.mark.parametrize(
    ("trick", "trump", "place"),
    [
        ("S2,S3,SA", "N", 2),
        ("S2,HA,DA", "N", 0),
        ("S2,HA,DA", "H", 1),
        ("SA,H2,H3", "H", 2),
        ("SA,H3,H2", "H", 1),
        ("SA,CA,SK", "D", 0),
        ("D4,D5,S2", "D", 1),
    ],
)
def test_a_trick_goes_to_the_highest_trump_else_to_the_highest_card_led(
    trick: str, trump: str, place: int
) -> None:
    assert oracle.winner(oracle.read_cards(trick), oracle.TRUMPS.index(trump)) == place


# Text.


@pytest.mark.parametrize("size", [1, 5, 17])
def test_a_written_deal_reads_back_the_same(size: int) -> None:
    rng = Random(size)
    hands, kitty = oracle.random_deal(rng, size, kitty=min(4, 52 - 3 * size))
    read_hands, read_kitty, fields = oracle.read_deal(oracle.write_deal(hands, kitty))
    assert (list(map(sorted, read_hands)), sorted(read_kitty)) == (list(map(sorted, hands)), sorted(kitty))
    assert fields == {}


@pytest.mark.parametrize("mid_trick", [False, True])
def test_a_written_position_reads_back_the_same(mid_trick: bool) -> None:
    rng = Random(2)
    for _ in range(100):
        position = oracle.random_position(rng, rng.randint(1, 17), mid_trick)
        read = oracle.read_position(str(position))
        assert list(map(sorted, read.hands)) == list(map(sorted, position.hands))
        assert read[1:] == position[1:]


def test_hands_are_read_clockwise_from_the_seat_that_is_named() -> None:
    hands, _, _ = oracle.read_deal("R:A... .K.. ..Q.")
    assert hands == (hand(".K.."), hand("..Q."), hand("A..."))


# The random generators.


@pytest.mark.parametrize("mid_trick", [False, True])
def test_a_random_position_has_no_card_twice_and_no_revoke(mid_trick: bool) -> None:
    rng = Random(3)
    for _ in range(200):
        size = rng.randint(1, 17)
        hands, _, leader, trick = oracle.random_position(rng, size, mid_trick)
        assert len(trick) in ((1, 2) if mid_trick else (0,))
        cards = [card for held in (*hands, trick) for card in held]
        assert len(set(cards)) == len(cards) == 3 * size
        for place, card in enumerate(trick):
            assert card in oracle.legal((*hands[(leader + place) % 3], card), trick[:place])


# Small cases that can be solved in the head.


def test_an_ace_queen_is_sure_of_both_tricks_only_when_the_king_plays_before_it() -> None:
    after = oracle.read_position("D:AQ... 32... K4... trump=N lead=R")
    assert oracle.guarantees(*after) == (2, 0, 0)
    before = oracle.read_position("D:AQ... 32... K4... trump=N lead=D")
    assert oracle.guarantees(*before) == (1, 0, 1)


def test_an_indifferent_seat_picks_evenly_and_each_card_counts() -> None:
    """D wins nothing: either heart lets L take all three tricks, the diamond lets R take one of them."""
    position = oracle.read_position("D:.32.2. .A..AK ..A.32 trump=N lead=D")
    assert oracle.equilibrium(*position) == pytest.approx((0, 8 / 3, 1 / 3))
    assert oracle.guarantees(*position) == (0, 2, 0)


def test_a_play_that_is_over_is_worth_nothing() -> None:
    empty: Hands = ((), (), ())
    assert oracle.guarantees(empty, 0, 0) == (0, 0, 0)
    assert oracle.equilibrium(empty, 0, 0) == (0.0, 0.0, 0.0)


# The stored answers.


@pytest.mark.parametrize(("size", "lines"), [(1, 40), (2, 40), (3, 40), (4, 40), (5, 12)])
def test_the_stored_guarantees_are_those_of_brute_force(size: int, lines: int) -> None:
    of_this_size = list(stored_positions("guaranteed_small.jsonl", size))[:lines]
    assert len(of_this_size) == lines
    for line, position in of_this_size:
        assert by_seat(oracle.guarantees(*position)) == line["guaranteed"], line["record"]


@pytest.mark.parametrize("size", range(1, 5))
def test_the_stored_equilibria_are_those_of_brute_force(size: int) -> None:
    for line, position in stored_positions("equilibrium_small.jsonl", size):
        values = by_seat(oracle.equilibrium(*position))
        assert values == pytest.approx(line["equilibrium"], abs=1e-6), line["record"]


def test_the_stored_analyses_of_four_card_deals_are_those_of_brute_force() -> None:
    checked = 0
    for line in stored("analyze_small.jsonl"):
        hands, kitty, fields = oracle.read_deal(line["record"])
        rules = fields["rules"]
        if len(hands[0]) > 4:
            continue
        best = oracle.best_discards(hands, kitty, 0, LEADERS[rules], pickup=rules == "pickup")
        assert {trump: value.guaranteed for trump, value in best.items()} == {
            trump: value["guaranteed"] for trump, value in line["trumps"].items()
        }, line["record"]
        assert {trump: value.share for trump, value in best.items()} == pytest.approx(
            {trump: value["share"] for trump, value in line["trumps"].items()}, abs=1e-3
        ), line["record"]
        checked += 1
    assert checked == 20


# What the definitions promise.


@pytest.mark.parametrize("mid_trick", [False, True])
def test_an_equilibrium_lies_between_guarantee_and_ceiling_and_sums_to_the_tricks(mid_trick: bool) -> None:
    rng = Random(4)
    for _ in range(60):
        size = rng.randint(1, 4)
        position = oracle.random_position(rng, size, mid_trick)
        sure = oracle.guarantees(*position)
        values = oracle.equilibrium(*position)
        assert sum(values) == pytest.approx(size)
        for seat in range(3):
            ceiling = size - sum(sure) + sure[seat]
            assert sure[seat] - 1e-9 <= values[seat] <= ceiling + 1e-9, position
        assert sum(oracle.share(sure, size, seat) for seat in range(3)) == pytest.approx(size)


def test_the_guarantee_of_one_seat_is_its_part_of_the_three() -> None:
    rng = Random(5)
    for _ in range(30):
        position = oracle.random_position(rng, 3, mid_trick=rng.random() < 0.5)
        assert tuple(oracle.guaranteed(*position, seat) for seat in range(3)) == oracle.guarantees(*position)


def test_taking_the_kitty_up_first_is_never_worse_than_discarding_blind() -> None:
    rng = Random(6)
    for _ in range(5):
        hands, kitty = oracle.random_deal(rng, 3, kitty=2, suits=2)
        blind = oracle.best_discards(hands, kitty, 0, 0, pickup=False)
        seen = oracle.best_discards(hands, kitty, 0, 0, pickup=True)
        for trump in oracle.SUITS:
            assert seen[trump].guaranteed >= blind[trump].guaranteed
            assert seen[trump].share >= blind[trump].share


# The bridge solver.


@pytest.fixture(scope="module")
def dds() -> Any:
    pytest.importorskip("endplay")
    import dds

    return dds


@pytest.mark.parametrize("mid_trick", [False, True])
@pytest.mark.parametrize("size", range(1, 5))
def test_the_bridge_solver_and_brute_force_agree_on_random_endings(
    dds: Any, size: int, mid_trick: bool
) -> None:
    rng = Random(10 * size + mid_trick)
    for _ in range(80):
        position = oracle.random_position(rng, size, mid_trick)
        answers = tuple(dds.guaranteed(*position, seat) for seat in range(3))
        assert answers == oracle.guarantees(*position), position


def test_the_bridge_solver_and_brute_force_agree_for_every_leader_and_trump(dds: Any) -> None:
    rng = Random(7)
    for _ in range(8):
        hands, _ = oracle.random_deal(rng, 3, suits=3)
        for trump in range(5):
            for leader in range(3):
                answers = tuple(dds.guaranteed(hands, trump, leader, (), seat) for seat in range(3))
                assert answers == oracle.guarantees(hands, trump, leader), (hands, trump, leader)


@pytest.mark.parametrize("size", range(1, 11))
def test_the_stored_guarantees_are_those_of_the_bridge_solver(dds: Any, size: int) -> None:
    for line, position in stored_positions("guaranteed_small.jsonl", size):
        answers = tuple(dds.guaranteed(*position, seat) for seat in range(3))
        assert by_seat(answers) == line["guaranteed"], line["record"]


def test_the_stored_three_suit_guarantees_are_those_of_the_bridge_solver(dds: Any) -> None:
    for line, position in stored_positions("three_suits.jsonl", 13):
        for seat, value in line["guaranteed"].items():
            assert dds.guaranteed(*position, oracle.SEATS.index(seat)) == value, line["record"]


def test_the_bridge_solver_refuses_hands_that_leave_north_no_idle_cards(dds: Any) -> None:
    hands, _ = oracle.random_deal(Random(8), 13)
    with pytest.raises(ValueError, match="never win; North needs 13"):
        dds.guaranteed(hands, 0, 0, (), 0)
    with pytest.raises(ValueError, match="trick does not explain"):
        dds.guaranteed((hands[0], hands[1][1:], hands[2]), 4, 0, (), 0)


def test_importing_the_bridge_solver_without_endplay_is_an_import_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "endplay", None)
    for name in [name for name in sys.modules if name == "dds" or name.startswith("endplay.")]:
        monkeypatch.delitem(sys.modules, name)
    with pytest.raises(ImportError):
        import dds  # noqa: F401
