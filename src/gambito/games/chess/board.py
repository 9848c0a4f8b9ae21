"""The board as bits: squares, lines and attacks.

Squares are numbered from White's side, rank by rank:

    8  56 57 58 59 60 61 62 63
    …
    2   8  9 10 11 12 13 14 15
    1   0  1  2  3  4  5  6  7
        a  b  c  d  e  f  g  h

On each of its lines a sliding piece attacks up to the nearest piece on either side: the highest bit of the
occupied squares below and the lowest bit of those above bound the line. Tables indexed by two squares, or by
a colour and a square, are flat: `TABLE[64 * first + second]`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from gambito.native import first_bit, last_bit, uint64

from .numbers import NUMBERS

PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = range(6)
ZERO, ONE, SIX, ROW, SQUARES, PIECES = (np.uint64(n) for n in (0, 1, 6, 8, 64, 384))
ALL = np.uint64((1 << 64) - 1)
TOP = np.uint64(1 << 63)
NOWHERE = SQUARES  # the en passant square if there is none
FILE_A = np.uint64(0x0101010101010101)
NOT_A, NOT_H = ~FILE_A, ~(FILE_A << np.uint64(7))
RANK_1, RANK_8 = np.uint64(0xFF), np.uint64(0xFF << 56)
LAST = RANK_1 | RANK_8  # the ranks where pawns promote
DIAGONAL = np.uint64(128)  # the start of the diagonals in LOWER and UPPER


class State(NamedTuple):
    """A position."""

    own: np.uint64  # pieces of the player to move
    opp: np.uint64
    pawns: np.uint64
    knights: np.uint64
    bishops: np.uint64
    rooks: np.uint64
    queens: np.uint64
    kings: np.uint64
    side: np.uint64  # 0: White is to move, 1: Black
    castling: np.uint64  # the rooks that may still castle
    passing: np.uint64  # where a pawn may be taken en passant; 64: nowhere
    rest: np.uint64  # plies since the last capture or pawn move
    number: np.uint64  # move number, as on a score sheet
    key: np.uint64


# ---- tables ------------------------------------------------------------------------------------------


def _set(squares: Iterable[int]) -> int:
    return sum(1 << s for s in squares)


def _ray(square: int, files: int, ranks: int, most: int = 7) -> list[int]:
    """The squares in one direction, the nearest first."""
    column, row = square % 8, square // 8
    steps = [(column + files * n, row + ranks * n) for n in range(1, most + 1)]
    return [r * 8 + c for c, r in steps if 0 <= c < 8 and 0 <= r < 8]


def _leaps(ways: Iterable[tuple[int, int]]) -> list[int]:
    """For each square, the squares that one leap reaches."""
    ways = list(ways)
    return [_set(s for way in ways for s in _ray(square, *way, most=1)) for square in range(64)]


def _words(values: Iterable[int]) -> Any:
    return np.array(list(values), np.uint64)


_LINES = ((0, 1), (1, 0), (1, 1), (-1, 1))  # file, rank, diagonals; upwards
_WAYS = (*_LINES, *((-f, -r) for f, r in _LINES))
KNIGHT_MOVES = _words(_leaps((f, r) for f in (-2, -1, 1, 2) for r in (-2, -1, 1, 2) if abs(f) != abs(r)))
KING_MOVES = _words(_leaps(_WAYS))
PAWN_ATTACKS = _words(_leaps([(-1, 1), (1, 1)]) + _leaps([(-1, -1), (1, -1)]))  # by colour and square
LOWER = _words(_set(_ray(s, -f, -r)) for f, r in _LINES for s in range(64))
UPPER = _words(_set(_ray(s, f, r)) for f, r in _LINES for s in range(64))
LINE, BETWEEN = np.zeros(4096, np.uint64), np.zeros(4096, np.uint64)
for _square in range(64):
    for _f, _r in _WAYS:
        _seen = _ray(_square, _f, _r)
        for _place, _other in enumerate(_seen):
            LINE[64 * _square + _other] = _set([*_seen, *_ray(_square, -_f, -_r), _square])
            BETWEEN[64 * _square + _other] = _set(_seen[:_place])

# The Zobrist numbers are those of the Polyglot book format, so that the keys of positions match its books.
PIECE_KEYS = _words(
    NUMBERS[64 * (2 * piece + 1 - side) + square]
    for side in range(2)
    for piece in range(6)
    for square in range(64)
)
CASTLING_KEYS = _words(NUMBERS[768:772])  # White short and long, Black short and long
PASSING_KEYS = _words(NUMBERS[772:780])  # by file
TURN_KEY = np.uint64(NUMBERS[780])  # White is to move


# ---- attacks -----------------------------------------------------------------------------------------


def square_of(bits):
    """The lowest square of a non-empty set."""
    return uint64(first_bit(bits))


def line_attacks(square, occupied, line):
    """The squares that a piece attacks along one line, in both directions."""
    lower, upper = LOWER[line + square], UPPER[line + square]
    above = (upper & occupied) | TOP
    below = uint64(last_bit((lower & occupied) | ONE))
    return (lower | upper) & (above ^ (above - ONE)) & (ALL << below)


def rook_attacks(square, occupied):
    return line_attacks(square, occupied, ZERO) | line_attacks(square, occupied, SQUARES)


def bishop_attacks(square, occupied):
    return line_attacks(square, occupied, DIAGONAL) | line_attacks(square, occupied, DIAGONAL + SQUARES)


def attackers(state, square, occupied):
    """The opponent's pieces that attack a square."""
    return state.opp & (
        (PAWN_ATTACKS[state.side * SQUARES + square] & state.pawns)
        | (KNIGHT_MOVES[square] & state.knights)
        | (KING_MOVES[square] & state.kings)
        | (bishop_attacks(square, occupied) & (state.bishops | state.queens))
        | (rook_attacks(square, occupied) & (state.rooks | state.queens))
    )


def is_check(state):
    """Is the player to move in check?"""
    return attackers(state, square_of(state.kings & state.own), state.own | state.opp) != ZERO


def piece_at(state, bit):
    """The kind of piece on a square; 6 if it is empty."""
    if state.pawns & bit:
        return uint64(PAWN)
    if state.knights & bit:
        return uint64(KNIGHT)
    if state.bishops & bit:
        return uint64(BISHOP)
    if state.rooks & bit:
        return uint64(ROOK)
    if state.queens & bit:
        return uint64(QUEEN)
    if state.kings & bit:
        return uint64(KING)
    return uint64(6)
