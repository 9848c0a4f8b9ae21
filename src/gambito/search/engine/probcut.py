"""The model of ProbCut: what a shallow search predicts about a deep one, by stage of the game and depth."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np

from gambito.errors import SearchError
from gambito.native import inlined, int64
from gambito.search.engine.settings import CUT, DEPTHS, FACTOR, OFFSET, PAIRS, SHALLOW, SIGMA

CUTS = ("off", "one", "multi")


@inlined
def probcut_bounds(game, settings, stage, depth, pair, alpha, beta, is_high):
    """The shallow search that replaces the deep one: its depth, and the lower end of its null window.

    If its value is above that end (is_high), the deep value is most likely at least beta; if it is not above,
    at most alpha. The depth is -1 if the model has no such pair, or needs a value that no state has.
    """
    place = ((stage * DEPTHS + depth) * PAIRS + pair) * CUT
    shallow = int64(settings.probcut_model[place + SHALLOW])
    if shallow < 0:
        return int64(-1), int64(0)
    margin = settings.certainty * settings.probcut_model[place + SIGMA] / 100
    if not is_high:
        margin = -margin
    edge = (beta if is_high else alpha) / settings.scale
    exact = (edge - settings.probcut_model[place + OFFSET] + margin) / settings.probcut_model[place + FACTOR]
    if exact < game.lowest or exact > game.highest:
        return int64(-1), int64(0)
    if is_high:
        return shallow, int64(math.ceil(exact)) * settings.scale - 1
    return shallow, int64(math.floor(exact)) * settings.scale


def read_probcut_model(path: str) -> list[tuple[float, ...]]:
    """The rows of a file made by `gambito fit probcut`; none if the path is empty."""
    if not path:
        return []
    try:
        rows = json.loads(Path(path).read_text(encoding="utf-8"))["forecasts"]
        return [(int(stage), int(depth), *map(float, numbers)) for stage, depth, *numbers in rows]
    except (OSError, ValueError, KeyError, TypeError) as problem:
        raise SearchError(
            "{} is not a ProbCut model made by `gambito fit probcut`: {}", path, problem
        ) from None


def probcut_table(rows: Any) -> tuple[Any, int]:
    """Rows (stage, depth, shallow, a, b, sigma) as the array that `settings` describes, and the number of
    its stages.

    A depth beyond the deepest row takes the row of a depth with the same parity, with the same difference
    between the depths of the pair.
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
