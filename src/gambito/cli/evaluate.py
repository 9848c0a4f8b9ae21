"""`gambito evaluate`: check the evaluation of a game, without a search."""

from __future__ import annotations

from pathlib import Path

import click

import gambito
from gambito.cli import options
from gambito.cli.answer import Answer, answering
from gambito.learn.judge import GAMES, judge
from gambito.native.files import put_file


@click.group(short_help="Check the evaluation of a game.")
def evaluate() -> None:
    """Check the evaluation of a game, without a search."""


@evaluate.command(short_help="Measure order, cost and calibration.")
@options.game
@click.option(
    "--games", type=int, default=GAMES, show_default=True, metavar="N", help="Number of games to play."
)
@click.option(
    "--seed",
    type=int,
    default=0,
    metavar="S",
    help="Seed of the random games; another seed gives other games.  [default: 0]",
)
@click.option(
    "--plot",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write a plot of the calibration to this file (SVG).",
)
@answering
def check(game: str, games: int, seed: int, plot: Path | None) -> Answer:
    """Measure three properties of an evaluation.

    Order: does it order terminal states as the utility does? Cost: how long does one call take? Calibration:
    of the positions for which it predicts a given share of wins, what share is won?

    \b
    gambito evaluate check othello
    gambito evaluate check othello:evaluation=hand --plot hand.svg
    """
    found = judge(gambito.load(game), games, seed)
    if plot is not None:
        put_file(plot, [found.draw().encode()])
    ordered = "all are equal" if found.ordered is None else f"{found.ordered:.1%} of pairs in the right order"
    lines = [
        f"order        {ordered}, of {found.terminal:,} terminal states",
        f"cost         {found.nanoseconds:.0f} ns per call",
        f"calibration  squared error {found.error:.4f} over {found.positions:,} positions; "
        f"the mean as a constant prediction: {found.guess:.4f}",
        "",
        "promised    won  positions",
        *(f"{promised:8.1%} {won:6.1%} {count:10,}" for promised, won, count in found.bins),
    ]
    told = [f"plot written to {plot}"] if plot is not None else []
    return Answer(found.as_dict(), "\n".join([*lines, *told]))
