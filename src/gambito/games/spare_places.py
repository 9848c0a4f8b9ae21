"""Square boards as places of wide words, row by row, with one spare place at the end of each row.

So neighbours differ by the same numbers everywhere, and nothing runs from one row into the next. Cells are
numbered without the spare places.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gambito.native.wide import Words, wide_set


class SparePlaces:
    """Cells and places of a board, for a class that derives from `Game` too."""

    size: int
    stride: int  # one more
    words: int

    def cell_of(self, place: Any) -> Any:
        return place // self.stride * self.size + place % self.stride

    def place_of(self, cell: Any) -> Any:
        return cell // self.size * self.stride + cell % self.size

    def places_with(self, cells: Sequence[int], code: int) -> Words:
        """The places of all cells that have a code."""
        return wide_set((self.place_of(cell) for cell, held in enumerate(cells) if held == code), self.words)
