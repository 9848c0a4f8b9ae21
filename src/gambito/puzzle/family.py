"""The family of best-first searches: each is a choice of f and of the order among equal f."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from gambito.game.puzzle import Puzzle
from gambito.puzzle.best_first import EMPTY, FOUND, FULL, STOPPED, best_first, plant
from gambito.puzzle.heuristics import ZERO
from gambito.puzzle.nodes import CUT, DEAD, GOAL, OPEN, Nodes
from gambito.puzzle.puzzle_run import HEURISTIC_OPTION, MEMORY_OPTION, UNENDING, PuzzleRun, can_compile
from gambito.puzzle.recorder import recording
from gambito.search.algorithm import Option, PuzzleSearch
from gambito.search.task import SearchTask, TaskResult

TIES = Option("ties", "low-h", "which state comes first among equal f", choices=("low-h", "oldest", "newest"))
REOPEN = Option("reopen", True, "open a closed state again if it is reached by a better way", sound=False)
EAGER = Option("eager", True, "move a state with a better f in the open list, instead of adding it twice")
WEIGHT = Option("weight", 1.5, "the weight w of the estimate", low=1, high=1000, technique=False)


def solve(
    plan: PuzzleRun, weights: tuple[float, float, float], ties: str, reopen: bool, eager: bool
) -> TaskResult:
    """Run the loop to its end."""
    nodes, monitor = plan.new_nodes(), plan.task.monitor
    plant(plan.game, nodes, plan.tables, plan.state, weights[0], weights[1], monitor)
    while True:
        given = (*weights, TIES.choices.index(ties), reopen, eager, plan.deepest, monitor)
        how = best_first(plan.game, nodes, plan.tables, plan.state, *given)
        if how != FULL:
            break
        nodes = plan.grow(nodes)
    if how == STOPPED:
        monitor.halt()
    if how == FOUND:
        return plan.answer(nodes, True, _is_exact(plan, nodes, weights))
    is_believed = not nodes.head[DEAD] or bool(plan.guide.admissible)
    return plan.answer(nodes, False, how == EMPTY and not nodes.head[CUT] and is_believed)


def _is_exact(plan: PuzzleRun, nodes: Nodes, weights: tuple[float, float, float]) -> bool:
    """Is the cost known to be the least, by the contract or because nothing cheaper is left open?"""
    weight_g, weight_h, weight_s = weights
    guide, cost, head = plan.guide, nodes.g[nodes.head[GOAL]], nodes.head
    # What a closed state kept out was no better if h is consistent; what the depth cut off may be.
    is_whole = not head[CUT] or (bool(guide.consistent) and plan.deepest == UNENDING)
    if weight_s != 0:  # what the depth cuts off has no fewer actions than the goal
        return weight_s > 0 and _is_uniform(plan.task.rules)
    if weight_h == 0 or (guide.admissible and weight_g >= weight_h):
        return is_whole
    if guide.admissible is None:
        is_whole = is_whole and not head[DEAD]
    left = min((nodes.g[node] for node in nodes.heap_node[: int(head[OPEN])]), default=cost)
    return guide.admissible is not False and is_whole and bool(left >= cost)


def _is_uniform(puzzle: Any) -> bool:
    """Do all actions cost the same?"""
    return type(puzzle).cost is Puzzle.cost


def _member(
    name: str, summary: str, source: str, weights: Any, ties: str = "low-h", own: tuple[Option, ...] = ()
) -> PuzzleSearch:
    """One algorithm of the family."""
    informed = name not in ("uniform-cost", "breadth-first", "depth-first")
    options = [
        *([HEURISTIC_OPTION] if informed else []),
        *own,
        replace(TIES, default=ties),
        REOPEN,
        EAGER,
        MEMORY_OPTION,
    ]
    if name == "depth-first":
        options = [MEMORY_OPTION]

    def run(task: SearchTask) -> TaskResult:
        given = task.options
        plan = PuzzleRun(task, given.get("heuristic", ZERO))
        return solve(
            plan,
            weights(given),
            given.get("ties", ties),
            given.get("reopen", False),
            given.get("eager", True),
        )

    return PuzzleSearch(
        name,
        summary,
        source,
        run,
        tuple(options),
        compiles=can_compile,
        recorder=recording,
    )


ALGORITHMS = (
    _member(
        "a-star",
        "A*: first the state with the least cost so far plus estimate of the rest",
        "Hart, Nilsson and Raphael 1968",
        lambda given: (1.0, 1.0, 0.0),
    ),
    _member(
        "weighted-a-star",
        "A* with its estimate weighted w times: at most w times the least cost, found sooner",
        "Pohl 1970",
        lambda given: (1.0, float(given["weight"]), 0.0),
        own=(WEIGHT,),
    ),
    _member(
        "greedy-best-first",
        "first the state with the least estimate of the rest",
        "Doran and Michie 1966",
        lambda given: (0.0, 1.0, 0.0),
    ),
    _member(
        "uniform-cost",
        "first the state with the least cost so far",
        "Dijkstra 1959",
        lambda given: (1.0, 0.0, 0.0),
        "oldest",
    ),
    _member(
        "breadth-first",
        "first the state with the fewest actions so far",
        "Moore 1959",
        lambda given: (0.0, 0.0, 1.0),
        "oldest",
    ),
    _member(
        "depth-first",
        "first the state with the most actions so far",
        "Tarjan 1972",
        lambda given: (0.0, 0.0, -1.0),
        "newest",
    ),
)
