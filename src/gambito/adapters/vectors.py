"""A state as numbers of a fixed count, for programs that learn.

Sets of squares, which are unsigned numbers, become one 0 or 1 for each bit; every other number stays as it
is. In a game that hides something this is what `observe` shows.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gambito.errors import EvaluationError, GameError
from gambito.evaluate.policy.encoding import Layout
from gambito.game.contract import Game
from gambito.game.gears import gears

KEPT = "_gambito_vector"  # the attribute in which a game keeps its layout


class Vector:
    """The numbers of a game's states."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.layout = Layout(game)
        low, high = list[float](), list[float]()
        for spot in self.layout.spots:
            if self._is_set(spot.dtype):
                low += [0.0] * 8 * spot.dtype.itemsize
                high += [1.0] * 8 * spot.dtype.itemsize
            else:
                limits = np.iinfo(spot.dtype) if spot.dtype.kind in "iu" else None
                low.append(float(limits.min) if limits else 0.0 if spot.dtype.kind == "b" else -np.inf)
                high.append(float(limits.max) if limits else 1.0 if spot.dtype.kind == "b" else np.inf)
        self.low, self.high = np.array(low, np.float32), np.array(high, np.float32)
        self.size = len(low)

    @staticmethod
    def _is_set(dtype: Any) -> bool:
        return dtype.kind == "u" and dtype.itemsize > 1

    def of(self, state: Any, player: int) -> Any:
        """What a player sees of a state, as numbers."""
        game = self.game
        view = gears(game).cast(game.observe(state, player) if game.hidden else state)
        packed, parts = self.layout.pack([view]), list[Any]()
        for number, spot in enumerate(self.layout.spots):
            if self._is_set(spot.dtype):
                held = packed[0, spot.offset : spot.offset + spot.dtype.itemsize]
                parts.append(np.unpackbits(held, bitorder="little").astype(np.float32))
            else:
                parts.append(self.layout.column(packed, number).astype(np.float32))
        return np.concatenate(parts)


def vector_of(game: Game) -> Vector:
    """How a game's states become numbers; GameError if they do not have a fixed count of them."""
    if KEPT not in vars(game):
        try:
            vars(game)[KEPT] = Vector(game)
        except EvaluationError:
            raise GameError(
                "the states of {} are not of a fixed count of numbers, as an observation is", game.label()
            ) from None
    kept: Vector = vars(game)[KEPT]
    return kept
