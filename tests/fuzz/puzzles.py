"""Puzzles drawn by lot: graphs with costs and estimates, whole numbers or fractions, beside Dijkstra."""

from __future__ import annotations

import contextlib
import math
import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

import gambito
from gambito import Puzzle
from gambito.game.puzzle import heuristic
from gambito.native import Memory
from gambito.puzzle.nodes import FIRST_BITS
from gambito.puzzle.puzzle_run import PuzzleRun
from gambito.search.algorithm import Algorithm
from tests.fuzz.asking import FEW_NODES, FEW_SECONDS, LATE, Way, ask, fitting
from tests.fuzz.oracles import least_costs
from tests.fuzz.tally import Tally, expect

CELLS, WAYS = 16, 4
NEAR = 1e-8
LARGE = 36  # bits: sums of such costs lie above the `infinity` of whole numbers
ENOUGH = 20_000  # states: ida-star would visit far more where all costs differ
# These find the least cost if the estimate is admissible, and any goal that can be reached.
LEAST = ("a-star", "uniform-cost", "ida-star", "bidirectional")
COMPLETE = (*LEAST, "weighted-a-star", "greedy-best-first", "breadth-first", "depth-first")
COUNTS, GOALS, TARGETS = 0, CELLS, 2 * CELLS  # of `cells`
ESTIMATES, COSTS = 0, CELLS  # of `costs`


class Cell(NamedTuple):
    number: int


class Walk(Puzzle):
    """A walk over a graph: the cells and the costs are in memory. Nobody knows what the estimate is worth."""

    def __init__(self) -> None:
        self.cells = Memory(np.zeros(TARGETS + CELLS * WAYS, np.int64))
        self.costs = Memory(np.zeros(COSTS + CELLS * WAYS))

    def initial(self):
        return Cell(0)

    def actions(self, state):
        for way in range(self.cells[COUNTS + state.number]):
            yield way

    def result(self, state, action):
        return Cell(self.cells[TARGETS + WAYS * state.number + action])

    def is_goal(self, state):
        return self.cells[GOALS + state.number] == 1

    def cost(self, state, action):
        return int(self.costs[COSTS + WAYS * state.number + action])

    def estimate(self, state):
        return int(self.costs[ESTIMATES + state.number])


class SureWalk(Walk):
    """The estimate is admissible, and says so."""

    @heuristic(admissible=True)
    def estimate(self, state):
        return int(self.costs[ESTIMATES + state.number])


class FractionWalk(Walk):
    """Costs and estimates are fractions."""

    value = float

    def cost(self, state, action):
        return self.costs[COSTS + WAYS * state.number + action]

    def estimate(self, state):
        return self.costs[ESTIMATES + state.number]


class SureFractionWalk(FractionWalk):
    @heuristic(admissible=True)
    def estimate(self, state):
        return self.costs[ESTIMATES + state.number]


class ConsistentWalk(FractionWalk):
    """The estimate is consistent too; the walk can be taken back, and there is one goal."""

    symmetric = True

    @heuristic(admissible=True, consistent=True)
    def estimate(self, state):
        return self.costs[ESTIMATES + state.number]

    def goal(self, state):
        for number in range(CELLS):
            if self.cells[GOALS + number] == 1:
                return Cell(number)
        return None


KINDS: tuple[type[Walk], ...] = (Walk, SureWalk, FractionWalk, SureFractionWalk, ConsistentWalk)
SURE = (SureWalk, SureFractionWalk, ConsistentWalk)
_MADE: dict[type[Walk], Walk] = {}


@dataclass
class Graph:
    """A drawn puzzle: by cell, the cells that follow with their costs; the goals; the estimates."""

    ways: list[list[tuple[int, float]]]
    goals: set[int]
    estimates: list[float]
    least: list[float]  # the least cost from each cell to a goal


def draw(kind: type[Walk], rng: random.Random) -> Graph:
    count, is_float = rng.randint(2, CELLS), kind.value is float
    ways: list[list[tuple[int, float]]] = [[] for _ in range(count)]
    spread = rng.choice(["tenths", "any", "equal", "zeros", "large"])
    for cell in range(count):
        for _ in range(rng.randint(0, 2 if kind.symmetric else WAYS)):
            other, cost = rng.randrange(count), draw_cost(spread, is_float, rng)
            if not kind.symmetric:
                ways[cell].append((other, cost))
            elif other != cell and max(len(ways[cell]), len(ways[other])) < WAYS:
                ways[cell].append((other, cost))
                ways[other].append((cell, cost))
    goals = {rng.randrange(count)}
    if not kind.symmetric:
        goals |= {cell for cell in range(count) if rng.random() < 0.1}
    least = least_costs(ways, goals)
    if not ways[0] or 0 in goals:
        return draw(kind, rng)
    return Graph(ways, goals, draw_estimates(kind, least, rng), least)


def draw_cost(spread: str, is_float: bool, rng: random.Random) -> float:
    if spread == "equal":
        return 1
    if spread == "zeros" and rng.random() < 0.4:
        return 0
    if not is_float:
        return rng.randint(1, 9) << (LARGE if spread == "large" else 0)
    return rng.randint(1, 30) / 10 if spread == "tenths" else rng.uniform(0.01, 3.0)


