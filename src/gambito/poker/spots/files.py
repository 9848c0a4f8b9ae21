"""Strategies of spots in files: one line of JSON, and then the compressed numbers.

    {"gambito": "spot 1", "spot": the text of the spot, "algorithm": …, "iterations": …, "curve": …, "sum": …}

A file of another spot is refused, and so is a damaged one. Learning goes on from what is read.
"""

from __future__ import annotations

import hashlib
import json
import math
import zlib
from pathlib import Path
from typing import Any

import numpy as np

from gambito.errors import SearchError
from gambito.native.files import put_file
from gambito.poker.spots.solver import SpotSolver
from gambito.poker.spots.spot import read_spot

FORMAT = "spot 1"
LINE = 1 << 20  # bytes of the longest header


def save_solver(solver: SpotSolver, path: str | Path) -> None:
    """Write what was learned to a file."""
    packed = zlib.compress(solver.public.regret.tobytes() + solver.public.average.tobytes(), 1)
    facts = {
        "gambito": FORMAT,
        "spot": solver.spot.text(),
        "algorithm": solver.algorithm,
        "iterations": solver.iteration,
        "curve": [list(point) for point in solver.curve],
    }
    facts["sum"] = _checksum(facts, packed)
    put_file(Path(path), [json.dumps(facts).encode() + b"\n", packed])


def resume(path: str | Path, mebibytes: int = 4096, how: str = "native") -> SpotSolver:
    """The solver whose state is in a file."""
    try:
        data = Path(path).read_bytes()
    except (OSError, ValueError) as problem:  # ValueError: no file can have such a name
        raise SearchError("{} cannot be read: {}", path, getattr(problem, "strerror", problem)) from None
    line, _, packed = data.partition(b"\n")
    try:
        facts: dict[str, Any] = json.loads(line[:LINE])
        known = facts.pop("sum")
        is_right = facts["gambito"] == FORMAT and known == _checksum(facts, packed)
        spot, algorithm, iteration = read_spot(facts["spot"]), facts["algorithm"], facts["iterations"]
        curve = [(int(number), float(value)) for number, value in facts["curve"]]
        is_right = is_right and type(iteration) is int and iteration >= 0
        is_right = is_right and all(math.isfinite(value) for _, value in curve)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, OverflowError):
        is_right = False
    if not is_right:
        raise SearchError("{} is no strategy of a spot, or it is damaged", path)
    solver = SpotSolver(spot, algorithm, how, mebibytes)
    size = solver.tree.room
    try:
        numbers = np.frombuffer(zlib.decompressobj().decompress(packed, 8 * size + 1), np.float32)
    except (zlib.error, ValueError):
        numbers = np.zeros(0, np.float32)
    if len(numbers) != 2 * size or not np.isfinite(numbers).all():
        raise SearchError("{} is no strategy of a spot, or it is damaged", path)
    solver.public.regret[:], solver.public.average[:] = numbers[:size], numbers[size:]
    solver.iteration, solver.curve = iteration, curve
    return solver


def _checksum(facts: dict[str, Any], packed: bytes) -> str:
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode() + packed).hexdigest()[:32]
