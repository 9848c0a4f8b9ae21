"""Patterns of sliding tiles: puzzles in which only a few tiles can be distinguished, and only their moves
cost.

The costs of patterns that share no tile may be added up (Korf and Felner 2002). A state is a number with one
digit for each tile of the pattern, which is the cell of the tile. The lowest digit is the cell of the blank.
The base is the number of cells.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gambito.errors import GameError
from gambito.game.numerals import read_whole
from gambito.game.puzzle import Puzzle
from gambito.native import int64

USUAL_TILES = 5  # tiles of a pattern by default


class _Pattern(Puzzle):
    """Bring a few tiles to their places; moves of the other tiles are free."""

    symmetric = True

    def __init__(self, width: int, height: int, tiles: tuple[int, ...], places: tuple[int, ...]) -> None:
        self.cells, self.shifts = width * height, shift_table(width, height)
        self.digits_used = len(tiles)
        self.powers = tuple(self.cells ** (place + 1) for place in range(len(tiles)))
        self.size = self.cells ** (len(tiles) + 1)
        self.finished = places[0] + sum(p * places[t] for p, t in zip(self.powers, tiles, strict=True))

    @staticmethod
    def digits(groups: tuple[tuple[int, ...], ...], cells: int) -> tuple[Any, Any]:
        """For each tile: the pattern that it belongs to, and the weight of its digit in the table."""
        group, weight = np.full(cells, -1, np.int64), np.zeros(cells, np.int64)
        for number, tiles in enumerate(groups):
            for place, tile in enumerate(tiles):
                group[tile], weight[tile] = number, cells**place
        return group, weight

    def initial(self):
        return int64(self.finished)

    def actions(self, state):
        action = 0
        while action < 4:
            if self.shifts[4 * (state % self.cells) + action] >= 0:
                yield action
            action += 1

    def result(self, state, action):
        blank = state % self.cells
        source = self.shifts[4 * blank + action]
        for place in range(self.digits_used):
            if (state // self.powers[place]) % self.cells == source:
                state += (blank - source) * self.powers[place]
        return state + source - blank

    def cost(self, state, action):
        source = self.shifts[4 * (state % self.cells) + action]
        for place in range(self.digits_used):
            if (state // self.powers[place]) % self.cells == source:
                return 1
        return 0

    def is_goal(self, state):
        return state == self.finished

    def goal(self, state: Any) -> int:
        return int(self.finished)

    def index(self, state):
        return state

    def unindex(self, signature, number):
        return number

    def tabled(self, state):
        """Leave out the blank's cell: the table holds the least cost over all cells of the blank."""
        return state // self.cells


def shift_table(width: int, height: int) -> Any:
    """For each cell and action, the cell that the blank moves to; -1 if that is beyond the edge."""
    table = []
    for cell in range(width * height):
        row, column = divmod(cell, width)
        table += [cell - width if row else -1, cell - 1 if column else -1]
        table += [cell + 1 if column < width - 1 else -1, cell + width if row < height - 1 else -1]
    return np.array(table, np.int64)


def cut_up(cells: int) -> str:
    """Divide the tiles into patterns of nearly equal size: `1-2-3-4/5-6-7-8`."""
    count = -(-(cells - 1) // USUAL_TILES)
    parts = np.array_split(np.arange(1, cells), count)
    return "/".join("-".join(map(str, part)) for part in parts)


def read_patterns(text: str, cells: int) -> tuple[tuple[int, ...], ...]:
    """Read tiles joined by `-` and patterns joined by `/`."""
    parts = [[read_whole(word, cells - 1, 1) for word in part.split("-")] for part in text.split("/")]
    tiles = [tile for part in parts for tile in part]
    if None in tiles:
        raise GameError("patterns must be tiles from 1 to {}, as 1-2-3/4-5-6, not '{}'", cells - 1, text[:60])
    if len(set(tiles)) < len(tiles):
        raise GameError("the patterns '{}' share a tile, so their costs cannot be added up", text[:60])
    return tuple(tuple(tile for tile in part if tile is not None) for part in parts)
