"""Onitama: a move is one of the two cards in your hand; the card goes to the opponent by way of the table."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gambito import Game
from gambito.boards import Equipment, Kind, grid

NAMES = ("tiger", "dragon", "frog", "rabbit", "crab")
STEPS = np.array(  # of each card: forward and to the right; 0, 0 is none
    [
        [[2, 0], [-1, 0], [0, 0], [0, 0]],
        [[1, -2], [1, 2], [-1, -1], [-1, 1]],
        [[0, -2], [1, -1], [-1, 1], [0, 0]],
        [[0, 2], [1, 1], [-1, -1], [0, 0]],
        [[1, 0], [0, -2], [0, 2], [0, 0]],
    ]
)


class State(NamedTuple):
    board: np.ndarray  # 1 and 2 are the students and the master of Blue, 3 and 4 those of Red
    cards: np.ndarray  # two of Blue, two of Red, and the one on the table
    mover: int


class Onitama(Game):
    """Take the master, or bring your own to the opponent's temple."""

    sides = ("Blue", "Red")
    longest = 200

    def initial(self):
        board = np.zeros((5, 5), np.int8)
        board[4, :], board[0, :] = 1, 3
        board[4, 2], board[0, 2] = 2, 4
        return State(board, np.arange(5, dtype=np.int8), 0)

    def player(self, state):
        return state.mover

    def is_of(self, piece, player):
        return piece in (1, 2) if player == 0 else piece in (3, 4)

    def actions(self, state):
        way = 1 if state.mover else -1  # Blue moves up
        for cell in range(25):
            if not self.is_of(state.board[cell // 5, cell % 5], state.mover):
                continue
            for number in range(8):
                card = state.cards[2 * state.mover + number // 4]
                ahead, aside = STEPS[card, number % 4, 0], STEPS[card, number % 4, 1]
                row, column = cell // 5 + way * ahead, cell % 5 - way * aside
                if (ahead != 0 or aside != 0) and 0 <= row < 5 and 0 <= column < 5:
                    if not self.is_of(state.board[row, column], state.mover):
                        yield 50 * cell + 2 * (5 * row + column) + number // 4

    def result(self, state, action):
        cell, to, number = action // 50, action % 50 // 2, 2 * state.mover + action % 2
        board, cards = state.board.copy(), state.cards.copy()
        board[to // 5, to % 5], board[cell // 5, cell % 5] = board[cell // 5, cell % 5], 0
        cards[number], cards[4] = cards[4], cards[number]
        return State(board, cards, 1 - state.mover)

    def has_lost(self, state):
        """Whether the player to move has lost the master, or the other's has come to the temple."""
        mine, theirs, temple = (2, 4, 4) if state.mover == 0 else (4, 2, 0)
        return not (state.board == mine).any() or state.board[temple, 2] == theirs

    def is_terminal(self, state):
        if self.has_lost(state):
            return True
        for _ in self.actions(state):
            return False
        return True

    def utility(self, state, player):
        return -1 if player == state.mover else 1

    def equipment(self):
        kinds = [Kind("b", "disc", 0), Kind("B", "star", 0), Kind("r", "disc", 1), Kind("R", "star", 1)]
        return Equipment(grid(5, 5, checkered=True), kinds)

    def write(self, state, action):
        card = NAMES[state.cards[2 * state.mover + action % 2]]
        return f"{super().write(state, action).partition(':')[0]}-{card}"

    def remarks(self, state):
        first, second, third, fourth, table = (NAMES[card] for card in state.cards)
        return f"Blue: {first}, {second}\nRed: {third}, {fourth}\ntable: {table}"
