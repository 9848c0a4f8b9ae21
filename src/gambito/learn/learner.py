"""A network while it learns: its weights as floats, its outputs, and one step of the gradient.

    first   [stages][inputs][hidden]     bias [stages][hidden]
    second  [stages][OUTPUTS][hidden]    last [stages][OUTPUTS]

An output is the probability that the game ends with at least a certain score for the player to move: the
k-th that it is `scores[k + 1]` or more. So the expected score is `scores[0]` and, for each output, the gap
to the next score times that probability; and from the other side an output is 1 less its mirror.

Sums are added up in an order that no compiler may change: the same numbers on every machine.
"""

from __future__ import annotations

import math
from typing import Any, ClassVar

import numpy as np
from numba import float32

from gambito.native import Handle, inlined, int64
from gambito.native.scratch import scratch

OUTPUTS = 8  # room for so many
WIDEST = 256  # hidden units at most
LANES = 16  # hidden units are a multiple of these
ROOM = OUTPUTS * LANES
SIXTEENTH, ONE, ZERO = np.float32(1 / 16), np.float32(1), np.float32(0)


class Learner(Handle):
    """Weights, and what a pass through the network leaves behind."""

    arrays: ClassVar[dict[str, type]] = {
        "sizes": np.int64,  # hidden, inputs, outputs, longest list of inputs
        "scores": np.float32,
        "first": np.float32,
        "bias": np.float32,
        "second": np.float32,
        "last": np.float32,
        "active": np.float32,  # of the last pass: the hidden units
        "outs": np.float32,  # and the outputs
        "buffer": np.int64,  # a list of inputs
    }

    def value(self):
        """The score that the outputs expect."""
        total = self.scores[0]
        for number in range(self.sizes[2]):
            total += (self.scores[number + 1] - self.scores[number]) * self.outs[number]
        return total


@inlined
def forward(learner, stage, buffer, begin, end):
    """Pass the pairs (number, amount) between two places of a buffer through the network of a stage."""
    hidden, outputs = learner.sizes[0], learner.sizes[2]
    sums, lanes = scratch(WIDEST, float32), scratch(ROOM, float32)
    first, bias, second, active = learner.first, learner.bias, learner.second, learner.active
    for unit in range(hidden):
        sums[unit] = bias[stage * hidden + unit]
    place = begin
    while place < end:
        row = (stage * learner.sizes[1] + buffer[place]) * hidden
        amount = float32(buffer[place + 1]) * SIXTEENTH
        for unit in range(hidden):
            sums[unit] += amount * first[row + unit]
        place += 2
    for unit in range(hidden):
        sums[unit] = sums[unit] / (ONE + abs(sums[unit]))
    for spot in range(ROOM):
        lanes[spot] = ZERO
    row = stage * OUTPUTS * hidden
    number = 0
    while number < outputs:
        block = 0
        while block < hidden:
            for lane in range(LANES):
                lanes[number * LANES + lane] += sums[block + lane] * second[row + block + lane]
            block += LANES
        row += hidden
        number += 1
    for number in range(outputs):
        total = learner.last[stage * OUTPUTS + number]
        for lane in range(LANES):
            total += lanes[number * LANES + lane]
        learner.outs[number] = float32(ONE / (ONE + math.exp(-total)))
    for unit in range(hidden):
        active[unit] = sums[unit]
    return outputs


@inlined
def descend(learner, stage, buffer, begin, end, targets, spot, rate):
    """One step towards targets, after a pass through the same inputs; returns the squared error."""
    hidden, outputs = learner.sizes[0], learner.sizes[2]
    slopes, active = scratch(WIDEST, float32), scratch(WIDEST, float32)
    first, bias, second = learner.first, learner.bias, learner.second
    for unit in range(hidden):
        slopes[unit] = ZERO
        active[unit] = learner.active[unit]
    total = ZERO
    number = 0
    while number < outputs:
        error = targets[spot + number] - learner.outs[number]
        total += error * error
        step = rate * error
        row = (stage * OUTPUTS + number) * hidden
        for unit in range(hidden):
            slopes[unit] += error * second[row + unit]
        for unit in range(hidden):
            second[row + unit] += step * active[unit]
        learner.last[stage * OUTPUTS + number] += step
        number += 1
    for unit in range(hidden):
        slope = ONE - abs(active[unit])
        slopes[unit] *= rate * slope * slope
    for unit in range(hidden):
        bias[stage * hidden + unit] += slopes[unit]
    place = begin
    while place < end:
        row = (stage * learner.sizes[1] + buffer[place]) * hidden
        amount = float32(buffer[place + 1]) * SIXTEENTH
        for unit in range(hidden):
            first[row + unit] += amount * slopes[unit]
        place += 2
    return total


def new_learner(scores: Any, inputs: int, most: int, hidden: int, stages: int, seed: int) -> Learner:
    """A network of small random weights."""
    rng = np.random.default_rng(seed)
    outputs = len(scores) - 1

    def random(*shape: int, spread: float) -> Any:
        return (rng.standard_normal(shape) * spread).astype(np.float32).reshape(-1)

    return Learner(
        sizes=np.array([hidden, inputs, outputs, most]),
        scores=np.array(scores, np.float32),
        first=random(stages, inputs, hidden, spread=0.1),
        bias=np.zeros(stages * hidden, np.float32),
        second=random(stages, OUTPUTS, hidden, spread=0.1),
        last=np.zeros(stages * OUTPUTS, np.float32),
        active=np.zeros(hidden, np.float32),
        outs=np.zeros(OUTPUTS, np.float32),
        buffer=np.zeros(2 * most, np.int64),
    )
