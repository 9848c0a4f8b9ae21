"""The outcomes of the chance nodes on the path of a search.

    chances, lows, highs [rows][width]   the probability of an outcome, and the bounds of its value, for MAX
    numbers [rows][width]                the outcomes themselves

A row belongs to the chance node with that many plies left; its outcomes are side by side, likeliest first.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from gambito.native import Handle


class Outcomes(Handle):
    """Rows of outcomes."""

    arrays: ClassVar[dict[str, type]] = {
        "width": np.int64,
        "numbers": np.int64,
        "chances": np.float64,
        "lows": np.float64,
        "highs": np.float64,
    }

    def row(self, depth):
        """The start of a chance node's row."""
        return depth * self.width[0]

    def add(self, begin, end, number, chance, low, high):
        """Insert an outcome between `begin` and `end`, after all that are as likely."""
        place = end
        while place > begin and self.chances[place - 1] < chance:
            self.numbers[place] = self.numbers[place - 1]
            self.chances[place] = self.chances[place - 1]
            place -= 1
        self.numbers[place] = number
        self.chances[place] = chance
        self.lows[end] = low
        self.highs[end] = high

    def low(self, begin, end):
        """The lower bound of the chance node whose outcomes are between `begin` and `end`."""
        total = 0.0
        for place in range(begin, end):
            total += self.chances[place] * self.lows[place]
        return total

    def high(self, begin, end):
        """The upper bound of the chance node."""
        total = 0.0
        for place in range(begin, end):
            total += self.chances[place] * self.highs[place]
        return total


def new_outcomes(width: int, depth: int, is_native: bool) -> Outcomes:
    """Rows for searches to at most this depth."""
    size = width * (depth + 2)
    held: dict[str, Any] = {name: np.zeros(size, dtype) for name, dtype in Outcomes.arrays.items()}
    held["width"] = np.array([width])
    return Outcomes(**(held if is_native else {name: array.tolist() for name, array in held.items()}))
