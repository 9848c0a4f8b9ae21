"""Named terms with a weight for the middle game and one for the end game: tuned by hand, or fitted.

A term that depends on a number (a rank, a count of squares) has a pair of weights for each. Both of a pair
travel in one word, the end game's in its upper half, and are added at once; the phase of a position says how
much of each counts. The game's own evaluation reads the words from its `weights`, and what it derives from
them; since it is a sum of them, how often each counts is found by adding one to it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

HALF = 32  # bits


class Term(NamedTuple):
    """Something that counts."""

    name: str
    middle: tuple[int, ...]
    end: tuple[int, ...]


class Terms:
    """Terms with their hand-set weights, in values of the game.

    `divisor`: inputs count a weight in so many parts. `derived`: names of tables that a game makes from the
    words of its weights, with the functions that make them.
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

    def shared(self) -> None:
        """Every weight is its own."""

    def begin(self, game: Any) -> Any:
        """Where a fit begins: the hand-set weights, first of each pair the middle game's."""
        return unpacked(self.hand).astype(float)

    def install(self, game: Any, weights: Any) -> None:
        """Put weights in their place, and what is derived from them."""
        pairs = np.round(weights).astype(np.int64).reshape(-1, 2)
        game.weights.array[:] = (pairs[:, 1] << HALF) + pairs[:, 0]
        for name, derive in self.derived.items():
            getattr(game, name).array[:] = derive(game.weights.array)

    def read(self, words: Any) -> list[Term]:
        """The terms with the weights of some words."""
        pairs, found = unpacked(words).reshape(-1, 2), []
        for term in self.terms:
            place = self.places[term.name]
            part = pairs[place : place + len(term.middle)]
            found.append(Term(term.name, tuple(part[:, 0].tolist()), tuple(part[:, 1].tolist())))
        return found


def unpacked(words: Any) -> Any:
    """The weights of words: middle game, end game, and so on."""
    end = (words + (1 << (HALF - 1))) >> HALF
    return np.stack([words - (end << HALF), end], axis=1).ravel()
