"""Scout: EVAL finds a value; TEST checks whether another branch is better before EVAL searches it.

Pearl, SCOUT: a simple game-searching algorithm with proven optimal properties (1980). As there, MAX and MIN
have separate rules.
"""

from gambito.native import native
from gambito.search.algorithm import DepthSearch
from gambito.search.classic.leaf import leaf_kind, leaf_value
from gambito.search.task import SearchTask, TaskResult


@native
def test(game, state, depth, bound, or_equal, monitor):
    """Is the value of the state, for MAX, greater than the bound (or equal to it, if `or_equal`)?"""
    is_max = game.player(state) == 0
    low = bound - game.step if or_equal else bound  # the task as a window, for MAX
    hint = monitor.enter(game, state, depth, low, low + game.step)
    kind = leaf_kind(game, state, depth, monitor)
    if kind:
        value = leaf_value(game, state, depth, kind, monitor)
        value = monitor.leave(depth, value if is_max else -value)
        return value > bound or (or_equal and value == bound)
    for listed in game.actions(state):
        action = monitor.choose(depth, listed, hint)
        answer = test(game, game.result(state, action), depth - 1, bound, or_equal, monitor)
        if answer == is_max:  # one good branch is enough for MAX, one bad branch for MIN
            monitor.cut(depth, action, low + game.step if answer else low)
            monitor.leave(depth, low + game.step if answer else low)
            return answer
    monitor.leave(depth, low if is_max else low + game.step)
    return not is_max


@native
def evaluate(game, state, depth, monitor):
    """EVAL: the value of the state for MAX.

    result == true value of the tree cut off at `depth`.
    """
    hint = monitor.enter(game, state, depth, -game.infinity, game.infinity)
    is_max = game.player(state) == 0
    kind = leaf_kind(game, state, depth, monitor)
    if kind:
        value = leaf_value(game, state, depth, kind, monitor)
        return monitor.leave(depth, value if is_max else -value)
    best = -game.infinity
    is_first = True
    for listed in game.actions(state):
        action = monitor.choose(depth, listed, hint)
        child = game.result(state, action)
        if is_first or test(game, child, depth - 1, best, not is_max, monitor) == is_max:
            best = evaluate(game, child, depth - 1, monitor)
            is_first = False
            monitor.best(depth, action, best)
    return monitor.leave(depth, best)


def run(task: SearchTask) -> TaskResult:
    return TaskResult(task.for_mover(evaluate(*task.root, task.monitor)))


ALGORITHM = DepthSearch(
    name="scout",
    summary="test whether a branch is better before evaluating it",
    source="Pearl 1980",
    run=run,
    frame="max",
    windowed=False,
)
