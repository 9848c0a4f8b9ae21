"""`gambito trace`: draw the tree of a search."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

import gambito
from gambito.cli import options, phrases
from gambito.cli.command_result import CommandResult, answering
from gambito.cli.options import given
from gambito.native.files import naming, put_file
from gambito.search.algorithm import AnytimeSearch, find
from gambito.search.chooser import lesson
from gambito.words import say


@click.command(short_help="Draw the tree of a search.")
@options.game
@options.position
@options.algorithm
@options.evaluation
@options.depth
@options.option
@click.option(
    "--format", "shape", type=click.Choice(("text", "svg", "html", "json")), default="text", show_default=True
)
@click.option(
    "--output", type=click.Path(path_type=Path), metavar="FILE", help="File to write the drawing to."
)
@click.option(
    "--boxes", is_flag=True, help="Number leaves and conclusions as Winston's figure does, in boxes."
)
@answering
def trace(
    game: str,
    position: str | None,
    depth: int | None,
    settings: dict[str, Any],
    shape: str,
    output: Path | None,
    boxes: bool,
    **said: Any,
) -> CommandResult:
    """Draw the tree of a search: every node, its window and value, and why a branch was cut.

    \b
    gambito trace tree --position '[[3,12,8],[2,4,6],[14,5,2]]' --algorithm alpha-beta
    gambito trace grid-map --algorithm a-star --format svg --output search.svg
    gambito trace tic-tac-toe --position X.O/.X./O.. --depth 3 --format html --output search.html
    """
    from gambito.draw import boxed, draw

    rules = gambito.load(game)
    start = rules.parse(position) if position is not None else rules.initial()
    named = rules.at(start)
    chosen = find(said.get("algorithm") or lesson(named))
    is_deep = rules.players > 1 and not isinstance(chosen, AnytimeSearch)
    if is_deep and depth is None and named.usual_depth is None:
        raise click.UsageError(say("{} has no usual depth; give --depth N", rules.label()))
    record = gambito.trace(rules, position, depth=depth, **given(**said), **settings)
    if boxes:
        record = boxed(record)
    text = draw(record, shape)
    if output is None:
        return CommandResult(record.as_dict(), text.rstrip("\n"))
    with naming(output):
        output.parent.stat()  # a folder that is not there is a mistake, and is not made
    put_file(output, [text.encode()])
    return CommandResult(record.as_dict(), f"{output}: {phrases.count(len(record.nodes), 'node')}")
