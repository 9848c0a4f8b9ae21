"""Pattern tables: the value of a position is the sum of the weights of some tuples of squares.

A position is a few sets of squares, those of the player to move first. A tuple of squares is read as a number
with a digit for each square: 0 empty, 1 in the first set, 2 in the second, and so on. A table holds a weight
for each number. Images of a tuple (rotated, mirrored) share its table. Every stage of the game has its own
tables; the stages follow each other in the game's `weights`.

    Buro, From simple features to sophisticated evaluation functions, 1998;
    Lucas, Learning to play Othello with n-tuple systems, 2008

All numbers are computed at once: a piece adds its digit to all tuples that contain its square. A word holds
four numbers of 16 bits, and a register four words.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from gambito.native import first_bit, int64, uint64
from gambito.native.lanes import lanes, put
from gambito.native.scratch import scratch

FIELD, PER_WORD, PER_ROW = 16, 4, 16  # bits of a number, numbers in a word, numbers in four words
ROWS, WORDS = 4, 16  # the most registers, and words in them: 64 tuples
SQUARES = 64
LARGEST_WEIGHT = (1 << 15) - 1


class Patterns:
    """The tuples of an evaluation.

    `tuples`: the squares of each table. `views`: the symmetries of the board, each a function that maps a
    square to its image. `sets`: the number of sets in a position. `stages`: the number of stages, each with
    all tables. `unit`: the number of weight units in one unit of the game's values. `turn`: maps a square to
    what the second player sees, if that differs.
    """

    name = "patterns"
    divisor = 1  # of the amounts of inputs

    def __init__(
        self,
        tuples: Sequence[Sequence[int]],
        views: Sequence[Callable[[int], int]] = (),
        sets: int = 2,
        stages: int = 1,
        unit: int = 128,
        turn: Callable[[int], int] | None = None,
    ) -> None:
        seen = [images(one, views) for one in tuples]
        self.groups, self.orders = [group for group, _ in seen], [orders for _, orders in seen]
        self.sets, self.stages, self.unit, self.turn = sets, stages, unit, turn
        base, self.tuples = sets + 1, [one for group in self.groups for one in group]
        sizes = [base ** len(group[0]) for group in self.groups]
        if len(self.tuples) > ROWS * PER_ROW or max(sizes) > 1 << FIELD:
            raise ValueError(f"at most {ROWS * PER_ROW} tuples, and {1 << FIELD} contents of one")
        begins = np.concatenate([[0], np.cumsum(sizes)])
        self.begins = np.array([b for b, group in zip(begins, self.groups) for _ in group], np.int64)
        self.table = int(begins[-1])  # the number of weights in a stage
        self.size = self.table * stages
        self.description = f"patterns of {sets} sets, {stages} stages, unit {unit}: " + " ".join(
            "=".join(",".join(map(str, one)) for one in group) for group in self.groups
        )

    def equip(self, game: Any) -> None:
        """Set the attributes that `pattern_value` reads from the game, besides its `weights`."""
        width = -(-len(self.tuples) // PER_ROW)
        views = (lambda square: square, *((self.turn,) if self.turn else ()))
        rows = np.zeros((len(views) * self.sets * SQUARES, width, 4), np.uint64)
        for number, squares in enumerate(self.tuples):
            row, word, shift = number // PER_ROW, number % PER_ROW // PER_WORD, FIELD * (number % PER_WORD)
            for place, square in enumerate(squares):
                for content in range(self.sets):
                    digit = (content + 1) * (self.sets + 1) ** place
                    for side, view in enumerate(views):
                        at = (side * self.sets + content) * SQUARES + view(square)
                        rows[at, row, word] += np.uint64(digit << shift)
        game.pattern_rows, game.pattern_width = rows, width
        game.pattern_begins, game.pattern_table = self.begins, self.table

    def share(self, numbers: Any) -> Any:
        """For each weight, the one that it shares its value with: the same squares read in another order."""
        places = numbers % self.table
        return numbers - places + self._shared[places]

    @functools.cached_property
    def _shared(self) -> Any:
        """The same for all weights of one stage."""
        base, begin = self.sets + 1, 0
        table = np.arange(self.table)
        for group, orders in zip(self.groups, self.orders, strict=True):
            numbers = np.arange(base ** len(group[0]))
            digits = [numbers // base**place % base for place in range(len(group[0]))]
            for order in orders:
                other = sum(digits[place] * base**to for place, to in enumerate(order))
                part = table[begin : begin + len(numbers)]
                np.minimum(part, begin + other, out=part)
            begin += len(numbers)
        return table

    def fold(self, weights: Any) -> Any:
        """One weight of those that share a value, its stages beside each other; None if they differ."""
        rows = weights.reshape(self.stages, self.table)
        if not np.array_equal(rows, rows[:, self._shared]):
            return None
        return rows[:, self._shared == np.arange(self.table)].T.ravel()

    def unfold(self, folded: Any) -> Any:
        """The weights that `fold` made smaller."""
        _, places = np.unique(self._shared, return_inverse=True)
        return folded.reshape(-1, self.stages)[places].T.ravel()

    def install(self, game: Any, weights: Any) -> None:
        """Store weights, given in the game's values, in the game."""
        whole = np.round(weights[self.share(np.arange(self.size))] * self.unit)
        game.weights.array[:] = np.clip(whole, -LARGEST_WEIGHT, LARGEST_WEIGHT).astype(np.int16)


