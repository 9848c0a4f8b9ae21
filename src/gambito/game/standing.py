"""What a board without Python needs: what stands on a cell of a state, and which cells an action touches.

Each is a function of both gears. It asks the rules of the game if they say it; else it looks in the arrays of
the state, and at what the action changes there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gambito.boards import plain
from gambito.boards.changes import MOST_ARROWS, find_arrows
from gambito.boards.equipment import NO_CELL
from gambito.errors import GameError
from gambito.game.contract import Game
from gambito.game.contract.equipment import Equipped
from gambito.native import native


@native
def declared_stands(game, state, cell):
    return game.stands(state, cell)


@native
def declared_touched(game, state, action, step):
    return game.touched(state, action, step)


def stands_of(game: Game) -> native:
    """The function `(game, state, cell)` that gives the code of what stands on a cell."""
    _equipped(game)
    if type(game).stands is not Equipped.stands:
        return declared_stands
    start = game.initial()
    places = [type(start)._fields.index(name) for name in plain.grids_of(start)]
    look = _nowhere
    for place in reversed(places):
        look = _in_array(place, start[place].size, look)

    @native
    def stands(game, state, cell):
        return look(state, cell)

    return stands


def touched_of(game: Game) -> native:
    """The function `(game, state, action, step)` that gives the cell to be touched; NO_CELL: no more."""
    kit = _equipped(game)
    if type(game).touched is not Equipped.touched:
        return declared_touched
    stands, size, cells, empty = stands_of(game), kit.size, len(kit.board.cells), kit.empty
    most = MOST_ARROWS * (size // cells)

    @native
    def touched(game, state, action, step):
        before, after = np.empty(size, np.int64), np.empty(size, np.int64)
        child = game.result(state, action)
        for cell in range(size):
            before[cell], after[cell] = stands(game, state, cell), stands(game, child, cell)
        named = action
        for each in game.actions(state):
            if each >= cells:
                named = NO_CELL
        arrows = np.empty((most, 2), np.int64)
        count = find_arrows(before, after, empty, cells, named, arrows)
        for place in range(2 * count):
            cell = arrows[place // 2, place % 2]
            if cell != NO_CELL:
                if step == 0:
                    return cell
                step -= 1
        return NO_CELL

    return touched


def _equipped(game: Game) -> Any:
    kit = game.kept_equipment()
    if kit is None:
        raise GameError("{} has no board", game.label())
    return kit


def _nowhere(state, cell):
    return 0


def _in_array(place: int, size: int, rest: Callable[[Any, int], int]) -> Callable[[Any, int], int]:
    """What stands on a cell of the array in that place of a state, or further on in the `rest`."""

    def look(state, cell):
        if cell < size:
            return int(state[place].flat[cell])
        return rest(state, cell - size)

    return look
