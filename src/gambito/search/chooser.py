"""Which algorithm runs where none is named: one answer for the API, the terminal, the page and protocols."""

from __future__ import annotations

from collections.abc import Iterable

from gambito.game.contract import Game
from gambito.search.algorithm import find

# The first that fits a game is taken.
STRONGEST = ("engine", "alpha-beta", "star2", "expectimax", "mcts", "a-star")
SOLVERS = ("engine", "mtd-f", "value-iteration", "a-star")  # their value is that of the whole game
LESSONS = ("alpha-beta", "star2", "expectimax", "a-star")  # searches whose record is good to read


def strongest(game: Game) -> str:
    """The algorithm that plays a game best: the one it names in `played_by`, else the strongest that fits."""
    return first_fit(game, (game.played_by, *STRONGEST) if game.played_by else STRONGEST)


def solver(game: Game) -> str:
    """The algorithm that finds the exact value of a game soonest."""
    return first_fit(game, SOLVERS)


def lesson(game: Game) -> str:
    """The algorithm whose record is drawn."""
    return first_fit(game, LESSONS)


def first_fit(game: Game, names: Iterable[str]) -> str:
    """The first of these algorithms that fits the game; the first of all where none does, which says why."""
    listed = list(names)
    return next((name for name in listed if not find(name).misfit(game)), listed[0])
