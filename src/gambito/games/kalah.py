"""Kalah: sow the seeds of a house; a last seed in your own store moves again, in an empty house it captures.

Houses are numbered in the direction of sowing, each player's own from 1; with six houses of four seeds:

        6   5   4   3   2   1      second
      ( 4)( 4)( 4)( 4)( 4)( 4)
    [0]                        [0]    the second player's store on the left, the first's on the right
      ( 4)( 4)( 4)( 4)( 4)( 4)
        1   2   3   4   5   6      first

Seeds are sown one by one into the houses that follow and into the player's own store, not into the other
one's. If the last seed falls into an empty house of the player, it and the seeds opposite go to the store.
When all houses of a player are empty after a move, every seed that is left goes to the store of its side. A
house takes eight bits of its player's number, house 1 the lowest.

Irving, Donkers & Uiterwijk, Solving Kalah (2000).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from gambito.boards.equipment import NO_CELL, Equipment, Kind, PlacedPieces, Values
from gambito.boards.picture import Board, Cell, Label
from gambito.errors import GameError, PositionError
from gambito.game.contract import Game, quoted
from gambito.game.numerals import read_whole
from gambito.native import int64, uint64
from gambito.words import say
from gambito.words.sentence import Sentence

MOST_HOUSES, MOST_SEEDS = 8, 15  # so that no house ever has more than 255 seeds
HOUSE = 8  # bits
WORDS = ("first", "second")
MOST_TOLD = 2 * MOST_HOUSES * MOST_SEEDS  # seeds in a pit
AGAIN, CAPTURE = 2, 1  # priorities


class State(NamedTuple):
    """The houses and the stores of both players, and whose turn it is."""

    first: np.uint64
    second: np.uint64
    store: int
    other_store: int
    mover: int


class Kalah(Game):
    """Sow seeds around the board; the player with more of them in the store wins."""

    name = "kalah"
    prefers_fast_win = False
    sides = ("South", "North")
    measure = ("seeds", 1.0)

    def __init__(self, houses: int = 6, seeds: int = 4, empty: bool = False) -> None:
        """`empty`: a last seed in an empty house is captured even if the house opposite is empty."""
        if not 1 <= houses <= MOST_HOUSES or not 1 <= seeds <= MOST_SEEDS:
            raise GameError("kalah has 1 to {} houses of 1 to {} seeds", MOST_HOUSES, MOST_SEEDS)
        self.houses, self.seeds, self.empty = houses, seeds, empty
        self.all = 2 * houses * seeds
        self.lowest, self.highest = -self.all, self.all
        self.most_actions = houses
        self.full = np.uint64(sum(seeds << HOUSE * house for house in range(houses)))
        self.scale = max(1.0, self.all / 12)

    # ---- rules -----------------------------------------------------------------------------------
    def initial(self) -> State:
        return State(self.full, self.full, 0, 0, 0)

    def player(self, state):
        return state.mover

    def count_in(self, side, house):
        return int64((side >> uint64(HOUSE * house)) & uint64(255))

    def count_all(self, side):
        total = int64(0)
        for house in range(self.houses):
            total += self.count_in(side, house)
        return total

    def actions(self, state):
        """The house nearest to the store first: it moves again most often."""
        side = state.first if state.mover == 0 else state.second
        for house in range(self.houses - 1, -1, -1):
            if self.count_in(side, house) > 0:
                yield house

    def result(self, state, action):
        own, other = state.first, state.second
        store, other_store = state.store, state.other_store
        if state.mover == 1:
            own, other, store, other_store = other, own, other_store, store
        seeds, place = self.count_in(own, action), int64(action)
        own -= uint64(seeds) << uint64(HOUSE * action)
        while seeds > 0:
            place = place + 1 if place < 2 * self.houses else int64(0)
            if place < self.houses:
                own += uint64(1) << uint64(HOUSE * place)
            elif place == self.houses:
                store += 1
            else:
                other += uint64(1) << uint64(HOUSE * (place - self.houses - 1))
            seeds -= 1
        if place < self.houses and self.count_in(own, place) == 1:
            opposite = self.houses - 1 - place
            taken = self.count_in(other, opposite)
            if taken > 0 or self.empty:
                store += taken + 1
                own -= uint64(1) << uint64(HOUSE * place)
                other -= uint64(taken) << uint64(HOUSE * opposite)
        if own == uint64(0) or other == uint64(0):
            store += self.count_all(own)
            other_store += self.count_all(other)
            own, other = uint64(0), uint64(0)
        mover = state.mover if place == self.houses else 1 - state.mover
        if state.mover == 1:
            return State(other, own, other_store, store, mover)
        return State(own, other, store, other_store, mover)

    def is_terminal(self, state):
        return state.first == uint64(0) and state.second == uint64(0)

    def utility(self, state, player):
        lead = state.store - state.other_store
        return lead if player == 0 else -lead

    # ---- what it adds ----------------------------------------------------------------------------
    def banked(self, state, player):
        return state.store if player == 0 else state.other_store

    def unbanked(self, state):
        return State(state.first, state.second, 0, 0, state.mover)

    def bounds(self, state):
        """Every seed that is still in a house may go to either store."""
        lead, left = self.utility(state, state.mover), self.all - state.store - state.other_store
        return lead - left, lead + left

    def evaluate(self, state, player):
        """The lead in the stores; four seeds in the houses of a side count as one in its store."""
        near = self.count_all(state.first) - self.count_all(state.second)
        near = near // 4 if near >= 0 else -(-near // 4)
        lead = state.store - state.other_store + near
        return lead if player == 0 else -lead

    def priority(self, state, action):
        """Moves that move again come first, then captures."""
        own, other = (state.first, state.second) if state.mover == 0 else (state.second, state.first)
        last = action + self.count_in(own, action)
        if last == self.houses:
            return AGAIN
        if last < self.houses and self.count_in(own, last) == 0:
            return CAPTURE if self.count_in(other, self.houses - 1 - last) > 0 else 0
        return 0

    # ---- text ------------------------------------------------------------------------------------
    def _sides(self, state: State) -> tuple[list[int], list[int]]:
        houses = range(self.houses)
        return [self.count_in(state.first, h) for h in houses], [
            self.count_in(state.second, h) for h in houses
        ]

    def show(self, state: State) -> str:
        near, far = self._sides(state)
        above = "".join(f"{seeds:4}" for seeds in reversed(far))
        below = "".join(f"{seeds:4}" for seeds in near)
        turn = say("second to move" if state.mover else "first to move")
        middle = f"{state.other_store:4}{' ' * 4 * self.houses}{state.store:4}"
        return f"    {above}\n{middle}\n    {below}\n{turn}"

    def equipment(self) -> Equipment:
        near = [Cell(f"a{h + 1}", h + 1.9, 2.0, "circle", "frame", 0.9) for h in range(self.houses)]
        far = [
            Cell(f"b{h + 1}", self.houses + 0.9 - h, 0.9, "circle", "frame", 0.9) for h in range(self.houses)
        ]
        right = Cell("A", self.houses + 2.1, 1.45, "circle", "frame", 1.2)
        left = Cell("B", 0.7, 1.45, "circle", "frame", 1.2)
        names = [Label(cell.x, 2.75, str(h + 1)) for h, cell in enumerate(near)]
        names += [Label(cell.x, 0.2, str(h + 1)) for h, cell in enumerate(far)]
        board = Board(self.houses + 2.8, 3.0, (*near, *far, right, left), labels=tuple(names))
        owners = (*[0] * self.houses, *[1] * self.houses, 0, 1)
        return Pits(board, sides=WORDS, look=Kind("", "disc"), owners=owners, is_counted=True)

    def stands(self, state, cell):
        if cell < 2 * self.houses:
            side = state.first if cell < self.houses else state.second
            return self.count_in(side, cell % self.houses)
        return state.store if cell == 2 * self.houses else state.other_store

    def touched(self, state, action, step):
        return action + (self.houses if state.mover else 0) if step == 0 else NO_CELL

    def set_up(self, cells: Sequence[int], mover: int, extras: Sequence[str], text: str) -> State:
        """The first player's houses and store, then the second's, and who moves: `4 4 [1] 3 4 [0] second`."""
        if sum(cells) != self.all:
            raise PositionError("a position of {} has {} seeds, not {}", self.label(), self.all, sum(cells))
        near, far = cells[: self.houses], cells[self.houses : -2]
        if bool(sum(near)) != bool(sum(far)):
            raise PositionError("{} is impossible: a game ends when a side is empty", quoted(text))
        packed = [np.uint64(sum(n << HOUSE * h for h, n in enumerate(side))) for side in (near, far)]
        return State(packed[0], packed[1], cells[-2], cells[-1], mover)

    def reason(self, state: State) -> str:
        return Sentence("{} to {} seeds", state.store, state.other_store)

    def write(self, state: State, action: int) -> str:
        return str(action + 1)

    def remarks(self, state: State) -> str:
        return ""  # the picture shows it all


@dataclass(frozen=True)
class Pits(Values):
    """A position lists the seeds of each side's houses, and behind them, in brackets, those of its store."""

    def compose(self, codes: Sequence[int], words: Sequence[str]) -> str:
        *houses, right, left = map(str, codes)
        half = len(houses) // 2
        return " ".join([*houses[:half], f"[{right}]", *houses[half:], f"[{left}]", *words])

    def is_position(self, text: str) -> bool:
        return True

    def read(self, text: str) -> PlacedPieces:
        size = len(self.board.cells)
        *words, side = text.split() or [""]
        codes = [read_whole(word.strip("[]"), MOST_TOLD) for word in words]
        stores = [place for place, word in enumerate(words) if word[0] == "[" and word[-1] == "]"]
        known = [code for code in codes if code is not None]
        if len(known) != len(words) or stores != [size // 2 - 1, size - 1] or side not in self.sides:
            example = self.compose([0] * size, [self.sides[0]])
            raise PositionError("{} is no position of kalah; accepted: {}", quoted(text), example)
        right = known.pop(size // 2 - 1)
        return PlacedPieces([*known[:-1], right, known[-1]], self.sides.index(side), [])
