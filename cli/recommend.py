"""The group ``recommend`` and its commands ``recommend trump`` and ``recommend discard``."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from sgtmajor.cli.advising import answer
from sgtmajor.cli.asking import Asked, asking_options, effort_options, kitty_option, seat_option
from sgtmajor.cli.options import (
    SourceCommand,
    by_option,
    examples,
    format_option,
    trump_option,
    trumps_option,
)
from sgtmajor.cli.plotting import plot_option
from sgtmajor.cli.recommend_card import card_command
from sgtmajor.cli.recommend_exchange import exchange_command

if TYPE_CHECKING:
    from sgtmajor.advice import Effort
    from sgtmajor.cards import Hand, Seat, Trump
    from sgtmajor.race import Stage
    from sgtmajor.recommend import Advice, Option
    from sgtmajor.view import View
    from sgtmajor.yardstick import By

CHOICE_COLUMNS = ("trump", "discard")


@click.group(
    "recommend",
    invoke_without_command=True,
    short_help="Advise a player from his own hand.",
    epilog=examples(
        "sgtmajor recommend trump --hand AK..J. --pack AKQ.AK.AKJ.AK",
        "sgtmajor recommend discard --hand AK..J. --pack AKQ.AK.AKJ.AK --trump S",
        "sgtmajor recommend exchange --hand AK..J. --pack AKQ.AK.AKJ.AK --up D:+1,L:-1,R:0",
        "sgtmajor recommend card --hand AK.2.. --trump S --pack AKQJ.AKQ2.A. --samples 20",
    ),
)
@click.pass_context
def command(context: click.Context) -> None:
    """Advises a player who sees his own cards only.

    The unseen cards are dealt in all ways that fit what he knows; samples of these deals are solved, each
    with all cards open. So the advice cannot see bluff, or what hiding cards is worth.
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


@command.command(
    "trump",
    cls=SourceCommand,
    short_help="Which trump to name.",
    epilog=examples(
        "sgtmajor recommend trump --hand AKQJ5.T98.A72.KJ543 --samples 2",
        "sgtmajor recommend trump --hand AK..J. --pack AKQ.AK.AKJ.AK",
        "sgtmajor recommend trump --hand AK..J. --pack AKQ.AK.AKJ.AK --seat L --trump S",
        "sgtmajor recommend trump 'D:A.J.. ? ?' --holds L:HK --lacks 'R:H>Q' --pack AKQ.AKJ..",
    ),
)
@asking_options
@seat_option("the announcer")
@trumps_option
@by_option
@effort_options("discards", "Discards to compare for each contract, the most promising ones.")
@plot_option("the tricks of the best two")
@format_option("text", "json", "csv")
def trump_command(
    asked: Asked,
    seat: Seat | None,
    trumps: list[Trump],
    by: By,
    effort: Effort,
    plot: str | None,
    form: str,
) -> None:
    """Ranks the contracts by what the announcer can expect, seeing his own cards only.

    Each contract comes with the discard that is best on average. Under pickup rules the discard is chosen
    when the kitty is known, so only the contracts are ranked. Another seat may ask what it can expect (--seat
    L).

    A record without ? is looked at with the eyes of the seat that asks. A ? stands for what is not seen.
    """
    from sgtmajor.cli.recommend_text import ChoiceWriter
    from sgtmajor.recommend import recommend_trump

    def work(view: View, progress: Callable[[Stage], None] | None) -> Advice:
        return recommend_trump(
            view,
            seat=seat,
            by=by,
            trumps=trumps or None,
            facts=asked.facts,
            returned=asked.returned,
            effort=effort,
            progress=progress,
        )

    answer(asked.argument(seat), asked, work, ChoiceWriter(), _cells, CHOICE_COLUMNS, form, plot)


@command.command(
    "discard",
    cls=SourceCommand,
    short_help="What to lay aside.",
    epilog=examples(
        "sgtmajor recommend discard --hand AKQJ5.T98.A72.KJ543 --trump S --samples 2",
        "sgtmajor recommend discard --hand AK..J. --pack AKQ.AK.AKJ.AK --trump S",
        "sgtmajor recommend discard 'D:A... ? ? K:.A.. trump=S rules=pickup' --pack AKQ.A..",
    ),
)
@asking_options
@kitty_option
@trump_option
@by_option
@effort_options("discards", "Discards to compare for each contract, the most promising ones.")
@plot_option("the tricks of the best two")
@format_option("text", "json", "csv")
def discard_command(
    asked: Asked,
    kitty: Hand | None,
    trump: Trump | None,
    by: By,
    effort: Effort,
    plot: str | None,
    form: str,
) -> None:
    """Ranks what the announcer can lay aside, seeing his own cards, and under pickup rules the kitty, too.

    One discard has to serve for all samples. A record without ? is looked at with the eyes of the announcer.
    """
    from sgtmajor.cli.recommend_text import ChoiceWriter
    from sgtmajor.recommend import recommend_discard

    def work(view: View, progress: Callable[[Stage], None] | None) -> Advice:
        return recommend_discard(
            view,
            trump=trump,
            by=by,
            facts=asked.facts,
            returned=asked.returned,
            effort=effort,
            progress=progress,
        )

    answer(asked.argument(None, kitty), asked, work, ChoiceWriter(), _cells, CHOICE_COLUMNS, form, plot)


def _cells(option: Option) -> dict[str, object]:
    """Returns what is chosen, for CSV."""
    return {"trump": option.trump, "discard": " ".join(map(str, option.discard or ()))}


command.add_command(exchange_command)
command.add_command(card_command)
