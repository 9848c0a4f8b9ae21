"""`gambito check`: check the rules of a game."""

from __future__ import annotations

import click

import gambito
from gambito.cli import options
from gambito.cli.answer import Answer, answering
from gambito.game.check_play import Report

PROBLEMS = 1  # exit status


@click.command(short_help="Check the rules of a game.")
@options.game
@answering
def check(game: str) -> Answer:
    """Play random games to find rules that contradict each other, or that differ between the two gears.

    Each problem is printed on one line, with the moves that lead to it. The exit status is 1 if there is a
    problem.

    \b
    gambito check rules.py:MyGame
    """
    report = gambito.check(game)
    return Answer(report.as_dict(), _text(report), 0 if report.ok else PROBLEMS)


def _text(report: Report) -> str:
    if report.problems:
        return "\n".join(" ".join(problem.split()) for problem in report.problems)
    gears = "both gears agree" if report.native else "Python gear only"
    played = f"{report.games} games, {report.states:,} states, at most {report.longest} plies"
    return f"{report.game}: no problem found ({played}, {gears})"
