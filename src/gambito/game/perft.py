"""Perft: the number of sequences of exactly a given number of plies; games that end before do not count."""

from __future__ import annotations

from gambito.native import native


@native
def count_leaves(game, state, depth):
    """Count the sequences of exactly `depth` plies from the state."""
    if depth == 0:
        return 1
    if game.is_stuck(state):
        return 0
    if depth == 1:
        return game.count(state)
    count = 0
    for action in game.actions(state):
        child = game.result(state, action)
        if depth > 2:
            count += count_leaves(game, child, depth - 1)
        elif not game.is_stuck(child):
            count += game.count(child)
    return count
