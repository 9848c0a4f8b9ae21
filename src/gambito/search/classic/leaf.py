"""The cut-off test and the value of a leaf, the same for every depth-limited search."""

from gambito.native import native

INNER, STOPPED, OVER, REPEATED, HORIZON = range(5)


@native
def leaf_kind(game, state, depth, monitor):
    """Why the search ends here: a stop, the game over, a repetition, the horizon; INNER if it goes on."""
    if monitor.is_stopped():
        return STOPPED
    if game.is_terminal(state):
        return OVER
    if game.cycles and monitor.repeats(depth, game.reversible(state)):
        return REPEATED
    return HORIZON if depth == 0 else INNER


@native
def leaf_value(game, state, depth, kind, monitor):
    """The value of a leaf of this kind for the player to move, or for player 0 if chance decides."""
    player = max(game.player(state), 0)
    if kind == OVER:
        return monitor.leaf(depth, monitor.final(game, game.utility(state, player), 1), False)
    if kind == HORIZON:
        return monitor.leaf(depth, game.evaluate(state, player), True)
    if kind == REPEATED:
        return monitor.leaf(depth, game.repetition(state, player), False)
    monitor.halt()
    return game.repetition(state, player)
