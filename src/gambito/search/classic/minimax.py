"""Minimax with separate rules for MAX and MIN, as in lectures.

Shannon, Programming a computer for playing chess (1950); Russell & Norvig, Artificial Intelligence, §5.2.
"""

from gambito.native import native
from gambito.search.algorithm import DepthSearch
from gambito.search.classic.leaf import leaf_kind, leaf_value
from gambito.search.task import SearchTask, TaskResult


@native
def minimax(game, state, depth, monitor):
    """The value of the state for MAX (player 0), looking `depth` plies ahead.

    result == true value of the tree cut off at `depth`.
    """
    hint = monitor.enter(game, state, depth, -game.infinity, game.infinity)
    is_max = game.player(state) == 0
    kind = leaf_kind(game, state, depth, monitor)
    if kind:
        value = leaf_value(game, state, depth, kind, monitor)
        return monitor.leave(depth, value if is_max else -value)
    best = -game.infinity if is_max else game.infinity
    for listed in game.actions(state):
        action = monitor.choose(depth, listed, hint)
        value = minimax(game, game.result(state, action), depth - 1, monitor)
        if (is_max and value > best) or (not is_max and value < best):
            best = value
            monitor.best(depth, action, value)
    return monitor.leave(depth, best)


def run(task: SearchTask) -> TaskResult:
    return TaskResult(task.for_mover(minimax(*task.root, task.monitor)))


ALGORITHM = DepthSearch(
    name="minimax",
    summary="the whole tree: MAX takes the highest value, MIN the lowest",
    source="Shannon 1950; Russell & Norvig §5.2",
    run=run,
    frame="max",
    windowed=False,
)
