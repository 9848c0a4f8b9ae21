"""`gambito`: the group of all commands, and their exit status.

The exit status is 0 on success; 1 if a check found problems or the reader of the output has closed it
(`| head`); 2 if one sentence on standard error says what was wrong and what is accepted; and 130 after
Ctrl-C. With GAMBITO_DEBUG=1, tracebacks are shown.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import click

from gambito.cli import tongue
from gambito.cli.error_sentences import sentence
from gambito.cli.spinner import compiling
from gambito.native import process
from gambito.native.functions import watch_compilation
from gambito.words import LANGUAGES, language, say

WRONG, INTERRUPTED = 2, 130
# The commands, in the order in which a new user needs them, each with its module, which is imported when the
# command runs: all of them together take longer to load than a short search.
COMMANDS = {
    "play": "play", "serve": "serve", "best": "best", "solve": "best", "exploit": "strategies",
    "equity": "equity", "push-fold": "push_fold",
    "match": "match", "experiment": "experiment", "ablate": "ablate", "tune": "tune",
    "train": "train", "evaluate": "evaluate", "fit": "fit", "trace": "trace", "perft": "perft",
    "export": "export", "check": "check", "heuristic": "heuristic", "exercise": "exercise", "book": "book",
    "endgame": "endgame",
    "uci": "protocols", "ugi": "protocols", "gtp": "protocols", "hub": "protocols", "nboard": "protocols",
    "games": "catalogue",
    "algorithms": "catalogue", "bridge": "bridge", "cache": "cache", "warm": "warm",
    "completion": "completion",
}  # fmt: skip


class Commands(click.Group):
    """A group of commands that prints exceptions as one sentence, without a traceback."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        module = import_module(f"gambito.cli.{COMMANDS[name]}")
        command: click.Command = getattr(module, name.replace("-", "_"))
        return tongue.in_language(command)

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        if args[0] not in COMMANDS and not args[0].startswith("-"):
            raise click.UsageError(say("unknown command '{}'; accepted: {}", args[0], ", ".join(COMMANDS)))
        return super().resolve_command(ctx, args)

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        super(Commands, tongue.in_language(self)).format_help(ctx, formatter)

    def main(self, args: Sequence[str] | None = None, *_: Any, **given: Any) -> Any:
        sys.exit(self._run(args, **{**given, "prog_name": "gambito", "standalone_mode": False}))

    def _run(self, args: Sequence[str] | None, **given: Any) -> int:
        """Run a command and return its exit status."""
        try:
            return super().main(args, **given) or 0
        except (click.Abort, KeyboardInterrupt):
            return INTERRUPTED
        except Exception as problem:
            if os.environ.get("GAMBITO_DEBUG"):
                raise
            click.echo(f"gambito: {sentence(problem)}", err=True)
            return WRONG


HELP = """Find the best move in any game, from rules written once, in plain Python.

\b
GAME is  connect-four                     a name; `gambito games` lists them
         connect-four:width=9,height=7    a name with parameters
         rules.py:MyGame                  your own rules

\b
Begin here:
  gambito play connect-four                        play against the computer
  gambito serve                                    serve the web page
  gambito games                                    list the games and how positions are written
  gambito best connect-four --position 4455 --depth 12
  gambito best tree --position '[[3,12,8],[2,4,6],[14,5,2]]'
  gambito trace tree --algorithm alpha-beta        draw the tree of a search, with its cut-offs
  gambito match engine alpha-beta --game othello   find out which player is stronger
  gambito check rules.py:MyGame                    check your own rules
  gambito export rules.py:MyGame --output site     write a page that plays it, without Python
  gambito exercise                                 exercises with automatic checks

`gambito COMMAND --help` describes a command. Every command accepts --json. `gambito --language es`, or
GAMBITO_LANGUAGE, chooses the language.
"""


def _speak(ctx: click.Context, param: click.Parameter, chosen: str | None) -> None:
    if chosen is not None:
        tongue.use(chosen)


def _tell_version(ctx: click.Context, param: click.Parameter, is_asked: bool) -> None:
    if is_asked and not ctx.resilient_parsing:
        from gambito.cli.version import version_words

        click.echo(version_words())
        ctx.exit()


@click.group(
    cls=Commands,
    help=HELP,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)
@click.option(
    "--language",
    type=click.Choice(LANGUAGES),
    is_eager=True,
    expose_value=False,
    callback=_speak,
    help="Language of help, results and errors; by default that of the system.  [env: GAMBITO_LANGUAGE]",
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_tell_version,
    help="Show the version, and what it runs on.",
)
@click.pass_context
def cli(ctx: click.Context) -> None:
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        ctx.color = False
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def main() -> None:
    """Run the console script."""
    warnings.formatwarning = lambda message, *_, **__: f"gambito: {message}\n"
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")  # a terminal that cannot show ♞ shows \u265e
    tongue.use(language())
    process.own()
    watch_compilation(compiling)
    cli()
