"""`gambito heuristic check`: is a heuristic admissible, is it consistent?"""

from __future__ import annotations

import click

from gambito.cli import options, phrases
from gambito.cli.answer import Answer, answering
from gambito.cli.check import PROBLEMS
from gambito.puzzle.check import HeuristicReport, check_heuristic
from gambito.puzzle.summary import examples, facts


@click.group(short_help="Is a heuristic admissible, is it consistent?")
def heuristic() -> None:
    """What estimates of puzzles are worth."""


@heuristic.command(short_help="Look for a state or an action that a heuristic is wrong about.")
@click.argument("puzzle", metavar="PUZZLE")
@click.option(
    "--heuristic", "name", default="estimate", metavar="H", help="Which; max(A,B) and sum(A,B) too."
)
@options.position
@click.option("--states", type=int, metavar="N", help="How many states to look at, at most.")
@answering
def check(puzzle: str, name: str, position: str | None, states: int | None) -> Answer:
    """Say whether a heuristic is admissible and consistent, and show what it is wrong about.

    Where all states can be looked at the answer is a proof; else it is a search for a counter-example. The
    exit status is 1 if there is one.

    \b
    gambito heuristic check sliding-tiles --heuristic linear-conflict
    gambito heuristic check puzzle.py:MyPuzzle
    """
    report = check_heuristic(puzzle, name, position, states)
    return Answer(report.as_dict(), _text(report), 0 if report.ok else PROBLEMS)


def _text(report: HeuristicReport) -> str:
    told = ("\n".join(example) for example in examples(report))
    return "\n\n".join([phrases.rows(facts(report)), *told])
