"""Burnt pancakes: each pancake of the stack has a burnt side, and all of these must face down at the end.

    position `-3 1 -2`, top first: the burnt sides of 3 and 2 are up      action 1: turn over the top one

Each pancake takes four bits, the top one the lowest four: three bits for its size, counted from 0, and the
highest bit is set if the burnt side is up. So there are at most 8 pancakes. The number of a state consists of
the number of its lower half and of the number of the order of its upper half; both are found in tables. So
turning over a few pancakes leads to a nearby number.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterable

import numpy as np

from gambito.boards.picture import Piece
from gambito.errors import GameError, PositionError
from gambito.game.contract import quoted
from gambito.game.puzzle import heuristic
from gambito.games.pancakes import Pancakes
from gambito.native import int64, uint64

MAX_PANCAKES = 8
SIDES = np.uint64(0x88888888)
BYTES, NIBBLES = np.uint64(0x00FF00FF), np.uint64(0x0F0F0F0F)
EIGHT, FOUR = np.uint64(8), np.uint64(4)


class BurntPancakes(Pancakes):
    """Put the stack in order, burnt sides down, by turning over its upper part."""

    name = "burnt-pancakes"

    def __init__(self, count: int = 8) -> None:
        if not 2 <= count <= MAX_PANCAKES:
            raise GameError("count must be a whole number from 2 to {}, not {}", MAX_PANCAKES, count)
        self.count_of, self.most_actions = count, count
        self.finished = _pack(list(range(1, count + 1)))
        self.size = 2**count * math.factorial(count)

    def prepare(self) -> None:
        """Build the tables of numbers."""
        count = self.count_of
        lower, upper = _lower_words(count), _upper_words(count - count // 2)
        self.upper_count, self.upper_size = count - count // 2, len(upper)
        self.width = np.uint64(4 * self.upper_count)
        self.mask = (np.uint64(1) << self.width) - np.uint64(1)
        self.lower_words = np.array([word for word, _ in lower], np.int64)
        self.left = np.array([left for _, left in lower], np.int64)  # the other items, in increasing order
        self.upper_words = np.array(list(upper), np.int64)
        self.lower_numbers = np.zeros(16 ** (count // 2), np.int32)
        self.lower_numbers[self.lower_words] = np.arange(len(lower))
        self.upper_numbers = np.zeros(16**self.upper_count, np.int16)
        for number, word in enumerate(upper):
            for items in itertools.combinations(range(count), self.upper_count):
                self.upper_numbers[_renamed(word, items)] = number

    # ---- the rules -------------------------------------------------------------------------------
    def initial(self) -> np.uint64:
        """A shuffled stack, the same one every time."""
        return self.shuffled(self.count_of)

    def shuffled(self, number: int) -> np.uint64:
        rng = random.Random(number)
        sizes = list(range(1, self.count_of + 1))
        rng.shuffle(sizes)
        return _pack([size * rng.choice((1, -1)) for size in sizes])

    def actions(self, state):
        """The number of pancakes to turn over."""
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
        """The pancake at a place, negative if its burnt side is up; the plate is larger than all pancakes."""
        if place >= self.count_of:
            return int64(self.count_of + 1)
        item = (uint64(state) >> uint64(4 * place)) & uint64(15)
        size = int64(item & uint64(7)) + 1
        return -size if item & EIGHT else size

    # ---- numbers ---------------------------------------------------------------------------------
    def index(self, state):
        word = uint64(state)
        lower = int64(self.lower_numbers[int64(word >> self.width)])
        return lower * self.upper_size + int64(self.upper_numbers[int64(word & self.mask)])

    def unindex(self, signature, number):
        lower = number // self.upper_size
        order, left = self.upper_words[number % self.upper_size], self.left[lower]
        word = uint64(self.lower_words[lower]) << self.width
        for place in range(self.upper_count):  # the items that the lower half leaves, in this order
            item = (order >> (4 * place)) & 15
            word |= uint64((left >> (4 * (item & 7))) & 7 | item & 8) << uint64(4 * place)
        return word

    # ---- heuristics ------------------------------------------------------------------------------
    @heuristic(admissible=True, consistent=True)
    def gap(self, state):
        """The number of neighbours, the plate included, not placed as in the goal: a turn parts one pair."""
        total = 0
        for place in range(self.count_of):
            if self.size_at(state, place + 1) - self.size_at(state, place) != 1:
                total += 1
        return total

    def gap_after(self, state, action, child, value):
        """Only the neighbours at the end of the turned part change."""
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
        """The sizes from the top, negative if the burnt side is up (`-3 1 2 4 5 6 7 8`)."""
        words = text.replace(",", " ").split()
        if sorted(word.removeprefix("-") for word in words) != sorted(map(str, range(1, self.count_of + 1))):
            raise PositionError(
                "{} is no stack of {} pancakes; "
                "accepted: the numbers from 1 to {}, each once, - where the burnt side is up",
                quoted(text),
                self.count_of,
                self.count_of,
            )
        return _pack([int(word) for word in words])

    def pieces(self, state: np.uint64) -> list[Piece]:
        """A burnt side that faces up has the second player's colour."""
        rows = enumerate(self._sizes(state))
        return [
            Piece(row * self.count_of + at, "square", int(size < 0))
            for row, size in rows
            for at in range(abs(size))
        ]


def _words(items: Iterable[tuple[int, ...]], count: int) -> list[int]:
    """Arrangements of items as words, with every combination of sides."""
    return [
        sum(
            (item | 8 * side) << 4 * place for place, (item, side) in enumerate(zip(each, sides, strict=True))
        )
        for each in items
        for sides in itertools.product((0, 1), repeat=count)
    ]


def _lower_words(count: int) -> list[tuple[int, int]]:
    """The lower halves of a stack, each with the items that it leaves to the upper half."""
    found = []
    for items in itertools.permutations(range(count), count // 2):
        others = sorted(set(range(count)) - set(items))
        left = sum(item << 4 * place for place, item in enumerate(others))
        found += [(word, left) for word in _words([items], count // 2)]
    return found


def _upper_words(count: int) -> list[int]:
    """The orders of an upper half, with its items counted from the smallest."""
    return _words(itertools.permutations(range(count)), count)


def _renamed(word: int, items: tuple[int, ...]) -> int:
    """An upper half with these items in place of 0, 1, 2 …"""
    digits = [word >> 4 * place & 15 for place in range(len(items))]
    return sum((items[digit & 7] | digit & 8) << 4 * place for place, digit in enumerate(digits))


def _pack(sizes: list[int]) -> np.uint64:
    return np.uint64(sum((abs(size) - 1 | 8 * (size < 0)) << 4 * place for place, size in enumerate(sizes)))
