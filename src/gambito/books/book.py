"""An opening book in Gambito's format, made from games played, from analysis, or from both.

book = open_own("othello.book")
book.check(game)
book.moves(game, state), book.choose(game, state, random.Random())
"""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from gambito.books.choice import NEAR, OpeningBook, word_of
from gambito.books.entries import COUNTS, combined
from gambito.books.files import BookFile, Facts, Pages
from gambito.errors import BookError, PositionError
from gambito.game.contract import CHANCE, Game
from gambito.game.views import view_of

SAMPLES = 8  # positions whose keys are compared


def key_digest(game: Game) -> str:
    """A digest of the keys of a few positions, which detects books of games with other keys."""
    state, known = game.initial(), hashlib.sha256()
    for ply in range(SAMPLES):
        known.update(word_of(game, state).to_bytes(8, "little"))
        legal = game.legal(state)
        if not legal:
            break
        state = game.result(state, legal[(7 * ply + 3) % len(legal)])
    return known.hexdigest()[:16]


def new_pages(game: Game) -> Pages:
    """An empty book; raise BookError if the game cannot have one."""
    if game.players != 2 or not game.zero_sum:
        raise BookError("{} can have no book: books are of games for two that are zero-sum", game.label())
    return Pages(Facts(game.label(), key_digest(game), []))


def start_text(game: Game, state: Any) -> str | None:
    """The start of a line as text in a book; None if the game cannot write it."""
    if word_of(game, state) == word_of(game, game.initial()):
        return ""
    text = game.text(state)
    return text or None


class Book(OpeningBook):
    """A book in a file or in memory."""

    def __init__(self, source: BookFile | Pages, name: str = "the book") -> None:
        self.source, self.facts, self.name = source, source.facts, name

    def __len__(self) -> int:
        return len(self.entries())

    def check(self, game: Game) -> None:
        if self.facts.game != game.label():
            raise BookError("{} is a book of {}, not of {}", self.name, self.facts.game, game.label())
        if self.facts.keys != key_digest(game):
            raise BookError(
                "{} was made by another version of {}, whose keys are different", self.name, game.label()
            )

    def entries(self) -> Any:
        """All entries, sorted by key and action."""
        return self.source.entries() if isinstance(self.source, BookFile) else self.source.entries

    def pages(self) -> Pages:
        """The whole book in memory, as a copy that can be changed."""
        return Pages(replace(self.facts, starts=[*self.facts.starts]), self.entries().copy())

    def find(self, game: Game, state: Any) -> Any:
        """The entries of a position that are legal in it: games and analyses.

        Analyses are stored for one of the positions that are symmetric to each other.
        """
        key = word_of(game, state)
        found = self._find(key)
        view, seen = view_of(game, state)
        if view:
            other = self._find(word_of(game, seen))
            other = other[~np.isnan(other["value"])].copy()
            other["key"] = key
            other["action"] = [game.turn(int(action), view, True) for action in other["action"]]
            for name in COUNTS:
                other[name] = 0
            found = combined(np.concatenate([found, other]))
        if not len(found) or game.player(state) == CHANCE:
            return found[:0]
        return found[np.isin(found["action"], game.legal(state))]

    def _find(self, key: int) -> Any:
        if isinstance(self.source, BookFile):
            return self.source.find(key)
        keys, word = self.source.entries["key"], np.uint64(key)
        return self.source.entries[np.searchsorted(keys, word) : np.searchsorted(keys, word, "right")]

    def moves(self, game: Game, state: Any, margin: float | None = None) -> dict[int, float]:
        found = self.find(game, state)
        values, weights = found["value"], points(found)
        if not np.isnan(values).all():
            least = np.nanmax(values) - (NEAR * game.unit() if margin is None else margin)
            found, weights = found[values >= least], 1.0 + weights[values >= least]
        return dict(zip(found["action"].tolist(), weights.tolist(), strict=True))

    def walk(self, game: Game) -> Iterator[tuple[Any, Any]]:
        """Every position with its entries, in order of distance from the start of the lines."""
        waiting = deque(self.starts(game))
        seen = {word_of(game, state) for state in waiting}
        while waiting:
            state = waiting.popleft()
            found = self.find(game, state)
            if len(found):
                yield state, found
            is_chance = game.player(state) == CHANCE
            for action in game.legal(state) if is_chance else found["action"].tolist():
                child = game.result(state, action)
                if word_of(game, child) not in seen:
                    seen.add(word_of(game, child))
                    waiting.append(child)

    def starts(self, game: Game) -> list[Any]:
        """The positions where its lines begin."""
        try:
            return [game.parse(text) if text else game.initial() for text in self.facts.starts]
        except PositionError as problem:
            raise BookError("{} has a line that begins where no game can: {}", self.name, problem) from None


def points(entries: Any) -> Any:
    """The points of each move in games: 2 for a win, 1 for a draw or a game without result."""
    counts = {name: entries[name].astype(np.float64) for name in ("count", "wins", "losses")}
    return counts["count"] + counts["wins"] - counts["losses"]


def open_own(path: str | Path) -> Book:
    """Open the book in a file."""
    return Book(BookFile(path), str(path))


def merge(books: Sequence[Book]) -> Pages:
    """Merge several books: games are added up, and the most reliable analysis of a move is used."""
    first = books[0]
    for other in books[1:]:
        if (other.facts.game, other.facts.keys) != (first.facts.game, first.facts.keys):
            raise BookError(
                "{} is a book of {}, and {} one of {}",
                other.name,
                other.facts.game,
                first.name,
                first.facts.game,
            )
    pages = first.pages()
    pages.facts.starts = list(dict.fromkeys(text for book in books for text in book.facts.starts))
    pages.facts.games = sum(book.facts.games for book in books)
    pages.entries = combined(np.concatenate([book.entries() for book in books]))
    return pages
