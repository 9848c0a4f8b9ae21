"""Strategies for games that hide something, beside OpenSpiel's C++: iterations and best responses per second.

Both learn on one thread from the first iteration on, with alternating updates; times are processor times of
the best of several rounds in turns. How soon strategies are good is measured without a peer.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from report import Requirement, text_table
from timing import race

import gambito
from gambito.hidden.best_response import judge_policies, new_flow
from gambito.hidden.learning import METHODS
from gambito.hidden.regrets import normalised
from gambito.hidden.solver import Method, Solver
from gambito.native import native
from gambito.search.monitor import Monitor, new_monitor

GAMES = {  # ours: OpenSpiel's, iterations of a round of ours and of theirs
    "kuhn-poker": ("kuhn_poker", 100_000, 1_000),
    "leduc-poker": ("leduc_poker", 2_000, 8),
    "liars-dice": ("liars_dice", 20, 1),
}
SAMPLES = {
    "kuhn-poker": (20_000, 5_000),
    "leduc-poker": (10_000, 1_000),
}  # iterations of a round, ours and theirs
ALGORITHMS = {"cfr": "CFRSolver", "cfr+": "CFRPlusSolver"}
SAMPLING = {
    "external-sampling": "ExternalSamplingMCCFRSolver",
    "outcome-sampling": "OutcomeSamplingMCCFRSolver",
}
ROUNDS = 3
LEAST, LEAST_JUDGED, LEAST_SAMPLED = 15.0, 50.0, 10.0
GOALS = {"leduc-poker": (1e-5, 5.0), "liars-dice": (1e-4, 10.0)}  # exploitability, seconds


def run(args: argparse.Namespace) -> list[Requirement]:
    try:
        import pyspiel
    except ImportError:
        print("open_spiel is not installed: nothing to compare with")
        return []
    table, met = [], []

    def note(name: str, what: str, ours: float, theirs: float, least: float | None) -> None:
        table.append([name, what, f"{ours:,.0f}", f"{theirs:,.1f}", f"{ours / theirs:,.0f}"])
        print(" ".join(table[-1]), flush=True)
        if least is not None:
            met.append(Requirement(f"{name}: {what} of OpenSpiel's", ours / theirs, least=least))

    for name, (other, count, fewer) in GAMES.items():
        peer = pyspiel.load_game(other)
        for algorithm, kind in ALGORITHMS.items():
            theirs = _theirs(getattr(pyspiel, kind)(peer), fewer)
            note(
                name, algorithm, *_rates(_ours(name, METHODS[algorithm], count), theirs, count, fewer), LEAST
            )
        note(name, "best responses", *_judged(pyspiel, name, peer), LEAST_JUDGED)
    for name, (count, fewer) in SAMPLES.items():
        peer = pyspiel.load_game(GAMES[name][0])
        for algorithm, kind in SAMPLING.items():
            theirs = _theirs(getattr(pyspiel, kind)(peer, 1), fewer, "run_iteration")
            is_must = (name, algorithm) == ("leduc-poker", "external-sampling")
            ours = _ours(name, METHODS[algorithm], count)
            note(name, algorithm, *_rates(ours, theirs, count, fewer), LEAST_SAMPLED if is_must else None)
    print(text_table(["", "", "ours a second", "OpenSpiel's", "ratio"], table))
    for name, (goal, seconds) in GOALS.items():
        gambito.solve(name, algorithm="cfr+", iterations=1)
        began = time.process_time()
        found = gambito.solve(gambito.load(name), algorithm="cfr+", target=goal)
        took = time.process_time() - began
        print(f"{name}: {found.exploitability:.2g} after {found.iterations:,} iterations in {took:.2f} s")
        met.append(Requirement(f"{name}: to {goal:g}", took, most=seconds, unit="s"))
    return met


def _ours(name: str, method: Method, count: int) -> Callable[[], Any]:
    solver = Solver(gambito.load(name), method, "native", 1024, 1)
    monitor = new_monitor(Monitor, "native", 0)
    return lambda: solver.iterate(count, monitor)


def _theirs(solver: Any, count: int, step: str = "evaluate_and_update_policy") -> Callable[[], Any]:
    iterate = getattr(solver, step)

    def work() -> None:
        for _ in range(count):
            iterate()

    return work


def _rates(ours: Callable[[], Any], theirs: Callable[[], Any], count: int, fewer: int) -> tuple[float, float]:
    best = race({"ours": ours, "theirs": theirs}, ROUNDS)
    return count / best["ours"], fewer / best["theirs"]


@native
def judge_often(game, plan, held, values, responses, count):
    for _ in range(count):
        judge_policies(game, plan, held, values, responses)


def _judged(pyspiel: Any, name: str, peer: Any) -> tuple[float, float]:
    """Exploitabilities of a strategy per second, each inside compiled code."""
    solver = Solver(gambito.load(name), METHODS["cfr"], "native", 1024, 1)
    solver.iterate(1, new_monitor(Monitor, "native", 0))
    assert solver.tree is not None and solver.plan is not None
    held, plan = new_flow(normalised(solver.tree.first, solver.table.average)), solver.plan
    values, responses = np.zeros(2), np.zeros(2)
    other = pyspiel.CFRSolver(peer)
    other.evaluate_and_update_policy()
    average, count = other.average_policy(), max(20, 200_000 // len(plan.worth))

    def ours() -> None:
        judge_often(solver.walked, plan, held, values, responses, count)

    return _rates(ours, lambda: pyspiel.exploitability(peer, average), count, 1)
