"""Zobrist keys: updated keys equal keys computed from scratch, and different boards have different keys."""

import random
from typing import NamedTuple

import numpy as np

import gambito
from gambito import Game, zobrist_change, zobrist_key, zobrist_numbers
from tests.support import minimax_truth


def test_a_change_gives_the_key_of_the_new_board():
    rng, numbers = random.Random(1), zobrist_numbers(cells=24, kinds=3)
    board = np.zeros(24, np.int64)
    key = zobrist_key(numbers, board)
    assert key == 0
    for _ in range(500):
        cell, kind = rng.randrange(24), rng.randrange(3)
        key = zobrist_change(numbers, key, cell, board[cell], kind)
        board[cell] = kind
        assert key == zobrist_key(numbers, board)


def test_numbers_tell_boards_apart():
    numbers = zobrist_numbers(cells=9, kinds=3)
    assert len(set(numbers[1:].ravel().tolist())) == 18
    assert (zobrist_numbers(9, 3) == numbers).all()
    assert not (zobrist_numbers(9, 3, seed=1)[1:] == numbers[1:]).any()
    keys = {int(zobrist_key(numbers, [n // 3**c % 3 for c in range(9)])) for n in range(3**9)}
    assert len(keys) == 3**9


class Cells(NamedTuple):
    """A row of cells, its key, and whose turn it is."""

    board: int  # two bits a cell
    left: int
    key: np.uint64
    mover: int


class Claim(Game):
    """Claim one of six cells in turn; a cell is worth its place to whom it is next to."""

    name = "claim"
    lowest, highest, longest = -30, 30, 6

    def __init__(self) -> None:
        self.numbers = zobrist_numbers(cells=6, kinds=3)

    def initial(self):
        return Cells(0, 6, np.uint64(0), 0)

    def player(self, state):
        return state.mover

    def actions(self, state):
        for cell in range(6):
            if (state.board >> (2 * cell)) & 3 == 0:
                yield cell

    def result(self, state, action):
        key = zobrist_change(self.numbers, state.key, action, 0, 1 + state.mover)
        board = state.board | (1 + state.mover) << (2 * action)
        return Cells(board, state.left - 1, key, 1 - state.mover)

    def is_terminal(self, state):
        return state.left == 0

    def utility(self, state, player):
        score = 0
        for cell in range(6):
            mine = (state.board >> (2 * cell)) & 3 == 1
            score += (cell + 1) * (cell % 3 + 1) if mine else -(cell + 1)
        return score if player == 0 else -score

    def key(self, state):
        return state.key


def test_a_game_on_zobrist_keys_in_both_gears():
    game = Claim()
    truth = minimax_truth(game, game.initial(), 6)
    for gear in ("python", "native"):
        found = gambito.search(game, algorithm="mtd-f", depth=6, memory=1, gear=gear)
        assert found.value == truth
