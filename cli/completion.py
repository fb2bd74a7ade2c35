"""The command ``completion``."""

from __future__ import annotations

import click

from sgtmajor.cli.main import COMPLETION_VARIABLE, PROGRAM
from sgtmajor.cli.options import examples


@click.command(
    "completion",
    short_help="Print the completion script of a shell.",
    epilog=examples(
        "sgtmajor completion bash > sgtmajor.bash    # then: source sgtmajor.bash",
        "sgtmajor completion zsh > _sgtmajor         # into a folder of your $fpath",
        "sgtmajor completion fish > sgtmajor.fish    # into ~/.config/fish/completions",
    ),
)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def command(shell: str) -> None:
    """Prints the script that makes a shell complete commands, options, and their values."""
    from click.shell_completion import get_completion_class

    from sgtmajor.cli.group import program

    completion = get_completion_class(shell)
    assert completion is not None, "click knows all shells of the choice"
    click.echo(completion(program, {}, PROGRAM, COMPLETION_VARIABLE).source())
