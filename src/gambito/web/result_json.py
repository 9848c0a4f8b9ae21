"""The results of searches as the page receives them."""

from __future__ import annotations

from typing import Any

from gambito.game.contract import Game
from gambito.game.line import write_line
from gambito.players.analysis import Analysis
from gambito.players.running_game import RunningGame
from gambito.search.limits import Progress
from gambito.search.search_result import SearchResult
from gambito.web.setup import drawn, plain_number


def info(game: Game, found: SearchResult) -> dict[str, Any]:
    """Return the result of a search as it is streamed."""
    told = found.as_dict()
    names = (
        "depth",
        "value",
        "line",
        "low",
        "high",
        "exact",
        "ends_in",
        "evaluations",
        "nodes",
        "seconds",
        "algorithm",
    )
    value = found.value
    return {
        **{name: told[name] for name in names},
        "nps": pace(found.nodes, found.seconds),
        "expectation": None if value is None else game.expectation(value),
        "compile_seconds": found.compile_seconds,
        "action": told["action"],
    }


def counts(now: Progress) -> dict[str, Any]:
    told = {"nodes": now.nodes, "seconds": now.seconds, "nps": pace(now.nodes, now.seconds)}
    return told | ({"ahead": True} if now.is_ahead else {})


def pace(nodes: int, seconds: float) -> float:
    return nodes / seconds if seconds > 0 else 0.0


def candidates(match: RunningGame, found: Analysis, lines: int) -> dict[str, Any]:
    game, state = match.game, match.state
    listed = [
        {
            "move": game.write(state, candidate.action),
            **drawn(game, state, candidate.action),
            "value": plain_number(candidate.value),
            "expectation": game.expectation(candidate.value),
            "depth": candidate.depth,
            "exact": candidate.exact,
            "ends_in": candidate.ends_in,
            "line": write_line(game, state, candidate.line) if place < lines else [],
            **({} if candidate.prior is None else {"prior": candidate.prior}),
        }
        for place, candidate in enumerate(found.candidates)
        if candidate.value is not None
    ]
    cost = {"nodes": found.nodes, "seconds": found.seconds, "nps": pace(found.nodes, found.seconds)}
    return {"candidates": listed, "algorithm": found.algorithm, "depth": found.depth, **cost}
