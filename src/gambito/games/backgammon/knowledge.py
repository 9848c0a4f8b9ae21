"""The hand-made evaluation of backgammon, and an estimate of which plays look good.

Values are equities: the average number of points that a game is worth, so they are linear in winning chances.
A race is evaluated by how many rolls each side still needs (from bear-off tables, else from pips); a position
with contact by pips, shots at blots, points, primes, anchors and builders.
"""

from __future__ import annotations

import math

import numpy as np

from gambito.native import int64, last_bit, popcount, uint64

from .bearoff import (
    CHANCE_UNIT,
    DEVIATION_UNIT,
    FEW,
    MEAN_UNIT,
    PAIRS,
    number_of,
)
from .board import (
    BAR,
    CHECKERS,
    OUTSIDE,
    count_at,
    is_home,
    made,
    occupied,
    pips,
)

PIPS_PER_ROLL, WASTE = 8.17, 8.0  # the pips of an average roll, and the pips wasted in bearing off
SPREAD = 0.277  # variance of the number of rolls in a long race, for each roll
LEAD = 0.0125  # equity of one pip of lead when there is contact
ON_ROLL = 4.0  # the pips that being on roll is worth
HIGHEST_EQUITY = 2.9  # the highest equity of an estimate

# The probability of being hit from this many points away by one checker, in 36ths.
SHOTS = np.array([0, 11, 12, 14, 15, 15, 17, 6, 6, 5, 3, 2, 3, 1, 1, 1, 1, 0, 1, 0, 1, 0, 0, 0, 1]) / 36
# The worth of a made point, numbered from the player's side: home board, blocking points, then anchors.
POINTS = np.array(
    [0, 0.006, 0.023, 0.049, 0.075, 0.091, 0.078, 0.065, 0.032, 0.026, 0.02, 0.013, 0.006,
     0.013, 0.006, 0.013, 0.02, 0.02, 0.052, 0.046, 0.078, 0.072, 0.039, 0.026, 0.013, 0.0]
)  # fmt: skip
PRIME = np.array([0.0, 0.0, 0.0, 0.013, 0.065, 0.16, 0.33])  # points in a row, if a checker is behind them
BLOT = 0.3  # equity of a blot that is certainly hit, far from home; less near the start
HIT = 0.1  # a checker on the bar, besides the pips
SHUT = 0.06  # each made home point, against a checker on the bar
BACK = 0.04  # a checker in the opponent's home board
STACK = 0.025  # each checker on a point beyond three
DEAD = 0.03  # a checker on the ace or deuce point while there is contact


def equity(board, means, deviations, chances):
    """The equity of the player on roll."""
    if not is_contact(board):
        return race_equity(board, means, deviations, chances)
    lead = pips(board.other_near, board.other_far) - pips(board.near, board.far)
    worth = LEAD * (lead + ON_ROLL)
    worth += structure(board.near, board.far, board.other_near, board.other_far, 0.55)
    worth -= structure(board.other_near, board.other_far, board.near, board.far, 1.0)
    return min(max(worth, -limit(board.far)), limit(board.other_far))


def limit(loser_far):
    """The highest possible equity against a player who has borne off the checkers counted in `loser_far`."""
    return HIGHEST_EQUITY if loser_far >> uint64(52) == uint64(0) else 0.97


def is_contact(board):
    return highest(board.near, board.far) + highest(board.other_near, board.other_far) > 24


def highest(near, far):
    """The point of a player's rearmost checker; 0 if all are off."""
    outside = far & uint64(OUTSIDE)
    if outside:
        return last_bit(outside) // 4 + 13
    return last_bit(near) // 4 + 1 if near else int64(0)


