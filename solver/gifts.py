"""The gifts of an exchange: who owes how many cards to whom, in which order, and what comes back."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sgtmajor.cards import BySeat, Card, Hand, Seat, Trump
from sgtmajor.deal import MAX_HAND, Deal
from sgtmajor.errors import InputError
from sgtmajor.reading import in_field, quoted, read_list, shifted
from sgtmajor.rules import Rules


@dataclass(frozen=True, slots=True)
class Gift:
    """One card given in the exchange, written ``D>L:S2``."""

    giver: Seat
    receiver: Seat
    card: Card

    def __post_init__(self) -> None:
        if self.giver is self.receiver:
            raise InputError(f"{self} gives a card to its own seat, expected two seats")

    @classmethod
    def parse(cls, text: str) -> Gift:
        """Reads a gift: giver, ``>``, receiver, ``:`` and the card."""
        giver, arrow, rest = text.partition(">")
        receiver, colon, card = rest.partition(":")
        if not (arrow and colon):
            raise InputError(f"{quoted(text)} is no gift, expected one such as D>L:S2", column=1)
        seat = Seat.parse(giver)
        with shifted(len(giver) + 1):
            other = Seat.parse(receiver)
        with shifted(len(giver) + len(receiver) + 2):
            return cls(seat, other, Card.parse(card))

    def __str__(self) -> str:
        return f"{self.giver}>{self.receiver}:{self.card}"


def parse_gifts(text: str) -> tuple[Gift, ...]:
    """Reads a comma-separated list of gifts such as ``D>L:S2,D>R:H3``."""
    return tuple(gift for gift, _ in read_list(text, Gift.parse))


def format_gifts(gifts: Iterable[Gift]) -> str:
    """Writes gifts as a comma-separated list, in the order given."""
    return ",".join(map(str, gifts))


def apply_gifts(deal: Deal, gifts: Iterable[Gift]) -> tuple[Deal, tuple[Card, ...]]:
    """Plays the exchange out, one gift after the other.

    The receiver gives back the strongest card that he then holds of the suit, which may be the very card that
    he was given. A card received or returned may not be given on.

    Returns:
        The deal after the exchange, and the card that came back for each gift.

    Raises:
        InputError: A gift is impossible; the message names it.
    """
    hands = deal.hands
    course = Course()
    returned = []
    for gift in gifts:
        course.check(gift)
        if gift.card not in hands[gift.giver]:
            raise InputError(f"{gift}: {gift.giver} does not hold {gift.card}, but {hands[gift.giver]}")
        given = Hand.of([gift.card])
        held = hands[gift.receiver] | given
        back = next(iter(held.suit(gift.card.suit)))
        hands = hands.replace(gift.receiver, held - Hand.of([back]))
        hands = hands.replace(gift.giver, hands[gift.giver] - given | Hand.of([back]))
        course.add(gift, back)
        returned.append(back)
    return Deal(hands, deal.kitty), tuple(returned)


class Course:
    """An exchange as far as it has gone: which gifts may still follow, whatever the hands."""

    def __init__(self) -> None:
        self._moved = Hand()
        self._givers: set[Seat] = set()
        self._receivers: set[Seat] = set()

    def check(self, gift: Gift) -> None:
        """Refuses a gift by a seat that receives, to one that gives, or of a card that has moved."""
        for seat in (self._givers | {gift.giver}) & (self._receivers | {gift.receiver}):
            raise InputError(f"{gift}: {seat} both gives and receives, expected one of the two")
        if gift.card in self._moved:
            raise InputError(
                f"{gift}: {gift.card} was received or returned in this exchange, expected another card"
            )

    def add(self, gift: Gift, back: Card | None) -> None:
        """Takes a gift into account, and what came back for it, None if that was not seen."""
        self._givers.add(gift.giver)
        self._receivers.add(gift.receiver)
        self._moved |= Hand.of([gift.card] if back is None else [gift.card, back])


@dataclass(frozen=True, slots=True)
class Due:
    """Cards that one seat has to give to another."""

    giver: Seat
    receiver: Seat
    count: int

    def to_dict(self) -> dict[str, object]:
        """Returns the JSON form."""
        return {"giver": str(self.giver), "receiver": str(self.receiver), "cards": self.count}


def owed(
    up: BySeat[int] | None, rules: Rules, trump: Trump | None = None, done: Iterable[Gift] = ()
) -> tuple[Due, ...]:
    """Returns who gives how many cards to whom, in the order of the rules.

    A giver serves the seats that were down clockwise from himself, each with as many cards as he was down.
    Of two givers the first gives all his cards before the second begins.

    Args:
        up: The scores of the previous deal, by the seats of this deal; None if there was none.
        rules: Say whether there is an exchange, and which of two givers is first.
        trump: The contract, if it is announced: an exchange after the announcement is for suits only.
        done: What has been given already.
    """
    return () if up is None or not rules.exchanges(trump) else _dues(up, rules, done)


def next_giver(up: BySeat[int], rules: Rules, done: Iterable[Gift] = ()) -> Seat | None:
    """Returns the seat that has to give next if there is an exchange; None if nothing is owed.

    Args:
        up: The scores of the previous deal, by the seats of this deal.
        rules: Say which of two givers is first.
        done: What has been given already.
    """
    dues = _dues(up, rules, done)
    return dues[0].giver if dues else None


def _dues(up: BySeat[int], rules: Rules, done: Iterable[Gift]) -> tuple[Due, ...]:
    """Returns what scores make the seats owe, less what has been given."""
    given = list(done)
    left = up
    dues = []
    for giver in _givers(up, rules):
        for receiver in (giver.next, giver.next.next):
            count = max(0, min(left[giver], -left[receiver]))
            left = left.replace(giver, left[giver] - count).replace(receiver, left[receiver] + count)
            count -= sum(gift.giver is giver and gift.receiver is receiver for gift in given)
            if count > 0:
                dues.append(Due(giver, receiver, count))
    return tuple(dues)


def _givers(up: BySeat[int], rules: Rules) -> list[Seat]:
    """Returns the seats that were up, in the order in which they give.

    What the rules leave open on a tie goes to the higher target, then clockwise from the dealer.
    """

    def rank(seat: Seat) -> tuple[int, int]:
        most_up = up[seat] if rules.exchange_order == "most_up" else 0
        return (-most_up, -rules.targets[seat])

    return sorted((seat for seat in Seat if up[seat] > 0), key=rank)


def announced(rules: Rules, trump: Trump | None, trumps: Sequence[Trump] | None) -> Trump | None:
    """Returns the contract that a record names, or in its place the one asked for where that comes first.

    Raises:
        InputError: If several are asked for where one is announced before the exchange.
    """
    if rules.exchange != "after" or not trumps:
        return trump
    if len(trumps) > 1:
        raise InputError(f"one contract is announced before the exchange; found {len(trumps)} (--trump)")
    return trumps[0]


def contracts_after(rules: Rules, trump: Trump | None, trumps: Sequence[Trump] | None) -> tuple[Trump, ...]:
    """Returns the contracts that there can be after the exchange.

    Args:
        rules: Say whether the announcement comes before the exchange.
        trump: The contract, if it is announced.
        trumps: The contracts asked for; those of the rules if not given.
    """
    if rules.exchange == "after":
        return (trump,) if trump else ()
    return rules.contracts if trumps is None else tuple(trumps)


def _none_exchanged(rules: Rules) -> str:
    """Says that the rules have no exchange, or none for the contract."""
    when = "at no trump" if rules.exchange == "after" else "by these rules"
    return f"no cards are exchanged {when} (exchange={rules.exchange})"


def check_owed(dues: Sequence[Due], up: BySeat[int] | None, rules: Rules, trump: Trump | None) -> None:
    """Refuses to go on where nothing is owed, or not yet, and says why.

    Args:
        dues: What is owed.
        up: The scores of the previous deal, by the seats of this deal; None if there was none.
        rules: The house rules.
        trump: The contract, if it is announced.
    """
    if dues and rules.exchange == "after" and trump is None:
        raise InputError("the exchange comes after the announcement (exchange=after); expected trump=")
    if dues:
        return
    if up is None:
        raise InputError("no scores of the last deal; expected up= such as up=D:+3,L:-1,R:-2")
    if not rules.exchanges(trump):
        raise InputError(_none_exchanged(rules))
    if max(up.values()) > 0:
        raise InputError("all cards that were owed have been given; expected less in give=")
    raise InputError("nobody was up in the last deal: no cards are exchanged")


def check_exchange(gifts: Sequence[Gift], up: BySeat[int] | None, rules: Rules, trump: Trump | None) -> None:
    """Checks what a record says of the exchange: ``give``, ``up``, and that the rules have a place for gifts.

    Args:
        gifts: The exchange, or its beginning.
        up: The scores of the previous deal, by the seats of this deal; without them any gift may be owed.
        rules: The house rules.
        trump: The contract, if it is announced.
    """
    if gifts and not rules.exchanges(trump):
        raise InputError(f"{_none_exchanged(rules)}, expected a record without give=", field="give")
    if up is not None:
        with in_field("up"):
            check_up(up)
        with in_field("give"):
            check_gifts(gifts, up, rules)


def check_gifts(gifts: Iterable[Gift], up: BySeat[int], rules: Rules) -> None:
    """Checks that gifts are owed: none too many, and of two givers the first gives all his cards first.

    The order in which one giver serves two receivers is not checked: it changes nothing.

    Args:
        gifts: The exchange, or its beginning.
        up: The scores of the previous deal, by the seats of this deal.
        rules: Say which of two givers is first.
    """
    left = up
    for gift in gifts:
        if up[gift.giver] <= 0:
            raise InputError(f"{gift}: {gift.giver} was not up in the last deal, so gives nothing")
        if up[gift.receiver] >= 0:
            raise InputError(f"{gift}: {gift.receiver} was not down in the last deal, so gets nothing")
        if left[gift.giver] <= 0:
            raise InputError(f"{gift}: {gift.giver} was up by {up[gift.giver]}, so that is one card too many")
        if left[gift.receiver] >= 0:
            raise InputError(
                f"{gift}: {gift.receiver} was down by {-up[gift.receiver]}, so that is one card too many"
            )
        first = _givers(up, rules)[0]
        if gift.giver is not first and left[first] > 0:
            raise InputError(
                f"{gift}: {first} gives before {gift.giver}, expected {left[first]} more of {first} first"
            )
        left = left.replace(gift.giver, left[gift.giver] - 1)
        left = left.replace(gift.receiver, left[gift.receiver] + 1)


def parse_up(text: str) -> BySeat[int]:
    """Reads scores by seat such as ``D:+3,L:-1,R:-2``."""
    scores: dict[str, int] = {}
    for (seat, score), offset in read_list(text, _read_score):
        if str(seat) in scores:
            raise InputError(f"{seat} has two scores, expected one for each of D L R", column=offset + 1)
        scores[str(seat)] = score
    if len(scores) < 3:
        raise InputError(f"{quoted(text)} leaves a seat out, expected one score for each of D L R", column=1)
    return BySeat(**scores)


def _read_score(text: str) -> tuple[Seat, int]:
    """Reads the score of one seat such as ``D:+3``."""
    seat, _, number = text.partition(":")
    if not re.fullmatch(r"[+-]?[0-9]{1,2}", number):
        raise InputError(f"{quoted(text)} is no score, expected one such as D:+3", column=1)
    return Seat.parse(seat), int(number)


def format_up(up: BySeat[int]) -> str:
    """Writes scores by seat: ``D:+3,L:-1,R:-2``."""
    return ",".join(f"{seat}:{score:+d}" if score else f"{seat}:0" for seat, score in up.items())


def check_up(up: BySeat[int]) -> None:
    """Checks that scores are possible."""
    if sum(up.values()) != 0 or max(up.values()) > MAX_HAND:
        raise InputError(f"{format_up(up)} cannot be, expected scores of at most {MAX_HAND} that sum to 0")
