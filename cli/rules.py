"""The command ``rules``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from sgtmajor.cli.options import PRESET_NAMES, block, examples, format_option, offering, read_rules, reading

if TYPE_CHECKING:
    from sgtmajor.rules import Rules


@click.command(
    "rules",
    short_help="Show the presets of house rules.",
    epilog=block(
        "What may follow a preset:",
        "targets=8-5-3                  tricks that D, L and R have to win",
        "leader=announcer|second        who leads first: the announcer, or the next seat",
        "kitty=blind|pickup             cards are laid aside before or after it is taken",
        "contracts=SHDCN                what may be trumps; N is no trump",
        "exchange=before|after|none     when: before or after the announcement",
        "exchange_order=target|most_up  which of two givers is first",
        "instant_win=0|12|13            tricks that win the session at once; 0: none do",
    )
    + examples(
        "sgtmajor rules",
        "sgtmajor rules polish",
        "sgtmajor rules classic,leader=second,targets=9-5-2 --format json",
    ),
)
@click.argument(
    "rules",
    required=False,
    metavar="[PRESET[,OPTION=VALUE...]]",
    callback=reading(read_rules),
    shell_complete=offering(*PRESET_NAMES),
)
@format_option("text", "json")
def command(rules: Rules | None, form: str) -> None:
    """Shows house rules: all presets side by side, or one with the options that differ from it."""
    from sgtmajor.rules import PRESETS

    shown = [rules] if rules else list(PRESETS.values())
    if form == "json":
        import json

        for each in shown:
            click.echo(json.dumps(_to_dict(each)))
    else:
        _print_table(shown)


def _to_dict(rules: Rules) -> dict[str, object]:
    """Returns the JSON form of rules."""
    return {
        "rules": str(rules),
        "targets": rules.targets.to_dict(),
        "announcer": str(rules.announcer),
        "first_lead": str(rules.first_leader),
        "leader": rules.leader,
        "kitty": rules.kitty,
        "contracts": [str(trump) for trump in rules.contracts],
        "exchange": rules.exchange,
        "exchange_order": rules.exchange_order,
        "instant_win": rules.instant_win,
    }


def _print_table(shown: list[Rules]) -> None:
    from sgtmajor.cli.render import Column, show, show_table, trump_text
    from sgtmajor.rules import NOT_COVERED

    exchange = {"before": "before trumps", "after": "after trumps", "none": "none"}
    order = {"target": "higher target", "most_up": "most up"}
    rows = [
        ["targets D-L-R", *("-".join(map(str, each.targets.values())) for each in shown)],
        ["announcer", *(str(each.announcer) for each in shown)],
        ["first lead", *(f"{each.first_leader} ({each.leader})" for each in shown)],
        ["kitty", *(each.kitty for each in shown)],
        ["contracts", *(" ".join(map(trump_text, each.contracts)) for each in shown)],
        ["exchange", *(exchange[each.exchange] for each in shown)],
        ["first giver of two", *(order[each.exchange_order] for each in shown)],
        ["instant win", *(f"{each.instant_win} tricks" if each.instant_win else "-" for each in shown)],
    ]
    columns = [Column("", left=True), *(Column(str(each), left=True) for each in shown)]
    show_table(columns, rows)
    show("")
    show("D deals, L is on his left, R on his right; they play in this order. blind: cards are laid aside")
    show("before the kitty is taken; pickup: after.")
    show(f"Not covered: {NOT_COVERED}.")
