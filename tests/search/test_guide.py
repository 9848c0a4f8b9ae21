"""The line of the last iteration guides the next one, and only in the states that it goes through."""

from __future__ import annotations

import random

import pytest

import gambito
from tests.search.rules_fuzzer import Drawn, Hints, State, WinOrLoss, write


def drawn(players, utilities, children, values, height):
    return Drawn(players, utilities, children, [[1 / len(c) for _ in c] for c in children], values, height)


@pytest.mark.parametrize("name", ["mtd-f", "sss-star", "dual-star"])
def test_a_table_that_ends_the_guide_leaves_it(name):
    game = Hints()
    children = [[11, 7, 1], [7], [11], [8, 4], [9, 7, 9], [6], [11, 11, 13], [12, 11, 13], [9], [], [11, 12],
                [13], [13], []]  # fmt: skip
    utilities = [-16, -18, 11, -19, 11, -15, -5, 19, -18, 2, 9, -16, 7, 0]
    values = [0, 0, 0, 2, 2, 0, 0, 0, 2, 2, 0, 0, 0, 0]
    tree = drawn([0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 1, 0, 1, 0], utilities, children, values, 4)
    for seed in range(20):
        write(game, tree, random.Random(seed))
        found = gambito.search(game, State(0), name, gear="python", depth=4, deepen=True, memory=1)
        assert (found.value, found.exact) == (0, True)


@pytest.mark.parametrize("name", ["mtd-f", "sss-star", "dual-star"])
def test_the_action_of_an_exact_value_is_proven_too(name):
    game = WinOrLoss()
    children = [[1, 5, 6], [2, 2, 2], [5, 3], [4, 6], [7, 7, 5, 7], [], [7, 7, 7], []]
    values = [0, -1, -1, -1, 0, 0, -1, -1]
    tree = drawn([0, 0, 1, 1, 0, 0, 1, 1], [1, 0, 1, 0, 1, 0, -1, -1], children, values, 5)
    for seed in range(20):
        write(game, tree, random.Random(seed))
        actions = list(game.actions(State(0)))
        for depth in range(1, 6):
            found = gambito.search(game, State(0), name, gear="python", depth=depth, deepen=True, memory=1)
            assert not found.exact or (found.value, found.action) == (0, actions[1])
