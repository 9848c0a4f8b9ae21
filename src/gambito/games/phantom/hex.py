"""Dark hex: join your two edges with a chain of stones, without seeing the other's.

Cells are numbered as in Hex, row by row, with one spare place at the end of each row. On 3×3:

    0 1 2
     4 5 6        Black (player 0) joins top and bottom, White left and right
      8 9 10

A player who tries a cell that the other has taken learns it and tries another one.
"""

from __future__ import annotations

from gambito.boards.picture import NOBODY, Board, Piece, letter
from gambito.errors import GameError
from gambito.games.hex import Hex
from gambito.games.phantom.tries import BLANK, ONGOING, Phantom, State
from gambito.words.sentence import Sentence


class DarkHex(Phantom):
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

    # ---- text and picture ------------------------------------------------------------------------
    def show(self, state: State) -> str:
        marks, size = [*self._marks(state).values()], self.size
        files = " ".join(letter(column) for column in range(size))
        rows = [
            f"{' ' * row}{row + 1:>2}  {' '.join(marks[row * size : (row + 1) * size])}"
            for row in range(size)
        ]
        is_over = state.ending != ONGOING
        turn = "the game is over" if is_over else f"{self.sides[state.stones & 1]} to move"
        return "\n".join([f"   {files}", *rows, turn])

    def cell_name(self, cell: int) -> str:
        return f"{letter(cell % self.stride)}{cell // self.stride + 1}"

    def picture(self) -> Board | None:
        return self._board.picture()

    def pieces(self, state: State) -> list[Piece]:
        shapes = {"B": ("disc", 0, ""), "W": ("disc", 1, ""), BLANK: ("text", NOBODY, BLANK)}
        marks = self._marks(state).values()
        return [Piece(number, *shapes[mark]) for number, mark in enumerate(marks) if mark in shapes]

    def touch(self, state: State, action: int) -> tuple[int]:
        return (action // self.stride * self.size + action % self.stride,)
