"""Sliding tiles: the 8-puzzle, the 15-puzzle, and any other size up to 64 cells.

    blank-last    1 2 3      blank-first    0 1 2      spiral    1 2 3
                  4 5 6                     3 4 5                8 0 4
                  7 8 0                     6 7 8                7 6 5

An action is the direction in which the blank moves: 0 up, 1 left, 2 right, 3 down. It is written as the
number of the tile that moves. A state of up to 16 cells is one word with four bits for each cell, the first
cell lowest; a larger state is eight words with eight bits for each cell. Half of all positions cannot be
solved: the parity of the tiles' permutation must equal the parity of the blank's distance from its place.
"""

from __future__ import annotations

import math
import random
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from gambito.boards.equipment import NO_CELL, Equipment, Kind, Values
from gambito.boards.picture import NOBODY, grid
from gambito.errors import GameError, PositionError
from gambito.game.contract import quoted
from gambito.game.puzzle import Puzzle, heuristic
from gambito.native import int64, mix, uint64

from .patterns import _Pattern, cut_up, read_patterns, shift_table

GOALS = ("blank-last", "blank-first", "spiral")
MOST_CELLS, NARROW = 64, 16
FAR = 20  # steps of a random walk for each cell


class Narrow(NamedTuple):
    """Up to 16 cells."""

    tiles: np.uint64
    blank: int


class Wide(NamedTuple):
    """Up to 64 cells, eight in each word."""

    a: np.uint64
    b: np.uint64
    c: np.uint64
    d: np.uint64
    e: np.uint64
    f: np.uint64
    g: np.uint64
    h: np.uint64
    blank: int


