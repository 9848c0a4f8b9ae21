"""The line of the last iteration guides the next one, and only in the states that it goes through."""

from __future__ import annotations

import random

import pytest

import gambito
from tests.fuzz.drawing import Drawn
from tests.fuzz.rules import Hints, State, WinOrLoss, write


def drawn(players, utilities, children, most, rng):
    """A game with evaluations by lot."""
    statics = [rng.randint(-most, most) for _ in players]
    return Drawn(players, utilities, children, [[1 / len(c) for _ in c] for c in children], statics)


@pytest.mark.parametrize("name", ["mtd-f", "sss-star", "dual-star"])
def test_a_table_that_ends_the_guide_leaves_it(name):
    game = Hints()
    children = [[11, 7, 1], [7], [11], [8, 4], [9, 7, 9], [6], [11, 11, 13], [12, 11, 13], [9], [], [11, 12],
                [13], [13], []]  # fmt: skip
    utilities = [-16, -18, 11, -19, 11, -15, -5, 19, -18, 2, 9, -16, 7, 0]
    players = [0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 1, 0, 1, 0]
    for seed in range(20):
        rng = random.Random(seed)
        write(game, drawn(players, utilities, children, 20, rng), rng)
        found = gambito.search(game, State(0), name, gear="python", depth=4, deepen=True, memory=1)
        assert (found.value, found.exact) == (0, True)


@pytest.mark.parametrize("name", ["mtd-f", "sss-star", "dual-star"])
def test_the_action_of_an_exact_value_is_proven_too(name):
    game = WinOrLoss()
    children = [[1, 5, 6], [2, 2, 2], [5, 3], [4, 6], [7, 7, 5, 7], [], [7, 7, 7], []]
    players, utilities = [0, 0, 1, 1, 0, 0, 1, 1], [1, 0, 1, 0, 1, 0, -1, -1]
    for seed in range(20):
        rng = random.Random(seed)
        write(game, drawn(players, utilities, children, 1, rng), rng)
        actions = list(game.actions(State(0)))
        for depth in range(1, 6):
            found = gambito.search(game, State(0), name, gear="python", depth=depth, deepen=True, memory=1)
            assert not found.exact or (found.value, found.action) == (0, actions[1])
