"""The cost of plain minimax, to compare a watched search with."""

from __future__ import annotations

from typing import Any

import gambito
from gambito.search.algorithm import find

NODES = 20_000_000  # limit of the nodes that are counted
SECONDS = 2.0
SOON = 0.3  # seconds in the Python gear, before the game is compiled


def plain_minimax(
    game: gambito.Game, state: Any, depth: int, stop: gambito.Stop | None = None
) -> dict[str, Any] | None:
    """Return minimax's nodes, evaluations and value for MAX, or None if it does not fit or takes too long."""
    if find("minimax").misfit(game.at(state)):
        return None
    tries = (("python", SOON), ("native", SECONDS)) if game.compiles else (("python", SECONDS),)
    for gear, seconds in tries:
        found = _count(game, state, depth, gear, seconds, stop)
        if found is not None:
            return found
    return None


def _count(
    game: gambito.Game, state: Any, depth: int, gear: str, seconds: float, outer: gambito.Stop | None
) -> dict[str, Any] | None:
    stop = gambito.Stop()

    def look(progress: gambito.Progress) -> None:
        is_enough = progress.seconds > seconds or progress.nodes > NODES
        if is_enough or (outer is not None and outer.is_set()):
            stop.set()

    found = gambito.search(game, state, "minimax", depth, gear=gear, stop=stop, progress=look)
    if stop.is_set() or found.value is None:
        return None
    value = found.value if game.player(state) == 0 else -found.value
    return {"nodes": found.nodes, "evaluations": found.evaluations, "value": value}
