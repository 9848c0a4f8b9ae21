"""Games whose states hold arrays, one of each kind, written as a newcomer writes them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gambito import CHANCE, Game, Puzzle
from gambito.native import mix

WAYS = ((0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, 1), (-1, -1))


class Board(NamedTuple):
    cells: np.ndarray
    mover: int


class Amazons(Game):
    """For two. Move a queen and shoot an arrow; who cannot move loses. `actions` keeps two arrays."""

    lowest, highest = -100, 100

    def __init__(self, size: int = 3) -> None:
        self.size, self.longest = size, size * size

    def initial(self):
        cells = np.zeros((self.size, self.size), np.int8)
        cells[0, 0], cells[-1, -1] = 1, 2
        return Board(cells, 0)

    def player(self, state):
        return state.mover

    def reach(self, cells, row, column):
        found = []
        for down, over in WAYS:
            r, c = row + down, column + over
            while 0 <= r < self.size and 0 <= c < self.size and cells[r, c] == 0:
                found.append(r * self.size + c)
                r, c = r + down, c + over
        return found

    def actions(self, state):
        for row, column in np.argwhere(state.cells == state.mover + 1):
            start = row * self.size + column
            cells = state.cells.copy()
            cells[row, column] = 0
            for end in self.reach(cells, row, column):
                for arrow in self.reach(cells, end // self.size, end % self.size):
                    yield (start * 100 + end) * 100 + arrow

    def result(self, state, action):
        cells = state.cells.copy()
        cells.flat[action // 10_000] = 0
        cells.flat[action // 100 % 100] = state.mover + 1
        cells.flat[action % 100] = 3
        return Board(cells, 1 - state.mover)

    def is_terminal(self, state):
        for row, column in np.argwhere(state.cells == state.mover + 1):
            if len(self.reach(state.cells, row, column)) > 0:
                return False
        return True

    def utility(self, state, player):
        return -100 if player == state.mover else 100

    def evaluate(self, state, player):
        total = 0
        for row, column in np.argwhere((state.cells == 1) | (state.cells == 2)):
            sign = 1 if state.cells[row, column] == player + 1 else -1
            total += sign * len(self.reach(state.cells, row, column))
        return total


class Stacks(NamedTuple):
    heaps: np.ndarray
    mover: int


class Heaps(Game):
    """For three. Take stones from one heap; who takes the last wins from both others."""

    players, lowest, highest, longest = 3, -1, 2, 6

    def initial(self):
        return Stacks(np.array([2, 3, 1]), 0)

    def player(self, state):
        return state.mover

    def actions(self, state):
        for heap in range(3):
            for taken in range(1, state.heaps[heap] + 1):
                yield heap * 4 + taken

    def result(self, state, action):
        heaps = state.heaps.copy()
        heaps[action // 4] -= action % 4
        return Stacks(heaps, (state.mover + 1) % 3)

    def is_terminal(self, state):
        return np.sum(state.heaps) == 0

    def utility(self, state, player):
        return 2 if player == (state.mover + 2) % 3 else -1


class Cups(NamedTuple):
    marks: np.ndarray  # by player and cup: 0 is free, 1 is good, 2 is broken
    is_tossed: np.ndarray  # by cup
    mover: int


class Toss(Game):
    """For two, with a coin. A player chooses a cup, and the coin decides whether it breaks."""

    chance, value, lowest, highest, longest, most_outcomes = True, float, -3.0, 3.0, 12, 2
    rows = 2

    def initial(self):
        return Cups(np.zeros((self.rows, 3), np.int8), np.zeros(3, bool), 0)

    def player(self, state):
        return CHANCE if np.any(state.is_tossed) else state.mover

    def actions(self, state):
        if np.any(state.is_tossed):
            yield 1
            yield 2
        else:
            for cup in np.flatnonzero(state.marks[state.mover] == 0):
                yield 3 + cup

    def chances(self, state):
        yield 1, 0.75
        yield 2, 0.25

    def result(self, state, action):
        marks, is_tossed = state.marks.copy(), state.is_tossed.copy()
        if np.any(state.is_tossed):
            marks[state.mover, np.argmax(is_tossed)] = action
            return Cups(marks, np.zeros(3, bool), (state.mover + 1) % self.rows)
        is_tossed[action - 3] = True
        return Cups(marks, is_tossed, state.mover)

    def is_terminal(self, state):
        return not np.any(state.is_tossed) and np.all(state.marks[state.mover] != 0)

    def utility(self, state, player):
        good = np.sum(state.marks == 1, axis=1)
        return float(good[player] - good[1 - player])

    def evaluate(self, state, player):
        return self.utility(state, player)


class Alone(Toss):
    """The same for one player."""

    players, zero_sum, lowest, highest, longest, rows = 1, False, 0.0, 3.0, 6, 1

    def utility(self, state, player):
        return float(np.count_nonzero(state.marks == 1))


class Hands(NamedTuple):
    cards: np.ndarray  # -1 is not dealt, 3 is hidden
    bets: np.ndarray
    ply: int


class Kuhn(Game):
    """Hidden. Kuhn's poker."""

    hidden, chance, value, lowest, highest, longest, most_outcomes = True, True, float, -2.0, 2.0, 6, 3

    def initial(self):
        return Hands(np.full(2, -1, np.int8), np.full(3, -1, np.int8), 0)

    def player(self, state):
        return CHANCE if state.cards[1] < 0 else state.ply % 2

    def chances(self, state):
        for card in range(3):
            if card != state.cards[0]:
                yield card, (1 / 3 if state.cards[0] < 0 else 0.5)

    def actions(self, state):
        if state.cards[1] < 0:
            for card in range(3):
                if card != state.cards[0]:
                    yield card
        else:
            yield 0
            yield 1

    def result(self, state, action):
        cards, bets = state.cards.copy(), state.bets.copy()
        if state.cards[1] < 0:
            cards[0 if state.cards[0] < 0 else 1] = action
            return Hands(cards, bets, 0)
        bets[state.ply] = action
        return Hands(cards, bets, state.ply + 1)

    def is_terminal(self, state):
        first, second, third = state.bets
        return (first == 0 and second == 0) or (first == 1 and second >= 0) or third >= 0

    def utility(self, state, player):
        first, second, third = state.bets
        sign = 1.0 if state.cards[0] > state.cards[1] else -1.0
        if first == 0 and second == 0:
            won = sign
        elif first == 1:
            won = 2 * sign if second == 1 else 1.0
        else:
            won = 2 * sign if third == 1 else -1.0
        return won if player == 0 else -won

    def observe(self, state, player):
        cards = state.cards.copy()
        for other in range(2):
            if other != player and cards[other] >= 0:
                cards[other] = 3
        return Hands(cards, state.bets, state.ply)

    def imagine(self, seen, player, rng):
        cards = seen.cards.copy()
        for place in range(2):
            if cards[place] == 3:
                card = (cards[1 - place] + 1 + rng.below(2)) % 3 if cards[1 - place] >= 0 else rng.below(3)
                cards[place] = card
        return Hands(cards, seen.bets, seen.ply)