def draw_estimates(kind: type[Walk], least: list[float], rng: random.Random) -> list[float]:
    """Estimates that keep what the kind says of them; a cell from which no goal can be reached may say so."""
    part = rng.choice([0.0, 0.5, 0.9, 1.0])
    told = [rng.choice([math.inf, 0.0, 5.0]) if cost == math.inf else part * cost for cost in least]
    if kind is ConsistentWalk:
        told = [0.0 if cost == math.inf else part * cost for cost in least]
    elif kind in SURE:
        told = [cost if cost == math.inf else cost * rng.choice([0.0, 0.3, 1.0]) for cost in told]
    elif rng.random() < 0.5:
        told = [cost * rng.choice([0.5, 1.0, 3.0]) if cost else cost for cost in told]
    if kind.value is int:
        most = kind.infinity - 1  # of what is no claim that no goal can be reached
        told = [float(kind.infinity if cost == math.inf else min(math.floor(cost), most)) for cost in told]
    return told


def write(game: Walk, graph: Graph) -> None:
    cells, costs = game.cells.array, game.costs.array
    cells[:], costs[:] = 0, 0.0
    for cell, ways in enumerate(graph.ways):
        cells[COUNTS + cell], cells[GOALS + cell] = len(ways), cell in graph.goals
        costs[ESTIMATES + cell] = graph.estimates[cell]
        for way, (target, cost) in enumerate(ways):
            cells[TARGETS + WAYS * cell + way], costs[COSTS + WAYS * cell + way] = target, cost


def least_in(graph: Graph, most: int) -> float:
    """The least cost of a way to a goal with at most so many actions."""
    costs = [0.0 if cell in graph.goals else math.inf for cell in range(len(graph.ways))]
    for _ in range(most):
        costs = [
            0.0 if cell in graph.goals else min((cost + costs[to] for to, cost in ways), default=math.inf)
            for cell, ways in enumerate(graph.ways)
        ]
    return costs[0]


def fuzz(seed: int, gear: str, tally: Tally) -> None:
    rng = random.Random(seed)
    kind = KINDS[seed % len(KINDS)]
    game = _MADE.setdefault(kind, kind())
    vars(game).pop("_guided", None)
    graph = draw(kind, rng)
    write(game, graph)
    if not math.isinf(graph.least[0]) and graph.estimates[0] >= kind.infinity:
        return
    with small_memory(rng.choice([2, FIRST_BITS])):
        fuzz_drawn(game, graph, rng, gear, tally)


@contextlib.contextmanager
def small_memory(bits: int) -> Iterator[None]:
    """A context in which searches begin with little room, so that they get more of it on the way."""
    before = PuzzleRun.new_nodes.__defaults__
    PuzzleRun.new_nodes.__defaults__ = (bits,)
    try:
        yield
    finally:
        PuzzleRun.new_nodes.__defaults__ = before


def fuzz_drawn(game: Walk, graph: Graph, rng: random.Random, gear: str, tally: Tally) -> None:
    kind = type(game)
    for algorithm in fitting(game):
        for way in (Way("whole", {"nodes": ENOUGH}), some_way(len(graph.ways), rng)):
            with tally.search(f"{kind.__name__} {algorithm.name} {way.name} {gear}"):
                options = (
                    {"weight": rng.choice([1.0, 1.5, 3.0])} if algorithm.name == "weighted-a-star" else {}
                )
                asked = ask(game, Cell(0), algorithm.name, gear, way, **options)
                case = (way, options, graph, asked.found)
                expect(asked.late <= LATE, "late", asked.late, *case)
                judge(graph, kind, algorithm, way, options, asked.found, case)
                tally.answers[f"{algorithm.name} {'exact' if asked.found.exact else 'open'}"] += 1


def some_way(count: int, rng: random.Random) -> Way:
    name = rng.choice(["nodes", "seconds", "stop", "depth"])
    if name == "nodes":
        return Way(name, {"nodes": rng.choice(FEW_NODES)})
    if name == "seconds":
        return Way(name, {"seconds": rng.choice(FEW_SECONDS)})
    if name == "depth":
        return Way(name, {"depth": rng.randint(1, count), "nodes": ENOUGH})
    return Way(name, {"nodes": ENOUGH}, stop_after=rng.choice([1, 3, 10, 30]))


def judge(
    graph: Graph, kind: type[Walk], algorithm: Algorithm, way: Way, options: dict[str, Any],
    found: gambito.SearchResult, case: Any,
) -> None:  # fmt: skip
    """A way that is told leads to a goal and costs what is said; what is exact is the least."""
    most = way.given.get("depth", 10**9)
    least = least_in(graph, most) if way.name == "depth" else graph.least[0]
    if found.cost is not None:
        cell, cost = 0, 0.0
        for action in found.line:
            expect(cell not in graph.goals and action < len(graph.ways[cell]), "line", *case)
            cell, paid = graph.ways[cell][action]
            cost += paid
        expect(cell in graph.goals and len(found.line) <= most, "line", *case)
        expect(abs(cost - found.cost) < NEAR and found.cost >= least - NEAR, "cost", cost, least, *case)
        expect(not found.exact or found.cost <= least + NEAR, "exact", least, *case)
    else:
        expect(not found.exact or math.isinf(least), "no goal", least, *case)
    if way.name != "whole" or math.isinf(least) or found.nodes >= ENOUGH:
        return
    is_sure = kind in SURE
    if is_sure and algorithm.name in COMPLETE:
        expect(found.cost is not None, "not found", least, *case)
        if algorithm.name in LEAST:
            expect(found.exact, "not exact", least, *case)
        if algorithm.name == "weighted-a-star":
            expect(found.cost <= options["weight"] * least + NEAR, "weighted", least, *case)
