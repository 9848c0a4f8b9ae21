"""The representative of states that are symmetric to each other."""

from __future__ import annotations

from typing import Any

from gambito.game.contract import Game
from gambito.game.gears import gears
from gambito.native import int64, native, uint64


@native
def least_view(game, state):
    """The number of the symmetry with the least key (0: the state itself), and the state in it."""
    key, view, seen, number = uint64(game.key(state)), int64(0), state, int64(0)
    for other in game.symmetries(state):
        number += 1
        if uint64(game.key(other)) < key:
            key, view, seen = uint64(game.key(other)), number, other
    return view, seen


def view_of(game: Game, state: Any) -> tuple[int, Any]:
    """The view and the state in it. If a game cannot turn actions, every state represents itself."""
    if type(game).turn is Game.turn:
        return 0, state
    both = gears(game)
    view, seen = least_view(both.in_gear(both.default()), both.cast(state))
    return int(view), both.cast(seen)