class Tiles(NamedTuple):
    tiles: np.ndarray
    hole: int


class Slide(Puzzle):
    """A puzzle: slide five tiles into their order."""

    symmetric = True

    def initial(self):
        return Tiles(np.array([0, 2, 3, 1, 4, 5], np.int8), 0)

    def actions(self, state):
        for place in range(6):
            apart = abs(place - state.hole)
            if apart == 3 or (apart == 1 and place // 3 == state.hole // 3):
                yield place

    def result(self, state, action):
        tiles = state.tiles.copy()
        tiles[state.hole], tiles[action] = tiles[action], 0
        return Tiles(tiles, action)

    def is_goal(self, state):
        return np.all(state.tiles == np.arange(6))

    def goal(self, state):
        return Tiles(np.arange(6, dtype=np.int8), 0)

    def estimate(self, state):
        return np.count_nonzero(state.tiles != np.arange(6)) // 2


GAMES: dict[str, Any] = {g.__name__: g for g in (Amazons, Heaps, Toss, Alone, Kuhn, Slide)}


class Drawn(NamedTuple):
    """A state of every kind of field; the shapes are those of a game."""

    first: np.ndarray
    number: int
    second: np.ndarray
    is_on: bool
    share: float


KINDS = (np.int8, np.uint8, np.int16, np.uint32, np.int64, np.uint64, np.float32, np.float64, np.bool_)


class Chain(Game):
    """One state after the other, each with numbers drawn by lot."""

    def __init__(self, first: Any, second: Any, length: int) -> None:
        self.empty, self.other, self.length = first, second, length
        self.longest = length

    def initial(self):
        return Drawn(self.empty.copy(), 0, self.other.copy(), False, 0.0)

    def player(self, state):
        return 0

    def actions(self, state):
        yield 0

    def result(self, state, action):
        number = state.number + 1
        first, second = np.empty_like(state.first), np.empty_like(state.second)
        for place in range(first.size):
            first.flat[place] = int(mix((number, place))) & 1
        for place in range(second.size):
            second.flat[place] = int(mix((place, number))) & 127
        return Drawn(first, number, second, number % 2 == 1, number / 8)

    def is_terminal(self, state):
        return state.number >= self.length

    def utility(self, state, player):
        return 0
