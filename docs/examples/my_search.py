"""Alpha-beta as an algorithm of one's own, with an option."""

from gambito import algorithm, leaf_kind, leaf_value


@algorithm(source="Fishburn 1981", about={"fail_soft": "values outside the window are bounds too"})
def my_search(game, state, depth, alpha, beta, watch, fail_soft=True):
    """Alpha-beta: minimax without the branches that cannot change the value."""
    hint = watch.enter(game, state, depth, alpha, beta)
    kind = leaf_kind(game, state, depth, watch)
    if kind:
        return watch.leave(depth, leaf_value(game, state, depth, kind, watch))
    player, best = game.player(state), -game.infinity if fail_soft else alpha
    for listed in game.actions(state):
        action = watch.choose(depth, listed, hint)
        child = game.result(state, action)
        if game.player(child) == player:
            value = my_search(game, child, depth - 1, alpha, beta, watch, fail_soft)
        else:
            value = -my_search(game, child, depth - 1, -beta, -alpha, watch, fail_soft)
        if value > best:
            best = value
            if best >= beta:
                watch.cut(depth, action, best)
                break
            if best > alpha:
                alpha = best
                watch.best(depth, action, best)
    return watch.leave(depth, best)
