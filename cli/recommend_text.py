"""What the commands of ``recommend`` print for reading; here what is said of contracts and discards."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from typing import Any, Generic, TypeVar

from sgtmajor.advice import Answer, Worth
from sgtmajor.cli.reading import Entry
from sgtmajor.cli.render import Column, cards_text, plural, show, show_table, signed, trump_text, trumps_text
from sgtmajor.errors import SgtMajorError
from sgtmajor.race import Estimate
from sgtmajor.recommend import Advice, Option

A = TypeVar("A", bound=Answer[Any])

# Rows of the ranking; programs get all of it.
_SHOWN = 10
_BAR = 20
# With fewer samples an answer is not to be relied on: its interval is wider than most options are apart.
FEW_SAMPLES = 20
# Rivals that are named as not told apart from the best.
_NAMED = 3
_ROUNDING = 1e-9


class TextWriter(ABC, Generic[A]):
    """Prints for each record what is seen, the ranking, and what to choose with its histogram."""

    def __init__(self) -> None:
        self._started = False

    def result(self, entry: Entry, result: A) -> None:
        """Prints an advice."""
        if self._started:
            show("")
        self._started = True
        show(self.title(entry, result), bold=True)
        show(self._conditions(result))
        show("")
        show(self.seen(result))
        show("")
        self._show_ranking(result)
        show("")
        show(self.advised(result), bold=True)
        show(f"      {doubt}" for doubt in self._doubts(result))
        show("")
        self._show_histogram(result)

    def failure(self, entry: Entry, error: SgtMajorError) -> None:
        """Prints nothing: there is nothing but the error."""

    # What the commands say in their own words.

    def title(self, entry: Entry, advice: A) -> str:
        """Returns who asks, and by which rules."""
        rules = advice.rules
        roles = f"{rules.announcer} announces, {advice.leader} leads first"
        seen = plural(len(advice.knowledge.seen), "card")
        return f"{entry.prefix}{advice.seat} sees {seen}, rules {rules}: {roles}"

    def seen(self, advice: A) -> list[str]:
        """Returns what the seat sees."""
        return [f"  {advice.seat}      {cards_text(advice.knowledge.hand)}", *kitty_lines(advice, "kitty")]

    @abstractmethod
    def name(self, advice: A, option: Any) -> str:
        """Writes what tells an option from its rivals."""

    @abstractmethod
    def assumptions(self, advice: A) -> list[str]:
        """Returns how the choices were made that the seat that asks does not make, and what was compared."""

    def own_choice(self, advice: A) -> bool:
        """Whether the seat that asks has the choice, and is told of rivals of the best."""
        return True

    @abstractmethod
    def choice_columns(self, advice: A) -> list[Column]:
        """Returns the columns of what is chosen."""

    @abstractmethod
    def choice_cells(self, advice: A, option: Any) -> list[str]:
        """Returns the cells of what is chosen."""

    @abstractmethod
    def advised(self, advice: A) -> str:
        """Returns the answer in a line."""

    @abstractmethod
    def all_deals(self, advice: A) -> str:
        """Returns what follows from all deals that fit having been solved."""

    def _conditions(self, advice: A) -> list[str]:
        """Returns how the numbers came about, and what they do not know."""
        lines = [
            f"Advice from one hand: {self._solved(advice)}.",
            f"Tricks are {_meaning(advice)}, on average.",
            "Each deal is solved with all cards open: bluff, and what hiding cards is worth, are not seen.",
            *self.assumptions(advice),
        ]
        if not advice.knowledge.sees_all_gifts:
            lines.append(
                "What the others gave each other is not known: all deals that fit are taken as equally"
                " likely."
            )
        if advice.target is None:
            targets = "-".join(map(str, advice.rules.targets.values()))
            lines.append(f"No points: targets {targets} are not for {plural(advice.view.size, 'trick')}.")
        if not advice.complete:
            left = advice.entered - len(advice.options)
            unsolved = (
                f"{plural(left, 'option')} of {advice.entered} {'was' if left == 1 else 'were'} looked at"
                if left
                else "all samples were solved"
            )
            lines.append(f"INCOMPLETE: stopped before {unsolved}.")
        return lines

    def _solved(self, advice: A) -> str:
        if not advice.exact:
            return f"{plural(advice.samples, 'sample')} of {advice.deals} deals that fit (seed {advice.seed})"
        solved = (
            "the only deal that fits was" if advice.deals == 1 else f"all {advice.deals} deals that fit were"
        )
        return f"{solved} solved{self.all_deals(advice)}"

    def _show_ranking(self, advice: A) -> None:
        columns = [*self.choice_columns(advice), Column("tricks"), Column("95 %")]
        columns += [Column(_points(advice)), Column(_reaching(advice))] if advice.target is not None else []
        columns += [Column("behind"), *([] if advice.exact else [Column("95 %")]), Column("samples")]
        rows = [
            [*self.choice_cells(advice, option), *_worth_cells(advice, option)]
            for option in advice.ranking[:_SHOWN]
        ]
        show_table(columns, rows)
        left = len(advice.ranking) - len(rows)
        if left:
            show(f"  ... and {left} more, with --format json")
        if any(cell == "?" for row in rows for cell in row):
            show("  (?: a single sample does not say how far off it may be)")

    def _doubts(self, advice: A) -> list[str]:
        """Returns what makes the answer less than firm, a line each."""
        doubts = []
        if not advice.exact and advice.samples < FEW_SAMPLES:
            doubts.append(
                f"only {plural(advice.samples, 'sample')}: not reliable, give --samples {2 * FEW_SAMPLES}"
                " without --seconds, or several times the time"
            )
        rivals = [option for option in advice.ranking[1:] if _is_rival(option, advice.best)]
        if rivals and self.own_choice(advice):
            names = "; ".join(self.name(advice, option) for option in rivals[:_NAMED])
            left = len(rivals) - _NAMED
            names += f" and {left} more" if left > 0 else ""
            doubts.append(f"{'as good' if advice.exact else 'not told apart from it'}: {names}")
        return doubts

    def _show_histogram(self, advice: A) -> None:
        """Prints how often the best option, and the next one, take so many tricks."""
        options = advice.ranking[:2]
        bars = [_bars(option) for option in options]
        tricks = [number for each in bars for number in each]
        columns = [Column("tricks"), *(Column(self.name(advice, option), left=True) for option in options)]
        rows = [
            [str(number), *(each.get(number, "") for each in bars)]
            for number in range(min(tricks), max(tricks) + 1)
        ]
        show_table(columns, rows)
        if advice.by == "share":
            show("  (shares of a trick rounded down)")


class ChoiceWriter(TextWriter[Advice]):
    """Prints advice on contracts and discards."""

    def name(self, advice: Advice, option: Option) -> str:
        """Writes what tells an option from its rivals: the contract, or the discard."""
        if len({each.trump for each in advice.ranking}) > 1 or not option.discard:
            return trumps_text(option.trump)
        return cards_text(option.discard)

    def assumptions(self, advice: Advice) -> list[str]:
        """Returns who lays aside how, and what was compared."""
        lines = []
        if not self.own_choice(advice):
            lines.append(
                f"{advice.rules.announcer} is taken to lay aside by rule of thumb;"
                " nothing is concluded from the trump he names."
            )
        elif advice.best.discard is None:
            if advice.view.kitty_size:
                lines.append(
                    "In each deal the best discard found is laid aside, all cards in sight: expect a little"
                    " less."
                )
        else:
            compared = max(Counter(option.trump for option in advice.options).values())
            if compared < advice.discards:
                most = "most promising one" if compared == 1 else f"{compared} most promising"
                lines.append(f"Compared: the {most} of {advice.discards} discards that differ.")
        if advice.view.owed:
            lines.append("The exchange owed by up= has not been made: the hand is taken as written.")
        return lines

    def own_choice(self, advice: Advice) -> bool:
        """Whether the seat that asks announces."""
        return advice.seat is advice.rules.announcer

    def choice_columns(self, advice: Advice) -> list[Column]:
        """Returns the columns of contract and discard."""
        return [Column("trump", left=True), *([Column("lay aside", left=True)] if _lays(advice) else [])]

    def choice_cells(self, advice: Advice, option: Option) -> list[str]:
        """Returns contract and discard."""
        aside = [cards_text(option.discard or ()) or "-"] if _lays(advice) else []
        return [trump_text(option.trump), *aside]

    def advised(self, advice: Advice) -> str:
        """Returns the answer in a line."""
        best, seat = advice.best, advice.seat
        if not self.own_choice(advice):
            expected = "is sure of" if advice.by == "guaranteed" else "has a share of"
            tricks = [
                f"{option.tricks.mean:.2f} with {trumps_text(option.trump)}" for option in advice.ranking
            ]
            return f"On average {seat} {expected} {', '.join(tricks)}"
        aside = f", lays aside {cards_text(best.discard)}" if best.discard else ""
        return f"Best: {seat} names {trumps_text(best.trump)}{aside}"

    def all_deals(self, advice: Advice) -> str:
        """Returns that the numbers are exact, unless some discards of each deal were left out."""
        return "" if advice.best.discard is None else ": the numbers are exact"


def _lays(advice: Advice) -> bool:
    """Whether options are told by what is laid aside, too."""
    return advice.best.discard is not None and advice.seat is advice.rules.announcer


def _meaning(advice: Answer[Any]) -> str:
    """Says what the yardstick counts."""
    if advice.by == "guaranteed":
        return f"what {advice.seat} is sure of"
    return f"the share of {advice.seat}, guaranteed plus a third of what nobody is sure of"


def kitty_lines(advice: Answer[Any], name: str) -> list[str]:
    """Returns the line of the kitty, or of what it has become, if the seat sees it."""
    kitty = advice.knowledge.kitty
    return [f"  {name:<7}{cards_text(kitty)}"] if kitty else []


def _points(advice: Answer[Any]) -> str:
    """Heads the tricks minus target."""
    return "points at least" if advice.by == "guaranteed" else "points"


def _reaching(advice: Answer[Any]) -> str:
    """Heads the part of the samples that reach the target."""
    return f"sure of {advice.target}" if advice.by == "guaranteed" else f"share {advice.target}+"


def _worth_cells(advice: Answer[Any], option: Worth) -> list[str]:
    """Returns the cells of what an option is worth."""
    cells = [f"{option.tricks.mean:.2f}", _interval(option.tricks, advice.exact)]
    points = advice.points(option)
    if points is not None:
        cells += [signed(points), f"{option.reaches_target:.0%}"]
    best = option is advice.best
    cells.append("" if best else signed(option.behind.mean))
    if not advice.exact:
        cells.append("" if best else _difference_interval(option.behind))
    return [*cells, str(len(option.values))]


def _interval(estimate: Estimate, exact: bool) -> str:
    if exact:
        return "exact"
    if estimate.lower is None or estimate.upper is None:
        return "?"
    return f"{estimate.lower:.2f}-{estimate.upper:.2f}"


def _difference_interval(estimate: Estimate) -> str:
    if estimate.lower is None or estimate.upper is None:
        return "?"
    return f"{signed(estimate.lower)} to {signed(estimate.upper)}"


def _is_rival(option: Worth, best: Worth) -> bool:
    """Whether an option may be as good as the best, for all that the samples tell.

    Of one that was dropped early, as clearly behind, they tell little: it is none unless it is ahead after
    all.
    """
    dropped = len(option.values) < len(best.values) and option.behind.mean < 0
    # Equal means of thirds differ by rounding.
    return not dropped and (option.behind.upper is None or option.behind.upper > -_ROUNDING)


def _bars(option: Worth) -> dict[int, str]:
    counts = option.histogram
    parts = {tricks: count / len(option.values) for tricks, count in counts.items()}
    return {
        tricks: f"{'#' * max(1, round(_BAR * part)):<{_BAR}} {part:4.0%}" for tricks, part in parts.items()
    }
