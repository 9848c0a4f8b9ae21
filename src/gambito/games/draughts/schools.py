"""Shannon's evaluation for draughts, with its three coefficients; see `evaluate/historical`.

c1 · pieces          men and kings, in men
c2 · advance         the rows that men have gone
c3 · double threats  pieces that attack two pieces at once: beside each an empty square lies behind
"""

from __future__ import annotations

from typing import Any

from gambito.evaluate.historical import shannon_sum
from gambito.native import int64, popcount

from .board import DOWN, ROUND, UP

SHANNON = "shannon"
MAN = 100  # values are hundredths of a man
SUM = (MAN, 4, 20)  # c1, c2, c3
SUMMED = ("pieces", "advance", "double threats")


def shannon(game, state):
    """The value for the player to move."""
    pieces, advance, threats = shannon_parts(game, state)
    return shannon_sum(SUM, pieces // MAN, advance, threats) + SUM[0] * (pieces % MAN) // MAN


def shannon_parts(game, state):
    """How far the player to move is ahead in pieces (in hundredths of a man), rows and double threats."""
    side, men = int64(state.side), ~state.kings
    lead = popcount(state.mine & men) - popcount(state.theirs & men)
    crowned = popcount(state.mine & state.kings) - popcount(state.theirs & state.kings)
    row, gone = 1, int64(0)
    while row < game.size:
        left = game.size - 1 - row
        gone += left * popcount(state.mine & men & game.rows[row, side])
        gone -= left * popcount(state.theirs & men & game.rows[row, 1 - side])
        row += 1
    threats = double_threats(game, state.mine, state.theirs, state.kings, side)
    threats -= double_threats(game, state.theirs, state.mine, state.kings, 1 - side)
    return MAN * lead + game.king * crowned, gone, threats


def double_threats(game, mine, theirs, kings, side):
    """The number of pieces that could jump over a piece beside them in two directions."""
    empty = game.full & ~(mine | theirs)
    ahead = UP if side else DOWN
    jumps = ROUND if game.both_ways else ahead
    once, twice, way = mine & ~mine, mine & ~mine, 0
    while way < 4:
        movers = mine if (jumps >> way) & 1 else mine & kings
        attackers = movers & game.shifted(theirs & game.shifted(empty, way ^ 2), way ^ 2)
        twice |= once & attackers
        once |= attackers
        way += 1
    return popcount(twice)


def explain_shannon(game: Any, state: Any) -> list[tuple[str, float, float | None]]:
    """What the sum counts: the name, the amount and the coefficient of each part."""
    pieces, advance, threats = map(int, shannon_parts(game, state))
    amounts = (pieces / MAN, advance, threats)
    return list(zip(SUMMED, amounts, SUM, strict=True))
