"""Which trump to name: the stored analyses, brute force, and the form of the answer."""

from __future__ import annotations

import _thread
import json
import time
from random import Random
from threading import Timer
from typing import Any

import oracle
import pytest
from stored import lines, random_deal

from sgtmajor.cards import Seat, Trump
from sgtmajor.deal import Position
from sgtmajor.errors import InputError, SgtMajorError
from sgtmajor.gifts import Due
from sgtmajor.record import Record
from sgtmajor.rules import PRESETS, Rules
from sgtmajor.trump import Analysis, Progress, analyze
from sgtmajor.values import Solver
from sgtmajor.yardstick import YARDSTICKS, By

SMALL = "D:7.4.KT.4 A.53.Q.2 .A7..KJ9 K:2.8.. rules=pickup"


def answers(analysis: Analysis) -> list[tuple[object, ...]]:
    """Returns all that must not depend on how an analysis was computed."""
    return [
        (contract.trump, value.discard, value.values.guaranteed)
        for contract in analysis.contracts
        for value in (contract.best, *contract.alternatives)
        if value
    ]


# The stored answers.


@pytest.mark.parametrize("by", YARDSTICKS)
def test_every_stored_analysis_comes_out_as_written(by: By) -> None:
    for line in lines("analyze_small.jsonl"):
        analysis = analyze(line["record"], by=by, memory_mb=1)
        found = {str(contract.trump): contract.best for contract in analysis.contracts}
        assert set(found) == set(line["trumps"])
        assert analysis.complete
        for trump, best in found.items():
            assert best
            expected = line["trumps"][trump]
            number = best.values.guaranteed["D"] if by == "guaranteed" else round(best.values.share["D"], 3)
            assert number == expected[by], (line["record"], trump)


def test_every_discard_that_is_named_attains_its_values_under_the_rules() -> None:
    for line in lines("analyze_small.jsonl")[::4]:
        analysis = analyze(line["record"], alternatives=3, memory_mb=1)
        for contract in analysis.contracts:
            assert contract.best
            for value in (contract.best, *contract.alternatives):
                cards = ",".join(map(str, value.discard))
                record = f"{line['record']} trump={contract.trump} discard={cards}"
                with Solver(1) as solver:
                    values = solver.solve(Record.parse(record).position)
                assert values.guaranteed == value.values.guaranteed, record


@pytest.mark.parametrize("house", ["classic", "eldest", "pickup", "polish"])
def test_an_analysis_is_that_of_brute_force_whoever_announces(house: str) -> None:
    rng = Random(house)
    rules = PRESETS[house]
    for _ in range(4):
        deal = random_deal(rng, 3, 1)
        hands, kitty, _ = oracle.read_deal(str(deal))
        best = oracle.best_discards(
            hands,
            kitty,
            rules.announcer.index,
            rules.first_leader.index,
            pickup=rules.kitty == "pickup",
            trumps="".join(map(str, rules.contracts)),
        )
        for by in YARDSTICKS:
            analysis = analyze(deal, rules=rules, by=by, memory_mb=1)
            assert {contract.trump for contract in analysis.contracts} == set(rules.contracts)
            for contract in analysis.contracts:
                assert contract.best
                values, expected = contract.best.values, best[str(contract.trump)]
                if by == "share":
                    assert values.share[rules.announcer] == pytest.approx(expected.share), str(deal)
                else:
                    assert values.guaranteed[rules.announcer] == expected.guaranteed, str(deal)


# Contracts.


@pytest.mark.parametrize("by", YARDSTICKS)
def test_contracts_come_best_first_for_the_announcer(by: By) -> None:
    rng = Random(2)
    for house in ("classic", "polish"):
        analysis = analyze(random_deal(rng, 7, 2), by=by, rules=house, memory_mb=4)
        seat = PRESETS[house].announcer
        bests = [contract.best for contract in analysis.contracts]
        numbers = [
            (round(best.values.share[seat], 9), best.values.guaranteed[seat]) for best in bests if best
        ]
        ordered = numbers if by == "share" else [(guaranteed, share) for share, guaranteed in numbers]
        assert ordered == sorted(ordered, reverse=True)
        assert analysis.best is analysis.contracts[0]


def test_only_the_contracts_asked_for_are_looked_at() -> None:
    analysis = analyze(SMALL, trumps=[Trump.C, Trump.N], memory_mb=2)
    assert {contract.trump for contract in analysis.contracts} == {Trump.C, Trump.N}


def test_no_trump_is_a_contract_of_polish_rules() -> None:
    analysis = analyze(random_deal(Random(1), 4, 1), rules="polish", memory_mb=5)
    assert {contract.trump for contract in analysis.contracts} == set(Trump)
    assert analysis.to_dict()["announcer"] == "L"


