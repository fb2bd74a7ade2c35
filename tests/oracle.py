"""Brute-force answers to check the solver against, for hands of up to about five cards.

Independent of everything else in the project: this file imports nothing but the standard library, reads
records with a parser of its own, has its own idea of a card, and looks at every line of play there is. It has
no table of positions, no pruning, no bounds, no equal cards: nothing that the real search could get wrong.

A card is an int, 13 * suit + rank, suits S H D C = 0..3, ranks 2..A = 0..12; a seat is an int, D L R = 0..2;
a trump is an int, S H D C N = 0..4. A `Position` is a tuple, so that `guaranteed(*position, seat)` works.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from random import Random
from typing import NamedTuple

SEATS = "DLR"
SUITS = "SHDC"
TRUMPS = "SHDCN"
RANKS = "23456789TJQKA"
TIE = 1e-9

Cards = tuple[int, ...]
Hands = tuple[Cards, Cards, Cards]
Guarantees = tuple[int, int, int]
Expectations = tuple[float, float, float]


class Position(NamedTuple):
    """A moment of the play: the cards of `trick` have left the hands; `leader` led to it."""

    hands: Hands
    trump: int
    leader: int
    trick: Cards = ()

    def __str__(self) -> str:
        trick = f" trick={write_cards(self.trick)}" if self.trick else ""
        return f"{write_deal(self.hands)} trump={TRUMPS[self.trump]} lead={SEATS[self.leader]}{trick}"


# The game.


def legal(hand: Cards, trick: Cards) -> Cards:
    """Returns the cards of a hand that may be played to a trick: the led suit if there is any, else all."""
    if not trick:
        return hand
    led = trick[0] // 13
    return tuple(card for card in hand if card // 13 == led) or hand


def winner(trick: Cards, trump: int) -> int:
    """Returns which card of a trick wins, counted from 0 in the order of play."""
    best = 0
    for place in range(1, len(trick)):
        card, best_card = trick[place], trick[best]
        if card // 13 == best_card // 13:
            if card > best_card:
                best = place
        elif card // 13 == trump:
            best = place
    return best


def play(hands: Hands, trump: int, leader: int, trick: Cards, card: int) -> tuple[int | None, Position]:
    """Plays a card; returns the seat that thereby took a trick, if one did, and the position after it."""
    who = (leader + len(trick)) % 3
    d, left, right = hands
    held = hands[who]
    at = held.index(card)
    rest = held[:at] + held[at + 1 :]
    after = (rest, left, right) if who == 0 else (d, rest, right) if who == 1 else (d, left, rest)
    trick = (*trick, card)
    if len(trick) < 3:
        return None, Position(after, trump, leader, trick)
    taker = (leader + winner(trick, trump)) % 3
    return taker, Position(after, trump, taker)


# The answers.


def last_trick(hands: Hands, trump: int, leader: int) -> Guarantees:
    """Returns who takes the trick when each seat holds one card: nobody has a choice left."""
    trick = hands[leader] + hands[(leader + 1) % 3] + hands[(leader + 2) % 3]
    taker = (leader + winner(trick, trump)) % 3
    return int(taker == 0), int(taker == 1), int(taker == 2)


def guarantees(hands: Hands, trump: int, leader: int, trick: Cards = ()) -> Guarantees:
    """Returns what each seat can be sure of against the other two together: three max-mins in one walk."""
    who = (leader + len(trick)) % 3
    if not hands[who]:
        return 0, 0, 0
    if not trick and len(hands[who]) == 1:
        return last_trick(hands, trump, leader)
    outcomes: tuple[list[int], list[int], list[int]] = ([], [], [])
    for card in legal(hands[who], trick):
        taker, after = play(hands, trump, leader, trick, card)
        later = guarantees(*after)
        for seat in range(3):
            outcomes[seat].append(later[seat] + (seat == taker))
    sure = [max(outcomes[seat]) if seat == who else min(outcomes[seat]) for seat in range(3)]
    return sure[0], sure[1], sure[2]


def guaranteed(hands: Hands, trump: int, leader: int, trick: Cards, seat: int) -> int:
    """Returns the most tricks a seat can be sure of from here on, whatever the other two do."""
    return guarantees(hands, trump, leader, trick)[seat]


def equilibrium(
    hands: Hands, trump: int, leader: int, trick: Cards = (), named: int = 0, sign: int = 0
) -> Expectations:
    """Returns the max^n value of each seat; a seat picks evenly among its best cards, each card counted.

    With a `sign` it picks among those of its best cards that are best (1) or worst (-1) for seat `named`.
    """
    who = (leader + len(trick)) % 3
    if not hands[who]:
        return 0.0, 0.0, 0.0
    if not trick and len(hands[who]) == 1:
        return last_trick(hands, trump, leader)
    outcomes = []
    for card in legal(hands[who], trick):
        taker, after = play(hands, trump, leader, trick, card)
        later = equilibrium(*after, named=named, sign=sign)
        outcomes.append([later[seat] + (seat == taker) for seat in range(3)])
    top = max(outcome[who] for outcome in outcomes)
    best = [outcome for outcome in outcomes if outcome[who] >= top - TIE]
    if sign:
        top = max(sign * outcome[named] for outcome in best)
        best = [outcome for outcome in best if sign * outcome[named] >= top - TIE]
    mean = [sum(outcome[seat] for outcome in best) / len(best) for seat in range(3)]
    return mean[0], mean[1], mean[2]


def share(sure: Sequence[int], tricks: int, seat: int) -> float:
    """Returns a seat's guarantee and a third of what nobody is sure of."""
    return sure[seat] + (tricks - sum(sure)) / 3


