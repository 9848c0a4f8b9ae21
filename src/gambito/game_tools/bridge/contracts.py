"""Contracts of bridge and what they score; boards, dealers and vulnerability. It knows no cards.

strain   0 to 4: clubs, diamonds, hearts, spades, no trump
call     0: pass, 1: double, 2: redouble, 3 to 37: the bids from 1C to 7NT
seat     0 to 3: South, West, North, East; partners have the same parity
"""

from __future__ import annotations

from typing import NamedTuple

STRAINS = ("C", "D", "H", "S", "NT")
SEATS = "SWNE"
PASS, DOUBLE, REDOUBLE, FIRST_BID = 0, 1, 2, 3
CALLS = FIRST_BID + 35
BOOK = 6  # tricks that do not count
NOBODY, NORTH_SOUTH, EAST_WEST, BOTH = range(4)  # who is vulnerable, as bits of the sides
VULNERABLE = ("None", "NS", "EW", "All")
_BY_BOARD = (0, 1, 2, 3, 1, 2, 3, 0, 2, 3, 0, 1, 3, 0, 1, 2)  # the vulnerability of boards 1 to 16


class Contract(NamedTuple):
    """What was bid, and by whom; level 0 means that all passed."""

    level: int
    strain: int
    doubled: int  # 0, 1: doubled, 2: redoubled
    declarer: int

    def __str__(self) -> str:
        if not self.level:
            return "Pass"
        return f"{self.level}{STRAINS[self.strain]}{'X' * self.doubled}"


def dealer_of(board: int) -> int:
    """Who deals a board: North deals board 1, then clockwise."""
    return (board + 1) % 4


def vulnerability_of(board: int) -> int:
    """Which sides are vulnerable on a board."""
    return _BY_BOARD[(board - 1) % 16]


def is_vulnerable(seat: int, vulnerability: int) -> bool:
    return bool(vulnerability >> (seat & 1) & 1)


def bid_of(level: int, strain: int) -> int:
    return FIRST_BID + 5 * (level - 1) + strain


def call_name(call: int) -> str:
    """`1NT`, `X`, `Pass`."""
    if call < FIRST_BID:
        return ("Pass", "X", "XX")[call]
    level, strain = divmod(call - FIRST_BID, 5)
    return f"{level + 1}{STRAINS[strain]}"


def score(level, strain, doubled, is_vulnerable, tricks):
    """The points of a declarer who has taken so many tricks, by duplicate scoring; below 0: down."""
    if level == 0:
        return 0
    over = tricks - level - 6
    if over < 0:
        return -penalty(-over, doubled, is_vulnerable)
    points = trick_points(level, strain) << doubled
    total = points + 50 * doubled
    if points < 100:
        total += 50
    else:
        total += 500 if is_vulnerable else 300
    return total + slam_points(level, is_vulnerable) + over * overtrick_points(strain, doubled, is_vulnerable)


def trick_points(level, strain):
    """The points of the tricks that were bid, undoubled."""
    return level * (20 if strain < 2 else 30) + (10 if strain == 4 else 0)


def overtrick_points(strain, doubled, is_vulnerable):
    """The points of a trick more than was bid."""
    if doubled == 0:
        return 20 if strain < 2 else 30
    return (200 if is_vulnerable else 100) * doubled


def slam_points(level, is_vulnerable):
    """The points for twelve tricks or all, if they were bid."""
    if level < 6:
        return 0
    return (level - 5) * (750 if is_vulnerable else 500)


def penalty(under, doubled, is_vulnerable):
    """The points of the defenders, by the tricks that the declarer lacks."""
    if doubled == 0:
        return under * (100 if is_vulnerable else 50)
    if is_vulnerable:
        return (300 * under - 100) * doubled
    return (200 * under - 100 + (100 * (under - 3) if under > 3 else 0)) * doubled
