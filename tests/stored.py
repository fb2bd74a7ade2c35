"""The stored answers of tests/data, and positions on their way between the package and the oracles."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import oracle

from sgtmajor.deal import Deal, Position
from sgtmajor.record import Record

DATA = Path(__file__).parent / "data"


class Stored(NamedTuple):
    """A position and what is known of it: the guarantees of some seats."""

    record: str
    position: Position
    guaranteed: dict[str, int]


def lines(name: str) -> list[dict[str, Any]]:
    with (DATA / name).open(encoding="utf-8") as file:
        return list(map(json.loads, file))


def stored(name: str) -> list[Stored]:
    return [
        Stored(line["record"], Record.parse(line["record"]).position, line["guaranteed"])
        for line in lines(name)
    ]


def to_package(position: oracle.Position) -> Position:
    return Record.parse(str(position)).position


def to_oracle(position: Position) -> oracle.Position:
    return oracle.read_position(str(position))


def random_position(rng: Random, size: int, mid_trick: bool = False) -> Position:
    return to_package(oracle.random_position(rng, size, mid_trick))


def random_deal(rng: Random, size: int, kitty: int) -> Deal:
    return Deal.parse(oracle.write_deal(*oracle.random_deal(rng, size, kitty)))
