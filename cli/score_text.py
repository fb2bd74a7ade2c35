"""What the command ``score`` prints for reading."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from sgtmajor.cli.render import Column, plural, show, show_table
from sgtmajor.session import LETTERS, Score

# Of the chart, without its scale.
_WIDTH = 72
_HEIGHT = 12
_WIDEST = 4

_HOW = {
    "instant win": "at once, by the tricks of the last deal",
    "total": "by total",
    "last deal": "by the points of the last deal, level on total",
    "last trick": "by the last trick of the last deal, all three being level",
    "latest trick": "by the latest trick won in the last deal, level on total and on its points",
}


def show_score(score: Score) -> None:
    """Prints a session: a table of the deals, a chart of the totals, who deals next and who has won."""
    session = score.session
    show(f"{plural(len(score.deals), 'deal')}, rules {session.rules}", bold=True)
    show("")
    _show_deals(score)
    show("")
    series = [[0, *(deal.totals[player] for deal in score.deals)] for player in session.players]
    show(chart(series))
    legend = "   ".join(f"{letter} {player}" for letter, player in zip(LETTERS, session.players, strict=True))
    show(["", f"  {legend}   * several", ""])
    if score.next_dealer:
        show(f"Next: {score.next_dealer} deals; {_owed_text(score)}.")
    show(_verdict(score), bold=True)


def _show_deals(score: Score) -> None:
    players = score.session.players
    columns = [Column("deal"), Column("dealer", left=True)]
    for group in ("tricks", "points", "total"):
        columns += [Column(player, group if player is players[0] else "") for player in players]
    columns.append(Column("owed next", left=True))
    rows = [
        [
            str(number),
            each.deal.dealer,
            *map(str, each.deal.tricks),
            *_signed(each.points, players),
            *_signed(each.totals, players),
            ", ".join(map(str, each.exchange)) or "-",
        ]
        for number, each in enumerate(score.deals, start=1)
    ]
    show_table(columns, rows)
    if score.session.rules.exchange == "after":
        show("  (owed next only if a suit is announced)")


def _signed(points: Mapping[str, int], players: Sequence[str]) -> list[str]:
    return [f"{points[player]:+d}" if points[player] else "0" for player in players]


def _owed_text(score: Score) -> str:
    rules = score.session.rules
    debts = score.deals[-1].exchange
    if rules.exchange == "none":
        return "there is no exchange"
    if not debts:
        return "nobody owes cards"
    suits_only = " if a suit is announced" if rules.exchange == "after" else ""
    return ", then ".join(map(str, debts)) + suits_only


def _verdict(score: Score) -> str:
    if score.winner is None or score.decided_by is None:
        return f"No winner: {score.undecided}"
    total = score.deals[-1].totals[score.winner]
    verdict = f"{score.winner} wins with {total:+d}, {_HOW[score.decided_by]}"
    return verdict if score.next_dealer is None else f"If it ends here, {verdict}"


def chart(series: Sequence[Sequence[int]]) -> list[str]:
    """Draws lines of points over deals in letters that any terminal has: A, B, C, and * where they meet.

    Long series are thinned out, and high ones scaled, until they fit.

    Args:
        series: For each player his total before the first deal, after it, and so on.
    """
    # The last total is always shown, the others in equal steps back from it.
    step = -(-len(series[0]) // _WIDTH)
    thinned = [list(reversed(line[::-1][::step])) for line in series]
    count = len(thinned[0])
    apart = max(1, min(_WIDEST, _WIDTH // count))
    top, bottom = max(map(max, thinned)), min(map(min, thinned))
    unit = max(1, -(-(top - bottom) // _HEIGHT))
    levels = range(-(-top // unit), bottom // unit - 1, -1)
    rows = {level: [" "] * (apart * (count - 1) + 1) for level in levels}
    rows[0] = ["-"] * len(rows[0])
    for line in thinned:
        _draw_between(rows, line, apart, unit)
    for place in range(count):
        marks: dict[int, str] = {}
        for letter, line in zip(LETTERS, thinned, strict=True):
            level = round(line[place] / unit)
            marks[level] = "*" if level in marks else letter
        for level, mark in marks.items():
            rows[level][place * apart] = mark
    scale = {level: f"{level * unit:+d}" if level else "0" for level in levels}
    width = max(map(len, scale.values()))
    return [f"  {scale[level]:>{width}} |{''.join(row)}".rstrip() for level, row in rows.items()]


def _draw_between(rows: dict[int, list[str]], line: Sequence[int], apart: int, unit: int) -> None:
    """Draws dots from each point of a line to the next."""
    for place, (start, end) in enumerate(pairwise(line)):
        for offset in range(1, apart):
            level = round((start + (end - start) * offset / apart) / unit)
            rows[level][place * apart + offset] = "."
