"""What an action does to a board, found in what it changes. No rule is known.

    before, after    the codes of all cells, layer by layer
    arrows           of each arrow two cells: a piece goes from the first to the second; or one, and NO_CELL

The loops run in both gears.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gambito.boards.equipment import NO_CELL

MOST_TOUCHED = 3  # cells that one action fills; of more, nobody knows which are touched
MOST_ARROWS = MOST_TOUCHED + 1  # of one layer


def find_arrows(before, after, empty, cells, named, arrows):
    """Write the arrows of an action, those of the upper layers first; return their number.

    If the action is the number of a cell that changes, that is `named`, and the only one. Else a piece that
    has left a cell and stands on another has moved, also if it became another piece and nothing else changed;
    cells that are filled with something that stood nowhere are touched after it. Where no piece has moved,
    the cells that are filled are touched, or those that change.
    """
    count, first = 0, len(before) - cells
    while first >= 0:
        changed = filled = left = 0
        source = to = other = NO_CELL
        for cell in range(cells):
            code = before[first + cell]
            if code == after[first + cell]:
                continue
            if cell == named:
                arrows[0, 0], arrows[0, 1] = named, NO_CELL
                return 1
            changed += 1
            if code == empty:
                filled += 1
            if after[first + cell] != empty:
                other = cell
                continue
            left += 1
            if to == NO_CELL:
                source, to = cell, _place_of(before, after, first, cells, cell)
        if to == NO_CELL and changed == 2 and left == 1:
            to = other
        if to != NO_CELL:
            arrows[count, 0], arrows[count, 1] = source, to
            count += 1
        is_known = 0 < filled <= MOST_TOUCHED or 0 < changed <= MOST_TOUCHED
        for cell in range(cells):
            code, now = before[first + cell], after[first + cell]
            if not is_known or code == now or cell == to:
                continue
            if to == NO_CELL:
                is_touched = filled == 0 or code == empty
            else:
                is_touched = code == empty and not _has_left(before, after, first, cells, now)
            if is_touched and count < len(arrows):
                arrows[count, 0], arrows[count, 1] = cell, NO_CELL
                count += 1
        first -= cells
    return count


def _place_of(before, after, first, cells, left):
    """The cell of a layer where the piece that has left a cell stands now; NO_CELL if there is none."""
    for cell in range(cells):
        code = after[first + cell]
        if cell != left and code == before[first + left] and code != before[first + cell]:
            return cell
    return NO_CELL


def _has_left(before, after, first, cells, code):
    """Has such a piece left a cell of the layer?"""
    for cell in range(cells):
        if before[first + cell] == code and after[first + cell] != code:
            return True
    return False


def arrows_of(
    before: Sequence[int], after: Sequence[int], empty: int, cells: int, named: int = NO_CELL
) -> tuple[tuple[int, ...], ...]:
    """What an action does: (from, to) moves a piece, (cell,) puts one."""
    arrows = np.empty((MOST_ARROWS * max(len(before) // cells, 1), 2), np.int64)
    count = find_arrows(before, after, empty, cells, named, arrows)
    return tuple((int(a),) if b == NO_CELL else (int(a), int(b)) for a, b in arrows[:count])
