"""The first evaluations: what Turing and Shannon proposed for chess, for any game with pieces.

Turing's machine divided the value of its own pieces by that of the opponent's. Here the value is the
logarithm of that ratio: it orders positions as the ratio does, and has opposite signs for the two sides.

Shannon's evaluation is a sum: the advantage in pieces, minus their weaknesses, plus a little for each move.

    Turing, Digital computers applied to games, 1953; Shannon, Programming a computer for playing chess, 1950
"""

from __future__ import annotations

import math


def turing_ratio(mine, theirs, unit):
    """Material as a ratio: a value of `unit` for e times the opponent's material."""
    return math.floor(unit * math.log(max(mine, 1) / max(theirs, 1)) + 0.5)


def shannon_sum(advantage, advance, threats):
    """The advantage in pieces, where a pawn is 100, plus half a pawn for each weakness that only the opponent
    has, plus a tenth for each additional move."""
    return 100 * advantage + 50 * advance + 10 * threats
