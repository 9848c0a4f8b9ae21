"""The root of a search by Gumbel: sequential halving, completed values, and whose value is whose.

It does not know how a simulation goes on below the root.
"""

from __future__ import annotations

from numpy import float32, int32

from gambito.learn.zero.search_trees import DONE, IS_FULL, SLOT
from gambito.native import inlined, int64

LOWEST = float32(-1e30)


@inlined
def values_in(game):
    """How many values a position has."""
    return 1 if game.players == 1 or (game.players == 2 and game.zero_sum) else game.players


@inlined
def for_player(game, forest, place, player):
    """A value at a place as a player sees it; `place` is the number of a node or an edge."""
    if values_in(game) > 1:
        return place * values_in(game) + player
    return place


@inlined
def sign_of(game, player):
    """What turns player 0's value into a player's."""
    return float32(-1.0) if values_in(game) == 1 and player == 1 else float32(1.0)


@inlined
def weigh(plan, value, most):
    """The weight of a value beside the logits; it grows with the visits of the most visited action."""
    return float32((plan.trust + most) * plan.sharpness) * value


@inlined
def most_visits(forest, node):
    most, first = int32(0), forest.first[node]
    for edge in range(first, first + forest.count[node]):
        most = max(most, forest.visits[edge])
    return most


@inlined
def completed(game, forest, edge, mover, middle):
    """The value of an action for the mover; one without visits has the value of the state."""
    if forest.visits[edge] == 0:
        return middle
    total = forest.total[for_player(game, forest, edge, mover)]
    return total * sign_of(game, mover) / float32(forest.visits[edge])


@inlined
def mixed_value(game, forest, node):
    """The value of a state: the network's, and those of its visited actions by their priors."""
    mover, first = forest.mover[node], forest.first[node]
    own = forest.value[for_player(game, forest, node, mover)] * sign_of(game, mover)
    visits, weights, total = int64(0), float32(0.0), float32(0.0)
    for edge in range(first, first + forest.count[node]):
        if forest.visits[edge] > 0:
            visits += forest.visits[edge]
            prior = forest.prior[edge] + float32(1e-9)
            weights += prior
            total += prior * completed(game, forest, edge, mover, own)
    if visits == 0:
        return own
    return (own + float32(visits) * total / weights) / float32(visits + 1)


@inlined
def best_edge(game, plan, forest, number, wanted):
    """The root's best action by noise, logit and value, among those with so many visits."""
    base, noise = number * int64(plan.nodes), number * int64(plan.actions)
    first, count, mover = forest.first[base], forest.count[base], forest.mover[base]
    best, chosen, most = LOWEST, int64(first), most_visits(forest, base)
    for place in range(count):
        edge = first + place
        if forest.visits[edge] == wanted:
            score = forest.noise[noise + place] + forest.logit[edge]
            if wanted > 0:
                score += weigh(plan, completed(game, forest, edge, mover, float32(0.0)), most)
            if score > best:
                best, chosen = score, int64(edge)
    return chosen


@inlined
def wanted_visits(plan, forest, number):
    """The visits that the root's next action must have."""
    facts, base = number * SLOT, number * int64(plan.nodes)
    considered = min(int64(forest.count[base]), int64(plan.considered))
    line = forest.slots[facts + IS_FULL] * (int64(plan.considered) + 1) + considered
    return plan.visits[line * int64(plan.steps) + forest.slots[facts + DONE]]
