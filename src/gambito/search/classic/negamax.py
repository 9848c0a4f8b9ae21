"""Negamax: one rule for both players, because what is good for one is bad for the other.

Knuth & Moore, An analysis of alpha-beta pruning (1975), where it is called F0.
"""

from gambito.native import native
from gambito.search.algorithm import DepthSearch
from gambito.search.classic.leaf import leaf_kind, leaf_value
from gambito.search.task import SearchTask, TaskResult


@native
def negamax(game, state, depth, monitor):
    """The value of the state for the player to move, looking `depth` plies ahead.

    result == true value of the tree cut off at `depth`.
    """
    hint = monitor.enter(game, state, depth, -game.infinity, game.infinity)
    kind = leaf_kind(game, state, depth, monitor)
    if kind:
        return monitor.leave(depth, leaf_value(game, state, depth, kind, monitor))
    player = game.player(state)
    best = -game.infinity
    for listed in game.actions(state):
        action = monitor.choose(depth, listed, hint)
        child = game.result(state, action)
        value = negamax(game, child, depth - 1, monitor)
        if game.player(child) != player:
            value = -value
        if value > best:
            best = value
            monitor.best(depth, action, value)
    return monitor.leave(depth, best)


def run(task: SearchTask) -> TaskResult:
    return TaskResult(negamax(*task.root, task.monitor))


ALGORITHM = DepthSearch(
    name="negamax",
    summary="minimax with one rule for both players",
    source="Knuth & Moore 1975",
    run=run,
    windowed=False,
)
