"""Where the inputs of a network lie on a board.

A game's picture says where its cells are, and its pieces what stands on them. In positions of random games, a
bit of the state that goes with the pieces on one cell belongs to that cell. Sets that go with the same kind
of pieces on different cells are one plane: a large board needs several numbers for it.

A game without a picture may have a board all the same: its sets of squares are read row by row, and what
changes with a move says how long a row is, since most moves reach the cells nearby.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gambito.evaluate.policy.encoding import (
    BITS,
    VALUES,
    InputView,
    StateEncoding,
    square_numbers,
    squares_among,
)
from gambito.game.contract import Game

SAMPLE = 1500  # positions that are compared with their pictures
ALIKE = 0.95  # the least correlation of a bit with what stands on a cell
FEWEST = 12  # bits on a board
KINDS = 5  # of what stands on a cell: anything, player 0's, player 1's, the mover's, the other's
NOWHERE = -(1 << 20)  # the place of an input that is not on the board
PAIR, FEWEST_PAIRS = 2, 100  # squares that change with a move, and moves that tell the width of a board
SPARSE = 3  # a grid may have so many times the cells of a board


def find_places(game: Game, sight: StateEncoding, packed: Any, movers: Any) -> Any:
    """[inputs][3]: twice the coordinates of each input's cell, or NOWHERE, and its plane; None: no board."""
    layout = sight.layout
    if layout.kind is None or not layout.is_stored:
        return None
    try:
        board = game.picture()
        if board is None:
            return guess_places(sight, packed, movers)
        chosen = np.linspace(0, len(packed) - 1, min(SAMPLE, len(packed))).astype(np.int64)
        standing = np.zeros((KINDS, len(chosen), len(board.cells)), np.float32)
        for row, number in enumerate(chosen):
            for piece in game.pieces(layout.unpack(packed[number])):
                own = piece.side == movers[number]
                for kind in (0, 1 if piece.side == 0 else 2, 3 if own else 4):
                    standing[kind, row, piece.cell] = 1.0
    except NotImplementedError:
        return guess_places(sight, packed, movers)
    bits = sight.rows(packed[chosen], movers[chosen])
    likeness = np.abs([_correlation(bits, standing[kind]) for kind in range(KINDS)])  # [kinds][inputs][cells]
    best, cells = likeness.max(axis=(0, 2)), likeness.max(axis=0).argmax(axis=1)
    places = np.full((sight.inputs, 3), NOWHERE, np.int64)
    planes: list[tuple[int, set[int]]] = []  # of each plane the kind of its pieces, and its cells
    for inputs in _sets(sight):
        known = inputs[best[inputs] >= ALIKE]
        if len(known):
            kind = int(likeness[:, known, cells[known]].sum(axis=1).argmax())
            plane = _plane_for(planes, kind, {int(cell) for cell in cells[known]})
            for number in known:
                cell = board.cells[int(cells[number])]
                places[number] = round(2 * cell.x), round(2 * cell.y), plane
    _place_numbers(sight, places, len(planes))
    return places if (places[:, 0] != NOWHERE).sum() >= FEWEST else None


def _plane_for(planes: list[tuple[int, set[int]]], kind: int, cells: set[int]) -> int:
    """The plane that a set belongs to: one of the same kind without these cells, or a new one."""
    for number, (known, taken) in enumerate(planes):
        if known == kind and not taken & cells:
            taken |= cells
            return number
    planes.append((kind, set(cells)))
    return len(planes) - 1


def _correlation(some: Any, others: Any) -> Any:
    """The correlations of all columns with all columns; 0 for constant ones."""

    def scaled(columns: Any) -> Any:
        centred = columns - columns.mean(axis=0)
        size = np.sqrt((centred * centred).sum(axis=0))
        return centred / np.where(size > 0.0, size, np.inf)

    return scaled(some).T @ scaled(others)


def _sets(sight: StateEncoding) -> list[Any]:
    """The inputs of each number that is seen by its bits."""
    return [inputs for view, inputs in viewed(sight) if view.way == BITS]


