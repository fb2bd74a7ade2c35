"""Writes positions for driver.c: stored answers, whole deals under a node limit, and malformed ones.

Usage: python positions.py [--short]. Needs nothing but the standard library and oracle.py.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

TESTS = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TESTS))

import oracle  # noqa: E402

SEED = 20


def number(card: int) -> int:
    """Returns the number that the core has for a card of the oracle."""
    return 16 * (card // 13) + card % 13


def fields(position: oracle.Position) -> list[int]:
    """Returns hands, trump, leader, cards in the trick, and the two trick cards."""
    hands = [sum(1 << number(card) for card in hand) for hand in position.hands]
    trick = [number(card) for card in position.trick]
    return [*hands, position.trump, position.leader, len(trick), *trick, *[0] * (2 - len(trick))]


def line(values: list[int], seat: int, at_least: int, node_limit: int, expected: str) -> str:
    hands = " ".join(f"{hand:x}" for hand in values[:3])
    return f"{hands} {' '.join(map(str, values[3:]))} {seat} {at_least} {node_limit} {expected}"


def stored(name: str) -> Iterator[tuple[list[int], int, int]]:
    with (TESTS / "data" / name).open(encoding="utf-8") as file:
        for text in file:
            answer = json.loads(text)
            for seat, value in answer["guaranteed"].items():
                yield fields(oracle.read_position(answer["record"])), oracle.SEATS.index(seat), value


def malformed(rng: Random, count: int) -> Iterator[str]:
    """Yields positions with a few fields or bits changed; most of them cannot be."""
    for _ in range(count):
        values = fields(oracle.random_position(rng, rng.randint(1, 17), rng.random() < 0.5))
        for _ in range(rng.randint(1, 3)):
            place = rng.randrange(len(values))
            if place < 3:
                values[place] ^= 1 << rng.randrange(64)
            else:
                values[place] = rng.choice(
                    [-128, -1, 0, 1, 2, 3, 4, 5, 63, 64, 127, rng.randrange(-128, 256)]
                )
        yield line(values, rng.choice([-1, 0, 1, 2, 3, 99]), rng.randint(-2, 20), 20_000, "?")


def questions(short: bool) -> Iterator[str]:
    rng = Random(SEED)
    step = 4 if short else 1
    for values, seat, value in list(stored("guaranteed_small.jsonl"))[::step]:
        yield line(values, seat, rng.choice([0, 0, 1, value, value + 1]), 0, f"={value}")
    for values, seat, value in list(stored("three_suits.jsonl"))[:: 5 * step]:
        yield line(values, seat, 0, 0, f"={value}")
    for values, seat, value in list(stored("guaranteed_full.jsonl"))[::step]:
        yield line(values, seat, 0, 10_000 if short else 200_000, f"={value}")
    for _ in range(20):
        position = oracle.random_position(rng, 17)
        yield line(fields(position), rng.randrange(3), 0, 10_000, "?")
    yield from malformed(rng, 400 if short else 4000)


if __name__ == "__main__":
    print(f"positions.py: seed {SEED}", file=sys.stderr)
    print("\n".join(questions("--short" in sys.argv[1:])))
