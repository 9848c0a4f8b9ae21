"""Alpha-beta, fail-soft: minimax without the branches that cannot change the value.

Knuth & Moore, An analysis of alpha-beta pruning (1975); fail-soft: Fishburn, Analysis of speedup in
distributed algorithms (1981).
"""

from gambito.native import native
from gambito.search.algorithm import WINDOW, DepthSearch
from gambito.search.classic.leaf import leaf_kind, leaf_value
from gambito.search.classic.optimised import OPTIONS, is_plain, search_optimised
from gambito.search.task import SearchTask, TaskResult


@native
def alpha_beta(game, state, depth, alpha, beta, monitor):
    """The value of the state for the player to move, exact if it lies between alpha and beta.

    result <= alpha:  true value <= result
    result >= beta:   true value >= result
    otherwise:        true value == result
    """
    hint = monitor.enter(game, state, depth, alpha, beta)
    kind = leaf_kind(game, state, depth, monitor)
    if kind:
        return monitor.leave(depth, leaf_value(game, state, depth, kind, monitor))
    player = game.player(state)
    best = -game.infinity
    for listed in game.actions(state):
        action = monitor.choose(depth, listed, hint)
        child = game.result(state, action)
        if game.player(child) == player:
            value = alpha_beta(game, child, depth - 1, alpha, beta, monitor)
        else:
            value = -alpha_beta(game, child, depth - 1, -beta, -alpha, monitor)
        if value > best:
            best = value
            if best >= beta:
                monitor.cut(depth, action, best)
                break
            if best > alpha:
                alpha = best
                monitor.best(depth, action, best)
    return monitor.leave(depth, best)


def run(task: SearchTask) -> TaskResult:
    if is_plain(task.options):
        return TaskResult(alpha_beta(*task.root, *task.window, task.monitor))
    return TaskResult(search_optimised(task))


ALGORITHM = DepthSearch(
    name="alpha-beta",
    summary="minimax without the branches that cannot change the value",
    source="Knuth & Moore 1975; Fishburn 1981",
    run=run,
    options=(*OPTIONS, *WINDOW),
)
