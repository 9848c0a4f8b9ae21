"""The patterns of Othello: edges, corners, rows and diagonals, for every stage of the game.

    a..h 1 with b2 and g2     the edge and the squares that open its corners
    3×3 and 5×2 at a corner
    rows 2, 3 and 4           and the same columns, since the board has eight views
    diagonals of 4 to 8

A stage is two discs long. After Buro's Logistello.
"""

from __future__ import annotations

from gambito.evaluate.patterns import Patterns, pattern_value
from gambito.native import popcount

TUPLES = (
    (9, 0, 1, 2, 3, 4, 5, 6, 7, 14),
    (0, 1, 2, 8, 9, 10, 16, 17, 18),
    (0, 1, 2, 3, 4, 8, 9, 10, 11, 12),
    tuple(range(8, 16)),
    tuple(range(16, 24)),
    tuple(range(24, 32)),
    *(tuple(9 * step + column for step in range(8 - column)) for column in range(5)),
)
STAGES, PER_STAGE, FIRST = 30, 2, 4  # discs of a stage, and at the start of a game
UNIT = 32  # units in a disc


def pattern_form(board):
    """The form of the learned evaluation."""
    size = board.size
    views = [lambda s, v=v: _seen(s % size, s // size, size - 1, v) for v in range(1, 8)]
    form = Patterns(TUPLES, views, stages=STAGES, unit=UNIT)
    form.equip(board)
    return form


def _seen(x, y, last, view):
    """A square in one of the views of board.py."""
    if view & 1:
        x = last - x
    if view & 2:
        y = last - y
    if view & 4:
        x, y = y, x
    return y * (last + 1) + x


def pattern_stage(mine, theirs):
    """The set of pattern tables to use: it depends on the discs on the board."""
    return min(max(popcount(mine | theirs) - FIRST, 0) // PER_STAGE, STAGES - 1)


def judge(board, mine, theirs):
    """The discs by which the side to move is expected to win."""
    total = pattern_value(board, (mine, theirs), pattern_stage(mine, theirs), 0)
    return max(-board.cells, min(board.cells, (total + UNIT // 2) // UNIT))
