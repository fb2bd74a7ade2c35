"""What is the exchange worth, and which suit is it best to ask in? The tables of docs/advice.md.

On random deals a seat gives one, two or three cards to another one, by the rule of thumb: the lowest of each
suit, the shortest first. Then the announcer names the trump and lays aside what looks best to him from the
cards that he holds, as he does without an exchange; what each seat has is valued with open cards. All
differences are in pairs: to the same deal without an exchange. Ctrl-C ends the run early; the tables are then
those of the deals done.

    python examples/exchange_worth.py --cards 16 --kitty 4 --deals 300
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from functools import partial
from statistics import fmean
from typing import NamedTuple

from advice_gain import interval, random_deal, result, row

from sgtmajor import Deal, Gift, Hand, Rules, Seat, Solver, Suit
from sgtmajor.cards import BySeat, Card, Trump
from sgtmajor.gifts import apply_gifts
from sgtmajor.promise import likely_announcement
from sgtmajor.sampling import Dice
from sgtmajor.thumb import thumb_gifts

COUNTS = (1, 2, 3)

# Chooses the card to ask with from a hand, and the suit that the hand would name trumps.
Ask = Callable[[Hand, Suit], Card]


class Gain(NamedTuple):
    """What a deal is worth after an exchange, in share, less what it is worth without."""

    giver: float
    receiver: float
    third: float


def lowest(hand: Hand, suits: Sequence[Suit]) -> Card:
    """Returns the lowest card of the first of some suits that the hand holds."""
    return next(list(hand.suit(suit))[-1] for suit in suits if hand.suit(suit))


def by_length(hand: Hand, trump: Suit, *, longest: bool = False, aces: bool = True) -> Card:
    """Asks in the shortest, or longest, plain suit; with ``aces`` false, where the ace is elsewhere."""

    def rank(suit: Suit) -> tuple[bool, bool, int]:
        held = hand.suit(suit)
        ace = not aces and any(card.rank == 14 for card in held)
        return suit is trump, ace, -len(held) if longest else len(held)

    return lowest(hand, sorted(Suit, key=rank))


def in_trumps(hand: Hand, trump: Suit) -> Card:
    """Asks in the suit that the hand would name trumps."""
    return lowest(hand, [trump])


ASKS: dict[str, Ask] = {
    "short": by_length,
    "short, without the ace": partial(by_length, aces=False),
    "long": partial(by_length, longest=True),
    "long, without the ace": partial(by_length, longest=True, aces=False),
    "trumps": in_trumps,
}


class Study:
    """The gains of all deals done so far, by giver and number of cards, or by giver and way to ask."""

    def __init__(self, rules: Rules, solver: Solver) -> None:
        self._rules = rules
        self._solver = solver
        self._shares: dict[Deal, BySeat[float]] = {}
        self.worth: dict[tuple[Seat, int], list[Gain]] = {}
        self.asked: dict[tuple[Seat, str], list[Gain]] = {}
        # By giver: whether the suit that he would name is trumps, without an exchange.
        self.named: dict[Seat, list[bool]] = {seat: [] for seat in Seat}

    def add(self, number: int, deal: Deal) -> None:
        """Values the exchanges of a deal, with the other two receiving in turn from deal to deal."""
        self._solver.clear()
        self._shares.clear()
        worth: dict[tuple[Seat, int], Gain] = {}
        asked: dict[tuple[Seat, str], Gain] = {}
        for giver in Seat:
            receiver = giver.next if number % 2 else giver.next.next
            hand, trump = deal.hands[giver], self._own_trump(deal, giver)
            for count in COUNTS:
                worth[giver, count] = self._gain(deal, giver, receiver, thumb_gifts(hand, count))
            for name, ask in ASKS.items():
                asked[giver, name] = self._gain(deal, giver, receiver, [ask(hand, trump)])
        named, _ = likely_announcement(deal, self._rules, self._rules.contracts)
        own = {seat: self._own_trump(deal, seat) for seat in Seat}
        # Nothing is kept of a deal that was not done.
        for seat, trump in own.items():
            self.named[seat].append(trump is named.suit)
        for key, gain in worth.items():
            self.worth.setdefault(key, []).append(gain)
        for name, gain in asked.items():
            self.asked.setdefault(name, []).append(gain)

    def _own_trump(self, deal: Deal, seat: Seat) -> Suit:
        """Returns the suit that a seat would name if it announced."""
        announcer = self._rules.announcer
        hands = deal.hands.replace(seat, deal.hands[announcer]).replace(announcer, deal.hands[seat])
        suits = [trump for trump in Trump if trump.suit]
        trump, _ = likely_announcement(Deal(hands, deal.kitty), self._rules, suits)
        assert trump.suit, "one of the four suits"
        return trump.suit

    def _share(self, deal: Deal) -> BySeat[float]:
        if deal not in self._shares:
            choice = likely_announcement(deal, self._rules, self._rules.contracts)
            self._shares[deal] = result(self._solver, [deal], self._rules, choice).share
        return self._shares[deal]

    def _gain(self, deal: Deal, giver: Seat, receiver: Seat, cards: Sequence[Card]) -> Gain:
        """Returns what giver, receiver and the third seat gain by gifts."""
        gifts = [Gift(giver, receiver, card) for card in cards]
        before, after = self._share(deal), self._share(apply_gifts(deal, gifts)[0])
        third = next(seat for seat in Seat if seat not in (giver, receiver))
        giver_gain, receiver_gain, third_gain = (
            after[seat] - before[seat] for seat in (giver, receiver, third)
        )
        return Gain(giver_gain, receiver_gain, third_gain)


def show_worth(study: Study) -> None:
    """Prints what it is worth to giver, receiver and third seat that so many cards are given."""
    row("giver", "cards", "giver", "receiver", "the third")
    row(*["---"] * 5)
    for (giver, count), gains in study.worth.items():
        row(giver, count, *(interval([gain[i] for gain in gains]) for i in range(3)))


def show_suits(study: Study) -> None:
    """Prints what one card is worth to its giver, by the suit that he asks in; then the differences."""
    named = ", ".join(f"{seat} {fmean(flags):.0%}" for seat, flags in study.named.items())
    print(f"The suit that the giver would name is trumps without an exchange: {named}.\n")
    first = next(iter(ASKS))
    row("one card: the lowest of", *(f"{seat} gives" for seat in Seat))
    row(*["---"] * 4)
    for name in ASKS:
        row(name, *(interval([gain.giver for gain in study.asked[seat, name]]) for seat in Seat))
    for name in list(ASKS)[1:]:
        cells = []
        for seat in Seat:
            pairs = zip(study.asked[seat, name], study.asked[seat, first], strict=True)
            cells.append(interval([one.giver - other.giver for one, other in pairs]))
        row(f"{name}, less {first}", *cells)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--deals", type=int, default=2)
    parser.add_argument("--cards", type=int, default=5, help="cards a hand")
    parser.add_argument("--kitty", type=int, default=2)
    parser.add_argument("--rules", default="classic")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--memory", type=int, default=256)
    options = parser.parse_args()

    rules = Rules.parse(options.rules)
    if rules.exchange != "before":
        parser.error("the exchange comes before the announcement here, expected rules with exchange=before")
    dice, done = Dice(options.seed), 0
    with Solver(options.memory) as solver:
        study = Study(rules, solver)
        try:
            for number in range(options.deals):
                study.add(number, random_deal(dice, options.cards, options.kitty))
                done += 1
                print(f"\r{done} of {options.deals} deals", end="", file=sys.stderr, flush=True)
        except KeyboardInterrupt:
            print("\nended early", file=sys.stderr)
    print(file=sys.stderr)
    if not done:
        return
    print(f"{done} deals of {options.cards} cards, rules {options.rules}; gains in share.\n")
    print("What it is worth that so many cards are given by the rule of thumb:\n")
    show_worth(study)
    print(
        "\nWhich suit to ask in: the suit that he would name trumps himself, or the shortest or longest of"
        "\nhis others (plain suits), of all or of those whose ace he does not hold; what the giver gains:\n"
    )
    show_suits(study)


if __name__ == "__main__":
    main()
