"""House rules: who leads, who names trumps, what happens to the kitty, and the presets of them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from types import MappingProxyType
from typing import Any, Literal, TypeVar

from sgtmajor.cards import BySeat, Card, Hand, Seat, Trump
from sgtmajor.deal import MAX_HAND, Deal
from sgtmajor.errors import InputError
from sgtmajor.reading import quoted, shifted

Number = TypeVar("Number", int, float)

_CHOICES: Mapping[str, tuple[str | int, ...]] = {
    "name": ("classic", "eldest", "pickup", "polish"),
    "leader": ("announcer", "second"),
    "kitty": ("blind", "pickup"),
    "exchange": ("before", "after", "none"),
    "exchange_order": ("target", "most_up"),
    "instant_win": (0, 12, 13),
}
_CLASSIC_TARGETS = BySeat(8, 5, 3)
# House rules that exist but are refused.
NOT_COVERED = "must-trump, must-beat, misère and counter-clockwise play"
_NOT_COVERED = ("musttrump", "mustovertrump", "mustbeat", "misere", "counterclockwise", "anticlockwise")


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of a house. Written as a preset and what differs from it: ``classic,leader=second``.

    Attributes:
        name: The preset that these rules are, or started from.
        targets: Tricks that each seat has to win.
        leader: Who leads the first trick, the announcer of trumps or the seat after him.
        kitty: ``blind`` (lay cards aside, then take the kitty) or ``pickup`` (take it, then lay aside).
        contracts: The trumps that may be announced.
        exchange: When cards are exchanged: ``before`` or ``after`` the announcement, or ``none``.
        exchange_order: With two givers, who gives first: the higher ``target`` or the ``most_up``.
        instant_win: Tricks that win the session at once, 0 for no such rule.
    """

    name: str = "classic"
    targets: BySeat[int] = _CLASSIC_TARGETS
    leader: Literal["announcer", "second"] = "announcer"
    kitty: Literal["blind", "pickup"] = "blind"
    contracts: tuple[Trump, ...] = (Trump.S, Trump.H, Trump.D, Trump.C)
    exchange: Literal["before", "after", "none"] = "before"
    exchange_order: Literal["target", "most_up"] = "target"
    instant_win: int = 0

    def __post_init__(self) -> None:
        for option, allowed in _CHOICES.items():
            value = getattr(self, option)
            if value not in allowed:
                raise InputError(f"unknown {option} {quoted(str(value))}, expected {_one_of(allowed)}")
        if min(self.targets.values()) < 0 or not 1 <= sum(self.targets.values()) <= MAX_HAND:
            raise InputError(
                f"targets {_write_targets(self.targets)} cannot be, expected a sum of 1 to {MAX_HAND} tricks"
            )
        if not self.contracts or list(self.contracts) != [t for t in Trump if t in self.contracts]:
            raise InputError("contracts out of order, expected some of S H D C N, in this order, each once")

    @classmethod
    def parse(cls, text: str) -> Rules:
        """Reads rules: the name of a preset, then the options that differ, separated by commas.

        Options are ``targets=9-5-2`` (D-L-R), ``leader``, ``kitty``, ``contracts=SHDCN``, ``exchange``,
        ``exchange_order`` and ``instant_win``. Options without a preset change ``classic``.
        """
        rules = PRESETS["classic"]
        seen: set[str] = set()
        offset = 0
        for part in text.split(","):
            with shifted(offset):
                _refuse_not_covered(part)
                option, equals, value = part.partition("=")
                option = option.strip().lower().replace("-", "_")
                if not equals:
                    rules = _preset(part, first=offset == 0)
                elif option in seen:
                    raise InputError(f"{option} is given twice")
                else:
                    rules = replace(rules, **{option: _read_option(option, value)})
            seen.add(option)
            offset += len(part) + 1
        return rules

    @property
    def announcer(self) -> Seat:
        """The seat that names trumps and takes the kitty: the highest target, from D clockwise on a tie."""
        return max(Seat, key=lambda seat: self.targets[seat])

    @property
    def first_leader(self) -> Seat:
        """The seat that leads the first trick."""
        return self.announcer if self.leader == "announcer" else self.announcer.next

    def exchanges(self, trump: Trump | None) -> bool:
        """Says whether cards are exchanged when ``trump`` is announced; None if it is not announced yet.

        An exchange after the announcement is for suit contracts only.
        """
        return self.exchange == "before" or (self.exchange == "after" and trump is not Trump.N)

    def points(self, tricks: BySeat[Number]) -> BySeat[Number]:
        """Returns the score of a deal: tricks minus target, for each seat."""
        return BySeat.of(lambda seat: tricks[seat] - self.targets[seat])

    def take_kitty(self, deal: Deal, discard: tuple[Card, ...]) -> Deal:
        """Returns the deal after the announcer has laid cards aside and taken the kitty.

        The cards laid aside are the kitty of the deal that is returned: they are out of play.

        Raises:
            InputError: The kitty is unknown, or these cards cannot be laid aside.
        """
        seat = self.announcer
        if deal.kitty is None:
            raise InputError(f"{seat} cannot lay cards aside: the kitty is unknown, expected K: in the deal")
        aside = Hand.of(discard)
        if len(aside) != len(deal.kitty) or len(aside) != len(discard):
            raise InputError(
                f"{seat} lays {len(discard)} cards aside, expected {len(deal.kitty)} different ones,"
                " as many as the kitty has"
            )
        hand = deal.hands[seat]
        choice = hand | deal.kitty if self.kitty == "pickup" else hand
        for card in aside - choice:
            raise InputError(f"{seat} cannot lay aside {card}: expected cards of {choice}")
        return Deal(deal.hands.replace(seat, (hand | deal.kitty) - aside), aside)

    def __str__(self) -> str:
        preset = PRESETS[self.name]
        options = [
            field.name for field in fields(self) if getattr(self, field.name) != getattr(preset, field.name)
        ]
        return ",".join(
            [
                self.name,
                *(f"{option}={_WRITERS.get(option, str)(getattr(self, option))}" for option in options),
            ]
        )


