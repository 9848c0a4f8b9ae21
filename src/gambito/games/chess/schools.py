"""The chess evaluations of Turing and Shannon as they were published; see `evaluate/historical`.

turing    the values of the pieces: pawn 1, knight 3, bishop 3½, rook 5, queen 10; as a ratio
shannon   queen 9, rook 5, bishop and knight 3, pawn 1; half a pawn less for each doubled, isolated or
          backward pawn, a tenth for each legal move
"""

from __future__ import annotations

from gambito.evaluate.historical import shannon_sum, turing_ratio
from gambito.native import int64, popcount
from gambito.native.scratch import scratch

from .board import ONE, ROW, ZERO, is_check
from .knowledge import beside, filled_down, filled_up, guarded, in_front
from .moves import COUNT, generate, passed

SCHOOLS = ("turing", "shannon")
RATIO_UNIT = 4000  # so that a pawn out of forty is about a hundred


def turing(state):
    """The value for the player to move: the ratio of material."""
    return turing_ratio(halves(state, state.own), halves(state, state.opp), RATIO_UNIT)


def halves(state, side):
    """The value of a side's pieces in half pawns."""
    total = 2 * popcount(state.pawns & side) + 6 * popcount(state.knights & side)
    total += 7 * popcount(state.bishops & side) + 10 * popcount(state.rooks & side)
    return total + 20 * popcount(state.queens & side)


def shannon(state):
    """The value for the player to move: Shannon's sum."""
    mine, theirs = generate(state, scratch(1), int64(0), int64(COUNT)), int64(0)
    if is_check(state):
        theirs = mine  # a player in check has few moves, and the opponent's cannot be counted
    else:
        theirs = generate(passed(state), scratch(1), int64(0), int64(COUNT))
    advantage = points(state, state.own) - points(state, state.opp)
    weak = weaknesses(state, state.opp, state.own, state.side ^ ONE)
    return shannon_sum(advantage, weak - weaknesses(state, state.own, state.opp, state.side), mine - theirs)


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
