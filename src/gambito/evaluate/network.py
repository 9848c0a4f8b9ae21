"""A small network: sparse inputs, one hidden layer, probabilities of scores, integer arithmetic throughout.

A game lists the active inputs (its hook `inputs`) as pairs of a number and an amount, where `WHOLE` counts as
one. Each input has a row of weights, and the first layer is the sum of these rows. If two positions share
most of their inputs, the sums of one follow from those of the other by adding and subtracting a few rows
(`shift_sums`). A sum x is squashed to x / (1 + |x|) with one division. An output is the probability that the
game ends with at least a certain score for the player to move: the k-th that it is `scores[k + 1]` or more.
There may be a network for each stage of the game.

All weights are one list of 16-bit numbers in units of 2^-10, stage by stage:

    [inputs + 1][hidden]    a row for each input, and one that is always active
    [outputs][hidden]       from the hidden units to the outputs
    [outputs]               added to the outputs

Sums of integers do not depend on their order, and integer division rounds the same way everywhere, so both
gears compute the same value.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy import float32, int16, int32

from gambito.errors import EvaluationError
from gambito.native import inlined, int64
from gambito.native.scratch import scratch

WHOLE = 16  # the amount that counts as one
WEIGHT_BITS, ACTIVE_BITS = 10, 12
OUTPUT_BITS = WEIGHT_BITS + ACTIVE_BITS
WIDEST = 256  # the most hidden units
MAX_INPUTS = 256  # the longest list of inputs: pairs of a number and an amount
BEYOND = 1 << 40  # larger than the number of any input
SUM_ONE, ACTIVE_ONE = np.float32(WHOLE << WEIGHT_BITS), np.float32(1 << ACTIVE_BITS)
# The logistic function from -16 to 16 in steps of 1/32, in units of 2^-20.
STEPS, SURE, STEP_BITS = 512, 1 << 20, OUTPUT_BITS - 5
LOGISTIC = np.round(SURE / (1 + np.exp(-np.arange(-STEPS, STEPS + 2) / 32))).astype(np.int64)


@dataclass(frozen=True)
class NetworkForm:
    """The shape of a network."""

    inputs: int
    most: int  # most inputs active at once
    hidden: int
    scores: tuple[float, ...]  # possible final scores, the lowest first
    stages: int = 1

    @property
    def outputs(self) -> int:
        return len(self.scores) - 1

    @property
    def stride(self) -> int:
        """The number of weights in a stage."""
        return (self.inputs + 1 + self.outputs) * self.hidden + self.outputs

    @property
    def shape(self) -> tuple[int, int, int]:
        """What compiled code must know: the game stores it as `shape`, and `scores` as an array."""
        return self.inputs, self.hidden, self.stride

    @property
    def size(self) -> int:
        return self.stages * self.stride

    @property
    def description(self) -> str:
        scores = ", ".join(f"{score:g}" for score in self.scores)
        stages = f"{self.stages} stages of " if self.stages > 1 else ""
        return f"network: {stages}{self.inputs} inputs, {self.hidden} hidden units, scores {scores}"


def quantise(form: NetworkForm, first: Any, bias: Any, second: Any, last: Any) -> Any:
    """The weights of a form as integers, rounded from weights that are given stage by stage."""
    given = [np.asarray(part, np.float64).reshape(-1) for part in (first, bias, second, last)]
    count = sum(map(len, given))
    if count != form.size:
        raise EvaluationError("a {} has {} weights, not {}", form.description, form.size, count)
    parts = [part.reshape(form.stages, -1) for part in given]
    whole = np.round(np.concatenate(parts, axis=1).reshape(-1) * (1 << WEIGHT_BITS))
    if np.abs(whole).max() > np.iinfo(np.int16).max:
        raise EvaluationError("a weight of the network is too large")
    from_hidden = np.round(np.abs(parts[2]) * (1 << OUTPUT_BITS)).reshape(-1, form.hidden).sum(axis=1)
    if from_hidden.max() > np.iinfo(np.int32).max - (1 << (15 + ACTIVE_BITS)):
        raise EvaluationError("the weights of an output of the network are too large together")
    return whole.astype(np.int16)


@inlined
def add_row(sums, weights, hidden, row, amount):
    """Add the weights of an input `amount` times; `row` is where they begin."""
    for unit in range(hidden):
        sums[unit] = int32(sums[unit] + amount * int64(weights[row + unit]))


@inlined
def add_whole(sums, weights, hidden, row):
    """Add the weights of an input once."""
    for unit in range(hidden):
        sums[unit] = int32(sums[unit] + WHOLE * int64(weights[row + unit]))


@inlined
def add_inputs(sums, weights, inputs, hidden, begin, buffer, end):
    """Compute the sums for the inputs in a buffer; the weights of the stage begin at `begin`."""
    for unit in range(hidden):
        sums[unit] = int32(WHOLE * int64(weights[begin + inputs * hidden + unit]))
    place = 0
    while place < end:
        row, amount = begin + int64(buffer[place]) * hidden, int64(buffer[place + 1])
        if amount == WHOLE:
            add_whole(sums, weights, hidden, row)
        else:
            add_row(sums, weights, hidden, row, amount)
        place += 2


@inlined
def shift_sums(sums, weights, hidden, begin, before, before_end, after, after_end):
    """Turn the sums of one list of inputs into those of another; both lists are sorted by number."""
    old, new = 0, 0
    while old < before_end or new < after_end:
        gone = int64(before[old]) if old < before_end else int64(BEYOND)
        come = int64(after[new]) if new < after_end else int64(BEYOND)
        change = int64(0)
        if gone <= come:
            change -= int64(before[old + 1])
            old += 2
        if come <= gone:
            change += int64(after[new + 1])
            new += 2
        if change:
            add_row(sums, weights, hidden, begin + min(gone, come) * hidden, change)


@inlined
def squash(sums, active, hidden):
    """Compute the hidden units from the sums."""
    for unit in range(hidden):
        x = float32(sums[unit])
        active[unit] = int16(x / (SUM_ONE + abs(x)) * ACTIVE_ONE)


def logistic(x):
    """The probability of an output, in units of 2^-20."""
    step = (x >> STEP_BITS) + STEPS
    if step < 0:
        return int64(LOGISTIC[0])
    if step >= 2 * STEPS:
        return int64(LOGISTIC[2 * STEPS])
    low, high = int64(LOGISTIC[step]), int64(LOGISTIC[step + 1])
    return low + ((high - low) * (x & ((1 << STEP_BITS) - 1)) >> STEP_BITS)


@inlined
def expected_score(sums, weights, inputs, hidden, begin, scores, low, high):
    """The expected score for these sums, if no score outside low and high is possible."""
    active = scratch(WIDEST, int16)
    squash(sums, active, hidden)
    outputs = len(scores) - 1
    value, row = scores[0], begin + (inputs + 1) * hidden
    for number in range(outputs):
        chance = int64(SURE)
        if scores[number + 1] > high:
            chance = int64(0)
        elif scores[number + 1] > low:
            total = int32(int64(weights[begin + (inputs + 1 + outputs) * hidden + number]) << ACTIVE_BITS)
            for unit in range(hidden):
                total = int32(total + int64(active[unit]) * int64(weights[row + unit]))
            chance = logistic(int64(total))
        value += (scores[number + 1] - scores[number]) * (chance / SURE)
        row += hidden
    return value


def network_value(game, state, low, high):
    """The score that the game's network expects for the mover; none outside low and high is possible."""
    sums, buffer = scratch(WIDEST, int32), scratch(MAX_INPUTS, int64)
    inputs, hidden, begin = game.shape[0], game.shape[1], game.stage(state) * game.shape[2]
    end = game.inputs(state, buffer, int64(0))
    add_inputs(sums, game.weights, inputs, hidden, begin, buffer, end)
    return expected_score(sums, game.weights, inputs, hidden, begin, game.scores, low, high)
