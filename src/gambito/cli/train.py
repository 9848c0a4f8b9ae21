"""`gambito train`: an evaluation learned from nothing."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

import gambito
from gambito.cli import options
from gambito.cli.answer import Answer, answering
from gambito.cli.progress import Gauge
from gambito.evaluate.files import SUFFIX
from gambito.learn.trainings import new_training


@click.command(short_help="Learn an evaluation from nothing.")
@options.game
@click.option("--method", metavar="M", help="fit, td, td-leaf or samuel.")
@click.option("--rounds", type=click.IntRange(1), metavar="N", help="Rounds of games and a fit.")
@click.option("--games", type=click.IntRange(1), metavar="N", help="Games of each round.")
@click.option("--depth", type=click.IntRange(1, 60), metavar="N", help="How deep their moves are searched.")
@click.option("--epochs", type=click.IntRange(1), metavar="N", help="Epochs of a fit, at most.")
@click.option(
    "--gate", type=click.IntRange(0), metavar="N", help="Games of the match after a round; 0: none."
)
@click.option(
    "--positions",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Fit to these, a line each: POSITION;value.",
)
@click.option("--seed", type=int, default=0, metavar="S", help="Other games.  [default: 0]")
@click.option("--jobs", type=click.IntRange(1), metavar="J", help="Processes.  [default: all cores]")
@click.option("--folder", type=click.Path(file_okay=False, path_type=Path), metavar="F", help="Its workshop.")
@click.option(
    "--output", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", help="Where to put it."
)
@answering
def train(
    game: str,
    positions: Path | None,
    seed: int,
    jobs: int | None,
    folder: Path | None,
    output: Path | None,
    **said: Any,
) -> Answer:
    """Learn the weights of a game's evaluation from nothing.

    Where a value is a sum of weights: games against itself, a fit, a match, and again. Where it is a network:
    rounds of games, from each of which it learns (TD). A game brings its own recipe; what is not said is as
    it says. The workshop keeps all that took time: after Ctrl-C, or worse, the same command goes on there and
    ends with the same file. The errors of each fit are drawn there as fit-N.svg, how a network grew as
    curve.svg.

    \b
    gambito train othello
    gambito train backgammon
    gambito match engine:seconds=0.1,evaluation=othello.eval engine:seconds=0.1,evaluation=hand --game othello
    """
    rules = gambito.load(game)
    name = rules.label(without="evaluation").replace(":", "-")
    folder, output = folder or Path(f"{name}-training"), output or Path(f"{name}{SUFFIX}")
    training = new_training(game, folder, seed, jobs, positions, **said)
    gauges: dict[str, Gauge] = {}

    def progress(what: str, done: int, total: int, news: str) -> None:
        if what not in gauges:
            for gauge in gauges.values():
                gauge.__exit__()
            gauges.clear()
            gauges[what] = Gauge(what, total).__enter__()
        gauges[what].show(done, f"{what} {news}" if sys.stderr.isatty() else news)

    try:
        trained = training.run(output, progress)
    finally:
        for gauge in gauges.values():
            gauge.__exit__()
    data = {
        "game": training.label,
        "file": str(output),
        "seed": seed,
        "bytes": output.stat().st_size,
        **trained,
    }
    return Answer(data, f"{training.told(trained)}\nkept in {output}, {data['bytes']:,} bytes")
