"""The cut-off test and the value of a leaf: the same for every depth-limited search."""

from gambito.native import native


@native
def is_leaf(game, state, depth, watch):
    """Does the search stop here: at the end of the game, at the horizon, in a circle, or told to?"""
    return (
        watch.is_stopped() or game.is_terminal(state) or depth == 0 or (game.cycles and watch.repeats(depth))
    )


@native
def leaf_value(game, state, depth, watch):
    """The value of a leaf for the player to move."""
    player = game.player(state)
    if watch.is_stopped():
        watch.halt()
        return game.repetition(state, player)
    if game.is_terminal(state):
        return watch.leaf(depth, game.utility(state, player), False)
    if game.cycles and watch.repeats(depth):
        return watch.leaf(depth, game.repetition(state, player), False)
    return watch.leaf(depth, game.evaluate(state, player), True)
