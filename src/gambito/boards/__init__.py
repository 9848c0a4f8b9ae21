"""Boards, their pieces, and what follows from declaring them: the names that a game takes from here."""

from gambito.boards.equipment import NO_CELL, Equipment, Kind, PlacedPieces, Values, discs
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
    "NO_CELL",
    "Board",
    "Cell",
    "Equipment",
    "Kind",
    "Label",
    "Mark",
    "Piece",
    "PlacedPieces",
    "Tally",
    "Values",
    "crossings",
    "discs",
    "grid",
    "hexagons",
    "letter",
    "pits",
    "points",
    "rows_of",
]
