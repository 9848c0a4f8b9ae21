"""Phantom tic-tac-toe: three in a row, and nobody sees the other's marks.

1 2 3
4 5 6      place 0 is square 1, place 8 is square 9
7 8 9

A player who tries a square that the other has taken learns it and tries another one.
"""

from __future__ import annotations

from gambito.boards.picture import NOBODY, Board, Piece, grid
from gambito.games.phantom.tries import BLANK, Phantom, State
from gambito.games.tic_tac_toe import LINES
from gambito.native import int64
from gambito.native.wide import wide_set
from gambito.words.sentence import Sentence


class PhantomTicTacToe(Phantom):
    """Three in a row wins; a player sees its own marks and those that it has found."""

    name = "phantom-tic-tac-toe"
    title = "Phantom tic-tac-toe"
    sides = ("X", "O")
    wins_by = Sentence("a line of {}", 3)
    example = "5 1! 9 / ? / 3"

    def __init__(self, counted: bool = False) -> None:
        self._prepare(wide_set(range(9), 1), counted)

    def wins(self, stones, player):
        squares = int64(stones[0])
        for line in LINES:
            if squares & line == line:
                return True
        return False

    # ---- text and picture ------------------------------------------------------------------------
    def show(self, state: State) -> str:
        marks = self._marks(state)
        named = [m if m in "XO" else BLANK if m == BLANK else str(c + 1) for c, m in marks.items()]
        return "\n---+---+---\n".join(" " + " | ".join(named[r : r + 3]) for r in (0, 3, 6))

    def cell_name(self, cell: int) -> str:
        return str(cell + 1)

    def picture(self) -> Board:
        return grid(3, 3)

    def pieces(self, state: State) -> list[Piece]:
        shapes = {"X": ("cross", 0, ""), "O": ("ring", 1, ""), BLANK: ("text", NOBODY, BLANK)}
        return [Piece(cell, *shapes[mark]) for cell, mark in self._marks(state).items() if mark in shapes]

    def touch(self, state: State, action: int) -> tuple[int]:
        return (action,)
