"""Captures: every way to capture, found by following jumps from square to square.

    found:  0  the number of captures found
            1  the number of pieces that the longest of them takes
            2  where the captures of the current piece begin
            then two words for each capture: the action, and the pieces that it takes

An action is the place that the piece leaves plus 2⁶ times the place that it enters. A capture adds 2¹² times
its number among the captures of its piece, from 1. Captured pieces stay on the board until the capture has
ended, and cannot be jumped twice.
"""

from __future__ import annotations

from gambito.native import first_bit, int64, native, uint64

from .board import ROUND

COUNT, LONGEST, OWN, HEAD = 0, 1, 2, 3
MAX_CAPTURES = 256  # captures that are listed for one position
BUFFER_SIZE = HEAD + 2 * MAX_CAPTURES
KIND = 12  # bits for the places in an action


def note(board, found, start, square, taken, count):
    """Record a capture that ends on a square, unless it is too short or equal to one already found."""
    if board.majority:
        longest = int64(found[LONGEST])
        if count < longest:
            return
        if count > longest:
            found[LONGEST], found[OWN], found[COUNT] = uint64(count), uint64(0), uint64(0)
    end = int64(found[COUNT])
    if end == MAX_CAPTURES:
        return
    own = int64(found[OWN])
    place = first_bit(square)
    if not board.routes:
        other = own
        while other < end:
            is_alike = found[HEAD + 2 * other + 1] == taken
            if is_alike and (int64(found[HEAD + 2 * other]) >> 6) & 63 == place:
                return
            other += 1
    found[HEAD + 2 * end] = uint64(start | (place << 6) | ((end - own + 1) << KIND))
    found[HEAD + 2 * end + 1] = taken
    found[COUNT] = uint64(end + 1)


@native
def hop(board, found, start, square, ways, theirs, empty, taken, count):
    """Follow jumps over neighbours to the square behind them."""
    is_over = True
    way = 0
    while way < 4:
        if (ways >> way) & 1:
            over = board.shifted(square, way) & theirs
            landing = board.shifted(over, way) & empty
            if landing:
                is_over = False
                hop(board, found, start, landing, ways, theirs ^ over, empty, taken | over, count + 1)
        way += 1
    if is_over and count > 0:
        note(board, found, start, square, taken, count)
    return count


@native
def fly(board, found, start, square, came, theirs, empty, taken, count):
    """Follow jumps over any distance to any free square behind; only from the last such square straight on.

    Only for games where the longest capture must be made: captures that could continue are not dropped.
    """
    way = 0
    while way < 4:
        if came < 0 or (way ^ came) & 1:
            over = board.shifted(square, way)
            while over & empty:
                over = board.shifted(over, way)
            over &= theirs
            left, all_taken, number = theirs ^ over, taken | over, count + 1
            landing = board.shifted(over, way) & empty
            while landing:
                note(board, found, start, landing, all_taken, number)
                fly(board, found, start, landing, int64(way), left, empty, all_taken, number)
                landing = board.shifted(landing, way)
                if not landing & empty:  # continue straight on
                    over = landing & left
                    landing = board.shifted(over, way) & empty
                    left, all_taken, number = left ^ over, all_taken | over, number + 1
        way += 1
    return count


def take_from(board, found, start, mine, theirs, kings, ways):
    """Find all captures of one piece."""
    square = uint64(1) << uint64(start)
    empty = board.full & ~(mine | theirs) | square
    found[OWN] = found[COUNT]
    if board.flying and kings & square:
        fly(board, found, start, square, int64(-1), theirs, empty, uint64(0), int64(0))
    else:
        hop(board, found, start, square, int64(ways), theirs, empty, uint64(0), int64(0))


def jumpers(board, pieces, theirs, empty, ways):
    """The pieces that can jump over a neighbour."""
    found = uint64(0)
    way = 0
    while way < 4:
        if (ways >> way) & 1:
            found |= board.shifted(board.shifted(empty, way ^ 2) & theirs, way ^ 2)
        way += 1
    return found & pieces


def list_captures(board, found, mine, theirs, kings, ways):
    """Find all captures of a side whose men jump in the directions `ways`."""
    found[COUNT], found[LONGEST], found[OWN] = uint64(0), uint64(1), uint64(0)
    empty = board.full & ~(mine | theirs)
    left = jumpers(board, mine & ~kings, theirs, empty, ways)
    while left:
        start = first_bit(left)
        left &= left - uint64(1)
        take_from(board, found, start, mine, theirs, kings, ways)
    left = mine & kings
    if not board.flying:
        left = jumpers(board, left, theirs, empty, ROUND)
    while left:
        start = first_bit(left)
        left &= left - uint64(1)
        take_from(board, found, start, mine, theirs, kings, ROUND)
    return int64(found[COUNT])


def taken_by(board, found, action, mine, theirs, kings, ways):
    """The pieces that a capture takes."""
    start = action & 63
    is_king = (kings >> uint64(start)) & uint64(1)
    found[COUNT], found[LONGEST], found[OWN] = uint64(0), uint64(1), uint64(0)
    take_from(board, found, start, mine, theirs, kings, int64(ROUND) if is_king else int64(ways))
    return uint64(found[HEAD + 2 * ((action >> KIND) - 1) + 1])
