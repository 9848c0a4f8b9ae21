"""Weights that are shared by all places of a board (`places.py`).

The first layer of a network can look at the surroundings of every cell with the same weights, so what it
learns in one place it knows everywhere.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gambito.evaluate.policy.places import NOWHERE

REACH = 3  # cells from the centre of the surroundings to their edge


class Ties:
    """Which weights of the first layer are the same: [inputs][cells], the number of a row of shared weights.

    Two weights are the same if their inputs belong to the same plane and lie in the same direction from the
    cell. An input that is not on the board has a weight of its own for all cells.
    """

    def __init__(self, places: Any) -> None:
        cells = np.unique(places[places[:, 0] != NOWHERE, :2], axis=0)
        known: dict[Any, int] = {}
        rows = np.zeros((len(places), len(cells)), np.int64)
        for number, (x, y, plane) in enumerate(places):
            for other, cell in enumerate(cells):
                across, down = x - cell[0], y - cell[1]
                mark: Any = (int(plane), int(across), int(down))
                if x == NOWHERE:
                    mark = number
                elif max(abs(across), abs(down)) > 2 * REACH:
                    mark = None  # too far away: always 0
                rows[number, other] = known.setdefault(mark, len(known))
        self.rows, self.cells, self.count = rows, len(cells), len(known)
        self.zero = known.get(None, -1)
        self._order = np.argsort(rows, axis=None, kind="stable")
        self._begin = np.searchsorted(rows.ravel()[self._order], np.arange(self.count))

    def spread(self, shared: Any) -> Any:
        """The weights of the layer, [inputs][cells × channels], from the shared ones, [count][channels]."""
        if self.zero >= 0:
            shared = shared.copy()
            shared[self.zero] = 0.0
        return shared[self.rows].reshape(len(self.rows), -1)

    def gather(self, slopes: Any) -> Any:
        """The gradient of the shared weights from that of the layer's."""
        channels = slopes.shape[1] // self.cells
        found = np.add.reduceat(slopes.reshape(-1, channels)[self._order], self._begin, axis=0)
        if self.zero >= 0:
            found[self.zero] = 0.0
        return found
