"""The move ordering of the lectures, to compare: checks, captures, threats, forward and backward moves."""

from __future__ import annotations

import numpy as np

from gambito.native import int64, uint64

from .board import (
    BISHOP,
    KING_MOVES,
    KNIGHT,
    KNIGHT_MOVES,
    ONE,
    PAWN,
    PAWN_ATTACKS,
    QUEEN,
    ROOK,
    SQUARES,
    ZERO,
    bishop_attacks,
    is_check,
    rook_attacks,
)
from .exchange import moved_piece, taken_value
from .moves import play, source_of, target_of

CHECK, CAPTURE, THREAT, FORWARD, BACKWARD = 4, 3, 2, 1, 0
KIND = 1 << 40  # a move is below this, so that its kind can be written above it


def reach_of(piece, square, side, occupied):
    """The squares that a piece attacks from a square."""
    if piece == uint64(PAWN):
        return PAWN_ATTACKS[side * SQUARES + square]
    if piece == uint64(KNIGHT):
        return KNIGHT_MOVES[square]
    if piece == uint64(BISHOP):
        return bishop_attacks(square, occupied)
    if piece == uint64(ROOK):
        return rook_attacks(square, occupied)
    if piece == uint64(QUEEN):
        return bishop_attacks(square, occupied) | rook_attacks(square, occupied)
    return KING_MOVES[square]


def lecture_order(state, action):
    """Which of the five kinds a move belongs to."""
    if is_check(play(state, action)):
        return int64(CHECK)
    if taken_value(state, action) > 0:
        return int64(CAPTURE)
    source, to, piece = source_of(action), target_of(action), moved_piece(action)
    better = state.opp & (state.queens | state.rooks)
    if piece == uint64(PAWN):
        better |= state.opp & (state.knights | state.bishops)
    elif piece >= uint64(ROOK):
        better = state.opp & state.queens
    occupied = (state.own | state.opp) ^ (ONE << source)
    if reach_of(piece, to, state.side, occupied) & better:
        return int64(THREAT)
    rank, before = to >> np.uint64(3), source >> np.uint64(3)
    if (rank > before and state.side == ZERO) or (rank < before and state.side != ZERO):
        return int64(FORWARD)
    return int64(BACKWARD)


def sort_moves(state, buffer, begin, end):
    """Put the moves from `begin` to `end` in the order of the lectures; those of a kind stay as they are."""
    for place in range(begin, end):
        marked, free = buffer[place] + lecture_order(state, buffer[place]) * KIND, place
        while free > begin and buffer[free - 1] // KIND < marked // KIND:
            buffer[free] = buffer[free - 1]
            free -= 1
        buffer[free] = marked
    for place in range(begin, end):
        buffer[place] %= KIND
