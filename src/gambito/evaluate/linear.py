"""A weighted sum of named features; every stage of the game may have its own weights.

The game's `inputs` write pairs: the number of a feature in its stage, and its amount.

    Samuel, Some studies in machine learning using the game of checkers, 1959
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gambito.native import int64
from gambito.native.scratch import scratch

BUFFER_WORDS = 256  # words: 128 features at once
LARGEST_WEIGHT = (1 << 31) - 1


class Linear:
    """The features of an evaluation. `unit`: the number of weight units in one unit of the game's values."""

    name = "linear"
    divisor = 1

    def __init__(self, names: Sequence[str], stages: int = 1, unit: int = 100) -> None:
        if not names or 2 * len(names) > BUFFER_WORDS:
            raise ValueError(f"from 1 to {BUFFER_WORDS // 2} features, not {len(names)}")
        self.names, self.stages, self.unit = tuple(names), stages, unit
        self.size = len(names) * stages
        self.description = f"linear, {stages} stages, unit {unit}: " + ", ".join(names)

    def share(self, numbers: Any) -> Any:
        """No weight is shared."""
        return numbers

    def install(self, game: Any, weights: Any) -> None:
        """Store weights, given in the game's values, in the game."""
        whole = np.clip(np.round(weights * self.unit), -LARGEST_WEIGHT, LARGEST_WEIGHT)
        game.weights.array[:] = whole.astype(game.weights.array.dtype)

    def read(self, words: Any) -> list[dict[str, float]]:
        """The weights by name, stage by stage."""
        rows = (np.asarray(words) / self.unit).reshape(self.stages, -1)
        return [dict(zip(self.names, row.tolist(), strict=True)) for row in rows]


def linear_value(game, state, unit):
    """The value of a state for the player to move."""
    buffer, total = scratch(BUFFER_WORDS), int64(0)
    end = game.inputs(state, buffer, int64(0))
    for place in range(0, end, 2):
        total += int64(game.weights[int64(buffer[place])]) * int64(buffer[place + 1])
    return (total + unit // 2) // unit
