"""Boards to look at and play on: what a game's `picture` and `pieces` are made of."""

from gambito.boards.picture import (
    Board,
    Cell,
    Label,
    Mark,
    Piece,
    Tally,
    crossings,
    grid,
    hexagons,
    letter,
    pits,
    points,
    rows_of,
)

__all__ = [
    "Board",
    "Cell",
    "Label",
    "Mark",
    "Piece",
    "Tally",
    "crossings",
    "grid",
    "hexagons",
    "letter",
    "pits",
    "points",
    "rows_of",
]
