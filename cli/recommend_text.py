"""What the command ``recommend`` prints for reading."""

from __future__ import annotations

from collections import Counter
from math import floor

from sgtmajor.cli.reading import Entry
from sgtmajor.cli.render import Column, Table, cards_text, plural, show, signed, trump_text, trumps_text
from sgtmajor.errors import SgtMajorError
from sgtmajor.race import Estimate
from sgtmajor.recommend import Advice, Option

# Rows of the ranking; programs get all of it.
_SHOWN = 10
_BAR = 20


class TextWriter:
    """Prints for each record what is seen, the ranking, and what to choose with its histogram."""

    def __init__(self) -> None:
        self._started = False

    def result(self, entry: Entry, result: Advice) -> None:
        """Prints an advice."""
        if self._started:
            show("")
        self._started = True
        show(_title(entry, result), bold=True)
        show(_conditions(result))
        show("")
        show(_seen(result))
        show("")
        _show_ranking(result)
        show("")
        show(_advice(result), bold=True)
        show("")
        _show_histogram(result)

    def failure(self, entry: Entry, error: SgtMajorError) -> None:
        """Prints nothing: there is nothing but the error."""


def _title(entry: Entry, advice: Advice) -> str:
    name = "" if entry.source is None and entry.id == "1" else f"{entry.id}: "
    rules = advice.rules
    roles = f"{rules.announcer} announces, {advice.leader} leads first"
    return f"{name}{advice.seat} sees {plural(advice.view.size, 'card')}, rules {rules}: {roles}"


def _conditions(advice: Advice) -> list[str]:
    """Returns how the numbers came about, and what they do not know."""
    solved = (
        f"all {plural(advice.deals, 'deal')} that fit were solved: the numbers are exact"
        if advice.exact
        else f"{plural(advice.samples, 'sample')} of {advice.deals} deals that fit (seed {advice.seed})"
    )
    lines = [
        f"Advice from one hand, by {advice.by} of {advice.seat}: {solved}.",
        "Each is solved with all cards open: bluff, and what hiding cards is worth, are not seen.",
    ]
    if advice.seat is not advice.rules.announcer:
        lines.append(
            f"{advice.rules.announcer} is taken to lay aside by rule of thumb;"
            " nothing is concluded from the trump he names."
        )
    elif advice.best.discard is None:
        lines.append("The discard is chosen in each sample with all cards in sight: expect a little less.")
    else:
        compared = max(Counter(option.trump for option in advice.options).values())
        if compared < advice.discards:
            lines.append(
                f"Compared: the {compared} most promising of {advice.discards} discards that differ."
            )
    if advice.view.owed:
        lines.append("The exchange owed by up= has not been made: the hand is taken as written.")
    if advice.target is None:
        targets = "-".join(map(str, advice.rules.targets.values()))
        lines.append(f"No points: targets {targets} are not for {plural(advice.view.size, 'trick')}.")
    if not advice.complete:
        lines.append("INCOMPLETE: time was up before all samples were solved.")
    return lines


def _seen(advice: Advice) -> list[str]:
    kitty = advice.knowledge.kitty
    lines = [f"  {advice.seat}      {cards_text(advice.knowledge.hand)}"]
    return [*lines, f"  kitty  {cards_text(kitty)}"] if kitty else lines


def _show_ranking(advice: Advice) -> None:
    aside = advice.best.discard is not None and advice.seat is advice.rules.announcer
    columns = [Column("trump", left=True)]
    columns += [Column("lay aside", left=True)] if aside else []
    columns += [Column("tricks"), Column("95 %")]
    columns += [Column("points"), Column(f"reaches {advice.target}")] if advice.target is not None else []
    columns += [Column("behind"), Column("samples")]
    rows = [_row(advice, option, aside) for option in advice.ranking[:_SHOWN]]
    table = Table(columns, rows)
    show(table.header(), bold=True)
    show(table.row(row) for row in rows)
    left = len(advice.ranking) - len(rows)
    if left:
        show(f"  ... and {left} more, with --format json")


def _row(advice: Advice, option: Option, aside: bool) -> list[str]:
    cells = [trump_text(option.trump)]
    cells += [cards_text(option.discard or ()) or "-"] if aside else []
    cells += [f"{option.tricks.mean:.2f}", _interval(option.tricks, advice.exact)]
    if advice.target is not None:
        cells += [signed(option.tricks.mean - advice.target), f"{option.reaches_target:.0%}"]
    best = option is advice.best
    return [*cells, "" if best else signed(option.behind.mean), str(len(option.values))]


def _interval(estimate: Estimate, exact: bool) -> str:
    if exact:
        return "exact"
    if estimate.lower is None or estimate.upper is None:
        return "?"
    return f"{estimate.lower:.2f}-{estimate.upper:.2f}"


def _advice(advice: Advice) -> str:
    best, seat = advice.best, advice.seat
    if seat is not advice.rules.announcer:
        return f"{seat} can expect {best.tricks.mean:.2f} tricks with {trumps_text(best.trump)}"
    aside = f", lays aside {cards_text(best.discard)}" if best.discard else ""
    return f"Best: {seat} names {trumps_text(best.trump)}{aside}"


def _show_histogram(advice: Advice) -> None:
    """Prints how often the best option, and the next one, take so many tricks."""
    options = advice.ranking[:2]
    bars = [_bars(option) for option in options]
    tricks = [number for each in bars for number in each]
    columns = [Column("tricks"), *(Column(option_name(advice, option), left=True) for option in options)]
    rows = [
        [str(number), *(each.get(number, "") for each in bars)]
        for number in range(min(tricks), max(tricks) + 1)
    ]
    table = Table(columns, rows)
    show(table.header(), bold=True)
    show(table.row(row) for row in rows)
    if advice.by == "share":
        show("  (shares of a trick rounded down)")


def _bars(option: Option) -> dict[int, str]:
    counts = Counter(map(floor, option.values))
    parts = {tricks: count / len(option.values) for tricks, count in counts.items()}
    return {
        tricks: f"{'#' * max(1, round(_BAR * part)):<{_BAR}} {part:4.0%}" for tricks, part in parts.items()
    }


def option_name(advice: Advice, option: Option) -> str:
    """Writes what tells an option from its rivals: the contract, or the discard."""
    if len({each.trump for each in advice.ranking}) > 1 or not option.discard:
        return trumps_text(option.trump)
    return cards_text(option.discard)
