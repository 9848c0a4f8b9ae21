"""Othello as text: squares `f5`, games `f5d6c3`, positions as the marks of all squares row by row.

X (also *) is Black and moves first, O is White, - (also .) is empty. No rules are used here.
"""

from __future__ import annotations

import re

from gambito.errors import PositionError
from gambito.game.contract import quoted
from gambito.words.sentence import Sentence

PASS = "pass"
ALIKE = {"*": "X", ".": "-"}  # other marks of a square
_COLUMNS = "abcdefgh"


def square_name(square: int, size: int) -> str:
    return f"{_COLUMNS[square % size]}{square // size + 1}"


def looks_like_board(text: str) -> bool:
    """Does the text look like a position and not like a list of moves?"""
    return text.strip()[:1] in tuple("XxOo*-.")


def read_moves(text: str, size: int) -> list[int]:
    """The squares of a list of moves; size² is a pass."""
    letters = _COLUMNS[:size]
    word = re.compile(rf"\s*(?:([{letters}])([1-{size}])|{PASS})\s*", re.IGNORECASE | re.ASCII)
    squares: list[int] = []
    place = 0
    while place < len(text):
        found = word.match(text, place)
        if found is None:
            accepted = Sentence("a1 to {}, and {}", square_name(size * size - 1, size), PASS)
            raise PositionError(
                "move {} of {} cannot be read; accepted: {}", len(squares) + 1, quoted(text), accepted
            )
        place = found.end()
        is_pass = found[1] is None
        squares.append(
            size * size if is_pass else letters.index(found[1].lower()) + size * (int(found[2]) - 1)
        )
    return squares
