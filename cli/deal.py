"""The command ``deal``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Literal

import click

from sgtmajor.cli.options import (
    TRUMP_LETTERS,
    examples,
    format_option,
    offering,
    reading,
    rules_option,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sgtmajor.cards import Hand, Seat, Trump
    from sgtmajor.condition import Condition
    from sgtmajor.record import Record
    from sgtmajor.rules import Rules

ANY: Literal["any"] = "any"


def _read_condition(text: str) -> Condition:
    from sgtmajor.condition import Condition
    from sgtmajor.errors import InputError

    try:
        return Condition.parse(text)
    except InputError as error:
        # Options are told what is wrong without the place.
        raise InputError(str(error)) from None


def _read_trump(text: str) -> Trump | Literal["any"]:
    from sgtmajor.cards import Trump

    return ANY if text == ANY else Trump.parse(text)


def _read_lead(text: str) -> Seat | Literal["any"]:
    from sgtmajor.cards import Seat

    return ANY if text == ANY else Seat.parse(text)


def _read_fixed(texts: tuple[str, ...]) -> Mapping[str, Hand]:
    """Reads what is fixed: cards or hands by place."""
    from sgtmajor.cards import Hand, parse_cards
    from sgtmajor.condition import PLACES
    from sgtmajor.errors import InputError
    from sgtmajor.reading import quoted

    fixed: dict[str, Hand] = {}
    for text in texts:
        place, colon, cards = text.partition(":")
        place = place.strip().upper()
        if not colon or place not in PLACES:
            raise InputError(
                f"{quoted(text)} fixes nothing, expected a place D L R K, a colon and cards: D:SA,SK"
            )
        hand = Hand.parse(cards) if "." in cards else Hand.of(parse_cards(cards))
        fixed[place] = fixed.get(place, Hand()) | hand
    return fixed


@click.command(
    "deal",
    short_help="Deal at random, with conditions.",
    epilog=examples(
        "sgtmajor deal 3 --seed 1",
        "sgtmajor deal 3 --seed 1 --where 'D.spades >= 6 and 2 <= L.hearts <= 4'",
        "sgtmajor deal 3 --seed 1 --fix D:AKQJ5.T98.A72.KJ543 --fix K:S2",
        "sgtmajor deal 5 --seed 1 --cards 5 --trump any --lead any",
        "sgtmajor deal 2 --seed 1 --trump S --played 20 | sgtmajor solve -",
    ),
)
@click.argument("number", metavar="N", type=click.IntRange(1, sys.maxsize))
@click.option(
    "--seed",
    metavar="S",
    required=True,
    type=int,
    help="The same seed gives the same deals on every machine and with every version.",
)
@click.option(
    "--where",
    "condition",
    metavar="CONDITION",
    callback=reading(_read_condition),
    help="What has to hold: spades hearts diamonds clubs, hcp (A 4, K 3, Q 2, J 1), longest and shortest"
    " suit, and has(SA), of D L R and K, the kitty; compared by < <= == != >= >; joined by and, or, not.",
)
@click.option(
    "--fix",
    "fixed",
    metavar="PLACE:CARDS",
    multiple=True,
    callback=reading(_read_fixed),
    help="Cards, or a hand, that lie there for certain: D:SA,SK or D:AKQ5.T98.A72.KJ5432; K is the kitty. May"
    " be repeated.",
)
@click.option(
    "--cards",
    metavar="N",
    type=click.IntRange(1, 17),
    default=16,
    show_default=True,
    help="Cards a hand: fewer make endings, for which the other cards are gone.",
)
@click.option(
    "--kitty", metavar="N", type=click.IntRange(0, 6), help="Cards of the kitty.  [default: 4 of 52, else 0]"
)
@click.option("--hide-kitty", is_flag=True, help="Do not write the kitty.")
@click.option(
    "--trump",
    metavar="TRUMP|any",
    callback=reading(_read_trump),
    shell_complete=offering(*TRUMP_LETTERS, ANY),
    help="S H D C N, or any of the contracts of the rules at random.",
)
@click.option(
    "--lead",
    metavar="SEAT|any",
    callback=reading(_read_lead),
    shell_complete=offering("D", "L", "R", ANY),
    help="Who leads: D L R, or any at random.  [default: by the rules]",
)
@click.option(
    "--played",
    metavar="N",
    type=click.IntRange(0),
    default=0,
    show_default=True,
    help="Cards that have been played: random legal ones.",
)
@rules_option
@format_option("text", "json")
def command(
    number: int,
    seed: int,
    condition: Condition | None,
    fixed: Mapping[str, Hand],
    cards: int,
    kitty: int | None,
    hide_kitty: bool,
    trump: Trump | Literal["any"] | None,
    lead: Seat | Literal["any"] | None,
    played: int,
    rules: Rules | None,
    form: str,
) -> None:
    """Deals N random deals, one record a line, each as likely as any other that fits.

    Fixed cards, and suit lengths that have to hold, are dealt as they must be. Other conditions are tried
    until they hold; how many deals that took is told on stderr. If nothing can match, or too little does, it
    is an error.

    The deals of a seed do not depend on N, nor on trump, lead and what is played.
    """
    from itertools import islice

    from sgtmajor.cli.main import complain
    from sgtmajor.cli.progress import on_terminal, record_bar
    from sgtmajor.dealing import Dealer, Setting, Wanted, records_of
    from sgtmajor.rules import PRESETS

    dealer = Dealer(Wanted(cards, kitty, fixed, condition), seed)
    setting = Setting(trump, lead, rules or PRESETS["classic"], played)
    try:
        with record_bar(lambda: number, alone=not on_terminal()) as watch:
            for record in islice(records_of(dealer, seed, setting, cards), number):
                click.echo(_json(record, hide_kitty) if form == "json" else _text(record, hide_kitty))
                watch.advance()
    finally:
        # Where it takes too long, that says why.
        if dealer.rejects and dealer.tries:
            part = 100 * dealer.found / dealer.tries
            complain(f"{dealer.found} of {dealer.tries} deals that were tried match ({part:.3g} %)")


def _text(record: Record, hide_kitty: bool) -> str:
    kitty = f" K:{record.deal.kitty}"
    return str(record).replace(kitty, "", 1) if hide_kitty else str(record)


def _json(record: Record, hide_kitty: bool) -> str:
    import json

    values = record.to_dict()
    if hide_kitty:
        values["deal"] = values["deal"].partition(" K:")[0]
    return json.dumps(values)
