"""What one seat knows of a deal: its own cards, and for each card that it does not see, where it can be."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import chain, combinations, islice

from sgtmajor.cards import Card, Hand, Seat, Suit, format_cards
from sgtmajor.errors import InputError
from sgtmajor.gifts import Course, Gift
from sgtmajor.reading import in_field, quoted, read_list, shifted
from sgtmajor.view import View

# Where a card can be: a seat D L R, or the kitty K.
Place = str
PLACES: tuple[Place, ...] = ("D", "L", "R", "K")

# Cards that a message names.
_LISTED = 6
_LACKED = re.compile(r"(?P<suit>.)(?:(?P<side>[<>])(?P<rank>.+))?")


@dataclass(frozen=True, slots=True)
class Fact:
    """Something known of cards that are not seen.

    Attributes:
        cards: The cards.
        places: Where each of them can be.
        text: The fact in words, with its source, for messages.
    """

    cards: Hand
    places: frozenset[Place]
    text: str

    @classmethod
    def holds(cls, place: Place, cards: Hand, source: str) -> Fact:
        """Returns the fact that cards are in a place."""
        return cls(cards, frozenset([place]), f"{_named(place)} holds {_listed(cards)} ({source})")

    @classmethod
    def among(cls, places: frozenset[Place], cards: Hand, source: str) -> Fact:
        """Returns the fact that each of some cards is in one of some places."""
        return cls(cards, places, f"{' or '.join(sorted(places))} holds {_listed(cards)} ({source})")

    @classmethod
    def lacks(cls, place: Place, cards: Hand, source: str) -> Fact:
        """Returns the fact that cards are not in a place."""
        return cls(cards, frozenset(PLACES) - {place}, f"{_named(place)} lacks {_listed(cards)} ({source})")


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What a seat knows after the exchange, before the kitty is taken.

    Attributes:
        seat: The seat.
        hand: Its cards.
        kitty: The kitty if the seat has seen it, else None.
        sizes: How many unseen cards lie in each place that has some.
        allowed: The places where each unseen card can be, in the order of the cards.
        sees_all_gifts: Whether it took part in all gifts of the exchange.
    """

    seat: Seat
    hand: Hand
    kitty: Hand | None
    sizes: Mapping[Place, int]
    allowed: Mapping[Card, frozenset[Place]]
    sees_all_gifts: bool = True

    @property
    def seen(self) -> Hand:
        """The cards that the seat sees: its own, and the kitty if it has seen that."""
        return self.hand | (self.kitty or Hand())

    @property
    def unseen(self) -> Hand:
        """The cards that the seat does not see."""
        return Hand.of(self.allowed)


def parse_holds(text: str) -> Fact:
    """Reads cards known to be in a place: ``L:S2``, or ``L:S2,H3``; K is the kitty."""
    place, cards = _read_fact(text, lambda part: Hand.of([Card.parse(part)]))
    return Fact.holds(place, cards, f"--holds {text.strip()}")


def parse_lacks(text: str) -> Fact:
    """Reads cards known not to be in a place, separated by commas.

    ``L:S>9`` are the spades above the nine, ``L:S<9`` those below it, ``L:S`` all spades, ``L:SA`` one card.
    """
    place, cards = _read_fact(text, _read_lacked)
    return Fact.lacks(place, cards, f"--lacks {text.strip()}")


def parse_returned(text: str) -> tuple[Card, ...]:
    """Reads the cards that came back in the exchange, in the order of the gifts; a card may come twice."""
    return tuple(card for card, _ in read_list(text, Card.parse))


def _read_fact(text: str, read: Callable[[str], Hand]) -> tuple[Place, Hand]:
    """Reads a place, a colon, and cards."""
    name, colon, cards = text.partition(":")
    place = name.strip().upper()
    if not colon or place not in PLACES:
        raise InputError(
            f"{quoted(text)} says of no place, expected one of D L R K and a colon: L:S2", column=1
        )
    with shifted(len(name) + 1):
        return place, reduce(Hand.__or__, (hand for hand, _ in read_list(cards, read)))


