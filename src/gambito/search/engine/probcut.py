"""The model of ProbCut: what a shallow search says about a deep one, by stage of the game and depth."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from gambito.search.algorithm import SearchError
from gambito.search.engine.settings import CUT, DEPTHS, PAIRS, SHALLOW

CUTS = ("off", "one", "multi")


def read_forecasts(path: str) -> list[tuple[float, ...]]:
    """The forecasts of a file that `gambito fit probcut` wrote; none of no file."""
    if not path:
        return []
    try:
        rows = json.loads(Path(path).read_text(encoding="utf-8"))["forecasts"]
        return [(int(stage), int(depth), *map(float, numbers)) for stage, depth, *numbers in rows]
    except (OSError, ValueError, KeyError, TypeError) as problem:
        raise SearchError(f"{path} holds no forecasts of `gambito fit probcut`: {problem}") from None


def forecast_table(rows: Any) -> tuple[Any, int]:
    """Forecasts (stage, depth, shallow, a, b, sigma) as the array that `settings` describes; its stages.

    Beyond the deepest forecast that of a depth as odd or even is taken, with the pair as far apart.
    """
    stages = 1 + max((int(row[0]) for row in rows), default=0)
    table = np.zeros((stages, DEPTHS, PAIRS, CUT))
    table[..., SHALLOW] = -1
    for stage, depth, *numbers in sorted(rows):
        if 0 < depth < DEPTHS and 0 <= numbers[0] < depth:
            pair = int((table[int(stage), int(depth), :, SHALLOW] >= 0).sum())
            if pair < PAIRS:
                table[int(stage), int(depth), pair] = numbers
    deepest = int(max((row[1] for row in rows), default=DEPTHS))
    for depth in range(deepest + 1, DEPTHS):
        table[:, depth] = table[:, depth - 2]
        table[:, depth, :, SHALLOW] += 2 * (table[:, depth, :, SHALLOW] >= 0)
    return table.ravel(), stages
