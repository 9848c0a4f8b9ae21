"""The names of openings: one table for each game, by positions, so that the order of moves does not matter.

A line of a table has a code, which may be empty, the name in English and in Spanish, and the moves. Positions
that are symmetric to each other have the same name. Nothing here is a judgement about moves.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from gambito.books.choice import word_of
from gambito.game.contract import Game

FOLDER = Path(__file__).with_name("openings")
LANGUAGES = ("en", "es")


class Opening(NamedTuple):
    """The name of an opening in each language."""

    code: str
    names: dict[str, str]


class Names:
    """The openings of a game."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.known: dict[int, Opening] = {}  # by the key of the position
        for opening, moves in _lines(game):
            state = game.initial()
            for move in moves:
                state = game.result(state, game.read(state, move))
            self.known[self._key(state)] = opening

    def find(self, states: Sequence[Any]) -> Opening | None:
        """The name of a game with these states: that of the last one that has a name."""
        if not self.known or word_of(self.game, states[0]) != word_of(self.game, self.game.initial()):
            return None
        return next(filter(None, (self.known.get(self._key(state)) for state in reversed(states))), None)

    def _key(self, state: Any) -> int:
        """The same for positions that are symmetric to each other."""
        return min(word_of(self.game, each) for each in (state, *self.game.symmetries(state)))


def _lines(game: Game) -> Iterable[tuple[Opening, list[str]]]:
    """The table of a game; a game with parameters has none."""
    path = FOLDER / f"{game.label()}.txt"
    if not path.exists():
        return
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            code, *names, moves = (part.strip() for part in line.split("|"))
            yield Opening(code, dict(zip(LANGUAGES, names, strict=True))), moves.split()
