"""Static exchange evaluation: what a move wins if both sides keep capturing on its square while that pays.

It sees neither pins nor promotions on the way.
"""

from __future__ import annotations

import numpy as np

from gambito.native import int64, uint64
from gambito.native.scratch import scratch

from .board import (
    BISHOP,
    KING,
    KING_MOVES,
    KNIGHT,
    KNIGHT_MOVES,
    LINE,
    ONE,
    PAWN,
    PAWN_ATTACKS,
    QUEEN,
    ROOK,
    ROW,
    SQUARES,
    ZERO,
    bishop_attacks,
    piece_at,
    rook_attacks,
    square_of,
)
from .moves import CASTLING, PASSING, PROMOTION, kind_of, source_of, target_of

VALUES = np.array([100, 300, 300, 500, 900, 10_000, 0], np.int64)  # by kind of piece; the last is no piece
OFFSET = 1 << 40  # scratch memory cannot hold negative numbers
MAX_CAPTURES = 40  # more than the pieces that can capture on one square


def moved_piece(action):
    """The kind of piece that moves."""
    kind = kind_of(action)
    if kind <= uint64(KING):
        return kind
    return uint64(KING) if kind == uint64(CASTLING) else uint64(PAWN)


def taken_value(state, action):
    """The value that a move captures, plus what a pawn gains by promotion."""
    kind = kind_of(action)
    if kind == uint64(PASSING):
        return VALUES[PAWN]
    if kind == uint64(CASTLING):
        return int64(0)
    value = int64(0)
    bit = ONE << target_of(action)
    if state.opp & bit:
        value = VALUES[piece_at(state, bit)]
    if kind > uint64(PROMOTION):
        value += VALUES[kind - uint64(PROMOTION)] - VALUES[PAWN]
    return value


def all_attackers(state, square, occupied):
    """The pieces of both sides that attack a square."""
    white = state.opp if state.side else state.own
    black = state.own if state.side else state.opp
    return occupied & (
        (PAWN_ATTACKS[square] & state.pawns & black)
        | (PAWN_ATTACKS[SQUARES + square] & state.pawns & white)
        | (KNIGHT_MOVES[square] & state.knights)
        | (KING_MOVES[square] & state.kings)
        | (bishop_attacks(square, occupied) & (state.bishops | state.queens))
        | (rook_attacks(square, occupied) & (state.rooks | state.queens))
    )


def least(state, pieces):
    """The least valuable of these pieces, as a set of one."""
    chosen = pieces
    if pieces & state.pawns:
        chosen = pieces & state.pawns
    elif pieces & state.knights:
        chosen = pieces & state.knights
    elif pieces & state.bishops:
        chosen = pieces & state.bishops
    elif pieces & state.rooks:
        chosen = pieces & state.rooks
    elif pieces & state.queens:
        chosen = pieces & state.queens
    return chosen & (~chosen + ONE)


def exchange(state, action):
    """What the move wins in hundredths of a pawn; negative if it loses."""
    kind, to = kind_of(action), target_of(action)
    if kind == uint64(CASTLING):
        return int64(0)
    gains = scratch(MAX_CAPTURES)
    occupied = (state.own | state.opp) ^ (ONE << source_of(action))
    if kind == uint64(PASSING):
        occupied ^= ONE << (to ^ ROW)
    standing = VALUES[kind - uint64(PROMOTION)] if kind > uint64(PROMOTION) else VALUES[moved_piece(action)]
    gains[0] = uint64(taken_value(state, action) + OFFSET)
    depth, is_ours = 0, False
    while True:
        every = all_attackers(state, to, occupied)
        takers = every & (state.own if is_ours else state.opp)
        if takers == ZERO:
            break
        taker = least(state, takers)
        if taker & state.kings and every & (state.opp if is_ours else state.own):
            break  # a king may not capture on an attacked square
        depth += 1
        gains[depth] = uint64(standing - (int64(gains[depth - 1]) - OFFSET) + OFFSET)
        standing = VALUES[piece_at(state, taker)]
        occupied ^= taker
        is_ours = not is_ours
    while depth > 0:
        below, here = int64(gains[depth]) - OFFSET, int64(gains[depth - 1]) - OFFSET
        gains[depth - 1] = uint64(-max(-here, below) + OFFSET)
        depth -= 1
    return int64(gains[0]) - OFFSET


def gives_check(state, action):
    """Does the move give check, directly or by discovery? Castling and en passant are not examined."""
    kind, to, source = kind_of(action), target_of(action), source_of(action)
    if kind == uint64(CASTLING):
        return False
    piece = kind - uint64(PROMOTION) if kind > uint64(PROMOTION) else moved_piece(action)
    king, here = square_of(state.kings & state.opp), ONE << to
    if piece == uint64(PAWN):
        if PAWN_ATTACKS[(state.side ^ ONE) * SQUARES + king] & here:
            return True
    elif piece == uint64(KNIGHT) and KNIGHT_MOVES[king] & here:
        return True
    is_slider = uint64(KNIGHT) < piece < uint64(KING)
    if LINE[SQUARES * king + source] == ZERO and not (is_slider and LINE[SQUARES * king + to]):
        return False
    occupied = ((state.own | state.opp) & ~(ONE << source)) | here
    left = state.own & ~(ONE << source)
    diagonal, straight = left & (state.bishops | state.queens), left & (state.rooks | state.queens)
    if piece == uint64(BISHOP) or piece == uint64(QUEEN):
        diagonal |= here
    if piece == uint64(ROOK) or piece == uint64(QUEEN):
        straight |= here
    seen = (bishop_attacks(king, occupied) & diagonal) | (rook_attacks(king, occupied) & straight)
    return seen != ZERO


def is_losing(state, action):
    """Does the move lose material on its square?"""
    piece = moved_piece(action)
    if piece == uint64(KING) or taken_value(state, action) >= VALUES[piece]:
        return False
    return exchange(state, action) < 0


def order(state, action):
    """Captures with the greatest gain and the least piece first; underpromotions last."""
    value = taken_value(state, action)
    if value == 0:
        return int64(0)
    rank = value + 10 - int64(moved_piece(action))
    if kind_of(action) > uint64(PROMOTION) and kind_of(action) < uint64(PROMOTION + QUEEN):
        return -rank  # a queen is nearly always better
    return rank
