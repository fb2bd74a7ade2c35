"""Does the advice help? What it gains over the players' rule of thumb, and two more claims: docs/advice.md.

On random deals the announcer chooses from what he sees, once by the advice and once by the rule of thumb
(longest suit; lay aside to void the shortest plain suit, keep aces and kings). Both results are valued with
open cards, in the same deals. With --layouts each is valued in more deals than the one dealt: the hands of
the two others, which the announcer does not see, are dealt anew, so that luck matters less. Ctrl-C ends the
run early; the tables are then those of the deals done.

    python examples/advice_gain.py --deals 200 --layouts 4 --samples 16 --discards 4 --jobs 2
"""

from __future__ import annotations

import argparse
import sys
from statistics import fmean
from typing import NamedTuple

from sgtmajor import BySeat, Deal, Effort, Hand, Position, Rules, Seat, Solver, Trump
from sgtmajor.cards import Card
from sgtmajor.race import mean_interval
from sgtmajor.recommend import recommend_discard, recommend_trump
from sgtmajor.sampling import MAX_SEED, Dice
from sgtmajor.thumb import thumb_discard, thumb_trump
from sgtmajor.view import View
from sgtmajor.yardstick import YARDSTICKS, By

DECK = tuple(Hand.full())
# Blind and with the kitty in sight; first the announcer leads, then the seat after him.
HOUSES = ("classic", "classic,kitty=pickup", "eldest", "pickup")
SEEING = {"classic": "classic,kitty=pickup", "eldest": "pickup"}


class Result(NamedTuple):
    """What a way to choose came to for one hand of the announcer: means over the deals it was valued in."""

    trump: Trump
    share: BySeat[float]
    guaranteed: BySeat[float]


# By house rules: the results of all deals.
Results = dict[str, list[Result]]


def random_deal(dice: Dice, cards: int, kitty: int) -> Deal:
    """Deals the highest cards that are enough for such a deal."""
    pack = sorted(DECK, key=lambda card: -card.rank)[: 3 * cards + kitty]
    order = [pack[i] for i in dice.shuffled(len(pack))]
    hands = BySeat.of(lambda seat: Hand.of(order[seat.index * cards :][:cards]))
    return Deal(hands, Hand.of(order[3 * cards :]))


def layouts(dice: Dice, deal: Deal, count: int) -> list[Deal]:
    """Returns the deal, and others with the cards of L and R dealt anew: in all houses D announces."""
    found = [deal]
    unseen = list(deal.hands.L | deal.hands.R)
    while len(found) < count:
        order = [unseen[i] for i in dice.shuffled(len(unseen))]
        half = len(order) // 2
        hands = BySeat(deal.hands.D, Hand.of(order[:half]), Hand.of(order[half:]))
        found.append(Deal(hands, deal.kitty))
    return found


def whole_pack(deal: Deal) -> Hand:
    """Returns all cards of a deal."""
    return deal.hands.D | deal.hands.L | deal.hands.R | (deal.kitty or Hand())


def by_thumb(deal: Deal, rules: Rules) -> tuple[Trump, tuple[Card, ...]]:
    """Chooses by the rule of thumb."""
    hand, kitty = deal.hands[rules.announcer], deal.kitty or Hand()
    trump = thumb_trump(hand, rules.contracts)
    return trump, thumb_discard(hand | kitty if rules.kitty == "pickup" else hand, len(kitty), trump)


def by_advice(deal: Deal, rules: Rules, by: By, effort: Effort) -> tuple[Trump, tuple[Card, ...]]:
    """Chooses by the advice, which sees what the announcer sees."""
    hands = BySeat.of(lambda each: deal.hands[each] if each is rules.announcer else None)
    view = View(hands, None, whole_pack(deal), rules=rules)
    best = recommend_trump(view, by=by, effort=effort).best
    if best.discard is None:
        taken = View(hands, deal.kitty, view.pack, rules=rules)
        best = recommend_discard(taken, trump=best.trump, by=by, effort=effort).best
    return best.trump, best.discard or ()


def result(solver: Solver, deals: list[Deal], rules: Rules, choice: tuple[Trump, tuple[Card, ...]]) -> Result:
    """Values a choice with open cards, in each of some deals."""
    trump, discard = choice
    found = [
        solver.solve(Position(rules.take_kitty(deal, discard).hands, trump, rules.first_leader))
        for deal in deals
    ]
    return Result(
        trump,
        BySeat.of(lambda seat: fmean(each.share[seat] for each in found)),
        BySeat.of(lambda seat: fmean(each.guaranteed[seat] for each in found)),
    )


