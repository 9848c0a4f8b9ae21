"""A small network: sparse inputs, one hidden layer, the probabilities of scores; whole numbers throughout.

A game lists the inputs that are there (its hook `inputs`): pairs of a number and an amount, `WHOLE` being once.
Each has a row of weights, and the rows are added up: that is the first layer, and where two positions share
most of their inputs the sums of one are those of the other and a few rows (`shift_sums`). A sum is squashed to
x / (1 + |x|) by one division. An output is the probability that the game ends with at least a certain score
for the player to move: the k-th that it is `scores[k + 1]` or more. There may be a network for each stage of
the game.

    first   [stages][inputs][hidden]     bias [stages][hidden]     a whole is 2^14 in sums
    second  [stages][outputs][hidden]    last [stages][outputs]    and 2^22 in outputs

Sums of whole numbers do not depend on their order, and a division is rounded alike everywhere: both gears
compute the same value.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import float32, int32

from gambito.evaluate.files import EvaluationError
from gambito.native import inlined, int64
from gambito.native.scratch import scratch

WHOLE = 16  # the amount that counts as one
WEIGHT_BITS, ACTIVE_BITS, OUTPUT_BITS = 10, 12, 22
WIDEST = 256  # hidden units at most
SUM_ONE, ACTIVE_ONE = np.float32(WHOLE << WEIGHT_BITS), np.float32(1 << ACTIVE_BITS)
# The logistic function from -16 to 16: between two entries lies 1/32, and they are in 2^20ths.
STEPS, SURE_BITS, STEP_BITS = 512, 20, OUTPUT_BITS - 5
SURE = 1 << SURE_BITS
LOGISTIC = np.round(SURE / (1 + np.exp(-np.arange(-STEPS, STEPS + 2) / 32))).astype(np.int64)


@dataclass(frozen=True)
class NetworkForm:
    """The shape of a network."""

    inputs: int
    most: int  # inputs at once
    hidden: int
    scores: tuple[float, ...]  # that a game can end with, the lowest first
    stages: int = 1

    @property
    def outputs(self) -> int:
        return len(self.scores) - 1

    def __str__(self) -> str:
        scores = ", ".join(f"{score:g}" for score in self.scores)
        stages = f"{self.stages} stages of " if self.stages > 1 else ""
        return f"network: {stages}{self.inputs} inputs, {self.hidden} hidden units, scores {scores}"

    def lengths(self) -> dict[str, tuple[type, int]]:
        """The arrays of weights: their kind and how many there are."""
        units = self.stages * self.hidden
        return {
            "first": (np.int16, units * self.inputs),
            "bias": (np.int32, units),
            "second": (np.int16, units * self.outputs),
            "last": (np.int32, self.stages * self.outputs),
        }

    def empty(self) -> dict[str, Any]:
        """Weights that know nothing."""
        return {name: np.zeros(count, kind) for name, (kind, count) in self.lengths().items()}


def quantise(form: NetworkForm, weights: dict[str, Any]) -> dict[str, Any]:
    """The whole numbers nearest to weights."""
    scales = {"first": WEIGHT_BITS, "bias": WEIGHT_BITS + 4, "second": WEIGHT_BITS, "last": OUTPUT_BITS}
    found = {}
    for name, (kind, count) in form.lengths().items():
        whole = np.round(np.asarray(weights[name], np.float64).reshape(-1) * (1 << scales[name]))
        if len(whole) != count or np.abs(whole).max(initial=0) > np.iinfo(kind).max:
            raise EvaluationError(f"the weights '{name}' are too large, or not {count}")
        found[name] = whole.astype(kind)
    heaviest = np.abs(found["second"].astype(np.int64).reshape(-1, form.hidden)).sum(axis=1).max(initial=0)
    if heaviest << ACTIVE_BITS >= 1 << 31:
        raise EvaluationError("the weights 'second' of an output are too large together")
    return found


@inlined
def begin_sums(sums, bias, hidden, stage):
    """The sums of no inputs."""
    for unit in range(hidden):
        sums[unit] = bias[stage * hidden + unit]


@inlined
def add_row(sums, first, hidden, row, amount):
    """Add an input's weights, as often as it counts."""
    for unit in range(hidden):
        sums[unit] = int32(sums[unit] + amount * int64(first[row * hidden + unit]))


@inlined
def add_inputs(sums, first, hidden, rows, buffer, begin, end):
    """Add the inputs between two places of a buffer; `rows` is where the stage's begin."""
    place = begin
    while place < end:
        add_row(sums, first, hidden, rows + int64(buffer[place]), int64(buffer[place + 1]))
        place += 2


@inlined
def shift_sums(sums, first, hidden, rows, before, old, old_end, after, new, new_end):
    """Turn the sums of one list of inputs into those of another; both are in the order of their numbers."""
    while old < old_end or new < new_end:
        gone = int64(before[old]) if old < old_end else rows + (1 << 40)
        come = int64(after[new]) if new < new_end else rows + (1 << 40)
        change = int64(0)
        if gone <= come:
            change -= int64(before[old + 1])
            old += 2
        if come <= gone:
            change += int64(after[new + 1])
            new += 2
        if change:
            add_row(sums, first, hidden, rows + min(gone, come), change)


@inlined
def squash(sums, hidden):
    """The hidden units of sums, in their place."""
    for unit in range(hidden):
        x = float32(sums[unit])
        sums[unit] = int32(x / (SUM_ONE + abs(x)) * ACTIVE_ONE)


def logistic(x):
    """The probability, in whole numbers of 2^20ths, of an output."""
    step = (x >> STEP_BITS) + STEPS
    if step < 0:
        return int64(LOGISTIC[0])
    if step >= 2 * STEPS:
        return int64(LOGISTIC[2 * STEPS])
    low, high = int64(LOGISTIC[step]), int64(LOGISTIC[step + 1])
    return low + ((high - low) * (x & ((1 << STEP_BITS) - 1)) >> STEP_BITS)


@inlined
def network_value(sums, second, last, hidden, stage, scores, low, high):
    """The score that the sums expect, when none below `low` or above `high` is possible."""
    squash(sums, hidden)
    outputs = len(scores) - 1
    value = scores[0]
    for number in range(outputs):
        chance = int64(SURE)
        if scores[number + 1] > high:
            chance = int64(0)
        elif scores[number + 1] > low:
            total = last[stage * outputs + number]
            row = (stage * outputs + number) * hidden
            for unit in range(hidden):
                total = int32(total + int64(sums[unit]) * int64(second[row + unit]))
            chance = logistic(int64(total))
        value += (scores[number + 1] - scores[number]) * (chance / SURE)
    return value
