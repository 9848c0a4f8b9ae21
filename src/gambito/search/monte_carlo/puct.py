"""Learned guidance: a policy and value function, any Python callable, steers Monte-Carlo tree search by PUCT.

A guide takes a list of states and returns a pair for each: a dictionary with the probability of each action
(missing ones count as 0), and the value for the player to move, between -1 and 1. It is called for many
leaves at once; while they wait, virtual loss sends the next simulation elsewhere. Functions that can be
compiled need no guide: they are the game's own `evaluate` and `priority`, used with `playout=evaluate` and
`select=puct`.
"""

from __future__ import annotations

from typing import Any

from gambito.native import native
from gambito.search.monte_carlo.playouts import LENGTH, MOST_PLIES, Trail, new_trail, reward_of
from gambito.search.monte_carlo.simulation import FULL, SOLVED, STOPPED, back_up, descend, expand

BATCH = 8  # leaves that a guide values in one call, if nothing else is said


@native
def walk(game, root, settings, knobs, tree, trail, rng, monitor):
    """Go from the root to a leaf, which gets no children yet; return its state and whether it is terminal."""
    state, is_over, _ = descend(game, root, settings, knobs, tree, trail, rng, monitor)
    return state, is_over


@native
def sprout(game, state, settings, knobs, tree, trail, rng, node, monitor):
    """Give a leaf its children; return their number."""
    return expand(game, state, settings, knobs, tree, trail, rng, node, game.player(state), monitor)


@native
def final_reward(game, state, settings, knobs, monitor):
    return reward_of(game, state, True, 0, settings, knobs, monitor)


@native
def carry(game, settings, knobs, tree, trail, monitor, is_over):
    """Back up the reward of a simulation."""
    back_up(settings, knobs, tree, trail, monitor, is_over)
    return 0


def grow_guided(task: Any, settings: Any, knobs: Any, tree: Any, rng: Any, is_certain: bool) -> int:
    """Run simulations in batches until the monitor stops them, the root is solved or the tree is full."""
    monitor, batch = task.monitor, task.options["batch"] or BATCH
    trails = [new_trail(task.rules.players, False) for _ in range(batch)]
    while True:
        waiting: list[tuple[Trail, Any, bool]] = []
        is_stopped = False
        for trail in trails if tree.first[0] > 0 else trails[:1]:  # the first batch is the root alone
            monitor.visit(1)
            if monitor.is_stopped():
                monitor.halt()
                is_stopped = True
                break
            state, is_over = walk(task.game, task.state, settings, knobs, tree, trail, rng, monitor)
            waiting.append((trail, state, bool(is_over)))
        is_full = _value(task, settings, knobs, tree, rng, waiting)
        if is_certain and tree.low[0] == tree.high[0]:
            return SOLVED
        if is_stopped:
            return STOPPED
        if is_full:
            return FULL


def _value(
    task: Any, settings: Any, knobs: Any, tree: Any, rng: Any, waiting: list[tuple[Trail, Any, bool]]
) -> bool:
    """Call the guide for the leaves that are not over, give them children, and back up all rewards."""
    asked = [state for _, state, is_over in waiting if not is_over]
    answers = iter(task.guide(asked)) if asked else iter(())
    is_full = False
    for trail, state, is_over in waiting:
        if is_over:
            reward = final_reward(task.game, state, settings, knobs, task.monitor)
        else:
            policy, value = next(answers)
            reward = float(value) if task.rules.player(state) == 0 else -float(value)
            leaf = int(trail.nodes[trail.counts[LENGTH] - 1])
            if tree.first[leaf] == 0 and trail.counts[LENGTH] < MOST_PLIES:
                mine = (tree, trail, rng, leaf, task.monitor)
                count = sprout(task.game, state, settings, knobs, *mine)
                is_full = is_full or count < 0
                for child in range(tree.first[leaf], tree.first[leaf] + max(count, 0)):
                    tree.prior[child] = policy.get(int(tree.action[child]), 0.0)
        trail.rewards[0] = reward
        task.monitor.simulate(task.rules, state, reward)
        carry(task.game, settings, knobs, tree, trail, task.monitor, is_over)
    return is_full
