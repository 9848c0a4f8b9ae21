"""Fit weights to positions with known values: Texel's method.

The value of a position is a sum of weights, each with a factor (the game's `inputs` list them). The goal is a
mixture of the result of its game and of the value of a search. If only wins count, both are compared as
shares of a win, with a logistic curve; if the score counts, they are compared directly. One game in ten is
held back. When the error of its positions stops falling, the steps are halved, and finally the fit ends.

    Österlund, Texel's tuning method, 2014; Buro 1998; Adam: Kingma & Ba 2015
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from gambito.game.contract import Game
from gambito.game.gears import gears
from gambito.learn.base import Stepwise
from gambito.learn.self_play import GAME, OUTCOME, VALUE, Chunk
from gambito.native import Handle, int64, native
from gambito.native.store import get

HELD_BACK = 10  # one game in this many
BUFFER_SIZE = 1 << 14  # maximum size of the pairs of one position, in numbers
FIRST, SECOND, TINY = 0.9, 0.999, 1e-8  # parameters of Adam
BETTER = 0.9999  # an error above this share of the best one is no gain, only rounding
APART = 10007  # between the game numbers of two chunks; a prime, so that a tenth of each is held back
CHANGING = ("values", "first", "second", "steps")  # the arrays that an epoch passes on to the next


@dataclass(frozen=True)
class Fitting:
    """The settings of a fit."""

    loss: str = "logistic"  # or squares
    results: float = 0.5  # the weight of the game's result in the goal; the rest is the search's value
    rate: float = 0.01  # of the first steps, in the unit of the game's values
    batch: int = 4096
    epochs: int = 40
    patience: int = 2  # epochs without a gain before the steps are halved
    halvings: int = 3
    pull: float = 0.0  # towards the initial value of a weight


class Rows(Handle):
    """Positions as sparse rows: pairs of a weight's number and its factor."""

    arrays: ClassVar[dict[str, type]] = {
        "kept": np.uint8,
        "starts": np.int64,
        "numbers": np.int32,
        "amounts": np.float32,
        "buffer": np.int64,
    }


class Weights(Handle):
    """The weights, their initial values and Adam's moments; and the weights that a batch touches."""

    arrays: ClassVar[dict[str, type]] = {
        "values": np.float64,
        "origin": np.float64,
        "slopes": np.float64,
        "first": np.float64,
        "second": np.float64,
        "steps": np.int64,
        "touched": np.int64,
        "marks": np.uint8,
    }


@native
def count_inputs(game, rows, like, count):
    """Write where the row of each position begins, and return the number of pairs."""
    total = int64(0)
    for place in range(count):
        rows.starts[place] = total
        total += game.inputs(get(rows.kept, place, like), rows.buffer, int64(0)) // 2
    rows.starts[count] = total
    return total


@native
def write_inputs(game, rows, like, count, divisor):
    """Write the pairs of all positions. The factors are divided by `divisor`."""
    for place in range(count):
        end = game.inputs(get(rows.kept, place, like), rows.buffer, int64(0)) // 2
        begin = rows.starts[place]
        for pair in range(end):
            rows.numbers[begin + pair] = rows.buffer[2 * pair]
            rows.amounts[begin + pair] = rows.buffer[2 * pair + 1] / divisor
    return count


@native
def foretell(game, rows, weights, place):
    """Return the value of a position."""
    total = 0.0
    for pair in range(rows.starts[place], rows.starts[place + 1]):
        total += rows.amounts[pair] * weights.values[rows.numbers[pair]]
    return total


