"""Push or fold: against a linear program, and against the chart that people know."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import linprog

from gambito.errors import GambitoError
from gambito.game_tools.poker.cards import CLASSES, class_name
from gambito.game_tools.poker.preflop import preflop
from gambito.game_tools.poker.push_fold import largest_stacks, push_fold

# The largest stacks for the small blind and for the big blind, as computed; players' charts agree to a step.
PUSH = {
    "K3s": 19.9, "K2s": 19.3, "Q4s": 16.3, "Q3s": 13.5, "Q2s": 12.7, "J6s": 18.6, "J5s": 14.7, "T5s": 11.9,
    "K8o": 18.0, "Q7o": 10.3, "J7o": 8.5, "97o": 10.8, "K2o": 11.6, "72o": 1.6, "32o": 1.4,
}  # fmt: skip
CALL = {
    "A4o": 18.3, "A3o": 16.6, "A2o": 15.8, "22": 15.0, "K8s": 17.6, "K9o": 17.1, "Q9s": 16.1, "JTs": 18.0,
    "J9s": 13.4, "T9s": 11.5, "98s": 8.2, "72o": 2.6,
}  # fmt: skip


def by_program(stack):
    """The value for the small blind: it chooses how often each class is pushed, and the big blind replies."""
    table = preflop()
    odds = table.pairs / table.pairs.sum()
    called = odds * stack * (2 * table.equity() - 1)
    gain = np.concatenate([0.5 * odds.sum(1), np.ones(CLASSES)])  # beside the half blind that folds lose
    replies = np.block([[-odds.T, np.eye(CLASSES)], [-called.T, np.eye(CLASSES)]])
    bounds = [(0, 1)] * CLASSES + [(None, None)] * CLASSES
    found = linprog(-gain, A_ub=replies, b_ub=np.zeros(2 * CLASSES), bounds=bounds, method="highs")
    return -found.fun - 0.5


@pytest.mark.parametrize("stack", [1, 2.5, 10, 20])
def test_the_value_is_that_of_a_linear_program(stack):
    found = push_fold(stack)
    value = by_program(stack)
    assert found.high - found.low <= 1e-8
    assert found.low - 1e-9 <= value <= found.high + 1e-9
    assert (found.low + found.high) / 2 == pytest.approx(value, abs=1e-6)


def test_ten_big_blinds():
    """58.3 % of hands are pushed and 37.4 % called with."""
    push, call = push_fold(10).shares()
    assert round(100 * push, 1) == 58.3 and round(100 * call, 1) == 37.4


@pytest.mark.thorough
def test_the_chart_stays():
    numbers = {class_name(number): number for number in range(CLASSES)}
    push, call = largest_stacks()
    for known, found in ((PUSH, push), (CALL, call)):
        for name, stack in known.items():
            assert found[numbers[name]] == pytest.approx(stack, abs=0.11), name
    assert push[numbers["22"]] == call[numbers["A5o"]] == pytest.approx(20)


@pytest.mark.parametrize("stack", [0.5, 101, float("nan")])
def test_stacks_that_are_too_small_or_large_are_refused(stack):
    with pytest.raises(GambitoError, match="a stack has 1 to 100 big blinds"):
        push_fold(stack)