def viewed(sight: StateEncoding) -> list[tuple[InputView, Any]]:
    """All views with their inputs."""
    found, place = [], sight.players
    for view in sight.views:
        found.append((view, np.arange(place, place + view.inputs)))
        place += view.inputs
    return found


def guess_places(sight: StateEncoding, packed: Any, movers: Any) -> Any:
    """The places of a game that has sets of squares and no picture; None if moves do not tell a width."""
    planes = [  # of each plane the inputs and their squares
        (inputs, np.array(view.marks, np.int64))
        for view, inputs in viewed(sight)
        if sight.layout.spots[view.spot].is_set
    ]
    if not planes:
        return None
    count = 1 + max(int(marks.max()) for _, marks in planes)
    width = _width(sight.rows(packed, movers), planes, count)
    if width is None:
        return None
    places = np.full((sight.inputs, 3), NOWHERE, np.int64)
    for number, (inputs, marks) in enumerate(planes):
        places[inputs] = np.stack([2 * (marks % width), 2 * (marks // width), np.full_like(marks, number)], 1)
    _place_numbers(sight, places, len(planes))
    return places


def _place_numbers(sight: StateEncoding, places: Any, planes: int) -> None:
    """Place the numbers of squares: each is a plane, which follows the planes of the sets."""
    squares, inputs_of = square_numbers(sight.layout, sight.views), dict(enumerate(viewed(sight)))
    for view, inputs in viewed(sight):
        if view.way == VALUES and squares_among(view.marks, squares):
            for number, mark in zip(inputs, view.marks, strict=True):
                if mark >= 0:
                    at, place = squares[int(mark)]
                    across, down, _ = places[inputs_of[at][1][place]]
                    places[number] = across, down, planes
            planes += 1


def _width(rows: Any, planes: list[tuple[Any, Any]], count: int) -> int | None:
    """The width at which the squares that change with a move lie nearest to each other."""
    changed = np.zeros((len(rows) - 1, count), bool)
    for inputs, marks in planes:
        changed[:, marks] |= rows[1:, inputs] != rows[:-1, inputs]
    pairs = np.array([np.flatnonzero(line) for line in changed[changed.sum(axis=1) == PAIR]])
    if len(pairs) < FEWEST_PAIRS:
        root = round(count**0.5)
        return root if root * root == count and count >= FEWEST else None
    one, other = pairs.T
    widths = np.arange(3, count // 3 + 1)
    across = (one % widths[:, None] - other % widths[:, None]) ** 2
    down = (one // widths[:, None] - other // widths[:, None]) ** 2
    return int(widths[np.sqrt(across + down).mean(axis=1).argmin()]) if len(widths) else None


class Grid:
    """A board as rows and columns: the plane and the cell of each input that is on it, and the other inputs.

    The rows of some boards are moved by half a cell each; then the columns run aslant. ValueError if the
    cells do not lie in a grid.
    """

    def __init__(self, places: Any) -> None:
        self.on = np.flatnonzero(places[:, 0] != NOWHERE)
        self.off = np.flatnonzero(places[:, 0] == NOWHERE)
        across, down, self.plane = places[self.on].T
        rows = np.unique(down, return_inverse=True)[1]
        columns = min(
            (_columns(across - shear * rows) for shear in (0, 1, -1)), key=lambda found: found.max()
        )
        self.height, self.width = int(rows.max()) + 1, int(columns.max()) + 1
        self.planes = int(self.plane.max()) + 1
        self.cell = rows * self.width + columns
        if self.height * self.width > SPARSE * len(np.unique(self.cell)) or self.plane.min() < 0:
            raise ValueError("no grid")

    @property
    def cells(self) -> int:
        return self.height * self.width


def _columns(across: Any) -> Any:
    """The columns of places, from 0 on."""
    moved = across - across.min()
    return moved // max(int(np.gcd.reduce(moved)), 1)
