"""The model of ProbCut: what a shallow search predicts about a deep one, by stage of the game and depth.

The table is that of Multi-ProbCut (Buro 1997), `param[stage][height][try]` with d, t, a, b and sigma: if a
search to the depth d finds v, one to the height finds a · v + b ± sigma, and t sigmas are enough for a cut.

    table[stage][depth][try][shallow, a, b, sigma, t]   the depth `shallow` is -1 if there is no such try
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from gambito.errors import SearchError

CUTS = ("off", "one", "multi")  # the option `probcut`: how many tries of a depth are used
DEPTHS, TRIES, CUT = 24, 4, 5  # depths, tries for each at most, numbers of a try
SHALLOW, FACTOR, OFFSET, SIGMA, THRESHOLD = range(CUT)
USUAL_THRESHOLD = 1.5  # of a row without a threshold of its own: the cut is right in 93 % of normal errors
NUMBERS = ("d", "a", "b", "sigma", "t")  # of a try in a file, in the order of the table
MISSING = {"d": -1, "t": 0.0, "a": 0.0, "b": 0.0, "sigma": 0.0}  # "no more parameters available"


def read_probcut_model(path: str) -> list[tuple[float, ...]]:
    """The rows of a file made by `gambito fit probcut`; none if the path is empty."""
    if not path:
        return []
    try:
        held = json.loads(Path(path).read_text(encoding="utf-8"))
        if "param" in held:
            return rows_of(held["param"])
        rows = held["forecasts"]  # as files were written before they had thresholds
        return [(int(stage), int(depth), *map(float, numbers)) for stage, depth, *numbers in rows]
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as problem:
        raise SearchError(
            "{} is not a ProbCut model made by `gambito fit probcut`: {}", path, problem
        ) from None


def rows_of(param: Any) -> list[tuple[float, ...]]:
    """Rows (stage, depth, shallow, a, b, sigma, t) of a table `param[stage][height][try]`."""
    return [
        (stage, height, *(float(each[name]) for name in NUMBERS))
        for stage, heights in enumerate(param)
        for height, tries in enumerate(heights)
        for each in tries
        if each["d"] >= 0
    ]


def param_of(rows: Iterable[tuple[float, ...]]) -> list[list[list[dict[str, float]]]]:
    """The table `param[stage][height][try]` of such rows, whole: d is -1 where there is no try."""
    listed = list(rows)
    stages = 1 + max((int(row[0]) for row in listed), default=-1)
    heights = 1 + max((int(row[1]) for row in listed), default=-1)
    table: list[list[list[dict[str, float]]]] = [[[] for _ in range(heights)] for _ in range(stages)]
    for stage, height, shallow, a, b, sigma, t in listed:
        table[int(stage)][int(height)].append({"d": int(shallow), "t": t, "a": a, "b": b, "sigma": sigma})
    most = max((len(tries) for heights in table for tries in heights), default=0)
    for tries in (tries for heights in table for tries in heights):
        tries += [dict(MISSING) for _ in range(most - len(tries))]
    return table


def probcut_table(rows: Any, is_extended: bool = True) -> tuple[Any, int]:
    """Rows (stage, depth, shallow, a, b, sigma, t) as the array above, and the number of its stages.

    The tries of a depth keep their order. A row may leave t out. If the table `is_extended`, a depth beyond
    the deepest row takes the row of a depth with the same parity, with the same difference between the
    depths of the pair.
    """
    stages = 1 + max((int(row[0]) for row in rows), default=0)
    table = np.zeros((stages, DEPTHS, TRIES, CUT))
    table[..., SHALLOW] = -1
    for stage, depth, *numbers in rows:
        if 0 < depth < DEPTHS and 0 <= numbers[0] < depth:
            number = int((table[int(stage), int(depth), :, SHALLOW] >= 0).sum())
            if number == TRIES:
                raise SearchError("a ProbCut model has at most {} tries for a depth", TRIES)
            table[int(stage), int(depth), number] = [*numbers, USUAL_THRESHOLD][:CUT]
    deepest = int(max((row[1] for row in rows), default=DEPTHS)) if is_extended else DEPTHS
    for depth in range(deepest + 1, DEPTHS):
        table[:, depth] = table[:, depth - 2]
        table[:, depth, :, SHALLOW] += 2 * (table[:, depth, :, SHALLOW] >= 0)
    return table.ravel(), stages


def tries_of(choice: str, table: Any) -> int:
    """How many tries of each depth the option `probcut` uses: none, the first, or all that the table has."""
    if choice != "multi":
        return CUTS.index(choice)
    return int((table.reshape(-1, TRIES, CUT)[..., SHALLOW] >= 0).sum(axis=1).max())
