"""Named terms with a middlegame weight and an endgame weight, set by hand or fitted.

A term that depends on a number (a rank, a count of squares) has a pair of weights for each value of that
number. Both weights of a pair are stored in one word, the endgame weight in its upper half, and are added at
once; the phase of a position determines how much of each counts. The game's evaluation reads the words from
its `weights` and from tables derived from them. Since the value is a sum of the words, adding one to a word
shows how often it counts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

HALF = 32  # bits


class Term(NamedTuple):
    """A feature with its weights."""

    name: str
    middle: tuple[int, ...]
    end: tuple[int, ...]


class Terms:
    """Terms with their hand-set weights, in the game's values.

    `divisor`: the number of parts into which inputs divide a weight. `derived`: the names of tables that a
    game makes from the words of its weights, with the functions that make them.
    """

    name = "terms"

    def __init__(
        self, terms: Sequence[Term], divisor: int, derived: Mapping[str, Callable[[Any], Any]] | None = None
    ) -> None:
        self.terms, self.divisor, self.derived = tuple(terms), divisor, dict(derived or {})
        self.places: dict[str, int] = {}
        words: list[int] = []
        for term in terms:
            self.places[term.name] = len(words)
            words += [(e << HALF) + m for m, e in zip(term.middle, term.end, strict=True)]
        self.hand = np.array(words, np.int64)
        self.size = len(words)
        told = (f"{term.name} {len(term.middle)}" for term in terms)
        self.description = f"terms of two phases, in {divisor} parts: " + ", ".join(told)

    def share(self, numbers: Any) -> Any:
        """No weight is shared."""
        return numbers

    def begin(self, game: Any) -> Any:
        """The starting point of a fit: the hand-set weights, the middlegame weight of each pair first."""
        return unpacked(self.hand).astype(float)

    def install(self, game: Any, weights: Any) -> None:
        """Store weights in the game, and the tables derived from them."""
        pairs = np.round(weights).astype(np.int64).reshape(-1, 2)
        game.weights.array[:] = (pairs[:, 1] << HALF) + pairs[:, 0]
        for name, derive in self.derived.items():
            getattr(game, name).array[:] = derive(game.weights.array)

    def read(self, words: Any) -> list[Term]:
        """The terms with the weights of these words."""
        pairs, found = unpacked(words).reshape(-1, 2), []
        for term in self.terms:
            place = self.places[term.name]
            part = pairs[place : place + len(term.middle)]
            found.append(Term(term.name, tuple(part[:, 0].tolist()), tuple(part[:, 1].tolist())))
        return found


def unpacked(words: Any) -> Any:
    """The weights in words: middlegame, endgame, and so on."""
    end = (words + (1 << (HALF - 1))) >> HALF
    return np.stack([words - (end << HALF), end], axis=1).ravel()
