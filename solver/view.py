"""What is written of a deal for a player to ask about: a record in which ``?`` stands for what is unseen."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial, reduce
from typing import Any, TypeVar

from sgtmajor.cards import BySeat, Card, Hand, Seat, Trump
from sgtmajor.deal import FULL_HAND, MAX_KITTY, UNSEEN, parse_seen
from sgtmajor.errors import InputError
from sgtmajor.gifts import Due, Gift, apply_gifts, check_exchange, format_gifts, format_up, owed
from sgtmajor.reading import in_field, read_either
from sgtmajor.record import Record, read_fields, read_record, split_record, texts_of
from sgtmajor.rules import PRESETS, Rules

V = TypeVar("V", bound="View")

_UNSEEN_PART = re.compile(r"(?<!\S)(?:\S*:\s*)?\?(?!\S)")


@dataclass(frozen=True, slots=True)
class View:
    """A deal before the kitty is taken, some of its cards unseen.

    Attributes:
        hands: The hands as written, before ``give``; None for one that is not written.
        kitty: The kitty, None if it is not written.
        pack: All cards of the game; what is not written lies in the hands that are not.
        whole: Whether nothing is unseen: then a seat that asks looks at its own cards only. In other views it
            sees all that is written.
        trump: What is trumps, None if not announced yet.
        lead: The seat that leads the first trick, None to leave it to the rules.
        up: The scores of the previous deal, by the seats of this deal.
        give: The exchange as it was done.
        returned: What came back for each gift where the hands show it, else None.
        id: The name of the deal.
        rules: The house rules.
    """

    hands: BySeat[Hand | None]
    kitty: Hand | None
    pack: Hand
    whole: bool = False
    trump: Trump | None = None
    lead: Seat | None = None
    up: BySeat[int] | None = None
    give: tuple[Gift, ...] = ()
    returned: tuple[Card | None, ...] = ()
    id: str | None = None
    rules: Rules = PRESETS["classic"]

    def __post_init__(self) -> None:
        check_exchange(self.give, self.up, self.rules, self.trump)
        seen = reduce(Hand.__or__, (hand for hand in (*self.hands.values(), self.kitty) if hand), Hand())
        for card in seen - self.pack:
            raise InputError(f"{card} is not in the pack {self.pack}")
        if not any(self.hands.values()):
            raise InputError("no hand is written, expected that of the seat that asks")
        if not 0 <= self.kitty_size <= MAX_KITTY:
            raise InputError(
                f"three hands of {self.size} from a pack of {len(self.pack)} leave {self.kitty_size} for the"
                f" kitty, expected 0 to {MAX_KITTY}: write another hand, or say which cards the pack has"
            )
        if self.kitty is not None and len(self.kitty) != self.kitty_size:
            raise InputError(f"the kitty has {len(self.kitty)} cards, expected {self.kitty_size}")

    @classmethod
    def of(cls: type[V], record: Record) -> V:
        """Returns the view of a record in which everything is written.

        What it says of discard and play is not used.
        """
        if record.trick:
            raise InputError("advice is about a whole deal, expected a record without trick=", field="trick")
        returned = apply_gifts(record.deal, record.give)[1] if record.give else ()
        kitty = record.deal.kitty or Hand()
        hands = record.deal.hands
        return cls(
            BySeat(hands.D, hands.L, hands.R),
            kitty,
            reduce(Hand.__or__, hands.values(), kitty),
            True,
            record.trump,
            record.lead,
            record.up,
            record.give,
            returned,
            record.id,
            record.rules,
        )

    @classmethod
    def parse(cls: type[V], text: str, **overrides: Any) -> V:
        """Reads a view: a record in which any hand, and the kitty, may be ``?``.

        Args:
            text: The record, one line.
            overrides: Fields that take the place of what the text says; ``pack`` if it is not all 52 cards.
        """
        words, values, offsets = split_record(text)
        try:
            return cls._seen(words, values | overrides)
        except InputError as error:
            # What takes the place of a field stands nowhere in the line.
            raise (
                error if error.field in overrides else error.at(offset=offsets.get(error.field, 0))
            ) from None

    @classmethod
    def from_dict(cls: type[V], values: Mapping[str, object], **overrides: Any) -> V:
        """Reads a view from the keys of a JSON object: ``deal`` and the keys of a record, or ``record``."""
        texts = texts_of(values)
        if "record" in texts:
            with in_field("record"):
                view = cls.parse(texts.pop("record"), **overrides)
            for key in texts:
                raise InputError(f"{key} is beside the record, expected it inside", field=key)
            return view
        if "deal" not in texts:
            raise InputError("there is no deal, expected the key deal or record")
        words = texts.pop("deal")
        return cls._seen(words, read_fields(texts) | overrides)

    @classmethod
    def _seen(cls: type[V], words: str, values: Mapping[str, Any]) -> V:
        values = cls._later(values)
        known = parse_seen(words)
        if "pack" not in values:
            _check_sizes(known)
        hands = BySeat.of(lambda seat: known.get(str(seat)))
        fields: dict[str, Any] = {"pack": Hand.full(), "returned": (None,) * len(values.get("give", ()))}
        return cls(hands, known.get("K"), **fields | dict(values))

    @classmethod
    def _later(cls, values: Mapping[str, Any]) -> Mapping[str, Any]:
        """Returns the fields of a record with those that come after the question as it needs them."""
        for key in ("discard", "trick", "play"):
            if key in values:
                raise InputError(f"{key} comes after the advice, expected a record without it", field=key)
        return values

    @property
    def size(self) -> int:
        """Cards a hand."""
        return max(len(hand) for hand in self.hands.values() if hand)

    @property
    def kitty_size(self) -> int:
        """Cards of the kitty."""
        return len(self.pack) - 3 * self.size

    @property
    def leader(self) -> Seat:
        """The seat that leads the first trick."""
        return self.rules.first_leader if self.lead is None else self.lead

    @property
    def asker(self) -> Seat:
        """The seat whose hand is the only one written; else the announcer."""
        written = [seat for seat, hand in self.hands.items() if hand]
        return written[0] if len(written) == 1 else self.rules.announcer

    @property
    def owed(self) -> tuple[Due, ...]:
        """What is still to be given after ``give``; nothing without ``up``."""
        return owed(self.up, self.rules, self.trump, self.give)

    @property
    def cards(self) -> str:
        """The hands and the kitty, in the notation of a deal."""
        return write_seen(self.hands, self.kitty)

    def __str__(self) -> str:
        fields = {
            "trump": self.trump,
            "lead": self.lead,
            "up": self.up and format_up(self.up),
            "give": format_gifts(self.give),
            "id": self.id,
            "rules": self.rules if self.rules != PRESETS["classic"] else None,
        }
        given = "".join(f" {key}={value}" for key, value in fields.items() if value)
        return self.cards + given


def write_seen(hands: BySeat[Hand | None], kitty: Hand | None) -> str:
    """Writes hands and kitty in the notation of a deal, ``?`` for what is not seen."""
    words = [UNSEEN if hand is None else str(hand) for hand in hands.values()]
    aside = "" if kitty == Hand() else f" K:{UNSEEN if kitty is None else kitty}"
    return f"D:{' '.join(words)}{aside}"


def _check_sizes(known: Mapping[str, Hand]) -> None:
    """Refuses hands that are not those of the usual deal, unless the kitty is written and is what is left."""
    for holder, hand in known.items():
        leaves = len(Hand.full()) - 3 * len(hand)
        if holder != "K" and len(hand) != FULL_HAND and len(known.get("K", ())) != leaves:
            raise InputError(
                f"a hand has {FULL_HAND} cards, that of {holder} {len(hand)}; for other deals give the kitty,"
                " or all cards of the game with --pack"
            )


def _check_pack(pack: Hand, written: Hand) -> None:
    """Refuses another pack than the cards of a record in which everything is written."""
    for card in written - pack:
        raise InputError(f"{card} is not in the pack {pack}")
    for card in pack - written:
        raise InputError(f"{card} of the pack is not in the record, expected ? for hands or a kitty unseen")


def read_view(text: str, **overrides: Any) -> View:
    """Reads a view as text or as a JSON object; a record without ``?`` is one, too.

    Args:
        text: The record.
        overrides: Fields that take the place of what the text says; ``pack`` must be that of a whole record.
    """
    return read_as(View, text, **overrides)


def read_as(kind: type[V], text: str, **overrides: Any) -> V:
    """Reads a kind of view: see :func:`read_view`."""
    if not _UNSEEN_PART.search(text.replace('"', " ")):
        pack = overrides.pop("pack", None)
        view = kind.of(read_record(text, **overrides))
        if pack is not None:
            _check_pack(pack, view.pack)
        return view
    return read_either(text, partial(kind.parse, **overrides), partial(kind.from_dict, **overrides))
