"""`gambito check`: check the rules of a game."""

from __future__ import annotations

import click

import gambito
from gambito.cli import options
from gambito.cli.command_result import CommandResult, answering
from gambito.cli.progress import Gauge
from gambito.game.check_play import Report
from gambito.words import count, say, tell

PROBLEMS = 1  # exit status


@click.command(short_help="Check the rules of a game.")
@options.game
@answering
def check(game: str) -> CommandResult:
    """Play random games to find rules that contradict each other, or that differ between the two gears.

    Each problem is printed on one line, with the moves that lead to it. The exit status is 1 if there is a
    problem.

    \b
    gambito check rules.py:MyGame
    """
    with Gauge("games") as gauge:

        def progress(what: str, done: int, total: int) -> None:
            gauge.expect(total if what == "games" else None)
            gauge.show(done, "" if what == "games" else say("checking {}", say(what)))

        report = gambito.check(game, progress=progress)
    return CommandResult(report.as_dict(), _text(report), 0 if report.ok else PROBLEMS, report.details)


def _text(report: Report) -> str:
    if report.problems:
        return "\n".join(" ".join(tell(problem).split()) for problem in report.problems)
    gears = say("both gears agree") if report.native else say("Python gear only")
    played = say(
        "{0}, {1:,} {1:state|states}, at most {2:,} {2:ply|plies}",
        count(report.games, "game"),
        report.states,
        report.longest,
    )
    cut = say(", stopped after some seconds") if report.is_cut else ""
    told = say("{}: no problem found ({}, {}{})", report.game, played, gears, cut)
    return "\n".join([told, *(say("note: {}", tell(note)) for note in report.notes)])
