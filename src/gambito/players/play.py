"""One game between players, from an opening to its end, with or without a clock.

A player is given what it sees of each state. One who exceeds the time, chooses an illegal action or raises an
exception loses.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from gambito.errors import Interrupted
from gambito.game.contract import CHANCE, Game
from gambito.players.clock import Control
from gambito.players.custom import as_player
from gambito.players.player import Player, RandomPlayer
from gambito.players.running_game import RunningGame, seen
from gambito.players.seating import place

MOST_PLIES = 1000  # the limit for games without the trait `longest`; a longer game is a draw
OVER, TIME, ILLEGAL, CRASH, ENDLESS = "over", "time", "illegal", "crash", "endless"


@dataclass(frozen=True)
class PlayedGame:
    """A finished game."""

    points: tuple[float, ...]  # of each player: 1 if it alone has most, 0.5 if it shares that, else 0
    utilities: tuple[float, ...]  # of each player, on the game's own scale; a fault costs the lowest value
    reason: str  # over, time, illegal, crash or endless
    loser: int | None  # the player who exceeded the time, chose an illegal action or raised
    problem: str  # the message of that fault
    moves: list[str]  # in the game's notation, with the opening
    seconds: tuple[float, ...]  # the time that each player used


def play_game(
    game: Game,
    players: Sequence[Player],
    opening: Sequence[int] = (),
    control: Control | None = None,
    number: int = 0,
    start: Any = None,
    is_ended: Callable[[], bool] = lambda: False,
    deal: int | None = None,
) -> PlayedGame:
    """Let the players play, player 0 first in the list; the same `number` gives the same random choices.

    The same `deal` gives the same dice and cards; by default it is the number.
    """
    players = [as_player(player) for player in players]
    running = RunningGame(game, game.initial() if start is None else start)
    for action in opening:
        running.play(action)
    dice = RandomPlayer(number if deal is None else deal)
    clocks = [control.start() if control else None for _ in players]
    spent = [0.0] * len(players)

    def end(reason: str, loser: int | None = None, problem: str = "") -> PlayedGame:
        utilities = [0.0] * len(players) if loser is None else _after_fault(game, loser)
        if reason == OVER:
            utilities = [float(utility) for utility in running.utilities()]
        points = tuple(place(utilities, seat) for seat in range(len(players)))
        return PlayedGame(points, tuple(utilities), reason, loser, problem, running.names(), tuple(spent))

    def fail(who: int, problem: Exception, is_late: bool = False) -> PlayedGame:
        if is_ended():
            raise Interrupted from None
        return end(TIME if is_late else CRASH, who, f"{type(problem).__name__}: {problem}")

    for seat, player in enumerate(players):
        try:
            player.begin(game, number, clocks[seat])
        except Exception as problem:
            return fail(seat, problem)

    while not running.is_over:
        if len(running.actions) >= MOST_PLIES or running.is_repeated:
            return end(ENDLESS)
        mover = running.player
        if mover == CHANCE:
            running.play(dice.choose(game, running.state).action)
            continue
        clock, began = clocks[mover], time.perf_counter()
        try:
            past_states = [seen(game, state, mover) for state in running.states[:-1]] if game.cycles else []
            told = {"past_states": past_states} if game.cycles else {}
            chosen = players[mover].choose(game, seen(game, running.state, mover), clock, **told).action
        except Exception as problem:
            spent[mover] += time.perf_counter() - began
            is_late = clock is not None and time.perf_counter() - began > clock.left
            return fail(mover, problem, is_late)
        took = time.perf_counter() - began
        if is_ended():
            raise Interrupted
        spent[mover] += took
        if control is not None and clock is not None:
            clocks[mover] = after = control.after(clock, took)
            if after.left < 0:
                return end(TIME, mover)
        if chosen not in game.legal(running.state):
            return end(ILLEGAL, mover, f"{chosen} is not legal")
        running.play(chosen)
    return end(OVER)


def _after_fault(game: Game, loser: int) -> list[float]:
    """What a fault is worth to each player: the lowest value to the loser, who pays it to the others."""
    lost, others = float(game.lowest), game.players - 1
    return [lost if seat == loser else -lost / others for seat in range(game.players)]
