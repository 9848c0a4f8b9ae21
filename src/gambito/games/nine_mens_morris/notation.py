"""Morris as text: points by file and rank, positions ring by ring.

7   a7 ------- d7 ------- g7
6   |  b6 ---- d6 ---- f6  |          W.B...../......../........ W 8 8
5   |  |   c5-d5-e5     |  |          the rings from the outside, each clockwise from its upper left
4   a4-b4-c4      e4-f4-g4            corner; the side to move; White's and Black's men in hand;
3   |  |   c3-d3-e3     |  |          and the plies since a man was placed or taken, if any
2   |  b2 ---- d2 ---- f2  |
1   a1 ------- d1 ------- g1
"""

from __future__ import annotations

from collections.abc import Sequence

from gambito.boards import picture as drawn
from gambito.errors import PositionError
from gambito.game.contract import quoted
from gambito.game.numerals import read_whole

RING = 8
LONGEST_REST = 999_999  # plies without progress, in the text of a position
_ROUND = ((-1, -1), (0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0))  # clockwise, y downwards


def spots(rings: int) -> list[tuple[int, int]]:
    """Column and row of every point, from the upper left corner."""
    return [
        (rings + (rings - ring) * x, rings + (rings - ring) * y) for ring in range(rings) for x, y in _ROUND
    ]


def names(rings: int) -> list[str]:
    return [f"{drawn.letter(x)}{2 * rings + 1 - y}" for x, y in spots(rings)]


def joined(rings: int) -> list[tuple[int, int]]:
    """The neighbours, each pair once."""
    around = [(RING * r + p, RING * r + (p + 1) % RING) for r in range(rings) for p in range(RING)]
    across = [(RING * r + p, RING * r + RING + p) for r in range(rings - 1) for p in (1, 3, 5, 7)]
    return around + across


def draw(marks: Sequence[str], rings: int) -> str:
    """The board with its lines."""
    size = 2 * rings + 1
    rows = [[" "] * (4 * size - 3) for _ in range(2 * size - 1)]
    places = spots(rings)
    for a, b in joined(rings):
        (x, y), (u, v) = sorted((places[a], places[b]))
        for column in range(4 * x + 1, 4 * u) if y == v else ():
            rows[2 * y][column] = "-"
        for row in range(2 * min(y, v) + 1, 2 * max(y, v)) if x == u else ():
            rows[row][4 * x] = "|"
    for mark, (x, y) in zip(marks, places, strict=False):
        rows[2 * y][4 * x] = mark
    lines = [
        f"{size - number // 2}  {''.join(row)}" if number % 2 == 0 else "   " + "".join(row)
        for number, row in enumerate(rows)
    ]
    return "\n".join([*(line.rstrip() for line in lines), "   " + "   ".join(map(drawn.letter, range(size)))])


def read_extras(words: Sequence[str], text: str, men: int) -> tuple[int, int, int]:
    """The men of White and of Black in hand, and the plies without progress."""
    known = [number for word in words if (number := read_whole(word, LONGEST_REST)) is not None]
    if not len(known) == len(words) or len(known) not in (0, 2, 3):
        raise PositionError("{} does not end with the men in hand; accepted: as 8 8", quoted(text))
    first, second, rest = (*known, 0, 0, 0)[:3]
    if max(first, second) > men:
        raise PositionError("{}: a side has no more than {} men in hand", quoted(text), men)
    return first, second, rest


def board(rings: int) -> drawn.Board:
    """The cells are the points and two more, for men that are not yet placed."""
    size = 2 * rings + 1
    plain = drawn.points(spots(rings), joined(rings), names(rings))
    hands = [drawn.Cell(name, size + 0.6, y, "none") for name, y in (("White", size - 0.5), ("Black", 0.5))]
    labels = [drawn.Label(x + 0.5, size + 0.2, drawn.letter(x)) for x in range(size)]
    labels += [drawn.Label(-0.2, y + 0.5, str(size - y)) for y in range(size)]
    left, right, top, bottom = -drawn.RIM, size + drawn.RIM + 0.6, -drawn.RIM / 2, size + drawn.RIM
    wood = ("wood", (left, top, right, top, right, bottom, left, bottom))
    return drawn.Board(
        size + 1.2, size, (*plain.cells, *hands), plain.lines, areas=(wood,), labels=tuple(labels)
    )
