"""Rules of one's own, with modules beside them: take one to three, whoever takes the last one wins."""

from typing import NamedTuple

from signs.turns import other
from taking_most import MOST

from gambito import Game


class Heap(NamedTuple):
    left: int
    mover: int


class Taking(Game):
    """A heap."""

    name = "taking"
    lowest = -1
    highest = 1

    def __init__(self, heap: int = 15) -> None:
        self.heap = heap
        self.longest = heap

    def initial(self):
        return Heap(self.heap, 0)

    def player(self, state):
        return state.mover

    def actions(self, state):
        for taken in range(1, min(MOST, state.left) + 1):
            yield taken

    def result(self, state, action):
        return Heap(state.left - action, other(state.mover))

    def is_terminal(self, state):
        return state.left == 0

    def utility(self, state, player):
        return -1 if player == state.mover else 1
