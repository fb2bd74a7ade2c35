"""A session: deals one after another, their points, who deals and who owes what next, and who has won."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from sgtmajor.cards import BySeat
from sgtmajor.errors import InputError, InputErrors
from sgtmajor.gifts import owed
from sgtmajor.reading import quoted, read_lines, read_list, shifted, split_fields, without_comment
from sgtmajor.rules import PRESETS, Rules

DecidedBy = Literal["instant win", "total", "last deal", "last trick", "latest trick"]

# The players in their order, in ``won``.
LETTERS = "ABC"
_MAX_NAME = 20
_CLASSIC = PRESETS["classic"]


@dataclass(frozen=True, slots=True)
class SessionDeal:
    """One deal of a session.

    Attributes:
        dealer: The player who dealt.
        tricks: The tricks that each player won, in the order of the players.
        won: Who won each trick, one letter a trick: A B C are the players in their order. None if unknown.
        line: The line of the file, from 1.

    Raises:
        InputError: If a field cannot be, whatever the players and the rules.
    """

    dealer: str
    tricks: tuple[int, int, int]
    won: str | None = None
    line: int | None = None

    def __post_init__(self) -> None:
        tricks = self.tricks
        if not isinstance(tricks, tuple) or not all(type(number) is int for number in tricks):
            raise InputError(f"{tricks!r} are no tricks, expected three numbers such as (9, 4, 3)")
        _read_tricks(",".join(map(str, tricks)))
        if not isinstance(self.dealer, str):
            raise InputError(f"{self.dealer!r} is no player, expected the name of the dealer")
        if not isinstance(self.won, str | None):
            raise InputError(f"{self.won!r} is no text, expected a letter for each trick such as ABAC")
        if self.won is not None:
            object.__setattr__(self, "won", _read_won(self.won))


@dataclass(frozen=True, slots=True)
class Session:
    """Three players, clockwise, and the deals that they have played, checked on construction.

    Raises:
        InputErrors: With all that is wrong, each with its line and column as far as they are known.
    """

    players: tuple[str, str, str]
    deals: tuple[SessionDeal, ...]
    rules: Rules = _CLASSIC

    def __post_init__(self) -> None:
        faults = []
        try:
            _check_players(self.players)
        except InputError as fault:
            raise InputErrors([fault]) from None
        checker = _Checker(self.players, self.rules)
        for deal in self.deals:
            found = checker.faults({"dealer": deal.dealer, "tricks": deal.tricks, "won": deal.won}, deal.line)
            faults += [fault.at(line=deal.line) for fault in found]
        if not self.deals:
            faults.append(InputError(_NO_DEALS))
        if faults:
            raise InputErrors(faults)

    @classmethod
    def read(cls, stream: Iterable[bytes | str], source: str | None = None) -> Session:
        """Reads a session file.

        The first line names the players in clockwise order and the rules, as in ``players=Ann,Ben,Cat
        rules=classic``; each other line is a deal such as ``dealer=Ann tricks=9,4,3 won=ABAC…``, the tricks
        in the order of the players and ``won`` optional. ``#`` starts a comment.

        Args:
            stream: The lines of the file.
            source: The name of the file, for errors.

        Raises:
            InputErrors: With everything that is wrong with the file.
        """
        reader = _Reader()
        for line in read_lines(stream):
            reader.read(line.number, line.text, line.error)
        return reader.session(source)

    @classmethod
    def parse(cls, text: str) -> Session:
        """Reads the text of a session file: see :meth:`read`."""
        return cls.read(text.splitlines())

    def next_player(self, player: str) -> str:
        """Returns the next player clockwise, who deals after this one."""
        return self.players[(self.players.index(player) + 1) % 3]

    def seats(self, dealer: str) -> BySeat[str]:
        """Returns who sits where when this player deals."""
        left = self.next_player(dealer)
        return BySeat(dealer, left, self.next_player(left))

    def points(self, deal: SessionDeal) -> dict[str, int]:
        """Returns the points of a deal by player: tricks minus the target of the seat."""
        tricks = dict(zip(self.players, deal.tricks, strict=True))
        seats = self.seats(deal.dealer)
        points = self.rules.points(BySeat.of(lambda seat: tricks[seats[seat]]))
        by_player = {seats[seat]: points[seat] for seat in seats}
        return {player: by_player[player] for player in self.players}


@dataclass(frozen=True, slots=True)
class Debt:
    """Cards that one player owes another in the exchange of the next deal."""

    giver: str
    receiver: str
    count: int

    def __str__(self) -> str:
        return f"{self.giver} gives {self.count} to {self.receiver}"


@dataclass(frozen=True, slots=True)
class ScoredDeal:
    """A deal with its score.

    Attributes:
        deal: The deal.
        points: The points of the deal by player; they sum to 0.
        totals: The points of all deals so far, by player.
        exchange: What is owed before the next deal, in the order of giving. By rules with ``exchange=after``
            only if a suit is announced.
    """

    deal: SessionDeal
    points: Mapping[str, int]
    totals: Mapping[str, int]
    exchange: tuple[Debt, ...]


@dataclass(frozen=True, slots=True)
class Score:
    """The answer to :func:`score`.

    Attributes:
        session: The session.
        deals: Its deals with their scores.
        next_dealer: Who deals next; None if the session has been won at once.
        winner: Who wins the session if it ends here; None if that is not known.
        decided_by: What decided it, None if nothing did.
        undecided: Why the winner is not known; None if he is.
    """

    session: Session
    deals: tuple[ScoredDeal, ...]
    next_dealer: str | None
    winner: str | None
    decided_by: DecidedBy | None
    undecided: str | None = None

    def to_dict(self) -> dict[str, object]:
        """Returns the JSON form of the output contract."""
        return {
            "players": list(self.session.players),
            "rules": str(self.session.rules),
            "deals": [
                {
                    "dealer": each.deal.dealer,
                    "tricks": dict(zip(self.session.players, each.deal.tricks, strict=True)),
                    "points": dict(each.points),
                    "totals": dict(each.totals),
                    "exchange": list(map(str, each.exchange)),
                }
                for each in self.deals
            ],
            "next_dealer": self.next_dealer,
            "winner": self.winner,
            "decided_by": self.decided_by,
            "undecided": self.undecided,
        }


def score(session: Session | str) -> Score:
    """Scores a session: points, totals, what is owed, who deals next, and who has won.

    The highest total wins. Players level on it are compared by the points of the last deal; if all three are
    level on these too, the winner of its last trick wins; if two are, the one of them who won a trick of it
    most recently. With ``instant_win`` in the rules, that many tricks in a deal win the session at once.

    Args:
        session: A session, or the text of a session file.

    Raises:
        InputErrors: With everything that is wrong with the text.
    """
    session = Session.parse(session) if isinstance(session, str) else session
    totals = dict.fromkeys(session.players, 0)
    deals = []
    for deal in session.deals:
        points = session.points(deal)
        totals = {player: totals[player] + points[player] for player in session.players}
        at_once = _wins_at_once(deal.tricks, session.players, session.rules)
        debts = () if at_once else _debts(session, session.next_player(deal.dealer), points)
        deals.append(ScoredDeal(deal, points, totals, debts))
    last = session.deals[-1]
    at_once = _wins_at_once(last.tricks, session.players, session.rules)
    if at_once:
        return Score(session, tuple(deals), None, at_once, "instant win")
    return Score(session, tuple(deals), session.next_player(last.dealer), *_verdict(session, totals))


def _debts(session: Session, dealer: str, points: Mapping[str, int]) -> tuple[Debt, ...]:
    """Returns what is owed in the deal of a dealer after one with these points."""
    seats = session.seats(dealer)
    dues = owed(BySeat.of(lambda seat: points[seats[seat]]), session.rules)
    return tuple(Debt(seats[due.giver], seats[due.receiver], due.count) for due in dues)


def _wins_at_once(tricks: tuple[int, int, int], players: tuple[str, str, str], rules: Rules) -> str | None:
    """Returns the player whose tricks in a deal win the session, None if there is no such rule or player."""
    most = max(tricks)
    return players[tricks.index(most)] if rules.instant_win and most >= rules.instant_win else None


def _verdict(session: Session, totals: Mapping[str, int]) -> tuple[str | None, DecidedBy | None, str | None]:
    """Returns who wins by totals and tie-breaks, what decided that, and if nothing did, why."""
    last = session.deals[-1]
    level = _best(session.players, totals)
    if len(level) == 1:
        return level[0], "total", None
    level = _best(level, session.points(last))
    if len(level) == 1:
        return level[0], "last deal", None
    names = f"{', '.join(level[:-1])} and {level[-1]} are level"
    if last.won is None:
        where = f" (line {last.line})" if last.line else ""
        return None, None, f"{names}: add won= to the last deal{where}, who won its last tricks decides"
    latest_first = [session.players[LETTERS.index(letter)] for letter in reversed(last.won)]
    if len(level) == 3:
        return latest_first[0], "last trick", None
    for player in latest_first:
        if player in level:
            return player, "latest trick", None
    return None, None, f"{names}: neither won a trick in the last deal, and no rule decides that"


def _best(players: Iterable[str], points: Mapping[str, int]) -> list[str]:
    """Returns the players with the most points of these."""
    among = list(players)
    most = max(points[player] for player in among)
    return [player for player in among if points[player] == most]


_NO_DEALS = "no deals, expected lines such as 'dealer=Ann tricks=9,4,3'"


class _Checker:
    """Checks deal after deal as far as players and rules are known."""

    def __init__(self, players: tuple[str, str, str] | None, rules: Rules | None) -> None:
        self._players = players
        self._rules = rules
        self._dealer: str | None = None
        self._over: str | None = None

    def faults(self, deal: Mapping[str, Any], line: int | None) -> list[InputError]:
        """Returns what is wrong with a deal, each fault with its field.

        Args:
            deal: ``dealer``, ``tricks`` and ``won``, as far as they are known.
            line: Where the deal is, for what is said of later ones.
        """
        faults = []
        if self._over:
            faults.append(InputError(f"{self._over}, expected no more deals"))
        dealer, tricks, won = deal.get("dealer"), deal.get("tricks"), deal.get("won")
        before, self._dealer = self._dealer, dealer
        if dealer is not None and self._players:
            faults += _dealer_faults(dealer, before, self._players)
        if self._rules:
            faults += _trick_faults(tricks, won, sum(self._rules.targets.values()))
        if tricks and self._players and self._rules and not self._over:
            winner = _wins_at_once(tricks, self._players, self._rules)
            if winner:
                where = f" in line {line}" if line else ""
                rule = f"instant_win={self._rules.instant_win}"
                self._over = f"{winner} has won the session{where} with {max(tricks)} tricks ({rule})"
        return faults


def _dealer_faults(dealer: str, before: str | None, players: tuple[str, str, str]) -> Iterator[InputError]:
    """Yields what is wrong with the dealer; nothing is said of one who follows an unknown player."""
    if dealer not in players:
        names = " ".join(players)
        yield InputError(f"unknown player {quoted(dealer)}, expected one of {names}", field="dealer")
    elif before in players:
        expected = players[(players.index(before) + 1) % 3]
        if dealer != expected:
            yield InputError(
                f"{dealer} deals after {before}, expected {expected}: the deal moves clockwise",
                field="dealer",
            )


def _trick_faults(tricks: tuple[int, int, int] | None, won: str | None, total: int) -> Iterator[InputError]:
    """Yields what is wrong with the tricks of a deal."""
    if tricks and sum(tricks) != total:
        text = ",".join(map(str, tricks))
        yield InputError(f"{text} are {sum(tricks)} tricks, expected {total} in all", field="tricks")
    if won is None:
        return
    if len(won) != total:
        yield InputError(f"{len(won)} letters, expected {total}, one for each trick", field="won")
    elif tricks and tuple(map(won.count, LETTERS)) != tricks:
        counts = ", ".join(f"{letter} {won.count(letter)}" for letter in LETTERS)
        text = ",".join(map(str, tricks))
        yield InputError(f"{counts} by these letters, expected tricks={text} as given", field="won")


class _Reader:
    """Reads a session file line by line and keeps everything that is wrong with it."""

    def __init__(self) -> None:
        self._header: dict[str, Any] = {}
        # Without players that can be read, what needs none is checked, by the rules as far as they are known.
        self._checker = _Checker(None, _CLASSIC)
        self._deals: list[SessionDeal] = []
        self._faults: list[InputError] = []
        self._lines = 0

    def read(self, number: int, text: str, error: InputError | None) -> None:
        """Reads a line that says something."""
        first, self._lines = self._lines == 0, self._lines + 1
        try:
            if error:
                raise error
            line = without_comment(text)
            if not first:
                self._read_deal(line, number)
            elif line.lstrip().startswith("{"):
                raise InputError(f"a session is text, not JSON, {_FIRST_LINE}", column=1)
            elif _HEADER.search(line):
                self._read_header(line, number)
            else:
                self._faults.append(InputError(_NO_HEADER, line=number, column=1))
                if _DEAL.search(line):
                    self._read_deal(line, number)
        except InputError as fault:
            self._faults.append(fault.at(line=number))

    def session(self, source: str | None) -> Session:
        """Returns what has been read.

        Raises:
            InputErrors: If anything was wrong.
        """
        if self._lines == 0:
            self._faults.append(InputError(_NO_HEADER))
        elif self._lines == 1 and not self._faults:
            self._faults.append(InputError(_NO_DEALS))
        if self._faults:
            in_order = sorted(self._faults, key=lambda fault: (fault.line or 0, fault.column or 0))
            raise InputErrors([fault.at(source=source) for fault in in_order])
        return Session(self._header["players"], tuple(self._deals), self._header.get("rules", _CLASSIC))

    def _read_header(self, line: str, number: int) -> None:
        blank = _NAME_WITH_BLANK.search(line)
        if blank:
            message = "a name cannot hold a blank, expected names such as players=Ann,Ben,Cat"
            self._faults.append(InputError(message, line=number, column=blank.start("blank") + 1))
            # What stands after the names can still be read.
            line = line[: blank.start()] + " " * len(blank[0]) + line[blank.end() :]
        values, offsets = self._read_fields(line, number, {"players": _read_players, "rules": Rules.parse})
        self._header = values
        if "players" not in offsets and not blank:
            self._faults.append(InputError(_NO_HEADER, line=number, column=1))
        # Tricks are as many by all rules that do not set the targets themselves.
        unknown = "rules" in offsets and "targets" in line
        self._checker = _Checker(values.get("players"), values.get("rules", None if unknown else _CLASSIC))

    def _read_deal(self, line: str, number: int) -> None:
        readers: _Readers = {"dealer": _normal, "tricks": _read_tricks, "won": _read_won}
        values, offsets = self._read_fields(line, number, readers)
        for key in ("dealer", "tricks"):
            # A line without any field of a deal has been told to be none.
            if key not in offsets and offsets:
                message = f"{key}= is missing, expected a deal such as 'dealer=Ann tricks=9,4,3'"
                self._faults.append(InputError(message, line=number, column=1))
        for fault in self._checker.faults(values, number):
            self._faults.append(fault.at(line=number, offset=offsets.get(fault.field, 0)))
        if {"dealer", "tricks"} <= values.keys():
            self._deals.append(SessionDeal(**values, line=number))

    def _read_fields(
        self, line: str, number: int, readers: _Readers
    ) -> tuple[dict[str, Any], dict[str | None, int]]:
        """Returns the values that can be read, and the offsets of all; what is wrong is kept."""

        def keep(fault: InputError) -> None:
            self._faults.append(fault.at(line=number))

        def check(key: str) -> None:
            if key not in readers:
                raise InputError(f"unknown key {quoted(key)}, expected one of {' '.join(readers)}")

        texts, offsets = split_fields(line, 0, check, keep)
        values = {}
        for key, text in texts.items():
            try:
                with shifted(offsets[key]):
                    values[key] = readers[key](text)
            except InputError as fault:
                keep(fault)
        return values, offsets


_Readers = Mapping[str, Callable[[str], Any]]
_HEADER = re.compile(r"(?<!\S)(players|rules)=")
_DEAL = re.compile(r"(?<!\S)(dealer|tricks)=")
# From the names on, as far as words are no fields.
_NAME_WITH_BLANK = re.compile(r"(?<!\S)players=\S*(?P<blank>\s)(?:\s*[^\s=]+(?!\S))+")
_FIRST_LINE = "expected a first line such as 'players=Ann,Ben,Cat rules=classic'"
_NO_HEADER = f"no players, {_FIRST_LINE}"


def _read_players(text: str) -> tuple[str, ...]:
    """Reads the names of three players."""
    players: list[str] = []
    for name, offset in read_list(text, _read_name):
        with shifted(offset):
            _check_new(name, players)
        players.append(name)
    if len(players) != 3:
        raise InputError(f"{len(players)} players, expected three, in clockwise order", column=1)
    return tuple(players)


def _check_players(players: tuple[str, ...]) -> None:
    """Refuses players that no file could name."""
    if len(players) != 3:
        raise InputError(f"{len(players)} players, expected three, in clockwise order")
    for place, name in enumerate(players):
        if not isinstance(name, str) or re.search(r"[\s,]", name) or name != _read_name(name):
            raise InputError(f"{name!r} is no name, expected one without blanks and commas, in normal form C")
        _check_new(name, players[:place])


def _check_new(name: str, players: Iterable[str]) -> None:
    """Refuses a name that is taken, or can be told from another one by capitals only."""
    for other in players:
        if name == other:
            raise InputError(f"{name} plays twice, expected three different players", column=1)
        if name.casefold() == other.casefold():
            raise InputError(f"{name} and {other} differ in capitals only, expected other names", column=1)


def _read_name(text: str) -> str:
    if not text or not text.isprintable() or len(text) > _MAX_NAME:
        raise InputError(
            f"{quoted(text)} is no name, expected 1 to {_MAX_NAME} printable characters", column=1
        )
    return _normal(text)


def _normal(text: str) -> str:
    """Returns a name in one form of those that look the same."""
    return unicodedata.normalize("NFC", text)


def _read_tricks(text: str) -> tuple[int, ...]:
    """Reads the tricks of the players such as ``9,4,3``."""
    if not re.fullmatch(r"[0-9]{1,2}(,[0-9]{1,2}){2}", text):
        raise InputError(f"{quoted(text)} are no tricks, expected three numbers such as 9,4,3", column=1)
    return tuple(map(int, text.split(",")))


def _read_won(text: str) -> str:
    """Reads who won each trick such as ``ABAC``."""
    for place, letter in enumerate(text, start=1):
        if letter.upper() not in LETTERS:
            raise InputError(
                f"{quoted(letter)} is no player, expected A B C for the players in their order", column=place
            )
    return text.upper()
