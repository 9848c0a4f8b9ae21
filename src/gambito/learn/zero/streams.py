"""A stream of self-play: games in lock-step with one network, and the positions to learn from.

The same seed and the same weights give the same positions. It does not know what is learned from them.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from gambito.evaluate.policy.dense import Dense
from gambito.evaluate.policy.encoding import GameSample, values_of
from gambito.game.contract import Game
from gambito.game.gears import gears
from gambito.learn.zero.lockstep import advance
from gambito.learn.zero.search_trees import (
    COUNT,
    CUT,
    DECISIONS,
    FINISHED,
    LAST,
    LEAF,
    LEFT,
    NONE,
    SIMULATIONS,
    SLOT,
    TARGETS,
    Search,
    new_forest,
    new_replay_buffer,
    new_search_schedule,
    spans,
)
from gambito.native.random import new_random

GAMES_AT_ONCE = 256  # games of a stream that are played at once
SPARE = 1.5  # room for positions: so many times what random games have
NEARLY = 0.8  # a diary that is so full is read

Ask = Callable[[Any, Any], Any]  # the network's outputs for states in bytes and their movers


class Stream:
    """The memory of a stream, used again in every round; `games` is the most that it plays in one.

    `play` plays a number of games to their ends. `go_on` never ends: it plays for a while, gives the
    positions of the games that have ended, and keeps the others.
    """

    def __init__(
        self,
        game: Game,
        seen: GameSample,
        search: Search,
        games: int,
        gear: str = "native",
        at_once: int = GAMES_AT_ONCE,
    ) -> None:
        self.game, self.seen, self.games, self.gear = game, seen, games, gear
        both = gears(game)
        self.inner, self.start = both.in_gear(gear), both.cast(game.initial())
        self.values = values_of(game)
        decisions = SPARE * seen.length * games * max(search.share, 0.05)
        self.plan = new_search_schedule(game, search, seen, min(at_once, games), int(decisions) + 256)
        layout = seen.sight.layout
        self.forest = new_forest(layout, seen.outputs, self.plan, self.values, gear)
        self.diary = new_replay_buffer(layout, self.plan, self.values, gear)

    def compile(self) -> None:
        """Compile, or load what is compiled, by playing no games."""
        self._begin(0)
        advance(self.inner, self.start, self.plan, self.forest, self.diary, 1, new_random(0))

    def _begin(self, games: int) -> None:
        slots = self.forest.slots.reshape(-1, SLOT)
        slots[:] = 0
        slots[:, LEAF] = NONE
        self.forget()
        self.diary.head[:] = 0
        self.diary.head[LEFT] = games

    def forget(self) -> None:
        """Forget what the network said about states: it has learned."""
        self.forest.marks[:] = 0

    def play(self, network: Dense, seed: Any, games: int | None = None) -> dict[str, Any]:
        """Play games with a network; return the positions, as arrays by name, and what was counted."""
        self._begin(self.games if games is None else games)
        rng, sight = new_random(seed), self.seen.sight

        def ask(packed: Any, movers: Any) -> Any:
            return network.forward(sight.rows(packed, movers))

        while self._advance(ask, rng):
            pass
        return self._positions(np.arange(self.diary.head[COUNT]))

    def _advance(self, ask: Ask, rng: Any) -> bool:
        """Bring all games to their next leaves and ask for their outputs; False: all games have ended."""
        forest, wide = self.forest, int(self.plan.slots) + self.values
        count = int(advance(self.inner, self.start, self.plan, forest, self.diary, wide, rng))
        if count == 0 and self.diary.head[LEFT] == 0:
            return False
        packed = self.seen.sight.layout.read(forest.leaves, count)
        forest.outputs[: count * wide] = ask(packed, forest.movers[:count]).ravel()
        return True

    def begin_all(self) -> None:
        """Begin games that `go_on` plays."""
        self._begin(np.iinfo(np.int64).max)

    def go_on(self, ask: Ask, rng: Any, seconds: float) -> dict[str, Any]:
        """Play for a while; return the positions of the games that have ended."""
        until, head = time.monotonic() + seconds, self.diary.head
        while time.monotonic() < until and head[COUNT] < NEARLY * self.plan.room:
            self._advance(ask, rng)
        is_over = np.ones(int(head[COUNT]), bool)
        places = self.forest.slots.reshape(-1, SLOT)[:, LAST]
        while len(places := places[places != NONE]):
            is_over[places] = False
            places = self.diary.before[places]
        found = self._positions(np.flatnonzero(is_over))
        self._keep(np.flatnonzero(~is_over))
        return found

    def _keep(self, kept: Any) -> None:
        """Keep these positions, of games that go on, and forget the others."""
        diary, head, count, values = self.diary, self.diary.head, len(kept), self.values
        counts, places = self._targets(kept)
        moved = np.full(int(head[COUNT]) + 1, NONE)  # the last one stands for none
        moved[kept] = np.arange(count)
        slots = self.forest.slots.reshape(-1, SLOT)
        slots[:, LAST] = moved[slots[:, LAST]]
        diary.before[:count] = moved[diary.before[kept]]
        diary.movers[:count] = diary.movers[kept]
        diary.begin[: count + 1] = np.concatenate([[0], np.cumsum(counts)])
        diary.slot[: len(places)], diary.chance[: len(places)] = diary.slot[places], diary.chance[places]
        for name in ("found", "result"):
            lines = getattr(diary, name).reshape(-1, values)
            lines[:count] = lines[kept]
        if isinstance(diary.states, list):
            diary.states[:count] = [diary.states[place] for place in kept]
        else:
            lines = diary.states.reshape(-1, self.seen.sight.layout.width)
            lines[:count] = lines[kept]
        left = head[LEFT]
        head[:] = 0
        head[COUNT], head[TARGETS], head[LEFT] = count, len(places), left

    def _targets(self, chosen: Any) -> tuple[Any, Any]:
        """The number of targets of each of these positions, and the places of all of them."""
        begin = self.diary.begin[: self.diary.head[COUNT] + 1]
        counts = np.diff(begin)[chosen]
        rows, within = spans(counts)
        return counts, begin[chosen][rows] + within

    def _positions(self, chosen: Any) -> dict[str, Any]:
        """The chosen positions as arrays by name, and what was counted."""
        head, diary, values = self.diary.head, self.diary, self.values
        counts, places = self._targets(chosen)
        return {
            "states": np.array(self.seen.sight.layout.read(diary.states, int(head[COUNT]))[chosen]),
            "movers": diary.movers[chosen].astype(np.int8),
            "counts": counts.astype(np.int16),
            "slot": diary.slot[places].astype(np.int16),
            "chance": diary.chance[places].astype(np.float32),
            "found": diary.found.reshape(-1, values)[chosen],
            "result": diary.result.reshape(-1, values)[chosen],
            "counted": np.array([head[name] for name in (FINISHED, SIMULATIONS, DECISIONS, CUT)], np.int64),
        }
