"""Tic-tac-toe: three in a row on a 3×3 board.

1 2 3
4 5 6      bit 0 is square 1, bit 8 is square 9
7 8 9

A win is worth 1, and there is no static value. With `evaluation=lines` a static value is the number of lines
that are still open to a player less those open to the opponent (Nilsson, Problem-solving methods in
artificial intelligence, 1971), and a win is worth 10, more than any of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from gambito.boards.equipment import NO_CELL, Equipment, Kind
from gambito.boards.picture import Mark, grid, rows_of
from gambito.errors import PositionError
from gambito.evaluate import USUAL, prepare
from gambito.game.contract import Game, quoted
from gambito.native import nth_bit
from gambito.words.sentence import Sentence

LINES = (0b111, 0b111000, 0b111000000, 0b1001001, 0b10010010, 0b100100100, 0b100010001, 0b1010100)
FULL = 0b111111111
OPEN_LINES = "lines"
WIN, WIN_OVER_LINES = 1, 10
LINES_SCALE = 3.0  # so many lines are worth three quarters of a win


class State(NamedTuple):
    """A position: the stones of each player."""

    mine: int  # squares of the player to move
    theirs: int
    stones: int  # on the board


WITH_LINE = np.array([any(squares & line == line for line in LINES) for squares in range(FULL + 1)])


OPEN = np.array([sum(not squares & line for line in LINES) for squares in range(FULL + 1)])


def has_line(squares):
    """Is one of the eight lines complete?"""
    return WITH_LINE[squares]


def open_lines(squares):
    """The number of lines that these squares of the opponent leave open."""
    return OPEN[squares]


class TicTacToe(Game):
    """Three in a row wins."""

    name = "tic-tac-toe"
    played_by = "engine"
    longest = 9
    most_actions = 9
    usual_depth = 9
    sides = ("X", "O")
    schools, silent = (OPEN_LINES,), True
    win = WIN

    def __init__(self, evaluation: str = USUAL) -> None:
        self.evaluation, self.is_valued = evaluation, evaluation == OPEN_LINES
        self.win = WIN_OVER_LINES if self.is_valued else WIN
        self.lowest, self.highest = -self.win, self.win
        self.scale = LINES_SCALE if self.is_valued else None
        prepare(self)

    def initial(self) -> State:
        return State(0, 0, 0)

    def player(self, state):
        return state.stones & 1

    def actions(self, state):
        for square in range(9):
            if not (state.mine | state.theirs) >> square & 1:
                yield square

    def result(self, state, action):
        return State(state.theirs, state.mine | 1 << action, state.stones + 1)

    def is_terminal(self, state):
        return state.stones == 9 or has_line(state.theirs)

    def utility(self, state, player):
        if not has_line(state.theirs):
            return 0
        return -self.win if player == (state.stones & 1) else self.win

    def evaluate(self, state, player):
        if not self.is_valued:
            return 0
        if self.is_terminal(state):
            return self.utility(state, player)
        value = open_lines(state.theirs) - open_lines(state.mine)
        return value if player == (state.stones & 1) else -value

    def explain(self, state: State) -> list[tuple[str, float, float | None]]:
        if not self.is_valued:
            return []
        lines = int(open_lines(state.theirs)), int(open_lines(state.mine))
        return [("open lines", lines[0], 1), ("open lines of the opponent", lines[1], -1)]

    def key(self, state):
        """Unique: nine bits for each player, and they determine who moves."""
        return state.mine << 9 | state.theirs

    def random_action(self, state, rng):
        free = FULL & ~(state.mine | state.theirs)
        return nth_bit(free, rng.below(9 - state.stones))

    # ---- board and text --------------------------------------------------------------------------
    def equipment(self) -> Equipment:
        return Equipment(
            grid(3, 3), (Kind("X", "cross", 0), Kind("O", "ring", 1)), alike={"-": ".", "_": "."}
        )

    def stands(self, state, cell):
        turn = state.stones & 1
        return 1 + turn if state.mine >> cell & 1 else 2 - turn if state.theirs >> cell & 1 else 0

    def touched(self, state, action, step):
        return action if step == 0 else NO_CELL

    def set_up(self, cells: Sequence[int], mover: int, extras: Sequence[str], text: str) -> State:
        """The nine squares row by row (`X.O/.X./...`), or the squares played (`519`); X moves first."""
        crosses, noughts = (sum(1 << s for s, code in enumerate(cells) if code == own) for own in (1, 2))
        count = crosses.bit_count() + noughts.bit_count()
        if crosses.bit_count() - noughts.bit_count() != count % 2:
            raise PositionError(
                "{} has {} X and {} O; X begins", quoted(text), crosses.bit_count(), noughts.bit_count()
            )
        state = State(crosses, noughts, count) if count % 2 == 0 else State(noughts, crosses, count)
        if has_line(state.mine):
            raise PositionError("in {} the player to move has a line already", quoted(text))
        return state

    def show(self, state: State) -> str:
        return draw_numbered(" XO"[code] for code in self.cell_codes(state))

    def reason(self, state: State) -> str:
        is_won = has_line(state.theirs)
        return Sentence("a line of {}", 3) if is_won else Sentence("the board is full")

    def write(self, state: State, action: int) -> str:
        return str(action + 1)

    def marks(self, state: State) -> list[Mark]:
        return rows_of([code - 1 for code in self.cell_codes(state)], 3, 3)


def draw_numbered(marks: Iterable[str]) -> str:
    """The nine squares, the empty ones with their numbers."""
    named = [mark if mark != " " else str(number) for number, mark in enumerate(marks, 1)]
    return "\n---+---+---\n".join(" " + " | ".join(named[r : r + 3]) for r in (0, 3, 6))
