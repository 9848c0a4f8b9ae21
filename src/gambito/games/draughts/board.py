"""The board as bits: a square board of any even size, with the pieces on the dark squares.

Places are numbered row by row from the upper left corner, in the order of the usual square numbers, but from
0. One place is left free after every two rows, so that a step is a shift and nothing runs from one row into
the next. On 8×8:

       0     1     2     3
     4     5     6     7
       9    10    11    12        down and left: +4, down and right: +5
    13    14    15    16          (+5 and +6 on 10×10)
      18    19    20    21
    22    23    24    25
      27    28    29    30
    31    32    33    34

Black sits at the top and moves down. Directions are 0 down left, 1 down right, 2 up right, 3 up left.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from gambito.native import uint64

DOWN, UP, ROUND = 3, 12, 15  # sets of directions


class SquareGeometry:
    """The places of a board and the steps between them."""

    def __init__(self, size: int) -> None:
        self.size, self.half = size, size // 2
        self.squares = size * self.half
        self.full = self._choose(lambda x, y: True)
        self.top = self._choose(lambda x, y: y == 0)
        self.bottom = self._choose(lambda x, y: y == size - 1)

    def place_of(self, square: int) -> int:
        """The place of a square, given its usual number from 1."""
        return square - 1 + (square - 1) // self.size

    def square_at(self, place: int) -> int:
        """The usual number of the square at a place."""
        return int(place) - int(place) // (self.size + 1) + 1

    def spot_of(self, square: int) -> tuple[int, int]:
        """Column and row of a square, from the upper left corner."""
        row, column = divmod(square - 1, self.half)
        return 2 * column + 1 - row % 2, row

    def _choose(self, is_chosen: Callable[[int, int], object]) -> np.uint64:
        squares = range(1, self.squares + 1)
        return np.uint64(sum(1 << self.place_of(s) for s in squares if is_chosen(*self.spot_of(s))))

    def _picked(self, *squares: int) -> np.uint64:
        return np.uint64(sum(1 << self.place_of(s) for s in squares))

    def shifted(self, places, way):
        """The places one step further in a direction; some of them may lie beyond the board."""
        if way == 0:
            return places << uint64(self.half)
        if way == 1:
            return places << uint64(self.half + 1)
        if way == 2:
            return places >> uint64(self.half)
        return places >> uint64(self.half + 1)

    def turned(self, places):
        """The places as the other side sees them: the last becomes the first."""
        width, mask = uint64(32), ~uint64(0)
        while width:
            mask ^= mask << width
            places = ((places >> width) & mask) | ((places << width) & ~mask)
            width >>= uint64(1)
        return places >> uint64(64 - self.squares - self.half + 1)
