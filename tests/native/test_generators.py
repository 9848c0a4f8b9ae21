"""Rules that yield: what they hold is freed when a search leaves their loop early."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

import gambito
from gambito import Game

MOST = 8 << 20  # bytes by which memory may grow; without the cure it grows by more than 40 MiB
STATM = Path("/proc/self/statm")


class Sums(NamedTuple):
    total: int
    left: int


class Keeps(Game):
    """A generator that keeps an array between its items."""

    longest = 12
    lowest, highest = -100, 100

    def initial(self):
        return Sums(0, 12)

    def player(self, state):
        return state.left & 1

    def actions(self, state):
        buffer = np.empty(512, np.int64)
        for number in range(6):
            buffer[number] = number
        for number in range(6):
            yield buffer[number]

    def result(self, state, action):
        return Sums(state.total * 3 + action, state.left - 1)

    def is_terminal(self, state):
        return state.left == 0

    def utility(self, state, player):
        value = (state.total * 7) % 13 - 6
        return value if player == 0 else -value


class Board(NamedTuple):
    cells: np.ndarray
    left: int


class Takes(Game):
    """A generator whose argument holds an array."""

    longest = 12
    lowest, highest = -100, 100

    def initial(self):
        return Board(np.zeros(64, np.int64), 12)

    def player(self, state):
        return state.left & 1

    def actions(self, state):
        for number in range(6):
            yield number

    def result(self, state, action):
        cells = state.cells.copy()
        cells[state.left] = action
        return Board(cells, state.left - 1)

    def is_terminal(self, state):
        return state.left == 0

    def utility(self, state, player):
        value = (state.cells.sum() * 7) % 13 - 6
        return value if player == 0 else -value


class Lists(Takes):
    """Rules that return a list of actions."""

    def actions(self, state):
        return [number for number in range(6)]  # noqa: C416


def size():
    return int(STATM.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(not STATM.exists(), reason="the system does not tell the size of a process")
@pytest.mark.parametrize(
    ("game", "algorithm", "depth"),
    [
        (Keeps(), "alpha-beta", 11),
        (Takes(), "minimax", 7),
        (Lists(), "minimax", 7),
        *(
            pytest.param(name, "alpha-beta", depth, marks=pytest.mark.thorough)
            for name, depth in (("chess", 6), ("nine-mens-morris", 6), ("draughts", 8))
        ),
    ],
    ids=["an array", "a state", "a list", "chess", "nine-mens-morris", "draughts"],
)
def test_memory_stays_flat(game, algorithm, depth):
    gambito.search(game, algorithm=algorithm, depth=3)
    before = size()
    found = gambito.search(game, algorithm=algorithm, depth=depth)
    assert found.nodes > 80_000
    assert size() - before < MOST


@pytest.mark.parametrize("game", [Keeps(), Takes(), Lists()], ids=["an array", "a state", "a list"])
def test_both_gears_find_the_same(game):
    found = [
        gambito.search(game, algorithm="alpha-beta", depth=4, gear=gear) for gear in ("native", "python")
    ]
    assert found[0].value == found[1].value and found[0].line == found[1].line
    assert found[0].nodes == found[1].nodes
