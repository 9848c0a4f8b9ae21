"""The model of ProbCut: how well a shallow search predicts the value of a deep one.

Positions of many stages of a game are searched to every depth, without ProbCut. For each stage and pair of
depths, the deep value is then a linear function of the shallow one, v(deep) = a · v(shallow) + b, with the
standard deviation sigma of the residuals (Buro, ProbCut, 1995; Multi-ProbCut, 1997). The threshold t of each
is the number of sigmas beyond which only so few residuals lie as of normal errors beyond 1.5 sigmas.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from gambito.endgames.remote_files import tables_to_send
from gambito.errors import GameError, SearchError
from gambito.game.contract import Game
from gambito.game.registry import load, load_kept, spec_of
from gambito.game.remote_files import files_of_game
from gambito.jobs import JobProgress, choose_executor, done
from gambito.native import mix
from gambito.native.files import put_file
from gambito.search.algorithm import find
from gambito.search.api import search
from gambito.search.probcut_model import DEPTHS, param_of
from gambito.search.session import Session

LEAST_DEPTH = 3  # of a deep search: below it ProbCut saves nothing
LEAST_SAMPLES = 30  # of a stage: with fewer, those of its neighbours are added
LEAST_SLOPE = 0.2  # a line below this slope predicts nothing
LOOSE = 6  # random plies at the start of each sampled game
STRAY = 0.08  # share of random moves later
FROM_A_GAME = 6  # positions: more positions of one game are too similar
PLAYED_DEPTH = 2  # plies: the moves need only be reasonable
SURE = 0.9332  # the share of residuals within the threshold, on either side: that of normal ones within 1.5
TABLE_MEBIBYTES = 16  # MiB: the searches are small, and the table is cleared for each


@dataclass(frozen=True)
class Row:
    """One row of the model, and the number of its samples."""

    stage: int
    depth: int
    shallow: int
    slope: float
    offset: float
    sigma: float
    threshold: float
    correlation: float
    samples: int

    def numbers(self) -> tuple[float, ...]:
        """Return the row as in a game's `probcut_model`."""
        return (
            self.stage,
            self.depth,
            self.shallow,
            round(self.slope, 3),
            round(self.offset, 3),
            round(self.sigma, 3),
            round(self.threshold, 3),
        )


@dataclass
class Samples:
    """The values of positions: for each stage, a list of rows with the value found at each depth."""

    deepest: int
    stages: dict[int, list[list[float]]] = field(default_factory=dict)
    count: int = 0

    def add(self, stage: int, values: list[float]) -> None:
        self.stages.setdefault(stage, []).append(values)
        self.count += 1