def images(squares: Sequence[int], views: Iterable[Callable[[int], int]]) -> tuple[Any, Any]:
    """The images of a tuple that lie elsewhere, and the orders in which it is its own image."""
    found, orders = [tuple(squares)], []
    for view in views:
        image = tuple(view(square) for square in squares)
        if set(image) == set(squares):
            orders.append(tuple(squares.index(square) for square in image))
        elif set(image) not in map(set, found):
            found.append(image)
    return found, orders


def pattern_numbers(game, sets, side, words):
    """Write the numbers of all tuples, as a side sees them, into words of memory, 16 bits each."""
    one, two, three, four = lanes(uint64(0)), lanes(uint64(0)), lanes(uint64(0)), lanes(uint64(0))
    begin = side * len(sets) * SQUARES
    for left in sets:
        while left:
            place = begin + first_bit(left)
            left &= left - uint64(1)
            one = one + lanes(game.pattern_rows[place, 0])
            if game.pattern_width > 1:
                two = two + lanes(game.pattern_rows[place, 1])
            if game.pattern_width > 2:
                three = three + lanes(game.pattern_rows[place, 2])
            if game.pattern_width > 3:
                four = four + lanes(game.pattern_rows[place, 3])
        begin += SQUARES
    put(one, words, 0)
    put(two, words, 4)
    put(three, words, 8)
    put(four, words, 12)


def pattern_value(game, sets, stage, side):
    """The value of the sets by the weights of a stage, in units; side 0 if both see the same board."""
    words, total = scratch(WORDS), int64(0)
    pattern_numbers(game, sets, side, words)
    base = stage * game.pattern_table
    for number in range(len(game.pattern_begins)):
        index = int64((words[number >> 2] >> uint64(FIELD * (number & 3))) & uint64(0xFFFF))
        total += int64(game.weights[base + game.pattern_begins[number] + index])
    return total


def pattern_inputs(game, sets, stage, side, buffer, place):
    """Write the weights that count, each once, as pairs for training."""
    words = scratch(WORDS)
    pattern_numbers(game, sets, side, words)
    base = stage * game.pattern_table
    for number in range(len(game.pattern_begins)):
        index = int64((words[number >> 2] >> uint64(FIELD * (number & 3))) & uint64(0xFFFF))
        buffer[place] = base + game.pattern_begins[number] + index
        buffer[place + 1] = 1
        place += 2
    return place
