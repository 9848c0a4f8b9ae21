"""The plays of a roll, each of them once.

A play of two different dice is the starting point of the larger die's move and that of the smaller one's:
`larger << 5 | smaller`. A die that is not used has 0, and `SMALL_FIRST` is added if the smaller die has to be
moved first. A play of a double is up to four starting points, the rearmost first, five bits each. 0 is no
play at all.

A player who can use both dice must use both. A player who can use only one must use the larger one if
possible. Of a double, as many moves as possible must be played.

Points are handled as sets of bits, bit p for point p: the points that the mover has, the points that the
opponent has closed. No move of the mover opens or closes a point.
"""

from __future__ import annotations

from gambito.native import int64, last_bit, nth_bit, popcount, uint64

from .board import BAR, OUTSIDE, Checkers, made, move, occupied

BITS = 5
POINT = (1 << BITS) - 1
SMALL_FIRST = 1 << (2 * BITS)
ON_BAR = 1 << BAR


def bit(point):
    return uint64(1) << uint64(point)


# ---- sets of points --------------------------------------------------------------------------------
def gathered(feet):
    """Gather the lowest bit of every four bits, side by side."""
    feet = (feet | feet >> uint64(3)) & uint64(0x0303030303030303)
    feet = (feet | feet >> uint64(6)) & uint64(0x000F000F000F000F)
    feet = (feet | feet >> uint64(12)) & uint64(0x000000FF000000FF)
    return (feet | feet >> uint64(24)) & uint64(0xFFFF)


def reversed_bits(word):
    """Reverse the lowest 32 bits."""
    word = (word & uint64(0x55555555)) << uint64(1) | word >> uint64(1) & uint64(0x55555555)
    word = (word & uint64(0x33333333)) << uint64(2) | word >> uint64(2) & uint64(0x33333333)
    word = (word & uint64(0x0F0F0F0F)) << uint64(4) | word >> uint64(4) & uint64(0x0F0F0F0F)
    word = (word & uint64(0x00FF00FF)) << uint64(8) | word >> uint64(8) & uint64(0x00FF00FF)
    return (word & uint64(0xFFFF)) << uint64(16) | word >> uint64(16)


def points_of(board):
    """The points where the mover has a checker, including the bar."""
    return gathered(occupied(board.near)) << uint64(1) | gathered(occupied(board.far & uint64(OUTSIDE))) << (
        uint64(13)
    )


def single_of(board):
    """The points where the mover has exactly one checker."""
    near = occupied(board.near) & ~made(board.near)
    far = board.far & uint64(OUTSIDE)
    return gathered(near) << uint64(1) | gathered(occupied(far) & ~made(far)) << uint64(13)


def mirrored(near, far):
    """The opponent's points 1 to 24 as the mover numbers them."""
    return reversed_bits((gathered(near) | gathered(far) << uint64(12)) & uint64(0xFFFFFF)) >> uint64(7)


def closed_to(board):
    """The points that the mover may not enter."""
    return mirrored(made(board.other_near), made(board.other_far))


def blots_of(board):
    """The points where the mover hits a blot."""
    near, far = board.other_near, board.other_far
    return mirrored(occupied(near) & ~made(near), occupied(far) & ~made(far))


def starts(points, closed, die):
    """The points from which a checker may move with a die."""
    if points & uint64(ON_BAR):
        points = uint64(ON_BAR)
    found = points & ~(closed << uint64(die)) & (~uint64(0) << uint64(die + 1))
    if points >> uint64(7) == uint64(0) and points:
        is_beyond = points >> uint64(die + 1) == uint64(0)  # then the rearmost checker may go
        found |= bit(last_bit(points)) if is_beyond else points & bit(die)
    return found


def moved(points, single, point, die):
    """The mover's points after a move."""
    if single & bit(point):
        points &= ~bit(point)
    if point > die:
        points |= bit(point - die)
    return points


def is_playable(points, single, closed, first, first_die, second, second_die):
    """Can the first move be played, and then the second?"""
    if starts(points, closed, first_die) & bit(first) == uint64(0):
        return False
    return starts(moved(points, single, first, first_die), closed, second_die) & bit(second) != uint64(0)


def after_large(points, single, closed, blots, large, high, low):
    """The points from which the smaller die may move after the larger one, with one play for each result.

    One checker may make both moves in either order, or two checkers may make them, one behind the other; the
    results are equal if nothing is hit on the way. Also, two checkers may be borne off with either die.
    """
    found = starts(moved(points, single, large, high), closed, low)
    if large <= high:
        found &= ~(bit(low + 1) - bit(large + 1)) if low > large else ~uint64(0)
    if large + low > high and found & bit(large + low):
        if is_double_reached(points, single, closed, blots, large, high, low):
            found ^= bit(large + low)
    return found


