"""A deal, written ``D:hand hand hand K:hand``, and a position: any moment of the play of one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import InitVar, dataclass
from functools import reduce
from itertools import combinations
from typing import NamedTuple

from sgtmajor.cards import BySeat, Card, Hand, Seat, Trump, format_cards, scan_hand
from sgtmajor.errors import InputError
from sgtmajor.reading import quoted, shifted

MAX_HAND = 17
MAX_KITTY = 6
# Stands for a hand that is not seen.
UNSEEN = "?"
FULL_HAND = 16
_SEATS = tuple(Seat)
_WORD = re.compile(r"(?P<kitty>[Kk]\s*:\s*)?(?P<word>\S+)")
_EXPECTED = "expected a seat, a colon and three hands, such as 'D:AK.Q.. ... ... K:...'"


@dataclass(frozen=True, slots=True, repr=False)
class Deal:
    """Three hands of 1 to 17 cards and a kitty of 0 to 6, no card twice.

    With three hands of 16 cards the kitty is the four cards left, whether given or not.

    Args:
        hands: The hands by seat, all of one size.
        kitty: The kitty, None if unknown.
        uneven: True if a trick is in progress, so that hands may be one card apart.
    """

    hands: BySeat[Hand]
    kitty: Hand | None = None
    uneven: InitVar[bool] = False

    def __post_init__(self, uneven: bool) -> None:
        fault = _find_fault(self.hands, self.kitty, uneven)
        if fault:
            raise InputError(fault.message)
        if self.kitty is None and all(len(hand) == FULL_HAND for hand in self.hands.values()):
            object.__setattr__(self, "kitty", _left_over(self.hands.values()))

    @classmethod
    def parse(cls, text: str, *, uneven: bool = False) -> Deal:
        """Reads a deal: a seat, a colon, three hands clockwise from that seat, and the kitty if known.

        One hand, or the kitty, may be written ``?`` if the other cards of the deck force it.

        Args:
            text: The deal, such as ``D:AKQ5.T98.A72.KJ5432 … … K:…``.
            uneven: True if a trick is in progress, so that hands may be one card apart.
        """
        parts = _split(text)
        known = _known(parts)
        unknown = [holder for holder in parts if holder not in known]
        if unknown and (fault := _held_twice(known)):
            raise parts[fault.holder].error(fault)
        for holder in unknown:
            with shifted(parts[holder].offset):
                known[holder] = _forced(holder, known, len(unknown), uneven)
        hands, kitty = BySeat(known["D"], known["L"], known["R"]), known.get("K")
        if fault := _find_fault(hands, kitty, uneven):
            raise parts[fault.holder].error(fault)
        return cls(hands, kitty, uneven)

    @property
    def size(self) -> int:
        """Cards a hand; of the longest hand while a trick is in progress."""
        return max(map(len, self.hands.values()))

    def __str__(self) -> str:
        hands = " ".join(map(str, self.hands.values()))
        return f"D:{hands}" if self.kitty is None else f"D:{hands} K:{self.kitty}"

    def _repr_html_(self) -> str:
        """Returns the deal as a hand diagram, for notebooks."""
        from sgtmajor.html import diagram_html

        return diagram_html(self.hands, self.kitty)

    def __repr__(self) -> str:
        uneven = ", uneven=True" if len(set(map(len, self.hands.values()))) > 1 else ""
        return f"Deal.parse('{self}'{uneven})"


class _Fault(NamedTuple):
    """What is wrong with a deal, and where: the holder (a seat, or K) and the card if it is about one."""

    message: str
    holder: str
    card: Card | None = None


class _Part(NamedTuple):
    """The word that stands for one hand in the text of a deal, and its offset."""

    word: str
    offset: int

    def error(self, fault: _Fault) -> InputError:
        """Returns the error for a fault of this hand, with its column."""
        inner = next((place for card, place in scan_hand(self.word) if card == fault.card), 0)
        return InputError(fault.message, column=self.offset + inner + 1)


def _find_fault(hands: BySeat[Hand], kitty: Hand | None, uneven: bool) -> _Fault | None:
    """Returns the first thing that is wrong with a deal, None if it is sound."""
    sizes = {str(seat): len(hand) for seat, hand in hands.items()}
    for seat, size in sizes.items():
        if size > MAX_HAND:
            return _Fault(f"{seat} holds {size} cards, expected 1 to {MAX_HAND}", seat)
    if not any(sizes.values()):
        return _Fault(f"the hands are empty, expected 1 to {MAX_HAND} cards each", "D")
    if max(sizes.values()) - min(sizes.values()) > uneven:
        usual = sorted(sizes.values())[1]
        expected = "sizes that a trick in progress explains" if uneven else "as many in each"
        return _Fault(
            f"the hands have {format_sizes(hands)} cards, expected {expected}",
            next(seat for seat, size in sizes.items() if size != usual),
        )
    if kitty is not None and len(kitty) > MAX_KITTY:
        return _Fault(f"the kitty has {len(kitty)} cards, expected 0 to {MAX_KITTY}", "K")
    holders = {str(seat): hand for seat, hand in hands.items()}
    return _held_twice(holders if kitty is None else holders | {"K": kitty})


def _held_twice(hands: Mapping[str, Hand]) -> _Fault | None:
    """Looks for a card with two holders among D, L, R and K; the fault is with the later one."""
    for earlier, later in combinations(hands, 2):
        for card in hands[earlier] & hands[later]:
            whose = f"{earlier} and the kitty" if later == "K" else f"both {earlier} and {later}"
            return _Fault(f"{card} is held by {whose}", later, card)
    return None


def format_sizes(hands: BySeat[Hand]) -> str:
    """Writes how many cards each seat holds: ``D 5, L 4, R 5``."""
    return ", ".join(f"{seat} {len(hand)}" for seat, hand in hands.items())


def _split(text: str) -> dict[str, _Part]:
    """Splits the text of a deal by holder: D, L, R, and K if there is a kitty."""
    head, colon, _ = text.partition(":")
    if not colon:
        raise InputError(f"{quoted(text.strip())} is no deal, {_EXPECTED}", column=1)
    seat = Seat.parse(head)
    holders = [str(seat), str(seat.next), str(seat.next.next), "K"]
    parts: dict[str, _Part] = {}
    for match in _WORD.finditer(text, len(head) + 1):
        index = len(parts)
        if index == len(holders) or bool(match["kitty"]) != (holders[index] == "K"):
            raise InputError(f"unexpected {quoted(match[0])}, {_EXPECTED}", column=match.start() + 1)
        parts[holders[index]] = _Part(match["word"], match.start("word"))
    if len(parts) < 3:
        raise InputError(f"only {len(parts)} of three hands, {_EXPECTED}", column=len(text.rstrip()) + 1)
    return parts


def _known(parts: Mapping[str, _Part]) -> dict[str, Hand]:
    """Reads the hands that are written, by holder: all but those that stand as ``?``."""
    known: dict[str, Hand] = {}
    for holder, part in parts.items():
        if part.word != UNSEEN:
            with shifted(part.offset):
                known[holder] = Hand.parse(part.word)
    return known


def parse_seen(text: str) -> dict[str, Hand]:
    """Reads what is seen of a deal in which hands, or the kitty, are written ``?``.

    Returns:
        The hands that are written, all of one size, and the kitty if it is, by holder: D, L, R, K.
    """
    parts = _split(text)
    known = _known(parts)
    sizes = {len(hand) for holder, hand in known.items() if holder != "K"}
    for holder, hand in known.items():
        smallest, largest = (0, MAX_KITTY) if holder == "K" else (1, MAX_HAND)
        fault = None
        if not smallest <= len(hand) <= largest:
            name = "the kitty has" if holder == "K" else f"{holder} holds"
            hint = ": leave the kitty out, or write it after K: (--kitty)" if len(hand) > MAX_HAND else ""
            fault = _Fault(f"{name} {len(hand)} cards, expected {smallest} to {largest}{hint}", holder)
        elif holder != "K" and len(sizes) > 1:
            fault = _Fault(f"{holder} holds {len(hand)} cards, expected as many in each hand", holder)
        if fault := fault or _held_twice(known):
            raise parts[fault.holder].error(fault)
    return known


def _forced(holder: str, known: Mapping[str, Hand], unknown: int, uneven: bool) -> Hand:
    """Returns the cards that a ``?`` stands for: all that are left of the deck, if their number fits."""
    name = "the kitty" if holder == "K" else f"the hand of {holder}"
    if unknown > 1:
        hint = "expected at most one '?', or advice from one hand, recommend"
        raise InputError(f"{name} is not forced: {hint}")
    if uneven:
        raise InputError(f"{name} is not forced: expected no '?' while a trick is in progress")
    left = _left_over(known.values())
    size = MAX_KITTY if holder == "K" else min(len(hand) for key, hand in known.items() if key != "K")
    if len(left) > size or (len(left) < size and holder != "K"):
        expected = f"at most {size}" if holder == "K" else str(size)
        raise InputError(f"{name} is not forced: {len(left)} cards of the deck are left, expected {expected}")
    return left


def _left_over(hands: Iterable[Hand]) -> Hand:
    """Returns the cards of the deck that are in none of the hands."""
    return reduce(Hand.__sub__, hands, Hand.full())


@dataclass(frozen=True, slots=True)
class Position:
    """Any moment of the play of the cards, at the start of a trick or within one.

    Attributes:
        hands: What each seat still holds: 0 to 17 cards, one less for a seat that has played to the trick.
        trump: What is trumps.
        leader: The seat that leads, or led, the trick.
        trick: The 0 to 2 cards of the trick in progress, in the order of play; they have left the hands.
    """

    hands: BySeat[Hand]
    trump: Trump
    leader: Seat
    trick: tuple[Card, ...] = ()

    def __post_init__(self) -> None:
        if len(self.trick) > 2:
            raise InputError(f"the trick in progress has {len(self.trick)} cards, expected 0 to 2")
        self._check_sizes()
        holders = {str(seat): hand for seat, hand in self.hands.items()}
        if fault := _held_twice(holders):
            raise InputError(fault.message)
        for i, (seat, card) in enumerate(self._played()):
            for holder, hand in holders.items():
                if card in hand:
                    raise InputError(f"{card} is in the trick in progress and held by {holder}")
            if card in self.trick[:i]:
                raise InputError(f"{card} is in the trick in progress twice")
            led = self.hands[seat].suit(self.trick[0].suit)
            if i and led and card.suit is not self.trick[0].suit:
                raise InputError(f"{seat} cannot have played {card} to the trick: {_must_follow(seat, led)}")

    @property
    def tricks(self) -> int:
        """Tricks still to be won, the one in progress included."""
        return len(self.hands[self.leader]) + bool(self.trick)

    @property
    def to_play(self) -> Seat:
        """The seat whose turn it is."""
        return _SEATS[(self.leader.index + len(self.trick)) % 3]

    def legal(self) -> Hand:
        """Returns the cards that the seat whose turn it is may play."""
        hand = self.hands[self.to_play]
        return hand.suit(self.trick[0].suit) or hand if self.trick else hand

    def equals(self, card: Card) -> tuple[Card, ...]:
        """Returns the other legal cards that are as good as ``card``, from high to low.

        They are its run: no card of another seat lies between them, nor the card that is winning the trick.
        Cards that are out of play do not separate, nor does a beaten card of the trick.
        """
        legal = self.legal()
        if card not in legal:
            raise InputError(self._why_illegal(card))
        own = self.to_play
        live = self.hands[own.next].mask | self.hands[own.next.next].mask
        if self.trick:
            live |= 1 << self.trick[self._winning()].number
        run = []
        for other in legal.suit(card.suit):
            low, high = sorted((card.number, other.number))
            if other != card and not live & ((1 << high) - (1 << low)):
                run.append(other)
        return tuple(run)

    def winner_after(self, card: Card) -> Seat | None:
        """Returns the seat that takes the trick if ``card`` completes it, None if it does not complete it."""
        if len(self.trick) < 2:
            return None
        best = self._winning()
        best = 2 if beats(card, self.trick[best], self.trump) else best
        return _SEATS[(self.leader.index + best) % 3]

    def after(self, card: Card) -> Position:
        """Returns the position after the seat whose turn it is has played ``card``.

        Raises:
            InputError: The card is not legal; the message names the seat, the card and the reason.
        """
        if card not in self.legal():
            raise InputError(self._why_illegal(card))
        seat = self.to_play
        hands = self.hands.replace(seat, Hand(self.hands[seat].mask ^ 1 << card.number))
        winner = self.winner_after(card)
        # A legal card keeps a position sound, so the checks of the constructor are not repeated.
        position = object.__new__(Position)
        object.__setattr__(position, "hands", hands)
        object.__setattr__(position, "trump", self.trump)
        object.__setattr__(position, "leader", self.leader if winner is None else winner)
        object.__setattr__(position, "trick", (*self.trick, card) if winner is None else ())
        return position

    def __str__(self) -> str:
        trick = f" trick={format_cards(self.trick)}" if self.trick else ""
        hands = " ".join(map(str, self.hands.values()))
        return f"D:{hands} trump={self.trump} lead={self.leader}{trick}"

    def _repr_html_(self) -> str:
        """Returns the position as a hand diagram, for notebooks."""
        from sgtmajor.html import diagram_html

        trick = f", trick {format_cards(self.trick)}" if self.trick else ""
        return diagram_html(self.hands, caption=f"trump {self.trump}, lead {self.leader}{trick}")

    def _played(self) -> list[tuple[Seat, Card]]:
        """Returns who played which card of the trick in progress."""
        return [(_SEATS[(self.leader.index + i) % 3], card) for i, card in enumerate(self.trick)]

    def _check_sizes(self) -> None:
        """Checks that the trick in progress explains the sizes of the hands."""
        full = max(len(self.hands[self.to_play]), bool(self.trick))
        played = [seat for seat, _ in self._played()]
        if full > MAX_HAND:
            raise InputError(f"the hands have {format_sizes(self.hands)} cards, expected at most {MAX_HAND}")
        expected = BySeat.of(lambda seat: full - (seat in played))
        if any(len(self.hands[seat]) != size for seat, size in expected.items()):
            sizes = ", ".join(f"{seat} {size}" for seat, size in expected.items())
            trick = f"a trick of {len(played)} led by {self.leader}" if played else "no trick in progress"
            raise InputError(
                f"the hands have {format_sizes(self.hands)} cards, expected {sizes} with {trick}"
            )

    def _winning(self) -> int:
        """Returns which card of the trick in progress is winning it."""
        second = len(self.trick) == 2 and beats(self.trick[1], self.trick[0], self.trump)
        return int(second)

    def _why_illegal(self, card: Card) -> str:
        """Says why a card may not be played."""
        seat = self.to_play
        hand = self.hands[seat]
        if not self.tricks:
            return f"{seat} cannot play {card}: the play is over"
        if card not in hand:
            holder = next(
                (f"; {other} holds {card}" for other, held in self.hands.items() if card in held), ""
            )
            return f"{seat} cannot play {card}: {seat} holds {hand}{holder}"
        return f"{seat} cannot play {card}: {_must_follow(seat, self.legal())}"


def beats(card: Card, best: Card, trump: Trump) -> bool:
    """Says whether a card played later beats the best card of the trick so far."""
    if card.suit is best.suit:
        return card.rank > best.rank
    return card.suit.index == trump.index


def _must_follow(seat: Seat, led: Hand) -> str:
    """Says which cards of the suit led a seat holds."""
    return f"{seat} holds {format_cards(led)} of the suit led, expected one of these"
