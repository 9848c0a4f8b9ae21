"""Gomoku: five in a row on any board up to 19×19; more than five count as well.

Crossings are numbered row by row from the upper left corner, with one spare place at the end of each row, so
that no line runs from one row into the next:

     0  1  2 …  14  .
    16 17 18 …  30  .       on 15×15: a step right is 1, a step down 16
    …
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from gambito.boards.equipment import NO_CELL, Equipment
from gambito.boards.picture import Mark, crossings, rows_of
from gambito.errors import GameError, PositionError
from gambito.game.contract import Game, quoted
from gambito.games.spare_places import SparePlaces
from gambito.native.wide import (
    Words,
    common,
    count_places,
    first_place,
    has_place,
    is_empty,
    nth_place,
    only,
    shift_down,
    shift_up,
    union_of,
    wide_set,
    without,
    words_for,
)
from gambito.words.sentence import Sentence

WIN = 100_000


class State(NamedTuple):
    """A position. The last stone was placed by the player who is not to move now."""

    mine: Words  # stones of the player to move
    theirs: Words
    stones: int
    is_won: int  # whether the player who moved last has won


class Gomoku(SparePlaces, Game):
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

    # ---- board and text --------------------------------------------------------------------------
    def equipment(self) -> Equipment:
        return Equipment(crossings(self.size, self.size), "XO", movers="XO")

    def stands(self, state, cell):
        place, turn = self.place_of(cell), state.stones & 1
        return 1 + turn if has_place(state.mine, place) else 2 - turn if has_place(state.theirs, place) else 0

    def touched(self, state, action, step):
        return self.cell_of(action) if step == 0 else NO_CELL

    def set_up(self, cells: Sequence[int], mover: int, extras: Sequence[str], text: str) -> State:
        """The rows from the top (`...X/.O../…`), or the crossings played (`H8 J9`); X moves first."""
        first, second = self.places_with(cells, 1), self.places_with(cells, 2)
        number, other = count_places(first), count_places(second)
        if number - other not in (0, 1):
            raise PositionError("{} has {} X and {} O; X begins", quoted(text), number, other)
        mine, theirs = (first, second) if number == other else (second, first)
        if self.has_line(mine):
            raise PositionError("in {} the player to move has a line already", quoted(text))
        return State(mine, theirs, number + other, int(self.has_line(theirs)))

    def reason(self, state: State) -> str:
        is_won = state.is_won
        return Sentence("a line of {}", self.line) if is_won else Sentence("the board is full")

    def marks(self, state: State) -> list[Mark]:
        return rows_of([code - 1 for code in self.cell_codes(state)], self.size, 5)
