"""The algorithm that runs if none is named: the same for the API, the terminal, the page and protocols."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from weakref import WeakKeyDictionary

from gambito.game.contract import CHANCE, Game
from gambito.search.algorithm import find

# In each list, the first algorithm that fits the game is chosen.
STRONGEST = ("engine", "alpha-beta", "star2", "expectimax", "mcts", "a-star")
SOLVERS = ("engine", "mtd-f", "value-iteration", "a-star")  # they find the value of the whole game
BLIND = "mcts"  # it needs no evaluation
SMALL = 5_000  # positions: a search sees the end of every line of such a game, and needs no evaluation
LESSONS = ("alpha-beta", "star2", "expectimax", "a-star")  # their records are easy to read


_small: WeakKeyDictionary[type, dict[str, bool]] = WeakKeyDictionary()  # by class and label


def strongest(game: Game) -> str:
    """The algorithm that plays a game best: its `played_by` if it names one, else the strongest that fits.

    Without an evaluation, a search that does not see the end is blind, and simulations are stronger.
    """
    if game.played_by:
        return first_fit(game, (game.played_by, *STRONGEST))
    return first_fit(game, (BLIND, *STRONGEST) if is_blind(game) else STRONGEST)


def is_blind(game: Game) -> bool:
    """Has the game no evaluation, and too many positions to see its end?"""
    has_evaluation = type(game).evaluate is not Game.evaluate or "evaluate" in vars(game)
    return not has_evaluation and game.players > 1 and not _is_small(game)


def _is_small(game: Game) -> bool:
    known = _small.setdefault(type(game), {})
    label = game.label()
    if label not in known:
        try:
            known[label] = _count_positions(game) <= SMALL
        except Exception:  # rules that raise: the search says it in its own words
            return False
    return known[label]


def _count_positions(game: Game) -> int:
    """The positions that can be reached, counted until they are more than SMALL."""
    waiting: list[Any] = [game.initial()]
    seen = {int(game.key(waiting[0]))}
    while waiting and len(seen) <= SMALL:
        state = waiting.pop()
        if game.is_terminal(state):
            continue
        is_chance = game.player(state) == CHANCE
        for action in [o for o, _ in game.chances(state)] if is_chance else game.actions(state):
            child = game.result(state, action)
            key = int(game.key(child))
            if key not in seen:
                seen.add(key)
                waiting.append(child)
    return len(seen)


def solver(game: Game) -> str:
    """The algorithm that finds the exact value of a game fastest."""
    return first_fit(game, SOLVERS)


def lesson(game: Game) -> str:
    """The algorithm that is recorded for a drawing."""
    return first_fit(game, LESSONS)


def first_fit(game: Game, names: Iterable[str]) -> str:
    """The first of these algorithms that fits the game; if none does, the first: its error says why."""
    listed = list(names)
    return next((name for name in listed if not find(name).misfit(game)), listed[0])
