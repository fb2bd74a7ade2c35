"""Hypothesis strategies for cards, hands, deals, positions and records, shared by the tests."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from hypothesis import strategies as st

from sgtmajor.cards import BySeat, Card, Hand, Seat, Suit, Trump
from sgtmajor.deal import MAX_HAND, MAX_KITTY, Deal, Position
from sgtmajor.errors import InputError
from sgtmajor.gifts import Gift, apply_gifts
from sgtmajor.record import Record
from sgtmajor.rules import PRESETS, Rules

T = TypeVar("T")
DECK = tuple(Hand.full())

suits = st.sampled_from(Suit)
trumps = st.sampled_from(Trump)
seats = st.sampled_from(Seat)
cards = st.sampled_from(DECK)
hands = st.builds(Hand.of, st.lists(cards, max_size=MAX_HAND, unique=True))


@st.composite
def packs(draw: st.DrawFn, size: int) -> list[Card]:
    """Some cards of a deck in random order; short decks, in which cards are close, as often as whole ones."""
    low = draw(st.sampled_from([rank for rank in range(2, 15) if 4 * (15 - rank) >= size]))
    return draw(st.permutations([card for card in DECK if card.rank >= low]))[:size]


@st.composite
def deals(
    draw: st.DrawFn, min_size: int = 1, max_size: int = MAX_HAND, kitty: st.SearchStrategy[int] | None = None
) -> Deal:
    """Deals of any size; with the sizes of the kitty given, the kitty is always known."""
    size = draw(st.integers(min_size, max_size))
    sizes = st.integers(0, MAX_KITTY) if kitty is None else kitty
    spare = min(draw(sizes), len(DECK) - 3 * size)
    pack = draw(packs(3 * size + spare))
    three = BySeat.of(lambda seat: Hand.of(pack[seat.index * size :][:size]))
    unknown = kitty is None and draw(st.booleans())
    return Deal(three, None if unknown else Hand.of(pack[3 * size :]))


def play_some(draw: st.DrawFn, position: Position, count: int) -> tuple[Position, tuple[Card, ...]]:
    """Plays a number of random legal cards."""
    played = []
    for _ in range(count):
        played.append(draw(st.sampled_from(list(position.legal()))))
        position = position.after(played[-1])
    return position, tuple(played)


@st.composite
def positions(draw: st.DrawFn, max_size: int = 6) -> Position:
    """Positions with at least one card to play, reached by legal play, in the middle of tricks too."""
    deal = draw(deals(max_size=max_size))
    start = Position(deal.hands, draw(trumps), draw(seats))
    return play_some(draw, start, draw(st.integers(0, 3 * deal.size - 1)))[0]


@st.composite
def targets(draw: st.DrawFn) -> BySeat[int]:
    total = draw(st.integers(1, MAX_HAND))
    first = draw(st.integers(0, total))
    second = draw(st.integers(0, total - first))
    return BySeat(first, second, total - first - second)


rules = st.one_of(
    st.sampled_from(list(PRESETS.values())),
    st.builds(
        Rules,
        name=st.sampled_from(list(PRESETS)),
        targets=targets(),
        leader=st.sampled_from(["announcer", "second"]),
        kitty=st.sampled_from(["blind", "pickup"]),
        contracts=st.sets(trumps, min_size=1).map(lambda chosen: tuple(t for t in Trump if t in chosen)),
        exchange=st.sampled_from(["before", "after", "none"]),
        exchange_order=st.sampled_from(["target", "most_up"]),
        instant_win=st.sampled_from([0, 12, 13]),
    ),
)


@st.composite
def any_gifts(draw: st.DrawFn) -> Gift:
    """Gifts that need not fit any deal."""
    giver = draw(seats)
    return Gift(giver, draw(st.sampled_from([giver.next, giver.next.next])), draw(cards))


@st.composite
def gifts(draw: st.DrawFn, deal: Deal) -> tuple[Gift, ...]:
    """Gifts of one giver, each of a card that he was dealt."""
    giver = draw(seats)
    given = draw(st.lists(st.sampled_from(list(deal.hands[giver])), max_size=4, unique=True))
    return tuple(Gift(giver, draw(st.sampled_from([giver.next, giver.next.next])), card) for card in given)


ids = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=8)


@st.composite
def records(draw: st.DrawFn) -> Record:
    """Records with every combination of fields that makes sense."""
    house = draw(rules)
    name = draw(st.none() | ids)
    if draw(st.booleans()):
        now = draw(positions())
        trump = draw(st.none() | st.just(now.trump))
        uneven = bool(now.trick)
        return Record(Deal(now.hands, None, uneven), trump, now.leader, trick=now.trick, id=name, rules=house)
    deal = draw(deals(max_size=8, kitty=st.integers(0, 4)))
    trump = draw(trumps)
    given = draw(st.just(()) | gifts(deal)) if house.exchanges(trump) else ()
    lead = draw(st.none() | seats)
    discard: tuple[Card, ...] = ()
    assert deal.kitty is not None
    if deal.kitty and len(deal.kitty) <= deal.size and draw(st.booleans()):
        held = apply_gifts(deal, given)[0].hands[house.announcer]
        choice = held | deal.kitty if house.kitty == "pickup" else held
        discard = tuple(draw(st.permutations(list(choice)))[: len(deal.kitty)])
    start = Record(deal, trump, lead, discard, give=given, rules=house).start
    played = play_some(draw, start, draw(st.integers(0, 3 * deal.size)))[1]
    up = None
    if given:
        owed = BySeat.of(lambda seat: sum((g.giver is seat) - (g.receiver is seat) for g in given))
        up = draw(st.none() | st.just(owed))
    return Record(deal, trump, lead, discard, (), played, up, given, name, house)


def read_or_refuse(read: Callable[[str], T], text: str) -> T | None:
    """Returns what a text reads as, None if it is refused with an error of one line that has a column."""
    try:
        return read(text)
    except InputError as caught:
        error = caught
    assert str(error).isprintable()
    assert error.column is not None
    assert 1 <= error.column <= len(text) + 1
    assert error.field is None
    return None
