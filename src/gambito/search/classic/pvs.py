"""Principal variation search: the first action is assumed to be the best, and the others are only refuted.

Marsland & Campbell, Parallel search of strongly ordered game trees (1982): an action that is better than
expected is searched again from the score that showed it. Programs with a table search it again from alpha,
and return the best score even below alpha (fail-soft).
"""

from gambito.native import native
from gambito.search.algorithm import WINDOW, DepthSearch, Option
from gambito.search.classic.leaf import leaf_kind, leaf_value
from gambito.search.task import SearchTask, TaskResult

FORMS = ("score", "alpha")  # where the second search begins


@native
def pvs(game, state, depth, alpha, beta, is_soft, monitor):
    """The value of the state for the player to move, exact if it lies between alpha and beta.

    result <= alpha:  true value <= result
    result >= beta:   true value >= result
    otherwise:        true value == result
    `is_soft`: a result may be below alpha, and second searches begin at alpha.
    """
    hint = monitor.enter(game, state, depth, alpha, beta)
    kind = leaf_kind(game, state, depth, monitor)
    if kind:
        return monitor.leave(depth, leaf_value(game, state, depth, kind, monitor))
    player = game.player(state)
    best = -game.infinity if is_soft else alpha
    high = beta  # the first action gets the whole window, the others a null window
    for listed in game.actions(state):
        action = monitor.choose(depth, listed, hint)
        child = game.result(state, action)
        same_player = game.player(child) == player
        if same_player:
            score = pvs(game, child, depth - 1, alpha, high, is_soft, monitor)
        else:
            score = -pvs(game, child, depth - 1, -high, -alpha, is_soft, monitor)
        if alpha < score < beta and high < beta:  # it failed high: search again
            low = alpha if is_soft else score
            if same_player:
                score = pvs(game, child, depth - 1, low, beta, is_soft, monitor)
            else:
                score = -pvs(game, child, depth - 1, -beta, -low, is_soft, monitor)
        if score > best:
            best = score
            if best >= beta:
                monitor.cut(depth, action, best)
                break
            if best > alpha:
                alpha = best
                monitor.best(depth, action, best)
        high = alpha + game.step
    return monitor.leave(depth, best)


def run(task: SearchTask) -> TaskResult:
    is_soft = task.options["form"] == "alpha"
    return TaskResult(pvs(*task.root, *task.window, is_soft, task.monitor))


ALGORITHM = DepthSearch(
    name="pvs",
    summary="the first action with the whole window, the others with a null window",
    source="Marsland & Campbell 1982",
    run=run,
    options=(
        Option(
            "form",
            "score",
            "where the second search of an action begins: at the score of the first, or at alpha",
            choices=FORMS,
        ),
        *WINDOW,
    ),
)
