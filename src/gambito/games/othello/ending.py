"""The last squares of a game: an exact search that uses only the board, without a table.

Squares in a quadrant with an odd number of empty squares are tried first, since the player who moves last
there gains. With many squares left, the move that leaves the fewest replies comes first. Values are discs for
the side to move; `visited[0]` counts the positions. The contract of every function here:

    result <= alpha:  true value <= result
    result >= beta:   true value >= result
    otherwise:        true value == result
"""

from __future__ import annotations

from gambito.native import first_bit, native, popcount, uint64
from gambito.native.scratch import scratch

from .knowledge import promise

EMPTY_SQUARES = 8  # empty squares at which this search takes over
SORTED = 6  # with this many empty squares or more, moves are sorted by the replies they leave
SAFE = 5  # with this many or more, stable discs are counted, if the window is high enough
HIGH = 10
SCORE_OFFSET = 1 << 10  # more than a move's score can be below zero
MOVES = 32  # more than the moves of a position with few empty squares
NONE = -128  # less than every value


def last_one(board, mine, theirs, disc, visited):
    """One empty square: a move, else the opponent's move, else none."""
    visited[0] += uint64(1)
    own = popcount(mine)
    flipped = board.flips(mine, theirs, disc)
    if flipped:
        return 2 * (own + 1 + popcount(flipped)) - board.cells
    flipped = board.flips(theirs, mine, disc)
    if flipped:
        return 2 * (own - popcount(flipped)) - board.cells
    return 2 * own + 2 - board.cells if 2 * own >= board.cells else 2 * own - board.cells


def last_two(board, mine, theirs, first, second, alpha, beta, visited):
    """Two empty squares."""
    sign = 1
    for _ in range(2):
        visited[0] += uint64(1)
        best = NONE
        flipped = board.flips(mine, theirs, first)
        if flipped:
            best = -last_one(board, theirs ^ flipped, mine | flipped | first, second, visited)
        if best < beta:
            flipped = board.flips(mine, theirs, second)
            if flipped:
                value = -last_one(board, theirs ^ flipped, mine | flipped | second, first, visited)
                best = max(best, value)
        if best != NONE:
            return sign * best
        mine, theirs, alpha, beta, sign = theirs, mine, -beta, -alpha, -1
    return board.score(mine, theirs)


def last_three(board, mine, theirs, empty, odd, alpha, beta, visited):
    """Three empty squares."""
    sign = 1
    for _ in range(2):
        visited[0] += uint64(1)
        best = NONE
        left, later = empty & odd, empty & ~odd
        while left or later:
            if not left:
                left, later = later, uint64(0)
            disc = left & (~left + uint64(1))
            left ^= disc
            flipped = board.flips(mine, theirs, disc)
            if flipped:
                others = empty ^ disc
                first = others & (~others + uint64(1))
                after, moved, lower = theirs ^ flipped, mine | flipped | disc, max(alpha, best)
                value = -last_two(board, after, moved, first, others ^ first, -beta, -lower, visited)
                if value > best:
                    best = value
                    if best >= beta:
                        break
        if best != NONE:
            return sign * best
        mine, theirs, alpha, beta, sign = theirs, mine, -beta, -alpha, -1
    return board.score(mine, theirs)


@native
def search_ending(board, mine, theirs, alpha, beta, odd, visited):
    """Any number of empty squares; `odd` are those in quadrants with an odd number of them."""
    empty = board.full & ~(mine | theirs)
    number = popcount(empty)
    if number == 3:
        return last_three(board, mine, theirs, empty, odd, alpha, beta, visited)
    visited[0] += uint64(1)
    if number >= SAFE and alpha >= HIGH:
        high = board.cells - 2 * popcount(board.fixed(theirs, mine))
        if high <= alpha:
            return high
    left = board.moves(mine, theirs)
    if not left:
        if not board.moves(theirs, mine):
            return board.score(mine, theirs)
        return -search_ending(board, theirs, mine, -beta, -alpha, odd, visited)
    best = NONE
    if number < SORTED:
        left, later = left & odd, left & ~odd
        while left or later:
            if not left:
                left, later = later, uint64(0)
            disc = left & (~left + uint64(1))
            left ^= disc
            flipped = board.flips(mine, theirs, disc)
            rest = odd ^ board.quadrants[first_bit(disc)]
            value = -search_ending(
                board, theirs ^ flipped, mine | flipped | disc, -beta, -max(alpha, best), rest, visited
            )
            if value > best:
                best = value
                if best >= beta:
                    break
        return best
    keys, turned = scratch(MOVES), scratch(MOVES)
    count = 0
    while left:
        disc = left & (~left + uint64(1))
        left ^= disc
        flipped = board.flips(mine, theirs, disc)
        replies = board.moves(theirs ^ flipped, mine | flipped | disc)
        worth = promise(board, disc, replies, disc & odd)
        keys[count] = (uint64(SCORE_OFFSET + worth) << uint64(6)) | uint64(first_bit(disc))
        turned[count] = flipped
        count += 1
    place = 0
    while place < count:
        chosen = place
        other = place + 1
        while other < count:
            if keys[other] > keys[chosen]:
                chosen = other
            other += 1
        key, flipped = uint64(keys[chosen]), uint64(turned[chosen])
        keys[chosen], turned[chosen] = keys[place], turned[place]
        place += 1
        square = key & uint64(63)
        disc = uint64(1) << square
        rest = odd ^ board.quadrants[square]
        value = -search_ending(
            board, theirs ^ flipped, mine | flipped | disc, -beta, -max(alpha, best), rest, visited
        )
        if value > best:
            best = value
            if best >= beta:
                break
    return best


def finish_game(board, mine, theirs, alpha, beta):
    """The value of a position, and the number of positions visited."""
    visited = scratch(1)
    visited[0] = uint64(0)
    empty = board.full & ~(mine | theirs)
    odd = uint64(0)
    for square in board.quarters:
        if popcount(empty & board.quadrants[square]) & 1:
            odd |= board.quadrants[square]
    value = search_ending(board, mine, theirs, alpha, beta, odd, visited)
    return value, visited[0]