def _read_lacked(text: str) -> Hand:
    """Reads a card, a suit, or the part of a suit above or below a rank."""
    suits = {str(suit): suit for suit in Suit} | {suit.symbol: suit for suit in Suit}
    match = _LACKED.fullmatch(text.strip().upper())
    if not match or match["suit"] not in suits:
        return Hand.of([_read_card(text, text)])
    suit = suits[match["suit"]]
    cards = Hand.full().suit(suit)
    if match["side"] is None:
        return cards
    limit = _read_card(f"{suit}{match['rank']}", text)
    above = match["side"] == ">"
    part = Hand.of(card for card in cards if (card.rank > limit.rank if above else card.rank < limit.rank))
    if not part:
        raise InputError(
            f"{quoted(text)} is no card at all, expected a part of a suit as in S>9 or S<9", column=1
        )
    return part


def _read_card(card: str, text: str) -> Card:
    """Reads a card of what a hand lacks; an error quotes all of that."""
    try:
        return Card.parse(card)
    except InputError:
        raise InputError(
            f"{quoted(text)} is nothing that a hand can lack, expected a suit as in S, a part of it as in S>9"
            " or S<9, or a card as in SA",
            column=1,
        ) from None


def learn(
    view: View,
    seat: Seat,
    *,
    facts: Iterable[Fact] = (),
    returned: Sequence[Card] = (),
    sees_kitty: bool = False,
) -> Knowledge:
    """Returns what a seat knows of a deal after the exchange.

    Of the exchange a seat knows the gifts that it took part in: the card given, the card that came back, and
    that the receiver held no stronger one. Where a gift between the two others may have changed that, only
    what is certain still is kept.

    Args:
        view: The deal. If it is whole, the hands of the others are not looked at.
        seat: The seat that asks.
        facts: What else is known.
        returned: What came back for the gifts of the seat, in order, where the view does not show it.
        sees_kitty: Whether the seat has taken the kitty up, and sees it.

    Raises:
        InputError: If something that is needed is not written, or what is known contradicts itself.
    """
    hand, kitty, told = told_before_play(view, seat, returned, sees_kitty)
    if sees_kitty and view.kitty is None:
        raise InputError(f"{seat} has taken the kitty: expected its cards, too, after K: or with --kitty")
    return known_from(view, seat, hand, kitty, [*facts, *told])


def told_before_play(
    view: View, seat: Seat, returned: Sequence[Card], sees_kitty: bool
) -> tuple[Hand, Hand | None, list[Fact]]:
    """Returns what a seat holds after the exchange, the kitty if it sees that, and what it knows of others.

    Args:
        view: The deal.
        seat: The seat that asks.
        returned: What came back for its gifts, in order, where the view does not show it.
        sees_kitty: Whether it has seen the kitty, whose cards are then written.

    Raises:
        InputError: If something that is needed is not written.
    """
    hand = view.hands[seat]
    if hand is None:
        raise InputError(
            f"the hand of {seat}, who asks, is not written, expected it, or another seat to ask (--seat)"
        )
    kitty = view.kitty if sees_kitty else None
    written = [] if view.whole else list(_written(view, seat, sees_kitty))
    hand, told = _exchanged(view, seat, hand, kitty or Hand(), returned)
    return hand, kitty, [*written, *told]


def known_from(view: View, seat: Seat, hand: Hand, kitty: Hand | None, facts: Iterable[Fact]) -> Knowledge:
    """Returns what a seat knows that sees its hand, perhaps the kitty, and knows facts.

    Raises:
        InputError: If what is known contradicts itself.
    """
    known = list(facts)
    seen = hand | (kitty or Hand())
    sizes = {str(each): view.size for each in (seat.next, seat.next.next)}
    sizes |= {} if kitty is not None or not view.kitty_size else {"K": view.kitty_size}
    allowed = {card: _places(card, known, frozenset(sizes)) for card in view.pack - seen}
    _check_seen({str(seat): hand, "K": kitty or Hand()}, view.pack, known)
    _check_room(allowed, sizes, known)
    sees_all = all(seat in (gift.giver, gift.receiver) for gift in view.give)
    return Knowledge(seat, hand, kitty, sizes, allowed, sees_all)


