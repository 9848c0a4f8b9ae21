"""`gambito fit`: estimate the numbers that a technique needs, from searches of the game."""

from __future__ import annotations

from pathlib import Path

import click

import gambito
from gambito.cli import options, phrases
from gambito.cli.command_result import CommandResult, answering
from gambito.cli.progress import Gauge
from gambito.learn import probcut
from gambito.search.probcut_model import param_of
from gambito.words import digits, say

HEAD = ("stage", "depth", "d", "t", "a", "b", "sigma", "correlation", "samples")


@click.command(short_help="Estimate the numbers that a technique needs.")
@click.argument("technique", metavar="TECHNIQUE", type=click.Choice(["probcut"]))
@options.game
@click.option(
    "--positions",
    type=int,
    default=400,
    show_default=True,
    metavar="N",
    help="Number of positions to search.",
)
@click.option("--depth", type=int, default=8, show_default=True, metavar="N", help="Depth of the searches.")
@click.option(
    "--seed",
    type=int,
    default=0,
    metavar="N",
    help="Seed of the random positions; another seed gives other positions.  [default: 0]",
)
@click.option(
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="File to write the numbers to.",
)
@options.jobs
@options.cluster
@answering
def fit(
    technique: str,
    game: str,
    positions: int,
    depth: int,
    seed: int,
    output: Path | None,
    jobs: int | None,
    cluster: str | None,
) -> CommandResult:
    """Estimate the numbers that a technique needs, from searches of the game.

    TECHNIQUE is probcut: the model of ProbCut and Multi-ProbCut, v(depth) = a · v(d) + b ± sigma, with the
    threshold t of a cut, in sigmas, for each stage of the game, depth and try. A file has it as Buro's table
    param[stage][depth][try]. A game provides the model in its attribute `probcut_model`. The engine and
    alpha-beta also accept a file with the model as their option `probcut_model`. The same seed gives the same
    numbers, however many processes search; by default there is one for each core.

    \b
    gambito fit probcut othello --positions 1000 --output othello.json
    gambito best othello --algorithm engine --option probcut=multi --option probcut_model=othello.json
    """
    if positions < 1:
        raise click.UsageError(say("positions must be at least 1, not {}", positions))
    rules = gambito.load(game)
    with Gauge("positions", positions) as gauge:
        for samples in probcut.sample(game, positions, depth, seed, jobs, cluster, gauge.hear):
            gauge.show(samples.count, "")
    rows = probcut.fit(samples)
    if output is not None:
        probcut.write(output, rules, rows)
    data = {
        "game": rules.label(),
        "positions": samples.count,
        "param": param_of(row.numbers() for row in rows),
    }
    cells = [
        (
            f"{row.stage}",
            f"{row.depth}",
            f"{row.shallow}",
            digits(f"{row.threshold:.3f}"),
            digits(f"{row.slope:.3f}"),
            digits(f"{row.offset:+.3f}"),
            digits(f"{row.sigma:.3f}"),
            digits(f"{row.correlation:.3f}"),
            f"{row.samples}",
        )
        for row in rows
    ]
    head = tuple(map(say, HEAD))
    widths = [max(len(line[place]) for line in (head, *cells)) for place in range(len(HEAD))]
    lines = ["  ".join(c.rjust(w) for c, w in zip(line, widths, strict=True)) for line in (head, *cells)]
    told = say("\nwritten to {}", output) if output is not None else ""
    return CommandResult(data, f"{phrases.count(samples.count, 'position')}\n\n" + "\n".join(lines) + told)
