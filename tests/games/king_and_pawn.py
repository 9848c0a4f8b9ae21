"""King and pawn against king, solved by going back from promotions, with arrays.

`python tests/games/king_and_pawn.py` prints the table that the package holds.
"""

import base64
import textwrap
import zlib

import numpy as np

STRONG, WEAK = 0, 1  # to move
SQUARES = np.arange(64)
DISTANCE = np.maximum(
    abs(SQUARES[:, None] % 8 - SQUARES[None] % 8), abs(SQUARES[:, None] // 8 - SQUARES[None] // 8)
)
NEAR = [np.flatnonzero(DISTANCE[square] == 1) for square in range(64)]
PAWNS = [8 * rank + file for rank in range(1, 7) for file in range(4)]  # White's, on the files a to d


def solve() -> np.ndarray:
    """wins[pawn][side to move][strong king][weak king]: does the side with the pawn win?"""
    wins = np.zeros((len(PAWNS), 2, 64, 64), bool)
    for number in range(len(PAWNS) - 1, -1, -1):
        _solve_pawn(wins, number)
    return wins


def _solve_pawn(wins: np.ndarray, number: int) -> None:
    pawn, won = PAWNS[number], wins[number]
    attacked = np.zeros(64, bool)  # by the pawn
    attacked[[pawn + 7 + 2 * side for side in (0, 1) if 0 <= pawn % 8 - 1 + 2 * side < 8]] = True
    apart = DISTANCE > 1
    real = apart & (pawn != SQUARES)[:, None] & (pawn != SQUARES)[None]
    pushed = _after_push(wins, number, apart)
    while True:
        before = won.copy()
        king = np.zeros((64, 64), bool)  # by a move of the strong king
        for square in range(64):
            for to in NEAR[square]:
                if to != pawn:
                    king[square] |= won[WEAK, to] & apart[to]
        won[STRONG] = real & ~attacked[None] & (king | pushed)
        can_move, can_hold = np.zeros((64, 64), bool), np.zeros((64, 64), bool)
        for square in range(64):
            for to in NEAR[square]:
                free = (
                    apart[:, to] & ~attacked[to]
                )  # taking a defended pawn is no move: the kings would touch
                can_move[:, square] |= free
                can_hold[:, square] |= free & ((to == pawn) | ~won[STRONG, :, to])
        won[WEAK] = real & can_move & ~can_hold
        if (won == before).all():
            return


def _after_push(wins: np.ndarray, number: int, apart: np.ndarray) -> np.ndarray:
    """[strong king][weak king]: does a push of the pawn win?"""
    pawn = PAWNS[number]
    ahead, free = pawn + 8, np.ones((64, 64), bool)
    free[ahead], free[:, ahead] = False, False
    if ahead >= 56:  # a queen wins unless it is taken at once; instead of stalemate there is a rook
        return free & ((DISTANCE[ahead] > 1)[None] | (DISTANCE[ahead] == 1)[:, None])
    won = free & wins[PAWNS.index(ahead), WEAK]
    if pawn < 16:
        twice = free.copy()
        twice[ahead + 8], twice[:, ahead + 8] = False, False
        won |= twice & wins[PAWNS.index(ahead + 8), WEAK]
    return won


def packed(wins: np.ndarray) -> str:
    """The table as text: its bits, compressed."""
    words = np.packbits(wins.ravel(), bitorder="little")
    return base64.b85encode(zlib.compress(words.tobytes(), 9)).decode()


if __name__ == "__main__":
    print("\n".join(textwrap.wrap(packed(solve()), 104)))
