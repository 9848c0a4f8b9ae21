"""B*: every state has a pessimistic and an optimistic bound; the search stops when the pessimistic bound of
one action is at least the optimistic bounds of all others.

Berliner, The B* tree search algorithm: a best-first proof procedure (1979). PROVEBEST raises the pessimistic
bound of the action that looks best, DISPROVEREST lowers the optimistic bound of its strongest rival.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from gambito.errors import SearchError
from gambito.game.contract import NO_ACTION
from gambito.native import Handle, native
from gambito.search.algorithm import BOUNDS, NEVER, DepthSearch, Option
from gambito.search.task import SearchTask, TaskResult

BYTES = 48  # a node: six numbers


class BoundTree(Handle):
    """The tree in memory; node 0 is the root. The bounds of a node are for its player to move."""

    arrays: ClassVar[dict[str, type]] = {
        "used": np.int64,  # [nodes in use, most nodes]
        "parent": np.int64,
        "action": np.int64,
        "first": np.int64,  # the first child; 0: not expanded
        "count": np.int64,  # children; they lie side by side
        "same": np.int64,  # 1: the player to move is the same as at the parent
        "low": np.int64,
        "high": np.int64,
    }

    def worst(self, node):
        """The pessimistic bound of a node, for the player to move at its parent."""
        return self.low[node] if self.same[node] else -self.high[node]

    def best(self, node):
        """The optimistic bound of a node, for the player to move at its parent."""
        return self.high[node] if self.same[node] else -self.low[node]


class FloatBoundTree(BoundTree):
    """The same tree with bounds that are floats."""

    arrays: ClassVar[dict[str, type]] = {**BoundTree.arrays, "low": np.float64, "high": np.float64}


@native
def most_promising(game, tree, node, besides):
    """The child with the highest optimistic bound, except `besides`; among equals, the one with the highest
    pessimistic bound."""
    chosen = 0
    for child in range(tree.first[node], tree.first[node] + tree.count[node]):
        if child == besides:
            continue
        if chosen == 0 or tree.best(child) > tree.best(chosen):
            chosen = child
        elif tree.best(child) == tree.best(chosen) and tree.worst(child) > tree.worst(chosen):
            chosen = child
    return chosen


@native
def has_room(game, state, tree):
    """Do the children of a state fit into the memory?"""
    count = 0
    for _ in game.actions(state):
        count += 1
    return tree.used[0] + count <= tree.used[1]


@native
def expand(game, state, depth, node, tree, monitor):
    """Give a node its children, each with the bounds that the game gives."""
    player = game.player(state)
    tree.first[node] = tree.used[0]
    for action in game.actions(state):
        if node == 0 and not monitor.counts(action):
            continue
        child = game.result(state, action)
        place = tree.used[0]
        tree.used[0] += 1
        tree.count[node] += 1
        tree.parent[place], tree.action[place] = node, action
        tree.first[place], tree.count[place] = 0, 0
        tree.same[place] = 1 if game.player(child) == player else 0
        monitor.choose(depth, action, NO_ACTION)
        low, high = bounds(game, child, depth - 1, monitor)
        tree.low[place], tree.high[place] = low, high


@native
def bounds(game, state, depth, monitor):
    """The bounds of a new state for its player to move; at a leaf they are equal."""
    low, high = game.bounds(state) if not game.is_terminal(state) else (-game.infinity, game.infinity)
    monitor.enter(game, state, depth, low, high)
    if monitor.is_stopped():
        monitor.halt()
    player = game.player(state)
    if game.is_terminal(state):
        low = high = monitor.leaf(depth, monitor.final(game, game.utility(state, player), 1), False)
    elif game.cycles and monitor.repeats(depth, game.reversible(state)):
        low = high = monitor.leaf(depth, game.repetition(state, player), False)
    elif depth == 0:
        low = high = monitor.leaf(depth, game.evaluate(state, player), True)
    if low == high:
        monitor.leave(depth, low)
    else:
        monitor.suspend(depth)
    return low, high


@native
def back_up(game, tree, node, monitor):
    """Update the bounds from a node up to the root: a node is as good as its best child."""
    while True:
        low, high = -game.infinity, -game.infinity
        for child in range(tree.first[node], tree.first[node] + tree.count[node]):
            low, high = max(low, tree.worst(child)), max(high, tree.best(child))
        tree.low[node] = max(low, tree.low[node])
        tree.high[node] = max(tree.low[node], min(high, tree.high[node]))
        monitor.narrow(tree.low[node], tree.high[node])
        if node == 0:
            return
        node = tree.parent[node]


@native
def b_star(game, state, depth, strategy, tree, monitor):
    """Expand until one action is proved best, and return its node. If the memory is full or the search is
    stopped, return minus the most promising node.

    Proved: its pessimistic bound >= the optimistic bound of every other action.
    strategy 0: PROVEBEST, 1: DISPROVEREST, 2: both in turn.
    """
    monitor.enter(game, state, depth, tree.low[0], tree.high[0])
    expand(game, state, depth, 0, tree, monitor)
    back_up(game, tree, 0, monitor)
    turn = 0
    while True:
        best = most_promising(game, tree, 0, 0)
        rival = most_promising(game, tree, 0, best)
        is_proved = rival == 0 or tree.worst(best) >= tree.best(rival)
        if is_proved or monitor.is_stopped():
            monitor.leave(depth, tree.low[0])
            return best if is_proved else -best
        prove_best = strategy == 0 or (strategy == 2 and turn % 2 == 0)
        node = best if prove_best else rival
        if tree.low[node] == tree.high[node]:
            node = rival if prove_best else best
        turn += 1
        here, left = game.result(state, monitor.choose(depth, tree.action[node], NO_ACTION)), depth - 1
        monitor.pass_by(game, here, left)
        while tree.first[node] > 0:
            node = most_promising(game, tree, node, 0)
            here, left = game.result(here, monitor.choose(left, tree.action[node], NO_ACTION)), left - 1
            monitor.pass_by(game, here, left)
        if not has_room(game, here, tree):
            monitor.leave(depth, tree.low[0])
            return -best
        expand(game, here, left, node, tree, monitor)
        back_up(game, tree, node, monitor)


STRATEGIES = ("prove-best", "disprove-rest", "alternate")


def run(task: SearchTask) -> TaskResult:
    rules = task.rules
    kind = FloatBoundTree if rules.value is float else BoundTree
    room = (task.options["memory"] << 20) // BYTES
    arrays: dict[str, Any] = {n: np.zeros(room, d) for n, d in kind.arrays.items() if n != "used"}
    tree = kind(used=np.array([1, room]), **arrays)
    tree.low[0], tree.high[0] = rules.bounds(task.state)
    if task.root_actions:
        tree.low[0] = rules.lowest  # what the game promises needs all of its actions
    if not has_room(task.game, task.state, tree):
        raise SearchError("the actions of this state need more than {} MiB", task.options["memory"])
    strategy = STRATEGIES.index(task.options["strategy"])
    best = int(b_star(*task.root, strategy, tree, task.monitor))
    low, high = (v.item() for v in (tree.low[0], tree.high[0]))
    return TaskResult(low, int(tree.action[abs(best)]), low=low, high=high, exact=low == high)


ALGORITHM = DepthSearch(
    name="b-star",
    summary="pessimistic and optimistic bounds; the best action is proved, not valued",
    source="Berliner 1979",
    run=run,
    options=(
        Option(
            "strategy",
            "alternate",
            "which bound to work on while no action is proved best",
            choices=STRATEGIES,
        ),
        Option("memory", 64, "size of the tree in MiB", low=1, high=4096),
    ),
    deepening=NEVER,
    holds=BOUNDS,
    best_first=True,
    chooses=True,
)