def _written(view: View, seat: Seat, sees_kitty: bool) -> Iterator[Fact]:
    """Yields what the record says of the others; written for a player to ask about, it is what he sees."""
    if view.kitty is not None and view.kitty and not sees_kitty:
        raise InputError(
            f"{seat} has not seen the kitty when he decides this, expected K:? in place of its cards"
        )
    for other in (seat.next, seat.next.next):
        hand = view.hands[other]
        if hand and view.give:
            raise InputError(
                f"the hand of {other} is written beside give=, expected ? for what {seat} does not see"
            )
        if hand:
            yield Fact.holds(str(other), hand, "the record")
            yield Fact.lacks(str(other), view.pack - hand, "the record")


def _exchanged(
    view: View, seat: Seat, hand: Hand, kitty: Hand, returned: Sequence[Card]
) -> tuple[Hand, list[Fact]]:
    """Plays the exchange out as one seat sees it: its hand after it, and what it knows of the others."""
    hidden = sum(
        gift.giver is seat and back is None for gift, back in zip(view.give, view.returned, strict=True)
    )
    # Where less is told than for each gift, it is for those that leave open what came back.
    told_all, backs = len(returned) >= hidden, iter(returned)
    course = Course()
    # By other seat: cards that it holds for certain, and that it lacks.
    held = {other: Hand() for other in Seat}
    lacked = {other: Hand() for other in Seat}
    # Cards of which one of two seats holds each.
    either: dict[frozenset[Place], Hand] = {}
    for gift, back in zip(view.give, view.returned, strict=True):
        with in_field("give"):
            course.check(gift)
            _check_gift(gift, seat, hand, view.pack)
        giver, receiver, given = gift.giver, gift.receiver, Hand.of([gift.card])
        if seat is giver:
            if back is None:
                elsewhere = reduce(Hand.__or__, (held[other] for other in Seat if other is not receiver))
                open_to = view.pack - (hand | kitty | elsewhere | lacked[receiver]) | given
                sure = None if told_all else _only_one(gift, open_to, held[receiver])
                back = sure or _came_back(gift, hand - given, next(backs, None))
                _check_earlier(gift, back, held[receiver], lacked[receiver])
            hand = hand - given | Hand.of([back])
            held[receiver] = (held[receiver] | given) - Hand.of([back])
            lacked[receiver] |= _above(back)
        elif seat is receiver:
            back = next(iter((hand | given).suit(gift.card.suit)))
            hand = (hand | given) - Hand.of([back])
            held[giver] = (held[giver] - given) | Hand.of([back])
        else:
            # The receiver may have got any card, and may have returned one that the seat knew of.
            back = None
            two = frozenset([str(giver), str(receiver)])
            either[two] = either.get(two, Hand()) | held[receiver]
            # What it lacks it still lacks: a stronger card would have gone straight back.
            held[receiver] = Hand()
        course.add(gift, back)
    for card in backs:
        raise InputError(
            f"{card} came back for no gift of give=, expected one card for each gift of {seat} of which the"
            " record does not show what came back"
        )
    # What has come to the seat by now is with nobody else.
    facts = [Fact.among(two, cards - hand, "give=") for two, cards in either.items() if cards - hand]
    facts += [Fact.holds(str(other), cards, "give=") for other, cards in held.items() if cards]
    facts += [
        Fact.lacks(str(other), cards - hand, "give=") for other, cards in lacked.items() if cards - hand
    ]
    return hand, facts


def _check_gift(gift: Gift, seat: Seat, hand: Hand, pack: Hand) -> None:
    """Refuses a gift of a card that its giver cannot hold, for all that a seat sees."""
    if gift.card not in pack:
        raise InputError(f"{gift}: {gift.card} is not in the pack {pack}")
    if gift.giver is seat and gift.card not in hand:
        raise InputError(f"{gift}: {seat} does not hold {gift.card}, but {hand}")
    if gift.giver is not seat and gift.card in hand:
        raise InputError(f"{gift}: {seat} holds {gift.card}, so {gift.giver} cannot give it")


