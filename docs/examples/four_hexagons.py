"""Four stones in a line on a board of hexagons win. The board is one array of cells, -1 where it is free."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gambito import Game
from gambito.boards import NO_CELL, Equipment, hexagons

SIZE, LINE = 5, 4


class State(NamedTuple):
    cells: np.ndarray  # of one dimension: -1, or the player whose stone it is
    mover: int


class FourHexagons(Game):
    """Four in a line win."""

    sides = ("Black", "White")
    longest = SIZE * SIZE

    def initial(self):
        return State(np.full(SIZE * SIZE, -1, np.int8), 0)

    def player(self, state):
        return state.mover

    def actions(self, state):
        for cell in range(SIZE * SIZE):
            if state.cells[cell] < 0:
                yield cell

    def result(self, state, action):
        cells = state.cells.copy()
        cells[action] = state.mover
        return State(cells, 1 - state.mover)

    def has_line(self, state):
        for cell in range(SIZE * SIZE):
            if state.cells[cell] >= 0:
                for across, down in ((1, 0), (0, 1), (-1, 1)):
                    column, row, count = cell % SIZE, cell // SIZE, 0
                    while 0 <= column < SIZE and 0 <= row < SIZE:
                        if state.cells[row * SIZE + column] != state.cells[cell]:
                            break
                        column, row, count = column + across, row + down, count + 1
                    if count >= LINE:
                        return True
        return False

    def is_terminal(self, state):
        return self.has_line(state) or (state.cells >= 0).all()

    def utility(self, state, player):
        if not self.has_line(state):
            return 0
        return -1 if player == state.mover else 1

    def equipment(self):
        return Equipment(hexagons(SIZE, SIZE, "wood"), "BW", sides="BW")

    def stands(self, state, cell):
        return state.cells[cell] + 1

    def touched(self, state, action, step):
        return action if step == 0 else NO_CELL

    def set_up(self, cells, mover, extras, text):
        return State(np.array(cells, np.int8) - np.int8(1), mover)
