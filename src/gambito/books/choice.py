"""What every opening book can be asked, whatever its format: the moves of a position, and one of them."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from typing import Any

from gambito.game.contract import Game

NEAR = 0.05  # of the game's unit: moves that are worth so much less than the best are as good


class OpeningBook(ABC):
    """Moves that are known before any search. It may be read by several threads at once."""

    name: str

    @abstractmethod
    def moves(self, game: Game, state: Any, margin: float | None = None) -> dict[int, float]:
        """The legal moves of a position with their weights; nothing where the book has ended.

        Where their values are known: those within `margin` of the best value, else nearly as good ones.
        """

    @abstractmethod
    def check(self, game: Game) -> None:
        """A BookError where the book is of another game."""

    def choose(
        self, game: Game, state: Any, rng: random.Random | None = None, margin: float | None = None
    ) -> int | None:
        """A move by chance, each as likely as its weight; without `rng` the best one."""
        moves = self.moves(game, state, 0.0 if rng is None else margin)
        moves = {action: weight for action, weight in moves.items() if weight > 0}
        if not moves:
            return None
        if rng is None:
            return max(moves, key=lambda action: moves[action])
        return rng.choices(list(moves), list(moves.values()))[0]


def word_of(game: Game, state: Any) -> int:
    """A position's key as a whole number of 64 bits."""
    return int(game.key(state)) & (1 << 64) - 1
