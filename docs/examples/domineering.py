"""Domineering, as the guide `your-own-game.md` builds it: rules, text, a board, an evaluation."""

from typing import NamedTuple

import numpy as np

from gambito import Game, uint64
from gambito.picture import Piece, grid


class State(NamedTuple):
    upright: np.uint64  # bit i is set where a domino of player 0 covers cell i
    across: np.uint64  # the same of player 1
    mover: int


def covers(cells, cell):
    return (cells >> uint64(cell)) & uint64(1) != uint64(0)


class Domineering(Game):
    """Place dominoes, one player upright, the other across; a player who cannot move loses."""

    sides = ("Upright", "Across")
    lowest, highest = -100, 100
    scale = 4
    usual_depth = 6

    def __init__(self, size: int = 6) -> None:
        self.size = size
        self.longest = size * size // 2

    def fits(self, state, cell, player):
        """Whether that player can place a domino on this cell and the one below, or to the right."""
        if player == 0:
            is_inside, other = cell < self.size * (self.size - 1), cell + self.size
        else:
            is_inside, other = cell % self.size < self.size - 1, cell + 1
        taken = state.upright | state.across
        return is_inside and not covers(taken, cell) and not covers(taken, other)

    def initial(self):
        return State(np.uint64(0), np.uint64(0), 0)

    def player(self, state):
        return state.mover

    def actions(self, state):
        for cell in range(self.size * self.size):
            if self.fits(state, cell, state.mover):
                yield cell

    def result(self, state, action):
        if state.mover == 0:
            domino = (uint64(1) << uint64(action)) | (uint64(1) << uint64(action + self.size))
            return State(state.upright | domino, state.across, 1)
        domino = uint64(3) << uint64(action)
        return State(state.upright, state.across | domino, 0)

    def is_terminal(self, state):
        for _ in self.actions(state):
            return False
        return True

    def utility(self, state, player):
        return -100 if player == state.mover else 100  # the player to move has no room

    def show(self, state):
        marks = [
            "#" if covers(state.upright, c) else "=" if covers(state.across, c) else "." for c in self.cells()
        ]
        rows = [" ".join(marks[start : start + self.size]) for start in range(0, len(marks), self.size)]
        return "\n".join([*rows, f"{self.sides[state.mover]} to move"])

    def cells(self):
        return range(self.size * self.size)

    def write(self, state, action):
        return f"{'abcdefgh'[action % self.size]}{action // self.size + 1}"

    def picture(self):
        return grid(self.size, self.size)

    def pieces(self, state):
        upright = [Piece(cell, "square", side=0) for cell in self.cells() if covers(state.upright, cell)]
        return upright + [
            Piece(cell, "square", side=1) for cell in self.cells() if covers(state.across, cell)
        ]

    def touch(self, state, action):
        return (action, action + (self.size if state.mover == 0 else 1))

    def evaluate(self, state, player):
        return self.room(state, player) - self.room(state, 1 - player)

    def room(self, state, player):
        """Return the number of places for that player's dominoes."""
        places = 0
        for cell in range(self.size * self.size):
            if self.fits(state, cell, player):
                places += 1
        return places
