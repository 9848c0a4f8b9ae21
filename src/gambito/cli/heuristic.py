"""`gambito heuristic check`: check that a heuristic is admissible and consistent."""

from __future__ import annotations

import click

from gambito.cli import options, phrases
from gambito.cli.check import PROBLEMS
from gambito.cli.command_result import CommandResult, answering
from gambito.puzzle.check import HeuristicReport, check_heuristic
from gambito.puzzle.summary import examples, facts


@click.group(short_help="Check that a heuristic is admissible and consistent.")
def heuristic() -> None:
    """Check the heuristics of puzzles."""


@heuristic.command(short_help="Search for a state or an action where a heuristic is wrong.")
@click.argument("puzzle", metavar="PUZZLE")
@click.option(
    "--heuristic",
    "name",
    default="estimate",
    metavar="H",
    help="Name of the heuristic; also max(A,B) and sum(A,B).",
)
@options.position
@click.option("--states", type=int, metavar="N", help="Maximum number of states to check.")
@answering
def check(puzzle: str, name: str, position: str | None, states: int | None) -> CommandResult:
    """Check that a heuristic is admissible and consistent, and show a counter-example if it is not.

    If all states can be checked, the answer is a proof. Otherwise it is the result of a search for a
    counter-example. The exit status is 1 if there is a counter-example.

    \b
    gambito heuristic check sliding-tiles --heuristic linear-conflict
    gambito heuristic check puzzle.py:MyPuzzle
    """
    report = check_heuristic(puzzle, name, position, states)
    return CommandResult(report.as_dict(), _text(report), 0 if report.ok else PROBLEMS)


def _text(report: HeuristicReport) -> str:
    told = ("\n".join(example) for example in examples(report))
    return "\n\n".join([phrases.rows(facts(report)), *told])