def interval(values: list[float]) -> str:
    """Writes a mean with half of its 95 % interval."""
    mean, _, upper = mean_interval(values)
    return f"{mean:+.2f}" if upper is None else f"{mean:+.2f} ± {upper - mean:.2f}"


def row(*cells: object) -> None:
    print("| " + " | ".join(map(str, cells)) + " |")


def shares(results: Results, house: str) -> list[float]:
    """Returns the announcer's share of each deal."""
    return [each.share[Rules.parse(house).announcer] for each in results[house]]


def show_gains(advice: Results, thumb: Results) -> None:
    """Prints what the advice gains for the announcer."""
    row("rules", "gain in share", "gain in guaranteed", "another trump named")
    row(*["---"] * 4)
    for house, results in advice.items():
        seat = Rules.parse(house).announcer
        pairs = list(zip(results, thumb[house], strict=True))
        gains = [a.share[seat] - b.share[seat] for a, b in pairs]
        sure = [a.guaranteed[seat] - b.guaranteed[seat] for a, b in pairs]
        other = sum(a.trump is not b.trump for a, b in pairs) / len(pairs)
        row(f"`{house}`", interval(gains), interval(sure), f"{other:.0%}")


def show_kitty(thumb: Results) -> None:
    """Prints what seeing the kitty first is worth to the announcer, in share, with the same first lead."""
    row("first lead", "worth of seeing the kitty")
    row(*["---"] * 2)
    for blind, seeing in SEEING.items():
        gains = [a - b for a, b in zip(shares(thumb, seeing), shares(thumb, blind), strict=True)]
        row(Rules.parse(blind).first_leader, interval(gains))


def show_fairness(chosen: dict[str, Results]) -> None:
    """Prints share minus target of each seat."""
    row("rules", "first lead", "chosen by", "D", "L", "R")
    row(*["---"] * 6)
    for house in HOUSES:
        rules = Rules.parse(house)
        for name, results in chosen.items():
            if house in results:
                points = [rules.points(each.share) for each in results[house]]
                means = [interval([each[seat] for each in points]) for seat in Seat]
                row(f"`{house}`", rules.first_leader, name, *means)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--deals", type=int, default=2)
    parser.add_argument("--layouts", type=int, default=2, help="deals that each choice is valued in")
    parser.add_argument("--samples", type=int, default=2, help="samples of each advice")
    parser.add_argument("--discards", type=int, default=4, help="discards that each advice compares")
    parser.add_argument("--by", default="share", choices=YARDSTICKS, help="the yardstick of the advice")
    parser.add_argument(
        "--rules", nargs="+", default=["classic", "pickup"], choices=HOUSES, help="for the advice"
    )
    parser.add_argument("--cards", type=int, default=5, help="cards a hand")
    parser.add_argument("--kitty", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--memory", type=int, default=256)
    options = parser.parse_args()

    dice, others = Dice(options.seed), Dice(MAX_SEED - options.seed)
    advice: Results = {house: [] for house in options.rules}
    thumb: Results = {house: [] for house in HOUSES}
    done = 0
    with Solver(options.memory) as solver:
        try:
            for number in range(options.deals):
                deal = random_deal(dice, options.cards, options.kitty)
                effort = Effort(
                    options.samples,
                    seed=number,
                    discards=options.discards,
                    jobs=options.jobs,
                    memory_mb=options.memory,
                )
                solver.clear()
                deals = layouts(others, deal, options.layouts)
                followed, usual = {}, {}
                for house in options.rules:
                    rules = Rules.parse(house)
                    followed[house] = result(solver, deals, rules, by_advice(deal, rules, options.by, effort))
                for house in HOUSES:
                    rules = Rules.parse(house)
                    usual[house] = result(solver, deals, rules, by_thumb(deal, rules))
                for results, new in ((advice, followed), (thumb, usual)):
                    for house, each in new.items():
                        results[house].append(each)
                done += 1
                print(f"\r{done} of {options.deals} deals", end="", file=sys.stderr, flush=True)
        except KeyboardInterrupt:
            print("\nended early", file=sys.stderr)
    print(file=sys.stderr)
    if not done:
        return
    print(
        f"{done} deals of {options.cards} cards, each in {options.layouts} layouts; by {options.by},"
        f" {options.samples} samples, {options.discards} discards of each contract.\n"
    )
    print("What the announcer gains by the advice, in tricks:\n")
    show_gains(advice, thumb)
    print("\nWhat seeing the kitty first is worth to him by the rule of thumb, in share:\n")
    show_kitty(thumb)
    print("\nHow fair the targets are, share minus target:\n")
    show_fairness({"advice": advice, "rule of thumb": thumb})


if __name__ == "__main__":
    main()
