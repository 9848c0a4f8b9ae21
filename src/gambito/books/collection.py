"""A book of played games: how often each move was played, and with what results."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from gambito.books.book import new_pages, start_text
from gambito.books.choice import word_of
from gambito.books.entries import combined, entries_of, no_entries
from gambito.books.files import Pages
from gambito.errors import BookError, PositionError
from gambito.game.contract import CHANCE, Game
from gambito.words.sentence import reason_of

PLIES = 40  # counted in each game by default
BUFFERED_MOVES = 1 << 18  # moves that are buffered before they are added up
NOT_ANALYSED = float("nan")


@dataclass(frozen=True)
class Skipped:
    """A game that cannot be read."""

    file: str
    number: int  # in its file, from 1
    reason: str


@dataclass
class Collection:
    """Counts the moves of games."""

    game: Game
    plies: int = PLIES
    skipped: list[Skipped] = field(default_factory=list)

    def __post_init__(self) -> None:
        if self.plies < 1:
            raise BookError("a book has at least one ply of each game, not {}", self.plies)
        self._pages = new_pages(self.game)
        self._rows: list[tuple[Any, ...]] = []
        self._starts: dict[str, None] = {}

    def read(self, path: str | Path) -> Iterator[int]:
        """Count the games of a file, yielding the number of each. Unreadable games are in `skipped`."""
        try:
            data = Path(path).read_bytes()
        except OSError as problem:
            raise BookError("{} cannot be read: {}", path, reason_of(problem)) from None
        try:
            texts = list(self.game.split_games(data))
        except PositionError as problem:
            raise BookError("{} cannot be read: {}", path, problem) from None
        for number, text in enumerate(texts, 1):
            try:
                self.add(*self.game.read_record(text))
            except (PositionError, BookError) as problem:
                self.skipped.append(Skipped(str(path), number, " ".join(str(problem).split())))
            yield number

    def add(self, start: Any, actions: list[int], result: float | None = None) -> None:
        """Count a game. `result` is player 0's points; without it, a finished game is scored by the rules."""
        game, begins = self.game, start_text(self.game, start)
        if begins is None:
            raise BookError("it begins elsewhere, and {} cannot write where", game.label())
        state, moves = start, []
        for ply, action in enumerate(actions):
            if ply < self.plies and game.player(state) != CHANCE:
                moves.append((word_of(game, state), action, int(game.player(state))))
            state = game.result(state, action)
        if result is None and game.is_terminal(state):
            lead = game.utility(state, 0) - game.utility(state, 1)
            result = 1.0 if lead > 0 else 0.0 if lead < 0 else 0.5
        self._starts[begins] = None
        self._pages.facts.games += 1
        for key, action, mover in moves:
            own = None if result is None else result if mover == 0 else 1 - result
            self._rows.append((key, action, NOT_ANALYSED, 1, own == 1, own == 0.5, own == 0, 0, 0))
        if len(self._rows) >= BUFFERED_MOVES:
            self._add_up()

    def pages(self) -> Pages:
        """The book so far."""
        self._add_up()
        self._pages.facts.starts = list(self._starts)
        return self._pages

    def _add_up(self) -> None:
        new = entries_of(self._rows) if self._rows else no_entries()
        self._pages.entries = combined(np.concatenate([self._pages.entries, new]))
        self._rows.clear()
