"""`gambito play`: a game in the terminal, with any number of human players."""

from __future__ import annotations

import sys
from typing import Any

import click

import gambito
from gambito.books.shelf import open_book
from gambito.cli import options
from gambito.cli.command_result import CommandResult, answering
from gambito.cli.options import given
from gambito.errors import PlayerError
from gambito.players.opening_book import Opening
from gambito.players.player import Engine, Player, RandomPlayer
from gambito.players.player_text import read_player
from gambito.players.running_game import PLACES, RunningGame, seat
from gambito.search.background_compile import enable
from gambito.search.chooser import strongest
from gambito.search.limits import Limits

PERSON = "person"  # who sits there types the moves
SECONDS, SECONDS_ALONE = 1.0, 0.2  # for each move, with a human player and without


@click.command(short_help="Play a game in the terminal.")
@options.game
@options.position
@click.option(
    "--side",
    type=click.Choice((*PLACES, "both", "all", "none")),
    metavar="SIDE",
    default="first",
    show_default=True,
    help="The side you play: first, second … sixth, both or all; `none`: the engine plays against itself.",
)
@click.option(
    "--seat",
    "sitting",
    multiple=True,
    metavar="PLAYER",
    help="Who has the first seat; repeat it for the next ones: person, level:strength=3, max-n:depth=4, …",
)
@click.option(
    "--opponent",
    metavar="PLAYER",
    help="Your opponent: random, greedy, engine:seconds=3, … By default, the options below define it.",
)
@options.algorithm
@options.depth
@click.option("--seconds", type=float, metavar="S", help="Time for each move of the engine.  [default: 1]")
@options.nodes
@options.gear
@options.option
@click.option("--book", metavar="FILE", help="Opening book. The engine plays from it while it has a move.")
@click.option(
    "--seed",
    type=int,
    metavar="N",
    help="Seed of the random numbers; the same seed repeats the same random choices.",
)
@answering
def play(
    game: str,
    position: str | None,
    side: str,
    sitting: tuple[str, ...],
    opponent: str | None,
    algorithm: str | None,
    gear: str | None,
    settings: dict[str, Any],
    book: str | None,
    seed: int | None,
    **limits: Any,
) -> CommandResult:
    """Play a game in the terminal.

    Type a move as the prompt names it, or `help`. Without a terminal, or with --json, the engine plays one
    game against itself.

    \b
    gambito play connect-four
    gambito play tic-tac-toe --side second --algorithm minimax
    gambito play othello --opponent engine:seconds=0.5
    gambito play chess --book games.book
    gambito play rules.py:MyGame --side both
    gambito play chinese-checkers --seat person --seat level:strength=3 --seat max-n:depth=3
    """
    is_json = click.get_current_context().params["as_json"]
    is_attended = sys.stdin is not None and sys.stdin.isatty() and not is_json
    rules = gambito.load(game)
    state = rules.parse(position) if position is not None else rules.initial()
    running = RunningGame(rules.at(state), state)

    pace = Limits(**limits) if given(**limits) else Limits(seconds=SECONDS if is_attended else SECONDS_ALONE)
    engine = Engine(algorithm or strongest(running.game), pace, gear, settings)
    engine.opening = None if book is None else Opening(open_book(book), seed=seed)
    other: Player = engine if opponent is None else _read_opponent(opponent, seed, pace)
    seats: dict[int, Player | None] = dict.fromkeys(range(running.game.players), other)
    _check_seats(running, side, sitting)
    if is_attended:
        seats.update({p: None for p in seats if side in ("both", "all") or seat(p) == side})
        enable()
    for player, text in enumerate(sitting):
        is_person = text.strip() == PERSON
        if is_person and not is_attended:
            raise PlayerError("a person plays at a terminal, and there is none")
        seats[player] = None if is_person else _read_opponent(text, seed, pace)
    for each in {id(player): player for player in seats.values() if player is not None}.values():
        if not running.is_over:
            each.prepare(running.game, running.state)
            each.begin(running.game)
    names = [PERSON if player is None else player.name for player in seats.values()]
    if running.game.chance:
        seats[gambito.CHANCE] = RandomPlayer(seed)
    _run(running, seats, engine, is_attended, is_json)
    return CommandResult(_data(running, other, names), "")


def _check_seats(running: RunningGame, side: str, sitting: tuple[str, ...]) -> None:
    """Refuse a side that the game does not have."""
    places = PLACES[: running.game.players]
    if side in PLACES and side not in places:
        raise PlayerError("{} has no {} player; accepted: {}", running.game.label(), side, ", ".join(places))
    if len(sitting) > running.game.players:
        raise PlayerError(
            "{} has {} seats, and {} players were named",
            running.game.label(),
            running.game.players,
            len(sitting),
        )


def _read_opponent(text: str, seed: int | None, pace: Limits) -> Player:
    """Return the player that a text names. The given seed and pace apply if the text does not set its own."""
    player = read_player(text)
    if isinstance(player, RandomPlayer) and player.seed is None:
        return type(player)(seed)
    if isinstance(player, Engine) and not player.limits.given():
        player.limits = pace
    return player


def _run(
    running: RunningGame, seats: dict[int, Player | None], engine: Engine, is_attended: bool, is_quiet: bool
) -> None:
    from rich.console import Console

    from gambito.cli.keyboard import Keyboard
    from gambito.cli.screen import Screen
    from gambito.cli.terminal_game import TerminalGame

    screen = Screen(Console(quiet=is_quiet, highlight=False))
    TerminalGame(running, seats, engine, screen, Keyboard() if is_attended else None).run()


def _data(running: RunningGame, player: Player, names: list[str]) -> dict[str, Any]:
    """Return the match as data for --json."""
    game = running.game
    return {
        "game": game.label(),
        "position": game.text(running.states[0]),
        "player": player.name,
        "players": names,
        "line": running.names(),
        "over": running.is_over,
        "utilities": running.utilities() if running.is_over else None,
        "verdict": running.verdict() if running.is_over else None,
        "end": game.text(running.state),
    }