@native
def descend(game, rows, weights, goals, order, begin, end, knobs):
    """Do one step of Adam over some positions, and return the sum of their squared errors."""
    rate, pull, scale = knobs[0], knobs[1], knobs[2]
    count, loss = int64(0), 0.0
    for index in range(begin, end):
        place = order[index]
        guess, slope = foretell(game, rows, weights, place), 1.0
        if scale > 0.0:
            guess = 1.0 / (1.0 + math.exp(-guess / scale))
            slope = 4.0 * guess * (1.0 - guess)
        error = guess - goals[place]
        loss += error * error
        for pair in range(rows.starts[place], rows.starts[place + 1]):
            number = rows.numbers[pair]
            if not weights.marks[number]:
                weights.marks[number] = 1
                weights.touched[count] = number
                count += 1
            weights.slopes[number] += error * slope * rows.amounts[pair]
    for index in range(count):
        number = weights.touched[index]
        slope = weights.slopes[number] / (end - begin)
        slope += pull * (weights.values[number] - weights.origin[number])
        weights.slopes[number] = 0.0
        weights.marks[number] = 0
        weights.steps[number] += 1
        weights.first[number] = FIRST * weights.first[number] + (1.0 - FIRST) * slope
        weights.second[number] = SECOND * weights.second[number] + (1.0 - SECOND) * slope * slope
        step = weights.steps[number]
        near = weights.first[number] / (1.0 - FIRST**step)
        far = weights.second[number] / (1.0 - SECOND**step)
        weights.values[number] -= rate * near / (math.sqrt(far) + TINY)
    return loss


@native
def error_of(game, rows, weights, goals, order, scale):
    """Return the sum of squared errors of some positions."""
    loss = 0.0
    for index in range(len(order)):
        guess = foretell(game, rows, weights, order[index])
        if scale > 0.0:
            guess = 1.0 / (1.0 + math.exp(-guess / scale))
        error = guess - goals[order[index]]
        loss += error * error
    return loss


@native
def write_stages(game, rows, like, count, table):
    """Write the stage of each position as its start: the one that its first weight belongs to."""
    for place in range(count):
        game.inputs(get(rows.kept, place, like), rows.buffer, int64(0))
        rows.starts[place] = rows.buffer[0] // table
    return count


@dataclass
class Positions:
    """Positions of games: their states, their facts, and whether their game is held back."""

    kept: Any
    facts: Any
    held: Any

    def __len__(self) -> int:
        return len(self.facts)

    def where(self, chosen: Any) -> Positions:
        """Return the chosen ones."""
        return Positions(self.kept[chosen], self.facts[chosen], self.held[chosen])

    def as_rows(self, starts: Any, total: int = 1) -> Rows:
        """Return rows with room for a number of pairs."""
        return Rows(
            kept=self.kept.ravel(), starts=starts, buffer=np.zeros(BUFFER_SIZE, np.int64),
            numbers=np.zeros(total, np.int32), amounts=np.zeros(total, np.float32),
        )  # fmt: skip


def is_held_back(number: int, chunk: Chunk) -> Any:
    """Return for each position of a chunk whether its whole game is held back."""
    return (APART * number + chunk.facts[:, GAME]) % HELD_BACK == 0


def gather(chunks: Iterable[Chunk]) -> Positions:
    """Return the positions of chunks."""
    found = list(chunks)
    facts = np.concatenate([chunk.facts for chunk in found])
    kept = np.concatenate([chunk.kept for chunk in found]).reshape(len(facts), -1)
    held = np.concatenate([is_held_back(number, chunk) for number, chunk in enumerate(found)])
    return Positions(kept, facts, held)


@dataclass
class Examples:
    """Positions to learn from: their rows and goals, and which ones are held back."""

    rows: Rows
    goals: Any
    held: Any
    scale: float  # of the logistic curve; 0: none

    def __len__(self) -> int:
        return len(self.goals)


def read_stages(game: Game, positions: Positions) -> Any:
    """Return the stage of each position, for a game whose patterns have stages."""
    both, count = gears(game), len(positions)
    rows = positions.as_rows(np.zeros(count + 1, np.int64))
    write_stages(both.in_gear("native"), rows, both.cast(game.initial()), count, game.form.table)
    return rows.starts[:count]


def read_examples(game: Game, positions: Positions, fitting: Fitting) -> Examples:
    """Return positions as rows. Weights that share one value are counted as one."""
    both, facts, count = gears(game), positions.facts, len(positions)
    inner, like = both.in_gear("native"), both.cast(game.initial())
    rows = positions.as_rows(np.zeros(count + 1, np.int64))
    rows = positions.as_rows(rows.starts, int(count_inputs(inner, rows, like, count)))
    write_inputs(inner, rows, like, count, float(game.form.divisor))
    rows.numbers[:] = game.form.share(rows.numbers)
    scale = game.unit() / math.log(3) if fitting.loss == "logistic" else 0.0
    results, values = facts[:, OUTCOME].astype(float), facts[:, VALUE].astype(float)
    if scale:
        results = 0.5 + 0.5 * np.sign(results)
        values = 1 / (1 + np.exp(-values / scale))
    goals = fitting.results * results + (1 - fitting.results) * values
    return Examples(rows, goals, positions.held, scale)


