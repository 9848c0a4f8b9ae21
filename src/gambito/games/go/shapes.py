"""Shapes of three by three crossings in which a stone in the middle is likely to be good.

After Gelly, Wang, Munos & Teytaud, Modification of UCT with patterns in Monte-Carlo Go (2006): hane, cuts,
and the same at the edge. Shapes may be turned and mirrored, and their colours exchanged.

    X O     stones of the two colours        x o    not a stone of that colour
    .       free                             #      beyond the edge              ?    anything
"""

from __future__ import annotations

import numpy as np

SHAPES = (
    "XOX .*. ???",  # around a stone that is held on both sides
    "XO. .*. ?.?",  # around a stone
    "XO? X*. o.?",  # a turn
    ".O. X*. ...",  # diagonally at a stone
    "XO? O*o ?o?",  # a cut that is not protected
    "XO? O*X ???",  # a cut that was threatened
    "?X? O*O ooo",  # a cut between two
    "OX? o*O ???",  # a cut at a knight's distance
    "X.? O*? ###",  # along the edge
    "OX? X*O ###",
    "?X? x*O ###",
    "?XO o*o ###",
    "?OX X*O ###",
)
FREE, MINE, THEIRS, EDGE = range(4)
KINDS = {
    ".": (FREE,), "X": (MINE,), "O": (THEIRS,), "#": (EDGE,), "?": (FREE, MINE, THEIRS, EDGE),
    "x": (FREE, THEIRS, EDGE), "o": (FREE, MINE, EDGE),
}  # fmt: skip
SWAP = str.maketrans("XOxo", "OXox")


def index_of(kind: int, number: int) -> int:
    """What a neighbour adds to the index of a shape: a bit for mine, a bit eight places higher for theirs."""
    return (kind & 1) << number | (kind >> 1) << (number + 8)


def table_of_shapes() -> np.ndarray:
    """For each of the 65536 combinations of neighbours, by `index_of`: is it one of the shapes?"""
    table = np.zeros(1 << 16, np.bool_)
    for shape in SHAPES:
        rows = np.array([list(row) for row in shape.split()])
        for turns in range(4):
            for seen in (np.rot90(rows, turns), np.rot90(rows, turns).T):
                around = "".join(seen.ravel()).replace("*", "")
                for colours in (around, around.translate(SWAP)):
                    found = np.zeros(1, np.int64)
                    for number, mark in enumerate(colours):
                        ways = np.array([index_of(kind, number) for kind in KINDS[mark]])
                        found = (found[:, None] + ways).ravel()
                    table[found] = True
    return table


IS_SHAPE = table_of_shapes()
