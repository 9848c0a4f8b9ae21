"""The chess evaluations of Turing and Shannon as they were published; see `evaluate/historical`.

turing    the values of the pieces: pawn 1, knight 3, bishop 3½, rook 5, queen 10; White's divided by Black's
shannon   queen 9, rook 5, bishop and knight 3, pawn 1; half a pawn less for each doubled, isolated or
          backward pawn, a tenth for each legal move
"""

from __future__ import annotations

from typing import Any

from gambito.evaluate.historical import as_quotient, shannon_sum, turing_quotient
from gambito.native import int64, popcount
from gambito.native.scratch import scratch

from .board import ONE, ROW, ZERO, is_check
from .knowledge import beside, filled_down, filled_up, guarded, in_front
from .moves import COUNT, generate, passed

SCHOOLS = ("turing", "shannon")
SUM = (100, 50, 10)  # of a pawn's worth, of a weakness that only the opponent has, of a move
SUMMED = ("pieces", "weak pawns", "moves")


def turing(state):
    """The value for the player to move: White's material divided by Black's, less 1."""
    if state.side == ZERO:
        return turing_quotient(halves(state, state.own), halves(state, state.opp))
    return -turing_quotient(halves(state, state.opp), halves(state, state.own))


def halves(state, side):
    """The value of a side's pieces in half pawns."""
    total = 2 * popcount(state.pawns & side) + 6 * popcount(state.knights & side)
    total += 7 * popcount(state.bishops & side) + 10 * popcount(state.rooks & side)
    return total + 20 * popcount(state.queens & side)


def shannon(state):
    """The value for the player to move: Shannon's sum."""
    advantage, weak, moves = shannon_parts(state)
    return shannon_sum(SUM, advantage, weak, moves)


def shannon_parts(state):
    """How far the player to move is ahead in pieces, in weaknesses of pawns and in moves."""
    mine, theirs = generate(state, scratch(1), int64(0), int64(COUNT)), int64(0)
    if is_check(state):
        theirs = mine  # a player in check has few moves, and the opponent's cannot be counted
    else:
        theirs = generate(passed(state), scratch(1), int64(0), int64(COUNT))
    advantage = points(state, state.own) - points(state, state.opp)
    weak = weaknesses(state, state.opp, state.own, state.side ^ ONE)
    return advantage, weak - weaknesses(state, state.own, state.opp, state.side), mine - theirs


def points(state, side):
    """The value of a side's pieces in pawns."""
    minor = popcount((state.knights | state.bishops) & side)
    return (
        9 * popcount(state.queens & side)
        + 5 * popcount(state.rooks & side)
        + 3 * minor
        + popcount(state.pawns & side)
    )


def weaknesses(state, own, other, side):
    """The number of doubled, isolated and backward pawns. A pawn is backward if its neighbours have gone
    ahead and the square in front of it is guarded."""
    pawns = state.pawns & own
    files = filled_up(filled_down(pawns))
    doubled, isolated = popcount(pawns & in_front(pawns, side)), popcount(pawns & ~beside(files))
    step = pawns << ROW if side == ZERO else pawns >> ROW
    stopped = step & guarded(state.pawns & other, side ^ ONE)
    backward = popcount(stopped & beside(files) & ~in_front(beside(pawns), side))
    return doubled + isolated + backward


def explain_school(school: int, state: Any) -> list[tuple[str, float, float | None]]:
    """What the evaluation of a school counts: a name, an amount, and its coefficient if it has one."""
    if school == 1:
        pieces = [int(halves(state, side)) / 2 for side in (state.own, state.opp)]
        white, black = pieces if state.side == ZERO else pieces[::-1]
        quotient = as_quotient(turing_quotient(white, black))
        return [
            ("White's pieces", white, None),
            ("Black's pieces", black, None),
            ("quotient", quotient, None),
        ]
    return [(name, int(part), c) for name, part, c in zip(SUMMED, shannon_parts(state), SUM, strict=True)]
