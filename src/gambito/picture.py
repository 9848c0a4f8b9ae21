"""Boards to look at and play on: what a game's `picture` and `pieces` are made of."""

from gambito.game.picture import Board, Cell, Label, Piece, crossings, grid, hexagons, letter, pits, points

__all__ = ["Board", "Cell", "Label", "Piece", "crossings", "grid", "hexagons", "letter", "pits", "points"]
