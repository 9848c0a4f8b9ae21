"""`gambito evaluate`: check, compare and show the evaluations of a game, without a search."""

from __future__ import annotations

from pathlib import Path

import click

import gambito
from gambito.cli import options
from gambito.cli.command_result import CommandResult, answering
from gambito.evaluate.compare import compare as ask_each
from gambito.evaluate.compare import evaluations_of
from gambito.evaluate.show import Shown
from gambito.evaluate.show import show as show_each
from gambito.learn.evaluation_quality import GAMES, judge
from gambito.native.files import put_file
from gambito.words import digits, say, tell

FEW = 40  # features that are all listed, whether or not the position has them


@click.group(short_help="Check, compare or show the evaluations of a game.")
def evaluate() -> None:
    """Check, compare or show the evaluations of a game, without a search."""


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
def check(game: str, games: int, seed: int, plot: Path | None) -> CommandResult:
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
    ordered = (
        say("all are equal")
        if found.ordered is None
        else say("{:.1%} of pairs in the right order", found.ordered)
    )
    lines = [
        say("order        {}, of {:,} terminal states", ordered, found.terminal),
        say("cost         {:.0f} ns per call", found.nanoseconds),
        say(
            "calibration  squared error {:.4f} over {:,} positions; "
            "the mean as a constant prediction: {:.4f}",
            found.error,
            found.positions,
            found.guess,
        ),
        "",
        say("promised    won  positions"),
        *(digits(f"{promised:8.1%} {won:6.1%} {count:10,}") for promised, won, count in found.bins),
    ]
    told = [say("plot written to {}", plot)] if plot is not None else []
    return CommandResult(found.as_dict(), "\n".join([*lines, *told]))


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
def compare(game: str, position: str | None, named: tuple[str, ...]) -> CommandResult:
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
    player = rules.player(state)
    judges = [rules.judged_by(opinion.evaluation) for opinion in opinions]
    pairs = list(zip(judges, opinions, strict=True))
    rows.append((say("position"), *(judge.worded(opinion.value, player) for judge, opinion in pairs)))
    for action in moves:
        values = (judge.worded(opinion.moves[action], player) for judge, opinion in pairs)
        rows.append((rules.spoken(words[action]), *values))
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
    return CommandResult(
        {"game": rules.label(), "position": rules.text(state), "evaluations": told}, "\n".join(lines)
    )


@evaluate.command(short_help="Show the coefficients of an evaluation.")
@options.game
@options.position
@click.option(
    "--evaluation",
    "named",
    multiple=True,
    metavar="E",
    help="Name or file of an evaluation; may be repeated.  [default: that of the game]",
)
@click.option("--all", "is_all", is_flag=True, help="Also list features that the position does not have.")
@answering
def show(game: str, position: str | None, named: tuple[str, ...], is_all: bool) -> CommandResult:
    """Show the coefficients of an evaluation, and how much of each feature a position has.

    Amounts are for the player to move. The value is the sum of the amounts times the coefficients; a term of
    chess has two coefficients, for the middle game and for the endgame. With several evaluations of the same
    form, such as the rounds of a training, the coefficients stand side by side.

    \b
    gambito evaluate show draughts:evaluation=shannon
    gambito evaluate show chess:evaluation=turing --position 'e4 d5 exd5'
    gambito evaluate show samuel.py --evaluation T/round-0.eval --evaluation T/round-1.eval
    """
    rules = gambito.load(game)
    state = rules.parse(position) if position is not None else rules.initial()
    found = show_each(rules, state, list(named))
    groups: list[list[Shown]] = []
    for one in found:
        names = [c.name for c in one.coefficients]
        if groups and names and [c.name for c in groups[-1][0].coefficients] == names:
            groups[-1].append(one)
        else:
            groups.append([one])
    data = {
        "game": rules.label(),
        "position": rules.text(state),
        "evaluations": [one.as_dict() for one in found],
    }
    return CommandResult(data, "\n\n".join(_told(group, is_all) for group in groups))


def _told(group: list[Shown], is_all: bool) -> str:
    """Evaluations with the same features as a table."""
    first = group[0]
    if not first.coefficients:
        about = tell(first.size) or say("its numbers stand in the rules; they are not a list of coefficients")
        return say("{}  {}: {}\nvalue  {}", first.evaluation, tell(first.form), about, first.worded)
    has_amounts = any(c.amount for c in first.coefficients)
    rows = [("", say("amount"), *(Path(one.evaluation).stem for one in group))]
    for number, feature in enumerate(first.coefficients):
        if is_all or not has_amounts or feature.amount or len(first.coefficients) <= FEW:
            weights = (one.coefficients[number].weights for one in group)
            told = ("/".join(digits(f"{weight:.4g}") for weight in pair) for pair in weights)
            rows.append((tell(feature.name), digits(f"{feature.amount:.4g}"), *told))
    rows.append((say("value"), "", *(one.worded for one in group)))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]).rstrip() for row in rows
    )
