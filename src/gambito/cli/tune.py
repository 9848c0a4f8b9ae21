"""`gambito tune`: find better numbers for the engine's options in a game."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from gambito.cli import options
from gambito.cli.command_result import CommandResult, answering
from gambito.cli.progress import Gauge
from gambito.game.registry import load
from gambito.players.tuning import ENGINE, Tuning, read_tuned_option
from gambito.words import digits, say

INTERRUPTED = 130  # exit status
HEAD = ("option", "from", "to", "start", "now")


@click.command(short_help="Find better numbers for the engine's options.")
@options.game
@click.argument("knobs", metavar="NAME[=LOW..HIGH] …", nargs=-1, required=True)
@click.option(
    "--pairs", type=int, default=1000, show_default=True, metavar="N", help="Pairs of games to play."
)
@click.option("--seconds", type=float, metavar="S", help="Seconds for each move.")
@click.option("--nodes", type=int, metavar="N", help="States to visit for each move.  [default: 10000]")
@click.option(
    "--seed",
    type=int,
    default=0,
    metavar="N",
    help="Seed of the openings and the steps; another seed gives other ones.  [default: 0]",
)
@click.option(
    "--file",
    "path",
    type=click.Path(path_type=Path, dir_okay=False),
    help="File that stores the results; a tuning that was interrupted continues from it.",
)
@options.option
@options.jobs
@options.cluster
@answering
def tune(game: str, knobs: tuple[str, ...], settings: dict[str, str], **said: Any) -> CommandResult:
    """Tune options of the engine that are numbers, by games of the engine against itself.

    In every pair of games all options are changed at once, each up or down at random, and the engine plays
    against itself with the opposite changes; then all options move a little towards the side that won
    (SPSA). A few options need some thousand pairs. Measure the result with `gambito match` before you use
    it. Ctrl-C ends the tuning and shows the options so far; with --file it can be continued.

    \b gambito tune chess late_move_pruning=1..8 reduction_scale=30..120 --pairs 5000 --jobs 8 --file
    tuning.jsonl gambito tune othello aspiration --pairs 500
    """
    loaded = load(game)
    tuning = Tuning(
        game, [read_tuned_option(text, loaded, settings) for text in knobs], settings=settings, **said
    )
    status = 0
    with Gauge("pairs", tuning.pairs) as gauge:
        try:
            tuning.run(lambda now: gauge.show(len(now.played), _words(now)), gauge.hear)
        except KeyboardInterrupt:
            status = INTERRUPTED
    return CommandResult(tuning.as_dict(), _text(tuning), status)


def _words(tuning: Tuning) -> str:
    return ",".join(f"{name}={value}" for name, value in tuning.options().items())


def _text(tuning: Tuning) -> str:
    rows = [tuple(map(say, HEAD))]
    for knob in tuning.knobs:
        now = digits(f"{tuning.values[knob.name]:.1f}")
        rows.append((knob.name, str(knob.low), str(knob.high), digits(f"{knob.start:g}"), now))
    widths = [max(len(row[place]) for row in rows) for place in range(len(HEAD))]
    lines = ["  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths)).rstrip() for row in rows]
    head = say("{}: {} of {} pairs", tuning.plain.rules.label(), len(tuning.played), tuning.pairs)
    return "\n".join((head, "", *lines, "", f"{ENGINE}:{_words(tuning)}"))
