"""A network that learns: its weights as floats, its outputs, and one gradient step.

    first   [stages][inputs][hidden]     bias [stages][hidden]
    second  [stages][OUTPUTS][hidden]    last [stages][OUTPUTS]

Output k is the probability that the game ends with a score of `scores[k + 1]` or more for the player to move.
The expected score is `scores[0]` plus, for each output, the gap to the next score times that probability.
From the other side, an output is 1 minus its mirror image.

Sums are computed in an order that no compiler may change, so the numbers are the same on every machine.
"""

from __future__ import annotations

import functools
from typing import Any, ClassVar

import numpy as np
from numpy import float32

from gambito.evaluate.network import NetworkForm
from gambito.native import Handle, inlined
from gambito.native.scratch import scratch

OUTPUTS = 8  # maximum number of outputs; this many are computed together
WIDEST = 256  # hidden units at most, a multiple of OUTPUTS
OUTPUT_PAIRS = OUTPUTS * OUTPUTS
SIXTEENTH, ONE, ZERO = np.float32(1 / 16), np.float32(1), np.float32(0)
HALF, THIRD, QUARTER, FIFTH = (np.float32(1 / n) for n in (2, 3, 4, 5))
SMALL = 0.1  # spread of the initial weights
SHRUNK, DOUBLINGS, LARGEST = np.float32(1 / 64), 6, np.float32(20)


class TrainableNetwork(Handle):
    """The weights, and the results of the last pass through the network."""

    arrays: ClassVar[dict[str, type]] = {
        "scores": np.float32,
        "first": np.float32,
        "bias": np.float32,
        "second": np.float32,
        "last": np.float32,
        "active": np.float32,  # the hidden units of the last pass
        "outs": np.float32,  # the outputs of the last pass
        "buffer": np.int64,  # a list of inputs
    }

    inputs: ClassVar[int] = 0
    hidden: ClassVar[int] = 0
    outputs: ClassVar[int] = 0

    def value(self, outs):
        """Return the expected score of outputs."""
        total = self.scores[0]
        for number in range(self.outputs):
            total += (self.scores[number + 1] - self.scores[number]) * outs[number]
        return total


@inlined
def forward(learner, stage, buffer, begin, end):
    """Pass the pairs (number, amount) between two places of a buffer through the network of a stage."""
    hidden, outputs = learner.hidden, learner.outputs
    sums, lanes, outs = scratch(WIDEST, float32), scratch(OUTPUT_PAIRS, float32), scratch(OUTPUTS, float32)
    first, bias, second, active = learner.first, learner.bias, learner.second, learner.active
    for unit in range(hidden):
        sums[unit] = bias[stage * hidden + unit]
    rows = stage * learner.inputs
    place = begin
    while place + 6 < end:
        a, b = (rows + buffer[place]) * hidden, (rows + buffer[place + 2]) * hidden
        c, d = (rows + buffer[place + 4]) * hidden, (rows + buffer[place + 6]) * hidden
        of_a, of_b = float32(buffer[place + 1]) * SIXTEENTH, float32(buffer[place + 3]) * SIXTEENTH
        of_c, of_d = float32(buffer[place + 5]) * SIXTEENTH, float32(buffer[place + 7]) * SIXTEENTH
        for unit in range(hidden):
            pair = of_a * first[a + unit] + of_b * first[b + unit]
            sums[unit] += pair + (of_c * first[c + unit] + of_d * first[d + unit])
        place += 8
    while place < end:
        row = (rows + buffer[place]) * hidden
        amount = float32(buffer[place + 1]) * SIXTEENTH
        for unit in range(hidden):
            sums[unit] += amount * first[row + unit]
        place += 2
    for unit in range(hidden):
        sums[unit] = sums[unit] / (ONE + abs(sums[unit]))
    for spot in range(OUTPUT_PAIRS):
        lanes[spot] = ZERO
    row, number = stage * OUTPUTS * hidden, 0
    while number < outputs:
        block = 0
        while block < hidden:
            for lane in range(OUTPUTS):
                lanes[lane * OUTPUTS + number] += sums[block + lane] * second[row + block + lane]
            block += OUTPUTS
        row += hidden
        number += 1
    for number in range(OUTPUTS):
        outs[number] = -learner.last[stage * OUTPUTS + number]
    for lane in range(OUTPUTS):
        for number in range(OUTPUTS):
            outs[number] -= lanes[lane * OUTPUTS + number]
    # The logistic function, from the exponential series of x / 64, squared six times.
    for number in range(OUTPUTS):
        x = min(max(outs[number], -LARGEST), LARGEST) * SHRUNK
        power = ONE + x * (ONE + x * HALF * (ONE + x * THIRD * (ONE + x * QUARTER * (ONE + x * FIFTH))))
        for _ in range(DOUBLINGS):
            power *= power
        learner.outs[number] = ONE / (ONE + power)
    for unit in range(hidden):
        active[unit] = sums[unit]
    return outputs


@inlined
def descend(learner, stage, buffer, begin, end, targets, rate):
    """Do one step towards targets, after a pass through the same inputs, and return the squared error."""
    hidden, outputs = learner.hidden, learner.outputs
    slopes, active = scratch(WIDEST, float32), scratch(WIDEST, float32)
    first, bias, second = learner.first, learner.bias, learner.second
    for unit in range(hidden):
        slopes[unit] = ZERO
        active[unit] = learner.active[unit]
    total = ZERO
    number = 0
    while number < outputs:
        error = targets[number] - learner.outs[number]
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
        row = (stage * learner.inputs + buffer[place]) * hidden
        amount = float32(buffer[place + 1]) * SIXTEENTH
        for unit in range(hidden):
            first[row + unit] += amount * slopes[unit]
        place += 2
    return total


@functools.cache
def trainable_network_of(form: NetworkForm) -> type[TrainableNetwork]:
    """Return the class of learners of this shape, known to compiled code."""
    sizes = {"inputs": form.inputs, "hidden": form.hidden, "outputs": form.outputs}
    return type("Learner", (TrainableNetwork,), {"__module__": __name__, "__qualname__": "Learner", **sizes})


def new_trainable_network(form: NetworkForm, weights: dict[str, Any]) -> TrainableNetwork:
    """Return a learner that continues with these weights, in place."""
    return trainable_network_of(form)(
        scores=np.array(form.scores, np.float32),
        **weights,
        active=np.zeros(form.hidden, np.float32),
        outs=np.zeros(OUTPUTS, np.float32),
        buffer=np.zeros(2 * form.most, np.int64),
    )


def random_weights(form: NetworkForm, seed: int) -> dict[str, Any]:
    """Return small initial weights."""
    rng = np.random.default_rng(seed)

    def random(*shape: int) -> Any:
        return (rng.standard_normal(shape) * SMALL).astype(np.float32).reshape(-1)

    return {
        "first": random(form.stages, form.inputs, form.hidden),
        "bias": np.zeros(form.stages * form.hidden, np.float32),
        "second": random(form.stages, OUTPUTS, form.hidden),
        "last": np.zeros(form.stages * OUTPUTS, np.float32),
    }
