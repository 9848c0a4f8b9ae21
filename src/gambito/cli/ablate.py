"""`gambito ablate`: what each technique of the engine is worth in a game."""

from __future__ import annotations

from typing import Any

import click

from gambito.cli import options, phrases
from gambito.cli.answer import Answer, answering
from gambito.cli.progress import Gauge
from gambito.players.ablation import Ablation, Worth
from gambito.players.ablation import ablate as ablating
from gambito.players.summary import elo_words

INTERRUPTED = 130  # exit status
HEAD = ("technique", "default", "switched", "nodes", "time", "games", "Elo")


@click.command(short_help="What is each technique worth?")
@options.game
@options.position
@click.option(
    "--games", type=int, default=20, show_default=True, metavar="N", help="Games for each; 0: none."
)
@click.option("--seconds", type=float, metavar="S", help="Time for a move of the games.  [default: 0.02]")
@click.option("--nodes", type=int, metavar="N", help="States to visit for a move of the games, instead.")
@click.option("--depth", type=int, metavar="N", help="Depth of the searches; else what is reached at once.")
@click.option("--seed", type=int, default=0, metavar="N", help="Other positions.  [default: 0]")
@click.option("--jobs", type=int, default=1, metavar="J", help="Play so many games at a time.  [default: 1]")
@answering
def ablate(game: str, **said: Any) -> Answer:
    """Switch each technique of the engine and compare with the engine as it is.

    Nodes and time are those of searches of a few positions to a fixed depth, as multiples of the engine's
    own; Elo is that of the switched engine in games at equal time: below zero, the default is right.

    \b
    gambito ablate othello
    gambito ablate connect-four --games 0 --depth 14
    """
    table: Ablation | None = None
    status = 0
    with Gauge("techniques") as gauge:
        try:
            for table in ablating(game, **said):
                names = [worth.technique for worth in table.techniques]
                gauge.show(len(names), f"techniques so far: {', '.join(names) or 'none'}")
        except KeyboardInterrupt:
            status = INTERRUPTED
    if table is None:
        return Answer({}, "", status)
    return Answer(table.as_dict(), _text(table), status)


def _text(table: Ablation) -> str:
    rows = [HEAD, *(_row(worth, table) for worth in table.techniques)]
    widths = [max(len(row[place]) for row in rows) for place in range(len(HEAD))]
    lines = ["  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths)).rstrip() for row in rows]
    depths = ", ".join(map(str, table.depths))
    cost = f"{phrases.count(table.nodes, 'node')}, {phrases.duration(table.seconds)}"
    head = f"{table.game.label()}: {len(table.positions)} positions to depth {depths}: {cost}"
    return "\n".join((head, "", *lines))


def _row(worth: Worth, table: Ablation) -> tuple[str, ...]:
    more = ">" if worth.is_cut else ""
    tally, rating = worth.tally, worth.tally.rating()
    return (
        worth.technique,
        str(worth.default).lower(),
        str(worth.switched).lower(),
        f"{more}{worth.nodes / max(table.nodes, 1):.2f} ×",
        f"{more}{worth.seconds / max(worth.plain_seconds, 1e-9):.2f} ×",
        f"+{tally.wins} ={tally.draws} −{tally.losses}" if tally.games else "",
        elo_words(rating) if rating else "",
    )
