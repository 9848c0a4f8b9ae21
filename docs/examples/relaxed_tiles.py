"""The 8-puzzle with rules left out: two supergraphs whose exact costs are well-known heuristics.

A tile may move to a square that is beside it and empty. Without `empty`, tiles step over each other
(`Stepping`); without both conditions, they jump to any square (`Jumping`). Each of them contains every move
of the puzzle and more, and in both the tiles do not get in each other's way. So every tile is a puzzle of its
own with nine states, and the costs add up.

    gambito heuristic check docs/examples/relaxed_tiles.py:Stepping --heuristic relaxed
    gambito heuristic check docs/examples/relaxed_tiles.py:Jumping --heuristic relaxed
"""

from gambito import Puzzle
from gambito.games.sliding_tiles import SlidingTiles


class OneTile(Puzzle):
    """Bring one tile home, on a board without other tiles."""

    symmetric = True

    def __init__(self, width: int, cells: int, home: int, jumps: bool) -> None:
        self.width, self.size, self.home, self.jumps = width, cells, home, jumps

    def initial(self):
        return self.home

    def actions(self, state):
        for cell in range(self.size):
            across = abs(cell % self.width - state % self.width)
            away = across + abs(cell // self.width - state // self.width)
            if away == 1 or (self.jumps and away > 0):
                yield cell

    def result(self, state, action):
        return action

    def is_goal(self, state):
        return state == self.home

    def goal(self, state):
        return self.home

    def index(self, state):
        return state

    def unindex(self, signature, number):
        return number


class Stepping(SlidingTiles):
    """A tile may step to any square beside it: the cost is the Manhattan distance."""

    name = "stepping-tiles"
    jumps = False

    def relaxed(self):
        return tuple(OneTile(self.width, self.cells, home, self.jumps) for home in self.places[1:])

    def relax(self, state, version):
        for cell in range(self.cells):
            if self.tile(state, cell) == version + 1:
                return cell
        return 0


class Jumping(Stepping):
    """A tile may jump to any square: the cost is the number of misplaced tiles."""

    name = "jumping-tiles"
    jumps = True
