"""How much is lost by comparing only the most promising ways to give: the numbers of docs/advice.md.

On random deals a seat with debts asks twice, with the same samples: once all ways are raced, once the most
promising ones. Where another way wins, both winners are held against each other on fresh samples; as in the
advice, the announcer then does what looks best to him.

    python examples/ways_kept.py --hands 20 --samples 32 --fresh 200 --cards 7 --kitty 2 --up D:+3,L:-2,R:-1
"""

from __future__ import annotations

import argparse
from statistics import fmean

from advice_gain import interval, random_deal, result, whole_pack

from sgtmajor import Effort, Gift, Rules, Seat, Solver
from sgtmajor.cards import BySeat
from sgtmajor.deal import Deal
from sgtmajor.gifts import apply_gifts, format_gifts, parse_up
from sgtmajor.knowledge import learn
from sgtmajor.promise import likely_announcement
from sgtmajor.recommend_gifts import WAYS, recommend_exchange
from sgtmajor.sampling import Dice, Layouts, Samples
from sgtmajor.view import View

EVERYTHING = 1_000_000


def fresh_losses(
    view: View, seat: Seat, winner: tuple[Gift, ...], pick: tuple[Gift, ...], count: int, seed: int
) -> list[float]:
    """Returns how much more share the seat has with the winner of all ways than with a pick."""
    known, rules = learn(view, seat), view.rules
    samples = Samples(Layouts(known), seed, 0)
    losses = []
    with Solver(64) as solver:
        for number in range(count):
            places = samples[number]
            hands = BySeat.of(lambda each: known.hand if each is seat else places[str(each)])  # noqa: B023
            shares = []
            for way in (winner, pick):
                after, _ = apply_gifts(Deal(hands, places["K"]), way)
                choice = likely_announcement(after, rules, rules.contracts)
                shares.append(result(solver, [after], rules, choice).share[seat])
            losses.append(shares[0] - shares[1])
    return losses


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--hands", type=int, default=2)
    parser.add_argument("--samples", type=int, default=4, help="in both races")
    parser.add_argument("--fresh", type=int, default=4, help="samples that the winners are compared on")
    parser.add_argument("--cards", type=int, default=5, help="cards a hand")
    parser.add_argument("--kitty", type=int, default=2)
    parser.add_argument("--up", default="D:+3,L:-2,R:-1", help="scores that make one seat give")
    parser.add_argument("--ways", type=int, default=WAYS)
    parser.add_argument("--rules", default="classic")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()

    dice, rules, up = Dice(options.seed), Rules.parse(options.rules), parse_up(options.up)
    seat = next(seat for seat in Seat if up[seat] > 0)
    kept, means = 0, []
    print("| hand | ways | the best of all | of the first | loss |\n|---|---|---|---|---|")
    for _ in range(options.hands):
        deal = random_deal(dice, options.cards, options.kitty)
        hands = BySeat.of(lambda each: deal.hands[each] if each is seat else None)  # noqa: B023
        view = View(hands, None, whole_pack(deal), up=up, rules=rules)
        everything, first = (
            recommend_exchange(view, effort=Effort(options.samples, seed=options.seed, ways=ways))
            for ways in (EVERYTHING, options.ways)
        )
        winner, pick = everything.best.gifts, first.best.gifts
        loss = 0.0
        if winner == pick:
            kept += 1
        else:
            loss = fmean(fresh_losses(view, seat, winner, pick, options.fresh, options.seed + 1))
        means.append(loss)
        cells = [deal.hands[seat], everything.ways, format_gifts(winner), format_gifts(pick), f"{loss:+.2f}"]
        print("| " + " | ".join(map(str, cells)) + " |", flush=True)
    print(f"\nThe best of all was among the first {options.ways} of {kept} of {options.hands} hands;")
    print(f"mean loss {interval(means)} tricks of share.")


if __name__ == "__main__":
    main()
