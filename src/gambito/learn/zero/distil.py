"""Distil what AlphaZero has learned into the game's own evaluation, which the engine can use.

The positions of the last rounds get the values that the search and the games gave them, and the sum of
weights that the game declares is fitted to these. A match says what that is worth.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np

from gambito.evaluate.files import HAND, SUFFIX
from gambito.game.contract import Game
from gambito.learn.base import Progress
from gambito.learn.train import FitTraining, read_recipe
from gambito.learn.zero.measure import elo
from gambito.learn.zero.training import ZeroTraining
from gambito.native.files import put_file

MAX_POSITIONS = 100_000  # positions of the fit
NODES = 2000  # of each move of the match
SURE = 0.999  # a value nearer to 1 counts as this


def distil(training: ZeroTraining, output: Path, progress: Progress | None = None) -> dict[str, Any]:
    """Fit the evaluation to the positions of a training, write it beside its network, and measure it."""
    folder = training.folder / "distilled"
    path = folder / "positions.txt"
    put_file(path, [labelled(training).encode()])
    recipe = read_recipe(training.game)
    fitting = FitTraining(training.spec, folder, recipe, training.seed, training.jobs, path)
    weights = output.with_suffix(SUFFIX)
    fitting.run(weights, progress)
    new, old = (f"engine:nodes={NODES},evaluation={which}" for which in (weights, HAND))
    gained = elo(training.spec, new, old, max(training.recipe.contest, 2), training.seed)
    return {"distilled": str(weights), "engine": gained}


def labelled(training: ZeroTraining) -> str:
    """The last positions of a training with their values, as lines of text."""
    layout = training.seen.sight.layout
    lines: list[str] = []
    for part in reversed(training.held_back):
        goals = (part["found"][:, 0] + part["result"][:, 0]) / 2
        for packed, goal in zip(part["states"], goals, strict=True):
            text = training.game.text(layout.unpack(packed))
            lines.append(f"{text};{on_scale(training.game, float(goal))}")
        if len(lines) >= MAX_POSITIONS:
            break
    return "\n".join(lines[:MAX_POSITIONS]) + "\n"


def on_scale(game: Game, goal: float) -> int:
    """A value from -1 to 1 as one of the game's that promises the same share of a win."""
    share = float(np.clip(goal, -SURE, SURE))
    value = game.unit() * math.log((1.0 + share) / (1.0 - share), 3)
    return round(min(max(value, game.lowest + 1), game.highest - 1))
