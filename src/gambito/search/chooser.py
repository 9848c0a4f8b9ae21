"""The algorithm that runs if none is named: the same for the API, the terminal, the page and protocols."""

from __future__ import annotations

from collections.abc import Iterable

from gambito.errors import SearchError
from gambito.game.contract import Game
from gambito.search.algorithm import find

# In each list, the first algorithm that fits the game is chosen.
STRONGEST = (
    "engine",
    "alpha-beta",
    "star2",
    "expectimax",
    "best-reply",  # for more than two players
    "paranoid",
    "mcts",
    "ismcts",
    "a-star",
)
SOLVERS = (
    "engine",
    "mtd-f",
    "value-iteration",
    "cfr+",
    "max-n",
    "a-star",
)  # they find the value of the whole game
LEARNING = "cfr+"  # it solves games that hide something
BLIND = "mcts"  # it needs no evaluation
SHORT = 32  # plies: a search soon sees the end of such a game, and needs no evaluation
LESSONS = ("alpha-beta", "star2", "expectimax", "max-n", "ismcts", "a-star")  # their records are easy to read


def strongest(game: Game) -> str:
    """The algorithm that plays a game best: its `played_by` if it names one, else the strongest that fits.

    Without an evaluation, a search that does not see the end is blind, and simulations are stronger.
    """
    if game.played_by:
        return first_fit(game, (game.played_by, *STRONGEST))
    return first_fit(game, (BLIND, *STRONGEST) if is_blind(game) else STRONGEST)


def is_blind(game: Game) -> bool:
    """Has the game no evaluation, and is it too long for a search to see its end?"""
    has_evaluation = type(game).evaluate is not Game.evaluate or "evaluate" in vars(game)
    is_short = game.longest is not None and game.longest <= SHORT
    return not has_evaluation and game.players > 1 and not is_short


def solver(game: Game) -> str:
    """The algorithm that finds the exact value of a game fastest; SearchError if none does."""
    name = first_fit(game, SOLVERS)
    if game.hidden and find(name).misfit(game):
        raise SearchError(
            "{} cannot be solved: {}; `gambito best` finds actions without a proof",
            game.label(), find(LEARNING).misfit(game),
        )  # fmt: skip
    return name


def lesson(game: Game) -> str:
    """The algorithm that is recorded for a drawing."""
    return first_fit(game, LESSONS)


def first_fit(game: Game, names: Iterable[str]) -> str:
    """The first of these algorithms that fits the game; if none does, the first: its error says why."""
    listed = list(names)
    return next((name for name in listed if not find(name).misfit(game)), listed[0])
