"""Take away: one heap, take one to three objects, whoever takes the last one wins."""

from typing import NamedTuple

from gambito import Game


class State(NamedTuple):
    left: int
    mover: int


class TakeAway(Game):
    """One heap; take one to three; the last object wins."""

    def __init__(self, heap: int = 21) -> None:
        self.heap = heap
        self.longest = heap

    def initial(self):
        return State(self.heap, 0)

    def player(self, state):
        return state.mover

    def actions(self, state):
        for taken in range(1, min(3, state.left) + 1):
            yield taken

    def result(self, state, action):
        return State(state.left - action, 1 - state.mover)

    def is_terminal(self, state):
        return state.left == 0

    def utility(self, state, player):
        return -1 if player == state.mover else 1  # the other one took the last object
