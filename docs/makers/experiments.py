"""Tables of experiments: `bench/experiments/NAME.toml` is run, and its nodes are compared."""

from __future__ import annotations

import functools
from typing import Any

import gambito
from gambito.players.experiments import ExperimentPlan, Tournament, TournamentPlan, read_plan
from gambito.players.experiments.text import cross_table
from makers.frame import DOCS, Making, fence, maker

PLAYERS = ("alpha-beta:depth=2", "greedy:seed=1", "random:seed=2")
FOLDER = DOCS.parent / "bench" / "experiments"


@functools.cache
def _results(name: str) -> tuple[ExperimentPlan, list[dict[str, Any]]]:
    """An experiment and its rows: the same for all languages."""
    path = FOLDER / f"{name}.toml"
    plan = read_plan(path)
    assert isinstance(plan, ExperimentPlan)
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


@functools.cache
def _best_actions(game: str, position: str) -> frozenset[str]:
    """The actions that keep the result of a position: a win, a draw or a loss."""
    rules = gambito.load(game)
    state = rules.parse(position)
    kept: dict[int, set[str]] = {}
    for action in rules.legal(state):
        child = rules.result(state, action)
        value = (
            -gambito.solve(rules, child).value
            if not rules.is_terminal(child)
            else -rules.utility(child, rules.player(child))
        )
        kept.setdefault((value > 0) - (value < 0), set()).add(rules.write(state, action))
    return frozenset(kept[max(kept)])


def _options_of(algorithm: str) -> str:
    return " ".join(f"`{word}`" for word in algorithm.partition(":")[2].split(","))


@maker
def optimal(making: Making, name: str) -> str:
    """How often each algorithm of an experiment chooses an action that keeps the result, by nodes."""
    plan, rows = _results(name)
    tables = []
    for task in plan.tasks:
        told = []
        limits = [nodes for _, nodes, _ in task.limits]
        for algorithm in plan.algorithms:
            cells = []
            for nodes in limits:
                chosen = [
                    row["action"] in _best_actions(row["game"], row["position"])
                    for row in rows
                    if (row["game"], row["algorithm"], row["node_limit"]) == (task.game, algorithm, nodes)
                ]
                cells.append(f"{100 * sum(chosen) / len(chosen):.0f} %")
            told.append([_options_of(algorithm), *cells])
        tables.append(making.table([task.title, *map(making.number, limits)], told))
    return "\n\n".join(tables)


@maker
def early(making: Making, name: str) -> str:
    """How often an answer is that of the first simulations of the same search, and of another seed's.

    The limits of the experiment are the first simulations, and then the later ones.
    """
    plan, rows = _results(name)
    (task,) = plan.tasks
    first, *later = [nodes for _, nodes, _ in task.limits]
    told = []
    for algorithm in plan.algorithms:
        answers = {
            (row["node_limit"], row["position"], row["seed"]): row["action"]
            for row in rows
            if row["algorithm"] == algorithm
        }
        seeds = sorted({seed for _, _, seed in answers})
        cells = []
        for nodes in later:
            same = [answers[first, p, s] == answers[nodes, p, s] for p in task.positions for s in seeds]
            other = [
                answers[first, p, s] == answers[nodes, p, t]
                for p in task.positions
                for s in seeds
                for t in seeds
                if s != t
            ]
            cells.append(f"{100 * sum(same) / len(same):.0f} % · {100 * sum(other) / len(other):.0f} %")
        told.append([_options_of(algorithm), *cells])
    return making.table(["its own · another's", *map(making.number, later)], told)


@maker
def tournament(making: Making, seed: str) -> str:
    """The cross-table of a small tournament."""
    plan = read_plan({"game": "tic-tac-toe", "players": PLAYERS, "games": 20, "seed": int(seed)})
    assert isinstance(plan, TournamentPlan)
    played = Tournament(plan)
    played.run()
    return fence(cross_table(played))
