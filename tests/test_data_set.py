"""The published data set: 1,000 deals of a seed with all their values, a sample of which is solved again."""

from __future__ import annotations

import gzip
import json
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest

from sgtmajor import Trump, Wanted, random_records, solve_many

PATH = Path(__file__).parent.parent / "examples" / "solved_deals.jsonl.gz"
COUNT, SEED = 1000, 358
SAMPLE = Random(1).sample(range(COUNT), 2)


@pytest.fixture(scope="module")
def answers() -> list[dict[str, Any]]:
    with gzip.open(PATH, "rt", encoding="utf-8") as file:
        return list(map(json.loads, file))


def test_the_deals_are_those_of_the_seed(answers: list[dict[str, Any]]) -> None:
    deals = map(str, islice(random_records(Wanted(), SEED), COUNT))
    assert [answer["record"] for answer in answers] == list(deals)
    assert [answer["number"] for answer in answers] == list(range(1, COUNT + 1))


def test_each_deal_has_twelve_values_that_fit_together(answers: list[dict[str, Any]]) -> None:
    for answer in answers:
        assert answer["lead"] == "D"
        assert list(answer["trumps"]) == [str(trump) for trump in Trump if trump.suit]
        for values in answer["trumps"].values():
            sure = values["guaranteed"]
            rest = 16 - sum(sure.values())
            assert rest >= 0
            assert values["ceiling"] == {seat: sure[seat] + rest for seat in "DLR"}
            assert values["share"] == {seat: round(sure[seat] + rest / 3, 3) for seat in "DLR"}


@pytest.mark.parametrize("place", SAMPLE)
def test_a_sample_that_is_solved_again_is_the_same(answers: list[dict[str, Any]], place: int) -> None:
    (outcome,) = solve_many([answers[place]["record"]], task="trumps")
    assert outcome.to_dict() == {**answers[place], "number": 1}
