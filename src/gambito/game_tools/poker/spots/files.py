"""Strategies of spots in sealed files.

    {"gambito": "spot 2", "spot": the text of the spot, "algorithm": …, "iterations": …, "curve": …, "sum": …}

A file of another spot is refused, and so is a damaged one. Learning goes on from what is read.
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np

from gambito.errors import SearchError
from gambito.game_tools.poker.spots.solver import SpotSolver
from gambito.game_tools.poker.spots.spot import read_spot
from gambito.native.checksummed import read_checksummed, write_checksummed
from gambito.words.sentence import reason_of

FORMAT = "spot 2"


def save_solver(solver: SpotSolver, path: str | Path) -> None:
    """Write what was learned to a file."""
    facts = {
        "gambito": FORMAT,
        "spot": solver.spot.text(),
        "algorithm": solver.algorithm,
        "iterations": solver.iteration,
        "curve": [list(point) for point in solver.curve],
    }
    write_checksummed(
        path, facts, {"regret": solver.public.regret, "average": solver.public.average}, level=1
    )


def resume(path: str | Path, mebibytes: int = 4096, how: str = "native") -> SpotSolver:
    """The solver whose state is in a file."""
    try:
        found = read_checksummed(path, FORMAT)
    except (OSError, ValueError) as problem:  # ValueError: no file can have such a name
        raise SearchError("{} cannot be read: {}", path, reason_of(problem)) from None
    damaged = SearchError("{} is no strategy of a spot, or it is damaged", path)
    try:
        if found is None or not found.is_whole:
            raise ValueError
        facts, arrays = found.facts, found.arrays() or {}
        spot, algorithm, iteration = read_spot(facts["spot"]), facts["algorithm"], facts["iterations"]
        curve = [(int(number), float(value)) for number, value in facts["curve"]]
        regret, average = arrays["regret"], arrays["average"]
        if type(iteration) is not int or iteration < 0 or not all(math.isfinite(v) for _, v in curve):
            raise ValueError
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, OverflowError):
        raise damaged from None
    solver = SpotSolver(spot, algorithm, how, mebibytes)
    if any(len(one) != solver.tree.room or not np.isfinite(one).all() for one in (regret, average)):
        raise damaged
    solver.public.regret[:], solver.public.average[:] = regret, average
    solver.iteration, solver.curve = iteration, curve
    return solver
