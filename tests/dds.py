"""The bridge solver DDS as an oracle for the guarantee of one seat, through the PyPI package `endplay`.

A bridge side plays together, as a pair against a solo player may: seat the solo player South, the next seat
West and the third East, and give North only cards that can never win. What North-South then take is what the
solo player is sure of. North's cards are the lowest of the suits that are not trumps, below every live card.
To make room, the live cards of each suit are raised to its top ranks; only their order counts.

Exact wherever North finds as many such cards as there are tricks: any hands of up to ten cards, and thirteen
cards in three suits or without a trump. Shares no code with the package. Importing it without `endplay` is an
ImportError.
"""

from __future__ import annotations

from endplay.dds import solve_board
from endplay.dds.solve import SolveMode
from endplay.types import Deal, Denom, Player
from oracle import Cards, Hands, write_cards, write_hand

CHAIRS = (Player.south, Player.west, Player.east)


def bridge_deal(hands: Hands, trump: int, leader: int, trick: Cards, seat: int) -> Deal:
    """Returns the bridge position whose North-South tricks are what `seat` is sure of.

    Raises:
        ValueError: North cannot be given enough cards that never win.
    """
    held = list(hands)
    for place, card in enumerate(trick):
        held[(leader + place) % 3] += (card,)
    live = sorted(card for hand in held for card in hand)
    size = len(held[0])
    if {len(hand) for hand in held} != {size}:
        raise ValueError("the hands are unequal in a way the trick does not explain")

    raised: dict[int, int] = {}
    idle: list[int] = []  # ranks below every live card
    for suit in range(4):
        cards = [card for card in live if card // 13 == suit]
        room = 13 - len(cards)
        raised.update((card, 13 * suit + room + place) for place, card in enumerate(cards))
        if suit != trump or not cards:
            idle.extend(range(13 * suit, 13 * suit + room))
    if len(idle) < size:
        raise ValueError(f"only {len(idle)} cards can never win; North needs {size}")
    north = tuple(sorted(idle, key=lambda card: card % 13)[:size])

    trump_is_live = any(card // 13 == trump for card in live)
    deal = Deal(first=CHAIRS[(leader - seat) % 3], trump=Denom(trump) if trump_is_live else Denom.nt)
    deal[Player.north] = write_hand(north)
    for place in range(3):
        deal[CHAIRS[place]] = write_hand(tuple(raised[card] for card in held[(seat + place) % 3]))
    for place, card in enumerate(trick):
        if deal.curplayer == Player.north:
            led = trick[0] // 13
            following = tuple(card for card in north if card // 13 == led)
            deal.play(write_cards((following or north)[:1]))
        assert deal.curplayer == CHAIRS[(leader + place - seat) % 3]
        deal.play(write_cards((raised[card],)))
    return deal


def solve(deal: Deal) -> int:
    """Returns the tricks North-South still take, the trick in progress included."""
    tricks = max(len(hand) for _, hand in deal)
    _, taken = next(iter(solve_board(deal, SolveMode.OptimalOne)))
    return taken if deal.curplayer in (Player.north, Player.south) else tricks - taken


def guaranteed(hands: Hands, trump: int, leader: int, trick: Cards, seat: int) -> int:
    """Returns the most tricks a seat can be sure of from here on, whatever the other two do."""
    if not any(hands):
        return 0
    return solve(bridge_deal(hands, trump, leader, trick, seat))
