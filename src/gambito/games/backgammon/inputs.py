"""The inputs of a learned evaluation: numbered inputs of a board, and the amount of each.

Each player has a block of inputs, the player on roll first:

    4 a point, 25 the bar    1 checker, 2, 3 or more, and the checkers beyond three
    3 for those borne off    the first five, the next five, the last five
    pips                     the pip count, relative to the usual one
    home                     the number of made points in the home board: one input for each number
    escapes                  rolls that take the rearmost checker past the points that the opponent has closed
    shut                     rolls that do not enter a checker from the bar
    shots                    rolls that hit if it is the player's turn

After both blocks comes the lead in pips of the player on roll: one input for every tenth pip. A lead between
two of these is shared between both inputs.
"""

from __future__ import annotations

import numpy as np

from gambito.native import first_bit, int64, last_bit, popcount, uint64

from .board import BAR, OUTSIDE, Checkers, made, occupied
from .plays import ON_BAR, bit, blots_of, closed_to, points_of

ONE = 16  # the amount that counts as one
UNITS = 4
OFF_AT = UNITS * BAR
PIPS, ESCAPES, SHUT, SHOTS, HOME = range(OFF_AT + 3, OFF_AT + 8)
BLOCK = HOME + 7
LEAD, TENTHS = 2 * BLOCK, 17
INPUTS = LEAD + TENTHS
MOST_INPUTS = 2 * (15 + 3 + 3 + 5) + 2  # inputs of one board
USUAL_PIPS, PIPS_UNIT = 90, 64
REACH = 12  # how far one roll of two different dice can reach


def _escapes(closed: int) -> int:
    """How many of the 36 rolls move a checker the full distance; bit 12 - d is the point d away."""
    found = 0
    for first in range(1, 7):
        for second in range(1, 7):
            ends_open = not closed >> (REACH - first - second) & 1
            is_open = not closed >> (REACH - first) & 1 or not closed >> (REACH - second) & 1
            found += ends_open and is_open
    return found


ROLLS_THROUGH = np.array([_escapes(closed) for closed in range(1 << REACH)], np.uint8)


def list_inputs(board, is_race, buffer, place):
    """Write the pairs (number, amount) of a board from `place` on; return the place after them."""
    other = Checkers(board.other_near, board.other_far, board.near, board.far)
    place, mine = list_side(board, is_race, int64(0), buffer, place)
    place, theirs = list_side(other, is_race, int64(BLOCK), buffer, place)
    lead = min(max(theirs - mine + 5 * (TENTHS - 1), 0), 10 * (TENTHS - 1) - 1)
    share = lead % 10 * ONE // 10
    buffer[place] = LEAD + lead // 10
    buffer[place + 1] = ONE - share
    buffer[place + 2] = LEAD + lead // 10 + 1
    buffer[place + 3] = share
    return place + 4


def list_side(board, is_race, base, buffer, place):
    """Write the inputs of the first player in `board`; return the place after them and the player's pips."""
    total = int64(0)
    word, first = board.near, int64(1)
    for _ in range(2):
        feet = occupied(word)
        while feet:
            foot = first_bit(feet)
            feet &= feet - uint64(1)
            count = int64(word >> uint64(foot) & uint64(15))
            point = first + (foot >> 2)
            total += point * count
            number = base + UNITS * (point - 1)
            buffer[place] = number + min(count, 3) - 1
            buffer[place + 1] = ONE
            place += 2
            if count > 3:
                buffer[place] = number + 3
                buffer[place + 1] = (count - 3) * ONE // 2
                place += 2
        word, first = board.far & uint64(OUTSIDE), int64(13)
    off = int64(board.far >> uint64(52))
    number = base + OFF_AT
    while off > 0:
        buffer[place] = number
        buffer[place + 1] = min(off, 5) * ONE // 5
        place += 2
        number += 1
        off -= 5
    buffer[place] = base + PIPS
    buffer[place + 1] = (total - USUAL_PIPS) * ONE // PIPS_UNIT
    place += 2
    if not is_race:
        place = list_contact(board, base, buffer, place)
    return place, total


def list_contact(board, base, buffer, place):
    """Write the inputs that matter while checkers can be hit."""
    points, closed, blots = points_of(board), closed_to(board), blots_of(board)
    back = last_bit(points)
    ahead = (closed << uint64(REACH)) >> uint64(back)
    buffer[place] = base + ESCAPES
    buffer[place + 1] = int64(ROLLS_THROUGH[int64(ahead & uint64((1 << REACH) - 1))]) * ONE // 36
    place += 2
    if points & uint64(ON_BAR):
        shut = popcount(closed >> uint64(19) & uint64(63))
        buffer[place] = base + SHUT
        buffer[place + 1] = shut * shut * ONE // 36
        place += 2
    if blots:
        buffer[place] = base + SHOTS
        on_bar = board.far >> uint64(48) & uint64(15)
        buffer[place + 1] = hitting_rolls(points, on_bar, closed, blots) * ONE // 36
        place += 2
    buffer[place] = base + HOME + popcount(made(board.near) & uint64(0x111111))
    buffer[place + 1] = ONE
    return place + 2


def hitting_rolls(points, on_bar, closed, blots):
    """How many of the 36 rolls hit a blot, directly or on the way."""
    if on_bar > uint64(1):
        hitting = popcount(blots >> uint64(19) & uint64(63))
        return 36 - (6 - hitting) * (6 - hitting)
    found = int64(0)
    if on_bar:
        points ^= uint64(ON_BAR)
        for first in range(1, 7):
            for second in range(1, 7):
                entered = bit(BAR - first)
                if entered & ~closed:
                    found += 1 if (entered | (points | entered) >> uint64(second)) & blots else 0
        return min(found, 36)
    for large in range(1, 7):
        by_large = points >> uint64(large)
        if by_large & blots:
            found += 2 * large - 1  # with this die and any die that is not larger
            continue
        on_large = by_large & ~closed
        for small in range(1, large):
            by_small = points >> uint64(small)
            both = on_large >> uint64(small) | (by_small & ~closed) >> uint64(large)
            found += 2 if (by_small | both) & blots else 0
        twice = on_large >> uint64(large)
        thrice = (twice & ~closed) >> uint64(large)
        found += 1 if (twice | thrice | (thrice & ~closed) >> uint64(large)) & blots else 0
    return found