def shallow_depths(depth: int) -> tuple[int, ...]:
    """Return the depths that predict a deep search: about one and two thirds of it, of the same parity."""
    pairs = {part - (part - depth) % 2 for part in (depth // 3, 2 * depth // 3)}
    return tuple(sorted(s for s in pairs if 0 < s < depth)) or (depth - 2,)


def sample(
    game: str | Game, positions: int, deepest: int, seed: int = 0, jobs: int | None = 1,
    cluster: str | None = None, tell: Callable[[JobProgress], Any] | None = None,
) -> Iterator[Samples]:  # fmt: skip
    """Search positions of self-play to every depth, and yield the samples so far after each one.

    A job is a game with its positions. Games are taken in the order of their numbers, so the samples depend
    on the seed alone. Workers in other processes make the game from its text.
    """
    rules = load(game)
    if reason := find("engine").misfit(rules):
        raise SearchError(reason)
    if type(rules).evaluate is Game.evaluate:
        raise GameError("{} has no evaluation: there is nothing to predict", rules.label())
    if not LEAST_DEPTH <= deepest < DEPTHS:
        raise SearchError("depth must be from {} to {}, not {}", LEAST_DEPTH, DEPTHS - 1, deepest)
    executor = choose_executor(jobs, cluster).at_most(-(-positions // FROM_A_GAME))
    text = "" if executor.is_here else spec_of(game)
    search(rules, rules.initial(), "engine", depth=1, **_exact())  # compiles, before any worker needs it
    work = functools.partial(_search_game, rules) if executor.is_here else search_game
    numbers = ({"game": text, "seed": seed, "number": n, "depth": deepest} for n in itertools.count())
    samples, ended, turn = Samples(deepest), {}, 0  # type: Samples, dict[int, Any], int
    needed = [*files_of_game(text), tables_to_send(rules)] if executor.is_cluster else []
    with contextlib.closing(done(executor, work, numbers, tell, files=needed)) as results:
        while samples.count < positions:
            while turn not in ended:
                job, found = next(results)
                ended[job["number"]] = found
            for stage, values in ended.pop(turn):
                if samples.count < positions:
                    samples.add(stage, values)
                    yield samples
            turn += 1


def search_game(job: dict[str, Any]) -> list[tuple[int, list[float]]]:
    """Do a job of `sample`, in a worker."""
    return _search_game(load_kept(job["game"]), job)


def _exact() -> dict[str, Any]:
    """Return the options of the engine without techniques that guess."""
    return {
        **find("engine").sound_options(),
        "deepen": False,
        "table": "same-depth",
        "memory": TABLE_MEBIBYTES,
    }


def _search_game(game: Game, job: dict[str, Any]) -> list[tuple[int, list[float]]]:
    """Play the game with this number, and search some of its positions to every depth.

    Return the stage and the values of each one, without those that are solved before the last depth.
    """
    exact, found = _exact(), []
    for state in _states(game, random.Random(int(mix((job["seed"], job["number"])))), exact):
        session, values = Session(), []
        for depth in range(1, job["depth"] + 1):
            result = search(game, state, "engine", depth=depth, session=session, **exact)
            values.append(float(result.value))
            if result.exact:
                break
        if len(values) == job["depth"]:
            found.append((int(game.stage(state)), values))
    return found


def _states(game: Game, rng: random.Random, exact: dict[str, Any]) -> list[Any]:
    """Return positions from all stages of a game with mostly reasonable moves."""
    state: Any = game.initial()
    passed: list[Any] = []
    while not game.is_terminal(state):
        action: Any = rng.choice(game.legal(state))
        if len(passed) >= LOOSE and rng.random() >= STRAY:
            action = search(game, state, "engine", depth=PLAYED_DEPTH, **exact).action
        state = game.result(state, action)
        passed.append(state)
    return rng.sample(passed[:-1], min(FROM_A_GAME, len(passed) - 1))


def fit(samples: Samples) -> list[Row]:
    """Fit the model to samples, for every stage up to the last one seen."""
    rows = []
    for stage in range(max(samples.stages, default=-1) + 1):
        values = _around(samples, stage)
        for depth in range(LEAST_DEPTH, samples.deepest + 1):
            for shallow in shallow_depths(depth):
                row = _line(stage, depth, shallow, values[:, shallow - 1], values[:, depth - 1])
                rows += [row] if row is not None else []
    return rows


def _around(samples: Samples, stage: int) -> Any:
    """Return the values of a stage, with those of its neighbours until there are enough."""
    reach = 0
    while True:
        values = [v for s, rows in samples.stages.items() if abs(s - stage) <= reach for v in rows]
        if len(values) >= min(LEAST_SAMPLES, samples.count):
            return np.array(values)
        reach += 1


def _line(stage: int, depth: int, shallow: int, x: Any, y: Any) -> Row | None:
    """Return the least-squares line through the values, or None if it predicts nothing."""
    spread_x, spread_y = float(np.std(x)), float(np.std(y))
    if len(x) < 3 or spread_x == 0 or spread_y == 0:
        return None
    correlation = float(np.corrcoef(x, y)[0, 1])
    slope = correlation * spread_y / spread_x
    if slope < LEAST_SLOPE:
        return None
    offset = float(np.mean(y) - slope * np.mean(x))
    rest = y - slope * x - offset
    sigma = float(np.sqrt(np.sum(rest**2) / (len(x) - 2)))
    threshold = float(max(np.quantile(rest, SURE), -np.quantile(rest, 1 - SURE)) / sigma) if sigma else 0.0
    return Row(stage, depth, shallow, slope, offset, sigma, threshold, correlation, len(x))


def write(path: Path, game: Game, rows: list[Row]) -> None:
    """Write a model atomically to a file that the engine's option `probcut_model` reads."""
    data = {"game": game.label(), "param": param_of(row.numbers() for row in rows)}
    put_file(path, [json.dumps(data).encode()])
