"""How the commands of ``recommend`` answer: each record, in the format asked for, with a picture."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from sgtmajor.cli.plotting import save_plot

if TYPE_CHECKING:
    from sgtmajor.advice import Answer
    from sgtmajor.cli.asking import Asked
    from sgtmajor.cli.reading import Entry, Writer
    from sgtmajor.cli.recommend_text import TextWriter
    from sgtmajor.errors import SgtMajorError
    from sgtmajor.race import Stage
    from sgtmajor.view import View

A = TypeVar("A", bound="Answer[Any]")
V = TypeVar("V", bound="View")

# CSV has these columns, and between them those of the choice.
FIRST_COLUMNS = ("record", "seat", "rules", "by", "leader", "place")
LAST_COLUMNS = (
    "tricks",
    "lower",
    "upper",
    "points",
    "reaches_target",
    "difference",
    "difference_lower",
    "difference_upper",
    "samples",
    "exact",
    "complete",
)


def answer(
    argument: str,
    asked: Asked,
    work: Callable[[V, Callable[[Stage], None] | None], A],
    text: TextWriter[A],
    choice: Callable[[Any], Mapping[str, object]],
    choice_columns: Sequence[str],
    form: str,
    plot: str | None,
    read: Callable[..., V] | None = None,
    **overrides: Any,
) -> None:
    """Answers each record, or the one made from --hand.

    Args:
        argument: RECORD|FILE|-.
        asked: What the player sees and knows.
        work: Answers what is asked of a view.
        text: Prints answers for reading, and has a name for each option.
        choice: Returns what is chosen by an option for CSV.
        choice_columns: The columns of that.
        form: text, json or csv.
        plot: The picture to draw, if any.
        read: Reads a record as the question needs it; as a view if not given.
        overrides: Fields that take the place of those of each record.
    """
    from sgtmajor.cli.progress import sample_bar
    from sgtmajor.cli.reading import process
    from sgtmajor.cli.writing import CsvWriter, JsonWriter
    from sgtmajor.view import read_view

    def watched(view: V) -> A:
        with sample_bar() as progress:
            return work(view, progress)

    def rows(entry: Entry, advice: A) -> Iterator[dict[str, object]]:
        return _rows(entry, advice, choice)

    reader: Callable[..., Any] = partial(asked.read, read or read_view)
    writer: Writer[A] = text
    if form == "json":
        writer = JsonWriter(lambda advice: advice.to_dict())
    if form == "csv":
        writer = CsvWriter((*FIRST_COLUMNS, *choice_columns, *LAST_COLUMNS), rows)
    process(
        argument,
        watched,
        PlottingWriter(writer, plot, text.name) if plot else writer,
        read=reader,
        only="--plot draws one record, expected no more" if plot else None,
        rules=asked.rules,
        pack=asked.pack,
        **overrides,
    )


class PlottingWriter(Generic[A]):
    """Prints what another writer prints, and draws it, too."""

    def __init__(self, writer: Writer[A], path: str, name: Callable[[A, Any], str]) -> None:
        self._writer = writer
        self._path = path
        self._name = name

    def result(self, entry: Entry, result: A) -> None:
        """Prints an advice; draws it."""
        from sgtmajor.cli.recommend_plot import draw

        self._writer.result(entry, result)
        names = [self._name(result, option) for option in result.ranking]
        save_plot(self._path, lambda axes: draw(axes, result, names))

    def failure(self, entry: Entry, error: SgtMajorError) -> None:
        """Prints that there is no advice."""
        self._writer.failure(entry, error)


def _rows(
    entry: Entry, advice: Answer[Any], choice: Callable[[Any], Mapping[str, object]]
) -> Iterator[dict[str, object]]:
    """Makes a row of each option, best first."""
    from sgtmajor.race import rounded

    for place, option in enumerate(advice.ranking, start=1):
        tricks, behind = option.tricks.rounded(), option.behind.rounded()
        row: dict[str, object] = {
            "record": entry.text,
            "seat": advice.seat,
            "rules": advice.rules,
            "by": advice.by,
            "leader": advice.leader,
            "place": place,
            **choice(option),
            "tricks": tricks.mean,
            "lower": tricks.lower,
            "upper": tricks.upper,
            "difference": behind.mean,
            "difference_lower": behind.lower,
            "difference_upper": behind.upper,
            "samples": len(option.values),
            "exact": str(advice.exact).lower(),
            "complete": str(advice.complete).lower(),
        }
        points = advice.points(option)
        if points is not None:
            row["points"] = rounded(points)
            row["reaches_target"] = round(option.reaches_target, 3)
        yield row
