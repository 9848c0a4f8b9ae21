"""IDA*: depth-first searches below a bound of f, which grows until a goal is within it.

It stores only the path, so it never runs out of memory. Contract of one search below `bound`: -1 means that a
goal was found whose cost is at most `bound`, and the path holds the actions. Any other result is the least f
above the bound, so no goal costs less than that if h is admissible.

A state on the path is not entered again: the puzzle's `undoes` ensures that for two actions. If a puzzle does
not define it, the keys of the path are compared.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from gambito.game.contract import NO_ACTION
from gambito.game.puzzle import Puzzle
from gambito.native import Handle, int64, native, uint64
from gambito.puzzle.puzzle_run import HEURISTIC_OPTION, PuzzleRun, can_compile
from gambito.puzzle.recorder import recording
from gambito.search.algorithm import Option, PuzzleSearch
from gambito.search.monitor import LIMIT, STOP
from gambito.search.task import SearchTask, TaskResult
from gambito.search.thread import DEEPEST

LENGTH, CUT, EXPANDED, CHECKS, MOST = range(5)  # places in `head`
FAR = 1 << 22  # more actions than any path has: so many costs below `infinity` are not yet no way
SLACK = 1e-12  # the part of a float bound that is rounding: sums of the same costs differ in their last bits
PATH = Option(
    "path",
    "auto",
    "which part of the path to check for repeated states",
    choices=("auto", "parent", "whole"),
    technique=False,
)


class Path(Handle):
    """The actions from the root, and the keys of the states on the way."""

    arrays: ClassVar[dict[str, type]] = {"head": np.int64, "actions": np.int64, "keys": np.uint64}

    def repeats(self, key, depth):
        """Is this key already on the path?"""
        for above in range(depth):
            if self.keys[above] == key:
                return True
        return False


@native
def below_bound(game, tables, state, g, h, bound, last, depth, path, monitor):
    """Search for a goal whose f is at most `bound`."""
    if game.is_goal(state):
        path.head[LENGTH] = depth
        return g - g - 1
    nearest = game.infinity * FAR + g - g
    if depth >= path.head[MOST]:
        path.head[CUT] += 1
        return nearest
    if path.head[CHECKS]:
        path.keys[depth] = uint64(game.key(state))
        if path.repeats(path.keys[depth], depth):
            return nearest
    path.head[EXPANDED] += 1
    for action in game.actions(state):
        if game.undoes(last, action):
            continue
        child = game.result(state, action)
        monitor.visit(1)
        cost = g + game.cost(state, action)
        rest = game.guess_after(tables, state, action, child, h)
        monitor.walk(child, action, depth, cost, rest, bound)
        if rest >= game.infinity:  # no goal can be reached from there
            continue
        if not cost + rest <= bound:
            nearest = min(nearest, cost + rest)
            continue
        path.actions[depth] = action
        found = below_bound(game, tables, child, cost, rest, bound, int64(action), depth + 1, path, monitor)
        if found < 0 or monitor.is_stopped():
            return found
        nearest = min(nearest, found)
    return nearest


@native
def first_guess(game, tables, state):
    return game.guess(tables, state)


def run(task: SearchTask) -> TaskResult:
    """Raise the bound until a goal is within it."""
    options, monitor, puzzle = task.options, task.monitor, task.rules
    plan = PuzzleRun(task, options["heuristic"], keeps=False)
    assert isinstance(puzzle, Puzzle)
    number = puzzle.value
    most = min(plan.deepest, DEEPEST - 10)
    has_undo = type(puzzle).undoes is not Puzzle.undoes
    checks = options["path"] == "whole" or (options["path"] == "auto" and not has_undo)
    arrays = {"actions": np.zeros(most + 1, np.int64), "keys": np.zeros(most + 1, np.uint64)}
    path = Path(head=np.array([0, 0, 0, checks, most]), **arrays)
    if plan.gear == "python":
        path = Path(**{name: getattr(path, name).tolist() for name in Path.arrays})
    monitor.visit(1)
    h = number(first_guess(plan.game, plan.tables, plan.state))
    found = bound = h
    zero = number(0)
    while found < puzzle.infinity * FAR and h < puzzle.infinity:
        monitor.raise_bound(plan.state, h, bound)
        given = (plan.state, zero, h, bound, NO_ACTION, 0, path, monitor)
        found = number(below_bound(plan.game, plan.tables, *given))
        if found < 0 or monitor.is_stopped():
            break
        bound = found if number is int else found + SLACK * max(1.0, abs(found))
    if monitor.is_stopped() and monitor.data[LIMIT] != STOP:
        monitor.data[LIMIT] = STOP
    expanded, is_admissible = int(path.head[EXPANDED]), bool(plan.guide.admissible)
    if found >= 0:
        return TaskResult(exact=is_admissible and not path.head[CUT], expanded=expanded)
    line = [int(path.actions[place]) for place in range(int(path.head[LENGTH]))]
    return TaskResult(line=line, exact=is_admissible, cost=_cost(puzzle, plan.state, line), expanded=expanded)


def _cost(puzzle: Puzzle, state: Any, line: list[int]) -> Any:
    cost = puzzle.value(0)
    for action in line:
        cost += puzzle.cost(state, action)
        state = puzzle.result(state, action)
    return puzzle.value(cost)


ALGORITHM = PuzzleSearch(
    "ida-star",
    "depth-first below a growing bound of f: like A*, but it stores only the path",
    "Korf 1985",
    run,
    (HEURISTIC_OPTION, PATH),
    compiles=can_compile,
    recorder=recording,
)