@pytest.mark.parametrize("leader", list(Seat))
def test_the_leader_of_the_record_is_the_one_who_leads(leader: Seat) -> None:
    deal = random_deal(Random(4), 4, 0)
    analysis = analyze(Record(deal, lead=leader), memory_mb=1)
    assert analysis.leader is leader
    for contract in analysis.contracts:
        position = oracle.read_position(str(Position(deal.hands, contract.trump, leader)))
        assert contract.best
        assert tuple(contract.best.values.guaranteed.values()) == oracle.guarantees(*position)


def test_without_a_leader_the_rules_say_who_leads() -> None:
    for house, leader in (("classic", Seat.D), ("eldest", Seat.L), ("polish", Seat.L)):
        assert analyze(random_deal(Random(4), 2, 0), rules=house, memory_mb=1).leader is leader
    rules = Rules.parse("polish,leader=second")
    assert analyze(random_deal(Random(4), 2, 0), rules=rules, memory_mb=1).leader is Seat.R


def test_the_analysis_starts_after_the_exchange_and_before_discard_and_play() -> None:
    given = "D:3.A.. K.Q.. A.2.. K:4... give=D>L:S3"
    after = "D:K.A.. 3.Q.. A.2.. K:4..."
    plain = analyze(after, memory_mb=1)
    assert answers(analyze(given, memory_mb=1)) == answers(plain)
    assert str(analyze(given, memory_mb=1).deal) == after
    later = f"{after} trump=H discard=SK play=HA"
    assert answers(analyze(later, memory_mb=1)) == answers(plain)


AFTER = "D:3.A.. K.Q.. A.2.. K:4... up=D:+1,L:-1,R:0 rules=polish"


def test_an_exchange_after_the_announcement_is_made_for_suit_contracts_and_not_for_no_trump() -> None:
    exchanged = analyze("D:K.A.. 3.Q.. A.2.. K:4... rules=polish", memory_mb=1)
    dealt = analyze("D:3.A.. K.Q.. A.2.. K:4... rules=polish", memory_mb=1)
    found = {contract.trump: contract for contract in analyze(f"{AFTER} give=D>L:S3", memory_mb=1).contracts}
    for contract in exchanged.contracts:
        if contract.trump is not Trump.N:
            assert found[contract.trump] == contract
    assert found[Trump.N] == next(each for each in dealt.contracts if each.trump is Trump.N)
    assert found[Trump.N] != next(each for each in exchanged.contracts if each.trump is Trump.N)


def test_the_deal_of_no_trump_is_told_where_it_is_another() -> None:
    written = analyze(f"{AFTER} give=D>L:S3", memory_mb=1).to_dict()
    assert written["deal"] == "D:K.A.. 3.Q.. A.2.. K:4..."
    trumps: Any = written["trumps"]
    assert {trump: contract.get("deal") for trump, contract in trumps.items()} == {
        **dict.fromkeys("SHDC"),
        "N": "D:3.A.. K.Q.. A.2.. K:4...",
    }
    before: Any = analyze(f"{AFTER},exchange=before give=D>L:S3", memory_mb=1).to_dict()["trumps"]
    assert not any("deal" in contract for contract in before.values())


def test_an_exchange_that_is_owed_is_not_made_but_told() -> None:
    classic = AFTER.replace("polish", "classic")
    dealt = classic.partition(" up=")[0]
    owed = analyze(classic, memory_mb=1)
    assert owed.owed == (Due(Seat.D, Seat.L, 1),)
    assert answers(owed) == answers(analyze(dealt, memory_mb=1))
    assert analyze(f"{classic} give=D>L:S3", memory_mb=1).owed == ()
    assert analyze(classic, rules="exchange=none", memory_mb=1).owed == ()


# Ways to compute the same.


@pytest.mark.parametrize("by", YARDSTICKS)
def test_jobs_memory_and_alternatives_do_not_change_the_answer(by: By) -> None:
    deal = random_deal(Random(12), 8, 2)
    one = analyze(deal, by=by, alternatives=2, memory_mb=64)
    for jobs, memory_mb in ((2, 2), (4, 64), (9, 64)):
        other = analyze(deal, by=by, alternatives=2, jobs=jobs, memory_mb=memory_mb)
        assert answers(other) == answers(one)
    alone = analyze(deal, by=by)
    assert [(contract.trump, contract.best) for contract in one.contracts if contract.best] == [
        (contract.trump, contract.best) for contract in alone.contracts
    ]


def test_a_whole_deal_gives_the_same_with_one_and_two_jobs() -> None:
    record = Record.parse(lines("guaranteed_full.jsonl")[13]["record"])
    trumps = [Trump.S, Trump.H]
    assert answers(analyze(record, trumps=trumps, jobs=2)) == answers(analyze(record, trumps=trumps))


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("seconds", [0.0, 0.2])
def test_a_time_limit_leaves_legal_discards_and_says_that_it_is_not_complete(
    jobs: int, seconds: float
) -> None:
    deal = random_deal(Random(13), 16, 4)
    analysis = analyze(deal, seconds=seconds, jobs=jobs, memory_mb=2)
    assert not analysis.complete
    assert len(analysis.contracts) == 4
    for contract in analysis.contracts:
        assert contract.complete == (contract.searched == contract.distinct)
        assert contract.choices == 1820
        if contract.best:
            cards = ",".join(map(str, contract.best.discard))
            assert Record.parse(f"{deal} trump={contract.trump} discard={cards}").position.tricks == 16
    written = json.loads(json.dumps(analysis.to_dict()))
    assert written["complete"] is False
    assert any("searched" in contract for contract in written["trumps"].values())


