"""The cost of plain minimax, or expectiminimax where chance decides, to compare a watched search with."""

from __future__ import annotations

from typing import Any

import gambito
from gambito.search.algorithm import find

NODES = 20_000_000  # limit of the nodes that are counted
SECONDS = 2.0
PLAIN = ("minimax", "expectiminimax")
SOON = 0.3  # seconds in the Python gear, before the game is compiled


def plain_minimax(
    game: gambito.Game, state: Any, depth: int, stop: gambito.Stop | None = None
) -> dict[str, Any] | None:
    """Return the nodes, evaluations and value for MAX of the plain search, and its name. None if none fits
    or it takes too long."""
    algorithm = next((name for name in PLAIN if not find(name).misfit(game.at(state))), None)
    if algorithm is None:
        return None
    tries = (("python", SOON), ("native", SECONDS)) if game.compiles else (("python", SECONDS),)
    for gear, seconds in tries:
        found = _count(game, state, algorithm, depth, gear, seconds, stop)
        if found is not None:
            return found
    return None


def _count(
    game: gambito.Game,
    state: Any,
    algorithm: str,
    depth: int,
    gear: str,
    seconds: float,
    outer: gambito.Stop | None,
) -> dict[str, Any] | None:
    stop = gambito.Stop()

    def look(progress: gambito.Progress) -> None:
        is_enough = progress.seconds > seconds or progress.nodes > NODES
        if is_enough or (outer is not None and outer.is_set()):
            stop.set()

    found = gambito.search(game, state, algorithm, depth, gear=gear, stop=stop, progress=look)
    if stop.is_set() or found.value is None:
        return None
    value = found.value if game.player(state) <= 0 else -found.value  # at a chance node values are MAX's
    counts = {"nodes": found.nodes, "evaluations": found.evaluations}
    return {"algorithm": algorithm, **counts, "value": value}
