"""`gambito ablate`: measure how much each technique of the engine or another algorithm contributes."""

from __future__ import annotations

from typing import Any

import click

from gambito.cli import options, phrases
from gambito.cli.command_result import CommandResult, answering
from gambito.cli.progress import Gauge
from gambito.players.ablation import Ablation, Worth
from gambito.players.ablation import ablate as ablating
from gambito.players.summary import elo_words
from gambito.words import digits, say

INTERRUPTED = 130  # exit status
HEAD = ("technique", "default", "switched", "nodes", "time", "games", "Elo")


@click.command(short_help="Measure the effect of each technique of the engine.")
@options.game
@options.position
@click.option(
    "--games",
    type=int,
    default=20,
    show_default=True,
    metavar="N",
    help="Games for each technique; 0 plays none.",
)
@click.option(
    "--seconds", type=float, metavar="S", help="Seconds for each move of the games.  [default: 0.02]"
)
@click.option("--nodes", type=int, metavar="N", help="States to visit for each move, instead of --seconds.")
@click.option(
    "--depth",
    type=int,
    metavar="N",
    help="Depth of the searches. By default, a depth that is reached quickly.",
)
@click.option(
    "--seed",
    type=int,
    default=0,
    metavar="N",
    help="Seed of the random positions; another seed gives other positions.  [default: 0]",
)
@click.option(
    "--algorithm",
    default="engine",
    show_default=True,
    metavar="A",
    help="Algorithm whose options are switched; your own as FILE.py:FUNCTION.",
)
@options.jobs
@options.cluster
@answering
def ablate(game: str, **said: Any) -> CommandResult:
    """Switch each technique of the engine on or off, and compare with the default engine. With --algorithm,
    another algorithm takes its place, which searches to a depth and has options that can be switched.

    The columns "nodes" and "time" come from searches of a few positions to a fixed depth. They are
    multiples of what the default engine needs. The column "Elo" is the rating of the switched engine
    against the default engine in games with equal time. If it is below zero, the default is better. One
    search or game runs at a time, unless --jobs or --cluster says otherwise.

    \b
    gambito ablate othello
    gambito ablate connect-four --games 0 --depth 14
    gambito ablate othello --algorithm search.py:my_search
    """
    table: Ablation | None = None
    status = 0
    with Gauge("techniques") as gauge:
        try:
            for table in ablating(game, **said, tell=gauge.hear):
                names = [worth.technique for worth in table.techniques]
                gauge.expect(table.wanted)
                gauge.show(len(names), say("techniques so far: {}", ", ".join(names) or say("none")))
        except KeyboardInterrupt:
            status = INTERRUPTED
    if table is None:
        return CommandResult({}, "", status)
    return CommandResult(table.as_dict(), _text(table), status)


def _text(table: Ablation) -> str:
    rows = [tuple(map(say, HEAD)), *(_row(worth, table) for worth in table.techniques)]
    widths = [max(len(row[place]) for row in rows) for place in range(len(HEAD))]
    lines = ["  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths)).rstrip() for row in rows]
    depths = ", ".join(map(str, table.depths))
    cost = f"{phrases.count(table.nodes, 'node')}, {phrases.duration(table.seconds)}"
    head = say("{}: {} positions to depth {}: {}", table.game.label(), len(table.positions), depths, cost)
    return "\n".join((head, "", *lines))


def _row(worth: Worth, table: Ablation) -> tuple[str, ...]:
    more = ">" if worth.is_cut else ""
    tally, rating = worth.tally, worth.tally.rating()
    return (
        worth.technique,
        str(worth.default).lower(),
        str(worth.switched).lower(),
        digits(f"{more}{worth.nodes / max(table.nodes, 1):.2f} ×"),
        digits(f"{more}{worth.seconds / max(worth.plain_seconds, 1e-9):.2f} ×"),
        f"+{tally.wins} ={tally.draws} −{tally.losses}" if tally.games else "",
        elo_words(rating) if rating else "",
    )
