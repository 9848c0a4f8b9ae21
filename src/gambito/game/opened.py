"""A game with nothing hidden: the same rules, and every player sees the whole state.

It is a view of the game (`game/overlay.py`), so every search for games without hidden information takes it.
"""

from __future__ import annotations

from gambito.game.contract import Game
from gambito.game.overlay import overlay


class _Open:
    """The lens of `opened`."""

    def observe(self, state, player):
        return state

    def imagine(self, seen, player, rng):
        return seen


def opened(game: Game) -> Game:
    """The game, played with open cards."""
    return overlay(game, _Open, opened, hidden=False)
