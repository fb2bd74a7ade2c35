"""What the command ``stats`` prints for reading."""

from __future__ import annotations

from collections.abc import Sequence

from sgtmajor.cards import Seat, Trump
from sgtmajor.cli.render import Column, plural, seat_columns, show, show_table, signed, trump_text
from sgtmajor.stats import ALL, BEST, EXPECTED, MANY_TRICKS, NUMBERS, SeatCounts, Tally


def show_tally(tally: Tally) -> None:
    """Prints what was counted."""
    failed = f", {tally.failed} failed" if tally.failed else ""
    cut_short = f", {tally.cut_short} cut short and left out" if tally.cut_short else ""
    over = f", {tally.over} of plays that are over" if tally.over else ""
    show(f"{plural(tally.answers, 'answer')}{failed}{cut_short}{over}, all cards open", bold=True)
    show("")
    _show_means(tally)
    show("")
    _show_distribution(tally)
    show("")
    show(_sentences(tally))


def _name(group: str) -> str:
    return group if group in (ALL, BEST) else trump_text(Trump.parse(group))


def _show_means(tally: Tally) -> None:
    """Prints a row for each trump."""
    scored = any(counts.D.scored for counts in tally.groups.values())
    names = _counted(NUMBERS, tally.groups[ALL])
    columns = [
        Column("trump", left=True),
        Column("records"),
        *(column for name in names for column in seat_columns(name, 5)),
        *(seat_columns("points by share", 5) if scored else ()),
    ]
    rows = [[_name(group), *_means(tally.groups[group], names, scored)] for group in tally.names()]
    show_table(columns, rows)


def _counted(names: Sequence[str], counts: SeatCounts) -> list[str]:
    """Returns the names of some numbers, and of the equilibrium if answers have it."""
    return [*names, *([EXPECTED] if counts.D.counted[EXPECTED] else [])]


def _means(counts: SeatCounts, names: Sequence[str], scored: bool) -> list[str]:
    cells = [str(counts.D.records)]
    for name in names:
        cells += [f"{count.mean(name):.2f}" if count.counted[name] else "" for count in counts.values()]
    if scored:
        points = [count.mean_points for count in counts.values()]
        cells += ["" if each is None else signed(each) for each in points]
    return cells


def _show_distribution(tally: Tally) -> None:
    """Prints how often each number of tricks came, over the best trump of each deal if that is known."""
    group = BEST if BEST in tally.groups else ALL
    counts = tally.groups[group]
    tricks = [number for count in counts.values() for by in count.tricks.values() for number in by]
    names = _counted(("guaranteed", "share"), counts)
    titles = [name if name == "guaranteed" else f"{name}, rounded down" for name in names]
    columns = [Column("tricks"), *(column for title in titles for column in seat_columns(title, 5))]
    rows = []
    for number in range(min(tricks), max(tricks) + 1):
        cells = [
            _percent(count.tricks[name][number], count.counted[name])
            for name in names
            for count in counts.values()
        ]
        if any(cells):
            rows.append([str(number), *cells])
    if counts.D.scored:
        rows.append(["target", *(cell for name in names for cell in _reached(counts, name))])
    of = "the trump of each deal that is best for the announcer by share" if group == BEST else "all answers"
    show(f"How often, of {of}" + ("; target: as many or more" if counts.D.scored else ""), bold=True)
    show_table(columns, rows)


def _reached(counts: SeatCounts, name: str) -> list[str]:
    return [
        (_percent(count.reached[name], count.scored[name]) or "0%") if count.scored[name] else ""
        for count in counts.values()
    ]


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f}%" if part else ""


def _sentences(tally: Tally) -> list[str]:
    """Says what is left to say."""
    counts = tally.groups[BEST if BEST in tally.groups else ALL]
    lines = []
    expected, records = (tally.groups[ALL].D.counted[name] for name in (EXPECTED, "share"))
    if 0 < expected < records:
        lines.append(f"The equilibrium is that of {expected} of {plural(records, 'record')} only")
    if tally.most >= MANY_TRICKS:
        many = ", ".join(
            f"{seat} {count.many('guaranteed')} and {count.many('share')}" for seat, count in counts.items()
        )
        lines.append(f"{MANY_TRICKS} tricks or more, guaranteed and by share: {many}")
    longest = tally.longest
    if longest.records:
        part = _percent(longest.agrees, longest.records) or "0%"
        lines.append(
            f"A best trump is the announcer's longest suit in {part} of {plural(longest.records, 'deal')};"
            f" naming the longest costs {longest.loss / longest.records:.2f} tricks by share"
        )
    gains = tally.lead_gains()
    if gains:
        each = ", ".join(f"{seat} {signed(gain)}" for seat, gain in gains.items())
        lines.append(f"Share of a seat that leads against that when another leads: {each}")
    else:
        leaders = " ".join(str(seat) for seat in Seat if seat in tally.leads)
        lines.append(f"Always led by {leaders}: what the lead is worth cannot be seen")
    if tally.choice.records:
        mean, worst = (
            total / tally.choice.records for total in (tally.choice.over_mean, tally.choice.over_worst)
        )
        lines.append(
            f"The best card to lead against a random one {signed(mean)}, against the worst {signed(worst)},"
            f" by share, in {plural(tally.choice.records, 'position')}"
        )
    return lines
