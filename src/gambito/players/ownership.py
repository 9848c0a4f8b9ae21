"""Who will own the cells of a board: random playouts to the end of the game, and who owns them there.

The first playout is in the Python gear, so that there is an answer while the others are compiled.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from gambito.errors import SearchError
from gambito.game.contract import NOBODY, Game
from gambito.game.gears import gears
from gambito.native.random import new_random
from gambito.search.limits import Stop
from gambito.search.monte_carlo.finish import finish

MOST_PLAYOUTS = 1000


@dataclass(frozen=True)
class Ownership:
    """How often each player owned each cell, as a difference of shares, and in how many playouts."""

    cells: list[float]  # from 1: always player 0's, to -1: always player 1's
    playouts: int

    @property
    def lead(self) -> float:
        """How many cells more player 0 owns, on average."""
        return sum(self.cells)


def ownership(
    game: Game,
    state: Any,
    seconds: float,
    stop: Stop | None = None,
    progress: Callable[[Ownership], Any] | None = None,
    seed: int = 1,
) -> Ownership:
    """Play random games from a state for some seconds, compilation not counted, and count who owns each cell
    at the end."""
    if type(game).owners is Game.owners or game.players != 2:
        raise SearchError("nobody owns cells of the board in {}", game.label())
    rng, both = new_random(seed), gears(game)
    inner, start = game, state
    totals, count, end = [0] * len(game.owners(state)), 0, float("inf")
    while count < MOST_PLAYOUTS and time.perf_counter() < end and not (count and stop and stop.is_set()):
        final = finish(inner, start, rng)
        for cell, owner in enumerate(game.owners(final)):
            totals[cell] += 0 if owner == NOBODY else 1 - 2 * owner
        count += 1
        if progress is not None:
            progress(_counted(totals, count))
        if count == 1:
            inner, start = both.in_gear(both.default()), both.cast(state)
            finish(inner, start, rng)  # compiled now, before the clock starts
            end = time.perf_counter() + seconds
    return _counted(totals, count)


def _counted(totals: list[int], count: int) -> Ownership:
    return Ownership([total / count for total in totals], count)
