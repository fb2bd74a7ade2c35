"""How well the cheap numbers foretell the equilibrium: share, guaranteed and a fitted split against max^n.

Random deals in which D leads, each with every suit as trumps. For each seat: bias, root-mean-square
difference and correlation of an estimate with the equilibrium; and how often, and by how much, the trump that
is best for D by the estimate is not the best by equilibrium.

    python examples/equilibrium_compare.py --deals 100 --cards 13 --jobs 2 --rows rows.csv
"""

from __future__ import annotations

import argparse
import csv
import math
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from sgtmajor import BySeat, Card, Hand, Seat, Solver, Trump
from sgtmajor.deal import Position

SUITS = [trump for trump in Trump if trump.suit]
ROW = ("deal", "trump", *(f"{name}_{seat}" for name in ("guaranteed", "equilibrium") for seat in Seat))


@dataclass(frozen=True, slots=True)
class Row:
    """One deal with one trump."""

    deal: int
    trump: Trump
    tricks: int
    guaranteed: BySeat[int]
    equilibrium: BySeat[float]

    @property
    def rest(self) -> int:
        """The tricks that nobody is sure of."""
        return self.tricks - sum(self.guaranteed.values())


Estimate = Callable[[Row, Seat], float]


def deals(count: int, cards: int, seed: int) -> Iterator[BySeat[Hand]]:
    """Yields random deals."""
    rng = Random(seed)
    pack = [Card.parse(suit + rank) for suit in "SHDC" for rank in "AKQJT98765432"]
    for _ in range(count):
        dealt = rng.sample(pack, 3 * cards)
        yield BySeat.of(lambda seat: Hand.of(dealt[cards * seat.index : cards * (seat.index + 1)]))  # noqa: B023


def rows(solver: Solver, count: int, cards: int, seed: int) -> Iterator[Row]:
    """Yields the values of random deals with each suit as trumps; D leads."""
    for number, hands in enumerate(deals(count, cards, seed), start=1):
        for trump in SUITS:
            position = Position(hands, trump, Seat.D)
            values = solver.solve(position, equilibrium=True)
            assert values.equilibrium
            yield Row(number, trump, cards, values.guaranteed, values.equilibrium)


def fitted_split(found: Sequence[Row]) -> BySeat[float]:
    """Returns which part of the tricks that nobody is sure of each seat gets, by least squares."""
    weight = sum(row.rest**2 for row in found) or 1
    return BySeat.of(
        lambda seat: sum((row.equilibrium[seat] - row.guaranteed[seat]) * row.rest for row in found) / weight
    )


def correlation(pairs: Sequence[tuple[float, float]]) -> float:
    """Returns the correlation coefficient, NaN if one of the two never changes."""
    try:
        return statistics.correlation(*zip(*pairs, strict=True))
    except statistics.StatisticsError:
        return math.nan


def seats_line(name: str, estimate: Estimate, found: Sequence[Row]) -> str:
    """Describes an estimate by seat: bias, root-mean-square difference, correlation."""
    cells = []
    for seat in Seat:
        pairs = [(estimate(row, seat), row.equilibrium[seat]) for row in found]
        bias = statistics.fmean(guess - truth for guess, truth in pairs)
        rms = math.sqrt(statistics.fmean((guess - truth) ** 2 for guess, truth in pairs))
        cells.append(f"{bias:+.2f} {rms:.2f} {correlation(pairs):.2f}")
    return f"{name:14}" + "".join(f"{cell:>18}" for cell in cells)


def trumps_line(name: str, estimate: Estimate, found: Sequence[Row]) -> str:
    """Describes how well an estimate names the trump that is best for D by equilibrium."""
    losses = []
    for number in {row.deal for row in found}:
        contracts = [row for row in found if row.deal == number]
        named = max(contracts, key=lambda row: estimate(row, Seat.D))
        best = max(row.equilibrium[Seat.D] for row in contracts)
        losses.append(best - named.equilibrium[Seat.D])
    right = sum(loss < 1e-9 for loss in losses) / len(losses)
    return f"{name:14}{right:>11.0%}{statistics.fmean(losses):>11.3f}{max(losses):>11.2f}"


def report(found: Sequence[Row]) -> None:
    """Prints the comparison. The split is fitted to every other deal, and all are judged on the rest."""
    split = fitted_split([row for row in found if row.deal % 2])
    judged = [row for row in found if row.deal % 2 == 0]
    estimates: dict[str, Estimate] = {
        "share": lambda row, seat: row.guaranteed[seat] + row.rest / 3,
        "fitted split": lambda row, seat: row.guaranteed[seat] + row.rest * split[seat],
        "guaranteed": lambda row, seat: row.guaranteed[seat],
    }
    parts = ", ".join(f"{seat} {part:.3f}" for seat, part in split.items())
    print(f"{len(judged)} contracts judged; split of what nobody is sure of, fitted to the others: {parts}\n")
    print(f"{'estimate':14}" + "".join(f"{f'{seat}: bias rms corr':>18}" for seat in Seat))
    for name, estimate in estimates.items():
        print(seats_line(name, estimate, judged))
    print(f"\n{'trump by':14}{'best':>11}{'mean loss':>11}{'max loss':>11}")
    for name, estimate in estimates.items():
        print(trumps_line(name, estimate, judged))


def main() -> None:
    """Runs the comparison."""
    parser = argparse.ArgumentParser(description="Compare cheap estimates with the equilibrium.")
    parser.add_argument("--deals", type=int, default=6, help="how many deals, at least 2")
    parser.add_argument("--cards", type=int, default=6, help="cards a hand")
    parser.add_argument("--seed", type=int, default=1, help="seed of the deals")
    parser.add_argument("--jobs", type=int, default=1, help="threads")
    parser.add_argument("--rows", type=Path, help="CSV file to write the values to")
    options = parser.parse_args()
    found = []
    started = time.monotonic()
    with Solver(jobs=options.jobs) as solver:
        for row in rows(solver, options.deals, options.cards, options.seed):
            found.append(row)
            if options.rows:
                new = len(found) == 1
                with options.rows.open("w" if new else "a", encoding="utf-8", newline="") as file:
                    writer = csv.writer(file)
                    if new:
                        writer.writerow(ROW)
                    writer.writerow(
                        [row.deal, row.trump, *row.guaranteed.values(), *row.equilibrium.values()]
                    )
                print(f"deal {row.deal} {row.trump} {time.monotonic() - started:.0f} s", file=sys.stderr)
    report(found)


if __name__ == "__main__":
    main()
