"""The equilibrium: what each seat can expect when each of the three plays for himself."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from random import Random

import oracle
import pytest
from stored import lines, random_position, to_oracle

from sgtmajor.cards import BySeat, Card, Hand, Seat, Suit, Trump
from sgtmajor.deal import Position
from sgtmajor.engine import Bounds, Enumeration, Listing
from sgtmajor.equilibrium import NEUTRAL, Estimate, Expectations, Ties, _likely, estimate, places
from sgtmajor.errors import EnumerationFull, InputError, SearchStopped, SgtMajorError
from sgtmajor.record import Record
from sgtmajor.trump import analyze
from sgtmajor.values import Solver, solve

MB = 256
TEN_CARDS = Record.parse("D:K8532.95.5.AT 964.T3.AJ.KJ8 Q.AK6.T7.Q754 trump=H lead=L").position
LARGE = Record.parse(lines("equilibrium_large.jsonl")[0]["record"]).position
WHOLE_RECORD = "D:T865.Q9653.AJT64.K2 AK732.KT7.97.AQ9874 Q4.AJ82.KQ8532.JT65 trump=S lead=D"
WHOLE_DEAL = Record.parse(WHOLE_RECORD).position


@pytest.fixture(scope="module")
def expectations() -> Iterator[Expectations]:
    with Expectations(MB) as made:
        yield made


def fresh(position: Position, *, memory_mb: int = MB, jobs: int = 1, ties: Ties = NEUTRAL) -> BySeat[float]:
    with Expectations(memory_mb, jobs=jobs, ties=ties) as made:
        return made.of(position)


def positions(seed: int, count: int, largest: int) -> Iterator[Position]:
    rng = Random(seed)
    for _ in range(count):
        yield random_position(rng, rng.randint(1, largest), mid_trick=rng.random() < 0.5)


def close(values: BySeat[float]) -> object:
    return pytest.approx(tuple(values.values()), abs=1e-9)


# Against what is known.


@pytest.mark.parametrize("name", ["equilibrium_small.jsonl", "equilibrium_large.jsonl"])
def test_the_stored_answers_come_out_to_six_digits(expectations: Expectations, name: str) -> None:
    for line in lines(name):
        found = expectations.of(Record.parse(line["record"]).position)
        assert {str(seat): round(each, 6) for seat, each in found.items()} == pytest.approx(
            line["equilibrium"], abs=1.5e-6
        ), line["record"]


def test_endings_are_worth_what_brute_force_says(expectations: Expectations) -> None:
    for position in positions(81, 80, 4):
        found = expectations.of(position)
        assert tuple(found.values()) == pytest.approx(oracle.equilibrium(*to_oracle(position)), abs=1e-9), (
            str(position)
        )


@pytest.mark.parametrize(("text", "named", "sign"), [("against:D", 0, -1), ("for:L", 1, 1), ("for:R", 2, 1)])
def test_one_sided_ties_are_those_of_brute_force(text: str, named: int, sign: int) -> None:
    with Expectations(MB, ties=Ties.parse(text)) as made:
        for position in positions(82, 25, 4):
            expected = oracle.equilibrium(*to_oracle(position), named=named, sign=sign)
            assert tuple(made.of(position).values()) == pytest.approx(expected, abs=1e-9), str(position)


def test_it_lies_between_guaranteed_and_ceiling_and_sums_to_the_tricks() -> None:
    with Solver(16, equilibrium_mb=MB) as solver:
        for position in positions(83, 1000, 6):
            values = solver.solve(position, equilibrium=True)
            assert values.equilibrium
            assert sum(values.equilibrium.values()) == pytest.approx(position.tricks, abs=1e-9)
            for seat in Seat:
                assert values.guaranteed[seat] - 1e-9 <= values.equilibrium[seat], str(position)
                assert values.equilibrium[seat] <= values.ceiling[seat] + 1e-9, str(position)


def test_nothing_left_to_play_is_worth_nothing(expectations: Expectations) -> None:
    empty = Position(BySeat(Hand(), Hand(), Hand()), Trump.S, Seat.D)
    assert expectations.of(empty) == BySeat(0.0, 0.0, 0.0)


# What must not matter.


def mapped(position: Position, card: Callable[[Card], Card], trump: Trump) -> Position:
    hands = BySeat.of(lambda seat: Hand.of(map(card, position.hands[seat])))
    return Position(hands, trump, position.leader, tuple(map(card, position.trick)))


def rotated(position: Position) -> Position:
    hands = position.hands
    return Position(
        BySeat(hands[Seat.R], hands[Seat.D], hands[Seat.L]),
        position.trump,
        position.leader.next,
        position.trick,
    )


def packed(position: Position) -> Position:
    """Raises the cards of each suit to the top ranks."""
    everything = [*position.trick, *(card for hand in position.hands.values() for card in hand)]

    def raised(card: Card) -> Card:
        higher = sum(other.suit is card.suit and other.rank > card.rank for other in everything)
        return Card(card.suit, 14 - higher)

    return mapped(position, raised, position.trump)


def test_turning_the_seats_turns_the_values(expectations: Expectations) -> None:
    for position in positions(84, 100, 6):
        found = expectations.of(position)
        assert tuple(expectations.of(rotated(position)).values()) == close(
            BySeat(found[Seat.R], found[Seat.D], found[Seat.L])
        )


def test_the_names_of_the_suits_do_not_matter(expectations: Expectations) -> None:
    rng = Random(85)
    for position in positions(86, 100, 6):
        order = dict(zip(Suit, rng.sample(list(Suit), 4), strict=True))
        trump = next(
            (each for each in Trump if each.suit and each.suit is order.get(position.trump.suit)), Trump.N
        )
        other = mapped(position, lambda card: Card(order[card.suit], card.rank), trump)  # noqa: B023
        assert tuple(expectations.of(other).values()) == close(expectations.of(position))


def test_ranks_that_are_out_of_play_do_not_matter(expectations: Expectations) -> None:
    for position in positions(87, 100, 6):
        assert tuple(expectations.of(packed(position)).values()) == close(expectations.of(position))


@pytest.mark.parametrize(("jobs", "memory_mb"), [(1, 4), (2, MB), (3, MB), (5, 2048)])
def test_threads_and_memory_do_not_change_the_last_digit(jobs: int, memory_mb: int) -> None:
    assert fresh(TEN_CARDS, jobs=jobs, memory_mb=memory_mb) == fresh(TEN_CARDS)


def fits(position: Position, memory_mb: int, jobs: int) -> tuple[int, int] | None:
    """Returns the positions and the bytes of an enumeration, None if it does not fit."""
    with Enumeration(memory_mb) as enumeration:
        try:
            enumeration.enumerate(position, jobs, "neutral", Seat.D)
        except EnumerationFull:
            return None
        return enumeration.progress().listed, enumeration.progress().memory


def test_whether_a_deal_fits_does_not_depend_on_the_threads() -> None:
    rng = Random(5)
    plays = [random_position(rng, 9) for _ in range(8)]
    alone = [fits(position, 1, 1) for position in plays]
    assert None in alone
    assert sum(found is not None for found in alone) >= 4
    for jobs in (2, 8, 64, 256):
        assert [fits(position, 1, jobs) for position in plays] == alone


# One enumeration.


def test_one_enumeration_answers_every_later_position() -> None:
    rng = Random(88)
    with Enumeration(MB) as enumeration, Expectations(MB) as expectations:
        for _ in range(10):
            position = random_position(rng, 6)
            enumeration.enumerate(position, 1, "neutral", Seat.D)
            while position.tricks:
                found = enumeration.values(position)
                assert found is not None
                assert tuple(found.values()) == close(expectations.of(position))
                position = position.after(rng.choice(list(position.legal())))


def test_positions_of_another_play_are_not_answered() -> None:
    first, other = random_position(Random(89), 5), random_position(Random(90), 5)
    with Enumeration(MB) as enumeration:
        assert enumeration.values(first) is None
        enumeration.enumerate(first, 1, "neutral", Seat.D)
        assert enumeration.values(other) is None
        assert enumeration.values(first) is not None
        enumeration.clear()
        assert enumeration.values(first) is None


def test_the_progress_ends_with_every_position_valued() -> None:
    with Enumeration(MB) as enumeration:
        assert enumeration.progress().listed == 0
        enumeration.enumerate(TEN_CARDS, 2, "neutral", Seat.D)
        done = enumeration.progress()
    assert done.listed == done.valued == sum(done.positions) > 10_000
    assert 0 < done.memory <= done.peak <= MB << 20
    assert done.lookups > done.listed


# What goes wrong.


def test_a_deal_that_does_not_fit_is_refused_and_says_what_to_do() -> None:
    told = r"into 1 MiB; .* MiB and .* s .* Allow more \(equilibrium_mb, .*\), or ask from \d tricks? later"
    with pytest.raises(EnumerationFull, match=told) as caught, Expectations(1) as made:
        made.of(TEN_CARDS)
    assert caught.value.memory_mb > 1
    assert 1 <= caught.value.later < TEN_CARDS.tricks


@pytest.mark.parametrize("memory_mb", [1, 2, 3])
def test_a_refusal_never_says_that_what_does_not_fit_would(memory_mb: int) -> None:
    with Expectations(memory_mb) as made:
        refusal = made._full(TEN_CARDS, Estimate(1))
    assert refusal.memory_mb > memory_mb
    assert f"roughly {refusal.memory_mb} MiB" in str(refusal)
    assert refusal.later >= 1


def test_no_more_is_taken_than_most_of_what_the_machine_has(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sgtmajor.equilibrium._machine_mb", lambda: 2.5)
    with Expectations(2048) as made, pytest.raises(EnumerationFull, match="into 2 MiB, three quarters of"):
        made.of(WHOLE_DEAL)


def test_a_deal_that_cannot_fit_is_refused_before_it_is_begun() -> None:
    started = time.monotonic()
    with pytest.raises(EnumerationFull), Expectations(8) as made:
        made.of(WHOLE_DEAL)
    assert time.monotonic() - started < 2


def test_threads_that_share_a_solver_get_their_own_answers() -> None:
    plays = [random_position(Random(seed), 5) for seed in range(4)]
    expected = [fresh(position) for position in plays]
    with Expectations(MB) as made, ThreadPoolExecutor(4) as pool:
        for _ in range(50):
            assert list(pool.map(made.of, plays)) == expected


def test_numbers_within_the_tie_of_the_highest_share_its_place() -> None:
    assert places([]) == []
    assert places([1.0, 3.0, 2.0, 3.0 - 0.9e-9]) == [2, 0, 1, 0]
    # Wherever digits are cut off, two equal numbers can lie on both sides of the cut.
    edge = 1.5e-8
    assert places([edge - 0.4e-9, edge + 0.4e-9]) == [0, 0]
    assert places([edge, edge - 1.5e-9]) == [0, 1]


def test_the_estimate_is_right_to_within_its_factor() -> None:
    for line in lines("equilibrium_large.jsonl")[:4]:
        position = Record.parse(line["record"]).position
        with Expectations(MB) as made:
            made.of(position)
            assert 1 / 4 < estimate(position).positions / made.progress().listed < 4


@pytest.mark.parametrize("part", [0.3, 0.4, 0.5])
def test_what_a_play_needs_is_told_roughly_once_it_turns_out_not_to_fit(part: float) -> None:
    with Expectations(MB) as made:
        made.of(LARGE)
        peak = made.progress().peak / 2**20
    with pytest.raises(EnumerationFull) as caught, Expectations(int(part * peak)) as made:
        made.of(LARGE)
    assert caught.value.memory_mb < 2.5 * peak


@pytest.mark.parametrize(
    ("positions", "likely"),
    [
        # By the cards a hand: of 4 all that was begun, 5 and more are listed.
        ((0, 0, 0, 0, 1, 80, 40), 242),
        ((0, 0, 0, 0, 50, 80, 100), 288),
        ((0, 0, 0, 0, 0, 0, 7), 14),
    ],
)
def test_past_the_trick_with_the_most_positions_few_more_are_expected(
    positions: tuple[int, ...], likely: int
) -> None:
    listing = Listing(sum(positions), 0, 0, 0, 0, positions)
    assert _likely(listing) == Estimate(likely)


def test_an_estimate_that_was_too_low_gives_way_to_what_was_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sgtmajor.equilibrium.estimate", lambda position: Estimate(1))
    with Expectations(MB) as made:
        made.of(LARGE)
        peak = made.progress().peak / 2**20
    with pytest.raises(EnumerationFull) as caught, Expectations(int(peak / 2)) as made:
        made.of(LARGE)
    assert peak / 2 + 1 < caught.value.memory_mb < 2.5 * peak


def test_where_memory_is_short_more_fits_and_nothing_else_changes() -> None:
    with Expectations(MB) as ample:
        expected = ample.of(LARGE)
        peak = ample.progress().peak
    with Expectations(int(0.7 * peak / 2**20)) as short:
        assert short.of(LARGE) == expected
        assert short.progress().peak < 0.7 * peak


def test_a_refused_deal_does_not_spoil_the_next() -> None:
    small = random_position(Random(91), 4)
    with Expectations(1) as made:
        with pytest.raises(EnumerationFull):
            made.of(TEN_CARDS)
        assert made.of(small) == fresh(small)


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("delay", [0.05, 1.0])
def test_it_stops_at_once_and_goes_on_after_resume(jobs: int, delay: float) -> None:
    with Enumeration(2048) as enumeration:
        spent: list[float] = []

        def stop() -> None:
            spent.append(time.process_time())
            enumeration.stop()

        timer = threading.Timer(delay, stop)
        timer.start()
        with pytest.raises(SearchStopped) as caught:
            enumeration.enumerate(WHOLE_DEAL, jobs, "neutral", Seat.D)
        # Of the processor: how long a busy machine takes to wake up is not the point.
        assert time.process_time() - spent[0] < 0.05 * jobs + 0.05
        assert caught.value.bounds[Seat.D].upper == 16
        enumeration.resume()
        enumeration.enumerate(TEN_CARDS, jobs, "neutral", Seat.D)
        assert enumeration.values(TEN_CARDS)


@pytest.mark.parametrize("tricks", [1, 2, 3, 4])
def test_short_plays_are_stopped_too(tricks: int) -> None:
    with Enumeration(1) as enumeration:
        enumeration.stop()
        with pytest.raises(SearchStopped):
            enumeration.enumerate(random_position(Random(94), tricks), 1, "neutral", Seat.D)
        enumeration.resume()
        enumeration.enumerate(random_position(Random(94), tricks), 1, "neutral", Seat.D)


def test_the_memory_of_the_shortest_listing_is_counted() -> None:
    with Enumeration(1) as enumeration:
        enumeration.enumerate(random_position(Random(95), 3), 1, "neutral", Seat.D)
        done = enumeration.progress()
    assert 56 * done.listed <= 3 * done.memory
    assert 0 < done.memory == done.peak


def test_seventeen_cards_a_hand_are_enumerated() -> None:
    # Each hand has a long suit of its own: there are not too many positions.
    record = "D:KQJT987532.AKQJ.J.AJ 4.T975.KQT98765432.2 A6.8643.A.KQT9876543 trump=S lead=D"
    position = Record.parse(record).position
    assert position.tricks == 17
    found = fresh(position, jobs=2)
    assert sum(found.values()) == pytest.approx(17, abs=1e-9)
    with Solver(64) as solver:
        values = solver.solve(position)
    for seat in Seat:
        assert values.guaranteed[seat] - 1e-9 <= found[seat] <= values.ceiling[seat] + 1e-9


def test_time_that_is_up_ends_the_question() -> None:
    with Solver(16) as solver:
        with pytest.raises(SearchStopped):
            solver.equilibrium(WHOLE_DEAL, seconds=0.05)
        assert solver.equilibrium(TEN_CARDS) == fresh(TEN_CARDS)


def test_time_that_is_up_in_the_enumeration_leaves_what_was_proven_before_it() -> None:
    with Solver(64) as solver:
        sure = solver.solve(WHOLE_DEAL)
        for ask in (
            lambda: solver.solve(WHOLE_DEAL, equilibrium=True, seconds=0.3),
            lambda: solve(WHOLE_RECORD, equilibrium=True, seconds=0.3, solver=solver),
        ):
            with pytest.raises(SearchStopped) as caught:
                ask()
            assert caught.value.bounds == sure.bounds


@pytest.mark.parametrize("jobs", [0, -1, 257])
def test_impossible_numbers_of_threads_are_refused(jobs: int) -> None:
    with pytest.raises(InputError, match=f"{jobs} threads"):
        fresh(TEN_CARDS, jobs=jobs)


@pytest.mark.parametrize("text", ["", "against", "neutral:D", "for:X", "for:", "best", "for:D:L"])
def test_what_is_no_rule_for_ties_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        Ties.parse(text)


@pytest.mark.parametrize("text", ["neutral", "against:D", "for:R"])
def test_a_rule_for_ties_reads_as_it_is_written(text: str) -> None:
    assert str(Ties.parse(text)) == text
    assert Ties.parse(f" {text.upper()} ") == Ties.parse(text)


def test_a_rule_for_ties_names_a_seat_unless_it_is_neutral() -> None:
    with pytest.raises(InputError, match="against"):
        Ties("against")
    with pytest.raises(InputError, match="neutral"):
        Ties("neutral", Seat.D)


def test_a_closed_enumeration_says_so() -> None:
    enumeration = Enumeration(1)
    enumeration.close()
    enumeration.close()
    enumeration.stop()
    with pytest.raises(SgtMajorError, match="closed"):
        enumeration.progress()


# In the answers.


def test_the_best_card_is_worth_the_position_to_its_seat() -> None:
    with Solver(16, equilibrium_mb=MB) as solver:
        for position in positions(92, 50, 5):
            if not position.tricks:
                continue
            whole = solver.equilibrium(position)
            cards = solver.cards(position, equilibrium=True)
            seat = position.to_play
            worth = [each.values.equilibrium[seat] for each in cards if each.values.equilibrium]
            assert worth[0] == pytest.approx(whole[seat], abs=1e-9)
            assert worth == pytest.approx(sorted(worth, reverse=True), abs=1e-8)
            best = [
                each
                for each in cards
                if each.values.equilibrium and each.values.equilibrium[seat] > worth[0] - 1e-9
            ]
            for other in Seat:
                weight = sum(1 + len(each.equals) for each in best)
                mean = sum((1 + len(each.equals)) * each.values.equilibrium[other] for each in best) / weight  # type: ignore[index]
                assert mean == pytest.approx(whole[other], abs=1e-9)


def test_a_solution_holds_the_equilibrium_only_if_asked_for() -> None:
    record = "D:A5.QJ.K. 84.K.A9. K.T8.J4. trump=S lead=L"
    assert "equilibrium" not in solve(record).to_dict()
    found = solve(record, equilibrium=True, cards=True, line=True, ties=Ties.parse("for:L")).to_dict()
    assert found["equilibrium"] == {"D": 1.875, "L": 3.0, "R": 0.125}
    assert found["ties"] == "for:L"


def test_an_analysis_by_equilibrium_ranks_candidates_by_it() -> None:
    rng = Random(93)
    hands, kitty = oracle.random_deal(rng, 5, 2)
    deal = Record.parse(oracle.write_deal(hands, kitty)).deal
    found = analyze(deal, by="equilibrium", candidates=3, alternatives=5)
    assert found.complete
    tops = []
    for contract in found.contracts:
        assert 3 <= contract.candidates == contract.compared <= 6
        values = [each.values.equilibrium for each in contract.ranking]
        own = [round(each[Seat.D], 8) for each in values if each]
        assert own == sorted(own, reverse=True)
        tops.append(own[0])
        for each in contract.ranking:
            kept = deal.hands[Seat.D] | (deal.kitty or Hand())
            position = Position(
                deal.hands.replace(Seat.D, kept - Hand.of(each.discard)), contract.trump, found.leader
            )
            assert each.values.equilibrium == fresh(position)
    assert tops == sorted(tops, reverse=True)
    best_by_share = analyze(deal, by="share")
    for contract in best_by_share.contracts:
        other = next(each for each in found.contracts if each.trump is contract.trump)
        assert contract.best
        assert contract.best.discard in [each.discard for each in other.ranking]


KITTY_DEAL = "D:AK.5.3. QT.A..2 J9.K.Q. K:...A"


@pytest.fixture
def compared_at_most(monkeypatch: pytest.MonkeyPatch) -> Callable[[int, Exception], list[Position]]:
    """Lets only so many equilibria be found, then each question fails; returns those that were asked for."""

    def limit(count: int, error: Exception) -> list[Position]:
        asked: list[Position] = []
        answer = Expectations.of

        def of(self: Expectations, position: Position) -> BySeat[float]:
            asked.append(position)
            if len(asked) > count:
                raise error
            return answer(self, position)

        monkeypatch.setattr(Expectations, "of", of)
        return asked

    return limit


def test_an_analysis_without_time_for_an_equilibrium_has_the_best_by_share(
    compared_at_most: Callable[[int, Exception], list[Position]],
) -> None:
    compared_at_most(0, SearchStopped("time was up", BySeat(Bounds(), Bounds(), Bounds())))
    by_share = analyze(KITTY_DEAL)
    found = analyze(KITTY_DEAL, by="equilibrium", alternatives=1)
    assert not found.complete
    assert found.best.trump is by_share.best.trump
    for contract, other in zip(found.contracts, by_share.contracts, strict=True):
        assert contract.compared == 0 < contract.candidates
        assert contract.best
        assert other.best
        assert contract.best.discard == other.best.discard
        assert contract.best.values.equilibrium is None
        assert found.points(contract.best) is None
    assert "equilibrium" not in found.to_dict()["trumps"]["S"]  # type: ignore[index]


def test_time_is_spent_on_one_candidate_of_each_contract_before_a_second_one(
    compared_at_most: Callable[[int, Exception], list[Position]],
) -> None:
    asked = compared_at_most(6, SearchStopped("time was up", BySeat(Bounds(), Bounds(), Bounds())))
    found = analyze(KITTY_DEAL, by="equilibrium", alternatives=5, trumps=list(Trump))
    assert len({position.trump for position in asked[:5]}) == len(found.contracts) == 5
    assert sorted(contract.compared for contract in found.contracts) == [1, 1, 1, 1, 2]
    for contract in found.contracts:
        known = [value.values.equilibrium is not None for value in contract.ranking]
        assert known == sorted(known, reverse=True)
        assert sum(known) == contract.compared


def test_an_analysis_of_a_whole_deal_in_a_second_still_names_a_trump() -> None:
    found = analyze(
        Record.parse(WHOLE_RECORD), by="equilibrium", trumps=[Trump.S, Trump.H], jobs=2, seconds=1.0
    )
    assert found.best.best
    assert not found.complete


def test_a_contract_that_does_not_fit_leaves_the_others(
    compared_at_most: Callable[[int, Exception], list[Position]],
) -> None:
    compared_at_most(2, EnumerationFull("it does not fit", 2, 1))
    found = analyze(KITTY_DEAL, by="equilibrium", alternatives=5)
    assert found.refused
    assert found.refused.message == "it does not fit"
    assert not found.complete
    assert sum(contract.compared for contract in found.contracts) == 2
    assert sum(contract.refused is None for contract in found.contracts) <= 2
    assert all(contract.best for contract in found.contracts)


def test_an_analysis_without_candidates_is_refused() -> None:
    with pytest.raises(InputError, match="0 candidates"):
        analyze("D:AK.5.3. QT.A..2 J9.K.Q. K:...A", by="equilibrium", candidates=0)
