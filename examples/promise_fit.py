"""Fits the weights of the score that picks the discards worth comparing: solver/promise.py.

Of random hands all discards that differ are valued on the same samples, under the trump that the rule of
thumb names, and the weights are a least-squares fit to how far each discard is from the mean of its hand.
Discards close to the best weigh more, for these are the ones to tell apart. Needs numpy.

    python examples/promise_fit.py --hands 168 --samples 6 --cards 12 --kitty 3
"""

from __future__ import annotations

import argparse
import math
import sys
from statistics import fmean

import numpy as np
from advice_gain import random_deal
from preselection import fresh_shares, view_of

from sgtmajor import Hand, Rules
from sgtmajor.cards import Card, Suit, Trump
from sgtmajor.kitty import discards_from
from sgtmajor.promise import WEIGHTS, features
from sgtmajor.sampling import Dice
from sgtmajor.thumb import thumb_trump

# A discard that is so many tricks behind the best weighs 1/e of it.
CLOSE = 0.5
HUNDREDTHS = 100


def counts(kept: Hand, trump: Trump) -> list[int]:
    """Returns the features of the cards kept, in the order of the weights."""
    found = dict.fromkeys(WEIGHTS, 0)
    for suit in Suit:
        for name, count in features(kept.suit(suit), suit is trump.suit).items():
            found[name] += count
    return list(found.values())


def rows(
    pool: Hand, trump: Trump, discards: list[tuple[Card, ...]], means: list[float]
) -> tuple[np.ndarray, np.ndarray]:
    """Returns what a hand adds to the equations: the differences to its mean, weighed."""
    weights = np.array([math.exp((mean - max(means)) / CLOSE) for mean in means])
    table = np.array([counts(pool - Hand.of(discard), trump) for discard in discards], dtype=float)
    tricks = np.array(means)
    table -= np.average(table, axis=0, weights=weights)
    tricks -= np.average(tricks, weights=weights)
    roots = np.sqrt(weights)
    return table * roots[:, None], tricks * roots


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--hands", type=int, default=8)
    parser.add_argument("--samples", type=int, default=2)
    parser.add_argument("--cards", type=int, default=5, help="cards a hand")
    parser.add_argument("--kitty", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--memory", type=int, default=256)
    options = parser.parse_args()

    dice, rules = Dice(options.seed), Rules.parse("classic")
    tables, tricks = [], []
    for number in range(options.hands):
        view = view_of(random_deal(dice, options.cards, options.kitty), rules)
        hand = view.hands[rules.announcer] or Hand()
        trump = thumb_trump(hand, rules.contracts)
        discards = discards_from(rules.announcer, hand, view.pack - hand, options.kitty)
        shares = fresh_shares(
            view, trump, discards, options.samples, options.seed + 1 + number, options.memory
        )
        table, behind = rows(hand, trump, discards, [fmean(each) for each in shares])
        tables.append(table)
        tricks.append(behind)
        print(f"\r{number + 1} of {options.hands} hands", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    fitted = np.linalg.lstsq(np.concatenate(tables), np.concatenate(tricks), rcond=None)[0]
    print("| feature | fitted here | in use |\n|---|---|---|")
    for (name, weight), value in zip(WEIGHTS.items(), fitted, strict=True):
        print(f"| {name} | {HUNDREDTHS * value:+.0f} | {weight:+d} |")


if __name__ == "__main__":
    main()
