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
    cells that are filled with something that left no cell are touched after it. Where no piece has moved,
    the cells that are filled are touched, or those that change.
    """
    count, first = 0, len(before) - cells
    while first >= 0:
        changed = filled = 0
        for cell in range(first, first + cells):
            if before[cell] != after[cell]:
                if cell - first == named:
                    arrows[0, 0], arrows[0, 1] = named, NO_CELL
                    return 1
                changed += 1
                filled += before[cell] == empty
        source, to = _moved(before, after, empty, first, cells, changed)
        if to != NO_CELL:
            arrows[count, 0], arrows[count, 1] = source - first, to - first
            count += 1
        is_known = 0 < filled <= MOST_TOUCHED or 0 < changed <= MOST_TOUCHED
        for cell in range(first, first + cells):
            if not is_known or before[cell] == after[cell] or cell == to:
                continue
            if to == NO_CELL:
                is_touched = filled == 0 or before[cell] == empty
            else:
                is_touched = cell == source or before[cell] == empty
                is_touched &= after[cell] != empty and not _has_left(before, after, first, cells, after[cell])
            if is_touched and count < len(arrows):
                arrows[count, 0], arrows[count, 1] = cell - first, NO_CELL
                count += 1
        first -= cells
    return count


def _moved(before, after, empty, first, cells, changed):
    """Where a piece of a layer stood, and where it stands now; NO_CELL if none has moved."""
    left, source, other = 0, NO_CELL, NO_CELL
    for cell in range(first, first + cells):
        if before[cell] == after[cell]:
            continue
        if after[cell] != empty:
            other = cell
            continue
        to = _place_of(before, after, first, cells, cell)
        if to != NO_CELL:
            return cell, to
        left, source = left + 1, cell
    if changed == 2 and left == 1:  # it became another piece
        return source, other
    for cell in range(first, first + cells):  # it left something behind
        if changed <= MOST_TOUCHED and before[cell] != after[cell] and before[cell] != empty:
            to = _place_of(before, after, first, cells, cell)
            if to != NO_CELL and before[to] == empty:
                return cell, to
    return NO_CELL, NO_CELL


def _place_of(before, after, first, cells, left):
    """Where the piece that has left a place stands now; NO_CELL if nowhere."""
    for cell in range(first, first + cells):
        if cell != left and after[cell] == before[left] and after[cell] != before[cell]:
            return cell
    return NO_CELL


def _has_left(before, after, first, cells, code):
    """Has such a piece left a place of the layer?"""
    for cell in range(first, first + cells):
        if before[cell] == code and after[cell] != code:
            return True
    return False


def arrows_of(
    before: Sequence[int], after: Sequence[int], empty: int, cells: int, named: int = NO_CELL
) -> tuple[tuple[int, ...], ...]:
    """What an action does: (from, to) moves a piece, (cell,) puts one."""
    arrows = np.empty((MOST_ARROWS * max(len(before) // cells, 1), 2), np.int64)
    count = find_arrows(before, after, empty, cells, named, arrows)
    return tuple((int(a),) if b == NO_CELL else (int(a), int(b)) for a, b in arrows[:count])
