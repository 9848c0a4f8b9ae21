"""How the engine closes in on the value of the root.

A driver calls `engine` with one window after another until the value is known: aspiration windows, the null
windows of MTD(f), or null windows that halve the open interval.
"""

from __future__ import annotations

from gambito.memory.ordering import ACTIONS
from gambito.native import int64, native
from gambito.search.engine.search import engine

ROOT = -2  # the previous action at the root: there is none, but a null move may follow
DRIVERS = ("aspiration", "mtd-f", "bisection")
ASPIRATION, MTD_F, BISECTION = range(len(DRIVERS))
ASPIRE_DEPTH = 3
MOST_WIDTH = 1 << 24


@native
def search_windows(game, state, depth, driver, guess, width, low, high, row, context):
    """The value of the root, between low and high, found by one search after another.

    aspiration  a window around the guess, opened on the side where the value falls out of it
    mtd-f       null windows from the guess on
    bisection   null windows that halve the open interval, at the value nearest to a draw first
    """
    monitor = context.monitor
    base, last = int64(ACTIONS), int64(ROOT)
    alpha, beta = low, high
    if driver == ASPIRATION and width > 0 and depth >= ASPIRE_DEPTH:
        alpha, beta = max(guess - width, low), min(guess + width, high)
    while low < high:
        if driver == MTD_F:
            beta = min(max(guess, low + 1), high)
            alpha = beta - 1
        elif driver == BISECTION:
            alpha = low + (high - low) // 2
            if alpha <= 0 and -(-low // 2) < alpha:
                alpha = -(-low // 2)
            elif alpha >= 0 and high // 2 > alpha:
                alpha = high // 2
            beta = alpha + 1
        value = engine(game, state, depth, alpha, beta, row, base, last, int64(0), context)
        if monitor.is_stopped():
            return value
        if driver == ASPIRATION:
            width *= 4
            if alpha < value < beta or (value <= low and alpha == low) or (value >= high and beta == high):
                low = high = value
            elif value <= alpha:
                high, beta = value, min(beta, value + 1)
                alpha = value - width if width < MOST_WIDTH else low
            else:
                low, alpha = value, max(alpha, value - 1)
                beta = value + width if width < MOST_WIDTH else high
            alpha, beta = max(alpha, low - 1), min(beta, high + 1)
        elif value >= beta:
            low, guess = value, value + 1
        else:
            high, guess = value, value
        monitor.close_in(low, high)
    return low
