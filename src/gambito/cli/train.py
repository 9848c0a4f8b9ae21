"""`gambito train`: learn an evaluation from self-play."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

import gambito
from gambito.cli import options
from gambito.cli.command_result import CommandResult, answering
from gambito.cli.progress import Gauge
from gambito.evaluate.files import SUFFIX
from gambito.evaluate.policy.files import SUFFIX as NET
from gambito.jobs import JobProgress
from gambito.learn.trainings import new_training
from gambito.learn.wide_fit import DEVICES
from gambito.learn.zero.distil import distil
from gambito.learn.zero.recipe import METHOD, NETWORKS
from gambito.learn.zero.training import ZeroTraining
from gambito.words import say


def read_settings(ctx: click.Context, param: click.Parameter, given: tuple[str, ...]) -> dict[str, str]:
    """The values of `--set k=v`."""
    return options.read_pairs(ctx, given, say("a setting of the training"))


@click.command(short_help="Learn an evaluation from self-play.")
@options.game
@click.option(
    "--method",
    metavar="M",
    help="Method of learning: fit, td, td-leaf, samuel, network or alphazero.",
)
@click.option(
    "--rounds",
    type=click.IntRange(1),
    metavar="N",
    help="Number of rounds; each round plays games and learns from them.",
)
@click.option(
    "--minutes",
    type=click.FloatRange(0, min_open=True),
    metavar="N",
    help="Minutes of training with alphazero, if --rounds is not given.  [default: 20]",
)
@click.option(
    "--distil",
    is_flag=True,
    help="Also fit the game's evaluation to what alphazero has learned, for the engine: GAME.eval.",
)
@click.option("--games", type=click.IntRange(1), metavar="N", help="Games in each round.")
@click.option(
    "--depth",
    type=click.IntRange(1, 60),
    metavar="N",
    help="Depth of the search for each move of these games.",
)
@click.option(
    "--device",
    type=click.Choice(DEVICES),
    metavar="D",
    help="Where a network learns: cpu, cuda (a GPU, with PyTorch) or auto."
    "  [default: cpu; auto for alphazero]",
)
@click.option(
    "--network",
    type=click.Choice(NETWORKS),
    metavar="K",
    help="Kind of alphazero's network: dense, residual (with PyTorch, for a game with a board) or auto, which"
    " is residual if there is a GPU.  [default: auto]",
)
@click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="K=V",
    callback=read_settings,
    help="Set a number of alphazero's recipe, such as blocks=4 or full=96; can be repeated.",
)
@click.option("--epochs", type=click.IntRange(1), metavar="N", help="Maximum number of epochs of a fit.")
@click.option(
    "--gate", type=click.IntRange(0), metavar="N", help="Games of the match after each round; 0 plays none."
)
@click.option(
    "--positions",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="File of positions to fit to, one per line: POSITION;value.",
)
@click.option(
    "--seed",
    type=int,
    default=0,
    metavar="S",
    help="Seed of the random numbers; another seed gives other games.  [default: 0]",
)
@options.jobs
@options.cluster
@click.option(
    "--folder",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="F",
    help="Folder for the intermediate files.  [default: GAME-training]",
)
@click.option(
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="File to write the result to.  [default: GAME.eval; GAME.net for alphazero]",
)
@answering
def train(
    game: str,
    positions: Path | None,
    seed: int,
    jobs: int | None,
    cluster: str | None,
    folder: Path | None,
    output: Path | None,
    **said: Any,
) -> CommandResult:
    """Learn the weights of a game's evaluation from self-play.

    If the evaluation is a sum of weights, each round plays games against itself, fits the weights and plays a
    match. If it is a network, it learns from each game of a round (TD). With the method network, a wide
    network over the game's sets of squares is fitted to the games, on this processor or on a GPU. With the
    method alphazero, a policy and a value are learned for any game that hides nothing; the result guides
    mcts: mcts:network=FILE. Each game has its own recipe, which gives the defaults of the options. The folder
    keeps all intermediate results: after an interruption, the same command continues there and ends with the
    same file, unless its time is limited. The folder also receives plots: fit-N.svg with the errors of each
    fit, and curve.svg with the progress of a network. The same seed gives the same file, however many
    processes play the games; only a GPU may round differently. By default there is one process for each core.

    \b
    gambito train othello
    gambito train backgammon
    gambito train chess --method network --device auto
    gambito train mygame.py:MyGame --method alphazero --minutes 20
    gambito match engine:seconds=0.1,evaluation=othello.eval engine:seconds=0.1,evaluation=hand --game othello
    """
    rules = gambito.load(game)
    name = rules.label(without="evaluation").replace(":", "-")
    suffix = NET if said.get("method") == METHOD else SUFFIX
    folder, output = folder or Path(f"{name}-training"), output or Path(f"{name}{suffix}")
    training = new_training(game, folder, seed, jobs, positions, cluster, **said)
    gauges: dict[str, Gauge] = {}

    def progress(what: str, done: int, total: int, news: str) -> None:
        if what not in gauges:
            for gauge in gauges.values():
                gauge.conclude()
                gauge.__exit__()
            gauges.clear()
            gauges[what] = Gauge(say(what), total).__enter__()
        gauges[what].show(done, f"{say(what)} {news}" if sys.stderr.isatty() else news)

    def hear(news: JobProgress) -> None:
        for gauge in gauges.values():
            gauge.hear(news)

    try:
        trained = training.run(output, progress, hear)
        if said.get("distil") and isinstance(training, ZeroTraining):
            trained |= distil(training, output, progress)
    finally:
        for gauge in gauges.values():
            gauge.conclude()
            gauge.__exit__()
    data = {
        "game": training.label,
        "file": str(output),
        "seed": seed,
        "bytes": output.stat().st_size,
        **trained,
    }
    told = say("{0}\nwritten to {1}, {2:,} {2:byte|bytes}", training.told(trained), output, data["bytes"])
    if "distilled" in trained:
        told += say(
            "\ndistilled to {}: {:+.0f} Elo over the engine's own", trained["distilled"], trained["engine"]
        )
    return CommandResult(data, told)
