"""Breakthrough: pawns step forward and capture diagonally; the first pawn on the far row wins.

Squares are numbered row by row from a1, White's left corner; on 8×8:

    8  56 57 58 59 60 61 62 63
    …                               White (player 0) moves up, Black down
    2   8  9 10 11 12 13 14 15
    1   0  1  2  3  4  5  6  7
        a  b  c  d  e  f  g  h

An action is three times the square that a pawn leaves, plus its direction: left, straight on or right, as
White sees it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from gambito.boards.equipment import NO_CELL, Equipment
from gambito.boards.picture import grid
from gambito.errors import GameError, PositionError
from gambito.game.contract import Game, quoted
from gambito.native import first_bit, nth_bit, popcount, uint64
from gambito.words import say, tell
from gambito.words.sentence import Sentence

WIN = 1000


class State(NamedTuple):
    """A position."""

    white: np.uint64
    black: np.uint64
    mover: int


class Breakthrough(Game):
    """Bring a pawn to the far row, or capture all of the opponent's pawns."""

    name = "breakthrough"
    measure = ("wins", 1.0)
    sides = ("White", "Black")
    lowest, highest = -WIN, WIN
    scale = 20.0
    preferences = {  # noqa: RUF012
        "mcts": {"select": "puct", "temperature": 10.0, "exploration": 2.0, "plies": 4}
    }

    def __init__(self, width: int = 8, height: int = 8) -> None:
        if not 2 <= width <= 8 or not 4 <= height <= 8:
            raise GameError("width is from 2 to 8 and height from 4 to 8")
        self.width, self.height, self.cells = width, height, width * height
        self.full = np.uint64((1 << self.cells) - 1)
        self.left = self._choose(lambda x, y: x == 0)
        self.right = self._choose(lambda x, y: x == width - 1)
        self.bottom = self._choose(lambda x, y: y == 0)
        self.top = self._choose(lambda x, y: y == height - 1)
        self.rows = tuple(self._choose(lambda x, y, r=r: y == r) for r in range(height))
        self.longest = 2 * width * (2 * height - 3)
        self.most_actions = 6 * width

    def _choose(self, is_chosen: Callable[..., bool]) -> np.uint64:
        squares = [s for s in range(self.cells) if is_chosen(s % self.width, s // self.width)]
        return np.uint64(sum(1 << s for s in squares))

    # ---- rules -----------------------------------------------------------------------------------
    def initial(self) -> State:
        return State(self.rows[0] | self.rows[1], self.rows[-1] | self.rows[-2], 0)

    def player(self, state):
        return state.mover

    def leaving(self, state, way):
        """The squares from which a pawn can move in a direction: 0 left, 1 straight on, 2 right."""
        ahead = uint64(self.width + way - 1)
        if state.mover == 0:
            free = ~state.white if way != 1 else ~(state.white | state.black)
            edge = self.left if way == 0 else self.right if way == 2 else uint64(0)
            return state.white & ~edge & ((free & self.full) >> ahead)
        ahead = uint64(self.width + 1 - way)
        free = ~state.black if way != 1 else ~(state.white | state.black)
        edge = self.left if way == 0 else self.right if way == 2 else uint64(0)
        return state.black & ~edge & ((free & self.full) << ahead) & self.full

    def actions(self, state):
        """The most advanced pawns come last; captures are among the steps to the side."""
        way = 0
        while way < 3:
            left = self.leaving(state, way)
            while left:
                square = first_bit(left)
                left &= left - uint64(1)
                yield 3 * square + way
            way += 1

    def target(self, state, action):
        """The square to which an action moves a pawn."""
        ahead = self.width if state.mover == 0 else -self.width
        return action // 3 + ahead + action % 3 - 1

    def result(self, state, action):
        leaves = uint64(1) << uint64(action // 3)
        comes = uint64(1) << uint64(self.target(state, action))
        if state.mover == 0:
            return State((state.white ^ leaves) | comes, state.black & ~comes, 1)
        return State(state.white & ~comes, (state.black ^ leaves) | comes, 0)

    def is_terminal(self, state):
        if state.mover == 1:
            return (state.white & self.top) != uint64(0) or state.black == uint64(0)
        return (state.black & self.bottom) != uint64(0) or state.white == uint64(0)

    def utility(self, state, player):
        """The player who moved last has won."""
        return -WIN if player == state.mover else WIN

    # ---- what it adds ----------------------------------------------------------------------------
    def random_action(self, state, rng):
        left, straight, right = self.leaving(state, 0), self.leaving(state, 1), self.leaving(state, 2)
        first, second = popcount(left), popcount(straight)
        number = rng.below(first + second + popcount(right))
        if number < first:
            return 3 * nth_bit(left, number)
        if number < first + second:
            return 3 * nth_bit(straight, number - first) + 1
        return 3 * nth_bit(right, number - first - second) + 2

    def evaluate(self, state, player):
        """Count the pawns and how far they have advanced."""
        value, row = 0, 0
        while row < self.height:
            white, black = popcount(state.white & self.rows[row]), popcount(state.black & self.rows[row])
            value += white * (10 + row * row // 2)
            ahead = self.height - 1 - row
            value -= black * (10 + ahead * ahead // 2)
            row += 1
        return value if player == 0 else -value

    def priority(self, state, action):
        """Wins first, then captures, the more advanced ones first."""
        target = self.target(state, action)
        square = uint64(1) << uint64(target)
        row = target // self.width if state.mover == 0 else self.height - 1 - target // self.width
        theirs = state.black if state.mover == 0 else state.white
        if row == self.height - 1:
            return 1000
        return row + (20 if theirs & square else 0)

    def noisy(self, state):
        """Captures, and steps to the last row."""
        theirs = state.black if state.mover == 0 else state.white
        last = self.top if state.mover == 0 else self.bottom
        for action in self.actions(state):
            if (uint64(1) << uint64(self.target(state, action))) & (theirs | last):
                yield action

    # ---- board and text --------------------------------------------------------------------------
    def equipment(self) -> Equipment:
        board = grid(self.width, self.height, checkered=True, upward=True)
        return Equipment(board, "WB", sides="WB", alike={"-": "."}, margin="{}  ")

    def stands(self, state, cell):
        place, one = uint64(cell), uint64(1)
        return 1 if state.white >> place & one else 2 if state.black >> place & one else 0

    def touched(self, state, action, step):
        return action // 3 if step == 0 else self.target(state, action) if step == 1 else NO_CELL

    def set_up(self, cells: Sequence[int], mover: int, extras: Sequence[str], text: str) -> State:
        """The rows from the top (`BB…/…/WW… W`) and the side to move, or the moves played (`a2a3 b7b6`)."""
        white, black = (sum(1 << s for s, code in enumerate(cells) if code == own) for own in (1, 2))
        state = State(np.uint64(white), np.uint64(black), mover)
        if self.is_terminal(State(state.white, state.black, 1 - state.mover)):
            raise PositionError("in {} the player to move has won already", quoted(text))
        return state

    def turn_words(self, state: State) -> str:
        return say("{0} to move", tell(self.sides[state.mover]))

    def reason(self, state: State) -> str:
        left = state.black if state.mover == 1 else state.white
        return Sentence("a piece has crossed the board") if left else Sentence("no pieces are left")
