"""Bidirectional uniform-cost search: from the start and from the goal at once, until the two searches meet.

Contract: `best` is the least cost of a path through a state that both sides have reached. No path can be
cheaper than the sum of the least g of both open lists, so once that sum is `best` or more, `best` is the
least cost.
"""

from __future__ import annotations

import math
from typing import Any, ClassVar

import numpy as np

from gambito.game.contract import Game
from gambito.game.gears import gears
from gambito.game.puzzle import Puzzle
from gambito.native import Handle, int64, native
from gambito.native.store import get
from gambito.native.values import as_key
from gambito.puzzle.best_first import EMPTY, FOUND, FULL, STOPPED, plant
from gambito.puzzle.heuristics import ZERO, guided
from gambito.puzzle.nodes import CLOSED, EXPANDED, NOBODY, OPEN, SIDE, Nodes
from gambito.puzzle.puzzle_run import MEMORY_OPTION, PuzzleRun, can_compile
from gambito.puzzle.recorder import recording
from gambito.search.algorithm import Fits, PuzzleSearch
from gambito.search.task import SearchTask, TaskResult
from gambito.words.sentence import Sentence


class Meeting(Handle):
    """The best meeting so far: its cost, and its node on either side."""

    arrays: ClassVar[dict[str, type]] = {"best": np.float64, "nodes": np.int64}


@native
def step(game, mine, other, like, meeting, side, monitor):
    """Expand the best state of one side; return whether there was room."""
    node = mine.pop()
    mine.place[node] = CLOSED
    state = get(mine.states, node, like)
    mine.head[EXPANDED] += 1
    monitor.take(mine, node)
    for action in game.actions(state):
        child = game.result(state, action)
        g = mine.g[node] + game.cost(state, action)
        if not g < math.inf:  # that is no way
            continue
        slot = mine.find(game, child)
        known = mine.slots[slot] - 1
        if mine.is_full():
            mine.head[EXPANDED] -= 1
            mine.push(node, 0.0, int64(0))
            return False
        monitor.visit(1)
        if known == NOBODY:
            known = mine.add(slot, child, node, action)
            mine.h[known], mine.place[known] = 0.0, CLOSED
        elif g >= mine.g[known]:
            continue
        is_open = mine.place[known] != CLOSED
        mine.parent[known], mine.action[known] = node, action
        mine.g[known], mine.f[known] = g, g
        order = mine.head[EXPANDED]
        if is_open:
            mine.rise(int64(mine.place[known]), known, g, 0.0, order)
        else:
            mine.push(known, 0.0, order)
        monitor.put(mine, known)
        there = other.slots[other.find(game, child)] - 1
        if there != NOBODY and g + other.g[there] < meeting.best[0]:
            meeting.best[0] = g + other.g[there]
            meeting.nodes[side], meeting.nodes[1 - side] = known, there
    return True


@native
def meet(game, back, near, far, like, meeting, monitor):
    """Continue on the cheaper side until nothing cheaper than the best meeting is left."""
    while near.head[OPEN] > 0 and far.head[OPEN] > 0:
        if monitor.is_stopped():
            return STOPPED
        if near.heap_f[0] + far.heap_f[0] >= meeting.best[0]:
            return FOUND
        if near.heap_f[0] <= far.heap_f[0]:
            if not step(game, near, far, like, meeting, 0, monitor):
                return FULL
        elif not step(back, far, near, like, meeting, 1, monitor):
            return FULL
    return FOUND if meeting.best[0] < math.inf else EMPTY


def run(task: SearchTask) -> TaskResult:
    plan, monitor, puzzle = PuzzleRun(task, ZERO), task.monitor, task.rules
    assert isinstance(puzzle, Puzzle)
    turned = _turned(puzzle, task.state)
    assert turned is not None
    inverse = gears(guided(turned, ZERO).puzzle)
    back, goal = inverse.in_gear(plan.gear), inverse.cast(puzzle.goal(task.state))
    near, far = plan.new_nodes(), plan.new_nodes()
    far.head[SIDE] = 1
    meeting: Any = Meeting(best=np.array([math.inf]), nodes=np.array([NOBODY, NOBODY]))
    if plan.gear == "python":
        meeting = Meeting(best=[math.inf], nodes=[NOBODY, NOBODY])
    plant(plan.game, near, plan.tables, plan.state, 1.0, 0.0, monitor)
    plant(back, far, plan.tables, goal, 1.0, 0.0, monitor)
    if as_key(plan.state) == as_key(goal):
        meeting.best[0], meeting.nodes[0], meeting.nodes[1] = 0.0, 0, 0
    while (how := meet(plan.game, back, near, far, plan.state, meeting, monitor)) == FULL:
        near, far = plan.grow(near), plan.grow(far)
    if how == STOPPED:
        monitor.halt()
    expanded = int(near.head[EXPANDED] + far.head[EXPANDED])
    if how != FOUND:
        return TaskResult(exact=how != STOPPED, expanded=expanded)
    line = _line(puzzle, plan, near, far, meeting)
    if len(line) > plan.deepest:  # a dearer way may have fewer actions
        return TaskResult(exact=False, expanded=expanded)
    return TaskResult(line=line, cost=puzzle.value(meeting.best[0]), expanded=expanded)


def _line(puzzle: Puzzle, plan: PuzzleRun, near: Nodes, far: Nodes, meeting: Any) -> list[int]:
    """The path to the meeting, and from there along the parents of the other side to the goal."""
    line, state, node = near.path(int(meeting.nodes[0])), plan.state, int(meeting.nodes[1])
    for action in line:
        state = puzzle.result(state, action)
    cast = gears(puzzle).cast
    while far.parent[node] != NOBODY:
        cost, node = far.g[node], int(far.parent[node])
        wanted = cost - far.g[node]
        rest = _states(far, node, plan)
        ways = [a for a in puzzle.actions(state) if as_key(cast(puzzle.result(state, a))) == as_key(rest)]
        line.append(int(min(ways, key=lambda a: abs(puzzle.cost(state, a) - wanted))))
        state = puzzle.result(state, line[-1])
    return line


@native
def state_at(game, nodes, node, like):
    return get(nodes.states, node, like)


def _states(nodes: Nodes, node: int, plan: PuzzleRun) -> Any:
    return gears(plan.task.rules).cast(state_at(plan.game, nodes, node, plan.state))


def _turned(puzzle: Puzzle, state: Any) -> Puzzle | None:
    """The puzzle that the backward side searches."""
    return puzzle if puzzle.symmetric else puzzle.backward(state)


def _refuses(game: Game) -> str:
    assert isinstance(game, Puzzle)
    start = game.initial()
    if game.goal(start) is None or _turned(game, start) is None:
        return Sentence(
            "bidirectional needs one goal and actions that can be reversed; {} does not have both",
            game.label(),
        )
    return ""


ALGORITHM = PuzzleSearch(
    "bidirectional",
    "uniform-cost search from the start and from the goal at once, until they meet",
    "Nicholson 1966; Pohl 1971",
    run,
    (MEMORY_OPTION,),
    compiles=can_compile,
    recorder=recording,
    fits=Fits(refuses=_refuses),
)
