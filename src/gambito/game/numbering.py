"""Dense numbers for subsets of squares.

A subset of k squares has a number among all subsets of k squares (the combinatorial number system): the sum
of C(square, place) over its squares, where the lowest has place 1. All functions run in both gears.
"""

from __future__ import annotations

import math

import numpy as np

from gambito.native import int64, nth_bit, popcount, uint64

SQUARES, MOST = 64, 16  # squares of a board, and the most squares of a subset
ONE = np.uint64(1)
BINOMIAL = np.array(  # C(n, k) at n * (MOST + 1) + k
    [[math.comb(n, k) for k in range(MOST + 1)] for n in range(SQUARES + 1)], np.int64
).reshape(-1)


def choose(n, k):
    """The number of subsets of k items among n."""
    return BINOMIAL[n * (MOST + 1) + k]


def unrank_subset(number, size, squares):
    """The subset with that number among the subsets of `size` squares of the lowest `squares`."""
    bits, left, place, square = uint64(0), int64(number), int64(size), int64(squares) - 1
    while place > 0 and square >= 0:
        if BINOMIAL[square * (MOST + 1) + place] <= left:
            left -= BINOMIAL[square * (MOST + 1) + place]
            bits |= ONE << uint64(square)
            place -= 1
        square -= 1
    return bits


def rank_among(bits, free):
    """The number of a subset of the free squares among the subsets of its size."""
    number, place = int64(0), int64(1)
    while bits:
        low = bits & (~bits + ONE)
        number += BINOMIAL[popcount(free & (low - ONE)) * (MOST + 1) + place]
        bits ^= low
        place += 1
    return number


def unrank_among(number, size, free):
    """The subset of the free squares with that number."""
    bits, found = unrank_subset(number, size, popcount(free)), uint64(0)
    while bits:
        low = bits & (~bits + ONE)
        found |= ONE << uint64(nth_bit(free, popcount(low - ONE)))
        bits ^= low
    return found
