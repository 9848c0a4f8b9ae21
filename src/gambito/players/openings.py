"""Openings for a match: random lines that leave both players a chance.

The same seed gives the same openings. Lines to positions that are symmetric to each other count as one.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from gambito.game.contract import CHANCE, Game
from gambito.search.algorithm import find
from gambito.search.api import search
from gambito.search.chooser import first_fit

DEPTH, NODES = 6, 20_000  # limits of the search that decides whether an opening is balanced
TABLE_MEBIBYTES = 1  # MiB of its table
TRIES = 50  # lines tried for one opening, before the game counts as having no more
PART = 16  # balanced: the value is within this part of the game's range, and within its `unit`
USUAL_PLIES = 6
PARTS = 6  # an opening is at most this part of the longest game


def usual_plies(game: Game) -> int:
    """The default length of an opening; none if something is hidden: nobody would know what was played."""
    if game.hidden:
        return 0
    return min(USUAL_PLIES, (game.longest or USUAL_PLIES * PARTS) // PARTS)


def openings(game: Game, state: Any, plies: int, seed: int, balanced: bool = True) -> Iterator[list[int]]:
    """Yield different lines of that many plies from a state, until the game seems to have no more."""
    rng = random.Random(f"{seed} {plies}")
    seen: set[int] = set()
    failed = 0
    while failed < TRIES:
        line, end = _random_line(game, state, plies, rng)
        if line is None or _sign(game, end) in seen:
            failed += 1
            continue
        seen.add(_sign(game, end))
        if balanced and not is_balanced(game, end):
            failed += 1
            continue
        failed = 0
        yield line


def _random_line(game: Game, state: Any, plies: int, rng: random.Random) -> tuple[list[int] | None, Any]:
    """A random line and its last state; None instead of the line if the game is over by then."""
    line: list[int] = []
    while len(line) < plies and not game.is_terminal(state):
        if game.player(state) == CHANCE:
            outcomes = list(game.chances(state))
            action = rng.choices([o for o, _ in outcomes], [p for _, p in outcomes])[0]
        else:
            action = rng.choice(game.legal(state))
        line.append(int(action))
        state = game.result(state, action)
    return (None if game.is_terminal(state) else line), state


def _sign(game: Game, state: Any) -> int:
    """The key of a position, the same for all positions that are symmetric to it."""
    return min(int(game.key(s)) for s in (state, *game.symmetries(state)))


def is_balanced(game: Game, state: Any) -> bool:
    """Does a shallow search see no clear advantage? True if no search fits the game."""
    algorithm = first_fit(game, ("engine", "alpha-beta"))
    if find(algorithm).misfit(game):
        return True
    options: dict[str, Any] = {"memory": TABLE_MEBIBYTES} if algorithm == "engine" else {}
    found = search(game, state, algorithm, depth=DEPTH, nodes=NODES, **options)
    margin = min((game.highest - game.lowest) / PART, game.unit())
    return found.value is not None and abs(found.value) <= margin
