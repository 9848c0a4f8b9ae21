"""Spots of hold'em on the command line: `gambito solve holdem --spot FILE`."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import click
import numpy as np

import gambito
from gambito.cli import phrases
from gambito.cli.command_result import CommandResult
from gambito.cli.progress import Gauge
from gambito.draw.chart import Line, draw_chart
from gambito.draw.square import Square, write_square
from gambito.game_tools.poker.cards import CLASS_OF, CLASSES, hand_name
from gambito.game_tools.poker.spots.files import resume, save_solver
from gambito.game_tools.poker.spots.solver import DEFAULT_METHOD, SpotSolver, memory_needed
from gambito.game_tools.poker.spots.spot import load_spot
from gambito.game_tools.poker.spots.tree import measure
from gambito.native.files import put_file
from gambito.words import digits, say

ITERATIONS, TARGET, MEMORY = 2000, 0.1, 4096
PLAYERS = ("first", "second")


def solve_spot(
    path: str,
    line: str | None,
    algorithm: str | None,
    settings: dict[str, Any],
    save: str | None,
    curve: str | None,
    iterations: int | None = None,
    target: float | None = None,
    seconds: float | None = None,
) -> CommandResult:
    """Solve the spot in a file; if its strategy is on disk already, go on from it."""
    unknown = [name for name in settings if name != "memory"]
    if unknown:
        raise gambito.SearchError("a spot has no option {}; accepted: memory", unknown[0])
    try:
        mebibytes = int(settings.get("memory", MEMORY))
    except ValueError:
        raise gambito.SearchError("memory is a number of MiB, not {}", settings["memory"]) from None
    if (iterations is not None and iterations < 1) or (seconds is not None and not seconds > 0):
        raise gambito.SearchError("a spot needs one iteration or more, and a time above 0")
    spot = load_spot(path)
    size, needed = measure(spot), memory_needed(spot)
    told = say("{}, {} of memory", phrases.count(size.nodes, "node"), phrases.size(needed))
    click.echo(say("solving {}: {}", path, told), err=True)
    if save is not None and Path(save).exists():
        solver = resume(save, mebibytes)
        if solver.spot.text() != spot.text() or (algorithm or solver.algorithm) != solver.algorithm:
            raise gambito.SearchError("{} is of another spot or algorithm", save)
    else:
        solver = SpotSolver(spot, algorithm or DEFAULT_METHOD, mebibytes=mebibytes)
    began, most = time.perf_counter(), iterations or ITERATIONS
    try:
        with Gauge("iterations", most, lines=False) as gauge:
            found = solver.solve(
                most, TARGET if target is None else target, seconds,
                lambda number, known: gauge.show(number, say("exploitability {:.3g} % of the pot", known)),
            )  # fmt: skip
    finally:
        if save is not None and solver.iteration:
            save_solver(solver, save)
    took = time.perf_counter() - began
    if curve is not None:
        put_file(Path(curve), [draw_curve(path, solver).encode()])
    node = solver.find(line or "")
    return _answer(solver, path, line or "", node, found, needed, size.nodes, took)


def draw_curve(path: str, solver: SpotSolver) -> str:
    """Exploitability over iterations, as an SVG picture."""
    points = [(number, value) for number, value in solver.curve if value > 0]
    if len(points) < 2:
        raise gambito.SearchError("a curve needs two iterations or more with an exploitability above 0")
    below = say("exploitability after {:,} iterations: {:.3g} % of the pot", points[-1][0], points[-1][1])
    lines = [Line(solver.algorithm, points, 1)]
    return draw_chart(Path(path).name, below, say("iterations"), say("% of the pot"), lines, "powers")


def _decision(player: str, line: str) -> str:
    who = say("{} player", say(player))
    return say("{} after {}", who, line) if line else who


def _answer(
    solver: SpotSolver, path: str, line: str, node: int, found: float, needed: int, nodes: int, took: float
) -> CommandResult:
    player = solver.tree.kind[node]
    policy, reach = solver.strategy(node), solver.reach(node)
    names = [solver.tree.names[child] for child in solver.tree.children(node)]
    total = reach.sum()
    shares = policy @ reach / total if total > 0 else policy.mean(1)
    worth = [solver.spot.pot / 2 + solver.value(each) for each in range(2)]
    facts = [
        (
            say("exploitability"),
            say("{:.3g} % of the pot after {}", found, phrases.count(solver.iteration, "iteration")),
        ),
        (
            say("value"),
            say(
                "of {:g} chips {:.4g} to the first, {:.4g} to the second", solver.spot.pot, worth[0], worth[1]
            ),
        ),
        (say("decision"), _decision(PLAYERS[player], line)),
        *((name, digits(f"{100 * share:.1f} %")) for name, share in zip(names, shares, strict=True)),
        (say("time"), phrases.duration(took)),
    ]
    data = {
        "spot": path,
        "algorithm": solver.algorithm,
        "iterations": solver.iteration,
        "exploitability": found,
        "value": worth,
        "memory": needed,
        "nodes": nodes,
        "seconds": took,
        "curve": [list(point) for point in solver.curve],
        "line": line,
        "player": player,
        "actions": dict(zip(names, map(float, shares), strict=True)),
        "hands": {
            hand_name(int(hand)): dict(zip(names, map(float, policy[:, place]), strict=True))
            for place, hand in enumerate(solver.hands)
            if reach[place] > 0
        },
    }
    return CommandResult(data, f"{phrases.rows(facts)}\n\n{_chart(solver, policy, reach, names)}")


def _chart(solver: SpotSolver, policy: Any, reach: Any, names: list[str]) -> str:
    """The square of classes: how often each is bet or raised, in per cent."""
    active = [number for number, name in enumerate(names) if name not in ("fold", "check", "call")]
    weight, bet = np.zeros(CLASSES), np.zeros(CLASSES)
    np.add.at(weight, CLASS_OF[solver.hands], reach)
    np.add.at(bet, CLASS_OF[solver.hands], reach * policy[active].sum(0))
    shares = np.divide(bet, weight, out=np.zeros(CLASSES), where=weight > 0)
    texts = [f"{100 * share:.0f}" if held > 0 else "-" for share, held in zip(shares, weight, strict=True)]
    return write_square(Square(say("bet or raised, in per cent of each hand"), list(shares), texts))
