"""What the command ``analyze`` prints for reading."""

from __future__ import annotations

from sgtmajor.cards import BySeat, Seat
from sgtmajor.cli.reading import CutShort, Entry
from sgtmajor.cli.render import (
    Column,
    cards_text,
    diagram,
    plural,
    seat_columns,
    show,
    show_table,
    signed,
    trump_text,
    trumps_text,
)
from sgtmajor.cli.solve_text import number_cells, number_columns
from sgtmajor.errors import SgtMajorError
from sgtmajor.kitty import ContractReport, DiscardValue
from sgtmajor.rules import Rules
from sgtmajor.trump import Analysis


class TextWriter:
    """Prints for each deal the hands, a table of the contracts, and what to name."""

    def __init__(self) -> None:
        self._started = False

    def result(self, entry: Entry, result: Analysis) -> None:
        """Prints an analysis."""
        if self._started:
            show("")
        self._started = True
        show(rules_title(entry, result.deal.size, result.rules, result.leader), bold=True)
        show(_conditions(result))
        show("")
        show(diagram(result.deal.hands, BySeat.of(lambda seat: _role(result, seat)), result.deal.kitty))
        show("")
        best = result.best.best
        assert best is not None, "an analysis that found nothing is a failure"
        _show_contracts(result)
        show("")
        _show_advice(result, best)

    def failure(self, entry: Entry, error: SgtMajorError) -> None:
        """Prints what there is of the analysis, if there is anything but the error."""
        if isinstance(error, CutShort):
            self.result(entry, error.result)


def rules_title(entry: Entry, size: int, rules: Rules, leader: Seat) -> str:
    """Returns the heading of a report on a whole deal: its name, its size and its rules."""
    tricks = plural(size, "trick")
    return f"{entry.prefix}{tricks}, rules {rules}: {rules.announcer} announces, {leader} leads first"


def points_missing(analysis: Analysis) -> list[str]:
    """Returns a line that says why there are no points, if there are none."""
    if analysis.has_points:
        return []
    targets = "-".join(map(str, analysis.rules.targets.values()))
    return [f"No points: targets {targets} are not for {plural(analysis.deal.size, 'trick')}."]


def _conditions(analysis: Analysis) -> list[str]:
    seat = analysis.rules.announcer
    lines = [
        f"Contracts and discards are ranked by {analysis.by} of {seat}.",
        "All cards are open: this is an analysis of the whole deal, not advice from one hand.",
    ]
    if analysis.by == "equilibrium":
        numbers = sorted({contract.compared for contract in analysis.contracts})
        several = "-".join(map(str, dict.fromkeys([numbers[0], numbers[-1]])))
        lines.append(
            f"Candidates: only {several} discards a contract were compared, those that lead by share and by"
            f" guaranteed. Ties: {analysis.ties}."
        )
    if analysis.owed:
        lines.append("The exchange owed by up= has not been made: the hands are analyzed as written.")
    if analysis.no_trump:
        lines.append(f"No trump is analyzed without the exchange (exchange=after): {analysis.no_trump}")
    lines += points_missing(analysis)
    if not analysis.complete:
        lines += _incomplete(analysis)
    return lines


def _incomplete(analysis: Analysis) -> list[str]:
    """Returns why an analysis is not complete, and what that means."""
    reason = "not every candidate fits into the memory" if analysis.refused else "time was up"
    lines = [f"INCOMPLETE: {reason}. This is the best found so far, not proven to be the best."]
    if any(contract.compared < contract.candidates for contract in analysis.contracts):
        lines.append("Where there is no equilibrium, the share stands in for it.")
    return lines


def _role(analysis: Analysis, seat: Seat) -> str:
    roles = []
    if seat is analysis.rules.announcer:
        roles.append("announces")
    if seat is analysis.leader:
        roles.append("leads")
    return ", ".join(roles)


def _show_contracts(analysis: Analysis) -> None:
    columns = [Column("trump", left=True), Column("lay aside", left=True)]
    if not analysis.complete:
        columns.append(Column("decided"))
    columns += value_columns(analysis)
    rows = [row for contract in analysis.contracts for row in _contract_rows(analysis, contract)]
    cells = [row + [""] * (len(columns) - len(row)) for row in rows]
    show_table(columns, cells)


def _contract_rows(analysis: Analysis, contract: ContractReport) -> list[list[str]]:
    """Returns the row of a contract, and one for each alternative."""
    decided = [] if analysis.complete else [f"{contract.searched}/{contract.distinct}"]
    name = trump_text(contract.trump)
    if contract.best is None:
        return [[name, "?", *decided]]
    found = [(name, decided, contract.best), *(("", [""] * len(decided), v) for v in contract.alternatives)]
    return [
        [name, cards_text(value.discard) or "-", *decided, *value_cells(analysis, value)]
        for name, decided, value in found
    ]


def value_columns(analysis: Analysis) -> list[Column]:
    """Returns the columns of three numbers by seat, or four, and of points if there are any."""
    expected = analysis.by == "equilibrium"
    by = "equilibrium" if expected else "share"
    points = seat_columns(f"points by {by}", 5) if analysis.has_points else []
    return [*number_columns(equilibrium=expected), *points]


def value_cells(analysis: Analysis, value: DiscardValue) -> list[str]:
    """Returns the cells of the columns of :func:`value_columns`."""
    points = analysis.points(value)
    numbers = number_cells(value.values, equilibrium=analysis.by == "equilibrium")
    return [*numbers, *(map(signed, points.values()) if points else ())]


def _show_advice(analysis: Analysis, best: DiscardValue) -> None:
    seat = analysis.rules.announcer
    values = best.values
    aside = f", lays aside {cards_text(best.discard)}" if best.discard else ""
    so_far = "" if analysis.complete else " so far"
    show(f"Best{so_far}: {seat} names {trumps_text(analysis.best.trump)}{aside}", bold=True)
    expected = f" equilibrium {values.equilibrium[seat]:.2f}," if values.equilibrium else ""
    worth = (
        f"sure of {plural(values.guaranteed[seat], 'trick')}, share {values.share[seat]:.2f},{expected}"
        f" at most {values.ceiling[seat]}"
    )
    points = analysis.points(best)
    target = f"; target {analysis.rules.targets[seat]}: {signed(points[seat])}" if points else ""
    show(f"      {worth}{target}")
    others = [(contract, contract.best) for contract in analysis.contracts[1:] if contract.best is not None]
    if others:
        losses = "   ".join(
            f"{trump_text(contract.trump)} {_difference(analysis, found, best)}" for contract, found in others
        )
        show(f"Then: {losses}   ({analysis.by} of {seat} against the best)")
    unknown = [trump_text(contract.trump) for contract in analysis.contracts if contract.best is None]
    if unknown:
        show(f"Not looked at: {' '.join(unknown)}")


def _difference(analysis: Analysis, value: DiscardValue, best: DiscardValue) -> str:
    """Writes what a discard loses against the best by the yardstick."""
    seat = analysis.rules.announcer
    if analysis.by == "equilibrium":
        standing, highest = value.values.equilibrium, best.values.equilibrium
        if standing is None or highest is None:
            return "not compared"
        loss = standing[seat] - highest[seat]
    elif analysis.by == "guaranteed":
        loss = value.values.guaranteed[seat] - best.values.guaranteed[seat]
    else:
        loss = value.values.share[seat] - best.values.share[seat]
    return f"{loss:+.2f}" if abs(loss) > 1e-8 else "as good"