def after_small(points, single, closed, blots, small, high, low):
    """The points from which the larger die may move after the smaller one, but not before it."""
    left = starts(moved(points, single, small, low), closed, high)
    left &= ~starts(points, closed, high) | bit(small)  # a checker that can move at once can also move first
    found = uint64(0)
    while left:
        large = last_bit(left)
        left ^= bit(large)
        if is_playable(points, single, closed, large, high, small, low):
            continue
        if large <= high and small <= low:
            is_other = large < small
        else:
            is_other = small == large + low and small > high
            is_other = is_other and is_double_reached(points, single, closed, blots, large, high, low)
        if not is_other:
            found |= bit(large)
    return found


def is_double_reached(points, single, closed, blots, large, high, low):
    """Could the checker that is the smaller die behind `large` make both moves alone without hitting?"""
    small, between = large + low, large + low - high
    if blots & (bit(between) | bit(large)):
        return False
    return is_playable(points, single, closed, small, high, between, low) or is_playable(
        points, single, closed, between, low, small, high
    )


# ---- the plays, in groups that differ in their last move: (play so far, points, where they are written) ----
def list_pairs(board, high, low):
    """The plays of two different dice."""
    points, single, closed, blots = points_of(board), single_of(board), closed_to(board), blots_of(board)
    by_high, by_low = starts(points, closed, high), starts(points, closed, low)
    firsts, is_small_first, is_over, is_found = by_high, False, False, False
    while not is_over:
        play, options, shift = int64(0), uint64(0), 0
        if firsts:
            first = last_bit(firsts)
            firsts ^= bit(first)
            if is_small_first:
                play, shift = SMALL_FIRST | first, BITS
                options = after_small(points, single, closed, blots, first, high, low)
            else:
                play = first << BITS
                options = after_large(points, single, closed, blots, first, high, low)
        elif not is_small_first:
            firsts, is_small_first = by_low, True
        else:
            is_over = True
            if not is_found:  # one die only, or none
                options, shift = (by_high, BITS) if by_high else (by_low if by_low else uint64(1), 0)
        if options:
            is_found = True
            yield play, options, shift


def list_doubles(board, die):
    """The plays of a double: of all orders of its moves, the one that begins furthest back."""
    closed, moves = closed_to(board), most_moves(board, die)
    if moves == 0:
        yield int64(0), uint64(1), 0
        return
    play, done, point = int64(0), 0, BAR
    while True:
        options = starts(points_of(board), closed, die) & (bit(point + 1) - uint64(1))
        if options and done + 1 == moves:
            yield play, options, BITS * done
            options = uint64(0)
        if options:
            point = last_bit(options)
            play |= point << (BITS * done)
            done += 1
            board = move(board, point, die)
        else:
            if done == 0:
                return
            done -= 1
            point = (play >> (BITS * done)) & POINT
            play ^= point << (BITS * done)
            board = put_back(board, point, die)
            point -= 1


def drawn(play, options, shift, rng):
    """A random play of a group, each with equal probability."""
    return play | nth_bit(options, rng.below(popcount(options))) << shift


def put_back(board, point, die):
    """The mover's checkers before a move; the opponent's stay as they are."""
    near, far, other_near, other_far = board
    if point <= 12:
        near += uint64(1) << uint64(4 * (point - 1))
    else:
        far += uint64(1) << uint64(4 * (point - 13))
    target = point - die
    if target <= 0:
        far -= uint64(1) << uint64(52)
    elif target <= 12:
        near -= uint64(1) << uint64(4 * (target - 1))
    else:
        far -= uint64(1) << uint64(4 * (target - 13))
    return Checkers(near, far, other_near, other_far)


def most_moves(board, die):
    """How many of a double's four moves can be played: no move of a double prevents another."""
    closed, done = closed_to(board), 0
    while done < 4:
        options = starts(points_of(board), closed, die)
        if not options:
            break
        board = move(board, last_bit(options), die)
        done += 1
    return done


def apply_play(board, play, high, low):
    """The board after a play."""
    if high == low:
        while play:
            board = move(board, play & POINT, high)
            play >>= BITS
        return board
    large, small = play >> BITS & POINT, play & POINT
    if play & SMALL_FIRST:
        return move(move(board, small, low), large, high)
    if large:
        board = move(board, large, high)
    if small:
        board = move(board, small, low)
    return board
