"""A game as one of its seats sees it: its observations one after the other, and the moves that they tell.

All of it follows from `observe`. What a seat sees of a move of others is worked out from the observations
before and after it, never from the move itself, so it cannot tell more than they do.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from typing import Any

from gambito.game.contract import CHANCE, Game
from gambito.players.running_game import RunningGame, explain
from gambito.search.monte_carlo.trees import same
from gambito.web.setup import drawn


@dataclass(frozen=True)
class Sight:
    """One observation of a seat, and the move that led to it."""

    ply: int  # of the game
    state: Any  # the state with blanks
    action: int | None = None  # None: the seat does not know which one it was, or the game begins
    move: dict[str, Any] | None = None  # the move as the page shows it; its name is None if it is not known


def sights(match: RunningGame, seat: int, before: list[Sight]) -> list[Sight]:
    """Return what a seat has seen so far. `before` holds what it saw of the first plies of this game.

    A move of others that changes nothing for the seat is not seen: even that it was made may be a secret.
    """
    game = match.game
    seen = before or [Sight(0, game.observe(match.states[0], seat))]
    for ply in range(seen[-1].ply + 1, len(match.states)):
        last, now = seen[-1].state, game.observe(match.states[ply], seat)
        is_own = int(game.player(match.states[ply - 1])) == seat != CHANCE
        if not is_own and same(last, now):
            continue
        action = match.actions[ply - 1] if is_own else explain(game, last, now, seat)
        seen = [*seen, Sight(ply, now, action, _shown(game, last, action))]
    return seen


def _shown(game: Game, before: Any, action: int | None) -> dict[str, Any]:
    """Describe a move by what the seat saw before it."""
    told: dict[str, Any] = {"move": None, "touch": [], "player": int(game.player(before))}
    if action is not None:
        with contextlib.suppress(Exception):  # as above
            told |= {"move": game.write(before, action)} | drawn(game, before, action)
    return told
