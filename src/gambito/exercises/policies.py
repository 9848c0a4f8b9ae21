"""Exercises: the choice of PUCT, and one step of learning of a policy and a value."""

from __future__ import annotations

import math
import random
from typing import Any

from gambito.exercises.exercise import Exercise, Wrong
from gambito.exercises.training import is_like, judge_parts
from gambito.exercises.trial import (
    PlainArguments,
    Rounded,
    StudentAnswer,
    Trial,
    rounded,
    with_mistakes,
    wrong_type,
)

# ---- PUCT ------------------------------------------------------------------------------------------------
NO_PRIOR = "the priors are not used"
UNVISITED_FIRST = "a child without visits comes before all others, as with UCB1"
LOST = "a child without visits counts as a loss"
OWN_ROOT = "the root is that of the child's visits, not of all visits"
NO_ONE = "the visits are not increased by one"
NO_MEAN = "the means are not used"


def _puct(totals: list[float], visits: list[int], priors: list[float], c: float, mistake: str = "") -> int:
    """PUCT with a mistake."""
    everything = sum(visits)
    usual = sum(totals) / everything if everything else 0.0
    if mistake == UNVISITED_FIRST and 0 in visits:
        return visits.index(0)

    def score(place: int) -> float:
        count = visits[place]
        mean = totals[place] / count if count else -1.0 if mistake == LOST else usual
        root = math.sqrt(count if mistake == OWN_ROOT else everything)
        prior = 1.0 if mistake == NO_PRIOR else priors[place]
        tries = max(count, 1) if mistake == NO_ONE else 1 + count
        return (0.0 if mistake == NO_MEAN else mean) + c * prior * root / tries

    return max(range(len(visits)), key=score)


def _judge_choice(case: PlainArguments, answer: StudentAnswer) -> Wrong | None:
    value = answer.value
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        return wrong_type(value, "the number of a child")
    right = _puct(*case.args)
    if int(value) == right:
        return None
    return Wrong("the child is wrong", gave=int(value), right=right)


def _choices() -> list[PlainArguments]:
    rng = random.Random(33)
    cases: list[tuple[Any, ...]] = [([0.0], [0], [1.0], 1.0), ([0.0, 1.0], [0, 1], [0.75, 0.25], 1.0)]
    for count in (2, 2, 2, 3, 3, 4, 5) * 14:
        visits = [rng.choice((0, 0, 1, 2, 5, 9, 30)) for _ in range(count)]
        totals = [round(rng.uniform(-1.0, 1.0) * number, 2) for number in visits]
        parts = [rng.randint(1, 12) for _ in range(count)]
        priors = [round(part / sum(parts), 3) for part in parts]
        cases.append((totals, visits, priors, rng.choice((0.5, 1.0, 1.25, 2.5))))
    return [
        PlainArguments(given, "totals={}, visits={}, priors={}, c={}".format(*given))
        for given in sorted(cases, key=lambda given: len(given[1]))
    ]


PUCT = Exercise(
    name="puct",
    title="PUCT: a network's priors decide where the search looks first.",
    task="""Write puct(totals, visits, priors, c). totals and visits are lists: the sum of the rewards of \
each child, from -1 to 1 each, and how often it was visited. priors are the probabilities that a network \
gives to their moves. It returns the number of the child, from 0 on, with the highest

mean + c * prior * sqrt(N) / (1 + n), where n are the child's visits and N those of all children together.

A child without visits has the mean of all simulations so far; before the first, that is 0. Of several \
children with the highest number, take the first.""",
    checked="The choice, for one to five children, with and without visits.",
    hint="Compute the mean of all simulations first: the sum of all totals by the sum of all visits.",
    lesson="algorithms/alphazero.md",
    start='''"""PUCT: a network's priors decide where the search looks first."""


def puct(totals, visits, priors, c):
    """The number of the child, counted from 0."""
    return 0


if __name__ == "__main__":
    print(puct([0.5, 0.0], [2, 0], [0.2, 0.8], 1.0))  # 1
''',
    check=Trial(
        _choices,
        _judge_choice,
        with_mistakes(_puct, (NO_PRIOR, UNVISITED_FIRST, LOST, OWN_ROOT, NO_ONE, NO_MEAN)),
    ),
)


# ---- a step of learning ----------------------------------------------------------------------------------
ALL_CELLS = "cells that are taken have a share of the policy too"
AWAY = "the policy moves away from the search"
RAW_VISITS = "the visits are not divided by their sum"
BEST_ONLY = "the policy learns the most visited move, and not the shares of all"
NO_SLOPE = "the slope of tanh is left out"
NO_VALUE = "the value stays as it is"

