"""The static evaluation of a position: men, mills, mills that can be closed, and freedom to move.

Values are hundredths of a man.
"""

from __future__ import annotations

from gambito.native import first_bit, int64, popcount

MAN, MILL, OPEN, DOUBLE, STEP, MOVE = 100, 12, 14, 45, 4, 10
FEWEST = 3


def estimate(game, state):
    """The value of the position for the player to move."""
    empty = game.full & ~(state.mine | state.theirs)
    men = popcount(state.mine) + int64(state.hand) - popcount(state.theirs) - int64(state.other)
    first = shape(game, state.mine, empty, state.hand)
    second = shape(game, state.theirs, empty, state.other)
    return MAN * men + first - second + MOVE


def shape(game, men, empty, hand):
    """The value of one side's men: mills, lines that lack one man who can arrive, and steps."""
    flies = game.flying and popcount(men) == FEWEST and not hand
    held = game.in_mills(men)
    value, line = 0, 0
    while line < len(game.lines):
        here = men & game.lines[line]
        gap = game.lines[line] & empty
        if here == game.lines[line]:
            value += MILL
        elif gap and popcount(here) == 2:
            comers = men & ~here
            if not flies and not hand:
                comers &= game.beside[first_bit(gap)]
            if comers or hand:
                value += OPEN
            if not hand and comers & held:  # the man opens one mill and closes another
                value += DOUBLE
        line += 1
    return value if flies else value + STEP * game.freedom(men, empty)
