"""What a search knows of the outcomes of the chance nodes on its path.

    chances, lows, highs [rows][width]   probability of an outcome, and between what its value lies, for MAX
    numbers [rows][width]                the outcomes themselves
A row belongs to the chance node with so many plies left; its outcomes lie side by side, the likeliest first.
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
        """Where the row of a chance node begins."""
        return depth * self.width[0]

    def add(self, begin, end, number, chance, low, high):
        """Put an outcome among those between `begin` and `end`, behind all that are as likely."""
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
        """What the chance node is worth at least, its outcomes being those between `begin` and `end`."""
        total = 0.0
        for place in range(begin, end):
            total += self.chances[place] * self.lows[place]
        return total

    def high(self, begin, end):
        """What it is worth at most."""
        total = 0.0
        for place in range(begin, end):
            total += self.chances[place] * self.highs[place]
        return total


def new_outcomes(width: int, depth: int, is_native: bool) -> Outcomes:
    """Rows for searches to at most that depth."""
    size = width * (depth + 2)
    held: dict[str, Any] = {name: np.zeros(size, dtype) for name, dtype in Outcomes.arrays.items()}
    held["width"] = np.array([width])
    return Outcomes(**(held if is_native else {name: array.tolist() for name, array in held.items()}))
