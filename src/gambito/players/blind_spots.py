"""What a weak player overlooks: replies that come from far away, or happen far from where the player looks.

A person sees what is near the piece that has just moved, and misses a bishop at the other end of a long
diagonal. Distances are those of the game's picture; in a game without one nothing is far.
"""

from __future__ import annotations

import functools
import math
from typing import Any

from gambito.game.contract import Game


def remoteness(game: Game, state: Any, action: int, reply: int) -> float:
    """How far from an action its reply is, from 0 to 1: by the way that it goes, and by where it ends."""
    cells = _cells(game)
    own = _steps(game, state, action)
    other = _steps(game, game.result(state, action), reply)
    if cells is None or not own or not other:
        return 0.0
    ways = [(other[0], other[-1]), (own[-1], other[-1])]
    return max(math.dist(cells[first], cells[last]) for first, last in ways) / _width(cells)


def _steps(game: Game, state: Any, action: int) -> list[int]:
    """The cells that an action touches."""
    return [step[0] if isinstance(step, tuple) else step for step in game.touch(state, action)]


@functools.lru_cache(8)
def _cells(game: Game) -> tuple[tuple[float, float], ...] | None:
    board = game.picture()
    return None if board is None else tuple((cell.x, cell.y) for cell in board.cells)


@functools.lru_cache(8)
def _width(cells: tuple[tuple[float, float], ...]) -> float:
    """The largest distance between two cells, roughly: that of the corners around them."""
    across, down = zip(*cells, strict=True)
    return math.hypot(max(across) - min(across), max(down) - min(down)) or 1.0
