"""How strong five to seven cards are, as one number: stronger hands have higher numbers.

    bits 26 and up     the class, from a high card, 0, to a straight flush, 8
    bits 13 to 25      the ranks that make it: of the pairs, the three, the four, or the top of the straight
    bits 0 to 12       the ranks beside them

A set of ranks is a number, and of two sets of equal size the one with the higher card is the higher number.
So ranks need no sorting, and the only tables have one entry for each set of 13 ranks.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gambito.game_tools.poker.cards import BITS, DECK, HANDS, SETS
from gambito.native import int64, last_bit, native

CLASS_NAMES = (
    "high card", "pair", "two pairs", "three of a kind", "straight", "flush", "full house",
    "four of a kind", "straight flush",
)  # fmt: skip
(HIGH_CARD, PAIR, TWO_PAIRS, THREE, STRAIGHT, FLUSH, FULL_HOUSE, FOUR, STRAIGHT_FLUSH) = range(9)
MADE, CLASS = 13, 26  # where those bits begin
_SETS = np.arange(1 << 13)  # of ranks


def _straight_tops() -> Any:
    """The highest card of the best straight in each set, as a set; the ace is also below the two. 0: none."""
    wheel = _SETS << 1 | _SETS >> 12
    found = np.zeros_like(_SETS)
    for low in range(10):
        found[wheel >> low & 31 == 31] = 1 << low + 3
    return found


def _highest(count: int) -> Any:
    """The highest ranks of each set, so many if it has them."""
    found = _SETS.copy()
    for _ in range(13 - count):
        found = np.where(_SIZES[found] > count, found & found - 1, found)
    return found


_SIZES: Any = sum(_SETS >> rank & 1 for rank in range(13))
TOPS = (_straight_tops() << MADE).astype(np.int32)
FIVE = _highest(5).astype(np.int16)
THREE_HIGHEST = _highest(3).astype(np.int16)
# What five or more cards of one suit are worth; 0 for fewer.
_FLUSHES = np.where(TOPS > 0, STRAIGHT_FLUSH << CLASS | TOPS, FLUSH << CLASS | FIVE.astype(np.int32))
SUITED = np.where(_SIZES >= 5, _FLUSHES, 0).astype(np.int32)


def highest(ranks):
    """The highest rank of a set that is not empty, as a set."""
    return int64(1) << int64(last_bit(ranks))


def strength(cards):
    """The strength of a set of five to seven cards."""
    clubs, diamonds = cards & 8191, (cards >> 16) & 8191
    hearts, spades = (cards >> 32) & 8191, (cards >> 48) & 8191
    suited = SUITED[clubs] | SUITED[diamonds] | SUITED[hearts] | SUITED[spades]
    if suited != 0:  # with at most seven cards, a flush leaves no room for a full house
        return int64(suited)
    both, other, one, second = clubs & diamonds, hearts & spades, clubs | diamonds, hearts | spades
    ranks = one | second
    twice = both | other | (one & second)
    top = int64(TOPS[ranks])
    if twice == 0:
        return STRAIGHT << CLASS | top if top else int64(FIVE[ranks])
    thrice = (both & second) | (other & one)
    if thrice == 0:
        if top:
            return STRAIGHT << CLASS | top
        less = twice & (twice - 1)
        if less == 0:
            return PAIR << CLASS | twice << MADE | int64(THREE_HIGHEST[ranks ^ twice])
        pairs = twice if less & (less - 1) == 0 else less  # the lowest of three pairs does not count
        return TWO_PAIRS << CLASS | pairs << MADE | highest(ranks & ~pairs)
    four = both & other
    if four:
        return FOUR << CLASS | four << MADE | highest(ranks ^ four)
    three = highest(thrice)
    if twice ^ three:
        return FULL_HOUSE << CLASS | three << MADE | highest(twice ^ three)
    if top:
        return STRAIGHT << CLASS | top
    beside = ranks ^ three
    first = highest(beside)
    return THREE << CLASS | three << MADE | first | highest(beside ^ first)


@native
def strengths(gear, board, found):
    """The strength of every hand of two cards with a board of three to five; -1 if they share a card."""
    for hand in range(HANDS):
        found[hand] = -1 if SETS[hand] & board else strength(SETS[hand] | board)


@native
def count_classes(gear, counts):
    """Count the hands of seven cards of each class, all 133,784,560 of them."""
    for a in range(6, DECK):
        for b in range(5, a):
            two = BITS[a] | BITS[b]
            for c in range(4, b):
                for d in range(3, c):
                    four = two | BITS[c] | BITS[d]
                    for e in range(2, d):
                        five = four | BITS[e]
                        for f in range(1, e):
                            six = five | BITS[f]
                            for g in range(f):
                                counts[strength(six | BITS[g]) >> CLASS] += 1
