"""Samples of the unseen cards: all that are consistent, nothing else, and each as likely."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from math import factorial
from random import Random
from statistics import fmean

import pytest

from sgtmajor.cards import Card, Hand, Seat
from sgtmajor.condition import measure_of
from sgtmajor.errors import InputError
from sgtmajor.knowledge import Knowledge, Place, learn
from sgtmajor.sampling import MAX_SEED, Dice, Layouts, Samples
from sgtmajor.view import View

DECK = tuple(Hand.full())
Flat = tuple[tuple[Place, Hand], ...]


def constrained(rng: Random, cards: int = 7) -> Knowledge:
    """Some unseen cards, each with places where it may lie, so that there is at least one layout."""
    places: list[Place] = ["L", "R", "K"]
    truth = {card: rng.choice(places) for card in rng.sample(DECK, cards)}
    sizes = {place: list(truth.values()).count(place) for place in places}
    allowed = {
        card: frozenset([place, *rng.sample(places, rng.choice([0, 2, 3]))])
        for card, place in sorted(truth.items())
    }
    return Knowledge(Seat.D, Hand(), None, {p: n for p, n in sizes.items() if n}, allowed)


def by_brute_force(knowledge: Knowledge) -> set[Flat]:
    cards = list(knowledge.allowed)
    slots = [place for place, size in knowledge.sizes.items() for _ in range(size)]
    return {
        flat({place: Hand.of(c for c, p in zip(cards, order, strict=True) if p == place) for place in slots})
        for order in set(permutations(slots))
        if all(place in knowledge.allowed[card] for card, place in zip(cards, order, strict=True))
    }


def flat(layout: dict[Place, Hand]) -> Flat:
    return tuple(sorted(layout.items()))


@pytest.mark.parametrize("seed", range(40))
def test_counting_up_gives_every_consistent_layout_once(seed: int) -> None:
    knowledge = constrained(Random(seed))
    layouts = Layouts(knowledge)
    found = [flat(dict(layouts[number])) for number in range(layouts.count)]
    assert set(found) == by_brute_force(knowledge)
    assert len(set(found)) == len(found) == layouts.count


def test_nothing_known_leaves_the_multinomial_number_of_deals() -> None:
    knowledge = learn(View.parse("D:AKQJ5.T98.A72.KJ543 ? ?"), Seat.D)
    assert Layouts(knowledge).count == factorial(36) // (factorial(16) ** 2 * factorial(4))


def test_a_number_beyond_the_count_is_no_layout() -> None:
    layouts = Layouts(constrained(Random(1)))
    with pytest.raises(IndexError):
        layouts[layouts.count]


@pytest.mark.parametrize("seed", [3, 12, 17])
def test_every_consistent_layout_is_as_likely(seed: int) -> None:
    layouts = Layouts(constrained(Random(seed)))
    draws = 200 * layouts.count
    samples = Samples(layouts, seed, wanted=0)
    counts = Counter(flat(dict(samples[place])) for place in range(draws))
    assert len(counts) == layouts.count > 4
    freedom = layouts.count - 1
    chi_square = sum((count - 200) ** 2 / 200 for count in counts.values())
    # Mean and four standard deviations of the distribution.
    assert abs(chi_square - freedom) < 4 * (2 * freedom) ** 0.5


def test_a_whole_deal_is_sampled_evenly_over_the_places_of_each_card() -> None:
    samples = Samples(Layouts(learn(View.parse("D:AKQJ5.T98.A72.KJ543 ? ?"), Seat.D)), 1, wanted=0)
    count, card = 3000, Card.parse("ST")
    where = Counter(place for i in range(count) for place, hand in samples[i].items() if card in hand)
    assert where["L"] / count == pytest.approx(16 / 36, abs=0.04)
    assert where["K"] / count == pytest.approx(4 / 36, abs=0.03)


def test_few_layouts_come_all_each_once() -> None:
    layouts = Layouts(constrained(Random(3)))
    samples = Samples(layouts, 1, wanted=layouts.count)
    assert samples.exhaustive
    assert {flat(dict(samples[i])) for i in range(layouts.count)} == by_brute_force(constrained(Random(3)))
    assert not Samples(layouts, 1, wanted=layouts.count - 1).exhaustive


def test_a_sample_is_the_same_whatever_was_asked_before() -> None:
    layouts = Layouts(learn(View.parse("D:AKQJ5.T98.A72.KJ543 ? ?"), Seat.D))
    forward, backward = Samples(layouts, 7, 0), Samples(layouts, 7, 0)
    one = [forward[i] for i in range(10)]
    two = [backward[i] for i in reversed(range(10))]
    assert one == two[::-1]
    assert one != [Samples(layouts, 8, 0)[i] for i in range(10)]


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_first_sample_of_a_seed_is_not_lucky_for_all_hands(seed: int) -> None:
    rng, points = Random(seed), []
    for _ in range(200):
        hand = Hand.of(rng.sample(DECK, 16))
        kitty = Samples(Layouts(learn(View.parse(f"D:{hand} ? ?"), Seat.D)), seed, wanted=0)[0]["K"]
        points.append(measure_of(kitty, "hcp"))
    # Of 40 points in 52 cards; the mean of 200 kitties has a standard deviation of 0.17.
    assert fmean(points) == pytest.approx(4 * 40 / 52, abs=0.6)


def test_the_samples_of_a_seed_are_the_same_on_every_machine() -> None:
    """Pinned: if they change, the answers of all seeds do, and the changelog says so."""
    first = Samples(Layouts(learn(View.parse("D:AKQJ5.T98.A72.KJ543 ? ?"), Seat.D)), 1, wanted=0)[0]
    assert {place: str(hand) for place, hand in first.items()} == {
        "L": "983.AJ72.J9863.AT82",
        "R": "T64.KQ653.KQT54.Q76",
        "K": "72.4..9",
    }


def test_the_generator_is_splitmix64() -> None:
    # The first outputs of the reference implementation for the seed 0.
    dice = Dice(0)
    assert [dice.below(1 << 64) for _ in range(3)] == [
        0xE220A8397B1DCDAF,
        0x6E789E6AA1B965F4,
        0x06C45D188009454F,
    ]


def test_numbers_of_any_size_are_drawn_evenly() -> None:
    dice = Dice(2)
    limit = 3 << 70
    thirds = Counter(dice.below(limit) // (limit // 3) for _ in range(3000))
    assert set(thirds) == {0, 1, 2}
    assert min(thirds.values()) > 900
    assert {dice.below(1) for _ in range(5)} == {0}


@pytest.mark.parametrize("seed", [-1, MAX_SEED + 1])
def test_a_seed_out_of_range_is_refused(seed: int) -> None:
    with pytest.raises(InputError, match="out of range"):
        Dice(seed)


def test_shuffling_gives_every_order_as_often() -> None:
    dice = Dice(3)
    orders = Counter(tuple(dice.shuffled(3)) for _ in range(6000))
    assert len(orders) == 6
    assert max(orders.values()) - min(orders.values()) < 200
