"""The null-window search: is the value at least gamma? No search of a tree is cheaper.

Every modern search is built on it. It is Pearl's TEST that returns a bound instead of yes or no.
"""

from gambito.native import above, below, native
from gambito.search.algorithm import BOUNDS, DepthSearch, Option
from gambito.search.classic.leaf import leaf_kind, leaf_value
from gambito.search.task import SearchTask, TaskResult


@native
def null_window(game, state, depth, gamma, monitor):
    """Alpha-beta with the window between gamma and the number below it, in which no value lies.

    result >= gamma:  true value >= result
    result <  gamma:  true value <= result
    """
    hint = monitor.enter(game, state, depth, below(gamma, game.step), gamma)
    kind = leaf_kind(game, state, depth, monitor)
    if kind:
        return monitor.leave(depth, leaf_value(game, state, depth, kind, monitor))
    player = game.player(state)
    best = -game.infinity
    for listed in game.actions(state):
        action = monitor.choose(depth, listed, hint)
        child = game.result(state, action)
        if game.player(child) == player:
            value = null_window(game, child, depth - 1, gamma, monitor)
        else:
            value = -null_window(game, child, depth - 1, above(-gamma, game.step), monitor)
        if value > best:
            best = value
            if best >= gamma:
                monitor.cut(depth, action, best)
                break
    return monitor.leave(depth, best)


@native
def is_better(game, child, depth, alpha, same_player, monitor):
    """Test with a null window whether an action's value is above alpha; return its value, as a bound.

    `depth` is that of the child; the value is for the player who acts.
    """
    if same_player:
        return null_window(game, child, depth, above(alpha, game.step), monitor)
    return -null_window(game, child, depth, -alpha, monitor)


def run(task: SearchTask) -> TaskResult:
    return TaskResult(null_window(*task.root, task.beta, task.monitor))


ALGORITHM = DepthSearch(
    name="test",
    summary="one null-window search: is the value at least gamma?",
    source="Pearl 1980; Fishburn 1981",
    run=run,
    options=(
        Option(
            "gamma",
            "0",
            "the bound to test, for the player to move; the window is (gamma − step, gamma)",
            technique=False,
            is_number=True,
        ),
    ),
    holds=BOUNDS,
)