class Best(NamedTuple):
    """What the best discards of one trump are worth to the announcer; each best may need its own discard."""

    guaranteed: int
    share: float


def discards(hand: Cards, kitty: Cards, pickup: bool) -> Iterator[tuple[Cards, Cards]]:
    """Yields each discard, from the hand or (pickup) from hand and kitty, with the hand it leaves."""
    for discard in combinations(hand + kitty if pickup else hand, len(kitty)):
        yield discard, tuple(card for card in hand + kitty if card not in discard)


def best_discards(
    hands: Hands, kitty: Cards, announcer: int, leader: int, pickup: bool, trumps: str = SUITS
) -> dict[str, Best]:
    """Returns for each trump the best the announcer can get, over every discard, with all cards open."""
    answer = {}
    for trump in trumps:
        values = []
        for _, hand in discards(hands[announcer], kitty, pickup):
            played = list(hands)
            played[announcer] = hand
            sure = guarantees((played[0], played[1], played[2]), TRUMPS.index(trump), leader)
            values.append(Best(sure[announcer], share(sure, len(hand), announcer)))
        answer[trump] = Best(max(v.guaranteed for v in values), max(v.share for v in values))
    return answer


# Text.


def read_hand(text: str) -> Cards:
    """Reads `AK.T9..2`."""
    return tuple(
        13 * suit + RANKS.index(rank) for suit, group in enumerate(text.split(".")) for rank in group
    )


def read_cards(text: str) -> Cards:
    """Reads `SA,HT`."""
    return tuple(13 * SUITS.index(name[0]) + RANKS.index(name[1]) for name in text.split(",") if name)


def read_deal(text: str) -> tuple[Hands, Cards, dict[str, str]]:
    """Reads `D:hand hand hand K:hand key=value ...` into hands by seat, the kitty, and the fields."""
    hands: list[Cards] = [(), (), ()]
    kitty: Cards = ()
    fields: dict[str, str] = {}
    words = text.split()
    first = SEATS.index(words[0][0])
    for place, hand in enumerate([words[0][2:], *words[1:3]]):
        hands[(first + place) % 3] = read_hand(hand)
    for word in words[3:]:
        if word.startswith("K:"):
            kitty = read_hand(word[2:])
        else:
            key, _, value = word.partition("=")
            fields[key] = value
    return (hands[0], hands[1], hands[2]), kitty, fields


def read_position(text: str) -> Position:
    """Reads a record that names its trump and its leader."""
    hands, _, fields = read_deal(text)
    trick = read_cards(fields.get("trick", ""))
    return Position(hands, TRUMPS.index(fields["trump"]), SEATS.index(fields["lead"]), trick)


def write_hand(hand: Cards) -> str:
    """Writes `AK.T9..2`."""
    high_first = sorted(hand, reverse=True)
    return ".".join(
        "".join(RANKS[card % 13] for card in high_first if card // 13 == suit) for suit in range(4)
    )


def write_cards(cards: Cards) -> str:
    """Writes `SA,HT`."""
    return ",".join(SUITS[card // 13] + RANKS[card % 13] for card in cards)


def write_deal(hands: Hands, kitty: Cards = ()) -> str:
    """Writes `D:hand hand hand`, and ` K:hand` if there is a kitty."""
    text = "D:" + " ".join(write_hand(hand) for hand in hands)
    return f"{text} K:{write_hand(kitty)}" if kitty else text


# Random deals and positions.


def random_deal(rng: Random, size: int, kitty: int = 0, suits: int = 4) -> tuple[Hands, Cards]:
    """Deals hands of `size` cards and a kitty from so many randomly chosen whole suits."""
    deck = [13 * suit + rank for suit in rng.sample(range(4), suits) for rank in range(13)]
    cards = rng.sample(deck, 3 * size + kitty)
    hands = tuple(cards[:size]), tuple(cards[size : 2 * size]), tuple(cards[2 * size : 3 * size])
    return hands, tuple(cards[3 * size :])


def random_position(rng: Random, size: int, mid_trick: bool = False) -> Position:
    """Returns hands of `size` cards from one to four suits, one or two cards of them played if mid-trick."""
    fewest = -(-3 * size // 13)
    hands, _ = random_deal(rng, size, suits=rng.randint(fewest, 4))
    position = Position(hands, rng.randrange(5), rng.randrange(3))
    for _ in range(rng.randint(1, 2) if mid_trick else 0):
        who = (position.leader + len(position.trick)) % 3
        _, position = play(*position, rng.choice(legal(position.hands[who], position.trick)))
    return position
