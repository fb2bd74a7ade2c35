"""What the command ``exchange`` prints for reading."""

from __future__ import annotations

from collections.abc import Sequence

from sgtmajor.cards import BySeat, Card, Seat
from sgtmajor.cli.analyze_text import points_missing, rules_title, value_cells, value_columns
from sgtmajor.cli.reading import CutShort, Entry
from sgtmajor.cli.render import (
    Column,
    cards_text,
    diagram,
    plural,
    show,
    show_table,
    trump_text,
    trumps_text,
)
from sgtmajor.errors import SgtMajorError
from sgtmajor.gifts import Due, Gift
from sgtmajor.giving import Exchange, ExchangeOption
from sgtmajor.ways import Giving

# Ways to give that are listed although nothing is known of them.
_UNDECIDED = 20


class TextWriter:
    """Prints for each deal the hands, what is owed, and a table of the ways to give.

    An exchange that is only played out is printed as comments and the record after it: a file of records.
    """

    def __init__(self) -> None:
        self._started = False

    def result(self, entry: Entry, result: Exchange) -> None:
        """Prints the answer for a record."""
        if result.result:
            show(f"# {line}" for line in _played_out(result.done))
            show(str(result.result))
            return
        if self._started:
            show("")
        self._started = True
        deal = result.record.deal
        show(rules_title(entry, deal.size, result.record.rules, result.record.leader), bold=True)
        show(_conditions(result))
        show("")
        show(diagram(deal.hands, BySeat.of(lambda seat: _role(result, seat)), deal.kitty))
        show("")
        _show_ways(result)
        if result.options:
            show("")
            _show_advice(result)

    def failure(self, entry: Entry, error: SgtMajorError) -> None:
        """Prints the ways to give if time was up before any of them was valued."""
        if isinstance(error, CutShort):
            self.result(entry, error.result)


def _played_out(giving: Giving) -> list[str]:
    """Tells an exchange gift by gift."""
    return [
        f"{gift.giver} gives {cards_text([gift.card])} to {gift.receiver}, {cards_text([back])} comes back"
        for gift, back in zip(giving.gifts, giving.returned, strict=True)
    ]


def _conditions(result: Exchange) -> list[str]:
    seat, announcer = result.seat, result.record.rules.announcer
    lines = [f"Owed: {owed_text(result.owed)}."]
    if result.record.give:
        lines.append(f"Given already: {','.join(map(str, result.record.give))}.")
    givers = (
        f"{seat}, then {result.owed[-1].giver}, who give" if _has_answers(result) else f"{seat}, who gives"
    )
    lines += [
        f"Each seat chooses by its own {result.by}: {givers}, then {announcer}, who announces.",
        "All cards are open: this is an analysis of the whole deal, not advice from one hand.",
    ]
    if result.options:
        lines += points_missing(result.options[0].analysis)
    if not result.complete:
        lines.append(
            f"INCOMPLETE: stopped early. {result.searched} of {result.distinct} ways to give were decided;"
            " there may be a better one."
        )
    return lines


def owed_text(owed: Sequence[Due]) -> str:
    """Writes who has to give how many cards to whom, in order."""
    return ", then ".join(f"{due.giver} gives {plural(due.count, 'card')} to {due.receiver}" for due in owed)


def _has_answers(result: Exchange) -> bool:
    return result.owed[-1].giver is not result.seat


def _role(result: Exchange, seat: Seat) -> str:
    given = sum(due.count for due in result.owed if due.giver is seat)
    got = sum(due.count for due in result.owed if due.receiver is seat)
    roles = [f"gives {given}"] if given else [f"receives {got}"] if got else []
    if seat is result.record.rules.announcer:
        roles.append("announces")
    if seat is result.record.leader:
        roles.append("leads")
    return ", ".join(roles)


def _show_ways(result: Exchange) -> None:
    """Prints the ways to give that were valued, then the first of those that were not decided."""
    columns = [Column(f"{result.seat} gives", left=True), Column("comes back", left=True)]
    if _has_answers(result):
        columns += [Column(f"{result.owed[-1].giver} answers", left=True), Column("comes back", left=True)]
    columns += [Column("trump", left=True), Column("lay aside", left=True)]
    if result.options:
        columns += value_columns(result.options[0].analysis)
    rows = [_option_row(result, option) for option in result.options]
    rows += [[*_gift_cells(result, way), "?"] for way in result.undecided[:_UNDECIDED]]
    cells = [row + [""] * (len(columns) - len(row)) for row in rows]
    show_table(columns, cells)
    more = len(result.undecided) - _UNDECIDED
    if more > 0:
        show(f"  ... and {plural(more, 'way')} more that {'was' if more == 1 else 'were'} not decided")


def _option_row(result: Exchange, option: ExchangeOption) -> list[str]:
    return [
        *_gift_cells(result, option.giving),
        trump_text(option.analysis.best.trump),
        cards_text(option.choice.discard) or "-",
        *value_cells(option.analysis, option.choice),
    ]


def _gift_cells(result: Exchange, giving: Giving) -> list[str]:
    """Returns what each giver gives, and what comes back to him, as far as he has chosen."""
    cells = []
    for giver in dict.fromkeys(due.giver for due in result.owed):
        pairs = [pair for pair in _new_gifts(result, giving) if pair[0].giver is giver]
        gifts = [gift for gift, _ in pairs]
        cells += [
            to_each(gifts, [gift.card for gift in gifts]),
            to_each(gifts, [back for _, back in pairs]),
        ]
    return cells


def _new_gifts(result: Exchange, giving: Giving) -> list[tuple[Gift, Card]]:
    """Returns the gifts that had not been given already, each with the card that comes back."""
    pairs = list(zip(giving.gifts, giving.returned, strict=True))
    return pairs[len(result.done.gifts) :]


def to_each(gifts: Sequence[Gift], cards: Sequence[Card]) -> str:
    """Writes cards by the receiver of the gift that they belong to, who is named if there are two."""
    receivers = list(dict.fromkeys(gift.receiver for gift in gifts))
    texts = [
        cards_text(card for gift, card in zip(gifts, cards, strict=True) if gift.receiver is receiver)
        for receiver in receivers
    ]
    if len(receivers) < 2:
        return "".join(texts)
    return ", ".join(f"{receiver} {text}" for receiver, text in zip(receivers, texts, strict=True))


def _show_advice(result: Exchange) -> None:
    best, seat = result.options[0], result.seat
    assert seat is not None, "an exchange with options has a seat that decides"
    new = _new_gifts(result, best.giving)
    own = [gift for gift, _ in new if gift.giver is seat]
    gifts = to_each(own, [gift.card for gift in own])
    answer = [gift for gift, _ in new if gift.giver is not seat]
    values = best.choice.values
    aside = f", lays aside {cards_text(best.choice.discard)}" if best.choice.discard else ""
    so_far = "" if result.complete else " so far"
    show(f"Best{so_far}: {seat} gives {gifts}", bold=True)
    if answer:
        show(f"      then {answer[0].giver} gives {to_each(answer, [gift.card for gift in answer])}")
    show(
        f"      then {result.record.rules.announcer} names {trumps_text(best.analysis.best.trump)}{aside};"
        f" {seat} is sure of {plural(values.guaranteed[seat], 'trick')}, share {values.share[seat]:.2f}"
    )
    hidden = result.searched - len(result.options)
    if hidden:
        show(f"Not shown: {plural(hidden, 'way')} to give that {'is' if hidden == 1 else 'are'} not better")
