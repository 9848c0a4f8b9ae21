"""Puzzles: nodes per second of IDA*, states expanded by heuristic, and paths on a grid beside other packages.

The peers are measured if they are installed: `slidingpuzzle`, which solves tiles in pure Python (it requires
an old NumPy: `pip install --no-deps slidingpuzzle`), `networkx`, and `pyastar2d`, a native package that cuts
corners. The maps and Korf's instances are in GAMBITO_DATA.
"""

from __future__ import annotations

import argparse
import importlib
import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from data import folder, rows
from report import Requirement, text_table

import gambito
from gambito.games.grid_map import DIAGONAL, GridMap, read_scenarios

FIFTEEN = "sliding-tiles:width=4,height=4,goal=blank-first"
EIGHT = "sliding-tiles"
INSTANCE = "79"  # the easiest of Korf's instances
HEURISTICS = ("zero", "misplaced", "euclidean", "manhattan", "linear-conflict", "pattern-database")
STARTS, SCENARIOS, PYTHON_NODES = 100, 20, 30_000
PEER_MOVES = 34  # random moves that lead to the peer's position


def run(args: argparse.Namespace) -> list[Requirement]:
    required = _pace()
    print()
    _expanded()
    print()
    return required + _grid()


def _peer(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        print(f"{name} is not installed: not measured")
        return None


def _timed(work: Callable[[], Any]) -> tuple[Any, float]:
    began = time.process_time()
    return work(), time.process_time() - began


def _pace() -> list[Requirement]:
    """Measure the nodes per second on the 15-puzzle with Manhattan distance."""
    tiles = next(row["tiles"] for row in rows("fifteen_puzzle/korf100.csv") if row["instance"] == INSTANCE)
    gambito.search(FIFTEEN, tiles, "ida-star", nodes=1)
    pace = {}
    found, took = _timed(lambda: gambito.search(FIFTEEN, tiles, "ida-star"))
    pace["ida-star, native"] = found.nodes / took
    limits: dict[str, Any] = {"gear": "python", "nodes": PYTHON_NODES}
    found, took = _timed(lambda: gambito.search(FIFTEEN, tiles, "ida-star", **limits))
    pace["ida-star, python"] = found.nodes / took
    peer = _peer("slidingpuzzle")
    if peer is not None:
        board = peer.from_iter(4, 4, _walked())
        found, took = _timed(lambda: peer.search(board, "ida*", heuristic=peer.manhattan_distance))
        pace["slidingpuzzle, ida*"] = found.generated / took
    print(
        text_table(["15-puzzle, Manhattan distance", "nodes/s"], [(n, f"{p:,.0f}") for n, p in pace.items()])
    )
    first = pace.pop("ida-star, native")
    least = {"ida-star, python": 100.0, "slidingpuzzle, ida*": 50.0}
    return [Requirement(f"nodes/s, times {n}", first / p, least=least[n]) for n, p in pace.items()]


def _walked() -> list[int]:
    game: Any = gambito.load("sliding-tiles:width=4,height=4")
    rng, state, last = random.Random(1), game.finished, -1
    for _ in range(PEER_MOVES):
        last = rng.choice([a for a in game.actions(state) if not game.undoes(last, a)])
        state = game.result(state, last)
    return game.numbers(state)


def _expanded() -> None:
    """Print the states that A* expands on the 8-puzzle, from random starts."""
    game: Any = gambito.load(EIGHT)
    rng, starts = random.Random(3), []
    while len(starts) < STARTS:
        numbers = rng.sample(range(9), 9)
        if game._parity(numbers) == game._parity(list(game.order)):
            starts.append(" ".join(map(str, numbers)))
    table = []
    for name in HEURISTICS:
        found = [gambito.search(game, start, heuristic=name) for start in starts]
        mean = sum(one.expanded or 0 for one in found) / STARTS
        table.append((name, f"{mean:,.0f}", f"{sum(one.cost for one in found) / STARTS:.2f}"))
    print(text_table([f"8-puzzle, {STARTS} starts", "expanded (mean)", "moves (mean)"], table))


def _grid() -> list[Requirement]:
    """Check every optimal length of the shared scenarios, and compare the time with other packages."""
    path = folder() / "grid_maps"
    arena = gambito.load(f"grid-map:map={path / 'arena.map'}")
    large: Any = gambito.load(f"grid-map:map={path / 'lak303d.map'}")
    asked = [(arena, position, cost) for position, cost in read_scenarios(path / "arena.map.scen")]
    asked += [(large, position, cost) for position, cost in _large_scenarios(path / "lak303d_scenarios.txt")]
    costs = [gambito.search(puzzle, position).cost for puzzle, position, _ in asked]
    right = sum(abs(found - cost) < 1e-3 for found, (_, _, cost) in zip(costs, asked, strict=True))
    print(f"grid scenarios: {right} of {len(asked)} optimal lengths")
    some = [position for puzzle, position, _ in asked if puzzle is large][::-1][:SCENARIOS]
    times = {"gambito": _timed(lambda: [gambito.search(large, position) for position in some])[1]}
    for name, solve in (("networkx", _networkx), ("pyastar2d", _pyastar)):
        peer = _peer(name)
        if peer is not None:
            times[name] = solve(peer, large, some)
    rows_ = [
        (name, f"{1000 * took / len(some):.2f}", f"{took / times['gambito']:.1f}")
        for name, took in times.items()
    ]
    print(text_table([f"lak303d, the {len(some)} longest ways", "ms a way", "times gambito"], rows_))
    return [Requirement("grid scenarios matched", right / len(asked), least=1.0)]


def _large_scenarios(path: Path) -> list[tuple[str, float]]:
    """Return the scenarios of a file with rows of `row column row column length`."""
    lines = [line.split() for line in path.read_text().splitlines() if line and line[0] != "#"]
    return [(f"{c} {r} {to_c} {to_r}", float(cost)) for r, c, to_r, to_c, cost in lines]


def _networkx(peer: Any, puzzle: GridMap, some: list[str]) -> float:
    graph = peer.Graph()
    for cell in np.flatnonzero(puzzle.ground).tolist():
        state: Any = (cell, 0)
        state = type(puzzle.initial())(*state)
        for action in puzzle.actions(state):
            graph.add_edge(
                cell, int(puzzle.result(state, action).cell), weight=float(puzzle.cost(state, action))
            )

    def octile(cell: int, target: int) -> float:
        across = abs(cell % puzzle.width - target % puzzle.width)
        down = abs(cell // puzzle.width - target // puzzle.width)
        return max(across, down) + (DIAGONAL - 1) * min(across, down)

    states = [puzzle.parse(position) for position in some]
    return _timed(lambda: [peer.astar_path(graph, s.cell, s.target, octile) for s in states])[1]


def _pyastar(peer: Any, puzzle: GridMap, some: list[str]) -> float:
    ground = np.where(puzzle.ground.reshape(puzzle.height, puzzle.width) > 0, 1.0, np.inf).astype(np.float32)
    states = [puzzle.parse(position) for position in some]
    ends = [(divmod(int(s.cell), puzzle.width), divmod(int(s.target), puzzle.width)) for s in states]
    return _timed(
        lambda: [peer.astar_path(ground, start, goal, allow_diagonal=True) for start, goal in ends]
    )[1]
