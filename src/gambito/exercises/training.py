"""Exercise: one step of training for a small wide network, as NNUE has it."""

from __future__ import annotations

import dataclasses
import math
import random
from typing import Any

from gambito.exercises.exercise import Exercise, Wrong
from gambito.exercises.trial import (
    PlainArguments,
    Rounded,
    StudentAnswer,
    Trial,
    rounded,
    shortened,
    with_mistakes,
    wrong_type,
)

AWAY = "the weights move away from the result"
ABSENT = "the rows of absent inputs move too"
NOT_CUT = "a unit whose sum is cut still moves its row"
NEW_TOTALS = "the rows move by the new totals, not by those that gave the value"
NO_SQUARE = "the slope of the square is left out"
NO_START = "the sums begin with the same numbers as before"

Weights = list[list[float]]


def _step(
    rows: Weights,
    begin: list[float],
    totals: list[float],
    inputs: list[int],
    result: float,
    rate: float,
    mistake: str = "",
) -> tuple[Weights, list[float], list[float]]:
    """One step of gradient descent, with a mistake."""
    units = range(len(totals))
    sums = [begin[unit] + sum(rows[number][unit] for number in inputs) for unit in units]
    cuts = [min(max(each, 0.0), 1.0) for each in sums]
    value = sum(totals[unit] * cuts[unit] ** 2 for unit in units)
    step = rate * (result - 1 / (1 + math.exp(-value)))
    if mistake == AWAY:
        step = -step
    new_totals = [totals[unit] + step * cuts[unit] ** 2 for unit in units]
    counted = new_totals if mistake == NEW_TOTALS else totals
    moves = [
        step * counted[unit] * (1 if mistake == NO_SQUARE else 2 * cuts[unit])
        if 0 < sums[unit] < 1 or mistake == NOT_CUT
        else 0.0
        for unit in units
    ]
    new_begin = begin if mistake == NO_START else [begin[unit] + moves[unit] for unit in units]
    moved = range(len(rows)) if mistake == ABSENT else inputs
    new_rows = [
        [row[unit] + (moves[unit] if number in moved else 0.0) for unit in units]
        for number, row in enumerate(rows)
    ]
    return new_rows, list(new_begin), new_totals


def is_like(value: Any, right: Any) -> bool:
    """Has a value the same lists as another?"""
    if isinstance(right, list):
        return isinstance(value, list) and len(value) == len(right) and all(map(is_like, value, right))
    return isinstance(value, float)


def judge_parts(value: Any, right: Any, *mistakes: Wrong) -> Wrong | None:
    """The first part of a value that is not right, and the mistake that this is."""
    for given, wanted, mistake in zip(value, right, mistakes, strict=True):
        if given != wanted:
            return dataclasses.replace(mistake, gave=shortened(given), right=shortened(wanted))
    return None


def _judge(case: PlainArguments, answer: StudentAnswer) -> Wrong | None:
    right = rounded(_step(*case.args))
    if not is_like(answer.value, right):
        return wrong_type(answer.value, "rows, begin and totals, with as many numbers as before")
    wrong = Wrong("the rows are wrong"), Wrong("begin is wrong"), Wrong("the totals are wrong")
    return judge_parts(answer.value, right, *wrong)


def _cases() -> list[PlainArguments]:
    rng = random.Random(17)

    def some(count: int) -> list[float]:
        return [rng.randint(-8, 8) / 8 for _ in range(count)]

    cases = []
    for inputs, units in [(1, 1), (2, 1), (2, 2), (3, 2), (4, 3)] * 12:
        rows = [some(units) for _ in range(inputs)]
        here = sorted(rng.sample(range(inputs), rng.randint(1, inputs)))
        given = (rows, some(units), some(units), here, rng.choice([0.0, 0.5, 1.0]), 0.5)
        text = "rows={}, begin={}, totals={}, inputs={}, result={}, rate={}".format(*given)
        cases.append(Rounded(given, text))
    return sorted(cases, key=lambda case: len(case.text))


TRAINING_STEP = Exercise(
    name="training-step",
    title="A training step: a wide network learns from the result of one game.",
    task="""Write training_step(rows, begin, totals, inputs, result, rate). The network has units. Each \
input has a row of weights, one for each unit; inputs lists the numbers of the inputs that are present in a \
position. The sum of a unit is its number in begin plus its weights in the rows of the present inputs. The \
sum is cut to 0 … 1 and squared, and the value is the total of these, each times its number in totals. The \
network expects the share 1 / (1 + e^-value) of wins.

result is the share that the game has given: 1, 0.5 or 0. Move every weight along its slope: the step is \
rate × (result − expected share), a number of totals moves by the step times the square of its unit, a \
number of begin, and the weight in each row of a present input, by the step times the number in totals (the \
old one) times twice the cut sum. Where the sum lies outside 0 … 1, or on its edge, the cut has no slope, \
and they stay. Return the new rows, begin and totals.""",
    checked="All weights after the step, for one to four inputs and one to three units.",
    hint="Compute all sums first. The old totals decide how the rows move.",
    lesson="nnue.md",
    start='''"""A training step: a wide network learns from the result of one game."""

import math


def training_step(rows, begin, totals, inputs, result, rate):
    """The new rows, begin and totals after one step."""
    return rows, begin, totals


if __name__ == "__main__":
    print(training_step([[0.5], [0.25]], [0.0], [1.0], [0], 1.0, 0.5))
''',
    check=Trial(
        _cases, _judge, with_mistakes(_step, (AWAY, ABSENT, NOT_CUT, NEW_TOTALS, NO_SQUARE, NO_START))
    ),
)
