"""`gambito match`: two players, many games, and how much stronger one of them is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from gambito.cli import phrases
from gambito.cli.answer import Answer, answering
from gambito.cli.progress import Gauge
from gambito.errors import PlayerError
from gambito.players import Contest, Sprt, Standing, read_control
from gambito.players.summary import elo_words, facts
from gambito.protocols import external as external

INTERRUPTED = 130  # exit status


def _read_sprt(ctx: click.Context, param: click.Parameter, text: str | None) -> Sprt | None:
    if text is None:
        return None
    wrong = PlayerError(
        "'{}' is no test; accepted: ELO0,ELO1 or ELO0,ELO1,ALPHA,BETA with ELO0 below ELO1, as 0,10", text
    )
    try:
        numbers = [float(part) for part in text.split(",")]
    except ValueError:
        raise wrong from None
    if len(numbers) not in (2, 4) or not -1000 <= numbers[0] < numbers[1] <= 1000:
        raise wrong
    if not all(0 < error < 0.5 for error in numbers[2:]):
        raise PlayerError("'{}' is no test; accepted: ALPHA and BETA between 0 and 0.5", text)
    return Sprt(*numbers)


@click.command(short_help="Let two players play many games.")
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
@click.option("--game", required=True, metavar="GAME", help="What is played.")
@click.option("--position", metavar="P", help="Where openings begin; else the beginning of the game.")
@click.option("--games", type=int, default=100, show_default=True, metavar="N", help="Play at most so many.")
@click.option("--clock", metavar="T+I", help="Time for a game and for each move: 60+0.6, 100ms+10ms.")
@click.option("--openings", type=int, metavar="N", help="Use so many openings; else one for each pair.")
@click.option("--plies", type=int, metavar="K", help="How long an opening is; else by the game.")
@click.option("--seed", type=int, default=0, metavar="S", help="Other openings.  [default: 0]")
@click.option(
    "--sprt", metavar="E0,E1", callback=_read_sprt, help="Stop when Elo E0 or E1 is accepted: 0,10[,α,β]."
)
@click.option(
    "--file", "path", type=click.Path(path_type=Path, dir_okay=False), help="Keep the games, and go on there."
)
@click.option("--jobs", type=int, default=1, metavar="J", help="Play so many games at a time.  [default: 1]")
@answering
def match(game: str, clock: str | None, **said: Any) -> Answer:
    """Let two players play many games: every opening twice, with colours swapped.

    A and B are players: random, greedy, or an algorithm with its limits and options. On a clock whoever is
    late loses. With --file a match that was killed goes on where it was. Ctrl-C ends it with what was played.

    \b
    gambito match engine alpha-beta --game connect-four --clock 100ms+10ms
    gambito match engine:nodes=20000 engine:nodes=20000,order=false --game othello --sprt 0,20
    gambito match random:seed=1 greedy --game tic-tac-toe --games 1000 --file games.jsonl
    """
    contest = Contest(game, control=None if clock is None else read_control(clock), **said)
    status = 0
    with Gauge("games", contest.games) as gauge:
        try:
            contest.run(lambda standing: gauge.show(len(standing.done), _news(standing)))
        except KeyboardInterrupt:
            status = INTERRUPTED
    return Answer(contest.standing.as_dict(), _text(contest.standing), status)


def _news(standing: Standing) -> str:
    """How it stands, in a few words."""
    tally, rating, sprt = standing.tally, standing.tally.rating(), standing.contest.sprt
    told = f"+{tally.wins} ={tally.draws} −{tally.losses}"
    if rating is not None:
        told += f"  Elo {elo_words(rating)}"
    if sprt is not None:
        told += f"  LLR {sprt.ratio(tally):+.2f}"
    return told


def _text(standing: Standing) -> str:
    first, second = (click.style(name, bold=True) for name in standing.contest.names)
    return phrases.rows([("match", f"{first} against {second}"), *facts(standing)])
