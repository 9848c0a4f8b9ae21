"""`gambito match`: many games between two players or more, to measure which one is stronger."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from gambito.cli import options, phrases
from gambito.cli.command_result import CommandResult, answering
from gambito.cli.progress import Gauge
from gambito.errors import PlayerError
from gambito.game.registry import load
from gambito.players import Match, Sprt, Standing, read_control
from gambito.players.summary import elo_words, facts, mean_words
from gambito.words import digits, say

INTERRUPTED = 130  # exit status
PAIRINGS = ("round-robin", "gauntlet")


def _read_sprt(ctx: click.Context, param: click.Parameter, text: str | None) -> Sprt | None:
    if text is None:
        return None
    wrong = PlayerError(
        "'{}' is not a test; accepted: ELO0,ELO1 or ELO0,ELO1,ALPHA,BETA with ELO0 < ELO1, such as 0,10", text
    )
    try:
        numbers = [float(part) for part in text.split(",")]
    except ValueError:
        raise wrong from None
    if len(numbers) not in (2, 4) or not -1000 <= numbers[0] < numbers[1] <= 1000:
        raise wrong
    if not all(0 < error < 0.5 for error in numbers[2:]):
        raise PlayerError("'{}' is not a test; accepted: ALPHA and BETA between 0 and 0.5", text)
    return Sprt(*numbers)


@click.command(short_help="Play many games between players.")
@click.argument("first", metavar="A")
@click.argument("second", metavar="[B]", required=False)
@click.argument("more", metavar="[C …]", nargs=-1)
@click.option("--game", required=True, metavar="GAME", help="The game to play.")
@click.option(
    "--position", metavar="P", help="Position where the openings begin.  [default: the start of the game]"
)
@click.option(
    "--games", type=int, default=100, show_default=True, metavar="N", help="Maximum number of games."
)
@click.option("--clock", metavar="T+I", help="Time per game and increment per move: 60+0.6, 100ms+10ms.")
@click.option(
    "--openings",
    type=int,
    metavar="N",
    help="Number of different openings.  [default: one for each pair of games]",
)
@click.option(
    "--plies", type=int, metavar="K", help="Length of an opening in plies.  [default: depends on the game]"
)
@click.option(
    "--seed",
    type=int,
    default=0,
    metavar="S",
    help="Seed of the random openings; another seed gives other openings.  [default: 0]",
)
@click.option(
    "--sprt",
    metavar="E0,E1",
    callback=_read_sprt,
    help="Stop when the test accepts Elo E0 or E1: 0,10[,α,β].",
)
@click.option(
    "--file",
    "path",
    type=click.Path(path_type=Path, dir_okay=False),
    help="File that stores the games; a match that was interrupted continues from it.",
)
@click.option(
    "--pairing",
    type=click.Choice(PAIRINGS),
    help="Who meets whom, if three players or more share a game of two.  [default: round-robin]",
)
@click.option(
    "--svg", type=click.Path(path_type=Path, dir_okay=False), help="File for the cross-table of such a match."
)
@options.jobs
@options.cluster
@answering
def match(game: str, clock: str | None, pairing: str | None, svg: Path | None, **said: Any) -> CommandResult:
    """Play many games between two players. Every opening is played twice, with the colours swapped.

    Three players or more in a game of two play a tournament: all pairs, or with --pairing gauntlet the first
    one against each of the others. --games is then the number of each pair, and the result is a cross-table
    with the ratings of all.

    In a game for one player, everybody plays the same deals alone; the result has the mean score of each
    player with its error, and the difference between the first two.

    If a game has more than two seats, A takes each of them once with every opening, and B takes all the
    others. Three players or more share the seats evenly and move on by one after every game; the result has
    the points of every pair, and of every player in each seat.

    A, B and so on are players: random, greedy, or an algorithm with its limits and options. With --clock, a
    player who runs out of time loses. With --file, a match that was interrupted continues where it stopped.
    Ctrl-C ends the match and shows the result so far. One game is played at a time, unless --jobs or
    --cluster says otherwise.

    \b
    gambito match engine alpha-beta --game connect-four --clock 100ms+10ms
    gambito match engine:nodes=20000 engine:nodes=20000,order=false --game othello --sprt 0,20
    gambito match random:seed=1 greedy --game tic-tac-toe --games 1000 --file games.jsonl
    gambito match greedy random --game yahtzee --games 200
    gambito match max-n:depth=2 paranoid:depth=2 greedy --game tic-tac-toe-3 --games 300
    gambito match engine:nodes=1000 mtd-f:depth=4 greedy --game othello --games 20 --svg table.svg
    """
    is_tournament = said["more"] and load(game).players == 2
    if is_tournament:
        return _tournament({"game": game, "clock": clock, "pairing": pairing, **said}, svg)
    if pairing is not None or svg is not None:
        raise PlayerError("--pairing and --svg are for three players or more in a game of two")
    series = Match(game, control=None if clock is None else read_control(clock), **said)
    status = 0
    with Gauge("games", series.games) as gauge:
        try:
            series.run(lambda standing: gauge.show(len(standing.done), _news(standing)), gauge.hear)
        except KeyboardInterrupt:
            status = INTERRUPTED
    return CommandResult(series.standing.as_dict(), _text(series.standing), status)


def _tournament(said: dict[str, Any], svg: Path | None) -> CommandResult:
    """Play the matches of all pairs."""
    from gambito.cli.experiment import answer, play
    from gambito.players.experiments import Tournament, read_plan

    if said.pop("sprt") is not None:
        raise PlayerError("a sequential test is for two players")
    players = [said.pop("first"), said.pop("second"), *said.pop("more")]
    where = {name: said.pop(name) for name in ("path", "jobs", "cluster")}
    plan = read_plan({"players": players, **options.given(**said)})
    tournament = Tournament(plan, **where)  # type: ignore[arg-type]
    return answer(tournament, svg, play(tournament))


def _news(standing: Standing) -> str:
    """Describe the standing in a few words."""
    tally, rating, sprt = standing.tally, standing.tally.rating(), standing.match.sprt
    if standing.match.is_alone:
        return "  ".join(filter(None, map(mean_words, standing.scores)))
    told = f"+{tally.wins} ={tally.draws} −{tally.losses}"
    if rating is not None:
        told += f"  Elo {elo_words(rating)}"
    elif standing.score is not None and standing.match.seats > 2:
        told += "  " + digits(f"{100 * standing.score:.1f} %")
    if sprt is not None:
        told += "  LLR " + digits(f"{sprt.ratio(tally):+.2f}")
    return told


def _text(standing: Standing) -> str:
    names = (click.style(name, bold=True) for name in standing.match.names)
    return phrases.rows([(say("match"), say(" against ").join(names)), *facts(standing)])
