"""Tic-tac-toe for three: three in a row on a square board; the winner takes one from each of the others.

Squares are numbered row by row; each row of bits has one bit more, which is always 0, so that no line goes on
in the next row. With four squares in a row:

    1  2  3  4      bits  0  1  2  3
    5  6  7  8            5  6  7  8
    9 10 11 12           10 11 12 13
   13 14 15 16           15 16 17 18

The first player has crosses, the second circles, the third squares.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from gambito.boards.equipment import NO_CELL, Equipment, Kind
from gambito.boards.picture import Mark, grid, rows_of
from gambito.errors import GameError, PositionError
from gambito.game.contract import Game, quoted
from gambito.games.spare_places import SparePlaces
from gambito.native import first_bit, popcount, uint64
from gambito.words import say
from gambito.words.sentence import Sentence

PLAYERS, WIN = 3, 100  # a win is worth this much from each of the others
MARKS = "XOS"
SHAPES = ("cross", "ring", "square")


class State(NamedTuple):
    """The squares of each player, and whose turn it is."""

    first: np.uint64
    second: np.uint64
    third: np.uint64
    mover: int


class TicTacToe3(SparePlaces, Game):
    """Three players, three in a row; whoever has it wins."""

    name = "tic-tac-toe-3"
    measure = ("wins", 1.0)
    title = "Tic-tac-toe for Three"
    players = PLAYERS
    lowest, highest = -WIN, (PLAYERS - 1) * WIN
    sides = ("X", "O", "Squares")
    scale = 20.0
    played_by = "max-n"

    def __init__(self, size: int = 4) -> None:
        if not 3 <= size <= 7:
            raise GameError("the board has 3 to 7 squares in a row, not {}", size)
        self.size, self.stride, self.words = size, size + 1, 1
        self.longest = self.most_actions = size * size
        squares = [y * self.stride + x for y in range(size) for x in range(size)]
        self.full = np.uint64(sum(1 << square for square in squares))

    # ---- rules -----------------------------------------------------------------------------------
    def initial(self) -> State:
        return State(np.uint64(0), np.uint64(0), np.uint64(0), 0)

    def player(self, state):
        return state.mover

    def actions(self, state):
        left = self.full & ~(state.first | state.second | state.third)
        while left:
            yield first_bit(left)
            left &= left - uint64(1)

    def result(self, state, action):
        bit, after = uint64(1) << uint64(action), (state.mover + 1) % PLAYERS
        if state.mover == 0:
            return State(state.first | bit, state.second, state.third, after)
        if state.mover == 1:
            return State(state.first, state.second | bit, state.third, after)
        return State(state.first, state.second, state.third | bit, after)

    def has_line(self, squares):
        found = uint64(0)
        for step in (1, self.stride - 1, self.stride, self.stride + 1):
            found |= squares & squares >> uint64(step) & squares >> uint64(2 * step)
        return found != uint64(0)

    def winner(self, state):
        """The player with a line, or -1."""
        if self.has_line(state.first):
            return 0
        if self.has_line(state.second):
            return 1
        return 2 if self.has_line(state.third) else -1

    def is_terminal(self, state):
        return self.winner(state) >= 0 or (state.first | state.second | state.third) == self.full

    def utility(self, state, player):
        won = self.winner(state)
        if won < 0:
            return 0
        return self.highest if player == won else -WIN

    # ---- what it adds ----------------------------------------------------------------------------
    def plies_left(self, state):
        return self.size * self.size - popcount(state.first | state.second | state.third)

    def give_turn(self, state, player):
        return State(state.first, state.second, state.third, player)

    def threats(self, squares, empty):
        """The empty squares that complete a line."""
        found = uint64(0)
        for step in (1, self.stride - 1, self.stride, self.stride + 1):
            one, two = uint64(step), uint64(2 * step)
            found |= (squares >> one & squares >> two) | (squares << one & squares << two)
            found |= squares << one & squares >> one
        return popcount(found & empty)

    def evaluate(self, state, player):
        """Squares that would complete a line: what one has, the others together lose."""
        empty = self.full & ~(state.first | state.second | state.third)
        first = self.threats(state.first, empty)
        second = self.threats(state.second, empty)
        third = self.threats(state.third, empty)
        mine = first if player == 0 else second if player == 1 else third
        return PLAYERS * mine - first - second - third

    # ---- board and text --------------------------------------------------------------------------
    def equipment(self) -> Equipment:
        kinds = [
            Kind(mark, shape, side) for side, (mark, shape) in enumerate(zip(MARKS, SHAPES, strict=True))
        ]
        return Equipment(grid(self.size, self.size), kinds, margin="", heads="")

    def stands(self, state, cell):
        place = uint64(self.place_of(cell))
        for owner, squares in enumerate((state.first, state.second, state.third)):
            if squares >> place & uint64(1):
                return owner + 1
        return 0

    def touched(self, state, action, step):
        return self.cell_of(action) if step == 0 else NO_CELL

    def set_up(self, cells: Sequence[int], mover: int, extras: Sequence[str], text: str) -> State:
        """The rows from above, with X, O, S and . for an empty square: `X.../.O../..S./....`."""
        counts = [list(cells).count(code) for code in (1, 2, 3)]
        mover = counts.index(min(counts))
        if counts != [counts[mover] + 1] * mover + [counts[mover]] * (PLAYERS - mover):
            raise PositionError("{} is impossible: the players move in turn", quoted(text))
        first, second, third = (np.uint64(self.places_with(cells, code)[0]) for code in (1, 2, 3))
        if [self.has_line(squares) for squares in (first, second, third)].count(True) > 1:
            raise PositionError("{} is impossible: two players have a line", quoted(text))
        return State(first, second, third, mover)

    def turn_words(self, state: State) -> str:
        return say("{0} to move", MARKS[state.mover])

    def write(self, state: State, action: int) -> str:
        return str(self.cell_of(action) + 1)

    def reason(self, state: State) -> str:
        return Sentence("three in a row") if self.winner(state) >= 0 else Sentence("the board is full")

    def marks(self, state: State) -> list[Mark]:
        owners = [code - 1 for code in self.cell_codes(state)]
        return rows_of(owners, self.size, 3) if self.winner(state) >= 0 else []
