"""Perft: how many sequences of exactly so many plies the rules allow; games that ended before count not."""

from __future__ import annotations

from gambito.native import native


@native
def count_leaves(game, state, depth):
    """Sequences of exactly `depth` plies from the state."""
    if depth == 0:
        return 1
    if game.is_terminal(state):
        return 0
    count = 0
    for action in game.actions(state):
        count += count_leaves(game, game.result(state, action), depth - 1)
    return count
