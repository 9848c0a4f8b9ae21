"""`gambito heuristic check`: is a heuristic admissible, is it consistent?"""

from __future__ import annotations

import click

from gambito.cli import options, words
from gambito.cli.answer import Answer, answering
from gambito.cli.check import PROBLEMS
from gambito.puzzle.check import Example, HeuristicReport, check_heuristic


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
    how = "all that can be reached" if report.proof else "not all"
    seen = f"{words.count(report.states, 'state')} ({how}), {words.count(report.edges, 'action')}"
    means = f"{report.mean_h:.4g}" + (f" of {report.mean_cost:.4g}" if report.mean_cost is not None else "")
    facts = [
        ("puzzle", report.puzzle),
        ("heuristic", report.heuristic),
        ("looked at", seen),
        ("mean h", means),
        ("admissible", _verdict(report.admissible)),
        ("consistent", _verdict(report.consistent)),
    ]
    parts = [words.rows(facts)]
    if report.inadmissible_example is not None:
        parts.append(_inadmissible(report.inadmissible_example))
    if report.inconsistent_example is not None:
        parts.append(_inconsistent(report.inconsistent_example))
    return "\n\n".join(parts)


def _verdict(answer: bool | None) -> str:
    return {True: "yes, proven", False: "no", None: "no counter-example found"}[answer]


def _inadmissible(one: Example) -> str:
    bound = "at most " if one.is_bound else ""
    return f"not admissible: h = {one.h:g}, and the true cost is {bound}{one.true_cost:g}\n{one.show}"


def _inconsistent(one: Example) -> str:
    edge = f"the action {one.action} costs {one.cost:g}, and behind it h = {one.child_h:g}"
    return f"not consistent: h = {one.h:g}, {edge}\n{one.show}\nbehind it: {one.child}"
