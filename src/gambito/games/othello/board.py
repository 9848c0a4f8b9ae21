"""The board as bits: legal squares, the discs that a move turns over, and stable discs.

Squares are numbered row by row from a1, top left; on 8×8:

        a  b  c  d  e  f  g  h
    1   0  1  2  3  4  5  6  7
    2   8  9 10 11 12 13 14 15
    …
    8  56 57 58 59 60 61 62 63

A step right is a shift by 1, a step down a shift by the size, and the diagonals are one more or less than
that: four shifts up and the same four down are the eight directions. Each lane of `lanes` is one of the four.
The two sides are two sets of discs; the board does not know whose turn it is or whether the game is over.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from gambito.errors import GameError
from gambito.native import popcount, uint64
from gambito.native.lanes import lanes, union, where

SIZES = (4, 6, 8)


class SquareGeometry:
    """An even square board of up to 8×8."""

    def __init__(self, size: int) -> None:
        if size not in SIZES:
            raise GameError("size is 4, 6 or 8, not {}", size)
        self.size, self.cells, last = size, size * size, size - 1
        half = size // 2
        choose = self._choose
        self.full = choose(lambda x, y: True)
        self.corners = choose(lambda x, y: x in (0, last) and y in (0, last))
        self.risky = choose(lambda x, y: {x, y} <= {0, 1, last - 1, last}) ^ self.corners  # around a corner
        self.edges = np.array(
            [
                choose(lambda x, y: y == 0),
                choose(lambda x, y: y == last),
                choose(lambda x, y: x == 0),
                choose(lambda x, y: x == last),
            ]
        )
        # For each lane: right, down and left, down, down and right.
        across, down = choose(lambda x, y: 0 < x < last), choose(lambda x, y: 0 < y < last)
        self.steps = np.array([1, size - 1, size, size + 1], np.uint64)
        self.inside = np.array([across, across & down, down, across & down])  # where a run can be enclosed
        self.along = np.array([down ^ self.full, 0, across ^ self.full, 0], np.uint64)  # edges, lengthwise
        self.quadrants = np.array(  # for each square, its quarter of the board
            [
                choose(lambda x, y, s=s: x // half == s % size // half and y // half == s // size // half)
                for s in range(self.cells)
            ]
        )
        self.quarters = (0, half, half * size, half * size + half)  # one square of each
        self.diagonals = np.array([choose(lambda x, y, d=d: x - y == d) for d in range(-last, size)])

    def _choose(self, is_chosen: Callable[..., bool]) -> np.uint64:
        """The set of squares (column, row) that satisfy a condition."""
        squares = [s for s in range(self.cells) if is_chosen(s % self.size, s // self.size)]
        return np.uint64(sum(1 << s for s in squares))

    # ---- moves -----------------------------------------------------------------------------------
    def moves(self, mine, theirs):
        """The squares where a disc of mine turns over some of theirs."""
        steps = lanes(self.steps)
        up, down = self.runs(mine, lanes(theirs) & lanes(self.inside))
        return union((up << steps) | (down >> steps)) & self.full & ~(mine | theirs)

    def flips(self, mine, theirs, disc):
        """The discs of theirs that a new disc of mine turns over."""
        steps, own = lanes(self.steps), lanes(mine)
        up, down = self.runs(disc, lanes(theirs) & lanes(self.inside))
        return union(where(up, own & (up << steps)) | where(down, own & (down >> steps)))

    def runs(self, starts, through):
        """The unbroken runs of `through` that begin next to `starts`, upward and downward.

        By the method of Kogge and Stone: one step, one more, then twice two at once. The longest run is six.
        """
        steps, twice = lanes(self.steps), lanes(self.steps) << lanes(uint64(1))
        up = through & (lanes(starts) << steps)
        down = through & (lanes(starts) >> steps)
        up = up | (through & (up << steps))
        down = down | (through & (down >> steps))
        pairs_up, pairs_down = through & (through << steps), through & (through >> steps)
        up = up | (pairs_up & (up << twice))
        down = down | (pairs_down & (down >> twice))
        up = up | (pairs_up & (up << twice))
        down = down | (pairs_down & (down >> twice))
        return up, down

    def frontier(self, mine, theirs):
        """The empty squares next to discs of theirs that could be turned over from there at some point."""
        steps, through = lanes(self.steps), lanes(theirs) & lanes(self.inside)
        return union((through << steps) | (through >> steps)) & self.full & ~(mine | theirs)

    def openings(self, mine, theirs):
        """The squares that open an empty corner to the opponent: along the edge, and diagonally."""
        empty = self.corners & ~(mine | theirs)
        down = uint64(self.size)
        sides = ((empty & self.edges[2]) << uint64(1)) | ((empty & self.edges[3]) >> uint64(1))
        beside = sides | (empty << down) | (empty >> down)
        return beside & self.full, ((sides << down) | (sides >> down)) & self.full

    def fixed(self, mine, theirs):
        """Discs of mine that can never be turned over; only some of them, on the edges.

        An edge disc can be turned over only along its edge. So it is stable if the edge is full, or if an
        unbroken run of its colour connects it to a corner.
        """
        if not (mine | theirs) & self.corners:
            return uint64(0)
        up, down = self.runs(mine & self.corners, lanes(mine) & lanes(self.along))
        safe = union(up | down) | (mine & self.corners)
        for edge in range(4):
            if self.edges[edge] & ~(mine | theirs) == uint64(0):
                safe |= mine & self.edges[edge]
        return safe

    def score(self, mine, theirs):
        """My lead in discs if the game ends here; empty squares count for the winner."""
        own, others = popcount(mine), popcount(theirs)
        if own > others:
            return self.cells - 2 * others
        if own < others:
            return 2 * own - self.cells
        return 0

    # ---- the same board seen otherwise -----------------------------------------------------------
    def seen(self, bits, view):
        """The squares in one of eight views: mirrored (1), upside down (2), transposed (4), and sums."""
        if view & 1:
            bits = self.mirrored(bits, self.edges[2], 1)
        if view & 2:
            bits = self.mirrored(bits, self.edges[0], self.size)
        if view & 4:
            bits = self.transposed(bits)
        return bits

    def mirrored(self, bits, line, step):
        """Columns (or rows) in reverse order; `line` is the first one and `step` the distance to the next."""
        image = uint64(0)
        for place in range(self.size):
            image |= ((bits >> uint64(step * place)) & line) << uint64(step * (self.size - 1 - place))
        return image

    def transposed(self, bits):
        """Exchange columns and rows: the squares of a diagonal move together."""
        image = uint64(0)
        for place in range(self.size):
            move = uint64(place * (self.size - 1))
            image |= (bits & self.diagonals[self.size - 1 + place]) << move
            image |= (bits & self.diagonals[self.size - 1 - place]) >> move
        return image
