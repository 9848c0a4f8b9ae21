"""Where the inputs of a network lie on a board, and weights that are shared by all places of the board.

A game's picture says where its cells are, and its pieces what stands on them. In positions of random games, a
bit of the state that goes with the pieces on one cell belongs to that cell. The first layer of a network can
then look at the surroundings of every cell with the same weights, so what it learns in one place it knows
everywhere. Games without a picture, or with other states, have no places.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gambito.evaluate.policy.sight import BITS, Sight
from gambito.game.contract import Game

SAMPLE = 1500  # positions that are compared with their pictures
ALIKE = 0.95  # the least correlation of a bit with what stands on a cell
FEWEST = 12  # bits on a board
REACH = 3  # cells from the centre of the surroundings to their edge
NOWHERE = -(1 << 20)  # the place of an input that is not on the board


def find_places(game: Game, sight: Sight, packed: Any, movers: Any) -> Any:
    """[inputs][2]: twice the coordinates of each input's cell, or NOWHERE; None if there is no board."""
    layout = sight.layout
    try:
        board = game.picture()
        if board is None or layout.kind is None or not layout.is_stored:
            return None
        chosen = np.linspace(0, len(packed) - 1, min(SAMPLE, len(packed))).astype(np.int64)
        standing = np.zeros((len(chosen), 5, len(board.cells)), np.float32)
        for row, number in enumerate(chosen):
            for piece in game.pieces(layout.unpack(packed[number])):
                own = piece.side == movers[number]
                standing[row, 0, piece.cell] = 1.0
                standing[row, 1 if piece.side == 0 else 2, piece.cell] = 1.0
                standing[row, 3 if own else 4, piece.cell] = 1.0
    except NotImplementedError:
        return None
    bits = sight.rows(packed[chosen], movers[chosen])
    places = np.full((sight.inputs, 2), NOWHERE, np.int64)
    is_bit = _planes(sight) >= 0
    likeness = np.max(np.abs([_correlation(bits, standing[:, kind]) for kind in range(5)]), axis=0)
    for number in np.flatnonzero(is_bit & (likeness.max(axis=1) >= ALIKE)):
        cell = board.cells[int(likeness[number].argmax())]
        places[number] = round(2 * cell.x), round(2 * cell.y)
    return places if (places[:, 0] != NOWHERE).sum() >= FEWEST else None


def _correlation(some: Any, others: Any) -> Any:
    """The correlations of all columns with all columns; 0 for constant ones."""

    def scaled(columns: Any) -> Any:
        centred = columns - columns.mean(axis=0)
        size = np.sqrt((centred * centred).sum(axis=0))
        return centred / np.where(size > 0.0, size, np.inf)

    return scaled(some).T @ scaled(others)


def _planes(sight: Sight) -> Any:
    """The number of the set that each input belongs to; -1 if it is none."""
    planes = np.full(sight.inputs, -1, np.int64)
    place = sight.players
    for number, view in enumerate(sight.views):
        if view.way == BITS:
            planes[place : place + view.inputs] = number
        place += view.inputs
    return planes


class Ties:
    """Which weights of the first layer are the same: [inputs][cells], the number of a row of shared weights.

    Two weights are the same if their inputs belong to the same set and lie in the same direction from the
    cell. An input that is not on the board has a weight of its own for all cells.
    """

    def __init__(self, sight: Sight, places: Any) -> None:
        planes = _planes(sight)
        cells = np.unique(places[places[:, 0] != NOWHERE], axis=0)
        known: dict[Any, int] = {}
        rows = np.zeros((sight.inputs, len(cells)), np.int64)
        for number, place in enumerate(places):
            for other, cell in enumerate(cells):
                across, down = place - cell
                mark: Any = (int(planes[number]), int(across), int(down))
                if place[0] == NOWHERE:
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
