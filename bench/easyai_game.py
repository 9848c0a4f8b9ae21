"""Connect Four for easyAI, as its users write it.

The board is an array of 6×7, every move is made on a new copy, and lines are searched cell by cell. The
columns are tried from the middle, as in Gambito's Connect Four, and the nodes are counted.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from easyAI import AI_Player, Negamax, TwoPlayerGame

ROWS, COLUMNS = 6, 7
MIDDLE_FIRST = (3, 4, 2, 5, 1, 6, 0)
STARTS = (
    [((row, 0), (0, 1)) for row in range(ROWS)]
    + [((0, column), (1, 0)) for column in range(COLUMNS)]
    + [((row, 0), (1, 1)) for row in range(1, 3)]
    + [((0, column), (1, 1)) for column in range(4)]
    + [((row, 6), (1, -1)) for row in range(1, 3)]
    + [((0, column), (1, -1)) for column in range(3, 7)]
)


class ConnectFour(TwoPlayerGame):
    """The game of Connect Four."""

    nodes: ClassVar[list[int]] = [0]  # shared by all copies

    def __init__(self, players, moves=""):
        self.players = players
        self.board = np.zeros((ROWS, COLUMNS), int)
        self.current_player = 1
        for mark in moves:
            self.make_move(int(mark) - 1)
            self.switch_player()

    def possible_moves(self):
        self.nodes[0] += 1  # an inner node
        return [column for column in MIDDLE_FIRST if self.board[ROWS - 1, column] == 0]

    def make_move(self, column):
        row = np.argmin(self.board[:, column] != 0)
        self.board[row, column] = self.current_player

    def lose(self):
        """Return whether the opponent has four in a row."""
        for (row, column), (up, right) in STARTS:
            streak = 0
            while 0 <= row < ROWS and 0 <= column < COLUMNS:
                if self.board[row, column] == self.opponent_index:
                    streak += 1
                    if streak == 4:
                        return True
                else:
                    streak = 0
                row, column = row + up, column + right
        return False

    def is_over(self):
        return self.board.min() > 0 or self.lose()

    def scoring(self):
        self.nodes[0] += 1  # a leaf
        return -100 if self.lose() else 0


def search(moves: str, depth: int) -> int:
    """Search the position with easyAI, and return the number of nodes."""
    algorithm = Negamax(depth)
    game = ConnectFour([AI_Player(algorithm), AI_Player(algorithm)], moves)
    ConnectFour.nodes[0] = 0
    algorithm(game)
    return ConnectFour.nodes[0]
