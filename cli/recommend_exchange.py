"""The command ``recommend exchange``."""

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
    give_option,
    reading,
    trumps_option,
)
from sgtmajor.cli.plotting import plot_option

if TYPE_CHECKING:
    from sgtmajor.advice import Effort
    from sgtmajor.cards import BySeat, Seat, Trump
    from sgtmajor.gifts import Gift
    from sgtmajor.race import Stage
    from sgtmajor.recommend_gifts import ExchangeAdvice, WayToGive
    from sgtmajor.view import View
    from sgtmajor.yardstick import By

CHOICE_COLUMNS = ("give", "received", "stronger")


def _read_up(text: str) -> BySeat[int]:
    from sgtmajor.gifts import check_up, parse_up

    up = parse_up(text)
    check_up(up)
    return up


@click.command(
    "exchange",
    cls=SourceCommand,
    short_help="What to give in the exchange.",
    epilog=examples(
        "sgtmajor recommend exchange --hand AKQJ5.T98.A72.KJ543 --up D:1,L:-1,R:0 --samples 2",
        "sgtmajor recommend exchange --hand AK..J. --pack AKQ.AK.AKJ.AK --up D:+1,L:-1,R:0",
        "sgtmajor recommend exchange 'D:? A.2.. ? up=D:0,L:+1,R:-1' --pack AKQ.AK2..",
    ),
)
@asking_options
@seat_option("the next to give")
@click.option(
    "--up",
    metavar="SCORES",
    callback=reading(_read_up),
    help="The scores of the last deal, by the seats of this one, in place of the record's: D:+3,L:-1,R:-2.",
)
@give_option("What has been given already, as in 'D>L:S2,D>R:H3', in place of the record's.")
@trumps_option
@by_option
@effort_options("ways", "Ways to give to compare, the most promising ones.")
@plot_option("the tricks of the best two")
@format_option("text", "json", "csv")
def exchange_command(
    asked: Asked,
    seat: Seat | None,
    up: BySeat[int] | None,
    give: tuple[Gift, ...] | None,
    trumps: list[Trump],
    by: By,
    effort: Effort,
    plot: str | None,
    form: str,
) -> None:
    """Ranks what a seat can give by what it can expect then, seeing its own cards only.

    up= in the record, or --up, says how the seats of this deal scored in the last one, and so who owes whom
    how many cards. In each sample the exchange is played out; then the announcer names the trump and lays
    aside what looks best to him from his own cards, and that is solved. Another giver asks with the lowest
    card of his shortest suit.

    A record without ? is looked at with the eyes of the seat that asks. A ? stands for what is not seen.
    """
    from sgtmajor.cli.recommend_exchange_text import WaysWriter
    from sgtmajor.recommend_gifts import recommend_exchange

    def work(view: View, progress: Callable[[Stage], None] | None) -> ExchangeAdvice:
        return recommend_exchange(
            view,
            seat=seat,
            by=by,
            trumps=trumps or None,
            facts=asked.facts,
            returned=asked.returned,
            effort=effort,
            progress=progress,
        )

    answer(
        asked.argument(seat or _next_giver(asked, up, give)),
        asked,
        work,
        WaysWriter(),
        _cells,
        CHOICE_COLUMNS,
        form,
        plot,
        up=up,
        give=give,
    )


def _next_giver(asked: Asked, up: BySeat[int] | None, give: tuple[Gift, ...] | None) -> Seat | None:
    """Returns whose hand --hand is if --seat does not say."""
    from sgtmajor.gifts import next_giver
    from sgtmajor.rules import Rules

    return None if up is None else next_giver(up, asked.rules or Rules(), give or ())


def _cells(option: WayToGive) -> dict[str, object]:
    """Returns what is given and what comes back, for CSV."""
    from sgtmajor.race import rounded

    received = " ".join(
        f"{option.gifts[0].giver}<{receiver}:{card}={chance:.3f}"
        for (receiver, card), chance in option.received.items()
    )
    gifts = " ".join(map(str, option.gifts))
    return {"give": gifts, "received": received, "stronger": rounded(option.stronger)}
