"""What is known about the opening of a game: its name, and the moves of the server's books."""

from __future__ import annotations

import functools
from typing import Any

from gambito.books.choice import OpeningBook
from gambito.books.names import Names
from gambito.books.shelf import open_book
from gambito.errors import BookError
from gambito.game.contract import CHANCE, Game
from gambito.players.running_game import RunningGame
from gambito.web.server_limits import ServerLimits
from gambito.web.setup import drawn

KEPT = 16  # games whose names are kept
MAX_PLIES = 60  # plies after which a game has no new name


class Openings:
    """The books of a server, and the names of openings."""

    def __init__(self, server: ServerLimits) -> None:
        self.paths = server.books
        self.names = functools.lru_cache(KEPT)(Names)
        self.books = functools.lru_cache(KEPT)(self._books)

    def describe(self, match: RunningGame, lang: str) -> dict[str, Any]:
        """The name of the opening so far, and the book moves of the position with their shares."""
        opening = self.names(match.game).find(match.states[: MAX_PLIES + 1])
        named = None if opening is None else {"code": opening.code, "name": opening.names[lang]}
        return {"opening": named, "moves": self._moves(match)}

    def _moves(self, match: RunningGame) -> list[dict[str, Any]]:
        game, state = match.game, match.state
        if match.is_over or match.player == CHANCE:
            return []
        weights: dict[int, float] = {}
        for book in self.books(game):
            for action, weight in book.moves(game, state).items():
                weights[action] = weights.get(action, 0.0) + weight
        whole = sum(weights.values())
        return [
            {"move": game.write(state, action), **drawn(game, state, action), "share": weight / whole}
            for action, weight in sorted(weights.items(), key=lambda pair: -pair[1])
            if weight > 0
        ]

    def _books(self, game: Game) -> list[OpeningBook]:
        """The books of a game."""
        return [book for book in map(open_book, self.paths) if _fits(book, game)]


def _fits(book: OpeningBook, game: Game) -> bool:
    try:
        book.check(game)
        return True
    except BookError:
        return False
