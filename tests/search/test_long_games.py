"""Long games: what is called exact is true, or it is not called exact, and memory helps at every depth."""

from __future__ import annotations

from typing import NamedTuple

import pytest

import gambito
from gambito import Game
from gambito.memory.table import DEEPEST
from gambito.search import api, thread
from gambito.search.engine.aspiration import DRIVERS
from gambito.search.engine.mate_distance import HURRY, hurried, most_plies, relative, unhurried


class Sum(NamedTuple):
    """The plies left, the sum so far, and whose turn it is."""

    left: int
    total: int
    mover: int


class Sums(Game):
    """Add a number below `most` to the sum, modulo 3. In the end a sum of 1 wins for the first player, 2 for
    the second, and 0 is a draw. Every position comes up again and again, at the same ply."""

    name = "sums"

    def __init__(self, plies: int = 5, most: int = 2) -> None:
        self.plies, self.most = plies, most

    def initial(self):
        return Sum(self.plies, 1, 0)

    def player(self, state):
        return state.mover

    def actions(self, state):
        for added in range(self.most):
            yield added

    def result(self, state, action):
        return Sum(state.left - 1, (state.total + action) % 3, 1 - state.mover)

    def is_terminal(self, state):
        return state.left == 0

    def utility(self, state, player):
        value = (0, 1, -1)[state.total]
        return value if player == 0 else -value


class Scored(Sums):
    """The winner wins less than the most that the game allows, so that no endgame table can hold it."""

    lowest, highest = -3, 3


def truth(plies: int, most: int) -> int:
    """The value for the first player."""
    values = [0, 1, -1]
    for left in range(1, plies + 1):
        best = max if (plies - left) % 2 == 0 else min
        values = [best(values[(total + added) % 3] for added in range(most)) for total in range(3)]
    return values[1]


def searched(game: Game, **options):
    return gambito.search(game, None, "engine", gear="python", memory=1, deepen=False, **options)


@pytest.mark.thorough
@pytest.mark.parametrize("driver", DRIVERS)
@pytest.mark.parametrize("most", [1, 2])
def test_the_value_is_true_at_every_length(driver, most):
    lengths = (5, 511, 512, 700) if most == 1 else (5, 30) if driver == "aspiration" else (5, 518)
    for plies in lengths:
        found = searched(Sums(plies, most), depth=plies, driver=driver)
        value = truth(plies, most)
        assert (found.exact, found.value) == (True, value), plies
        assert found.ends_in == (plies if value and plies < most_plies(HURRY) else None), plies


def test_distances_beyond_what_is_counted_keep_the_value():
    for worth in (-2, -1, 1, 2):
        for far in (1, 5, 300, most_plies(HURRY), 600, 2000):
            value = hurried(worth * HURRY, far, HURRY)
            assert unhurried(value, HURRY) == (worth, far if far < most_plies(HURRY) else None)
            for ply in (0, 1, 5, 300, 1000):
                kept = relative(value, ply, HURRY)
                assert unhurried(kept, HURRY)[0] == worth
                for read in (0, 1, 5, 300, 1000):
                    assert unhurried(relative(kept, -read, HURRY), HURRY)[0] == worth
            if far < most_plies(HURRY):
                assert relative(relative(value, min(far - 1, 200), HURRY), -min(far - 1, 200), HURRY) == value


def test_the_table_helps_at_every_depth():
    """Every position is searched a few times, however long the game is."""
    assert DEEPEST >= thread.DEEPEST
    for plies in (250, 300):
        assert searched(Sums(plies), depth=plies, driver="mtd-f").nodes < 12 * plies


def test_solve_says_when_nothing_is_proven(monkeypatch):
    monkeypatch.setattr(api, "DEEPEST", 20)
    for plies in (19, 20, 21, 40):
        found = gambito.solve(Sums(plies), gear="python", memory=1)
        value = truth(plies, 2)
        assert (found.value, found.exact, found.ends_in) == (value, True, plies if value else None)
        assert found.action in (0, 1)
    found = gambito.solve(Scored(40), gear="python", memory=1)
    assert not found.exact and found.depth == 20
    assert gambito.solve(Scored(19), gear="python", memory=1).exact
