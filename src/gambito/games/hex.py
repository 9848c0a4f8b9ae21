"""Hex: join your two edges with a chain of stones. One player always succeeds, and never both.

Cells are numbered row by row, with one spare place at the end of each row. Every row is shifted half a cell
to the right. On 3×3:

    0 1 2
     4 5 6        Black (player 0) joins top and bottom, White left and right
      8 9 10

So the neighbours of a cell lie at ±1, ±stride and ±(stride - 1). With `swap`, White may answer the first
stone by taking it over: it becomes White's, mirrored, because White joins the other pair of edges.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

from gambito.boards.equipment import NO_CELL, Equipment
from gambito.boards.picture import Board, Label, Mark, hexagons
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
    wide_places,
    wide_set,
    without,
    words_for,
)
from gambito.words.sentence import Sentence

WIN = 1000
STEP = 40  # the value of needing one stone less for a chain
EDGE, RIM = 0.5, 0.3  # how far the coloured sides stand out, across and along the edge


class State(NamedTuple):
    """A position."""

    black: Words
    white: Words
    mover: int
    is_won: int  # whether the player who moved last has won


class Hex(SparePlaces, Game):
    """Black joins top and bottom, White left and right."""

    name = "hex"
    measure = ("wins", 1.0)
    sides = ("Black", "White")
    lowest, highest = -WIN, WIN
    scale = 50.0
    played_by = "mcts"
    preferences = {"mcts": {"rave": 300.0, "rave_from": 50, "exploration": 0.1}}  # noqa: RUF012

    def __init__(self, size: int = 11, swap: bool = False) -> None:
        if not 2 <= size <= 19:
            raise GameError("size is from 2 to 19")
        self.size, self.stride = size, size + 1
        self.words = words_for(self.stride * size)
        self.nothing = wide_set((), self.words)
        self.board = self._choose(lambda x, y: True)
        self.top, self.bottom = self._choose(lambda x, y: y == 0), self._choose(lambda x, y: y == size - 1)
        self.left, self.right = self._choose(lambda x, y: x == 0), self._choose(lambda x, y: x == size - 1)
        self.swap, self.swap_action = swap, self.stride * size
        self.most_actions, self.longest = size * size, size * size + swap

    def _choose(self, is_chosen: Callable[..., bool]) -> Words:
        cells = [(x, y) for y in range(self.size) for x in range(self.size)]
        return wide_set((y * self.stride + x for x, y in cells if is_chosen(x, y)), self.words)

    # ---- rules -----------------------------------------------------------------------------------
    def initial(self) -> State:
        return State(self.nothing, self.nothing, 0, 0)

    def player(self, state):
        return state.mover

    def free(self, state):
        return without(self.board, union_of(state.black, state.white))

    def actions(self, state):
        left = self.free(state)
        while not is_empty(left):
            cell = first_place(left)
            left = without(left, only(cell, left))
            yield cell
        if self.may_swap(state):
            yield self.swap_action

    def count(self, state):
        return count_places(self.free(state)) + (1 if self.may_swap(state) else 0)

    def may_swap(self, state):
        """Is the first stone the only one, and may White take it over?"""
        return self.swap and state.mover == 1 and is_empty(state.white) and count_places(state.black) == 1

    def around(self, cells):
        """These cells and all cells that touch them."""
        beside = union_of(shift_up(cells, 1), shift_down(cells, 1))
        above = union_of(shift_up(cells, self.stride), shift_down(cells, self.stride))
        across = union_of(shift_up(cells, self.stride - 1), shift_down(cells, self.stride - 1))
        return union_of(cells, union_of(beside, union_of(above, across)))

    def reach(self, seed, within):
        """The cells that can be reached from the set `seed`, which lies inside `within`."""
        before = self.nothing
        while before != seed:
            before = seed
            seed = common(self.around(seed), within)
        return seed

    def is_joined(self, stones, player):
        """Do these stones join the player's edges?"""
        start, end = (self.top, self.bottom) if player == 0 else (self.left, self.right)
        chain = common(stones, start)
        if is_empty(chain) or is_empty(common(stones, end)):
            return False
        return not is_empty(common(self.reach(chain, stones), end))

    def result(self, state, action):
        if action == self.swap_action:
            cell = first_place(state.black)
            mirrored = cell % self.stride * self.stride + cell // self.stride
            return State(self.nothing, only(mirrored, state.white), 0, 0)
        stone = only(action, state.black)
        if state.mover == 0:
            black = union_of(state.black, stone)
            return State(black, state.white, 1, 1 if self.is_joined(black, 0) else 0)
        white = union_of(state.white, stone)
        return State(state.black, white, 0, 1 if self.is_joined(white, 1) else 0)

    def is_terminal(self, state):
        return state.is_won != 0

    def utility(self, state, player):
        """The player who moved last has won."""
        return -WIN if player == state.mover else WIN

    # ---- what it adds ----------------------------------------------------------------------------
    def random_action(self, state, rng):
        free = self.free(state)
        number = rng.below(self.count(state))
        return nth_place(free, number) if number < count_places(free) else self.swap_action

    def playout(self, state, rng, plies):
        """Fill the whole board at once: stones placed after the end of the game do not change who has won."""
        free = self.free(state)
        empty = count_places(free)
        if state.is_won or empty > plies:
            return state, 0
        mine, left = (empty + 1) // 2, empty
        black, white = state.black, state.white
        cell = 0
        while left > 0:
            if has_place(free, cell):
                is_mine = rng.below(left) < mine
                if is_mine == (state.mover == 0):
                    black = union_of(black, only(cell, black))
                else:
                    white = union_of(white, only(cell, white))
                if is_mine:
                    mine -= 1
                left -= 1
            cell += 1
        winner = 0 if self.is_joined(black, 0) else 1
        return State(black, white, 1 - winner, 1), empty

    def distance(self, own, other, player):
        """The number of stones that a chain still needs."""
        start, end = (self.top, self.bottom) if player == 0 else (self.left, self.right)
        open_cells = without(self.board, other)
        seen = self.reach(common(own, start), own)
        steps, fresh = 0, common(start, open_cells)
        while True:
            seen = self.reach(union_of(seen, common(fresh, own)), union_of(seen, own))
            if not is_empty(common(seen, end)):
                return steps
            fresh = without(common(union_of(self.around(seen), fresh), open_cells), seen)
            if is_empty(fresh):
                return 2 * self.size
            seen = union_of(seen, fresh)
            steps += 1

    def evaluate(self, state, player):
        """Compare how many stones each player still needs; being to move is worth half a stone."""
        black = self.distance(state.black, state.white, 0)
        white = self.distance(state.white, state.black, 1)
        value = STEP * (white - black) + (STEP // 2 if state.mover == 0 else -STEP // 2)
        value = max(-WIN + 1, min(WIN - 1, value))
        return value if player == 0 else -value

    def priority(self, state, action):
        """Prefer cells near the middle and next to stones."""
        if action == self.swap_action:
            return 2 * self.size
        row, column = action // self.stride, action % self.stride
        middle = self.size - 1
        away = abs(2 * row - middle) + abs(2 * column - middle)
        near = common(self.around(only(action, state.black)), union_of(state.black, state.white))
        return 2 * self.size - away + 4 * count_places(near)

    def symmetries(self, state):
        """The board rotated by 180 degrees."""
        yield State(self.turned(state.black), self.turned(state.white), state.mover, state.is_won)

    def turned(self, stones):
        """The stones on the board rotated by 180 degrees."""
        last, image = self.stride * self.size - 2, self.nothing
        while not is_empty(stones):
            cell = first_place(stones)
            stones = without(stones, only(cell, stones))
            image = union_of(image, only(last - cell, image))
        return image

    def turn(self, action, view, back):
        return action if action == self.swap_action else self.stride * self.size - 2 - action

    # ---- board and text --------------------------------------------------------------------------
    def equipment(self) -> Equipment:
        return Equipment(self._drawn(), "BW", sides="BW", margin="{:>2}  ", heads="above")

    def stands(self, state, cell):
        place = self.place_of(cell)
        return 1 if has_place(state.black, place) else 2 if has_place(state.white, place) else 0

    def touched(self, state, action, step):
        return self.cell_of(action) if step == 0 and action != self.swap_action else NO_CELL

    def set_up(self, cells: Sequence[int], mover: int, extras: Sequence[str], text: str) -> State:
        """The rows (`.B…/W…/… B`) and the side to move, or the cells played (`f6 e7`)."""
        black, white = self.places_with(cells, 1), self.places_with(cells, 2)
        joined = [self.is_joined(black, 0), self.is_joined(white, 1)]
        if joined[mover]:
            raise PositionError("in {} the player to move has won already", quoted(text))
        return State(black, white, mover, int(joined[1 - mover]))

    def reason(self, state: State) -> str:
        return Sentence("both edges are connected")

    def write(self, state: State, action: int) -> str:
        return "swap" if action == self.swap_action else super().write(state, action)

    def _drawn(self) -> Board:
        """Each pair of sides has the colour of the player who must join it."""
        board, size = hexagons(self.size, self.size, "wood"), self.size
        height = board.height + 2 * RIM
        lean = height / 2 / math.sqrt(3)  # of the sides, from the middle to the top
        first, last = board.cells[0], board.cells[-1]
        middle = (first.y + last.y) / 2
        shift = EDGE + lean - (middle - first.y) / math.sqrt(3)
        cells = tuple(replace(cell, x=cell.x + shift, y=cell.y + RIM) for cell in board.cells)
        across = size + 2 * EDGE
        corners = ((0.0, 0.0), (across, 0.0), (across + 2 * lean, height), (2 * lean, height))
        centre = (lean + across / 2, height / 2)
        areas = tuple(
            ("black" if side % 2 == 0 else "white", (*corners[side], *corners[(side + 1) % 4], *centre))
            for side in range(4)
        )
        above = [Label(cell.x - 0.25, -0.3, cell.name[:-1]) for cell in cells[:size]]
        beside = [Label(c.x - 1 - EDGE, c.y, c.name[1:]) for c in cells[::size]]
        return Board(across + 2 * lean, height, cells, areas=areas, labels=(*above, *beside))

    def marks(self, state: State) -> list[Mark]:
        """A shortest chain that has won."""
        if not state.is_won:
            return []
        winner = 1 - int(state.mover)
        stones, start, end = (
            set(wide_places(places))
            for places in (
                (state.black, self.top, self.bottom),
                (state.white, self.left, self.right),
            )[winner]
        )
        before: dict[int, int] = dict.fromkeys(stones & start, NO_CELL)
        fresh = list(before)
        while not (last := end.intersection(fresh)):
            found = [(to, at) for at in fresh for to in wide_places(self.around(only(at, self.nothing)))]
            fresh = [to for to, _ in found if to in stones and to not in before]
            before |= {to: at for to, at in reversed(found) if to in stones and to not in before}
        chain = [min(last)]
        while before[chain[-1]] != NO_CELL:
            chain.append(before[chain[-1]])
        return [Mark("line", tuple(map(self.cell_of, chain)), winner)]
