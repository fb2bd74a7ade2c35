"""A moment of the play as a player sees it who is to play a card: his hand, and the cards played so far."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from sgtmajor.cards import BySeat, Card, Hand, Seat, Trump, format_cards
from sgtmajor.errors import InputError
from sgtmajor.knowledge import PLACES, Fact, Knowledge, Place, known_from, told_before_play
from sgtmajor.play import Turn, tricks_won, turns
from sgtmajor.reading import in_field
from sgtmajor.record import Record
from sgtmajor.rules import Rules
from sgtmajor.view import View, read_as

_CARDS = len(Seat)
_KITTY = "K"


@dataclass(frozen=True, slots=True)
class Moment(View):
    """A view with the cards played so far: it is the turn of a seat, and that seat asks.

    The hands are those before ``give``, ``discard`` and ``play``, as in a record.

    Attributes:
        discard: What the announcer has laid aside, if that is known; another seat does not see it.
        play: The cards played so far, from whole hands.
    """

    discard: tuple[Card, ...] = ()
    play: tuple[Card, ...] = ()

    def __post_init__(self) -> None:
        View.__post_init__(self)
        if self.trump is None:
            raise InputError(
                "the trump is not given, expected trump= in the record, or --trump, and one of S H D C N"
            )
        if len(self.play) >= _CARDS * self.size:
            raise InputError(
                f"{len(self.play)} cards are played, which is all: there is no card to choose", field="play"
            )
        earlier: dict[Card, Turn] = {}
        for turn in self.turns:
            if before := earlier.get(turn.card):
                told = f"{before.seat} has played it to trick {before.trick}"
                message = f"trick {turn.trick}: {turn.seat} cannot play {turn.card}: {told}"
                raise InputError(message, field="play")
            earlier[turn.card] = turn

    @classmethod
    def of(cls, record: Record) -> Moment:
        """Returns the moment of a record in which everything is written."""
        record = record.from_whole_hands()
        view = View.of(record)
        known = {field.name: getattr(view, field.name) for field in fields(View)}
        return cls(**known, discard=record.discard, play=record.play)

    @classmethod
    def _later(cls, values: Mapping[str, Any]) -> Mapping[str, Any]:
        """Takes a trick in progress for what was played: the hands of the others are not seen anyway."""
        later = dict(values)
        trick = later.pop("trick", ())
        if trick and "play" in later:
            raise InputError(
                "trick and play are both given, expected one: play starts from whole hands", field="trick"
            )
        if len(trick) >= _CARDS:
            raise InputError(f"a trick in progress of {len(trick)} cards, expected 1 or 2", field="trick")
        return later | ({"play": trick} if trick else {})

    @property
    def named(self) -> Trump:
        """The trump, which is known by now."""
        assert self.trump is not None, "it was checked"
        return self.trump

    @property
    def turns(self) -> tuple[Turn, ...]:
        """Whose cards they are that were played."""
        return tuple(turns(self.play, self.named, self.leader))

    @property
    def trick(self) -> tuple[Card, ...]:
        """The cards of the trick in progress."""
        return self.play[len(self.play) - len(self.play) % _CARDS :]

    @property
    def trick_leader(self) -> Seat:
        """The seat that leads, or led, the trick in progress."""
        winners = [turn.winner for turn in self.turns if turn.winner]
        return winners[-1] if winners else self.leader

    @property
    def asker(self) -> Seat:
        """The seat whose turn it is."""
        seat = self.trick_leader
        for _ in self.trick:
            seat = seat.next
        return seat

    @property
    def hides_discard(self) -> bool:
        """Whether the announcer has laid cards aside that the seat whose turn it is does not see."""
        if self.asker is self.rules.announcer or not self.kitty_size:
            return False
        # In a record in which everything is written without a discard, the kitty lies as it was dealt.
        return bool(self.discard) or not self.whole

    @property
    def lacks_discard(self) -> bool:
        """Whether the seat whose turn it is has laid cards aside itself, but which ones is not told."""
        announces = self.asker is self.rules.announcer
        return announces and bool(self.kitty_size) and self.kitty is None and not self.discard

    @property
    def taken(self) -> BySeat[int]:
        """The tricks that each seat has won so far."""
        return tricks_won(self.turns)

    def __str__(self) -> str:
        given = {"discard": self.discard, "play": self.play}
        return View.__str__(self) + "".join(
            f" {key}={format_cards(each)}" for key, each in given.items() if each
        )


def read_moment(text: str, **overrides: Any) -> Moment:
    """Reads a moment as text or as a JSON object: see :func:`sgtmajor.view.read_view`."""
    return read_as(Moment, text, **overrides)


def learn_in_play(moment: Moment, *, facts: Iterable[Fact] = (), returned: Sequence[Card] = ()) -> Knowledge:
    """Returns what the seat whose turn it is knows, in terms of the hands before the first card was played.

    It knows the cards that were played, and that who did not follow had none left of the suit. The announcer
    knows what he has laid aside; for the others it lies somewhere among the cards they do not see, and what
    they knew of his hand from the exchange may have been laid aside, or have come from the kitty since.

    Args:
        moment: The moment.
        facts: What else is known; K is what was laid aside.
        returned: What came back for the gifts of the seat, in order, where the moment does not show it.

    Raises:
        InputError: If something that is needed is not written, a card may not have been played, or what is
            known contradicts itself.
    """
    seat = moment.asker
    if moment.hands[seat] is None:
        raise InputError(f"it is the turn of {seat}, whose hand is not written")
    announces = seat is moment.rules.announcer
    if moment.discard and not announces and not moment.whole:
        raise InputError(
            f"{seat} does not see what is laid aside, expected a record without discard=", field="discard"
        )
    sees = announces and moment.kitty is not None
    if announces and moment.discard and not sees:
        raise InputError(f"{seat} has taken the kitty: expected its cards, too, after K:", field="discard")
    hand, aside, told = told_before_play(moment, seat, returned, sees)
    if announces and moment.discard:
        hand, aside = _with_kitty(moment.rules, hand, aside or Hand(), moment.discard)
    elif moment.hides_discard:
        told = [fact for fact in (_after_kitty(each, moment.rules) for each in told) if _tells(fact)]
    with in_field("play"):
        played = list(_played(moment, seat, hand))
    out = Hand.of(moment.play)
    # What a seat lacks, it lacks now: it may have played such cards before.
    now = [
        fact if len(fact.places) == 1 else Fact(fact.cards - out, fact.places, fact.text) for fact in facts
    ]
    return known_from(moment, seat, hand, aside, [*now, *told, *played])


def _with_kitty(rules: Rules, hand: Hand, kitty: Hand, discard: tuple[Card, ...]) -> tuple[Hand, Hand]:
    """Returns what the announcer plays with, and what he has laid aside."""
    aside = Hand.of(discard)
    choice = hand | kitty if rules.kitty == "pickup" else hand
    with in_field("discard"):
        if len(aside) != len(kitty):
            raise InputError(f"{len(aside)} cards are laid aside, expected {len(kitty)}, as the kitty has")
        for card in aside - choice:
            raise InputError(f"{rules.announcer} cannot lay aside {card}: expected cards of {choice}")
    return (hand | kitty) - aside, aside


def _after_kitty(fact: Fact, rules: Rules) -> Fact:
    """Returns where cards can be once the announcer has laid cards aside and taken the kitty.

    What was in the kitty is then in his hand, or (pickup) laid aside; what was in his hand may be laid aside.
    """
    announcer = str(rules.announcer)
    places: set[Place] = set(fact.places - {_KITTY})
    if announcer in fact.places:
        places |= {announcer, _KITTY}
    if _KITTY in fact.places:
        places |= {announcer, _KITTY} if rules.kitty == "pickup" else {announcer}
    return Fact(fact.cards, frozenset(places), fact.text)


def _tells(fact: Fact) -> bool:
    """Whether a fact leaves a place out."""
    return not fact.places.issuperset(PLACES)


def _played(moment: Moment, seat: Seat, hand: Hand) -> Iterator[Fact]:
    """Yields what the cards played tell of the others; checks those of the seat that asks."""
    before = {each: Hand() for each in Seat}
    for turn in moment.turns:
        card, suit = turn.card, turn.led.suit
        where = f"trick {turn.trick}"
        own = before[turn.seat]
        if turn.seat is seat:
            left = hand - own
            if card not in left:
                raise InputError(f"{where}: {seat} cannot have played {card}: {seat} held {left}")
            if not turn.follows and left.suit(suit):
                must = format_cards(left.suit(suit))
                raise InputError(
                    f"{where}: {seat} cannot have played {card}: {seat} held {must} of the suit led"
                )
        else:
            yield Fact.holds(str(turn.seat), Hand.of([card]), f"played to {where}")
            if not turn.follows:
                void = Hand.full().suit(suit) - own
                yield Fact.lacks(str(turn.seat), void, f"did not follow to {where}")
        before[turn.seat] = own | Hand.of([card])
