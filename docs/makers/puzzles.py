"""Puzzles: results of the searches for one agent, and checks of heuristics."""

from __future__ import annotations

import importlib
import inspect
from typing import Any

import gambito
from makers.commands import gambito_prints
from makers.frame import Making, fence, maker
from makers.searches import options

GRID = "S........../...####..../......#..../......#..../..#####..../.........G."
# The puzzles that compare the searches for one agent: (title, puzzle, position, the largest number of states
# that a search may generate).
TASKS = (
    ("8-puzzle, 31 moves", "sliding-tiles", "8 6 7 2 5 4 3 0 1", 1_000_000),
    ("nine pancakes", "pancakes:count=9", None, 1_000_000),
    ("grid map", "grid-map", GRID, 100_000),
)


@maker
def puzzle_contract(making: Making, module: str) -> str:
    """The docstring of the module of a search for one agent."""
    return fence(inspect.cleandoc(importlib.import_module(f"gambito.puzzle.{module}").__doc__ or ""))


@maker
def ways(making: Making, puzzle: str, position: str, *algorithms_: str) -> str:
    """The results and the effort of some searches for one agent; an underscore is a space."""
    place = None if position == "-" else position.replace("_", " ")
    rows = []
    for name in algorithms_:
        name, _, heuristic = name.partition("@")
        given = {"heuristic": heuristic} if heuristic else {}
        found = gambito.search(puzzle, place, name, **given)
        proven = making.say("yes" if found.exact else "no")
        cost = making.say("none") if found.cost is None else f"{found.cost:g}"
        told = f"`{name}`, `{heuristic}`" if heuristic else f"`{name}`"
        rows.append([told, cost, making.number(found.expanded), making.number(found.nodes), proven])
    return making.table(["search", "cost", "expanded", "generated", "proven least"], rows)


@maker
def own_ways(making: Making, name: str, puzzle: str, *algorithms_: str) -> str:
    """The results of searches for a puzzle that stands on the page."""
    return ways(making, f"{making.placed(name)}:{puzzle}", "-", *algorithms_)


@maker
def own_check(making: Making, name: str, puzzle: str, heuristic: str) -> str:
    """The output of `gambito heuristic check` for a puzzle that stands on the page."""
    told = gambito_prints(
        "heuristic",
        "check",
        f"{making.placed(name)}:{puzzle}",
        "--heuristic",
        heuristic,
        language=making.language,
    )
    return fence(f"$ gambito heuristic check {name}:{puzzle} --heuristic {heuristic}\n\n{told}")


@maker
def judged(making: Making, puzzle: str, *heuristics: str) -> str:
    """The results of `gambito.check_heuristic`."""
    rows = []
    for name in heuristics:
        found = gambito.check_heuristic(puzzle, name)
        words = {True: "yes, proven", False: "no", None: "no counter-example"}
        verdicts = [making.say(words[verdict]) for verdict in (found.admissible, found.consistent)]
        rows.append([f"`{name}`", *verdicts, f"{found.mean_h:.2f}", making.number(found.states)])
    return making.table(["heuristic", "admissible", "consistent", "mean h", "states"], rows)


@maker
def way_picture(making: Making, puzzle: str, position: str, algorithm: str, *words: str) -> str:
    """A drawing of a search for one agent."""
    place = None if position == "-" else position.replace("_", " ")
    record = gambito.trace(puzzle, place, algorithm, **options(words))
    name = "-".join([puzzle.partition(":")[0], algorithm, *(w.replace("=", "-") for w in words)])
    return making.draw(record, name, f"{algorithm} on the puzzle {puzzle} {' '.join(words)}".strip())


@maker
def reached(making: Making, *algorithms_: str) -> str:
    """Cost, states expanded and generated of some searches on three puzzles, with options after a colon."""
    rows = []
    for choice in algorithms_:
        name, _, words = choice.partition(":")
        row = [f"`{name}`" + (f" `{words}`" if words else "")]
        for _, puzzle, position, most in TASKS:
            given: dict[str, Any] = options(words.split(",")) if words else {}
            found = gambito.search(puzzle, position, name, nodes=most, **given)
            cost = making.say("none") if found.cost is None else f"{found.cost:.4g}"
            if found.cost is None and found.nodes >= most:
                row.append(making.say(f"more than {making.number(most)}"))
                continue
            counts = f"{making.number(found.expanded)} / {making.number(found.nodes)}"
            row.append(f"{cost}{' ✓' if found.exact else ''}: {counts}")
        rows.append(row)
    return making.table(["cost: expanded / generated", *(task[0] for task in TASKS)], rows)
