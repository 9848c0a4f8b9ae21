"""The interface of opening books of every format: the moves of a position, and a choice among them."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from typing import Any

from gambito.game.contract import Game

NEAR = 0.05  # in the game's unit: moves this close to the best value count as equally good


class OpeningBook(ABC):
    """Moves that are known before any search. Several threads may read a book at once."""

    name: str

    @abstractmethod
    def moves(self, game: Game, state: Any, margin: float | None = None) -> dict[int, float]:
        """The legal moves of a position with their weights; empty if the book does not have the position.

        If their values are known: the moves within `margin` of the best value, by default nearly equal ones.
        """

    @abstractmethod
    def check(self, game: Game) -> None:
        """Raise BookError if the book is for another game."""

    def choose(
        self, game: Game, state: Any, rng: random.Random | None = None, margin: float | None = None
    ) -> int | None:
        """A random move with probabilities given by the weights; without `rng`, the best move."""
        moves = self.moves(game, state, 0.0 if rng is None else margin)
        moves = {action: weight for action, weight in moves.items() if weight > 0}
        if not moves:
            return None
        if rng is None:
            return max(moves, key=lambda action: moves[action])
        return rng.choices(list(moves), list(moves.values()))[0]


def word_of(game: Game, state: Any) -> int:
    """The key of a position as an unsigned 64-bit integer."""
    return int(game.key(state)) & (1 << 64) - 1
