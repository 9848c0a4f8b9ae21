"""A game with nothing hidden: the same rules, and every player sees the whole state.

It is a view of the game (`game/game_view.py`), so every search for games without hidden information takes it.
"""

from __future__ import annotations

from gambito.game.contract import Game
from gambito.game.game_view import view_of


class _Open:
    """The lens of `opened`."""

    def observe(self, state, player):
        return state

    def imagine(self, seen, player, rng):
        return seen


def with_perfect_information(game: Game) -> Game:
    """The game, played with open cards."""
    return view_of(game, _Open, with_perfect_information, hidden=False)
