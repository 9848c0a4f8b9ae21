"""A player's opening book: the moves that it plays before it begins to search."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, field
from typing import Any

from gambito.books.choice import OpeningBook
from gambito.books.shelf import open_book
from gambito.errors import BookError, PlayerError
from gambito.game.contract import Game

CHOICES = ("weighted", "best")
BOOK = ("book", "book_choice", "book_margin", "book_seed")  # the settings of a book in a player's text


@dataclass
class Opening:
    """A book, and how moves are chosen from it."""

    book: OpeningBook
    choice: str = CHOICES[0]
    margin: float | None = None  # values this far below the best are as good; None: only nearly equal ones
    seed: int | None = None  # the same seed gives the same random choices
    rng: random.Random = field(default_factory=random.Random, init=False, repr=False)

    def prepare(self, game: Game) -> None:
        """Raise a PlayerError if the book is for another game."""
        try:
            self.book.check(game)
        except BookError as problem:
            raise PlayerError(problem.sentence) from None

    def begin(self, number: int) -> None:
        if self.seed is not None:
            self.rng.seed(f"{self.seed} {number}")

    def choose(self, game: Game, state: Any) -> int | None:
        """A move from the book; None if the book has none."""
        return self.book.choose(game, state, self.rng if self.choice == CHOICES[0] else None, self.margin)


def read_opening(said: dict[str, str]) -> Opening | None:
    """The book that a player's text names, `book=FILE,book_choice=best`; they are removed from `said`."""
    path, choice, margin, seed = (said.pop(name, None) for name in BOOK)
    if path is None:
        if any(word is not None for word in (choice, margin, seed)):
            raise PlayerError("{} are settings of a book; they need book=FILE", ", ".join(BOOK[1:]))
        return None
    if choice is not None and choice not in CHOICES:
        raise PlayerError("book_choice must be {}, not '{}'", " or ".join(CHOICES), choice)
    try:
        least, start = None if margin is None else float(margin), None if seed is None else int(seed)
    except ValueError:
        raise PlayerError("book_margin must be a number, and book_seed a whole number") from None
    if least is not None and not 0 <= least < math.inf:
        raise PlayerError("book_margin must be a number of 0 or more, not '{}'", margin)
    try:
        return Opening(open_book(path), choice or CHOICES[0], least, start)
    except BookError as problem:
        raise PlayerError(problem.sentence) from None
