"""`gambito completion`: a script with which the shell completes commands, options, games and algorithms."""

from __future__ import annotations

import os

import click
from click.shell_completion import get_completion_class

from gambito.cli.command_result import CommandResult, answering
from gambito.errors import SearchError

SHELLS = ("bash", "zsh", "fish")
VARIABLE = "_GAMBITO_COMPLETE"  # with it the program answers the shell's questions


@click.command(short_help="Print a script for completion in the shell.")
@click.argument("shell", type=click.Choice(SHELLS), required=False)
@answering
def completion(shell: str | None) -> CommandResult:
    """Print the script with which a shell completes commands, options and the names of games and algorithms.

    The shell is that of the variable SHELL if none is named. A line in its start-up file is enough:

    \b
    eval "$(gambito completion bash)"
    eval "$(gambito completion zsh)"
    gambito completion fish | source
    """
    from gambito.cli.main import cli

    named = shell or os.path.basename(os.environ.get("SHELL", ""))
    kind = get_completion_class(named) if named in SHELLS else None
    if kind is None:
        raise SearchError("unknown shell '{}'; accepted: {}", named, ", ".join(SHELLS))
    script = kind(cli, {}, "gambito", VARIABLE).source()
    return CommandResult({"shell": named, "script": script}, script)
