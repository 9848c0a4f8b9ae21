"""Othello as text: squares `f5`, games `f5d6c3`, positions as the marks of all squares row by row.

X (also *) is Black and moves first, O is White, - (also .) is empty. No rules are used here.
"""

from __future__ import annotations

import re

from gambito.errors import PositionError
from gambito.game.contract import quoted
from gambito.words.sentence import Sentence

MARKS = "XO-"
PASS = "pass"
_KNOWN = {"X": 0, "x": 0, "*": 0, "O": 1, "o": 1, "-": 2, ".": 2}
_COLUMNS = "abcdefgh"


def square_name(square: int, size: int) -> str:
    return f"{_COLUMNS[square % size]}{square // size + 1}"


def looks_like_board(text: str) -> bool:
    """Does the text look like a position and not like a list of moves?"""
    return text.strip()[:1] in _KNOWN


def read_board(text: str, size: int) -> tuple[int, int, int]:
    """The black squares, the white squares, and who moves: 0 for Black, 1 for White."""
    marks, cells = [_KNOWN.get(c) for c in "".join(text.split())], size * size
    accepted = Sentence(
        "{} marks X, O or - and the side to move, X or O; or the moves played, as c3d3", cells
    )
    if None in marks or len(marks) not in (cells, cells + 1):
        raise PositionError("{} is no position; accepted: {}", quoted(text), accepted)
    if len(marks) == cells or marks[-1] == 2:
        raise PositionError("{} does not say who moves; accepted: {}", quoted(text), accepted)
    black, white = (sum(1 << s for s in range(cells) if marks[s] == who) for who in (0, 1))
    return black, white, marks[-1] or 0


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


def draw(marks: str, size: int) -> str:
    """The board with its coordinates."""
    rows = [f"{y + 1} {' '.join(marks[y * size : y * size + size])}" for y in range(size)]
    return "\n".join(["  " + " ".join(_COLUMNS[:size]), *rows])
