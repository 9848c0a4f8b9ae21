"""Tables of experiments: `bench/experiments/NAME.toml` is run, and its nodes are compared."""

from __future__ import annotations

import functools
from typing import Any

import gambito
from gambito.players.experiments import Plan, Tournament, Tourney, read_plan
from gambito.players.experiments.text import cross_table
from makers.frame import DOCS, Making, fence, maker

PLAYERS = ("alpha-beta:depth=2", "greedy:seed=1", "random:seed=2")
FOLDER = DOCS.parent / "bench" / "experiments"


@functools.cache
def _results(name: str) -> tuple[Plan, list[dict[str, Any]]]:
    """An experiment and its rows: the same for all languages."""
    path = FOLDER / f"{name}.toml"
    plan = read_plan(path)
    assert isinstance(plan, Plan)
    return plan, gambito.experiment(path, jobs=1)


@maker
def experiment(making: Making, name: str) -> str:
    """The nodes of every algorithm in each task, and their ratio to those of the first algorithm."""
    plan, rows = _results(name)
    counts = {
        (task.title, algorithm): sum(
            row["nodes"]
            for row in rows
            if row["algorithm"] == algorithm
            and row["position"] in task.positions
            and row["game"] == task.game
        )
        for task in plan.tasks
        for algorithm in plan.algorithms
    }
    told = []
    for algorithm in plan.algorithms:
        cells = []
        for task in plan.tasks:
            nodes, first = counts[task.title, algorithm], counts[task.title, plan.algorithms[0]]
            share = "" if algorithm == plan.algorithms[0] else f" ({nodes / first:.2f} ×)"
            cells.append(f"{making.number(nodes)}{share}")
        chosen = algorithm.removeprefix("engine:").split(",")
        told.append([" ".join(f"`{word}`" for word in chosen), *cells])
    most = max(len(task.positions) for task in plan.tasks)
    head = "nodes" if most == 1 else f"nodes, {most} positions"
    return making.table([head, *(task.title for task in plan.tasks)], told)


@maker
def tournament(making: Making, seed: str) -> str:
    """The cross-table of a small tournament."""
    plan = read_plan({"game": "tic-tac-toe", "players": PLAYERS, "games": 20, "seed": int(seed)})
    assert isinstance(plan, Tourney)
    played = Tournament(plan)
    played.run()
    return fence(cross_table(played))
