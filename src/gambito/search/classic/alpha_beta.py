"""Alpha-beta, fail-soft: minimax without what cannot matter.

Knuth & Moore, An analysis of alpha-beta pruning (1975); fail-soft: Fishburn, Analysis of speedup in
distributed algorithms (1981).
"""

from gambito.native import native
from gambito.search.algorithm import Algorithm, Task
from gambito.search.classic.leaf import leaf_kind, leaf_value


@native
def alpha_beta(game, state, depth, alpha, beta, watch):
    """The value of the state for the player to move, as far as it lies between alpha and beta.

    result <= alpha:  true value <= result
    result >= beta:   true value >= result
    otherwise:        true value == result
    """
    hint = watch.enter(game, state, depth, alpha, beta)
    kind = leaf_kind(game, state, depth, watch)
    if kind:
        return watch.leave(depth, leaf_value(game, state, depth, kind, watch))
    player = game.player(state)
    best = -game.infinity
    for listed in game.actions(state):
        action = watch.choose(depth, listed, hint)
        child = game.result(state, action)
        if game.player(child) == player:
            value = alpha_beta(game, child, depth - 1, alpha, beta, watch)
        else:
            value = -alpha_beta(game, child, depth - 1, -beta, -alpha, watch)
        if value > best:
            best = value
            if best >= beta:
                watch.cut(depth, action, best)
                break
            if best > alpha:
                alpha = best
                watch.best(depth, action, best)
    return watch.leave(depth, best)


def run(task: Task) -> float:
    return alpha_beta(task.game, task.state, task.depth, task.alpha, task.beta, task.watch)


ALGORITHM = Algorithm(
    name="alpha-beta",
    summary="minimax without the branches that cannot change the value",
    source="Knuth & Moore 1975; Fishburn 1981",
    run=run,
)