def _only_one(gift: Gift, open_to: Hand, held: Hand) -> Card | None:
    """Returns the only card that can come back for a gift, None if there are more.

    Args:
        gift: The gift.
        open_to: The cards that the receiver may hold once it is given.
        held: What he holds for certain.
    """
    least = max(card.rank for card in (held | Hand.of([gift.card])).suit(gift.card.suit))
    possible = [card for card in open_to.suit(gift.card.suit) if card.rank >= least]
    return possible[0] if len(possible) == 1 else None


def _came_back(gift: Gift, hand: Hand, back: Card | None) -> Card:
    """Returns what the giver says that he got for a gift, if it can be."""
    if back is None:
        raise InputError(
            f"{gift}: what {gift.receiver} returned is not known, expected --returned and the card; or write"
            " the hand after the exchange without give=, with --holds and --lacks",
            field="give",
        )
    if back.suit is not gift.card.suit or back.rank < gift.card.rank or back in hand:
        raise InputError(
            f"{gift}: {gift.receiver} cannot have returned {back}, expected {gift.card} or a stronger card of"
            f" the suit that {gift.giver} did not hold"
        )
    return back


def _check_earlier(gift: Gift, back: Card, held: Hand, lacked: Hand) -> None:
    """Refuses what came back for a gift if the gifts before it tell otherwise.

    Args:
        gift: The gift.
        back: What came back for it.
        held: What the receiver holds for certain.
        lacked: What the receiver lacks for certain, but for the card given.
    """
    stronger = held & _above(back)
    if stronger:
        told = f"by an earlier gift {gift.receiver} holds {_listed(stronger)}"
    elif back in lacked and back != gift.card:
        told = f"by what came back for an earlier gift {gift.receiver} lacks it"
    else:
        return
    raise InputError(f"{gift}: {gift.receiver} cannot have returned {back}: {told}")


def _above(card: Card) -> Hand:
    """Returns the cards of its suit that are stronger than a card."""
    return Hand.of(other for other in Hand.full().suit(card.suit) if other.rank > card.rank)


def _places(card: Card, facts: Sequence[Fact], places: frozenset[Place]) -> frozenset[Place]:
    """Returns where an unseen card can be."""
    about = [fact for fact in facts if card in fact.cards]
    allowed = places.intersection(*(fact.places for fact in about))
    if not allowed:
        raise InputError(f"no place is left for {card}: {_told(about)}")
    return allowed


def _check_seen(seen: Mapping[Place, Hand], pack: Hand, facts: Iterable[Fact]) -> None:
    """Checks what is said of cards that the seat sees, by where it sees them, or that are not in the game."""
    for fact in facts:
        for place, cards in seen.items():
            for card in Hand() if place in fact.places else fact.cards & cards:
                raise InputError(f"{card} is seen {_at(place)}, but {fact.text}")
        # What a seat lacks need not be in the game at all.
        denied = len(fact.places) == len(PLACES) - 1
        for card in Hand() if denied else fact.cards - pack:
            raise InputError(f"{card} is not in the pack, but {fact.text}")


def _check_room(
    allowed: Mapping[Card, frozenset[Place]], sizes: Mapping[Place, int], facts: Sequence[Fact]
) -> None:
    """Checks that the cards fit: that no places get more cards than they have room for.

    By Hall's marriage theorem (1935) that is all there is to check, if cards and places match in number.
    """
    for some in chain.from_iterable(combinations(sizes, count) for count in range(1, len(sizes))):
        cards = Hand.of(card for card, places in allowed.items() if places <= set(some))
        room = sum(sizes[place] for place in some)
        if len(cards) > room:
            about = [fact for fact in facts if fact.cards & cards]
            raise InputError(
                f"{len(cards)} cards can only be with {' or '.join(map(_named, some))}, where {room} are:"
                f" {_listed(cards)}; {_told(about)}"
            )


def _told(facts: Iterable[Fact]) -> str:
    return "; ".join(dict.fromkeys(fact.text for fact in facts))


def _at(place: Place) -> str:
    return "in the kitty" if place == "K" else f"by {place}"


def _named(place: Place) -> str:
    return "the kitty" if place == "K" else place


def _listed(cards: Hand) -> str:
    """Writes the first cards, and how many more there are."""
    left = len(cards) - _LISTED
    return format_cards(islice(cards, _LISTED)) + (f" and {left} more" if left > 0 else "")
