"""The first evaluations, by name: what Turing and Shannon proposed for chess, for any game with pieces.

Turing's machine divided the worth of its own pieces by that of the other side's. Here the logarithm of that
ratio is the value: it orders positions as the ratio does, and is the same for both sides but for its sign.

Shannon's is a sum: the advantage in pieces, less what weakens them, and a little for each move there is.

    Turing, Digital computers applied to games, 1953; Shannon, Programming a computer for playing chess, 1950
"""

from __future__ import annotations

import math


def turing_ratio(mine, theirs, unit):
    """Material as a ratio: a value of `unit` for e times the material of the other side."""
    return math.floor(unit * math.log(max(mine, 1) / max(theirs, 1)) + 0.5)


def shannon_sum(advantage, advance, threats):
    """A pawn is 100: the advantage in pieces, half a pawn for each weakness that only the other side has, and
    a tenth for each move more."""
    return 100 * advantage + 50 * advance + 10 * threats