class SlidingTiles(Puzzle):
    """Slide the tiles until they are in order."""

    name = "sliding-tiles"
    symmetric = True
    most_actions = 4
    closed = ("patterns",)

    def __init__(self, width: int = 3, height: int = 3, goal: str = "blank-last", patterns: str = "") -> None:
        if not 2 <= width <= 32 or not 2 <= height <= 32 or width * height > MOST_CELLS:
            raise GameError("width and height must be at least 2, and at most {} cells together", MOST_CELLS)
        if goal not in GOALS:
            raise GameError("goal must be {}, not {}", " or ".join(GOALS), quoted(goal))
        self.width, self.height, self.goal_name, self.patterns = width, height, goal, patterns
        self.cells = width * height
        self.narrow = self.cells <= NARROW
        self.order = _goal_tiles(width, height, goal)
        self.places = tuple(self.order.index(tile) for tile in range(self.cells))  # of the tiles, in the goal
        self.shifts = shift_table(width, height)
        self.finished = self._state(self.order)
        rows, columns = np.divmod(np.array(self.places), width)
        across, down = np.arange(self.cells) % width, np.arange(self.cells) // width
        away = np.abs(columns[:, None] - across) + np.abs(rows[:, None] - down)
        straight = np.hypot(columns[:, None] - across, rows[:, None] - down)
        away[0], straight[0] = 0, 0  # the blank need not reach its place
        self.away, self.straight = away.astype(np.int64).ravel(), straight.astype(np.float64).ravel()
        self.groups = read_patterns(patterns or cut_up(self.cells), self.cells)
        self.group, self.weight = _Pattern.digits(self.groups, self.cells)

    def parameters(self) -> dict[str, Any]:
        return {"width": self.width, "height": self.height, "goal": self.goal_name, "patterns": self.patterns}

    # ---- the rules -------------------------------------------------------------------------------
    def initial(self) -> Any:
        """The goal after a random walk, the same one every time."""
        return self._walked(self.cells, 4 * self.cells)

    def shuffled(self, number: int) -> Any:
        """The goal after a longer random walk, so that every position may come."""
        return self._walked(number, FAR * self.cells + number % 2)

    def _walked(self, number: int, steps: int) -> Any:
        rng, state, last = random.Random(number), self.finished, -1
        for _ in range(steps):
            last = rng.choice([a for a in self.actions(state) if not self.undoes(last, a)])
            state = self.result(state, last)
        return state

    def actions(self, state):
        action = 0
        while action < 4:
            if self.shifts[4 * state.blank + action] >= 0:
                yield action
            action += 1

    def result(self, state, action):
        source = self.shifts[4 * state.blank + action]
        if self.narrow:
            tile = (state.tiles >> uint64(4 * source)) & uint64(15)
            moved = (tile << uint64(4 * source)) | (tile << uint64(4 * state.blank))
            return Narrow(state.tiles ^ moved, source)
        tile = uint64(self.tile(state, source))
        out, into = tile << uint64(8 * (source & 7)), tile << uint64(8 * (state.blank & 7))
        x, y = source >> 3, state.blank >> 3
        return Wide(
            state.a ^ (out * uint64(x == 0)) ^ (into * uint64(y == 0)),
            state.b ^ (out * uint64(x == 1)) ^ (into * uint64(y == 1)),
            state.c ^ (out * uint64(x == 2)) ^ (into * uint64(y == 2)),
            state.d ^ (out * uint64(x == 3)) ^ (into * uint64(y == 3)),
            state.e ^ (out * uint64(x == 4)) ^ (into * uint64(y == 4)),
            state.f ^ (out * uint64(x == 5)) ^ (into * uint64(y == 5)),
            state.g ^ (out * uint64(x == 6)) ^ (into * uint64(y == 6)),
            state.h ^ (out * uint64(x == 7)) ^ (into * uint64(y == 7)),
            source,
        )

    def is_goal(self, state):
        return state == self.finished

    def key(self, state):
        """The tiles alone; the code that looks up the key spreads its bits."""
        if self.narrow:
            return state.tiles
        return mix(state)

    def undoes(self, last, action):
        return last + action == 3

    def goal(self, state: Any) -> Any:
        return self.finished

    def tile(self, state, cell):
        """The number on a cell; 0 is the blank."""
        if self.narrow:
            return int64((state.tiles >> uint64(4 * cell)) & uint64(15))
        words = (state.a, state.b, state.c, state.d, state.e, state.f, state.g, state.h)
        return int64((words[cell >> 3] >> uint64(8 * (cell & 7))) & uint64(255))

    # ---- heuristics ------------------------------------------------------------------------------
    @heuristic(admissible=True, consistent=True)
    def manhattan(self, state):
        """The distance of the tiles from their places, in rows and columns."""
        total = 0
        for cell in range(self.cells):
            total += self.away[self.tile(state, cell) * self.cells + cell]
        return total

    def manhattan_after(self, state, action, child, value):
        tile = self.tile(child, state.blank) * self.cells
        return value + self.away[tile + state.blank] - self.away[tile + child.blank]

    estimate = manhattan
    estimate_after = manhattan_after

    @heuristic(admissible=True, consistent=True)
    def misplaced(self, state):
        """The number of tiles that are not in their places."""
        total = 0
        for cell in range(self.cells):
            if self.away[self.tile(state, cell) * self.cells + cell] > 0:
                total += 1
        return total

    @heuristic(admissible=True, consistent=True)
    def euclidean(self, state):
        """The straight-line distance of the tiles from their places, rounded up at the end."""
        total = 0.0
        for cell in range(self.cells):
            total += self.straight[self.tile(state, cell) * self.cells + cell]
        return int64(math.ceil(total - 1e-9))

    @heuristic(admissible=True, consistent=True)
    def linear_conflict(self, state):
        """Manhattan distance, plus two for each tile that must leave its row or column to let others pass."""
        total = self.manhattan(state)
        for row in range(self.height):
            total += 2 * self.leaving(state, row * self.width, 1, self.width)
        for column in range(self.width):
            total += 2 * self.leaving(state, column, self.width, self.height)
        return total

    def leaving(self, state, first, step, count):
        """The fewest tiles that must leave this line so that those that belong to it are in order."""
        longest, belonging = 0, 0
        for end in range(count):
            place = self.places[self.tile(state, first + end * step)]
            if self.tile(state, first + end * step) > 0 and self.on_line(place, first, step, count):
                belonging += 1
                longest = max(longest, self.ordered(state, first, step, count, end))
        return belonging - longest

    def ordered(self, state, first, step, count, end):
        """The largest number of tiles of this line, ending with the one at `end`, that are in order."""
        lengths = uint64(0)  # four bits for each place
        for lazy_imports in range(end + 1):
            tile = self.tile(state, first + lazy_imports * step)
            place = self.places[tile]
            best = 0
            if tile > 0 and self.on_line(place, first, step, count):
                best = 1
                for earlier in range(lazy_imports):
                    length = int64((lengths >> uint64(4 * earlier)) & uint64(15))
                    before = self.places[self.tile(state, first + earlier * step)]
                    if length >= best and before < place:
                        best = length + 1
            lengths |= uint64(best) << uint64(4 * lazy_imports)
        return int64((lengths >> uint64(4 * end)) & uint64(15))

    def on_line(self, place, first, step, count):
        """Does a tile belong to this row or column?"""
        if step == 1:
            return first <= place < first + count
        return place % step == first

    # ---- pattern databases -----------------------------------------------------------------------
    def relaxed(self) -> tuple[Puzzle, ...]:
        """Only the tiles of one pattern can be distinguished, and only their moves cost."""
        return tuple(_Pattern(self.width, self.height, tiles, self.places) for tiles in self.groups)

    def relax(self, state, version):
        number = 0
        for cell in range(self.cells):
            tile = self.tile(state, cell)
            if self.group[tile] == version:
                number += self.weight[tile] * cell
        return number

    # ---- text ------------------------------------------------------------------------------------
    def numbers(self, state: Any) -> list[int]:
        """The numbers on the cells, row by row."""
        return [int(self.tile(state, cell)) for cell in range(self.cells)]

    def show(self, state: Any) -> str:
        wide = len(str(self.cells - 1))
        numbers = [f"{n or '·':>{wide}}" for n in self.numbers(state)]
        rows = [numbers[i : i + self.width] for i in range(0, self.cells, self.width)]
        return "\n".join(" ".join(row) for row in rows)

    def equipment(self) -> Equipment:
        board = replace(grid(self.width, self.height, "frame"), labels=())
        rows = (range(self.cells),)
        return Values(board, look=Kind("", "card"), rows=rows, apart=" ", blank="", is_signed=False)

    def stands(self, state, cell):
        return self.tile(state, cell)

    def touched(self, state, action, step):
        """The tile that moves."""
        return self.shifts[4 * state.blank + action] if step == 0 else NO_CELL

    def caption(self, state: Any) -> str:
        if self.cells > 9:
            return ""
        digits = "".join(map(str, self.numbers(state)))
        return "/".join(digits[i : i + self.width] for i in range(0, self.cells, self.width))

    def parse(self, text: str) -> Any:
        """The numbers row by row, with 0 for the blank (`2 8 3 1 6 4 7 0 5`)."""
        codes = [self.kept_equipment().code(word) for word in re.split(r"[,/\s]+", text.strip())]
        known = [code for code in codes if code is not None]
        return self.set_up(known if len(known) == len(codes) else [], NOBODY, (), text)

    def set_up(self, cells: Sequence[int], mover: int, extras: Sequence[str], text: str) -> Any:
        if sorted(cells) != [*range(self.cells)]:
            raise PositionError(
                "{} is no position of {} × {} tiles; accepted: the numbers from 0 to {}, each once",
                quoted(text),
                self.width,
                self.height,
                self.cells - 1,
            )
        if self._parity(cells) != self._parity(list(self.order)):
            raise PositionError(
                "{} cannot be solved: no moves lead to the goal {}", quoted(text), self.text(self.finished)
            )
        return self._state(cells)

    def write(self, state: Any, action: int) -> str:
        return str(self.tile(state, self.shifts[4 * state.blank + action]))

    def _parity(self, numbers: Sequence[int]) -> int:
        """The parity of the tiles' permutation plus that of the blank's place, which no move changes."""
        seen, cycles = set(), 0
        for start in range(self.cells):
            cycles += start not in seen
            while start not in seen:
                seen.add(start)
                start = numbers[start]
        row, column = divmod(numbers.index(0), self.width)
        return (self.cells - cycles + row + column) % 2

    def _state(self, numbers: Any) -> Any:
        blank = list(numbers).index(0)
        if self.narrow:
            return Narrow(np.uint64(sum(n << 4 * cell for cell, n in enumerate(numbers))), blank)
        words = [
            sum(n << 8 * cell for cell, n in enumerate(numbers[i : i + 8])) for i in range(0, MOST_CELLS, 8)
        ]
        a, b, c, d, e, f, g, h = map(np.uint64, words)
        return Wide(a, b, c, d, e, f, g, h, blank)

    def arrows(self, state: Any, action: int) -> tuple[tuple[int, ...], ...]:
        return ((int(self.touched(state, action, 0)), int(state.blank)),)


def _goal_tiles(width: int, height: int, goal: str) -> tuple[int, ...]:
    cells = width * height
    if goal == "blank-first":
        return tuple(range(cells))
    if goal == "blank-last":
        return (*range(1, cells), 0)
    tiles, row, column, down, across = [0] * cells, 0, 0, 0, 1
    for number in range(1, cells):
        tiles[row * width + column] = number
        ahead = (row + down, column + across)
        is_free = 0 <= ahead[0] < height and 0 <= ahead[1] < width and not tiles[ahead[0] * width + ahead[1]]
        if not is_free:
            down, across = across, -down
        row, column = row + down, column + across
    return tuple(tiles)
