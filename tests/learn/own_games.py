"""Games from their six rules alone, as somebody writes them who knows nothing of learning."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gambito import Game
from gambito.native import uint64

ONE = np.uint64(1)


class Board(NamedTuple):
    taken: np.uint64
    turn: int


class Domineering(Game):
    """Dominoes on 8×8: player 0 lays them upright, player 1 flat. Who cannot move loses."""

    def initial(self):
        return Board(np.uint64(0), 0)

    def player(self, state):
        return state.turn

    def actions(self, state):
        cell = 0
        while cell < 64:
            if state.turn == 0:
                fits, two = cell < 56, (uint64(257) << uint64(cell))
            else:
                fits, two = cell % 8 < 7, (uint64(3) << uint64(cell))
            if fits and not (state.taken & two):
                yield cell
            cell += 1

    def result(self, state, action):
        two = uint64(257) if state.turn == 0 else uint64(3)
        return Board(state.taken | (two << uint64(action)), 1 - state.turn)

    def is_terminal(self, state):
        for _ in self.actions(state):
            return False
        return True

    def utility(self, state, player):
        return -1 if player == state.turn else 1


class Dots(NamedTuple):
    edges: int
    turn: int
    first: int  # boxes of player 0
    second: int


class Boxes(Game):
    """Dots and boxes with 3×3 boxes: who closes one moves again. Edges 0 to 11 are flat, 12 to 23 upright."""

    def initial(self):
        return Dots(0, 0, 0, 0)

    def player(self, state):
        return state.turn

    def actions(self, state):
        edge = 0
        while edge < 24:
            if not state.edges >> edge & 1:
                yield edge
            edge += 1

    def box(self, row, column):
        """The four edges of a box."""
        flat, upright = 3 * row + column, 12 + 4 * row + column
        return 1 << flat | 1 << (flat + 3) | 1 << upright | 1 << (upright + 1)

    def result(self, state, action):
        edges, closed = state.edges | 1 << action, 0
        for row in range(3):
            for column in range(3):
                box = self.box(row, column)
                if edges & box == box and state.edges & box != box:
                    closed += 1
        first = state.first + (closed if state.turn == 0 else 0)
        second = state.second + (closed if state.turn == 1 else 0)
        return Dots(edges, state.turn if closed else 1 - state.turn, first, second)

    def is_terminal(self, state):
        return state.first + state.second == 9

    def utility(self, state, player):
        ahead = 1 if state.first > state.second else -1
        return ahead if player == 0 else -ahead


class Queens(NamedTuple):
    white: np.uint64
    black: np.uint64
    arrows: np.uint64
    turn: int
    moved: int  # the cell of the amazon that must shoot, or -1


class Amazons(Game):
    """Amazons on 6×6, two for each side. A move and its shot are two plies: from · 36 + to, then a cell."""

    def initial(self):
        white, black = ONE << uint64(1) | ONE << uint64(4), ONE << uint64(31) | ONE << uint64(34)
        return Queens(white, black, np.uint64(0), 0, -1)

    def player(self, state):
        return state.turn

    def actions(self, state):
        taken = state.white | state.black | state.arrows
        own = state.white if state.turn == 0 else state.black
        start = 0 if state.moved < 0 else state.moved
        while start < 36:
            mine = bool(own >> uint64(start) & ONE) if state.moved < 0 else start == state.moved
            direction = 0
            while mine and direction < 8:
                step = direction + (1 if direction >= 4 else 0)
                down, right = step // 3 - 1, step % 3 - 1
                row, column = start // 6 + down, start % 6 + right
                while 0 <= row < 6 and 0 <= column < 6 and not taken >> uint64(6 * row + column) & ONE:
                    cell = 6 * row + column
                    yield 36 * start + cell if state.moved < 0 else cell
                    row, column = row + down, column + right
                direction += 1
            start += 1

    def result(self, state, action):
        if state.moved >= 0:
            arrows = state.arrows | ONE << uint64(action)
            return Queens(state.white, state.black, arrows, 1 - state.turn, -1)
        change = ONE << uint64(action // 36) | ONE << uint64(action % 36)
        if state.turn == 0:
            return Queens(state.white ^ change, state.black, state.arrows, 0, action % 36)
        return Queens(state.white, state.black ^ change, state.arrows, 1, action % 36)

    def is_terminal(self, state):
        for _ in self.actions(state):
            return False
        return True

    def utility(self, state, player):
        return -1 if player == state.turn else 1
