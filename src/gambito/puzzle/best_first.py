"""Best-first search: one loop over f; the choice of f gives the whole family.

    f = G·g + H·h + S·steps        g: the cost so far, h: the estimate of the rest, steps: actions so far

    uniform-cost   f = g           breadth-first   f = steps
    greedy         f = h           depth-first     f = -steps
    A*             f = g + h       weighted A*     f = g + w·h

Contract: if h never exceeds the true cost, A* and uniform-cost return the least cost of any path to a goal,
and weighted A* at most w times that. A closed state that is reached by a cheaper path is opened again, so h
need not be consistent for this. An estimate of `infinity` or more says that no goal can be reached, and is
trusted.
"""

from __future__ import annotations

import math

from gambito.native import int64, native
from gambito.native.store import get
from gambito.puzzle.nodes import CLOSED, COUNT, CUT, DEAD, EXPANDED, GOAL, HALF, NOBODY, OPEN, REOPENED

FOUND, EMPTY, FULL, STOPPED = range(4)  # results of the loop
LOW_H, OLDEST, NEWEST = range(3)  # the order among equal f
SIBLINGS = 20  # bits for the number of a child among its siblings


@native
def rehash(game, nodes, like):
    """Enter every node into a slot."""
    node = 0
    while node < nodes.head[COUNT]:
        slot = nodes.find(game, get(nodes.states, node, like))
        nodes.slots[slot] = node + 1
        node += 1


@native
def plant(game, nodes, tables, state, weight_g, weight_h, monitor):
    """Add the first node."""
    node = nodes.add(nodes.find(game, state), state, NOBODY, NOBODY)
    h = float(game.guess(tables, state))
    nodes.g[node], nodes.h[node], nodes.f[node] = 0.0, h, weight_h * h
    monitor.visit(1)
    monitor.leaf(0, 0, False)
    nodes.push(node, h, int64(0))
    monitor.put(nodes, node)
    return node


@native
def best_first(
    game, nodes, tables, like, weight_g, weight_h, weight_s, ties, reopens, eager, deepest, monitor
):
    """Continue until a goal is taken from the open list; return how it ended."""
    head = nodes.head
    while head[OPEN] > 0 or head[HALF] != NOBODY:
        if monitor.is_stopped():
            return STOPPED
        # Step 1. The best node of the open list; an entry of a node closed since then is out of date. But
        # first the node that had no room for all of its children: meanwhile nothing may lead back to it.
        if head[HALF] != NOBODY:
            node = head[HALF]
            head[HALF] = NOBODY
        else:
            node = nodes.pop()
            if nodes.place[node] == CLOSED:
                continue
        nodes.place[node] = CLOSED
        state = get(nodes.states, node, like)
        monitor.take(nodes, node)
        if game.is_goal(state):
            head[GOAL] = node
            return FOUND
        if nodes.steps[node] >= deepest:
            head[CUT] += 1
            continue
        # Step 2. Its children: new ones are opened; those reached by a better path are opened again.
        head[EXPANDED] += 1
        sibling = int64(0)
        for action in game.actions(state):
            child = game.result(state, action)
            g = nodes.g[node] + game.cost(state, action)
            if not g < math.inf:  # that is no way
                continue
            slot = nodes.find(game, child)
            known = nodes.slots[slot] - 1
            if nodes.is_full():  # start again with more room; what is known by then stays
                head[HALF] = node
                head[EXPANDED] -= 1
                return FULL
            monitor.visit(1)
            sibling += 1
            if known == NOBODY:
                h = game.guess_after(tables, state, action, child, nodes.h[node])
                monitor.leaf(0, 0, False)
                if h >= game.infinity:
                    head[DEAD] += 1
                    continue
                known = nodes.add(slot, child, node, action)
                nodes.h[known] = h
                nodes.place[known] = CLOSED
                is_new = True
            else:
                is_new = False
            f = weight_g * g + weight_h * nodes.h[known] + weight_s * (nodes.steps[node] + 1)
            if not is_new:
                if f > nodes.f[known] or (f == nodes.f[known] and g >= nodes.g[known]):
                    continue
                if nodes.place[known] == CLOSED:
                    if not reopens:
                        head[CUT] += 1
                        continue
                    head[REOPENED] += 1
                nodes.parent[known], nodes.action[known] = node, action
                nodes.steps[known] = nodes.steps[node] + 1
            nodes.g[known], nodes.f[known] = g, f
            order = head[EXPANDED] << SIBLINGS
            order = sibling + (order if ties == OLDEST else -order)
            tie = nodes.h[known] if ties == LOW_H else 0.0
            if eager and nodes.place[known] != CLOSED:
                nodes.rise(int64(nodes.place[known]), known, f, tie, order)
            else:
                nodes.push(known, tie, order)
            monitor.put(nodes, known)
    return EMPTY
