"""The group of commands. A command is imported when it is called: the program starts without the others."""

from __future__ import annotations

from importlib import import_module

import click

from sgtmajor.cli.main import PROGRAM
from sgtmajor.cli.options import examples

COMMANDS = (
    "solve",
    "analyze",
    "batch",
    "deal",
    "stats",
    "recommend",
    "exchange",
    "review",
    "play",
    "score",
    "rules",
    "completion",
)


class Commands(click.Group):
    """A group that finds the command ``name`` as ``command`` in the module ``sgtmajor.cli.name``."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Returns the names of the commands in the order of the help."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Imports a command."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"sgtmajor.cli.{cmd_name}").command
        return command


@click.group(
    cls=Commands,
    name=PROGRAM,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=examples(
        "sgtmajor solve 'D:AK.5.. Q.A.2. JT.K.. trump=S'",
        "sgtmajor analyze 'D:AK.5.3. QT.A..2 J9.K.Q. K:...A'",
        "sgtmajor recommend trump --hand AKQJ5.T98.A72.KJ543 --samples 2",
        "sgtmajor rules",
    ),
)
@click.version_option(package_name=PROGRAM, prog_name=PROGRAM, message="%(prog)s %(version)s")
@click.pass_context
def program(context: click.Context) -> None:
    """Exact solver for the three-player trick game Sergeant Major (3-5-8).

    A deal is written as three hands clockwise from a seat, each spades.hearts.diamonds.clubs: D is the
    dealer, L sits on his left, R on his right. Add trump=S to solve it, or K: and the kitty to analyze it.
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())
