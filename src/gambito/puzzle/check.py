"""Check whether a heuristic is admissible and consistent: by proof over all states, or else by search.

Admissible: h never exceeds the true cost of the path to the nearest goal. Consistent: no action lowers h by
more than its cost, and h is 0 at a goal. A consistent heuristic is admissible.

    whole space    every reachable state and every action; true costs computed backwards from the goals
    too large      the states nearest to the goal, whose true costs are known, if actions are reversible; else
                   the states nearest to the start, and an upper bound of the true cost along a path found
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

import numpy as np

from gambito.errors import SearchError
from gambito.game.gears import gears
from gambito.game.puzzle import ESTIMATE, Puzzle
from gambito.game.registry import load
from gambito.native import Handle, int64, native
from gambito.native.store import get, width
from gambito.puzzle.best_first import FULL, rehash
from gambito.puzzle.bidirectional import state_at
from gambito.puzzle.heuristics import Guided, guided
from gambito.puzzle.nodes import CAPACITY, COUNT, EXPANDED, NOBODY, grown, new_nodes
from gambito.search.api import search

STATES = 1_000_000  # the most states examined by default
PYTHON_STATES = 20_000  # the most states in the Python gear
SLACK = 1e-9
DONE = 4


class Edges(Handle):
    """Every action between two states that were examined."""

    arrays: ClassVar[dict[str, type]] = {
        "head": np.int64, "source": np.int32, "target": np.int32, "action": np.int64, "cost": np.float64,
    }  # fmt: skip


@dataclass(frozen=True)
class Example:
    """A counter-example: a state or an edge that shows what is wrong with a heuristic."""

    state: str
    show: str
    h: float
    true_cost: float | None = None  # if it is not admissible; an upper bound if `is_bound`
    is_bound: bool = False
    action: str | None = None  # if it is not consistent: the edge
    cost: float | None = None
    child: str | None = None
    child_h: float | None = None


@dataclass
class HeuristicReport:
    """The result of a check. True is proved, False is shown by an example, None is undecided."""

    puzzle: str
    heuristic: str
    states: int = 0
    edges: int = 0
    proof: bool = False  # every reachable state was examined
    admissible: bool | None = None
    consistent: bool | None = None
    mean_h: float = 0.0
    mean_cost: float | None = None  # over the states whose true cost is known
    largest_cost: float | None = None
    inadmissible_example: Example | None = None
    inconsistent_example: Example | None = None

    @property
    def ok(self) -> bool:
        return self.admissible is not False and self.consistent is not False

    def as_dict(self) -> dict[str, Any]:
        return {**asdict(self), "ok": self.ok}


@native
def look_around(game, nodes, edges, tables, like, most):
    """Reach all states from the given ones, breadth-first, and record every edge."""
    head = nodes.head
    while head[EXPANDED] < head[COUNT]:
        if head[COUNT] >= most:
            return DONE
        node, count = head[EXPANDED], edges.head[0]
        state = get(nodes.states, node, like)
        for action in game.actions(state):
            child = game.result(state, action)
            slot = nodes.find(game, child)
            known = int64(nodes.slots[slot]) - 1
            if head[COUNT] >= head[CAPACITY] or count >= edges.head[1]:
                return FULL
            if known == NOBODY:
                known = nodes.add(slot, child, node, action)
                nodes.h[known] = game.guess(tables, child)
                nodes.g[known] = 0.0 if game.is_goal(child) else math.inf
            edges.source[count], edges.target[count], edges.action[count] = node, known, action
            edges.cost[count] = game.cost(state, action)
            count += 1
        edges.head[0] = count
        head[EXPANDED] += 1
    return DONE


@native
def settle(game, nodes, edges, backward):
    """The cost to the nearest goal for every state, relaxed along the edges until nothing changes."""
    changed = True
    while changed:
        changed = False
        edge = edges.head[0] - 1
        while edge >= 0:
            source, target = int64(edges.source[edge]), int64(edges.target[edge])
            if nodes.g[target] + edges.cost[edge] < nodes.g[source]:
                nodes.g[source] = nodes.g[target] + edges.cost[edge]
                changed = True
            if backward and nodes.g[source] + edges.cost[edge] < nodes.g[target]:
                nodes.g[target] = nodes.g[source] + edges.cost[edge]
                changed = True
            edge -= 1


@native
def first_look(game, nodes, tables, state):
    """Add the first state."""
    node = nodes.add(nodes.find(game, state), state, NOBODY, NOBODY)
    nodes.h[node] = game.guess(tables, state)
    nodes.g[node] = 0.0 if game.is_goal(state) else math.inf
    return node


def check_heuristic(
    puzzle: Any, heuristic: str = ESTIMATE, state: Any = None, states: int | None = None
) -> HeuristicReport:
    """Look for a state whose cost the heuristic overestimates, and for an edge where it falls too much."""
    puzzle = load(puzzle)
    if not isinstance(puzzle, Puzzle):
        raise SearchError(
            "a heuristic is checked on a puzzle, and {} has {} players", puzzle.label(), puzzle.players
        )
    if states is not None and states < 1:
        raise SearchError("states must be a whole number above zero, not {}", states)
    if isinstance(state, str) and not isinstance(puzzle.initial(), str):
        state = puzzle.parse(state)
    state = puzzle.initial() if state is None else state
    puzzle = puzzle.at(state)
    guide = guided(puzzle, heuristic)
    report = HeuristicReport(puzzle.label(), heuristic)
    work = _Work(guide, states)
    report.proof = work.explore(state)
    goal = puzzle.goal(state)
    knows_costs = report.proof
    if not report.proof and puzzle.symmetric and goal is not None:
        work = _Work(guide, states)
        work.explore(goal)
        knows_costs = True
    _judge(report, work, knows_costs)
    if not knows_costs and report.admissible is None:
        _try_a_way(report, puzzle, state, guide)
    return report


class _Work:
    """The states and edges that were examined."""

    def __init__(self, guide: Guided, states: int | None) -> None:
        self.guide, self.puzzle = guide, guide.puzzle
        self.both = gears(guide.puzzle)
        self.gear = self.both.default()
        if self.both.state is not None and not width(self.both.state):
            self.gear = "python"
        self.game = self.both.in_gear(self.gear)
        self.kind = self.both.state if self.gear == "native" else None
        self.tables = guide.memory(self.gear)
        self.most = states or (STATES if self.gear == "native" else PYTHON_STATES)

    def explore(self, state: Any) -> bool:
        """Examine all states from this one on; return whether these were all."""
        like = self.both.cast(state)
        nodes, edges = new_nodes(self.kind, self.gear), _new_edges(self.gear, 4096)
        first_look(self.game, nodes, self.tables, like)
        while look_around(self.game, nodes, edges, self.tables, like, self.most) == FULL:
            nodes = grown(nodes, self.kind, self.gear, self.game, rehash, like)
            edges = _grown_edges(edges, self.gear)
        is_whole = bool(nodes.head[EXPANDED] == nodes.head[COUNT])
        settle(self.game, nodes, edges, self.puzzle.symmetric)
        self.nodes, self.like = nodes, like
        count, self.count = int(edges.head[0]), int(nodes.head[COUNT])
        self.g, self.h = np.array(nodes.g[: self.count]), np.array(nodes.h[: self.count])
        self.edges = {name: np.array(getattr(edges, name)[:count]) for name in Edges.arrays if name != "head"}
        return is_whole

    def state(self, node: int) -> Any:
        return state_at(self.game, self.nodes, node, self.like)


def _new_edges(gear: str, room: int) -> Edges:
    arrays: dict[str, Any] = {
        name: np.zeros(room, dtype) for name, dtype in Edges.arrays.items() if name != "head"
    }
    arrays["head"] = np.array([0, room])
    if gear == "python":
        arrays = {name: array.tolist() for name, array in arrays.items()}
    return Edges(**arrays)


def _grown_edges(edges: Edges, gear: str) -> Edges:
    larger = _new_edges(gear, 2 * int(edges.head[1]))
    for name in Edges.arrays:
        if name == "head":
            larger.head[0] = edges.head[0]
        else:
            getattr(larger, name)[: int(edges.head[1])] = getattr(edges, name)
    return larger


# ---- the verdict ---------------------------------------------------------------------------------------


def _judge(report: HeuristicReport, work: _Work, knows_costs: bool) -> None:
    edges, puzzle = work.edges, work.puzzle
    report.states, report.edges = work.count, len(edges["cost"])
    report.mean_h = float(np.minimum(work.h, 1e300).mean())
    with np.errstate(invalid="ignore"):
        falls = np.nan_to_num(work.h[edges["source"]] - work.h[edges["target"]] - edges["cost"], nan=0.0)
    goals = np.flatnonzero((work.g == 0) & (work.h > SLACK))
    if len(falls) and falls.max() > SLACK:
        report.consistent = False
        report.inconsistent_example = _edge(work, int(falls.argmax()))
    elif report.proof and not len(goals):
        report.consistent = True
    if not knows_costs:
        return
    known = np.isfinite(work.g)
    report.mean_cost = float(work.g[known].mean()) if known.any() else None
    report.largest_cost = float(work.g[known].max()) if known.any() else None
    excess = np.where(known, work.h - work.g, -1.0)
    if len(excess) and excess.max() > SLACK:
        worst = int(excess.argmax())
        report.admissible = False
        state = work.state(worst)
        true_cost = float(work.g[worst])
        report.inadmissible_example = Example(
            _words(puzzle, state),
            puzzle.show(state),
            float(work.h[worst]),
            true_cost,
            is_bound=not report.proof,
        )
        if report.consistent is not False:
            report.consistent = False if report.proof else report.consistent
    elif report.proof:
        report.admissible = True


def _words(puzzle: Puzzle, state: Any) -> str:
    """A state in one line, if the puzzle has a notation."""
    return puzzle.text(state) or puzzle.show(state)


def _edge(work: _Work, edge: int) -> Example:
    puzzle, edges = work.puzzle, work.edges
    source, target = int(edges["source"][edge]), int(edges["target"][edge])
    state, child = work.state(source), work.state(target)
    return Example(
        _words(puzzle, state),
        puzzle.show(state),
        float(work.h[source]),
        action=puzzle.write(state, int(edges["action"][edge])),
        cost=float(edges["cost"][edge]),
        child=_words(puzzle, child),
        child_h=float(work.h[target]),
    )


def _try_a_way(report: HeuristicReport, puzzle: Puzzle, state: Any, guide: Guided) -> None:
    """Find a path; the true cost from each state on it is at most the cost of the rest of the path."""
    try:
        found = search(puzzle, state, "greedy-best-first", heuristic=report.heuristic, seconds=5)
    except SearchError:  # out of memory: no path is known
        return
    if found.cost is None:
        return
    left, gear = found.cost, gears(guide.puzzle)
    tables = guide.memory("python")
    guided_puzzle: Any = guide.puzzle
    for action in [*found.line, None]:
        h = guided_puzzle.guess(tables, gear.cast(state))
        if h > left + SLACK:
            report.admissible = False
            report.inadmissible_example = Example(
                _words(puzzle, state), puzzle.show(state), float(h), float(left), is_bound=True
            )
            return
        if action is not None:
            left -= puzzle.cost(state, action)
            state = puzzle.result(state, action)
