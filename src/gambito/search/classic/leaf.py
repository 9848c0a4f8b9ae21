"""The cut-off test and the value of a leaf: the same for every depth-limited search."""

from gambito.native import native

INNER, STOPPED, OVER, REPEATED, HORIZON = range(5)


@native
def leaf_kind(game, state, depth, watch):
    """Why the search stops here: told to, the end of the game, a circle, the horizon; INNER if not."""
    if watch.is_stopped():
        return STOPPED
    if game.is_terminal(state):
        return OVER
    if game.cycles and watch.repeats(depth, game.reversible(state)):
        return REPEATED
    return HORIZON if depth == 0 else INNER


@native
def leaf_value(game, state, depth, kind, watch):
    """The value of a leaf for the player to move, or player 0 where chance decides; `kind` says why."""
    player = max(game.player(state), 0)
    if kind == OVER:
        return watch.leaf(depth, game.utility(state, player), False)
    if kind == HORIZON:
        return watch.leaf(depth, game.evaluate(state, player), True)
    if kind == REPEATED:
        return watch.leaf(depth, game.repetition(state, player), False)
    watch.halt()
    return game.repetition(state, player)
