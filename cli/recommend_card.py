"""The command ``recommend card``."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from sgtmajor.cli.advising import answer
from sgtmajor.cli.asking import Asked, asking_options, effort_options, seat_option
from sgtmajor.cli.options import (
    SourceCommand,
    by_option,
    examples,
    format_option,
    reading,
    trump_option,
)
from sgtmajor.cli.plotting import plot_option

if TYPE_CHECKING:
    from sgtmajor.advice import Effort
    from sgtmajor.cards import Card, Seat, Trump
    from sgtmajor.moment import Moment
    from sgtmajor.race import Stage
    from sgtmajor.recommend_play import CardAdvice, CardOption
    from sgtmajor.yardstick import By

CHOICE_COLUMNS = ("card", "equals")


def _read_play(text: str) -> tuple[Card, ...]:
    from sgtmajor.play import parse_play

    return parse_play(text)


@click.command(
    "card",
    cls=SourceCommand,
    short_help="Which card to play.",
    epilog=examples(
        "sgtmajor recommend card 'D:? A5.K2.. ? trump=S play=HA' --pack AKQJ5.AKQ2.AKQ.",
        "sgtmajor recommend card --hand AK.2.. --trump S --pack AKQJ.AKQ2.A. --samples 20",
        "sgtmajor recommend card 'D:A5.QJ.K. 84.K.A9. K.T8.J4. trump=S lead=L play=S8,SK'",
    ),
)
@asking_options
@seat_option("the announcer; for --hand only, as in a record it is the seat whose turn it is")
@trump_option
@click.option(
    "--play",
    metavar="CARDS",
    callback=reading(_read_play),
    help="The cards played so far, in order, in place of the record's: SA,S3,S2,HK.",
)
@by_option
@effort_options(seconds=5)
@plot_option("the tricks of the best two")
@format_option("text", "json", "csv")
def card_command(
    asked: Asked,
    seat: Seat | None,
    trump: Trump | None,
    play: tuple[Card, ...] | None,
    by: By,
    effort: Effort,
    plot: str | None,
    form: str,
) -> None:
    """Ranks the cards of the seat whose turn it is by what it can expect, seeing its own cards only.

    It sees its hand and the cards played, and knows that who did not follow suit has none left; the announcer
    knows what he has laid aside. The hand is written as it was before the first card of play=. In a record
    without ? the other hands are not looked at.

    What --lacks says is true now: a card that was played before may be one of those. K of --holds and --lacks
    is what was laid aside. Tricks are those of the whole deal, with those taken before.
    """
    from sgtmajor.cli.recommend_card_text import CardsWriter
    from sgtmajor.errors import InputError
    from sgtmajor.moment import read_moment
    from sgtmajor.recommend_play import recommend_card

    def work(moment: Moment, progress: Callable[[Stage], None] | None) -> CardAdvice:
        if seat not in (None, moment.asker):
            raise InputError(f"--seat {seat}: it is the turn of {moment.asker}")
        return recommend_card(
            moment, by=by, facts=asked.facts, returned=asked.returned, effort=effort, progress=progress
        )

    answer(
        asked.argument(seat),
        asked,
        work,
        CardsWriter(),
        _cells,
        CHOICE_COLUMNS,
        form,
        plot,
        read_moment,
        trump=trump,
        play=play,
    )


def _cells(option: CardOption) -> dict[str, object]:
    """Returns the card, and those that do the same, for CSV."""
    return {"card": option.card, "equals": " ".join(map(str, option.equals))}
