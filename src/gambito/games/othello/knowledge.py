"""What a position and a move look like before anything is searched.

Few moves, discs beside empty squares, and discs that open a corner are bad; corners and discs that stay are
good. It asks the board and knows no search.
"""

from __future__ import annotations

import numpy as np

from gambito.native import popcount

STAGES = 6
UNIT = 100  # weights are hundredths of a disc

# What being one ahead is worth, a row for each stage: moves, squares that the other side's discs lie beside,
# corners, discs that open a corner along the edge and diagonally, fixed edge discs, discs; and the right to
# the last move. Rounded by hand after a least-squares fit to the positions of 246 games of the WTHOR base.
WEIGHTS = np.array(
    [
        [60, 60, 400, -200, -400, 200, -40, 0],
        [125, 80, 400, -200, -500, 300, -60, 0],
        [180, 75, 300, -150, -500, 330, -60, 60],
        [190, 65, 150, -170, -250, 300, -40, 110],
        [280, 20, 50, -250, -250, 200, 0, 150],
        [380, 0, 50, -250, -150, 90, 45, 60],
    ]
)

# For the order of moves: what each reply left to the opponent costs, each corner among them, a square around
# a corner; and what a corner and the last move of a quadrant gain.
REPLY, CORNER_REPLY, RISK, CORNER, LAST = 8, 6, 2, 4, 3


def stage_of(board, mine, theirs):
    """How many sixths of the board are filled."""
    return popcount(mine | theirs) * STAGES // (board.cells + 1)


def features(board, mine, theirs):
    """How far the side to move, mine, is ahead in each of the things that have a weight."""
    beside, diagonal = board.openings(mine, theirs)
    empty = board.cells - popcount(mine | theirs)
    return (
        popcount(board.moves(mine, theirs)) - popcount(board.moves(theirs, mine)),
        popcount(board.frontier(mine, theirs)) - popcount(board.frontier(theirs, mine)),
        popcount(mine & board.corners) - popcount(theirs & board.corners),
        popcount(mine & beside) - popcount(theirs & beside),
        popcount(mine & diagonal) - popcount(theirs & diagonal),
        popcount(board.fixed(mine, theirs)) - popcount(board.fixed(theirs, mine)),
        popcount(mine) - popcount(theirs),
        2 * (empty & 1) - 1,  # an odd number left: who moves now moves last, if nobody passes
    )


def estimate(board, mine, theirs):
    """The discs by which the side to move, mine, is expected to win."""
    stage, total = stage_of(board, mine, theirs), 0
    ahead = features(board, mine, theirs)
    for place in range(len(ahead)):
        total += WEIGHTS[stage, place] * ahead[place]
    return max(-board.cells, min(board.cells, (total + UNIT // 2) // UNIT))


def promise(board, disc, replies, is_odd):
    """How good a move looks: the worth of its square, less what it leaves the opponent to move.

    `is_odd`: the move is in a quadrant with an odd number of empty squares, so who begins there also ends.
    """
    worth = -REPLY * popcount(replies) - CORNER_REPLY * popcount(replies & board.corners)
    if is_odd:
        worth += LAST
    if disc & board.corners:
        worth += CORNER
    if disc & board.risky:
        worth -= RISK
    return worth
