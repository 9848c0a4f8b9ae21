"""States that only Python knows: what is called exact must not depend on keys that two states share."""

from __future__ import annotations

import random
from enum import Enum
from typing import Any

import numpy as np
import pytest

import gambito
from gambito import Game
from gambito.search.algorithm import algorithms
from gambito.search.chooser import solver
from tests.support import minimax_truth, small

PLIES = 8
Step = Enum("Step", [f"STEP_{number}" for number in range(PLIES + 1)], start=0)

# How the second counter stands in a state.
WRAPPED: dict[str, Any] = {
    "enum": Step,
    "set": lambda number: frozenset({number}),
    "tuple": lambda number: (number,),
    "text": str,
    "none": lambda number: number or None,
    "wide": lambda number: number << 64,
    "plain": int,
}


class Counters(Game):
    """A move raises one of two counters; the score depends on both, at random."""

    compiles = False
    longest = PLIES

    def __init__(self, kind: str = "enum", seed: int = 0) -> None:
        self.kind, self.seed = kind, seed
        rng = random.Random(seed)
        self.scores = {first: rng.choice([-1, 0, 1]) for first in range(PLIES + 1)}
        self.counts = {WRAPPED[kind](number): number for number in range(PLIES + 1)}

    def initial(self):
        return (0, WRAPPED[self.kind](0))

    def player(self, state):
        return (state[0] + self.counts[state[1]]) % 2

    def actions(self, state):
        return [0, 1]

    def result(self, state, action):
        if action == 0:
            return (state[0] + 1, state[1])
        return (state[0], WRAPPED[self.kind](self.counts[state[1]] + 1))

    def is_terminal(self, state):
        return state[0] + self.counts[state[1]] == PLIES

    def utility(self, state, player):
        return self.scores[state[0]] if player == 0 else -self.scores[state[0]]


@pytest.mark.parametrize("kind", WRAPPED)
def test_values_are_those_of_minimax(kind):
    for seed in range(8, 13):
        game = Counters(kind, seed)
        truth = minimax_truth(game, game.initial(), PLIES)
        for name in ("mtd-f", "dual-star", solver(game)):
            found = gambito.search(game, algorithm=name, depth=PLIES, memory=1)
            assert found.exact and found.value == truth, (seed, name)
        assert gambito.solve(game, memory=1).value == truth, seed
        assert gambito.search(game, algorithm="df-pn", depth=PLIES, memory=1).value == truth, seed


OWN_KEYS = {
    "negative": lambda state: -1 - 100 * state[0] - state[1],
    "hash": hash,
    "wide": lambda state: state[0] << 90 | state[1] << 64,
    "numpy": lambda state: np.int64(-100 * state[0] - state[1]),
}


@pytest.mark.parametrize("cycles", [False, True])
@pytest.mark.parametrize("kind", OWN_KEYS)
def test_any_whole_number_is_a_key(kind, cycles):
    """As in compiled code, the sign is a bit; a number of more than 64 bits is mixed."""
    rule = OWN_KEYS[kind]
    own = type("Own", (Counters,), {"key": lambda self, state: rule((state[0], int(state[1])))})
    own.cycles = cycles
    for seed in range(8, 11):
        game = own("plain", seed)
        truth = minimax_truth(game, game.initial(), PLIES)
        for name in ("mtd-f", "engine", "df-pn", "alpha-beta", "mcts"):
            if not algorithms()[name].misfit(game):
                found = (
                    gambito.search(game, algorithm=name, nodes=20_000, memory=1)
                    if name == "mcts"
                    else (gambito.search(game, algorithm=name, depth=PLIES, **small(name)))
                )
                assert found.exact and found.value == truth, (seed, name)
