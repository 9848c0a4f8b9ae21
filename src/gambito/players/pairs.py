"""The pairs of a game and an algorithm that people ask for: their machine code is made before they do.

`ask` runs a search that is as short as can be, and with it loads or compiles all that a longer one runs.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from gambito.errors import GambitoError
from gambito.game.gears import default_gear
from gambito.game.registry import load
from gambito.search.algorithm import AnytimeSearch, PuzzleSearch, algorithms, find
from gambito.search.api import perft, search
from gambito.search.chooser import STRONGEST, strongest

PERFT = "perft"  # stands for the count of leaves among the algorithms
FEW = 200  # nodes or simulations of a search that is only to be prepared
SHALLOW = 2  # plies


class Pair(NamedTuple):
    game: str
    algorithm: str


def pairs(games: Iterable[str]) -> list[Pair]:
    """The pairs of these games, of each the algorithm that plays it best first."""
    found = []
    for name in games:
        game = load(name)
        if default_gear(game) != "native":
            continue
        puzzles = [a for a, known in algorithms().items() if isinstance(known, PuzzleSearch)]
        fitting = [a for a in (*STRONGEST, *puzzles) if not find(a).misfit(game)]
        counted = [PERFT] if game.players > 1 and not game.chance else []
        found += [Pair(name, a) for a in dict.fromkeys([strongest(game), *fitting, *counted])]
    return found


def ask(pair: Pair) -> None:
    """Load or compile what a pair needs; raise GambitoError if it cannot be searched."""
    game = load(pair.game)
    if pair.algorithm == PERFT:
        perft(game, depth=1)
        return
    algorithm = find(pair.algorithm)
    small: dict[str, Any] = (
        {"memory": 1} if any(option.name == "memory" for option in algorithm.options) else {}
    )
    search(game, algorithm=pair.algorithm, nodes=FEW, **small)
    if not isinstance(algorithm, AnytimeSearch | PuzzleSearch):
        search(game, algorithm=pair.algorithm, depth=SHALLOW, **small)
    if algorithm.shares:
        search(game, algorithm=pair.algorithm, nodes=FEW, threads=2, **small)


def try_to_ask(pair: Pair) -> GambitoError | None:
    """The same; return what went wrong."""
    try:
        ask(pair)
    except GambitoError as problem:
        return problem
    return None
