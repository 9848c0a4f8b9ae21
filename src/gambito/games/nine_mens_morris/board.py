"""The board as bits: rings of eight points, joined at the middle of their sides.

Points are numbered ring by ring from the outer one, clockwise from the upper left corner. With three rings:

     0 --------- 1 --------- 2
     |           |           |
     |   8 ----- 9 ---- 10   |
     |   |       |       |   |
     |   |  16-17-18     |   |
     7 -15 -23     19 - 11 - 3
     |   |  22-21-20     |   |
     |   |       |       |   |
     |  14 ---- 13 ---- 12   |
     |           |           |
     6 --------- 5 --------- 4

A ring is a byte, so one table of bytes holds a rotation or mirror image of the board. The rings may also be
exchanged, the inner for the outer. The board does not know whose turn it is.
"""

from __future__ import annotations

import numpy as np

from gambito.errors import GameError
from gambito.native import first_bit, popcount, uint64

RING, BYTE = 8, np.uint64(255)
VIEWS = 8  # of a ring: turned and mirrored


class MillGeometry:
    """Points, lines, and the men in mills."""

    def __init__(self, rings: int) -> None:
        if rings not in (2, 3):
            raise GameError("rings is 2 or 3, not {}", rings)
        self.rings, self.points = rings, rings * RING
        self.full = np.uint64((1 << self.points) - 1)
        beside = [self._beside(p) for p in range(self.points)]
        self.beside = np.array([sum(1 << q for q in near) for near in beside], np.uint64)
        lines = [
            [r * RING + (c + step) % RING for step in range(3)] for r in range(rings) for c in (0, 2, 4, 6)
        ]
        if rings == 3:
            lines += [[c, RING + c, 2 * RING + c] for c in (1, 3, 5, 7)]
        self.lines = np.array([sum(1 << p for p in line) for line in lines], np.uint64)
        # The two lines through each point, without the point itself; a single line is stored twice.
        others = [[int(m) & ~(1 << p) for m in self.lines if int(m) >> p & 1] for p in range(self.points)]
        self.through = np.array([[o[0], o[-1]] for o in others], np.uint64)
        self.seen = np.array(
            [
                [sum(1 << _turned(p, view) for p in range(RING) if byte >> p & 1) for byte in range(256)]
                for view in range(VIEWS)
            ],
            np.uint64,
        )

    def _beside(self, point: int) -> list[int]:
        ring, place = divmod(point, RING)
        found = [ring * RING + (place + 1) % RING, ring * RING + (place - 1) % RING]
        if place % 2:
            found += [r * RING + place for r in (ring - 1, ring + 1) if 0 <= r < self.rings]
        return found

    def closes(self, men, point):
        """Would a man on the point form a mill with two of these?"""
        first, second = self.through[point, 0], self.through[point, 1]
        return men & first == first or men & second == second

    def in_mills(self, men):
        """The men that stand in a mill."""
        found = uint64(0)
        line = 0
        while line < len(self.lines):
            if men & self.lines[line] == self.lines[line]:
                found |= self.lines[line]
            line += 1
        return found

    def removable(self, men):
        """The men that may be taken: those in a mill only if there are no others."""
        free = men & ~self.in_mills(men)
        return free if free else men

    def reach(self, men):
        """The points next to the men."""
        found = uint64(0)
        while men:
            found |= self.beside[first_bit(men)]
            men &= men - uint64(1)
        return found

    def freedom(self, men, empty):
        """The number of steps that the men have."""
        number = 0
        while men:
            number += popcount(self.beside[first_bit(men)] & empty)
            men &= men - uint64(1)
        return number

    def turned(self, men, number):
        """The men in one of the views: 0 is the board itself; from 8 on the inner ring is outside."""
        turn = number & 7
        inner = self.seen[turn, (men >> uint64(RING * (self.rings - 1))) & BYTE]
        outer = self.seen[turn, men & BYTE]
        if number >= VIEWS:
            inner, outer = outer, inner
        found = outer | (inner << uint64(RING * (self.rings - 1)))
        if self.rings == 3:
            found |= self.seen[turn, (men >> uint64(RING)) & BYTE] << uint64(RING)
        return found


def _turned(place: int, view: int) -> int:
    """Where a place of a ring goes: quarter turns, and mirrored from the fourth view on."""
    turned = (place + 2 * (view % 4)) % RING
    return (RING - turned + 2) % RING if view >= 4 else turned
