"""One game between two players, from an opening to its end, with or without a clock.

A player who exceeds the time, chooses an illegal action or raises an exception loses.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from gambito.errors import Interrupted
from gambito.game.contract import CHANCE, Game
from gambito.players.clock import Control
from gambito.players.match import Match
from gambito.players.own import as_player
from gambito.players.player import Player, RandomPlayer

MOST_PLIES = 1000  # the limit for games without the trait `longest`; a longer game is a draw
OVER, TIME, ILLEGAL, CRASH, ENDLESS = "over", "time", "illegal", "crash", "endless"


@dataclass(frozen=True)
class Played:
    """A finished game."""

    points: tuple[float, float]  # the points of player 0 and of player 1: 1, 0.5 or 0
    reason: str  # over, time, illegal, crash or endless
    loser: int | None  # the player who exceeded the time, chose an illegal action or raised
    problem: str  # the message of that fault
    moves: list[str]  # in the game's notation, with the opening
    seconds: tuple[float, float]  # the time that each player used


def play_game(
    game: Game,
    players: Sequence[Player],
    opening: Sequence[int] = (),
    control: Control | None = None,
    number: int = 0,
    start: Any = None,
    is_ended: Callable[[], bool] = lambda: False,
) -> Played:
    """Let player 0 and player 1 play; the same `number` gives the same random events."""
    players = [as_player(player) for player in players]
    match = Match(game, game.initial() if start is None else start)
    for action in opening:
        match.play(action)
    dice = RandomPlayer(number)
    clocks = [control.start() if control else None for _ in players]
    spent = [0.0, 0.0]

    def end(reason: str, loser: int | None = None, problem: str = "") -> Played:
        points = (0.5, 0.5) if loser is None else (float(loser == 1), float(loser == 0))
        if reason == OVER:
            points = _points(match.utilities())
        return Played(points, reason, loser, problem, match.names(), (spent[0], spent[1]))

    def fail(who: int, problem: Exception, is_late: bool = False) -> Played:
        if is_ended():
            raise Interrupted from None
        return end(TIME if is_late else CRASH, who, f"{type(problem).__name__}: {problem}")

    for seat, player in enumerate(players):
        try:
            player.begin(game, number, clocks[seat])
        except Exception as problem:
            return fail(seat, problem)

    while not match.is_over:
        if len(match.actions) >= MOST_PLIES or match.is_repeated:
            return end(ENDLESS)
        mover = match.player
        if mover == CHANCE:
            match.play(dice.choose(game, match.state).action)
            continue
        clock, began = clocks[mover], time.perf_counter()
        try:
            told = {"past": match.states[:-1]} if game.cycles else {}
            chosen = players[mover].choose(game, match.state, clock, **told).action
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
        if chosen not in game.legal(match.state):
            return end(ILLEGAL, mover, f"{chosen} is not legal")
        match.play(chosen)
    return end(OVER)


def _points(utilities: list[Any]) -> tuple[float, float]:
    if utilities[0] == utilities[1]:
        return 0.5, 0.5
    return float(utilities[0] > utilities[1]), float(utilities[0] < utilities[1])
