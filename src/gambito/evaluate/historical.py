"""The first evaluations: what Turing and Shannon proposed, for any game with pieces.

Turing divided White's pieces by Black's. The value is how far that quotient is above 1, so that 0 is balanced
as in other evaluations; a search orders positions as the quotient does.

Shannon's evaluation is a sum of simple ones, each with its coefficient: c1 · advantage in pieces + c2 ·
advance + c3 · double threats in draughts; in chess the advantage in pieces, weak pawns, and moves.

    Turing, Digital computers applied to games, 1953; Shannon, Programming a computer for playing chess, 1950
"""

from __future__ import annotations

import math

QUOTIENT = 1000  # a value of 1 is a thousandth of the quotient
LARGEST_QUOTIENT = 10.0  # a quotient is not above it: it is infinite against a lone king


def turing_quotient(white, black):
    """White's material divided by Black's, less 1, in thousandths."""
    quotient = LARGEST_QUOTIENT if white else 1.0
    if black:
        quotient = min(white / black, LARGEST_QUOTIENT)
    return math.floor(QUOTIENT * quotient + 0.5) - QUOTIENT


def as_quotient(value: float) -> float:
    """The quotient of a value for White."""
    return 1.0 + value / QUOTIENT


def shannon_sum(coefficients, first, second, third):
    """The sum of three simple evaluations, each times its coefficient."""
    return coefficients[0] * first + coefficients[1] * second + coefficients[2] * third
