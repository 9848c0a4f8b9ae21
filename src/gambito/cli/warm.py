"""`gambito warm`: machine code of the built-in games, made before it is needed."""

from __future__ import annotations

import time

import click

from gambito.cli import phrases
from gambito.cli.command_result import CommandResult, answering
from gambito.cli.error_sentences import sentence
from gambito.game.registry import game_classes
from gambito.players.pairs import pairs, try_to_ask
from gambito.words import say

# The games that are asked for most come first.
FIRST = ("connect-four", "tic-tac-toe", "othello", "chess", "checkers", "go", "hex", "breakthrough", "gomoku")


@click.command(short_help="Compile games before they are played.")
@click.argument("games", metavar="[GAME]...", nargs=-1)
@answering
def warm(games: tuple[str, ...]) -> CommandResult:
    """Compile what the searches of the GAMEs need, or of all games, so that nobody waits later.

    What is compiled already stays as it is. Ctrl-C stops the command, and what it has compiled is kept.
    """
    names = list(games) or [*FIRST, *(name for name in game_classes() if name not in FIRST)]
    asked = []
    for pair in pairs(names):
        began = time.perf_counter()
        problem = try_to_ask(pair)
        asked.append(
            {**pair._asdict(), "seconds": time.perf_counter() - began, "problem": problem and str(problem)}
        )
        said = phrases.duration(asked[-1]["seconds"]) if problem is None else sentence(problem)
        click.echo(f"{pair.game}, {pair.algorithm}: {said}", err=True)
    failed = sum(one["problem"] is not None for one in asked)
    text = say("{0:,} {0:search is|searches are} ready", len(asked) - failed) + (
        say(", {0:,} {0:is|are} not", failed) if failed else ""
    )
    return CommandResult({"asked": asked}, text)
