"""`gambito evaluate`: check and compare the evaluations of a game, without a search."""

from __future__ import annotations

from pathlib import Path

import click

import gambito
from gambito.cli import options
from gambito.cli.answer import Answer, answering
from gambito.evaluate.compare import compare as ask_each
from gambito.evaluate.compare import evaluations_of
from gambito.learn.judge import GAMES, judge
from gambito.native.files import put_file


@click.group(short_help="Check or compare the evaluations of a game.")
def evaluate() -> None:
    """Check or compare the evaluations of a game, without a search."""


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


@evaluate.command(short_help="Show what each evaluation says about a position.")
@options.game
@options.position
@click.option(
    "--evaluation",
    "named",
    multiple=True,
    metavar="E",
    help="Name or file of an evaluation; may be repeated.  [default: all that come with Gambito]",
)
@answering
def compare(game: str, position: str | None, named: tuple[str, ...]) -> Answer:
    """Show what several evaluations say about a position and about each of its moves.

    No search is done. All values are for the player to move, and moves come in the order of the last
    evaluation.

    \b
    gambito evaluate compare chess
    gambito evaluate compare othello --position f5d6c3 --evaluation hand --evaluation mine.eval
    """
    rules = gambito.load(game)
    state = rules.parse(position) if position is not None else rules.initial()
    opinions = ask_each(rules, state, list(named) or evaluations_of(rules))
    moves = sorted(opinions[-1].moves, key=lambda action: -opinions[-1].moves[action])
    words = {action: rules.write(state, action) for action in moves}
    rows = [("", *(opinion.evaluation for opinion in opinions))]
    rows.append(("position", *(f"{opinion.value:+.5g}" for opinion in opinions)))
    rows += [(words[a], *(f"{opinion.moves[a]:+.5g}" for opinion in opinions)) for a in moves]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]) for row in rows]
    told = [
        {
            "evaluation": opinion.evaluation,
            "value": opinion.value,
            "moves": {words[action]: opinion.moves[action] for action in moves},
        }
        for opinion in opinions
    ]
    return Answer(
        {"game": rules.label(), "position": rules.text(state), "evaluations": told}, "\n".join(lines)
    )
