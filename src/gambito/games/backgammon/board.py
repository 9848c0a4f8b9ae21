"""The checkers of backgammon in four words, and the move of one checker.

A player's points are counted from that player's side: 1 to 6 are the home board, 25 is the bar, 26 the
checkers borne off. Each point takes four bits:

    near   points 1 to 12
    far    points 13 to 24, the bar, checkers borne off

Point p of one player is point 25 - p of the other. A board is (near, far) of the player to move, then of the
opponent. Which moves a player may or must make is decided in other modules.
"""

from __future__ import annotations

from typing import NamedTuple

from gambito.native import int64, uint64

BAR, OFF = 25, 26
CHECKERS = 15
FEET = 0x1111111111111111
OUTSIDE = (1 << 52) - 1  # the part of `far` without the checkers borne off


class Checkers(NamedTuple):
    """The checkers of both players, the mover's first."""

    near: uint64
    far: uint64
    other_near: uint64
    other_far: uint64


def count_at(near, far, point):
    """The number of checkers that a player has on a point."""
    if point <= 12:
        return int64((near >> uint64(4 * (point - 1))) & uint64(15))
    return int64((far >> uint64(4 * (point - 13))) & uint64(15))


def is_home(board):
    """Are all of the mover's checkers in the home board or borne off?"""
    return board.near >> uint64(24) == uint64(0) and board.far & uint64(OUTSIDE) == uint64(0)


def move(board, point, die):
    """The board after the mover moves a checker; a blot on its new point goes to the bar."""
    near, far, other_near, other_far = board
    if point <= 12:
        near -= uint64(1) << uint64(4 * (point - 1))
    else:
        far -= uint64(1) << uint64(4 * (point - 13))
    target = point - die
    if target <= 0:
        far += uint64(1) << uint64(52)
    else:
        if target <= 12:
            near += uint64(1) << uint64(4 * (target - 1))
        else:
            far += uint64(1) << uint64(4 * (target - 13))
        mirror = 25 - target
        if count_at(other_near, other_far, mirror) == 1:
            if mirror <= 12:
                other_near -= uint64(1) << uint64(4 * (mirror - 1))
            else:
                other_far -= uint64(1) << uint64(4 * (mirror - 13))
            other_far += uint64(1) << uint64(48)
    return Checkers(near, far, other_near, other_far)


def hits(board, point, die):
    """Does the checker hit a blot?"""
    target = point - die
    return target >= 1 and count_at(board.other_near, board.other_far, 25 - target) == 1


def pips(near, far):
    """The pip count of a player."""
    total = int64(0)
    for point in range(1, BAR + 1):
        total += point * count_at(near, far, point)
    return total


def occupied(word):
    """The lowest bit of every point that has a checker."""
    return (word | word >> uint64(1) | word >> uint64(2) | word >> uint64(3)) & uint64(FEET)


def made(word):
    """The lowest bit of every point that has two or more checkers."""
    return (word >> uint64(1) | word >> uint64(2) | word >> uint64(3)) & uint64(FEET)


def pack(points):
    """Pack 26 counts into (near, far): points 1 to 24, the bar, borne off."""
    near = far = 0
    for place, count in enumerate(points):
        if place < 12:
            near |= count << (4 * place)
        else:
            far |= count << (4 * (place - 12))
    return near, far


def unpack(near, far):
    """The 26 counts of (near, far)."""
    return [int(count_at(uint64(near), uint64(far), point)) for point in range(1, OFF + 1)]
