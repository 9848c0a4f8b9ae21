"""The static evaluation of a position: pieces, their places, and men that cannot be stopped.

Values are hundredths of a man. A game defines its weights as constants:

    king                  the value of a king
    grounds, men, crowns  sets of squares as Black sees the board and as White does; the bonus of a man and
                          of a king on one of them
    rows                  the rows as Black and as White see them, from the last row back
    runaway, tempo        a man with a free way ahead, less for each row that is left; an extra move
    trade                 the bonus of being a man ahead, for each piece that has gone
"""

from __future__ import annotations

from gambito.evaluate.patterns import pattern_value
from gambito.native import int64, popcount, uint64

from .board import DOWN, UP

STAGES, EARLY, LATE = 3, 16, 9  # stages of the patterns: more pieces than these are left
PATTERN_UNIT = 8  # units in a hundredth of a man


def estimate(game, state):
    """The value of the position for the player to move."""
    side = int64(state.side)
    kings, pawns = state.kings, ~state.kings
    my_men, my_kings = state.mine & pawns, state.mine & kings
    their_men, their_kings = state.theirs & pawns, state.theirs & kings
    men = popcount(my_men) - popcount(their_men)
    ahead = popcount(my_kings) - popcount(their_kings)
    material = 100 * men + game.king * ahead
    gone = popcount(game.black | game.white) - popcount(state.mine | state.theirs)
    value = material + material * game.trade * gone // 1000
    ground = 0
    while ground < len(game.men):
        near, far = game.grounds[ground, side], game.grounds[ground, 1 - side]
        value += game.men[ground] * (popcount(my_men & near) - popcount(their_men & far))
        value += game.crowns[ground] * (popcount(my_kings & near) - popcount(their_kings & far))
        ground += 1
    value += runaways(game, my_men, state.theirs, side) - runaways(game, their_men, state.mine, 1 - side)
    empty = game.full & ~(state.mine | state.theirs)
    return value + game.tempo * (
        mobility(game, my_men, my_kings, empty, side)
        - mobility(game, their_men, their_kings, empty, 1 - side)
    )


def runaways(game, men, others, side):
    """Men that nothing can stop: none of the opponent's pieces is in the cone ahead of them."""
    row = 1
    while row < game.size:  # the squares from which each opposing piece could still block
        if side:
            others |= ((others << uint64(game.half)) | (others << uint64(game.half + 1))) & game.full
        else:
            others |= ((others >> uint64(game.half)) | (others >> uint64(game.half + 1))) & game.full
        row += 1
    free, value, left = men & ~others, 0, 1
    while free and left < game.size:
        value += popcount(free & game.rows[left, side]) * max(game.runaway - 4 * left, 0)
        left += 1
    return value


def mobility(game, men, kings, empty, side):
    """The number of steps to free squares beside the pieces."""
    ahead, number, way = UP if side else DOWN, 0, 0
    while way < 4:
        free = game.shifted(empty, way ^ 2)
        number += popcount(free & (men if (ahead >> way) & 1 else uint64(0))) + popcount(free & kings)
        way += 1
    return number


# ---- patterns --------------------------------------------------------------------------------------
def four_sets(state):
    """The men and kings of the player to move, then those of the opponent."""
    return (
        state.mine & ~state.kings,
        state.mine & state.kings,
        state.theirs & ~state.kings,
        state.theirs & state.kings,
    )


def pattern_stage(state):
    """The set of pattern tables to use: it depends on the pieces left."""
    left = popcount(state.mine | state.theirs)
    return 0 if left > EARLY else 1 if left > LATE else 2


def judge(game, state):
    """The value of the position for the player to move, from patterns."""
    total = pattern_value(game, four_sets(state), pattern_stage(state), int64(state.side))
    return (total + PATTERN_UNIT // 2) // PATTERN_UNIT


def promise(game, state, action, is_capture):
    """Captures first, then steps to the last row; other moves are quiet."""
    if is_capture:
        return 2
    leaves = uint64(1) << uint64(action & 63)
    comes = uint64(1) << uint64((action >> 6) & 63)
    last = game.top if state.side else game.bottom
    return 1 if comes & last and not leaves & state.kings else 0
