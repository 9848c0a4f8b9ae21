"""Zobrist keys: each kind of piece on each cell has a random number; a key combines those of a position.

A move changes a few cells, so a key is updated with a few exclusive ors instead of being computed again
(Zobrist 1970). The numbers are the same in every process; that of kind 0, the empty cell, is 0.

    class MyGame(gambito.Game):
        def __init__(self):
            self.numbers = gambito.zobrist_numbers(cells=64, kinds=3)

        def key(self, state):
            return gambito.zobrist_key(self.numbers, state.board) ^ uint64(state.mover)
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gambito.native import mix, uint64


def zobrist_numbers(cells: int, kinds: int, seed: int = 0) -> Any:
    """The numbers of a board, as an array of kinds × cells; those of kind 0 are 0."""
    numbers = np.zeros((kinds, cells), np.uint64)
    for kind in range(1, kinds):
        for cell in range(cells):
            numbers[kind, cell] = mix((seed, kind, cell))
    return numbers


def zobrist_key(numbers: Any, board: Any) -> Any:
    """The key of a board that holds the kind of piece on each cell."""
    key = uint64(0)
    for cell in range(len(board)):
        key ^= numbers[board[cell], cell]
    return key


def zobrist_change(numbers: Any, key: Any, cell: int, before: int, after: int) -> Any:
    """The key after one cell has changed."""
    return key ^ numbers[before, cell] ^ numbers[after, cell]