# ---- contact ---------------------------------------------------------------------------------------
def structure(near, far, other_near, other_far, danger):
    """The worth of a side's checkers apart from the race; `danger` weights shots by who rolls first."""
    worth = 0.0
    strength = popcount(made(other_near) & uint64(0x111111))
    longest, running = int64(0), int64(0)
    behind = 25 - highest(other_near, other_far)  # the player's point with the opponent's rearmost checker
    for point in range(1, BAR):
        count = count_at(near, far, point)
        if count >= 2:
            worth += POINTS[point]
            worth -= STACK * max(count - 3, 0)
            running += 1
            if point > behind and running > longest:
                longest = running
        else:
            running = int64(0)
        if point <= 2:
            worth -= DEAD * count
        if point >= 19:
            worth -= BACK * count
        if count == 1 and point >= behind:
            lost = 0.25 + 0.75 * (25 - point) / 24.0
            worth -= danger * BLOT * (0.6 + 0.12 * strength) * lost * shots(25 - point, other_near, other_far)
    worth += PRIME[min(longest, 6)]
    on_bar = count_at(near, far, BAR)
    worth -= on_bar * (HIT + SHUT * strength)
    return worth


def shots(point, near, far):
    """The probability that a player hits a blot on a point, which is numbered from that player's side."""
    missed = 1.0
    for start in range(point + 1, BAR + 1):
        if count_at(near, far, start):
            missed *= 1.0 - SHOTS[min(start - point, 24)]
    return 1.0 - missed


# ---- races -----------------------------------------------------------------------------------------
def is_tabled(board):
    """Is the position in the two-sided table? Both have at most five checkers left, all at home."""
    is_home_alone = is_home(board) and board.other_near >> uint64(24) == uint64(0)
    is_home_alone = is_home_alone and board.other_far & uint64(OUTSIDE) == uint64(0)
    return is_home_alone and min(board.far, board.other_far) >> uint64(52) >= uint64(CHECKERS - FEW)


def tabled_equity(board, chances):
    """The equity of the player on roll in a position of the table."""
    return 2.0 * chances[number_of(board.near) * PAIRS + number_of(board.other_near)] / CHANCE_UNIT - 1.0


def race_equity(board, means, deviations, chances):
    """The equity of the player on roll when no checker can be hit any more."""
    if is_tabled(board):
        return tabled_equity(board, chances)
    mean, variance = rolls_left(board.near, board.far, means, deviations)
    other_mean, other_variance = rolls_left(board.other_near, board.other_far, means, deviations)
    spread = math.sqrt(variance + other_variance + 0.02)
    wins = normal((other_mean - mean + 0.5) / spread)
    gammons = gammon_chance(board.other_near, board.other_far, mean - 0.5, variance)
    lost_gammons = gammon_chance(board.near, board.far, other_mean + 0.5, other_variance)
    return wins * (1.0 + gammons) - (1.0 - wins) * (1.0 + lost_gammons)


def rolls_left(near, far, means, deviations):
    """The mean and the variance of the number of rolls that a player still needs."""
    if near >> uint64(24) == uint64(0) and far & uint64(OUTSIDE) == uint64(0):
        number = number_of(near)
        deviation = deviations[number] / DEVIATION_UNIT
        return means[number] / MEAN_UNIT, deviation * deviation
    mean = (pips(near, far) + WASTE) / PIPS_PER_ROLL
    return mean, SPREAD * mean


def gammon_chance(near, far, rolls, variance):
    """The probability that a player bears off no checker within this many rolls."""
    if far >> uint64(52) != uint64(0):
        return 0.0
    way = int64(0)
    for point in range(7, BAR + 1):
        way += (point - 6) * count_at(near, far, point)
    need = way / (PIPS_PER_ROLL - 1.0) + 1.0
    return normal((need - rolls) / math.sqrt(variance + SPREAD * need + 0.02))


def normal(x):
    """The normal distribution function."""
    return 0.5 * math.erfc(-x / math.sqrt(2.0))


# ---- ordering --------------------------------------------------------------------------------------
def promise(before, after):
    """How good a play looks: what it hits, makes and bears off, and the blots that it leaves."""
    hit = int64(after.other_far >> uint64(48) & uint64(15)) - int64(
        before.other_far >> uint64(48) & uint64(15)
    )
    blots = popcount(occupied(after.near) & ~made(after.near)) + popcount(
        occupied(after.far & uint64(OUTSIDE)) & ~made(after.far & uint64(OUTSIDE))
    )
    points = popcount(made(after.near)) + popcount(made(after.far & uint64((1 << 48) - 1)))
    off = int64(after.far >> uint64(52))
    return 4 * hit + 2 * points - 2 * blots + 2 * off + 100