Matrix = list[list[float]]


def _policy_step(
    weights: Matrix,
    worth: list[float],
    cells: list[int],
    visits: list[int],
    result: float,
    rate: float,
    mistake: str = "",
) -> tuple[Matrix, list[float]]:
    """One step of gradient descent on a policy and a value, with a mistake."""
    places = range(len(cells))
    free = [place for place in places if cells[place] == 0 or mistake == ALL_CELLS]
    logits = {place: sum(w * x for w, x in zip(weights[place], cells)) for place in free}
    total = sum(math.exp(logit) for logit in logits.values())
    spent = 1 if mistake == RAW_VISITS else sum(visits)
    most = max(free, key=lambda place: visits[place])
    new = [list(row) for row in weights]
    for place in free:
        goal = float(place == most) if mistake == BEST_ONLY else visits[place] / spent
        step = rate * (goal - math.exp(logits[place]) / total)
        if mistake == AWAY:
            step = -step
        for cell in places:
            new[place][cell] += step * cells[cell]
    value = math.tanh(sum(w * x for w, x in zip(worth, cells)))
    slope = 1.0 if mistake == NO_SLOPE else 1 - value * value
    step = 0.0 if mistake == NO_VALUE else rate * (result - value) * slope
    return new, [w + step * x for w, x in zip(worth, cells)]


def _judge_step(case: PlainArguments, answer: StudentAnswer) -> Wrong | None:
    right = rounded(_policy_step(*case.args))
    if not is_like(answer.value, right):
        return wrong_type(answer.value, "weights and worth, with as many numbers as before")
    wrong = Wrong("the weights of the policy are wrong"), Wrong("the weights of the value are wrong")
    return judge_parts(answer.value, right, *wrong)


def _steps() -> list[PlainArguments]:
    rng = random.Random(34)
    cases = []
    for size, taken in [(2, 1), (3, 1), (3, 2), (4, 2), (9, 3), (9, 6)] * 6:
        cells = [0] * size
        for turn, cell in enumerate(rng.sample(range(size), taken)):
            cells[cell] = -1 if turn % 2 == 0 else 1
        weights = [[rng.randint(-4, 4) / 4 for _ in range(size)] for _ in range(size)]
        visits = [0 if cell else rng.randint(1, 20) for cell in cells]
        worth = [rng.randint(-4, 4) / 8 for _ in range(size)]
        given = (weights, worth, cells, visits, rng.choice([-1.0, 0.0, 1.0]), 0.5)
        text = "weights={}, worth={}, cells={}, visits={}, result={}, rate={}".format(*given)
        cases.append(Rounded(given, text))
    return sorted(cases, key=lambda case: len(case.text))


POLICY_STEP = Exercise(
    name="policy-step",
    title="A step of AlphaZero: a policy and a value learn from one position of tic-tac-toe.",
    task="""Write policy_step(weights, worth, cells, visits, result, rate). cells is the board as the \
player to move sees it: 1 for each of the player's own marks, -1 for the opponent's, 0 for free cells.

The policy has a row of weights for each cell. The logit of a move is the sum of its row's weights, each \
times the number in its cell. The probability of a free cell is e^logit by the sum of e^logit over all free \
cells; cells that are taken have none. The value is tanh of the sum of worth, each times the number in its \
cell.

visits says how often the search has visited each move, and result is the end of the game: 1, 0 or -1. Move \
every weight of a free cell's row by rate × (share of its visits − its probability) × the number in the \
weight's cell. Move each number of worth by rate × (result − value) × (1 − value²) × the number in its cell. \
Return the new weights and worth.""",
    checked="All weights after the step, on boards of two to nine cells.",
    hint="Compute all probabilities before you move a weight. The share is that of all visits.",
    lesson="algorithms/alphazero.md",
    start='''"""A step of AlphaZero: a policy and a value learn from one position of tic-tac-toe."""

import math


def policy_step(weights, worth, cells, visits, result, rate):
    """The new weights and worth after one step."""
    return weights, worth


if __name__ == "__main__":
    print(policy_step([[0.0, 0.0], [0.5, 0.0]], [0.25, 0.0], [-1, 0], [0, 8], 1.0, 0.5))
''',
    check=Trial(
        _steps,
        _judge_step,
        with_mistakes(_policy_step, (ALL_CELLS, AWAY, RAW_VISITS, BEST_ONLY, NO_SLOPE, NO_VALUE)),
    ),
)
