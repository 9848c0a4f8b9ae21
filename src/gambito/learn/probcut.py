"""ProbCut's model: how well a shallow search predicts the value of a deep one.

Positions of many stages of a game are searched to every depth, without ProbCut. For a
stage and a pair of depths the deep value is then a line over the shallow one, v(deep) = a · v(shallow) + b,
with the standard deviation sigma of what is left (Buro, ProbCut, 1995; Multi-ProbCut, 1997).
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from gambito.errors import GameError, SearchError
from gambito.game.contract import Game
from gambito.native.files import put_file
from gambito.search.algorithm import find
from gambito.search.api import search
from gambito.search.engine.settings import DEPTHS
from gambito.search.session import Session

LEAST_DEPTH = 3  # of a deep search: below it ProbCut saves nothing
LEAST_SAMPLES = 30  # of a stage: with fewer its neighbours' are taken as well
LEAST_SLOPE = 0.2  # a line as flat as this foretells nothing
LOOSE = 6  # plies of a game from which positions are taken that are any moves
STRAY = 0.08  # and how often a later one is
FROM_A_GAME = 6  # positions: more of one game are too much alike
PLAYED_DEPTH = 2  # plies: moves need only be sensible
MEMORY = 16  # MiB: the searches are small, and a table is cleared for each


@dataclass(frozen=True)
class Row:
    """One row of the model, and what it rests on."""

    stage: int
    depth: int
    shallow: int
    slope: float
    offset: float
    sigma: float
    correlation: float
    samples: int

    def numbers(self) -> tuple[float, ...]:
        """As a game's `probcut_model` holds it."""
        return (
            self.stage,
            self.depth,
            self.shallow,
            round(self.slope, 3),
            round(self.offset, 3),
            round(self.sigma, 3),
        )


@dataclass
class Samples:
    """The values of positions: by stage, a list of rows with the value found at each depth."""

    deepest: int
    stages: dict[int, list[list[float]]] = field(default_factory=dict)
    count: int = 0

    def add(self, stage: int, values: list[float]) -> None:
        self.stages.setdefault(stage, []).append(values)
        self.count += 1


def shallow_depths(depth: int) -> tuple[int, ...]:
    """The depths that foretell a deep search: about a third and two thirds of it, as odd or even as it is."""
    pairs = {part - (part - depth) % 2 for part in (depth // 3, 2 * depth // 3)}
    return tuple(sorted(s for s in pairs if 0 < s < depth)) or (depth - 2,)


def sample(game: Game, positions: int, deepest: int, seed: int = 0) -> Iterator[Samples]:
    """Search positions of the game's own play to every depth; the samples so far after each."""
    algorithm = find("engine")
    if reason := algorithm.misfit(game):
        raise SearchError(reason)
    if type(game).evaluate is Game.evaluate:
        raise GameError("{} has no evaluation: there is nothing to foretell", game.label())
    if not LEAST_DEPTH <= deepest < DEPTHS:
        raise SearchError("depth must be from {} to {}, not {}", LEAST_DEPTH, DEPTHS - 1, deepest)
    exact = {**algorithm.sound_options(), "deepen": False, "table": "same-depth", "memory": MEMORY}
    samples, rng = Samples(deepest), random.Random(seed)
    states = _states(game, rng, exact)
    while samples.count < positions:
        state = next(states)
        session, values = Session(), []
        for depth in range(1, deepest + 1):
            found = search(game, state, "engine", depth=depth, session=session, **exact)
            values.append(float(found.value))
            if found.exact:
                break
        if len(values) == deepest:
            samples.add(int(game.stage(state)), values)
            yield samples


def _states(game: Game, rng: random.Random, exact: dict[str, Any]) -> Iterator[Any]:
    """Positions all over many games between players who mostly know what they do."""
    while True:
        state: Any = game.initial()
        passed: list[Any] = []
        while not game.is_terminal(state):
            action: Any = rng.choice(game.legal(state))
            if len(passed) >= LOOSE and rng.random() >= STRAY:
                action = search(game, state, "engine", depth=PLAYED_DEPTH, **exact).action
            state = game.result(state, action)
            passed.append(state)
        yield from rng.sample(passed[:-1], min(FROM_A_GAME, len(passed) - 1))


def fit(samples: Samples) -> list[Row]:
    """The model that samples give, for every stage up to the last one seen."""
    rows = []
    for stage in range(max(samples.stages, default=-1) + 1):
        values = _around(samples, stage)
        for depth in range(LEAST_DEPTH, samples.deepest + 1):
            for shallow in shallow_depths(depth):
                row = _line(stage, depth, shallow, values[:, shallow - 1], values[:, depth - 1])
                rows += [row] if row is not None else []
    return rows


def _around(samples: Samples, stage: int) -> Any:
    """The values of a stage; of its neighbours too, as far as it takes to have enough."""
    reach = 0
    while True:
        values = [v for s, rows in samples.stages.items() if abs(s - stage) <= reach for v in rows]
        if len(values) >= min(LEAST_SAMPLES, samples.count):
            return np.array(values)
        reach += 1


def _line(stage: int, depth: int, shallow: int, x: Any, y: Any) -> Row | None:
    """The line of least squares through the values; None where it foretells nothing."""
    spread_x, spread_y = float(np.std(x)), float(np.std(y))
    if len(x) < 3 or spread_x == 0 or spread_y == 0:
        return None
    correlation = float(np.corrcoef(x, y)[0, 1])
    slope = correlation * spread_y / spread_x
    if slope < LEAST_SLOPE:
        return None
    offset = float(np.mean(y) - slope * np.mean(x))
    sigma = float(np.sqrt(np.sum((y - slope * x - offset) ** 2) / (len(x) - 2)))
    return Row(stage, depth, shallow, slope, offset, sigma, correlation, len(x))


def write(path: Path, game: Game, rows: list[Row]) -> None:
    """Keep a model in a file that the engine's option `probcut_model` reads; put in place in one step."""
    data = {"game": game.label(), "forecasts": [row.numbers() for row in rows]}
    put_file(path, [json.dumps(data).encode()])
