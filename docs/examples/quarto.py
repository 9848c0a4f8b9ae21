"""Quarto: four pieces in a line that share a quality win; the opponent chooses the piece that you place."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gambito import Game
from gambito.boards import Equipment, Kind, grid


class State(NamedTuple):
    board: np.ndarray  # the piece on each square, 1 to 16: the bits of the number below it are its qualities
    hand: int  # the piece to be placed; 0: it has still to be chosen
    mover: int


class PlainQuarto(Game):
    """Four in a line that share a quality win; the opponent chooses your piece."""

    longest = 32

    def initial(self):
        return State(np.zeros((4, 4), np.int8), 0, 0)

    def player(self, state):
        return state.mover

    def actions(self, state):
        if state.hand:
            for cell in range(16):
                if state.board[cell // 4, cell % 4] == 0:
                    yield cell
        else:
            for piece in range(1, 17):
                if not (state.board == piece).any():
                    yield 15 + piece

    def result(self, state, action):
        if state.hand:
            board = state.board.copy()
            board[action // 4, action % 4] = state.hand
            return State(board, 0, state.mover)
        return State(state.board, action - 15, 1 - state.mover)

    def is_alike(self, a, b, c, d):
        """Whether these four pieces share a quality."""
        if a == 0 or b == 0 or c == 0 or d == 0:
            return False
        a, b, c, d = a - 1, b - 1, c - 1, d - 1
        return (a & b & c & d) != 0 or ((a ^ 15) & (b ^ 15) & (c ^ 15) & (d ^ 15)) != 0

    def has_line(self, state):
        board = state.board
        for n in range(4):
            if self.is_alike(board[n, 0], board[n, 1], board[n, 2], board[n, 3]):
                return True
            if self.is_alike(board[0, n], board[1, n], board[2, n], board[3, n]):
                return True
        if self.is_alike(board[0, 0], board[1, 1], board[2, 2], board[3, 3]):
            return True
        return self.is_alike(board[0, 3], board[1, 2], board[2, 1], board[3, 0])

    def is_terminal(self, state):
        return self.has_line(state) or (state.hand == 0 and (state.board != 0).all())

    def utility(self, state, player):
        if not self.has_line(state):
            return 0
        return 1 if player == state.mover else -1  # who has placed the last piece still has to choose one


class Lettered(PlainQuarto):
    """The same with letters on discs."""

    def equipment(self):
        return Equipment(grid(4, 4), [Kind(mark, "disc", text=mark) for mark in "ABCDEFGHIJKLMNOP"])


class Quarto(PlainQuarto):
    """The same with sixteen pieces that look different."""

    sides = ("Red", "Blue")

    def equipment(self):
        kinds = []
        for piece, mark in enumerate("ABCDEFGHIJKLMNOP"):
            size = "small " if piece & 1 else ""
            top = "hollow " if piece & 2 else ""
            base = "square" if piece & 4 else "disc"
            kinds.append(Kind(mark, size + top + base, colour="blue" if piece & 8 else "red"))
        return Equipment(grid(4, 4), kinds)

    def write(self, state, action):
        return super().write(state, action) if state.hand else f"give-{'ABCDEFGHIJKLMNOP'[action - 16]}"
