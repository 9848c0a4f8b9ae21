"""`gambito visits`: how often the squares of a game are visited in the long run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

import gambito
from gambito.cli import options
from gambito.cli.answer import Answer, answering
from gambito.draw.position import draw_heat
from gambito.native.files import put_file

BAR = 40  # the width of the longest bar


@click.command(short_help="Compute how often squares of Monopoly are visited.")
@options.game
@click.option(
    "--strategy",
    default="leave",
    show_default=True,
    metavar="S",
    help="What players in jail do: leave or stay.",
)
@click.option("--rolls", type=click.IntRange(1, 10**9), metavar="N", help="Play N rolls instead of solving.")
@click.option("--seed", type=click.IntRange(0), default=1, metavar="S", help="Seed of the dice and cards.")
@click.option("--svg", metavar="FILE", help="Draw the board with the visits as colours.")
@answering
def visits(game: str, strategy: str, rolls: int | None, seed: int, svg: str | None) -> Answer:
    """Compute how often rolls end on each square in the long run.

    The chain of squares is read off the rules and solved; with --rolls, games are played instead.

    \b
    gambito visits monopoly
    gambito visits monopoly --strategy stay --svg visits.svg
    gambito visits monopoly --rolls 1000000
    """
    rules: Any = gambito.load(game)
    if not hasattr(rules, "visits"):
        raise gambito.SearchError("{} cannot count visits to its squares; accepted: monopoly", rules.label())
    found = sorted(rules.visits(strategy, rolls, seed), key=lambda visit: -visit[2])
    if svg is not None:
        heat = dict[int, float]()
        for _, cell, share in found:
            heat[cell] = heat.get(cell, 0.0) + share
        title = f"{rules.label()}: the share of rolls that end on each square, in percent ({strategy})"
        picture = draw_heat(rules, {cell: share for cell, share in heat.items() if share}, title)
        put_file(Path(svg), [(picture or "").encode()])
    most = found[0][2]
    lines = [
        f"{name:<22} {100 * share:7.4f} %  {'█' * round(BAR * share / most)}".rstrip()
        for name, _, share in found
        if share
    ]
    shares = {name: share for name, _, share in found}
    data = {"game": rules.label(), "strategy": strategy, "rolls": rolls, "visits": shares}
    return Answer(data, "\n".join(lines))
