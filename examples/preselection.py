"""How much is lost by comparing only the most promising discards: the table of docs/advice.md.

For each random hand all discards that differ are raced, under the trump that the rule of thumb names. Then,
on fresh samples, the winner is held against the best of the first 1, 4, ... in the order of promise.

    python examples/preselection.py --hands 20 --samples 16 --fresh 48 --jobs 2
"""

from __future__ import annotations

import argparse
from statistics import fmean

from advice_gain import random_deal, whole_pack

from sgtmajor import Effort, Hand, Position, Rules, Solver
from sgtmajor.cards import BySeat, Card, Trump
from sgtmajor.deal import Deal
from sgtmajor.kitty import discards_from
from sgtmajor.knowledge import learn
from sgtmajor.promise import promising_first
from sgtmajor.race import mean_interval
from sgtmajor.recommend import recommend_discard
from sgtmajor.sampling import Dice, Layouts, Samples
from sgtmajor.thumb import thumb_trump
from sgtmajor.view import View

SIZES = (1, 4, 6, 12, 24)


def view_of(deal: Deal, rules: Rules) -> View:
    """Returns what the announcer sees of a deal when he lays cards aside."""
    hands = BySeat.of(lambda seat: deal.hands[seat] if seat is rules.announcer else None)
    return View(hands, deal.kitty if rules.kitty == "pickup" else None, whole_pack(deal), rules=rules)


def fresh_shares(
    view: View, trump: Trump, discards: list[tuple[Card, ...]], count: int, seed: int, memory_mb: int
) -> list[list[float]]:
    """Returns the announcer's share with each discard on fresh samples."""
    seat, rules = view.rules.announcer, view.rules
    known = learn(view, seat, sees_kitty=rules.kitty == "pickup")
    samples = Samples(Layouts(known), seed, 0)
    shares: list[list[float]] = [[] for _ in discards]
    with Solver(memory_mb) as solver:
        for number in range(count):
            places = samples[number]
            hands = BySeat.of(lambda each: known.hand if each is seat else places[str(each)])  # noqa: B023
            deal = Deal(hands, places.get("K", known.kitty))
            for row, discard in zip(shares, discards, strict=True):
                after = rules.take_kitty(deal, discard)
                row.append(solver.solve(Position(after.hands, trump, rules.first_leader)).share[seat])
    return shares


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--hands", type=int, default=2)
    parser.add_argument("--samples", type=int, default=4, help="in the race of all discards")
    parser.add_argument("--fresh", type=int, default=4, help="samples that the winners are compared on")
    parser.add_argument("--cards", type=int, default=5, help="cards a hand")
    parser.add_argument("--kitty", type=int, default=2)
    parser.add_argument("--rules", default="classic")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--memory", type=int, default=256)
    options = parser.parse_args()

    dice, rules = Dice(options.seed), Rules.parse(options.rules)
    losses: dict[int, list[float]] = {size: [] for size in SIZES}
    kept = dict.fromkeys(SIZES, 0)
    print(
        "| hand | trump | discards | place of the winner | "
        + " | ".join(f"first {size}" for size in SIZES)
        + " |"
    )
    print("|---|---|---|---|" + "---|" * len(SIZES))
    for _ in range(options.hands):
        view = view_of(random_deal(dice, options.cards, options.kitty), rules)
        hand = view.hands[rules.announcer] or Hand()
        trump = thumb_trump(hand, rules.contracts)
        pool = hand | (view.kitty or Hand())
        everything = discards_from(rules.announcer, pool, view.pack - pool, options.kitty)
        order = promising_first(everything, pool, trump)
        effort = Effort(
            options.samples,
            seed=options.seed,
            discards=len(order),
            jobs=options.jobs,
            memory_mb=options.memory,
        )
        ranking = [
            option.discard or () for option in recommend_discard(view, trump=trump, effort=effort).options
        ]
        picks = [next(discard for discard in ranking if discard in order[:size]) for size in SIZES]
        finalists = list(dict.fromkeys([ranking[0], *picks]))
        shares = fresh_shares(view, trump, finalists, options.fresh, options.seed + 1, options.memory)
        cells = []
        for size, pick in zip(SIZES, picks, strict=True):
            kept[size] += pick == ranking[0]
            loss = fmean(shares[0]) - fmean(shares[finalists.index(pick)])
            losses[size].append(loss)
            cells.append("kept" if pick == ranking[0] else f"{loss:+.2f}")
        place = order.index(ranking[0]) + 1
        print(f"| {hand} | {trump} | {len(order)} | {place} | " + " | ".join(cells) + " |", flush=True)
    print(
        f"| winner kept, of {options.hands} | | | | " + " | ".join(str(kept[size]) for size in SIZES) + " |"
    )
    print("| mean loss, tricks | | | | " + " | ".join(f"{fmean(losses[size]):+.3f}" for size in SIZES) + " |")
    # Where nothing was lost, the losses do not say how much might be.
    bounds = [
        f"{mean_interval(losses[size]).upper or 0:+.3f}" if any(losses[size]) else "-" for size in SIZES
    ]
    print("| ... at most (95 %) | | | | " + " | ".join(bounds) + " |")


if __name__ == "__main__":
    main()
