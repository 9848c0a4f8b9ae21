"""What is known of chess endings with few pieces, for values of the network.

A lone king is driven to the edge, and values of endings that are hard or impossible to win shrink. This file
knows no network and no search.
"""

from __future__ import annotations

import numpy as np

from gambito.native import int64, popcount, uint64

from .board import FILE_A, ONE, ZERO, square_of
from .king_and_pawn import is_pawn_won

LIGHT = np.uint64(0x55AA55AA55AA55AA)  # squares
FILE_H = FILE_A << np.uint64(7)
THREE, SEVEN, BACK = np.uint64(3), np.uint64(7), np.uint64(56)  # file h; from White's first rank to Black's
MINOR, ROOK, QUEEN = 300, 500, 900  # worth of pieces
WON = 800  # the least value of pieces that mate a lone king
PAWN_WON = 300  # what it adds that a last pawn is known to win
TO_EDGE, TO_CORNER, TO_KING = (
    20,
    10,
    6,
)  # what a step of the lone king outwards is worth, and one of the kings together
HARD = (
    8  # without pawns and with little more, only this part of the value is left; with opposite bishops half
)
PATIENT, WHOLE = 40, 140  # plies without progress after which values shrink, towards none at their sum


def tempered(state, value):
    """The value for the player to move, as far as the ending can be won."""
    strong, weak = (state.own, state.opp) if value >= 0 else (state.opp, state.own)
    amount = abs(value)
    if weak & ~state.kings == ZERO:
        amount = against_lone_king(state, strong, weak, amount)
    elif not strong & state.pawns:
        if worth(state, strong) - worth(state, weak) <= MINOR:
            amount //= HARD
    elif has_opposite_bishops(state):
        amount //= 2
    rest = int64(state.rest)
    if rest > PATIENT:
        amount = amount * (WHOLE - rest) // (WHOLE - PATIENT)
    return amount if value >= 0 else -amount


def against_lone_king(state, strong, weak, amount):
    """The value of a side whose opponent has only the king."""
    if strong & state.pawns:
        if popcount(strong) == 2:
            return amount + int64(PAWN_WON) if is_pawn_won(state, strong, weak) else int64(0)
        return int64(0) if is_wrong_bishop(state, strong, weak) else amount
    if strong & (state.rooks | state.queens) == ZERO and popcount(strong & state.bishops) == 0:
        return int64(0)  # knights alone do not mate
    king, other = square_of(weak & state.kings), square_of(strong & state.kings)
    near = 7 - distance(king, other)
    outward = outside(king & SEVEN) + outside(king >> THREE)
    amount = max(amount, int64(WON)) + TO_KING * near
    if strong & (state.rooks | state.queens) or popcount(strong & state.bishops) > 1:
        return amount + TO_EDGE * max(outside(king & SEVEN), outside(king >> THREE)) + TO_CORNER * outward
    # Bishop and knight mate only in a corner that the bishop reaches: a1 and h8 are dark, a8 and h1 light.
    file, rank = int64(king & SEVEN), int64(king >> THREE)
    if strong & state.bishops & LIGHT:
        file = 7 - file
    return amount + TO_EDGE * abs(7 - file - rank) + TO_CORNER * outward


def is_wrong_bishop(state, strong, weak):
    """Are all pawns rook pawns of one file, with a king in the corner that the bishops cannot drive out?"""
    pawns = strong & state.pawns
    if strong & ~(pawns | state.kings | state.bishops):
        return False
    if pawns & ~FILE_A and pawns & ~FILE_H:
        return False
    is_white = (strong == state.own) == (state.side == ZERO)
    corner = (ZERO if pawns & FILE_A else SEVEN) + (BACK if is_white else ZERO)
    guards = LIGHT if (LIGHT >> corner) & ONE else ~LIGHT
    if strong & state.bishops & guards:
        return False
    return distance(square_of(weak & state.kings), corner) <= 1


def has_opposite_bishops(state):
    """Has each side one bishop, on squares of different colours, and nothing else but pawns?"""
    if state.knights | state.rooks | state.queens or popcount(state.bishops) != 2:
        return False
    own, light = popcount(state.bishops & state.own), popcount(state.bishops & LIGHT)
    return own == 1 and light == 1


def worth(state, side):
    """The worth of a side's pieces, without pawns."""
    minor = popcount(side & (state.knights | state.bishops))
    return MINOR * minor + ROOK * popcount(side & state.rooks) + QUEEN * popcount(side & state.queens)


def outside(line):
    """How far a file or a rank is from the middle: 0 to 3."""
    place = int64(line)
    return 3 - place if place < 4 else place - 4


def distance(first, second):
    """How many moves a king needs between two squares."""
    files = abs(int64(uint64(first) & SEVEN) - int64(uint64(second) & SEVEN))
    ranks = abs(int64(uint64(first) >> THREE) - int64(uint64(second) >> THREE))
    return max(files, ranks)
