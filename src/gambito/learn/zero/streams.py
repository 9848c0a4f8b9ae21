"""A stream of self-play: games in lock-step with one network, and the positions to learn from.

The same seed and the same weights give the same positions. It does not know what is learned from them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gambito.evaluate.policy.dense import Dense
from gambito.evaluate.policy.sight import Glance, values_of
from gambito.game.contract import Game
from gambito.game.gears import gears
from gambito.learn.zero.forest import (
    COUNT,
    CUT,
    DECISIONS,
    FINISHED,
    LEAF,
    LEFT,
    NONE,
    SIMULATIONS,
    SLOT,
    TARGETS,
    Search,
    new_diary,
    new_forest,
    new_plan,
)
from gambito.learn.zero.lockstep import advance
from gambito.native.random import new_random

AT_ONCE = 256  # games of a stream that are played at once
SPARE = 1.5  # room for positions: so many times what random games have


class Stream:
    """The memory of a stream, used again in every round."""

    def __init__(self, game: Game, seen: Glance, search: Search, games: int, gear: str = "native") -> None:
        self.game, self.seen, self.games, self.gear = game, seen, games, gear
        turning = gears(game)
        self.inner, self.start = turning.shift(gear), turning.enter(game.initial())
        self.values = values_of(game)
        decisions = SPARE * seen.length * games * max(search.share, 0.05)
        self.plan = new_plan(game, search, seen, min(AT_ONCE, games), int(decisions) + 256)
        layout = seen.sight.layout
        self.forest = new_forest(layout, self.plan, self.values, gear)
        self.diary = new_diary(layout, self.plan, self.values, gear)

    def compile(self) -> None:
        """Compile, or load what is compiled, by playing no games."""
        self._begin(0)
        advance(self.inner, self.start, self.plan, self.forest, self.diary, 1, new_random(0))

    def _begin(self, games: int) -> None:
        slots = self.forest.slots.reshape(-1, SLOT)
        slots[:] = 0
        slots[:, LEAF] = NONE
        self.diary.head[:] = 0
        self.diary.head[LEFT] = games

    def play(self, network: Dense, seed: Any) -> dict[str, Any]:
        """Play all games with a network; return the positions, as arrays by name, and what was counted."""
        self._begin(self.games)
        sight, forest, diary, rng = self.seen.sight, self.forest, self.diary, new_random(seed)
        wide = network.slots + self.values
        while True:
            count = int(advance(self.inner, self.start, self.plan, forest, diary, wide, rng))
            if count == 0 and diary.head[LEFT] == 0:
                break
            packed = sight.layout.read(forest.leaves, count)
            found = network.forward(sight.rows(packed, forest.movers[:count]))
            forest.outputs[: count * wide] = found.ravel()
        return self._positions()

    def _positions(self) -> dict[str, Any]:
        head, diary = self.diary.head, self.diary
        count, targets, values = int(head[COUNT]), int(head[TARGETS]), self.values
        return {
            "states": np.array(self.seen.sight.layout.read(diary.states, count)),
            "movers": diary.movers[:count].astype(np.int8),
            "counts": np.diff(diary.begin[: count + 1]).astype(np.int16),
            "slot": diary.slot[:targets].astype(np.int16),
            "chance": diary.chance[:targets].astype(np.float32),
            "found": diary.found[: count * values].reshape(count, values).copy(),
            "result": diary.result[: count * values].reshape(count, values).copy(),
            "counted": np.array([head[name] for name in (FINISHED, SIMULATIONS, DECISIONS, CUT)], np.int64),
        }
