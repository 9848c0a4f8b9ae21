"""Games as their authors write them: with an array, with dice, for three."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gambito import CHANCE, Game


class Board(NamedTuple):
    cells: np.ndarray
    mover: int


class Domineering(Game):
    """Put a domino: the first player down, the second across. Who cannot, loses."""

    name = "domineering"

    def __init__(self, size: int = 4) -> None:
        self.size, self.longest = size, size * size // 2

    def initial(self):
        return Board(np.zeros((self.size, self.size), np.int8), 0)

    def player(self, state):
        return state.mover

    def actions(self, state):
        down, over = 1 - state.mover, state.mover
        for row in range(self.size - down):
            for column in range(self.size - over):
                if state.cells[row, column] == 0 and state.cells[row + down, column + over] == 0:
                    yield row * self.size + column

    def result(self, state, action):
        cells = state.cells.copy()
        row, column = action // self.size, action % self.size
        cells[row, column] = state.mover + 1
        cells[row + 1 - state.mover, column + state.mover] = state.mover + 1
        return Board(cells, 1 - state.mover)

    def is_terminal(self, state):
        for _ in self.actions(state):
            return False
        return True

    def utility(self, state, player):
        return -1 if player == state.mover else 1


class Throw(NamedTuple):
    first: int
    second: int
    mover: int
    die: int


class Race(Game):
    """Throw a die of three, then go that far or stay; who reaches the goal first wins."""

    name = "race"
    chance, value, lowest, highest, step, most_outcomes = True, float, -1.0, 1.0, 0.001, 3

    def __init__(self, goal: int = 12) -> None:
        self.goal = goal

    def initial(self):
        return Throw(0, 0, 0, 0)

    def player(self, state):
        return CHANCE if state.die == 0 and not self.is_terminal(state) else state.mover

    def actions(self, state):
        if state.die == 0:
            yield 1
            yield 2
            yield 3
        else:
            yield 0
            yield 1

    def chances(self, state):
        yield 1, 0.5
        yield 2, 0.25
        yield 3, 0.25

    def result(self, state, action):
        if state.die == 0:
            return Throw(state.first, state.second, state.mover, action)
        step = state.die if action == 1 else 0
        if state.mover == 0:
            return Throw(state.first + step, state.second, 1, 0)
        return Throw(state.first, state.second + step, 0, 0)

    def is_terminal(self, state):
        return max(state.first, state.second) >= self.goal

    def utility(self, state, player):
        winner = 0 if state.first >= self.goal else 1
        return 1.0 if player == winner else -1.0

    def evaluate(self, state, player):
        value = (state.first - state.second) / self.goal
        return value if player == 0 else -value

    def write(self, state, action):
        return str(action) if state.die == 0 else ("stay", "go")[action]


class Heap(NamedTuple):
    left: int
    mover: int


class ThreeTake(Game):
    """Three players take one to three from a heap; who takes the last one wins from both others."""

    name = "three-take"
    players, lowest, highest = 3, -1, 2

    def __init__(self, heap: int = 14) -> None:
        self.heap = self.longest = heap

    def initial(self):
        return Heap(self.heap, 0)

    def player(self, state):
        return state.mover

    def actions(self, state):
        for taken in range(1, min(state.left, 3) + 1):
            yield taken

    def result(self, state, action):
        return Heap(state.left - action, (state.mover + 1) % 3)

    def is_terminal(self, state):
        return state.left == 0

    def utility(self, state, player):
        return 2 if player == (state.mover + 2) % 3 else -1
