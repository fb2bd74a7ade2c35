"""What many answers say together: tricks, points and targets by seat and trump, the longest suit, the lead.

Answers are the objects that ``solve``, ``analyze`` and ``batch`` write. They are added one by one; only
counts are kept, so there may be any number of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import floor
from typing import Any, NamedTuple

from sgtmajor.cards import BySeat, Hand, Seat, Suit, Trump
from sgtmajor.deal import MAX_HAND
from sgtmajor.errors import InputError
from sgtmajor.record import Record

MANY_TRICKS = 12
NUMBERS = ("guaranteed", "share", "ceiling")
EXPECTED = "equilibrium"
# What answers may say of each seat: the last only where it was asked for.
ALL_NUMBERS = (*NUMBERS, EXPECTED)
ALL, BEST = "all", "best"
# Numbers are written rounded: expected tricks to six decimals, shares to three.
_CLOSE = {name: 1e-6 if name == EXPECTED else 1e-3 for name in ALL_NUMBERS}


class Contract(NamedTuple):
    """What one trump is worth to each seat."""

    trump: Trump
    numbers: Mapping[str, BySeat[float]]

    def order(self, seat: Seat) -> tuple[float, float]:
        """Returns what ranks contracts for a seat: share, then guaranteed."""
        return self.numbers["share"][seat], self.numbers["guaranteed"][seat]


@dataclass(slots=True)
class SeatCount:
    """What is counted of one seat.

    Attributes:
        records: How many answers.
        counted: How many of them have each number.
        total: The sum of each number.
        tricks: How often each number of tricks came, by number; shares and expected tricks rounded down.
        scored: Answers to which the targets apply, by number.
        points: How often so many points came, of shares, rounded down.
        points_total: The sum of the points, of shares.
        reached: How often each number is the target or more.
    """

    records: int = 0
    counted: Counter[str] = field(default_factory=Counter)
    total: dict[str, float] = field(default_factory=lambda: dict.fromkeys(ALL_NUMBERS, 0.0))
    tricks: dict[str, Counter[int]] = field(default_factory=lambda: {name: Counter() for name in ALL_NUMBERS})
    scored: Counter[str] = field(default_factory=Counter)
    points: Counter[int] = field(default_factory=Counter)
    points_total: float = 0.0
    reached: Counter[str] = field(default_factory=Counter)

    def add(self, numbers: Mapping[str, float], target: int | None) -> None:
        """Counts one answer; the target is None where targets do not apply."""
        self.records += 1
        for name, tricks in numbers.items():
            self.counted[name] += 1
            self.total[name] += tricks
            self.tricks[name][floor(tricks + _CLOSE[name])] += 1
            if target is not None:
                self.scored[name] += 1
                self.reached[name] += tricks > target - _CLOSE[name]
        if target is not None:
            self.points[floor(numbers["share"] - target + _CLOSE["share"])] += 1
            self.points_total += numbers["share"] - target

    def mean(self, name: str) -> float:
        """Returns the mean of a number."""
        return self.total[name] / self.counted[name]

    def reaches(self, name: str) -> float:
        """Returns the part of the answers in which a number is the target or more."""
        return self.reached[name] / self.scored[name]

    def many(self, name: str) -> int:
        """Returns how often a number is 12 tricks or more."""
        return sum(count for tricks, count in self.tricks[name].items() if tricks >= MANY_TRICKS)

    @property
    def mean_points(self) -> float | None:
        """The mean of the points, None where targets do not apply."""
        return self.points_total / self.scored["share"] if self.scored else None

    def to_dict(self) -> dict[str, object]:
        """Returns the JSON form."""
        names = [name for name in ALL_NUMBERS if self.counted[name]]
        result: dict[str, object] = {name: round(self.mean(name), 3) for name in names}
        result["tricks"] = {name: _distribution(self.tricks[name]) for name in names}
        result["many"] = {name: self.many(name) for name in names}
        if self.mean_points is not None:
            result["points"] = round(self.mean_points, 3)
            result["points_distribution"] = _distribution(self.points)
            scored = [name for name in names if self.scored[name]]
            result["reaches_target"] = {name: round(self.reaches(name), 3) for name in scored}
        return result


def _distribution(counts: Counter[int]) -> dict[str, int]:
    return {str(number): counts[number] for number in sorted(counts)}


SeatCounts = BySeat[SeatCount]


def _seat_counts() -> SeatCounts:
    return BySeat.of(lambda seat: SeatCount())


@dataclass(slots=True)
class Longest:
    """How good it is to name the longest suit.

    Attributes:
        records: How many deals, of which two suits or more are valued.
        agrees: How often a best trump is a longest suit of the announcer; of several worth the same, any.
        loss: What the announcer loses by naming his longest suit, in shares, in all; among several that are
            longest, on average.
        lengths: How long the best trump is in his hand; the longest of several.
    """

    records: int = 0
    agrees: int = 0
    loss: float = 0.0
    lengths: Counter[int] = field(default_factory=Counter)

    def add(
        self, lengths: Mapping[Suit, int], best: Sequence[Suit], suits: Mapping[Suit, float], top: float
    ) -> None:
        """Counts a deal, given lengths of suits, the best ones as trumps, and the share with each suit."""
        longest = [suit for suit in suits if lengths[suit] == max(lengths[each] for each in suits)]
        self.records += 1
        self.agrees += not set(best).isdisjoint(longest)
        self.loss += top - sum(suits[suit] for suit in longest) / len(longest)
        if best:
            self.lengths[max(lengths[suit] for suit in best)] += 1


@dataclass(slots=True)
class Choice:
    """What the choice of the card to lead is worth, where all cards were valued.

    Attributes:
        records: How many positions in which a trick is led, with more than one card to choose from.
        over_mean: The share of the best card above that of a random one, in all.
        over_worst: ... above that of the worst one.
    """

    records: int = 0
    over_mean: float = 0.0
    over_worst: float = 0.0

    def add(self, shares: list[float]) -> None:
        """Counts a position, given the share with each card."""
        self.records += 1
        self.over_mean += max(shares) - sum(shares) / len(shares)
        self.over_worst += max(shares) - min(shares)


@dataclass(slots=True)
class Tally:
    """What has been counted so far.

    Attributes:
        answers: How many answers there were.
        failed: How many of them were errors.
        cut_short: How many of them were analyses that time or memory cut short; they are not counted further.
        over: How many of them were about plays that are over; they are not counted further.
        most: The tricks of the largest deal.
        groups: What was counted by trump, over all (``all``), and for the trump that is best for the
            announcer where several are valued (``best``).
        leads: What was counted by the seat that leads.
        longest: How good the longest suit is.
        choice: What the choice of the card to lead is worth.
    """

    answers: int = 0
    failed: int = 0
    cut_short: int = 0
    over: int = 0
    most: int = 0
    groups: dict[str, SeatCounts] = field(default_factory=dict)
    leads: dict[Seat, SeatCounts] = field(default_factory=dict)
    longest: Longest = field(default_factory=Longest)
    choice: Choice = field(default_factory=Choice)

    def add(self, answer: Mapping[str, Any]) -> None:
        """Counts an answer.

        Args:
            answer: An object as ``solve``, ``analyze`` and ``batch`` write it.

        Raises:
            InputError: If it is none.
        """
        try:
            self._add(answer)
        except InputError:
            raise
        except (KeyError, TypeError, ValueError, AttributeError):
            raise InputError(
                "no answer of solve, analyze or batch, expected an object as they write it"
            ) from None

    def _add(self, answer: Mapping[str, Any]) -> None:
        record = _record(answer)
        contracts = _contracts(answer, record)
        self.answers += 1
        if record is None or not contracts:
            self.failed += 1
            return
        if not answer.get("complete", True):
            self.cut_short += 1
            return
        tricks = round(sum(contracts[0].numbers["share"].values()))
        if not tricks:
            self.over += 1
            return
        self.most = max(self.most, tricks)
        # Targets are for deals of one size.
        targets = record.rules.targets if sum(record.rules.targets.values()) == tricks else None
        leader = Seat.parse(answer.get("lead") or answer.get("leader") or str(_leader(record)))
        leads = self.leads.setdefault(leader, _seat_counts())
        for contract in contracts:
            for group in (ALL, str(contract.trump)):
                self._count(self.groups.setdefault(group, _seat_counts()), contract, targets)
            self._count(leads, contract, targets)
        if len(contracts) > 1:
            best = max(contracts, key=lambda each: each.order(record.rules.announcer))
            self._count(self.groups.setdefault(BEST, _seat_counts()), best, targets)
            self._compare_longest(record, _chosen_from(answer, record, contracts), contracts, best)
        if answer.get("cards") and not record.position.trick:
            shares = [_tricks(each["share"]) for each in answer["cards"] for _ in (0, *each["equals"])]
            if len(shares) > 1:
                self.choice.add(shares)

    @staticmethod
    def _count(counts: SeatCounts, contract: Contract, targets: BySeat[int] | None) -> None:
        for seat, count in counts.items():
            numbers = {name: each[seat] for name, each in contract.numbers.items()}
            count.add(numbers, targets[seat] if targets else None)

    def _compare_longest(self, record: Record, hand: Hand, contracts: list[Contract], best: Contract) -> None:
        seat = record.rules.announcer
        suits = {each.trump.suit: each.numbers["share"][seat] for each in contracts if each.trump.suit}
        if len(suits) > 1:
            lengths = {suit: len(hand.suit(suit)) for suit in Suit}
            tied = [each.trump.suit for each in contracts if each.order(seat) == best.order(seat)]
            self.longest.add(lengths, [suit for suit in tied if suit], suits, best.numbers["share"][seat])

    def to_dict(self) -> dict[str, object]:
        """Returns the JSON form."""
        result: dict[str, object] = {
            "answers": self.answers,
            "failed": self.failed,
            "cut_short": self.cut_short,
            "over": self.over,
        }
        result["groups"] = {name: _counts_to_dict(self.groups[name]) for name in self.names()}
        result["leads"] = {
            str(seat): _counts_to_dict(self.leads[seat]) for seat in Seat if seat in self.leads
        }
        if self.longest.records:
            result["longest"] = {
                "records": self.longest.records,
                "agrees": self.longest.agrees,
                "loss": round(self.longest.loss / self.longest.records, 3),
                "lengths": _distribution(self.longest.lengths),
            }
        gains = self.lead_gains()
        if gains:
            result["value_of_lead"] = {str(seat): round(gain, 3) for seat, gain in gains.items()}
        if self.choice.records:
            result["choice_of_lead"] = {
                "records": self.choice.records,
                "over_mean": round(self.choice.over_mean / self.choice.records, 3),
                "over_worst": round(self.choice.over_worst / self.choice.records, 3),
            }
        return result

    def names(self) -> Iterator[str]:
        """Yields the names of the groups there are: all, the trumps, the best."""
        for name in (ALL, *map(str, Trump), BEST):
            if name in self.groups:
                yield name

    def lead_gains(self) -> Mapping[Seat, float]:
        """Returns the mean share of a seat that leads above that when another leads, where both came."""
        gains = {}
        for seat, own in self.leads.items():
            others = [counts[seat] for leader, counts in self.leads.items() if leader is not seat]
            if others:
                records = sum(count.records for count in others)
                mean = sum(count.total["share"] for count in others) / records
                gains[seat] = own[seat].mean("share") - mean
        return dict(sorted(gains.items(), key=lambda pair: pair[0].index))


def _counts_to_dict(counts: SeatCounts) -> dict[str, object]:
    seats = {str(seat): count.to_dict() for seat, count in counts.items()}
    expected = counts.D.counted[EXPECTED]
    return {"records": counts.D.records, **({"expected": expected} if expected else {}), "seats": seats}


def _record(answer: Mapping[str, Any]) -> Record | None:
    """Returns the record that an answer is about, None if there is no answer."""
    if "guaranteed" not in answer and "trumps" not in answer:
        if "error" in answer:
            return None
        if "players" in answer:
            raise InputError("a review is not counted, expected answers about positions or deals")
        raise InputError("no answer of solve, analyze or batch, expected an object as they write it")
    if "record" in answer:
        return Record.parse(answer["record"])
    return Record.parse(f"{answer['deal']} rules={answer['rules']}")


def _chosen_from(answer: Mapping[str, Any], record: Record, contracts: list[Contract]) -> Hand:
    """Returns the announcer's hand that the trumps are compared for: of an analysis before the discard."""
    seat = record.rules.announcer
    if any("discard" in values for values in answer["trumps"].values()):
        return record.deal.hands[seat]
    return replace(record, trump=record.trump or contracts[0].trump).position.hands[seat]


def _leader(record: Record) -> Seat:
    return record.leader if record.trump is None else record.position.leader


def _contracts(answer: Mapping[str, Any], record: Record | None) -> list[Contract]:
    """Returns what an answer says of each trump."""
    if record is None:
        return []
    if "trumps" in answer:
        each = {Trump.parse(trump): values for trump, values in answer["trumps"].items()}
        return [Contract(trump, _numbers(values)) for trump, values in each.items() if "share" in values]
    if record.trump is None:
        raise InputError("an answer without its trump, expected trump= in the record")
    return [Contract(record.trump, _numbers(answer))]


def _numbers(values: Mapping[str, Any]) -> Mapping[str, BySeat[float]]:
    names = ALL_NUMBERS if EXPECTED in values else NUMBERS
    return {name: BySeat(*(_tricks(values[name][str(seat)]) for seat in Seat)) for name in names}


def _tricks(value: float) -> float:
    """Reads tricks; raises ValueError if they are more than there can be, or none."""
    if not 0 <= value <= MAX_HAND:
        raise ValueError
    return float(value)
