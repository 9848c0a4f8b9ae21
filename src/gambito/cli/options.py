"""The arguments and options that several commands share."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import click

import gambito
from gambito.words import say

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

GEARS = ("native", "python", "both")


def _read_options(ctx: click.Context, param: click.Parameter, given: tuple[str, ...]) -> dict[str, str]:
    """Return the values of `--option k=v` as a dictionary; parameters of `search` are not accepted there."""
    options = read_pairs(ctx, given, say("an option of an algorithm"))
    for name in options:
        if name in inspect.signature(gambito.search).parameters:
            raise click.UsageError(
                say("'{}' is not an option of an algorithm; `gambito algorithms` lists them", name), ctx
            )
    return options


def read_pairs(ctx: click.Context, given: tuple[str, ...], what: str) -> dict[str, str]:
    """Return `NAME=VALUE` texts as a dictionary; `what` says what a text should be."""
    pairs: dict[str, str] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not name or not equals:
            raise click.UsageError(say("'{}' is not {}; accepted: NAME=VALUE", text, what), ctx)
        pairs[name] = value
    return pairs


def complete_game(ctx: click.Context, param: click.Parameter, begun: str) -> list[CompletionItem]:
    """What the shell offers for the beginning of a game: names, or files of one's own rules."""
    from gambito.game.registry import game_classes

    return _offered(game_classes(), begun)


def complete_algorithm(ctx: click.Context, param: click.Parameter, begun: str) -> list[CompletionItem]:
    from gambito.search.algorithm import algorithms

    return _offered(algorithms(), begun)


def _offered(names: Iterable[str], begun: str) -> list[CompletionItem]:
    from click.shell_completion import CompletionItem

    found = [CompletionItem(name) for name in names if name.startswith(begun)]
    return found or [CompletionItem(begun, type="file")]


game = click.argument("game", metavar="GAME", shell_complete=complete_game)
position = click.option(
    "--position", metavar="P", help="Position, written as `gambito games` describes.  [default: the start]"
)
algorithm = click.option(
    "--algorithm",
    metavar="A",
    shell_complete=complete_algorithm,
    help="Name of the algorithm (`gambito algorithms` lists them), or your own as FILE.py:FUNCTION.",
)
evaluation = click.option(
    "--evaluation",
    "evaluate",
    metavar="E",
    help="Another evaluation: your own as FILE.py:FUNCTION, or the name of one of the game's.",
)
depth = click.option("--depth", type=int, metavar="N", help="Depth of the search in plies.")
seconds = click.option("--seconds", type=float, metavar="S", help="Time limit in seconds.")
nodes = click.option("--nodes", type=int, metavar="N", help="Maximum number of states to visit.")
threads = click.option("--threads", type=int, default=1, metavar="T", help="Number of threads.  [default: 1]")
jobs = click.option(
    "--jobs", type=click.IntRange(1), metavar="J", help="Number of jobs at the same time, each in a process."
)
cluster = click.option(
    "--cluster",
    metavar="C",
    help="Workers: processes:N, ray:HOST:PORT or dask:HOST:PORT.  [env: GAMBITO_CLUSTER]",
)
gear = click.option(
    "--gear",
    type=click.Choice(GEARS),
    help="Run the rules compiled (native), as plain Python, or as Python until they are compiled (both).",
)
option = click.option(
    "--option",
    "settings",
    multiple=True,
    metavar="K=V",
    callback=_read_options,
    help="Set an option of the algorithm; can be repeated.",
)


def given(**values: Any) -> dict[str, Any]:
    """Return only the values that the user gave. The library has defaults for the others."""
    return {name: value for name, value in values.items() if value is not None}
