"""Push or fold before the flop, heads-up: solved to any accuracy, and the largest stack for each hand.

The small blind has the button and pays a half, the big blind one. The small blind moves all its chips in, or
folds; the big blind calls, or folds. What a hand is worth depends on its class alone, so a strategy is 169
numbers. Both learn by predictive CFR+, and best responses to what they learned bound the value. Farina, Kroer
& Sandholm, Faster game solving via predictive Blackwell approachability (2021).
"""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

import numpy as np

from gambito.errors import SearchError
from gambito.game_tools.poker.cards import CLASSES
from gambito.game_tools.poker.preflop import preflop
from gambito.native.computed import computed
from gambito.native.digest import digest

SMALL, BIG = 0.5, 1.0
SHORTEST, DEEPEST = 1.0, 100.0  # stacks, in big blinds
TARGET = 1e-8  # big blinds between the bounds of the value
MAX_ITERATIONS = 200_000  # iterations
JUDGED = 250  # iterations between two looks at the bounds
CHARTED, STEP, ROUGH = 20.0, 0.1, 1e-6  # the chart: up to this stack, in steps, with bounds so close


class PushFold(NamedTuple):
    """An equilibrium."""

    stack: float  # of each player, in big blinds, blinds included
    push: Any  # for each class, how often the small blind moves in
    call: Any  # and how often the big blind calls
    low: float  # the value to the small blind in big blinds is not below this
    high: float
    iterations: int

    def shares(self) -> tuple[float, float]:
        """How many of all hands are pushed, and called with."""
        dealt = preflop().pairs.sum(1) / preflop().pairs.sum()
        return float(dealt @ self.push), float(dealt @ self.call)


class _Choice:
    """A choice between two actions for each class, learned from what each is worth."""

    def __init__(self) -> None:
        self.regret, self.sums = np.zeros((2, CLASSES)), np.zeros(CLASSES)
        self.share, self.weight = np.full(CLASSES, 0.5), 0.0  # of the first action

    def learn(self, worth: Any, iteration: int) -> None:
        missed = worth - (self.share * worth[0] + (1 - self.share) * worth[1])
        self.regret = np.maximum(self.regret + missed, 0)
        lead = np.maximum(self.regret + missed, 0)  # the next iteration is expected to be as this one
        total = lead.sum(0)
        self.share = np.divide(lead[0], total, out=np.full(CLASSES, 0.5), where=total > 0)
        self.sums += iteration**2 * self.share
        self.weight += iteration**2

    def average(self) -> Any:
        return self.sums / self.weight


def push_fold(stack: float, target: float = TARGET) -> PushFold:
    """The equilibrium for a stack in big blinds."""
    if not SHORTEST <= stack <= DEEPEST:
        raise SearchError("a stack has {:g} to {:g} big blinds, not {:g}", SHORTEST, DEEPEST, stack)
    table = preflop()
    odds = table.pairs / table.pairs.sum()  # of two classes
    called = odds * stack * (2 * table.equity() - 1)  # what the small blind wins if it is called
    folded, given_up = odds * BIG, -SMALL * odds.sum(1)
    pusher, caller = _Choice(), _Choice()
    difference, wins = called - folded, folded.sum(1)
    iteration, low, high = 0, -np.inf, np.inf
    while iteration < MAX_ITERATIONS and high - low > target:
        iteration += 1
        pusher.learn(np.array([wins + difference @ caller.share, given_up]), iteration)
        caller.learn(np.array([-(pusher.share @ called), -(pusher.share @ folded)]), iteration)
        if iteration % JUDGED == 0:
            push, call = pusher.average(), caller.average()
            high = float(np.maximum(wins + difference @ call, given_up).sum())
            low = float((1 - push) @ given_up + np.minimum(push @ called, push @ folded).sum())
    return PushFold(stack, pusher.average(), caller.average(), low, high, iteration)


def largest_stacks() -> tuple[Any, Any]:
    """For each class, the largest stack up to 20 with which it is pushed, and called with, more often than
    not; 0: with none. A few hands are folded with some shorter stacks too, and where a hand is nearly
    indifferent, its stack may be off by a step."""
    mark = digest(CHARTED, STEP, ROUGH, push_fold, _Choice)
    found = computed("push-fold", mark, partial(_chart, STEP))
    return found["push"], found["call"]


def _chart(step: float) -> dict[str, Any]:
    push, call = np.zeros(CLASSES), np.zeros(CLASSES)
    for number in range(round(SHORTEST / step), round(CHARTED / step) + 1):
        found = push_fold(number * step, ROUGH)
        push[found.push > 0.5], call[found.call > 0.5] = found.stack, found.stack
    return {"push": push, "call": call}
