"""Santorini on 4×4 with one worker each: step up one storey at most, then build; the third storey wins."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gambito import Game
from gambito.boards import Equipment, Kind, grid

DOME = 4


class State(NamedTuple):
    heights: np.ndarray  # storeys, 4 with a dome
    workers: np.ndarray  # 1 and 2
    mover: int


def is_beside(a, b):
    return a != b and abs(a // 4 - b // 4) <= 1 and abs(a % 4 - b % 4) <= 1


class PlainSantorini(Game):
    """Climb to the third storey; a player who cannot move and build loses."""

    longest = 64

    def initial(self):
        workers = np.zeros((4, 4), np.int8)
        workers[1, 1], workers[2, 2] = 1, 2
        return State(np.zeros((4, 4), np.int8), workers, 0)

    def player(self, state):
        return state.mover

    def place_of(self, state, player):
        for cell in range(16):
            if state.workers[cell // 4, cell % 4] == player + 1:
                return cell
        return -1

    def actions(self, state):
        at = self.place_of(state, state.mover)
        reach = min(3, state.heights[at // 4, at % 4] + 1)
        for to in range(16):
            is_free = is_beside(at, to) and state.workers[to // 4, to % 4] == 0
            if is_free and state.heights[to // 4, to % 4] <= reach:
                for site in range(16):
                    is_empty = site == at or state.workers[site // 4, site % 4] == 0
                    if is_beside(to, site) and is_empty and state.heights[site // 4, site % 4] < DOME:
                        yield 16 * to + site

    def result(self, state, action):
        at, to, site = self.place_of(state, state.mover), action // 16, action % 16
        heights, workers = state.heights.copy(), state.workers.copy()
        workers[at // 4, at % 4], workers[to // 4, to % 4] = 0, state.mover + 1
        heights[site // 4, site % 4] += 1
        return State(heights, workers, 1 - state.mover)

    def has_climbed(self, state):
        at = self.place_of(state, 1 - state.mover)
        return state.heights[at // 4, at % 4] == 3

    def is_terminal(self, state):
        if self.has_climbed(state):
            return True
        for _ in self.actions(state):
            return False
        return True

    def utility(self, state, player):
        return -1 if player == state.mover else 1


class Santorini(PlainSantorini):
    """The same with towers and workers that stand on them."""

    sides = ("White", "Blue")

    def equipment(self):
        towers = [Kind(str(n), f"level {n}", colour="yellow") for n in (1, 2, 3)]
        dome = Kind("4", "hexagon", colour="green")
        workers = [Kind("W", "small disc", 0), Kind("B", "small disc", 1)]
        return Equipment(grid(4, 4), [*towers, dome], over=workers)
