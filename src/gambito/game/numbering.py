"""Dense numbers for arrangements: subsets of squares, and permutations.

A subset of k squares has its number among all subsets of k (the combinatorial number system): the sum of
C(square, place) over its squares, the lowest having place 1. A permutation is a word of four bits an item,
the first item lowest; its number is written in factorials, the last item counting most, so that permutations
that differ only in their first items have neighbouring numbers. All run in both gears.
"""

from __future__ import annotations

import math

import numpy as np

from gambito.native import int64, nth_bit, popcount, uint64

SQUARES, MOST = 64, 16  # of a board; items of a subset
ONE, FOUR, FIFTEEN = np.uint64(1), np.uint64(4), np.uint64(15)
BINOMIAL = np.array(  # C(n, k) at n * (MOST + 1) + k
    [[math.comb(n, k) for k in range(MOST + 1)] for n in range(SQUARES + 1)], np.int64
).reshape(-1)


def choose(n, k):
    """How many subsets of k there are among n."""
    return BINOMIAL[n * (MOST + 1) + k]


# ---- subsets -----------------------------------------------------------------------------------------


def rank_subset(bits):
    """The number of a subset among those of its size."""
    rest, number, place = uint64(bits), int64(0), int64(1)
    while rest:
        below = popcount((rest & (~rest + ONE)) - ONE)
        number += BINOMIAL[below * (MOST + 1) + place]
        rest &= rest - ONE
        place += 1
    return number


def unrank_subset(number, size, squares):
    """The subset of that number among those of `size` squares out of the lowest `squares`."""
    bits, left, place, square = uint64(0), int64(number), int64(size), int64(squares) - 1
    while place > 0 and square >= 0:
        if BINOMIAL[square * (MOST + 1) + place] <= left:
            left -= BINOMIAL[square * (MOST + 1) + place]
            bits |= ONE << uint64(square)
            place -= 1
        square -= 1
    return bits


def rank_among(bits, free):
    """The number of a subset of the free squares among those of its size."""
    number, place = int64(0), int64(1)
    while bits:
        low = bits & (~bits + ONE)
        number += BINOMIAL[popcount(free & (low - ONE)) * (MOST + 1) + place]
        bits ^= low
        place += 1
    return number


def unrank_among(number, size, free):
    """The subset of that number."""
    bits, found = unrank_subset(number, size, popcount(free)), uint64(0)
    while bits:
        low = bits & (~bits + ONE)
        found |= ONE << uint64(nth_bit(free, popcount(low - ONE)))
        bits ^= low
    return found


def squeeze(bits, mask):
    """The bits that stand on squares of the mask, pushed together: as if there were no other squares."""
    found, place, rest = uint64(0), uint64(0), uint64(mask)
    while rest:
        if uint64(bits) & (rest & (~rest + ONE)):
            found |= ONE << place
        rest &= rest - ONE
        place += ONE
    return found


def stretch(bits, mask):
    """What `squeeze` undoes: the bits put on the squares of the mask in their order."""
    found, left, rest = uint64(0), uint64(bits), uint64(mask)
    while rest:
        if left & ONE:
            found |= rest & (~rest + ONE)
        rest &= rest - ONE
        left >>= ONE
    return found


# ---- permutations ------------------------------------------------------------------------------------


def rank_permutation(word, count):
    """The number of a permutation of 0 … count - 1."""
    number, used, place = int64(0), uint64(0), int64(count) - 1
    while place >= 0:
        item = (uint64(word) >> uint64(4 * place)) & FIFTEEN
        smaller = int64(item) - popcount(used & ((ONE << item) - ONE))
        number = number * (place + 1) + smaller
        used |= ONE << item
        place -= 1
    return number


def unrank_permutation(number, count):
    """The permutation of that number."""
    left, digits, place = int64(number), uint64(0), int64(1)
    while place <= count:  # the digits, those of the first items first
        digits |= uint64(left % place) << uint64(4 * (place - 1))
        left //= place
        place += 1
    word, free = uint64(0), (ONE << uint64(count)) - ONE
    place = int64(count) - 1
    while place >= 0:
        skipped = (digits >> uint64(4 * place)) & FIFTEEN
        rest = free
        while skipped:
            rest &= rest - ONE
            skipped -= ONE
        bit = rest & (~rest + ONE)
        word |= uint64(popcount(bit - ONE)) << uint64(4 * place)
        free ^= bit
        place -= 1
    return word
