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
from gambito.search.monte_carlo.loop import FULL, SOLVED, STOPPED, back_up, descend, expand
from gambito.search.monte_carlo.playouts import LENGTH, MOST_PLIES, Trail, new_trail, reward_of

BATCH = 8  # leaves that a guide values in one call, if nothing else is said


@native
def walk(game, root, settings, knobs, tree, trail, rng, watch):
    """Go from the root to a leaf, which gets no children yet; return its state and whether it is terminal."""
    state, is_over, _ = descend(game, root, settings, knobs, tree, trail, rng, watch)
    return state, is_over


@native
def sprout(game, state, settings, knobs, tree, trail, rng, node, watch):
    """Give a leaf its children; return their number."""
    return expand(game, state, settings, knobs, tree, trail, rng, node, game.player(state), watch)


@native
def final_reward(game, state, settings, knobs, watch):
    return reward_of(game, state, True, 0, settings, knobs, watch)


@native
def carry(game, settings, knobs, tree, trail, watch, is_over):
    """Back up the reward of a simulation."""
    back_up(settings, knobs, tree, trail, watch, is_over)
    return 0


def grow_guided(question: Any, settings: Any, knobs: Any, tree: Any, rng: Any, is_certain: bool) -> int:
    """Run simulations in batches until the watch stops them, the root is solved or the tree is full."""
    watch, batch = question.watch, question.options["batch"] or BATCH
    trails = [new_trail(question.rules.players, False) for _ in range(batch)]
    while True:
        waiting: list[tuple[Trail, Any, bool]] = []
        is_stopped = False
        for trail in trails if tree.first[0] > 0 else trails[:1]:  # the first batch is the root alone
            watch.visit(1)
            if watch.is_stopped():
                watch.halt()
                is_stopped = True
                break
            state, is_over = walk(question.game, question.state, settings, knobs, tree, trail, rng, watch)
            waiting.append((trail, state, bool(is_over)))
        is_full = _value(question, settings, knobs, tree, rng, waiting)
        if is_certain and tree.low[0] == tree.high[0]:
            return SOLVED
        if is_stopped:
            return STOPPED
        if is_full:
            return FULL


def _value(
    question: Any, settings: Any, knobs: Any, tree: Any, rng: Any, waiting: list[tuple[Trail, Any, bool]]
) -> bool:
    """Call the guide for the leaves that are not over, give them children, and back up all rewards."""
    asked = [state for _, state, is_over in waiting if not is_over]
    answers = iter(question.guide(asked)) if asked else iter(())
    is_full = False
    for trail, state, is_over in waiting:
        if is_over:
            reward = final_reward(question.game, state, settings, knobs, question.watch)
        else:
            policy, value = next(answers)
            reward = float(value) if question.rules.player(state) == 0 else -float(value)
            leaf = int(trail.nodes[trail.counts[LENGTH] - 1])
            if tree.first[leaf] == 0 and trail.counts[LENGTH] < MOST_PLIES:
                mine = (tree, trail, rng, leaf, question.watch)
                count = sprout(question.game, state, settings, knobs, *mine)
                is_full = is_full or count < 0
                for child in range(tree.first[leaf], tree.first[leaf] + max(count, 0)):
                    tree.prior[child] = policy.get(int(tree.action[child]), 0.0)
        trail.rewards[0] = reward
        question.watch.simulate(question.rules, state, reward)
        carry(question.game, settings, knobs, tree, trail, question.watch, is_over)
    return is_full