def _preset(text: str, first: bool) -> Rules:
    """Returns the preset of a name, which has to come first."""
    name = text.strip().lower()
    if first and name in PRESETS:
        return PRESETS[name]
    if not first:
        raise InputError(f"unexpected {quoted(text)}, expected option=value after the preset", column=1)
    raise InputError(f"unknown rules {quoted(text)}, expected {_one_of(tuple(PRESETS))}", column=1)


def _read_option(option: str, text: str) -> Any:
    """Reads the value of one option."""
    text = text.strip()
    if option == "targets":
        return _read_targets(text)
    if option == "contracts":
        return _read_contracts(text)
    if option == "name" or option not in _CHOICES:
        options = tuple(field.name for field in fields(Rules) if field.name != "name")
        raise InputError(f"unknown option {quoted(option)}, expected {_one_of(options)}", column=1)
    by_text = {str(value): value for value in _CHOICES[option]}
    value = by_text.get(text.lower().replace("-", "_"))
    if value is None:
        raise InputError(f"unknown {option} {quoted(text)}, expected {_one_of(_CHOICES[option])}", column=1)
    return value


def _read_targets(text: str) -> BySeat[int]:
    """Reads targets such as ``8-5-3``: D, L, R."""
    match = re.fullmatch(r"([0-9]{1,2})-([0-9]{1,2})-([0-9]{1,2})", text)
    if not match:
        raise InputError(
            f"{quoted(text)} are no targets, expected three numbers D-L-R such as 8-5-3", column=1
        )
    return BySeat(*map(int, match.groups()))


def _read_contracts(text: str) -> tuple[Trump, ...]:
    """Reads contracts such as ``SHDCN``."""
    chosen = [Trump.parse(letter) for letter in text]
    if not chosen or len(set(chosen)) != len(chosen):
        raise InputError(f"{quoted(text)} are no contracts, expected some of S H D C N, each once", column=1)
    return tuple(trump for trump in Trump if trump in chosen)


def _write_targets(targets: BySeat[int]) -> str:
    return "-".join(map(str, targets.values()))


def _write_contracts(contracts: tuple[Trump, ...]) -> str:
    return "".join(map(str, contracts))


def _refuse_not_covered(text: str) -> None:
    """Refuses by name the house rules that exist but are not covered here."""
    letters = "".join(c for c in unicodedata.normalize("NFKD", text).lower() if "a" <= c <= "z")
    if any(name in letters for name in _NOT_COVERED):
        raise InputError(
            f"{quoted(text.strip())} is not covered: {NOT_COVERED} are not supported, expected other options",
            column=1,
        )


def _one_of(allowed: tuple[str | int, ...]) -> str:
    return "one of " + " ".join(map(str, allowed))


_WRITERS: Mapping[str, Callable[[Any], str]] = {"targets": _write_targets, "contracts": _write_contracts}

PRESETS: Mapping[str, Rules] = MappingProxyType(
    {
        rules.name: rules
        for rules in (
            Rules("classic"),
            Rules("eldest", leader="second", instant_win=12),
            Rules("pickup", leader="second", kitty="pickup", exchange_order="most_up", instant_win=12),
            Rules(
                "polish",
                targets=BySeat(3, 8, 5),
                kitty="pickup",
                contracts=tuple(Trump),
                exchange="after",
            ),
        )
    }
)
