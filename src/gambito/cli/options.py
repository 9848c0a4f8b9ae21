"""The arguments and options that several commands share."""

from __future__ import annotations

import inspect
from typing import Any

import click

import gambito

GEARS = ("native", "python")


def _read_options(ctx: click.Context, param: click.Parameter, given: tuple[str, ...]) -> dict[str, str]:
    """`--option k=v` as a dictionary; what `search` takes by name is no option of an algorithm."""
    options: dict[str, str] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not name or not equals:
            raise click.UsageError(f"'{text}' is no option of an algorithm; accepted: NAME=VALUE", ctx)
        if name in inspect.signature(gambito.search).parameters:
            raise click.UsageError(
                f"'{name}' is no option of an algorithm; `gambito algorithms` lists them", ctx
            )
        options[name] = value
    return options


game = click.argument("game", metavar="GAME")
position = click.option(
    "--position", metavar="P", help="Where to start, as `gambito games` says; else the beginning."
)
algorithm = click.option("--algorithm", metavar="A", help="Which search, see `gambito algorithms`.")
depth = click.option("--depth", type=int, metavar="N", help="How many plies to look ahead.")
seconds = click.option("--seconds", type=float, metavar="S", help="How long to think.")
nodes = click.option("--nodes", type=int, metavar="N", help="How many states to visit.")
threads = click.option(
    "--threads", type=int, default=1, metavar="T", help="How many threads to use.  [default: 1]"
)
gear = click.option("--gear", type=click.Choice(GEARS), help="Compiled rules, or rules as they are written.")
option = click.option(
    "--option",
    "settings",
    multiple=True,
    metavar="K=V",
    callback=_read_options,
    help="An algorithm's own option.",
)


def given(**values: Any) -> dict[str, Any]:
    """Only what the person said; for the rest the library has its own defaults."""
    return {name: value for name, value in values.items() if value is not None}
