"""Beam search: layer by layer like breadth-first, but only the best few states of a layer go on.

It may find a path, but proves nothing: states that fall out of the beam never come back.
"""

from __future__ import annotations

import math
from typing import Any, ClassVar

import numpy as np

from gambito.native import Handle, native
from gambito.native.store import get
from gambito.puzzle.best_first import EMPTY, FOUND, FULL, STOPPED, plant
from gambito.puzzle.nodes import CLOSED, COUNT, EXPANDED, GOAL, NOBODY, OPEN, Nodes
from gambito.puzzle.puzzle_run import HEURISTIC_OPTION, MEMORY_OPTION, PuzzleRun, can_compile
from gambito.puzzle.recorder import recording
from gambito.search.algorithm import Option, PuzzleSearch
from gambito.search.task import SearchTask, TaskResult

WIDTH = Option(
    "width", 100, "the most states of a layer that are kept", low=1, high=1_000_000, technique=False
)


class Layer(Handle):
    """The nodes of one layer."""

    arrays: ClassVar[dict[str, type]] = {"nodes": np.int64}


@native
def beam(game, nodes, tables, like, layer, width, deepest, monitor):
    """Expand layer after layer until one holds a goal; the open list holds the next layer."""
    head, steps = nodes.head, 0
    while head[OPEN] > 0:
        count = 0
        while count < width and head[OPEN] > 0:
            node = nodes.pop()
            nodes.place[node] = CLOSED
            if game.is_goal(get(nodes.states, node, like)):
                monitor.take(nodes, node)
                head[GOAL] = node
                return FOUND
            layer.nodes[count] = node
            count += 1
        head[OPEN] = 0
        if steps >= deepest:
            return EMPTY
        steps += 1
        for place in range(count):
            if monitor.is_stopped():
                return STOPPED
            node = layer.nodes[place]
            state = get(nodes.states, node, like)
            monitor.take(nodes, node)
            head[EXPANDED] += 1
            for action in game.actions(state):
                child = game.result(state, action)
                slot = nodes.find(game, child)
                if nodes.is_full():
                    return FULL
                monitor.visit(1)
                if nodes.slots[slot] != 0:
                    continue
                h = game.guess_after(tables, state, action, child, nodes.h[node])
                monitor.leaf(0, 0, False)
                g = nodes.g[node] + game.cost(state, action)
                if h >= game.infinity or not g < math.inf:
                    continue
                known = nodes.add(slot, child, node, action)
                nodes.g[known], nodes.h[known], nodes.f[known] = g, h, g + h
                nodes.push(known, float(h), head[COUNT])
                monitor.put(nodes, known)
    return EMPTY


def run(task: SearchTask) -> TaskResult:
    plan, width = PuzzleRun(task, task.options["heuristic"]), task.options["width"]
    layer: Any = Layer(nodes=np.full(width, NOBODY, np.int64))
    if plan.gear == "python":
        layer = Layer(nodes=[NOBODY] * width)
    nodes, how = _from_the_start(plan, layer, width)
    while how == FULL:  # from the start again, with twice the room
        plan.check_room(len(nodes.heap_node))
        nodes, how = _from_the_start(plan, layer, width, len(nodes.heap_node).bit_length())
    if how == STOPPED:
        task.monitor.halt()
    return plan.answer(nodes, how == FOUND, exact=False)


def _from_the_start(plan: PuzzleRun, layer: Layer, width: int, bits: int = 14) -> tuple[Nodes, int]:
    nodes = plan.new_nodes(bits)
    plant(plan.game, nodes, plan.tables, plan.state, 1.0, 1.0, plan.task.monitor)
    given = (plan.state, layer, width, plan.deepest, plan.task.monitor)
    return nodes, int(beam(plan.game, nodes, plan.tables, *given))


ALGORITHM = PuzzleSearch(
    "beam",
    "breadth-first with only the best few states of each layer",
    "Lowerre 1976",
    run,
    (HEURISTIC_OPTION, WIDTH, MEMORY_OPTION),
    compiles=can_compile,
    recorder=recording,
)
