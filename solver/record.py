"""Records: one deal or position, with all that is known of it, on one line of text or JSON."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import Any, TypeVar

from sgtmajor.cards import BySeat, Card, Hand, Seat, Trump, format_cards, parse_cards
from sgtmajor.deal import Deal, Position, format_sizes
from sgtmajor.errors import InputError
from sgtmajor.gifts import (
    Due,
    Gift,
    apply_gifts,
    check_exchange,
    format_gifts,
    format_up,
    owed,
    parse_gifts,
    parse_up,
)
from sgtmajor.play import parse_play, play_out, tricks_won, turns
from sgtmajor.reading import (
    in_field,
    quoted,
    read_either,
    read_lines,
    shifted,
    split_fields,
    without_comment,
)
from sgtmajor.rules import PRESETS, Rules

T = TypeVar("T")

_FIELD = re.compile(r"(?<!\S)[^\s=]*=")
_ID = re.compile(r"(?<!\S)id=(\S+)")


@dataclass(frozen=True, slots=True)
class Record:
    """One deal or position: ``D:… … … K:… trump=S lead=D``.

    The fields apply in the order of the game: give, discard, play. The hands are those before the first of
    these that is given; only the cards of ``trick`` have left them. Everything is checked on construction.

    Attributes:
        deal: The deal as written. Its hands differ in size only as far as ``trick`` explains.
        trump: What is trumps, None if not announced yet.
        lead: The seat that leads the first (or next) trick, None to leave it to the rules.
        discard: The cards that the announcer lays aside before he takes the kitty.
        trick: The cards of the trick in progress, in the order of play.
        play: The cards played so far, in the order of play, from hands written in full.
        up: The scores of the previous deal, by the seats of this deal.
        give: The exchange as it was done.
        id: The name of the deal.
        rules: The house rules.
    """

    deal: Deal
    trump: Trump | None = None
    lead: Seat | None = None
    discard: tuple[Card, ...] = ()
    trick: tuple[Card, ...] = ()
    play: tuple[Card, ...] = ()
    up: BySeat[int] | None = None
    give: tuple[Gift, ...] = ()
    id: str | None = None
    rules: Rules = PRESETS["classic"]

    def __post_init__(self) -> None:
        if self.id is not None:
            with in_field("id"):
                _read_id(self.id)
        check_exchange(self.give, self.up, self.rules, self.trump)
        if self.play:
            with in_field("play"):
                self._play_out()
        else:
            self._start(self.trump or Trump.N)

    @classmethod
    def parse(cls, text: str, **overrides: Any) -> Record:
        """Reads a record: the deal, then ``key=value`` fields in any order; ``#`` starts a comment.

        Args:
            text: The record, one line.
            overrides: Fields that take the place of what the text says, such as ``trump=Trump.S``.
        """
        words, values, offsets = split_record(text)
        deal = Deal.parse(words, uneven="trick" in values)
        try:
            return cls(deal, **values | overrides)
        except InputError as error:
            # What takes the place of a field stands nowhere in the line.
            raise (
                error if error.field in overrides else error.at(offset=offsets.get(error.field, 0))
            ) from None

    @classmethod
    def from_dict(cls, values: Mapping[str, object], **overrides: Any) -> Record:
        """Reads a record from the keys of a JSON object.

        Args:
            values: ``deal`` and the keys of a record, or ``record`` for its whole text. A value is a text as
                in a record, cards and gifts also a list of texts; None and an empty list stand for a
                missing key.
            overrides: Fields that take the place of what the object says.
        """
        texts = texts_of(values)
        if "record" in texts:
            with in_field("record"):
                whole = cls.parse(texts.pop("record"), **overrides).to_dict()
            for key in texts:
                if key in whole:
                    raise InputError(f"{key} is given twice, in the record and beside it")
            texts |= whole
        if "deal" not in texts:
            raise InputError("there is no deal, expected the key deal or record")
        with in_field("deal"):
            deal = Deal.parse(texts.pop("deal"), uneven="trick" in texts)
        return cls(deal, **read_fields(texts) | overrides)

    def to_dict(self) -> dict[str, str]:
        """Returns the record as the keys of a JSON object, defaults left out."""
        given = ((key, getattr(self, key)) for key in _READERS)
        return {"deal": str(self.deal)} | {
            key: _WRITERS.get(key, str)(value) for key, value in given if value != _DEFAULTS[key]
        }

    @property
    def leader(self) -> Seat:
        """The seat that leads the first trick, or led the one in progress."""
        return self.rules.first_leader if self.lead is None else self.lead

    @property
    def owed(self) -> tuple[Due, ...]:
        """What is still to be given after ``give``, in the order of the rules; nothing without ``up``."""
        return owed(self.up, self.rules, self.trump, self.give)

    @property
    def start(self) -> Position:
        """The position before any card of ``play``, after the exchange and the discard.

        Raises:
            InputError: The trump is not given.
        """
        return self._start(self._known_trump())

    @property
    def position(self) -> Position:
        """The position that the record describes, after all its fields.

        Raises:
            InputError: The trump is not given.
        """
        return self._play_out()[0]

    @property
    def tricks_taken(self) -> BySeat[int]:
        """The tricks that each seat has won by the cards of ``play``."""
        return self._play_out()[1] if self.play else BySeat(0, 0, 0)

    def from_whole_hands(self) -> Record:
        """Returns a record of the same moment in which the cards of ``trick`` are the ``play``."""
        if not self.trick:
            return self
        return replace(self, deal=self._with_trick_back(), trick=(), play=self.trick)

    def named(self, line: int) -> Record:
        """Returns the record with the number of its line as its id, unless it has one."""
        return self if self.id is not None else replace(self, id=str(line))

    def __str__(self) -> str:
        texts = self.to_dict()
        return " ".join([texts.pop("deal"), *(f"{key}={text}" for key, text in texts.items())])

    def _repr_html_(self) -> str:
        """Returns the deal of the record as a hand diagram under its fields, for notebooks."""
        from sgtmajor.html import diagram_html

        fields = str(self).removeprefix(str(self.deal)).strip()
        return diagram_html(self.deal.hands, self.deal.kitty, fields)

    def _known_trump(self) -> Trump:
        if self.trump is None:
            raise InputError("the trump is not given, expected trump= and one of S H D C N")
        return self.trump

    def _start(self, trump: Trump) -> Position:
        """Returns the position before any card of ``play``."""
        with in_field("trick"):
            deal = self._with_trick_back() if self.trick else self.deal
        with in_field("give"):
            deal = apply_gifts(deal, self.give)[0] if self.give else deal
        with in_field("discard"):
            deal = self.rules.take_kitty(deal, self.discard) if self.discard else deal
        position = Position(deal.hands, trump, self.leader)
        with in_field("trick"):
            for card in self.trick:
                position = position.after(card)
        return position

    def _with_trick_back(self) -> Deal:
        """Returns the deal with the cards of the trick in progress back in the hands they came from."""
        if self.play:
            raise InputError("trick and play are both given, expected one: play starts from whole hands")
        if len(self.trick) > 2:
            raise InputError(f"a trick in progress of {len(self.trick)} cards, expected 1 or 2")
        hands = self.deal.hands
        holders = {str(seat): hand for seat, hand in hands.items()} | {"the kitty": self.deal.kitty or Hand()}
        seat = self.leader
        for card in self.trick:
            for holder, hand in holders.items():
                if card in hand:
                    raise InputError(f"{card} is in the trick in progress and held by {holder}")
            hands = hands.replace(seat, hands[seat] | Hand.of([card]))
            seat = seat.next
        if len(set(map(len, hands.values()))) > 1:
            raise InputError(
                f"the hands have {format_sizes(self.deal.hands)} cards, expected one less for each seat that"
                f" has played to the trick led by {self.leader}"
            )
        return Deal(hands, self.deal.kitty)

    def _play_out(self) -> tuple[Position, BySeat[int]]:
        """Plays all cards of ``play``; returns the position after them and the tricks that each seat won."""
        start = self._start(self._known_trump())
        with in_field("play"):
            position = play_out(start, self.play)[-1]
        return position, tricks_won(turns(self.play, start.trump, start.leader))


def split_record(text: str) -> tuple[str, dict[str, Any], dict[str | None, int]]:
    """Splits a record into its parts.

    Returns:
        The text of the deal, the values of the fields by key, and where in the text each of these starts.
    """
    if len(text.strip().splitlines()) > 1:
        raise InputError("a record is one line, found a line break", column=1)
    line = without_comment(text)
    if not line.strip():
        raise InputError("no record, expected a deal such as 'D:AK... QJ... T9...'", column=1)
    first_field = _FIELD.search(line)
    end = first_field.start() if first_field else len(line)
    texts, offsets = split_fields(line, end, _check_key)
    values: dict[str, Any] = {}
    for key, value in texts.items():
        with shifted(offsets[key]):
            values[key] = _READERS[key](value)
    return line[:end], values, offsets


def _check_key(key: str, *more: str) -> None:
    """Refuses what is no key of a record."""
    if key not in _READERS and key not in more:
        raise InputError(f"unknown key {quoted(key)}, expected one of {' '.join([*more, *_READERS])}")


def texts_of(values: Mapping[str, object]) -> dict[str, str]:
    """Returns the keys of a JSON object as the texts that a record would have."""
    return {key: _as_text(key, value) for key, value in values.items() if value not in (None, [])}


def read_fields(texts: Mapping[str, str]) -> dict[str, Any]:
    """Reads the fields of a record, given by key."""
    read: dict[str, Any] = {}
    for key, text in texts.items():
        with in_field(key):
            read[key] = _READERS[key](text)
    return read


def _as_text(key: str, value: object) -> str:
    """Returns a value of a JSON object as the text that a record would have."""
    _check_key(key, "deal", "record")
    if isinstance(value, list):
        for place, item in enumerate(value, start=1):
            if not isinstance(item, str):
                found = type(item).__name__
                raise InputError(f"expected texts, found {found} as number {place} of the list", field=key)
        return ",".join(value)
    if type(value) is int and key == "id":
        return str(value)
    if not isinstance(value, str):
        raise InputError(f"expected a text, found {type(value).__name__}", field=key)
    return value


def _read_id(text: str) -> str:
    """Reads the name of a deal."""
    if not text.isprintable() or " " in text or not text:
        raise InputError(f"{quoted(text)} is no id, expected printable characters without spaces", column=1)
    return text


_READERS: Mapping[str, Callable[[str], Any]] = {
    "trump": Trump.parse,
    "lead": Seat.parse,
    "discard": parse_cards,
    "trick": parse_cards,
    "play": parse_play,
    "up": parse_up,
    "give": parse_gifts,
    "id": _read_id,
    "rules": Rules.parse,
}
_WRITERS: Mapping[str, Callable[[Any], str]] = {
    "discard": format_cards,
    "trick": format_cards,
    "play": format_cards,
    "up": format_up,
    "give": format_gifts,
}
_DEFAULTS: Mapping[str, object] = {key.name: key.default for key in fields(Record)}


@dataclass(frozen=True, slots=True)
class BadRecord:
    """A line of a file that is no record.

    Attributes:
        line: Number of the line, from 1.
        text: The line, undecodable bytes escaped.
        error: What is wrong, with its place.
    """

    line: int
    text: str
    error: InputError

    @property
    def id(self) -> str | None:
        """The name of the deal, if that can be read all the same."""
        return id_in(self.text)


def id_in(text: str) -> str | None:
    """Returns the id in a line that may be no record otherwise; None if there is none."""
    try:
        return read_either(text, _id_of_text, _id_of_object)
    except InputError:
        return None


def _id_of_text(text: str) -> str | None:
    found = _ID.search(without_comment(text))
    return _read_id(found[1]) if found else None


def _id_of_object(values: Mapping[str, object]) -> str | None:
    if isinstance(record := values.get("record"), str):
        return _id_of_text(record)
    return _read_id(_as_text("id", values["id"])) if values.get("id") is not None else None


def read_records(
    stream: Iterable[bytes | str], source: str, **overrides: Any
) -> Iterator[tuple[int, Record | BadRecord]]:
    """Reads a file of records, one a line, each as text or as a JSON object.

    Args:
        stream: The lines of the file.
        source: The name of the file, for errors.
        overrides: Fields that take the place of what each line says, such as ``rules=PRESETS["polish"]``.

    Yields:
        The number of the line and its record, or what is wrong with it. Blank lines and comments are skipped.
    """
    return read_each(stream, source, partial(read_record, **overrides))


def read_each(
    stream: Iterable[bytes | str], source: str, read: Callable[[str], T]
) -> Iterator[tuple[int, T | BadRecord]]:
    """Reads a file line by line, as :func:`read_records` does, each line with ``read``."""
    for number, text, fault in read_lines(stream):
        try:
            if fault:
                raise fault
            yield number, read(text)
        except InputError as error:
            yield number, BadRecord(number, text, error.at(source=source, line=number))


def read_record(text: str, **overrides: Any) -> Record:
    """Reads a record as text or as a JSON object; ``overrides`` take the place of fields."""
    return read_either(text, partial(Record.parse, **overrides), partial(Record.from_dict, **overrides))
