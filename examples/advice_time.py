"""What does a short time for thinking lose? The table "How much time" of docs/advice.md.

For random hands a trump is asked for twice: in little time, and in much more with other samples. How far the
trump named in little time is behind the best of the longer run, by the longer run, is what was lost.

    python examples/advice_time.py --hands 20 --seconds 10 --longer 60 --cards 16 --kitty 4 --jobs 2
"""

from __future__ import annotations

import argparse

from advice_gain import interval, random_deal, row
from preselection import view_of

from sgtmajor import Effort, Rules
from sgtmajor.recommend import recommend_trump
from sgtmajor.sampling import Dice


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--hands", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=0.1)
    parser.add_argument("--longer", type=float, default=0.2, help="seconds of the run that judges")
    parser.add_argument("--cards", type=int, default=5, help="cards a hand")
    parser.add_argument("--kitty", type=int, default=2)
    parser.add_argument("--rules", default="classic", choices=["classic", "eldest"])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--memory", type=int, default=256)
    options = parser.parse_args()

    dice, rules = Dice(options.seed), Rules.parse(options.rules)
    losses = []
    row("hand", "named", "samples", "named in the longer run", "samples", "lost")
    row(*["---"] * 6)
    for _ in range(options.hands):
        view = view_of(random_deal(dice, options.cards, options.kitty), rules)
        shorter, longer = (
            recommend_trump(
                view,
                effort=Effort(seconds=seconds, seed=seed, jobs=options.jobs, memory_mb=options.memory),
            )
            for seed, seconds in enumerate((options.seconds, options.longer), start=options.seed)
        )
        judged = next(option for option in longer.ranking if option.trump is shorter.best.trump)
        losses.append(0.0 - judged.behind.mean)
        row(
            view.hands[rules.announcer],
            shorter.best.trump,
            shorter.samples,
            longer.best.trump,
            longer.samples,
            f"{losses[-1]:.2f}",
        )
    print(f"\nLost on average, in tricks: {interval(losses)}")


if __name__ == "__main__":
    main()
