"""Alpha-beta as an algorithm of one's own, with an option."""

from gambito import algorithm, leaf_kind, leaf_value


@algorithm(source="Fishburn 1981", about={"fail_soft": "values outside the window are bounds too"})
def my_search(game, state, depth, alpha, beta, monitor, fail_soft=True):
    """Alpha-beta: minimax without the branches that cannot change the value."""
    hint = monitor.enter(game, state, depth, alpha, beta)
    kind = leaf_kind(game, state, depth, monitor)
    if kind:
        return monitor.leave(depth, leaf_value(game, state, depth, kind, monitor))
    player, best = game.player(state), -game.infinity if fail_soft else alpha
    for listed in game.actions(state):
        action = monitor.choose(depth, listed, hint)
        child = game.result(state, action)
        if game.player(child) == player:
            value = my_search(game, child, depth - 1, alpha, beta, monitor, fail_soft)
        else:
            value = -my_search(game, child, depth - 1, -beta, -alpha, monitor, fail_soft)
        if value > best:
            best = value
            if best >= beta:
                monitor.cut(depth, action, best)
                break
            if best > alpha:
                alpha = best
                monitor.best(depth, action, best)
    return monitor.leave(depth, best)
