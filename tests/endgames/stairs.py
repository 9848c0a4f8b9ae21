"""A game with several small slices, which runs in the Python gear only."""

from __future__ import annotations

import time
from typing import NamedTuple

from gambito import Game


class Step(NamedTuple):
    level: int
    side: int  # of the stairs
    place: int
    mover: int


class Stairs(Game):
    """One token on two flights of stairs: walk around on a step, or go down where the place allows it. Who
    reaches the first place of the lowest level wins. A slice is a step."""

    name = "stairs"
    compiles = False
    cycles = True

    def __init__(self, levels: int = 3, width: int = 7, pause: float = 0.0) -> None:
        self.levels, self.width, self.pause = levels, width, pause

    def initial(self):
        return Step(self.levels - 1, 0, 1, 0)

    def player(self, state):
        return state.mover

    def actions(self, state):
        time.sleep(self.pause)
        yield 1
        yield self.width - 2
        if state.level and state.place % 3 == 0:
            yield self.width
        if state.level and state.place % 4 == 1:
            yield self.width + 1

    def result(self, state, action):
        if action >= self.width:
            return Step(state.level - 1, action - self.width, state.place, 1 - state.mover)
        return Step(state.level, state.side, (state.place + action) % self.width, 1 - state.mover)

    def is_terminal(self, state):
        return state.level == 0 and state.place == 0

    def utility(self, state, player):
        return -1 if player == state.mover else 1

    def key(self, state):
        return ((state.level * 2 + state.side) * self.width + state.place) * 2 + state.mover

    # ---- numbers ---------------------------------------------------------------------------------
    def signature(self, state):
        return state.level * 2 + state.side

    def slice_size(self, signature):
        return 2 * self.width

    def index(self, state):
        return 2 * state.place + state.mover

    def unindex(self, signature, number):
        return Step(signature // 2, signature % 2, number // 2, number % 2)

    def is_real(self, state):
        return True

    def slice_names(self, limit):
        return [f"{side}{level}" for level in range(self.levels) for side in "ab"]

    def slice_code(self, name):
        return 2 * int(name[1:]) + "ab".index(name[0])

    def conversions(self, name):
        level = int(name[1:])
        return [f"{side}{level - 1}" for side in "ab"] if level else []
