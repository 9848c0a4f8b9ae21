"""`gambito evaluate`: what a game's evaluation is worth before any search."""

from __future__ import annotations

from pathlib import Path

import click

import gambito
from gambito.cli import options
from gambito.cli.answer import Answer, answering
from gambito.learn.judge import GAMES, judge


@click.group(short_help="What is an evaluation worth?")
def evaluate() -> None:
    """What an evaluation is worth before any search."""


@evaluate.command(short_help="Order, cost and calibration.")
@options.game
@click.option("--games", type=int, default=GAMES, show_default=True, metavar="N", help="How many to play.")
@click.option("--seed", type=int, default=0, metavar="S", help="Other games.  [default: 0]")
@click.option(
    "--plot",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Draw the calibration (SVG).",
)
@answering
def check(game: str, games: int, seed: int, plot: Path | None) -> Answer:
    """Ask three questions of an evaluation.

    Does it order terminal states as the utility does? What does a call cost? Of positions that promise so
    many wins, how many are won?

    \b
    gambito evaluate check othello
    gambito evaluate check othello:evaluation=hand --plot hand.svg
    """
    found = judge(gambito.load(game), games, seed)
    if plot is not None:
        plot.write_text(found.draw(), encoding="utf-8")
    ordered = "all are equal" if found.ordered is None else f"{found.ordered:.1%} of pairs in the right order"
    lines = [
        f"order        {ordered}, of {found.terminal:,} terminal states",
        f"cost         {found.nanoseconds:.0f} ns a call",
        f"calibration  squared error {found.error:.4f} over {found.positions:,} positions; "
        f"always the mean: {found.guess:.4f}",
        "",
        "promised    won  positions",
        *(f"{promised:8.1%} {won:6.1%} {count:10,}" for promised, won, count in found.bins),
    ]
    told = [f"drawn in {plot}"] if plot is not None else []
    return Answer(found.as_dict(), "\n".join([*lines, *told]))
