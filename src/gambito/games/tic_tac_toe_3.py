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

from typing import NamedTuple

import numpy as np

from gambito.errors import GameError, PositionError
from gambito.game.contract import Game, quoted
from gambito.game.picture import Board, Mark, Piece, grid, rows_of
from gambito.native import first_bit, popcount, uint64
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


class TicTacToe3(Game):
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
        self.size, self.stride = size, size + 1
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

    # ---- text ------------------------------------------------------------------------------------
    def _marks(self, state: State) -> str:
        owners = {0: int(state.first), 1: int(state.second), 2: int(state.third)}
        places = [y * self.stride + x for y in range(self.size) for x in range(self.size)]
        return "".join(
            next((MARKS[k] for k, squares in owners.items() if squares >> place & 1), ".") for place in places
        )

    def show(self, state: State) -> str:
        marks = self._marks(state)
        rows = [" ".join(marks[y * self.size : (y + 1) * self.size]) for y in range(self.size)]
        return "\n".join([*rows, f"{MARKS[state.mover]} to move"])

    def text(self, state: State) -> str:
        marks = self._marks(state)
        return "/".join(marks[y * self.size : (y + 1) * self.size] for y in range(self.size))

    def parse(self, text: str) -> State:
        """The rows from above, with X, O, S and . for an empty square: `X.../.O../..S./....`."""
        rows = text.strip().split("/")
        if len(rows) != self.size or any(len(r) != self.size or set(r) - set("XOS.") for r in rows):
            raise PositionError(
                "{} is no position of tic-tac-toe-3; accepted: {}", quoted(text), self.text(self.initial())
            )
        counts = [text.count(mark) for mark in MARKS]
        if len(set(counts)) > 1:
            mover = counts.index(min(counts))
            if counts != [counts[0]] * mover + [counts[0] - 1] * (PLAYERS - mover) or not mover:
                raise PositionError("{} is impossible: the players move in turn", quoted(text))
        squares = [
            np.uint64(
                sum(
                    1 << y * self.stride + x
                    for y in range(self.size)
                    for x in range(self.size)
                    if rows[y][x] == mark
                )
            )
            for mark in MARKS
        ]
        state = State(squares[0], squares[1], squares[2], counts.index(min(counts)))
        if [self.has_line(s) for s in squares].count(True) > 1:
            raise PositionError("{} is impossible: two players have a line", quoted(text))
        return state

    def write(self, state: State, action: int) -> str:
        y, x = divmod(action, self.stride)
        return str(y * self.size + x + 1)

    def reason(self, state: State) -> str:
        return Sentence("three in a row") if self.winner(state) >= 0 else Sentence("the board is full")

    # ---- picture ---------------------------------------------------------------------------------
    def picture(self) -> Board:
        return grid(self.size, self.size)

    def pieces(self, state: State) -> list[Piece]:
        marks = self._marks(state)
        return [
            Piece(cell, SHAPES[MARKS.index(mark)], MARKS.index(mark))
            for cell, mark in enumerate(marks)
            if mark != "."
        ]

    def marks(self, state: State) -> list[Mark]:
        owners = [MARKS.find(mark) for mark in self._marks(state)]
        return rows_of(owners, self.size, 3) if self.winner(state) >= 0 else []

    def touch(self, state: State, action: int) -> tuple[int, ...]:
        y, x = divmod(action, self.stride)
        return (y * self.size + x,)
