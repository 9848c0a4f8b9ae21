"""The form of a network: whole numbers near the true ones, sums that are carried on, both gears alike."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
from numba import int32

import gambito
from gambito.errors import EvaluationError
from gambito.evaluate.network import (
    OUTPUT_BITS,
    SURE,
    WHOLE,
    WIDEST,
    NetworkForm,
    add_inputs,
    expected_score,
    logistic,
    quantise,
    shift_sums,
)
from gambito.game.gears import gears
from gambito.native import Constant, Memory, int64, native
from gambito.native.scratch import scratch

FORM = NetworkForm(40, 12, 24, (-2.0, -1.0, 1.0, 2.0), stages=2)


def random_parts(seed: int, spread: float = 0.5) -> list:
    rng = np.random.default_rng(seed)
    units, outputs = FORM.stages * FORM.hidden, FORM.stages * FORM.outputs
    sizes = (units * FORM.inputs, units, units * FORM.outputs, outputs)
    return [rng.standard_normal(size) * spread for size in sizes]


def random_inputs(rng: random.Random) -> list[int]:
    """Pairs of a number and an amount, in the order of numbers."""
    numbers = sorted(rng.sample(range(FORM.inputs), rng.randint(1, FORM.most)))
    return [part for number in numbers for part in (number, rng.randint(-2 * WHOLE, 2 * WHOLE) or 1)]


class Net:
    """What compiled code needs of a game."""

    def __init__(self, seed: int) -> None:
        self.weights = Memory(quantise(FORM, *random_parts(seed)))
        self.scores = np.array(FORM.scores)


@native
def value(net, buffer, end, stage, low, high):
    sums, begin = scratch(WIDEST, int32), stage * FORM_STRIDE
    add_inputs(sums, net.weights, FORM_INPUTS, FORM_HIDDEN, begin, buffer, end)
    return expected_score(sums, net.weights, FORM_INPUTS, FORM_HIDDEN, begin, net.scores, low, high)


@native
def carried(net, before, before_end, buffer, end, stage):
    sums, begin = scratch(WIDEST, int32), stage * FORM_STRIDE
    add_inputs(sums, net.weights, FORM_INPUTS, FORM_HIDDEN, begin, before, before_end)
    shift_sums(sums, net.weights, FORM_HIDDEN, begin, before, before_end, buffer, end)
    return expected_score(sums, net.weights, FORM_INPUTS, FORM_HIDDEN, begin, net.scores, -2.0, 2.0)


FORM_INPUTS, FORM_HIDDEN, FORM_STRIDE = FORM.shape


def constant(net: Net) -> Constant:
    return Constant(net, "tests.network", "1", {}, {})


def plain(parts: list, pairs: list[int], stage: int) -> float:
    """The same computation with NumPy and floats."""
    first, bias, second, last = (np.asarray(part) for part in parts)
    sums = bias.reshape(2, -1)[stage].copy()
    for number, amount in zip(pairs[::2], pairs[1::2], strict=True):
        sums += first.reshape(2, FORM.inputs, -1)[stage, number] * amount / WHOLE
    outs = second.reshape(2, FORM.outputs, -1)[stage] @ (sums / (1 + abs(sums))) + last.reshape(2, -1)[stage]
    return FORM.scores[0] + float(np.diff(FORM.scores) @ (1 / (1 + np.exp(-outs))))


def test_both_gears_and_floats():
    net, rng = Net(1), random.Random(1)
    inner = constant(net)
    for number in range(60):
        pairs = np.array(random_inputs(rng), np.int64)
        given = (pairs, len(pairs), number % 2, -2.0, 2.0)
        found = value(inner, *given)
        assert found == value(net, *given)
        assert found == pytest.approx(plain(random_parts(1), pairs.tolist(), number % 2), abs=0.01)


def test_sums_are_carried_on():
    """The inputs that come and go turn the sums of one position into those of another, to the last bit."""
    net, rng = Net(2), random.Random(2)
    inner = constant(net)
    for _ in range(60):
        old, new = (np.array(random_inputs(rng), np.int64) for _ in range(2))
        found = carried(inner, old, len(old), new, len(new), 0)
        assert found == carried(net, old, len(old), new, len(new), 0)
        assert found == value(inner, new, len(new), 0, -2.0, 2.0)


def test_scores_that_are_not_possible_are_left_out():
    net, pairs = Net(3), np.array([3, WHOLE, 20, WHOLE])
    for low, high in ((-1.0, 2.0), (-2.0, 1.0), (-1.0, 1.0)):
        assert low <= value(net, pairs, 4, 0, low, high) <= high
    assert value(net, pairs, 4, 0, 1.0, 1.0) == 1.0


def test_the_logistic_function():
    for x in (-30, -16.01, -15.99, -3.3, -0.01, 0, 0.5, 2.71, 15.99, 16.01, 30):
        found = logistic(int64(round(x * (1 << OUTPUT_BITS)))) / SURE
        assert found == pytest.approx(1 / (1 + math.exp(-x)), abs=3e-5)


def test_weights_that_do_not_fit_are_refused():
    parts = random_parts(4)
    with pytest.raises(EvaluationError, match="weights, not"):
        quantise(FORM, parts[0][:-1], *parts[1:])
    with pytest.raises(EvaluationError, match="too large"):
        quantise(FORM, parts[0] * 100, *parts[1:])
    with pytest.raises(EvaluationError, match="together"):
        quantise(FORM, *parts[:2], np.full(len(parts[2]), 25.0), parts[3])


def test_the_form_says_what_it_is():
    assert FORM.description == "network: 2 stages of 40 inputs, 24 hidden units, scores -2, -1, 1, 2"
    assert FORM.size == len(quantise(FORM, *random_parts(5)))


# ---- backgammon's ----------------------------------------------------------------------------------------
@pytest.mark.slow
def test_backgammon_in_both_gears():
    game = gambito.load("backgammon:evaluation=learned")
    inner, rng = gears(game).in_gear("native"), random.Random(6)
    state = gears(game).cast(game.initial())
    for _ in range(120):
        if game.is_terminal(state):
            break
        assert judge(inner, state) == judge(game, state)
        state = gears(game).cast(game.result(state, rng.choice(game.legal(state))))


@native
def judge(game, state):
    return game.evaluate(state, int64(0))


@native
def see(game, state, buffer):
    return game.inputs(state, buffer, int64(0))


def test_the_inputs_of_backgammon_are_in_order():
    """So sums can be carried on; and they are within their bounds."""
    game = gambito.load("backgammon")
    rng, inner = random.Random(7), gears(game).in_gear("native")
    for _ in range(3):
        state = gears(game).cast(game.initial())
        while not game.is_terminal(state):
            buffer, plain_buffer = np.zeros(256, np.int64), [0] * 256
            end = see(inner, state, buffer)
            assert end == see(game, state, plain_buffer) <= 2 * game.form.most
            assert plain_buffer[:end] == buffer[:end].tolist()
            numbers = buffer[:end:2].tolist()
            assert numbers == sorted(set(numbers))
            assert numbers[-1] < game.form.inputs
            state = gears(game).cast(game.result(state, rng.choice(game.legal(state))))
