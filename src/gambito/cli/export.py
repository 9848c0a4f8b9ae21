"""`gambito export`: a game and its opponent as files for a web page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

import gambito
from gambito.cli import options, phrases
from gambito.cli.command_result import CommandResult, answering
from gambito.exports.files import Export, export_site

BARE = "the page shows the fields of a state: a board would need `equipment` and `stands`"


@click.command(short_help="Write a game and its opponent for a browser.")
@click.argument("games", metavar="GAME...", nargs=-1, required=True, shell_complete=options.complete_game)
@click.option(
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="The folder for the files of one game.",
)
@click.option(
    "--site",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="The folder for several games, each in its own folder, with a page that leads to them.",
)
@click.option(
    "--algorithm",
    metavar="A,B",
    shell_complete=options.complete_algorithm,
    help="Algorithms to put in; the first is the opponent.  [default: the one that `search` would choose]",
)
@click.option(
    "--memory", type=click.IntRange(1, 256), metavar="M", help="MiB for the table of a search.  [default: 16]"
)
@answering
def export(
    games: tuple[str, ...], output: Path | None, site: Path | None, algorithm: str | None, memory: int | None
) -> CommandResult:
    """Write GAME and an opponent for it as WebAssembly, with a page that plays: no Python is needed there.

    \b
    game.wasm          rules and searches
    game.js            an ES module for pages, bundlers and Node; game.d.ts has its types
    game.classic.js    the same for <script src=…>, with everything in it
    index.html         a page to play: open it as a file, or put it on any web space
    """
    given = options.given(algorithms=algorithm, memory=memory)
    if (output is None) == (site is None):
        raise click.UsageError("accepted: --output DIR for one game, or --site DIR for several")
    if site is not None:
        made = export_site(games, site, **given)
    elif output is not None and len(games) == 1:
        made = [gambito.export(games[0], output, **given)]
    else:
        raise click.UsageError("--output is for one game; --site DIR takes several")
    return CommandResult({"exported": [_facts(each) for each in made]}, "\n".join(map(_text, made)))


def _facts(made: Export) -> dict[str, Any]:
    facts = {"game": made.game, "algorithms": list(made.algorithms), "folder": str(made.folder)}
    return {**facts, "board": made.has_board, "files": made.sizes}


def _text(made: Export) -> str:
    listed = phrases.rows([(name, phrases.size(size)) for name, size in made.sizes.items()], 2)
    text = f"{made.game} with {', '.join(made.algorithms)} in {made.folder}:\n{listed}"
    return text if made.has_board else f"{text}\n  {BARE}"
