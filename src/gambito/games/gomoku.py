"""Gomoku: five in a row on any board up to 19×19; more than five count as well.

Crossings are numbered row by row from the upper left corner, with one spare place at the end of each row, so
that no line runs from one row into the next:

     0  1  2 …  14  .
    16 17 18 …  30  .       on 15×15: a step right is 1, a step down 16
    …
"""

from __future__ import annotations

import functools
from typing import NamedTuple

from gambito.errors import GameError, PositionError
from gambito.game.contract import Game, quoted
from gambito.game.picture import Board, Mark, Piece, crossings, rows_of
from gambito.native.wide import (
    Words,
    common,
    count_places,
    first_place,
    is_empty,
    nth_place,
    only,
    shift_down,
    shift_up,
    union_of,
    wide_places,
    wide_set,
    without,
    words_for,
)
from gambito.words.sentence import Sentence

WIN = 100_000
MARKS = "XO."


board_of = functools.cache(crossings)


class State(NamedTuple):
    """A position. The last stone was placed by the player who is not to move now."""

    mine: Words  # stones of the player to move
    theirs: Words
    stones: int
    is_won: int  # whether the player who moved last has won


class Gomoku(Game):
    """A line of five, or of another length, wins."""

    name = "gomoku"
    measure = ("wins", 1.0)
    sides = ("Black", "White")
    lowest, highest = -WIN, WIN
    scale = 200.0

    def __init__(self, size: int = 15, line: int = 5) -> None:
        if not 3 <= size <= 19 or not 3 <= line <= size:
            raise GameError("size is from 3 to 19, and line from 3 to the size")
        self.size, self.line, self.stride = size, line, size + 1
        self.cells = size * size
        self.words = words_for(self.stride * size)
        self.nothing = wide_set((), self.words)
        self.board = wide_set((y * self.stride + x for y in range(size) for x in range(size)), self.words)
        self.shifts = (1, self.stride, self.stride - 1, self.stride + 1)
        self.longest = self.most_actions = self.cells

    # ---- rules -----------------------------------------------------------------------------------
    def initial(self) -> State:
        return State(self.nothing, self.nothing, 0, 0)

    def player(self, state):
        return state.stones & 1

    def free(self, state):
        return without(self.board, union_of(state.mine, state.theirs))

    def actions(self, state):
        """Crossings next to stones come first."""
        left = self.free(state)
        near = common(left, self.around(union_of(state.mine, state.theirs)))
        far = without(left, near)
        while not is_empty(near):
            cell = first_place(near)
            near = without(near, only(cell, near))
            yield cell
        while not is_empty(far):
            cell = first_place(far)
            far = without(far, only(cell, far))
            yield cell

    def count(self, state):
        return self.cells - state.stones

    def result(self, state, action):
        stones = union_of(state.mine, only(action, state.mine))
        return State(state.theirs, stones, state.stones + 1, 1 if self.has_line(stones) else 0)

    def is_terminal(self, state):
        return state.is_won != 0 or state.stones == self.cells

    def utility(self, state, player):
        if not state.is_won:
            return 0
        return -WIN if player == (state.stones & 1) else WIN

    def has_line(self, stones):
        """Is there a line among these stones?"""
        for shift in self.shifts:
            run = stones
            for _ in range(self.line - 1):
                run = common(run, shift_down(run, shift))
                if is_empty(run):
                    break
            if not is_empty(run):
                return True
        return False

    # ---- what it adds ----------------------------------------------------------------------------
    def random_action(self, state, rng):
        free = self.free(state)
        return nth_place(free, rng.below(self.cells - state.stones))

    def around(self, stones):
        """All crossings next to stones."""
        beside = union_of(stones, union_of(shift_up(stones, 1), shift_down(stones, 1)))
        above = union_of(shift_up(beside, self.stride), shift_down(beside, self.stride))
        return union_of(beside, above)

    def chances_of(self, mine, theirs):
        """The worth of the lines that can still be completed; each stone in a line multiplies it by four."""
        value = 0
        open_cells = without(self.board, theirs)
        for shift in self.shifts:
            whole, least = open_cells, self.board
            for _ in range(self.line - 1):
                whole = common(whole, shift_down(whole, shift))
            if is_empty(whole):
                continue
            # Count a line's own stones by adding one stone after the other, in unary.
            one, two, three, four = self.nothing, self.nothing, self.nothing, self.nothing
            least = mine
            for _ in range(self.line):
                four = union_of(four, common(three, least))
                three = union_of(three, common(two, least))
                two = union_of(two, common(one, least))
                one = union_of(one, least)
                least = shift_down(least, shift)
            value += count_places(common(one, whole)) + 3 * count_places(common(two, whole))
            value += 12 * count_places(common(three, whole)) + 48 * count_places(common(four, whole))
        return value

    def evaluate(self, state, player):
        """Compare the lines that can still be completed; the player to move counts as a stone ahead."""
        mine = 3 * self.chances_of(state.mine, state.theirs) // 2
        value = mine - self.chances_of(state.theirs, state.mine)
        value = max(-WIN + 1, min(WIN - 1, value))
        return value if player == (state.stones & 1) else -value

    def priority(self, state, action):
        """The worth of what the stone builds and of what it takes from the opponent."""
        stone = only(action, state.mine)
        mine, theirs = state.mine, state.theirs
        own, other = union_of(mine, stone), union_of(theirs, stone)
        if self.has_line(own):
            return 1 << 20
        if self.has_line(other):
            return 1 << 19
        gain = self.chances_of(own, theirs) - self.chances_of(mine, theirs)
        return gain + self.chances_of(theirs, mine) - self.chances_of(theirs, own)

    # ---- text ------------------------------------------------------------------------------------
    def _number(self, place: int) -> int:
        """The number of a crossing when spare places are not counted."""
        return place // self.stride * self.size + place % self.stride

    def _marks(self, state: State) -> str:
        sides = (state.mine, state.theirs)[:: -1 if state.stones & 1 else 1]
        marks = ["."] * self.cells
        for mark, stones in zip(MARKS, sides):
            for place in wide_places(stones):
                marks[self._number(place)] = mark
        return "".join(marks)

    def show(self, state: State) -> str:
        marks, size = self._marks(state), self.size
        rows = [f"{size - r:>2} {' '.join(marks[r * size : (r + 1) * size])}" for r in range(size)]
        files = " ".join(cell.name[0] for cell in self.picture().cells[:size])
        turn = "the game is over" if self.is_terminal(state) else f"{MARKS[state.stones & 1]} to move"
        return "\n".join([*rows, f"   {files}", turn])

    def reason(self, state: State) -> str:
        is_won = state.is_won
        return Sentence("a line of {}", self.line) if is_won else Sentence("the board is full")

    def text(self, state: State) -> str:
        marks = self._marks(state)
        return "/".join(marks[row * self.size : (row + 1) * self.size] for row in range(self.size))

    def parse(self, text: str) -> State:
        """The rows from the top (`...X/.O../…`), or the crossings played (`H8 J9`); X moves first."""
        if "/" not in text:
            return super().parse(text)
        rows = text.strip().upper().split("/")
        if (
            len(rows) != self.size
            or {len(r) for r in rows} != {self.size}
            or set(text.upper()) - set("XO./ ")
        ):
            raise PositionError(
                "{} is no position; accepted: {} rows of {} marks X, O or .",
                quoted(text),
                self.size,
                self.size,
            )
        cells = "".join(rows)
        numbers = [cells.count(mark) for mark in "XO"]
        if numbers[0] - numbers[1] not in (0, 1):
            raise PositionError("{} has {} X and {} O; X begins", quoted(text), numbers[0], numbers[1])
        sides = [
            wide_set(
                (n // self.size * self.stride + n % self.size for n, m in enumerate(cells) if m == mark),
                self.words,
            )
            for mark in "XO"
        ]
        count = sum(numbers)
        mine, theirs = sides if count % 2 == 0 else sides[::-1]
        if self.has_line(mine):
            raise PositionError("in {} the player to move has a line already", quoted(text))
        return State(mine, theirs, count, int(self.has_line(theirs)))

    def write(self, state: State, action: int) -> str:
        return self.picture().cells[self._number(action)].name

    def read(self, state: State, text: str) -> int:
        return super().read(state, text.strip().upper())

    # ---- picture ---------------------------------------------------------------------------------
    def picture(self) -> Board:
        return board_of(self.size, self.size)

    def pieces(self, state: State) -> list[Piece]:
        marks = self._marks(state)
        return [Piece(cell, "disc", MARKS.index(mark)) for cell, mark in enumerate(marks) if mark != "."]

    def marks(self, state: State) -> list[Mark]:
        return rows_of(["XO".find(mark) for mark in self._marks(state)], self.size, 5)

    def touch(self, state: State, action: int) -> tuple[int]:
        return (self._number(action),)
