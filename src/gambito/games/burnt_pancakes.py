"""Burnt pancakes: a stack whose pancakes have a burnt side, which must all lie down in the end.

    position `-3 1 -2`, top first: the burnt sides of 3 and 2 are up      action 1: turn over the top one

Four bits a pancake, the top lowest: three for its size, counted from 0, and the highest where the burnt side
is up; so there are at most 8. A state's number puts the lower half of the stack first, so that turning a few
over leads to a number near by.
"""

from __future__ import annotations

import random

import numpy as np

from gambito.game.contract import PositionError, quoted
from gambito.game.numbering import rank_permutation, unrank_permutation
from gambito.game.picture import Piece
from gambito.game.puzzle import heuristic
from gambito.games.pancakes import Pancakes
from gambito.native import int64, uint64

MOST = 8
SIDES, SIZES = np.uint64(0x88888888), np.uint64(0x77777777)
BYTES, NIBBLES = np.uint64(0x00FF00FF), np.uint64(0x0F0F0F0F)
EIGHT, FOUR = np.uint64(8), np.uint64(4)


class BurntPancakes(Pancakes):
    """Put the stack in order, burnt sides down, by turning over its upper part."""

    name = "burnt-pancakes"

    def __init__(self, count: int = 8) -> None:
        if not 2 <= count <= MOST:
            raise ValueError(f"count must be a whole number from 2 to {MOST}, not {count}")
        self.count_of, self.most_actions = count, count
        self.finished = _pack(list(range(1, count + 1)))
        self.size = 1
        for place in range(1, count + 1):
            self.size *= 2 * place

    # ---- the rules -------------------------------------------------------------------------------
    def initial(self) -> np.uint64:
        """A stack at random that is always the same."""
        rng = random.Random(self.count_of)
        sizes = list(range(1, self.count_of + 1))
        rng.shuffle(sizes)
        return _pack([size * rng.choice((1, -1)) for size in sizes])

    def actions(self, state):
        """How many are turned over."""
        upper = 1
        while upper <= self.count_of:
            yield upper
            upper += 1

    def result(self, state, action):
        word, width = uint64(state), uint64(4 * action)
        turned = ((word & NIBBLES) << FOUR) | ((word >> FOUR) & NIBBLES)
        turned = ((turned & BYTES) << EIGHT) | ((turned >> EIGHT) & BYTES)
        turned = ((turned << np.uint64(16)) | (turned >> np.uint64(16))) & np.uint64(0xFFFFFFFF)
        turned = (turned ^ SIDES) >> (np.uint64(32) - width)
        return ((word >> width) << width) | turned

    def size_at(self, state, place):
        """The pancake at a place, below 0 with its burnt side up; the plate is larger than each."""
        if place >= self.count_of:
            return int64(self.count_of + 1)
        item = (uint64(state) >> uint64(4 * place)) & uint64(15)
        size = int64(item & uint64(7)) + 1
        return -size if item & EIGHT else size

    # ---- numbers ---------------------------------------------------------------------------------
    def index(self, state):
        word = uint64(state)
        sides = (word & SIDES) >> np.uint64(3)  # every fourth bit, pushed together
        sides = (sides | (sides >> np.uint64(3))) & np.uint64(0x03030303)
        sides = (sides | (sides >> np.uint64(6))) & np.uint64(0x000F000F)
        sides = (sides | (sides >> np.uint64(12))) & np.uint64(0xFF)
        return (rank_permutation(word & SIZES, self.count_of) << self.count_of) | int64(sides)

    def unindex(self, signature, number):
        word = unrank_permutation(number >> self.count_of, self.count_of)
        for place in range(self.count_of):
            word |= (uint64(number >> place) & uint64(1)) << uint64(4 * place + 3)
        return word

    # ---- heuristics ------------------------------------------------------------------------------
    @heuristic(admissible=True, consistent=True)
    def gap(self, state):
        """How many neighbours, the plate among them, do not lie as they will: each turn parts one pair."""
        total = 0
        for place in range(self.count_of):
            if self.size_at(state, place + 1) - self.size_at(state, place) != 1:
                total += 1
        return total

    def gap_after(self, state, action, child, value):
        """Only the neighbours where the turned part ends are new."""
        below = self.size_at(state, action)
        if below - self.size_at(state, action - 1) != 1:
            value -= 1
        if below + self.size_at(state, 0) != 1:
            value += 1
        return value

    estimate = gap
    estimate_after = gap_after

    # ---- text ------------------------------------------------------------------------------------
    def show(self, state: np.uint64) -> str:
        wide = 2 * self.count_of + 1
        marks = [("▀" if size < 0 else "▄", abs(size), size) for size in self._sizes(state)]
        return "\n".join(f"{mark * (2 * wide_ - 1):^{wide}} {size}" for mark, wide_, size in marks)

    def parse(self, text: str) -> np.uint64:
        """The sizes from the top, below 0 where the burnt side is up (`-3 1 2 4 5 6 7 8`)."""
        words = text.replace(",", " ").split()
        if sorted(word.removeprefix("-") for word in words) != sorted(map(str, range(1, self.count_of + 1))):
            raise PositionError(
                f"{quoted(text)} is no stack of {self.count_of} pancakes; "
                f"accepted: the numbers from 1 to {self.count_of}, each once, - where the burnt side is up"
            )
        return _pack([int(word) for word in words])

    def pieces(self, state: np.uint64) -> list[Piece]:
        """A burnt side that is up is the second player's colour."""
        rows = enumerate(self._sizes(state))
        return [
            Piece(row * self.count_of + at, "square", int(size < 0))
            for row, size in rows
            for at in range(abs(size))
        ]


def _pack(sizes: list[int]) -> np.uint64:
    return np.uint64(sum((abs(size) - 1 | 8 * (size < 0)) << 4 * place for place, size in enumerate(sizes)))
