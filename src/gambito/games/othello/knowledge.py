"""The static evaluation of positions and moves.

Few moves, discs beside empty squares, and discs that open a corner are bad; corners and stable discs are
good. This uses the board and no search.
"""

from __future__ import annotations

import numpy as np

from gambito.native import popcount

STAGES = 6
UNIT = 100  # weights are hundredths of a disc

# The value of being one ahead, a row for each stage: moves, squares beside the opponent's discs, corners,
# discs that open a corner along the edge and diagonally, stable edge discs, discs; and the right to the last
# move. Rounded by hand after a least-squares fit to the positions of 246 games of the WTHOR base.
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

# For move ordering: the cost of each reply left to the opponent, of each corner among the replies, and of a
# square around a corner; the gain of a corner and of the last move in a quadrant.
REPLY, CORNER_REPLY, RISK, CORNER, LAST = 8, 6, 2, 4, 3


def stage_of(board, mine, theirs):
    """The number of sixths of the board that are filled."""
    return popcount(mine | theirs) * STAGES // (board.cells + 1)


def features(board, mine, theirs):
    """The lead of the side to move, mine, in each of the features that have a weight."""
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
        2 * (empty & 1) - 1,  # with an odd number left, the player to move also moves last, without passes
    )


def estimate(board, mine, theirs):
    """The discs by which the side to move, mine, is expected to win."""
    stage, total = stage_of(board, mine, theirs), 0
    ahead = features(board, mine, theirs)
    for place in range(len(ahead)):
        total += WEIGHTS[stage, place] * ahead[place]
    return max(-board.cells, min(board.cells, (total + UNIT // 2) // UNIT))


def promise(board, disc, replies, is_odd):
    """How good a move looks: the value of its square, minus the replies that it leaves to the opponent.

    `is_odd`: the move's quadrant has an odd number of empty squares, so who moves first there moves last.
    """
    worth = -REPLY * popcount(replies) - CORNER_REPLY * popcount(replies & board.corners)
    if is_odd:
        worth += LAST
    if disc & board.corners:
        worth += CORNER
    if disc & board.risky:
        worth -= RISK
    return worth
