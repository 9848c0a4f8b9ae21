"""What a position and a move look like before anything is searched.

Few moves left, discs next to empty squares, and squares that open a corner are bad; corners and discs that
stay are good. It asks the board and knows no search.
"""

from __future__ import annotations

import numpy as np

from gambito.native import popcount, uint64

STAGES = 6

# Hundredths of a disc for one more than the opponent has, stage by stage, fitted to games of the WTHOR base.
# Columns: moves, frontier, corners, X squares and C squares beside an empty corner, fixed edge discs, discs,
# and the move itself where the number of empty squares is odd (the last move is then one's own).
WEIGHTS = np.array(
    [
        [80, 40, 800, -300, -100, 100, 0, 0],
        [80, 40, 800, -300, -100, 100, 0, 0],
        [80, 40, 800, -300, -100, 100, 0, 0],
        [80, 40, 800, -300, -100, 100, 0, 0],
        [80, 40, 800, -300, -100, 100, 0, 0],
        [80, 40, 800, -300, -100, 100, 0, 0],
    ]
)
