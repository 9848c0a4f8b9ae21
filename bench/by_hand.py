"""The same search written by hand: alpha-beta only for Connect Four on 7×6, in plain Numba.

This is what a programmer writes who needs only this program: the rules are inside the search, the state is
three numbers, and memory is a raw pointer. It also does everything else that Gambito's alpha-beta does (it
counts nodes and leaves, obeys a limit, can be led along a line, and keeps the principal variation), so both
do the same work. It uses no code of Gambito.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import int64, njit, types, uint64
from numba.core import cgutils
from numba.extending import intrinsic

NODES, EVALUATIONS, LIMIT, HORIZON, FOLLOW = range(5)
ROWS = 64  # more than the plies of the longest game, rounded up
GUIDE, SWAP, LENGTH, LINE = 8, 8 + ROWS, 8 + 2 * ROWS, 8 + 3 * ROWS
NONE = STOP = -1
INFINITY = 1 << 40
CELLS = 42


@intrinsic
def pointer(context: Any, array: Any) -> Any:
    """Return a pointer to the memory of an array. Unlike the array, it is not reference-counted."""

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return cgutils.create_struct_proxy(sig.args[0])(context, builder, value=args[0]).data

    return types.CPointer(array.dtype)(array), lower


@njit(inline="always")
def has_four(stones):
    pairs = stones & (stones >> uint64(1))
    if pairs & (pairs >> uint64(2)):
        return True
    pairs = stones & (stones >> uint64(7))
    if pairs & (pairs >> uint64(14)):
        return True
    pairs = stones & (stones >> uint64(6))
    if pairs & (pairs >> uint64(12)):
        return True
    pairs = stones & (stones >> uint64(8))
    return (pairs & (pairs >> uint64(16))) != uint64(0)


@njit(nogil=True, error_model="numpy")
def alpha_beta(mine, mask, stones, depth, alpha, beta, data):
    """Return the value for the player to move; `mine` are that player's stones, `mask` all stones."""
    data[NODES] += 1
    data[LENGTH + depth] = 0
    hint = int64(NONE)
    if data[FOLLOW] == depth:
        hint = data[GUIDE + depth]
    if data[NODES] > data[LIMIT]:
        data[NODES] -= 1
        data[LIMIT] = STOP
        return int64(0)
    if has_four(mine ^ mask):
        data[EVALUATIONS] += 1
        return int64(-((CELLS + 2 - stones) // 2))
    if stones == CELLS:
        data[EVALUATIONS] += 1
        return int64(0)
    if depth == 0:
        data[EVALUATIONS] += 1
        data[HORIZON] += 1
        return int64(0)
    best = int64(-INFINITY)
    for place in range(7):
        half = (place + 1) >> 1
        column = int64(3) + (half if place & 1 else -half)
        foot = uint64(7 * column)
        if mask & (uint64(32) << foot):
            continue
        if hint != NONE:
            if data[FOLLOW] == depth:
                data[FOLLOW] = depth - 1
                data[SWAP + depth] = column
                column = hint
            else:
                data[FOLLOW] = NONE
                if column == hint:
                    column = data[SWAP + depth]
            foot = uint64(7 * column)
        stone = (mask + (uint64(1) << foot)) & (uint64(63) << foot)
        value = -alpha_beta(mine ^ mask, mask | stone, stones + 1, depth - 1, -beta, -alpha, data)
        if value > best:
            best = value
            if best >= beta:
                data[LENGTH + depth] = 0
                break
            if best > alpha:
                alpha = best
                line = LINE + depth * ROWS
                below = data[LENGTH + depth - 1]
                data[line] = column
                for ply in range(below):
                    data[line + 1 + ply] = data[line - ROWS + ply]
                data[LENGTH + depth] = below + 1
    return best


@njit(nogil=True)
def search(mine, mask, stones, depth, array):
    return alpha_beta(mine, mask, stones, depth, int64(-INFINITY), int64(INFINITY), pointer(array))


def new_memory() -> Any:
    """Return the memory for the counters, the limit and the lines of one search."""
    data = np.zeros(LINE + ROWS * ROWS, np.int64)
    data[LIMIT], data[FOLLOW] = 1 << 62, NONE
    return data


def line(data: Any, depth: int) -> list[int]:
    """Return the principal variation of the last search to that depth."""
    begin = LINE + depth * ROWS
    return [int(a) for a in data[begin : begin + int(data[LENGTH + depth])]]
