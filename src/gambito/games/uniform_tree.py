"""A uniform tree: every state has the same number of moves and every game the same length. For measuring
searches.

The leaves come from a hash of the path, so no tree is stored. With `order=random` they are independent;
with `order=best` every state's first action is its best one, which is alpha-beta's best case.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gambito.errors import GameError
from gambito.game.contract import Game
from gambito.native import int64, mix, uint64
from gambito.words import say
from gambito.words.sentence import Sentence

SPREAD = 1000  # leaves lie between -SPREAD and SPREAD


class State(NamedTuple):
    """A node: the hash of its path, its depth and, with the best order, its value for the player to move."""

    path: np.uint64
    ply: int
    worth: int


class UniformTree(Game):
    """Every state has `branching` actions, every game `depth` plies."""

    name = "uniform-tree"
    played_by = "engine"
    lowest = -4 * SPREAD
    highest = 4 * SPREAD

    def __init__(self, branching: int = 4, depth: int = 6, seed: int = 0, order: str = "random") -> None:
        if branching < 1 or depth < 0 or depth > 60:
            raise GameError("branching is at least 1 and depth between 0 and 60")
        if order not in ("random", "best"):
            raise GameError("order is random or best")
        self.branching, self.depth, self.seed, self.order = branching, depth, seed, order
        self.best_first = order == "best"
        self.longest, self.most_actions, self.usual_depth = depth, branching, depth

    def initial(self) -> State:
        return State(mix((self.seed, self.branching)), 0, 0)

    def player(self, state):
        return state.ply & 1

    def actions(self, state):
        for action in range(self.branching):
            yield action

    def result(self, state, action):
        """The first child is as good as its parent; any other is slightly worse for the parent's player."""
        path = mix((state.path, action))
        worth = -state.worth
        if self.best_first and action > 0:
            worth += 1 + int64(path >> uint64(32)) % 8
        return State(path, state.ply + 1, worth)

    def is_terminal(self, state):
        return state.ply == self.depth

    def utility(self, state, player):
        value = (
            state.worth if self.best_first else int64(state.path >> uint64(20)) % (2 * SPREAD + 1) - SPREAD
        )
        return value if player == (state.ply & 1) else -value

    def reason(self, state: State) -> str:
        return Sentence("a leaf is reached")

    def show(self, state: State) -> str:
        return say("ply {} of {}, node {:016x}", state.ply, self.depth, int(state.path))
