"""What does a short time for thinking lose? The table "How much time" of docs/advice.md.

For random hands a trump is asked for twice: in little time, and in much more with other samples. How far the
trump named in little time is behind the best of the longer run, by the longer run, is what was lost; the same
for the trump of the players' rule of thumb, which also stands in where little time gives no answer.

    python examples/advice_time.py --hands 20 --seconds 10 --longer 60 --cards 16 --kitty 4 --jobs 2
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from statistics import median

from advice_gain import interval, random_deal, row
from preselection import view_of

from sgtmajor import Effort, Rules, SearchStopped
from sgtmajor.cards import Trump
from sgtmajor.recommend import recommend_trump
from sgtmajor.sampling import Dice
from sgtmajor.thumb import thumb_trump
from sgtmajor.view import View


def named(view: View, thumb: Trump, effort: Effort) -> tuple[Trump, int]:
    """Returns the trump that is named, and on how many samples: with none, that of the rule of thumb."""
    try:
        answer = recommend_trump(view, effort=effort)
    except SearchStopped:
        return thumb, 0
    return answer.best.trump, answer.samples


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
    losses: dict[str, list[float]] = {"little time": [], "rule of thumb": []}
    used: dict[str, list[int]] = {"samples in little time": [], "samples in the longer run": []}
    row("hand", "named", "samples", "rule of thumb", "longer run", "samples", "lost", "lost by rule of thumb")
    row(*["---"] * 8)
    for _ in range(options.hands):
        view = view_of(random_deal(dice, options.cards, options.kitty), rules)
        hand = view.hands[rules.announcer]
        assert hand is not None, "the announcer sees his own cards"
        thumb = thumb_trump(hand, rules.contracts)
        work = Effort(seconds=options.seconds, seed=options.seed, jobs=options.jobs, memory_mb=options.memory)
        trump, samples = named(view, thumb, work)
        longer = recommend_trump(view, effort=replace(work, seconds=options.longer, seed=options.seed + 1))
        behind = {option.trump: 0.0 - option.behind.mean for option in longer.ranking}
        for numbers, number in zip(used.values(), (samples, longer.samples), strict=True):
            numbers.append(number)
        for lost, choice in zip(losses.values(), (trump, thumb), strict=True):
            lost.append(behind[choice])
        lost_here = [f"{lost[-1]:.2f}" for lost in losses.values()]
        row(hand, trump, samples, thumb, longer.best.trump, longer.samples, *lost_here)
    print()
    row("of the hands", "least", "median", "most")
    row(*["---"] * 4)
    for name, numbers in {
        **used,
        **{f"lost by the {choice}": lost for choice, lost in losses.items()},
    }.items():
        row(name, *(f"{number:g}" for number in (min(numbers), median(numbers), max(numbers))))
    for choice, lost in losses.items():
        print(f"\nLost on average by the {choice}, in tricks: {interval(lost)}")


if __name__ == "__main__":
    main()
