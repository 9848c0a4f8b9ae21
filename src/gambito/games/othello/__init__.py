"""Othello."""
from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gambito.game.contract import Game
from gambito.games.othello.board import Board
from gambito.native import first_bit, mix, popcount, uint64


class State(NamedTuple):
    mine: np.uint64
    theirs: np.uint64
    open: np.uint64
    mover: int


class Othello(Board, Game):
    name = "othello"

    def __init__(self, size: int = 8) -> None:
        super().__init__(size)
        self.highest, self.lowest = self.cells, -self.cells
        self.longest, self.most_actions = 2 * self.cells, self.cells

    def initial(self) -> State:
        c = self.size // 2
        b = (1 << ((c-1)*self.size+c)) | (1 << (c*self.size+c-1))
        w = (1 << ((c-1)*self.size+c-1)) | (1 << (c*self.size+c))
        b, w = np.uint64(b), np.uint64(w)
        return State(b, w, self.moves(b, w), 0)

    def player(self, state):
        return state.mover

    def actions(self, state):
        left = state.open
        if left == uint64(0):
            yield self.cells
        while left:
            yield first_bit(left)
            left &= left - uint64(1)

    def result(self, state, action):
        if action == self.cells:
            return State(state.theirs, state.mine, self.moves(state.theirs, state.mine), 1 - state.mover)
        disc = uint64(1) << uint64(action)
        flipped = self.flips(state.mine, state.theirs, disc)
        mine, theirs = state.theirs ^ flipped, state.mine | flipped | disc
        return State(mine, theirs, self.moves(mine, theirs), 1 - state.mover)

    def is_terminal(self, state):
        return not state.open and not self.moves(state.theirs, state.mine)

    def utility(self, state, player):
        lead = popcount(state.mine) - popcount(state.theirs)
        return lead if player == state.mover else -lead

    def evaluate(self, state, player):
        a = popcount(state.open)
        b = popcount(self.moves(state.theirs, state.mine))
        c = popcount(state.mine & uint64(0x8100000000000081)) - popcount(state.theirs & uint64(0x8100000000000081))
        e = a - b + 8 * c
        return e if player == state.mover else -e