@dataclass
class FitProgress:
    """The course of a fit: the errors of the fitted and of the held-back positions after each epoch."""

    fitted: list[float] = field(default_factory=list)
    held: list[float] = field(default_factory=list)
    rate: float = 0.0
    stale: int = 0  # epochs since the best one
    halved: int = 0

    @property
    def best(self) -> float:
        return min(self.held, default=math.inf)


class Fit(Stepwise):
    """A fit, epoch by epoch."""

    def __init__(self, game: Game, examples: Examples, fitting: Fitting, seed: int, begin: Any) -> None:
        self.game, self.examples, self.fitting, self.seed = (
            gears(game).in_gear("native"),
            examples,
            fitting,
            seed,
        )
        size = len(begin)
        zeros = {name: np.zeros(size) for name in ("slopes", "first", "second")}
        self.weights = Weights(
            values=begin.astype(np.float64), origin=begin.astype(np.float64),
            steps=np.zeros(size, np.int64), touched=np.zeros(size, np.int64), marks=np.zeros(size, np.uint8),
            **zeros,
        )  # fmt: skip
        self.kept = self.weights.values.copy()
        self.course = FitProgress(rate=fitting.rate)
        self.fitted_on, self.held_back = np.flatnonzero(~examples.held), np.flatnonzero(examples.held)

    def __len__(self) -> int:
        return len(self.examples)

    @property
    def advance(self) -> tuple[int, int]:
        """Return the number of steps done, and of all: a step is an epoch."""
        return len(self.course.held), self.fitting.epochs

    @property
    def is_over(self) -> bool:
        return len(self.course.held) >= self.fitting.epochs or self.course.halved > self.fitting.halvings

    def step(self) -> None:
        """Do one epoch: all positions in a new order."""
        course, fitting, examples = self.course, self.fitting, self.examples
        order = np.random.default_rng((self.seed, len(course.held))).permutation(self.fitted_on)
        knobs, loss = np.array([course.rate, fitting.pull, examples.scale]), 0.0
        for begin in range(0, len(order), fitting.batch):
            end = min(begin + fitting.batch, len(order))
            loss += descend(self.game, examples.rows, self.weights, examples.goals, order, begin, end, knobs)
        held = error_of(
            self.game, examples.rows, self.weights, examples.goals, self.held_back, examples.scale
        )
        is_better = held / max(len(self.held_back), 1) < course.best * BETTER
        course.fitted.append(loss / max(len(order), 1))
        course.held.append(held / max(len(self.held_back), 1))
        course.stale = 0 if is_better else course.stale + 1
        if is_better:
            self.kept = self.weights.values.copy()
        elif course.stale > fitting.patience:
            course.stale, course.halved, course.rate = 0, course.halved + 1, course.rate / 2

    def held(self) -> dict[str, Any]:
        course = self.course
        arrays = {name: getattr(self.weights, name) for name in CHANGING}
        state = np.array([course.rate, course.stale, course.halved])
        return {"kept": self.kept, "fitted": course.fitted, "held": course.held, "state": state, **arrays}

    def take_up(self, held: Mapping[str, Any]) -> None:
        for name in CHANGING:
            getattr(self.weights, name)[:] = held[name]
        self.kept = held["kept"]
        rate, stale, halved = held["state"].tolist()
        self.course = FitProgress(
            held["fitted"].tolist(), held["held"].tolist(), rate, int(stale), int(halved)
        )

    def run(self, path: Path | None = None, progress: Callable[[FitProgress], None] | None = None) -> Any:
        """Run the fit, and return the weights that predict the held-back positions best."""
        self.go_on(path, (lambda: progress(self.course)) if progress else None)
        return self.kept
