"""Phantom tic-tac-toe: three in a row, and nobody sees the other's marks.

1 2 3
4 5 6      place 0 is square 1, place 8 is square 9
7 8 9

A player who tries a square that the other has taken learns it and tries another one.
"""

from __future__ import annotations

from gambito.boards.equipment import NO_CELL, Equipment, Kind
from gambito.boards.picture import grid
from gambito.games.phantom.tries import BLANK, Phantom, State
from gambito.games.tic_tac_toe import LINES, draw_numbered
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

    # ---- board -----------------------------------------------------------------------------------
    def equipment(self) -> Equipment:
        kinds = (Kind("X", "cross", 0), Kind("O", "ring", 1), Kind(BLANK, "text", text=BLANK))
        return Equipment(grid(3, 3), kinds)

    def place_of(self, cell):
        return cell

    def touched(self, state, action, step):
        return action if step == 0 else NO_CELL

    def show(self, state: State) -> str:
        return draw_numbered(" XO?"[code] for code in self.cell_codes(state))

    def cell_name(self, place: int) -> str:
        return str(place + 1)
