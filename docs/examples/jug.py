"""Two jugs: measure out four litres with a jug of three and a jug of five."""

from typing import NamedTuple

from gambito import Puzzle, heuristic


class State(NamedTuple):
    small: int
    large: int


class Jugs(Puzzle):
    """Measure out four litres."""

    def initial(self):
        return State(0, 0)

    def actions(self, state):
        for action in range(6):  # fill, empty, pour: the small one, the large one
            yield action

    def result(self, state, action):
        small, large = state.small, state.large
        if action == 0:
            return State(3, large)
        if action == 1:
            return State(small, 5)
        if action == 2:
            return State(0, large)
        if action == 3:
            return State(small, 0)
        if action == 4:
            poured = min(small, 5 - large)
            return State(small - poured, large + poured)
        poured = min(large, 3 - small)
        return State(small + poured, large - poured)

    def is_goal(self, state):
        return state.large == 4

    @heuristic(admissible=True, consistent=True)
    def far(self, state):
        """One action at least, unless the goal is reached."""
        return 0 if state.large == 4 else 1

    @heuristic()
    def missing(self, state):
        """How many litres are missing or too many: is that an estimate of actions?"""
        return abs(state.large - 4)

    estimate = far
