"""Pancakes: put a stack in order by turning over its upper part.

    position `3 1 2`, top first      action 2: turn over the upper two

The smallest pancake is 1 and belongs at the top. Each pancake takes four bits, the top one the lowest four,
so there are at most 15 pancakes.
"""

from __future__ import annotations

import random

import numpy as np

from gambito.boards.picture import Board, Cell, Piece
from gambito.errors import GameError, PositionError
from gambito.game.contract import quoted
from gambito.game.puzzle import Puzzle, heuristic
from gambito.native import int64, uint64

MAX_PANCAKES = 15


class Pancakes(Puzzle):
    """Put the stack in order by turning over its upper part."""

    name = "pancakes"
    symmetric = True

    def __init__(self, count: int = 8) -> None:
        if not 2 <= count <= MAX_PANCAKES:
            raise GameError("count must be a whole number from 2 to {}, not {}", MAX_PANCAKES, count)
        self.count_of, self.most_actions = count, count - 1
        self.finished = _pack(list(range(1, count + 1)))

    def parameters(self) -> dict[str, int]:
        return {"count": self.count_of}

    # ---- the rules -------------------------------------------------------------------------------
    def initial(self) -> np.uint64:
        """A shuffled stack, the same one every time."""
        return self.shuffled(self.count_of)

    def shuffled(self, number: int) -> np.uint64:
        sizes = list(range(1, self.count_of + 1))
        random.Random(number).shuffle(sizes)
        return _pack(sizes)

    def actions(self, state):
        """The number of pancakes to turn over."""
        upper = 2
        while upper <= self.count_of:
            yield upper
            upper += 1

    def result(self, state, action):
        above, turned = uint64(state), uint64(0)
        for _ in range(action):
            turned = (turned << uint64(4)) | (above & uint64(15))
            above >>= uint64(4)
        return (above << uint64(4 * action)) | turned

    def is_goal(self, state):
        return state == self.finished

    def key(self, state):
        return uint64(state)

    def undoes(self, last, action):
        return last == action

    def goal(self, state: np.uint64) -> np.uint64:
        return self.finished

    def size_at(self, state, place):
        """The pancake at a place, where 0 is the top. Below all lies the plate, larger than any pancake."""
        if place >= self.count_of:
            return int64(self.count_of + 1)
        return int64((uint64(state) >> uint64(4 * place)) & uint64(15))

    # ---- heuristics ------------------------------------------------------------------------------
    @heuristic(admissible=True, consistent=True)
    def gap(self, state):
        """The number of neighbours, including the plate, that are not neighbours in size (Helmert 2010)."""
        total = 0
        for place in range(self.count_of):
            if abs(self.size_at(state, place) - self.size_at(state, place + 1)) != 1:
                total += 1
        return total

    def gap_after(self, state, action, child, value):
        """Only the neighbours at the end of the turned part change."""
        below = self.size_at(state, action)
        if abs(self.size_at(state, action - 1) - below) != 1:
            value -= 1
        if abs(self.size_at(state, 0) - below) != 1:
            value += 1
        return value

    estimate = gap
    estimate_after = gap_after

    # ---- text ------------------------------------------------------------------------------------
    def show(self, state: np.uint64) -> str:
        wide = 2 * self.count_of + 1
        return "\n".join(f"{'▄' * (2 * size - 1):^{wide}} {size}" for size in self._sizes(state))

    def text(self, state: np.uint64) -> str:
        return " ".join(map(str, self._sizes(state)))

    def caption(self, state: np.uint64) -> str:
        return self.text(state)

    def parse(self, text: str) -> np.uint64:
        """The sizes from the top (`3 1 2 4 5 6 7 8`)."""
        words = text.replace(",", " ").split()
        if sorted(words) != sorted(map(str, range(1, self.count_of + 1))):
            raise PositionError(
                "{} is no stack of {} pancakes; accepted: the numbers from 1 to {}, each once",
                quoted(text),
                self.count_of,
                self.count_of,
            )
        return _pack([int(word) for word in words])

    def _sizes(self, state: np.uint64) -> list[int]:
        return [int(self.size_at(state, place)) for place in range(self.count_of)]

    # ---- picture ---------------------------------------------------------------------------------
    def picture(self) -> Board | None:
        """A row for each pancake, with one cell for each unit of its size."""
        size = self.count_of
        cells = [
            Cell(f"{row + 1}.{at + 1}", at + 0.5, row + 0.5, "none")
            for row in range(size)
            for at in range(size)
        ]
        return Board(size, size, tuple(cells))

    def pieces(self, state: np.uint64) -> list[Piece]:
        rows = enumerate(self._sizes(state))
        return [Piece(row * self.count_of + at, "square") for row, size in rows for at in range(size)]

    def touch(self, state: np.uint64, action: int) -> tuple[tuple[int, ...], ...]:
        """The lowest pancake that is turned over."""
        row = (action - 1) * self.count_of
        return (tuple(range(row, row + self.count_of)),)


def _pack(sizes: list[int]) -> np.uint64:
    return np.uint64(sum(size << 4 * place for place, size in enumerate(sizes)))
