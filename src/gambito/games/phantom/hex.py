"""Dark hex: join your two edges with a chain of stones, without seeing the other's.

Cells are numbered as in Hex, row by row, with one spare place at the end of each row. On 3×3:

    0 1 2
     4 5 6        Black (player 0) joins top and bottom, White left and right
      8 9 10

A player who tries a cell that the other has taken learns it and tries another one.
"""

from __future__ import annotations

from dataclasses import replace

from gambito.boards.equipment import NO_CELL, Equipment, Kind, discs
from gambito.errors import GameError
from gambito.games.hex import Hex
from gambito.games.phantom.tries import BLANK, Phantom
from gambito.games.spare_places import SparePlaces
from gambito.words.sentence import Sentence


class DarkHex(SparePlaces, Phantom):
    """Black joins top and bottom, White left and right; a player sees what it has put and found."""

    name = "dark-hex"
    title = "Dark hex"
    sides = ("Black", "White")
    wins_by = Sentence("both edges are connected")
    example = "b2 a1! / ? / 2"

    def __init__(self, size: int = 3, counted: bool = False) -> None:
        if not 2 <= size <= 8:
            raise GameError("size is from 2 to 8")
        if counted and size > 5:
            raise GameError("size is from 2 to 5 if tries are counted")
        self.size, self.stride = size, size + 1
        board = self._board = Hex(size)
        self.nothing = board.nothing
        self.top, self.bottom, self.left, self.right = board.top, board.bottom, board.left, board.right
        self._prepare(board.board, counted)

    around, reach, wins = Hex.around, Hex.reach, Hex.is_joined

    # ---- board -----------------------------------------------------------------------------------
    def equipment(self) -> Equipment:
        known = self._board.kept_equipment()
        return replace(known, pieces=(*discs("BW"), Kind(BLANK, "text", text=BLANK)), sides=())

    def touched(self, state, action, step):
        return self.cell_of(action) if step == 0 else NO_CELL

    def cell_name(self, place: int) -> str:
        return self.kept_equipment().board.cells[self.cell_of(place)].name
