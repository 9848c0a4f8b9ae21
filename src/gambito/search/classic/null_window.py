"""The null-window search: is the value at least gamma? The cheapest question one can ask of a tree.

Every modern search is made of it. Also Pearl's TEST, with a bound instead of yes or no.
"""

from gambito.native import native
from gambito.search.classic.leaf import leaf_kind, leaf_value


@native
def null_window(game, state, depth, gamma, watch):
    """Alpha-beta with the window (gamma - step, gamma), in which no value lies.

    result >= gamma:  true value >= result
    result <  gamma:  true value <= result
    """
    hint = watch.enter(game, state, depth, gamma - game.step, gamma)
    kind = leaf_kind(game, state, depth, watch)
    if kind:
        return watch.leave(depth, leaf_value(game, state, depth, kind, watch))
    player = game.player(state)
    best = -game.infinity
    for listed in game.actions(state):
        action = watch.choose(depth, listed, hint)
        child = game.result(state, action)
        if game.player(child) == player:
            value = null_window(game, child, depth - 1, gamma, watch)
        else:
            value = -null_window(game, child, depth - 1, game.step - gamma, watch)
        if value > best:
            best = value
            if best >= gamma:
                watch.cut(depth, action, best)
                break
    return watch.leave(depth, best)


@native
def is_better(game, child, depth, alpha, same_player, watch):
    """A null-window question about an action: is its value above alpha? Returns its value, as a bound.

    `depth` is the child's; the value is for the player who acts.
    """
    if same_player:
        return null_window(game, child, depth, alpha + game.step, watch)
    return -null_window(game, child, depth, -alpha, watch)
