"""The plays of a roll, each reached once.

A play of two different dice is the point that the larger one moves from and the point that the smaller one
moves from: `larger << 5 | smaller`, 0 where a die is not used. A play of a double is up to four points, the
furthest first, five bits each. 0 is no play at all.

Who can use both dice must; who can use one of them only must use the larger one if that is possible; of a
double as many as possible are used.
"""

from __future__ import annotations

from .board import BAR, can_move, hits, move

BITS = 5
POINT = (1 << BITS) - 1


def is_playable(board, first, first_die, second, second_die):
    """Can the one move be made and then the other?"""
    return can_move(board, first, first_die) and can_move(move(board, first, first_die), second, second_die)


def is_double_reached(board, large, small, high, low):
    """Is what (large by the high die, small by the low one) leads to also reached by another pair of moves,
    which is the one to be listed?

    One checker may make both moves in either order, or two checkers may do so one behind the other; that is
    the same where nothing is hit on the way. And two checkers may be borne off by either die.
    """
    if large <= high and small <= low:
        return large < small
    if small != large + low or small <= high:
        return False
    if hits(board, small, high) or hits(board, small, low):
        return False
    between = small - high
    return is_playable(board, small, high, between, low) or is_playable(board, between, low, small, high)


def replay(board, play, moves, die):
    """The board after the first so many moves of a double."""
    for number in range(moves):
        board = move(board, (play >> (BITS * number)) & POINT, die)
    return board


def most_moves(board, die):
    """How many of a double's four moves can be made: no move of it spoils another."""
    made = 0
    point = BAR
    while made < 4 and point >= 1:
        if can_move(board, point, die):
            board = move(board, point, die)
            made += 1
            point = BAR
        else:
            point -= 1
    return made


def apply_play(board, play, high, low):
    """The board after a play."""
    if high == low:
        while play:
            board = move(board, play & POINT, high)
            play >>= BITS
        return board
    large, small = play >> BITS, play & POINT
    is_large_second = large and small and not is_playable(board, large, high, small, low)
    if is_large_second:
        return move(move(board, small, low), large, high)
    if large:
        board = move(board, large, high)
    if small:
        board = move(board, small, low)
    return board