@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_ends_an_analysis_at_once(jobs: int) -> None:
    deal = random_deal(Random(13), 16, 4)
    Timer(0.3, _thread.interrupt_main).start()
    started = time.perf_counter()
    with pytest.raises(KeyboardInterrupt):
        analyze(deal, jobs=jobs, alternatives=2000, memory_mb=2)
    assert time.perf_counter() - started < 1.5


@pytest.mark.parametrize("jobs", [1, 2, 4])
def test_an_error_in_one_thread_ends_the_analysis(jobs: int) -> None:
    def fail(report: Progress) -> None:
        raise ZeroDivisionError(str(report.trump))

    with pytest.raises(ZeroDivisionError):
        analyze(SMALL, jobs=jobs, memory_mb=4, progress=fail)


def test_progress_is_reported_for_every_contract() -> None:
    seen: list[Progress] = []
    analysis = analyze(SMALL, jobs=2, memory_mb=2, progress=seen.append)
    for contract in analysis.contracts:
        reports = [each for each in seen if each.trump is contract.trump]
        assert [each.done for each in reports] == list(range(1, contract.distinct + 1))
        assert reports[-1].best == contract.best


# The form of the answer.


def test_an_analysis_has_the_keys_of_the_output_contract() -> None:
    analysis = analyze(SMALL, alternatives=1, memory_mb=1)
    written: dict[str, Any] = json.loads(json.dumps(analysis.to_dict()))
    assert {"deal", "rules", "trumps", "best"} <= set(written)
    assert set(written) == {
        *("deal", "rules", "by", "leader", "announcer", "trumps", "best", "complete", "nodes", "seconds")
    }
    assert (written["deal"], written["rules"]) == (SMALL.rpartition(" ")[0], "pickup")
    assert (written["leader"], written["announcer"], written["by"]) == ("L", "D", "share")
    for trump, contract in written["trumps"].items():
        assert set(contract) == {
            *("choices", "distinct", "discard", "guaranteed", "ceiling", "share", "alternatives")
        }
        assert len(contract["alternatives"]) == 1
        assert set(contract["alternatives"][0]) == {"discard", "guaranteed", "ceiling", "share"}
        assert len(contract["discard"]) == 2, trump
    best = written["best"]
    assert best == {"trump": str(analysis.best.trump), "discard": written["trumps"][best["trump"]]["discard"]}


def test_points_are_given_where_the_targets_are_for_this_size_of_deal() -> None:
    deal = random_deal(Random(14), 4, 1)
    fitting = analyze(deal, rules="targets=2-1-1", memory_mb=1)
    best = fitting.best.best
    assert best
    points = fitting.points(best)
    assert points
    assert sum(points.values()) == pytest.approx(0)
    assert points["D"] == pytest.approx(best.values.share["D"] - 2)
    assert "points" in json.dumps(fitting.to_dict())
    assert analyze(deal, memory_mb=1).points(best) is None


# Refusals.


def test_what_cannot_be_analyzed_is_refused_in_one_line() -> None:
    deal = random_deal(Random(15), 2, 3)
    with pytest.raises(InputError, match="D cannot lay 3 cards aside: D holds 2"):
        analyze(deal)
    with pytest.raises(InputError, match="expected a record without trick="):
        analyze("D:A... .K.. ..Q2. lead=D trump=S trick=C2,C3")
    with pytest.raises(InputError, match="0 jobs are too few"):
        analyze(SMALL, jobs=0)
    with pytest.raises(InputError, match="1 MiB are too little for 2 jobs"):
        analyze(SMALL, jobs=2, memory_mb=1)
    with pytest.raises(SgtMajorError, match="no yardstick"):
        analyze(SMALL, by="luck")  # type: ignore[arg-type]
    with pytest.raises(InputError):
        analyze("D:A... A... K...")
    with pytest.raises(InputError, match="have no exchange; expected a record without give="):
        analyze("D:3.A.. K.Q.. A.2.. K:4... give=D>L:S3", rules="exchange=none")


def test_impossible_arguments_are_refused() -> None:
    record = "D:A.K.. .Q.J. T.9.. K:2..."
    with pytest.raises(InputError, match="alternatives"):
        analyze(record, alternatives=-1)
    with pytest.raises(InputError, match="no contract"):
        analyze(record, trumps=[])
    assert len(analyze(record, trumps=[Trump.S, Trump.S]).contracts) == 1
