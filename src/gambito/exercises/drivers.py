"""Exercises: MTD(f) and best node search, which ask a null-window search again and again."""

from __future__ import annotations

import dataclasses
import math
import random
from collections.abc import Callable, Iterable
from typing import Any

from gambito.exercises.counted import TooManySteps
from gambito.exercises.exercise import Exercise, Wrong
from gambito.exercises.trial import StudentAnswer, Trial, is_number, trying, with_mistakes, wrong_type
from gambito.words.sentence import Sentence

MOST_ASKED = 400
SPREAD = 30
CASES = 120


# ---- MTD(f) --------------------------------------------------------------------------------------
NO_GUESS = "it begins at 0, whatever the first guess is"
ONE_TEST = "it stops after the first search, whose answer is only a bound"
STEP_BY_STEP = "the next window is one step further, not at the answer"
LAST_WINDOW = "it returns the last beta, not the last answer"
WIDE_WINDOW = "a window is wider than a null window"


@dataclasses.dataclass(frozen=True)
class Bounded:
    """A value that only null-window searches find; some answers are bounds that are not tight."""

    value: int
    slack: int  # how far an answer may be from the value
    first: int

    @property
    def text(self) -> str:
        return Sentence("a tree of value {}", self.value)

    @property
    def given(self) -> str:
        return f"first={self.first}"

    def ask(self, function: Callable[..., Any]) -> StudentAnswer:
        asked: list[tuple[Any, Any]] = []

        def search(alpha: Any, beta: Any) -> int:
            asked.append((alpha, beta))
            if len(asked) > MOST_ASKED:
                raise TooManySteps(
                    Sentence("it calls search more than {} times and does not end", MOST_ASKED)
                )
            if not is_number(alpha) or not is_number(beta):
                raise ValueError(Sentence("a window is two numbers, not {} and {}", repr(alpha), repr(beta)))
            if self.value >= beta:
                return max(math.ceil(beta), self.value - self.slack)
            return min(math.floor(alpha), self.value + self.slack) if self.value <= alpha else self.value

        value = function(search, self.first)
        return StudentAnswer((value, tuple(asked)), len(asked))

    def smaller(self) -> Iterable[Bounded]:
        if self.slack:
            yield dataclasses.replace(self, slack=0)
        for name in ("value", "first"):
            number = getattr(self, name)
            if number:
                yield dataclasses.replace(self, **{name: number - (1 if number > 0 else -1)})

    def shown(self) -> tuple[str, str]:
        return "", ""


def _mtd_f(search: Callable[[Any, Any], int], first: int, mistake: str = "") -> Any:
    """MTD(f) with a mistake."""
    found, low, high = 0 if mistake == NO_GUESS else first, -math.inf, math.inf
    beta = found
    while low < high:
        beta = found + 1 if found == low else found
        alpha = beta - 2 if mistake == WIDE_WINDOW else beta - 1
        found = search(alpha, beta)
        if found < beta:
            high = found
            if mistake == STEP_BY_STEP:
                found = beta - 1 if low < high else found
        else:
            low = found
            if mistake == STEP_BY_STEP and low < high:
                found, low = beta, beta
        if mistake == ONE_TEST:
            break
    return beta if mistake == LAST_WINDOW else found


def _judge_mtd_f(case: Bounded, answer: StudentAnswer) -> Wrong | None:
    value, asked = answer.value
    if not is_number(value):
        return wrong_type(value, "a number")
    for alpha, beta in asked:
        if beta - alpha != 1:
            reason = Sentence("the window ({}, {}) is not a null window", alpha, beta)
            return Wrong(reason, "leaves", gave=str((alpha, beta)))
    if value != case.value:
        return Wrong("the value is wrong", gave=value, right=case.value)
    enough = case.ask(_mtd_f).leaves
    if answer.leaves > enough:
        reason = Sentence("searches: {}; necessary: {}", answer.leaves, enough)
        return Wrong(reason, "leaves", gave=answer.leaves, right=enough)
    return None


def _bounded() -> list[Bounded]:
    rng = random.Random(3)
    cases = [Bounded(0, 0, 0), Bounded(1, 0, 1), Bounded(3, 0, 0), Bounded(-2, 0, 0)]
    cases += [
        Bounded(rng.randint(-SPREAD, SPREAD), rng.randint(0, 6), rng.randint(-SPREAD, SPREAD))
        for _ in range(CASES)
    ]
    return sorted(cases, key=lambda case: abs(case.value - case.first))


MTD_F = Exercise(
    name="mtd-f",
    title="MTD(f): the value from null-window searches alone, beginning at a guess.",
    task="""Write mtd_f(search, first). search(alpha, beta) is alpha-beta with memory, from the root and \
to a fixed depth; it may only be called with null windows, beta = alpha + 1. An answer below beta is \
an upper bound of the value, one of at least beta a lower bound. Begin at the first guess, and \
return the value when the bounds meet.

Values are whole numbers. Each window lies at the last answer.""",
    checked="The value, the windows, and the number of searches, for many values and first guesses.",
    hint="If the last answer is the lower bound, the next beta is one step above it; else it is the answer \
itself.",
    lesson="algorithms/mtd-f.md",
    start='''"""MTD(f): the value from null-window searches alone, beginning at a guess."""

from math import inf


def mtd_f(search, first):
    """The value that null-window searches find."""
    lower, upper = -inf, inf
    return first


if __name__ == "__main__":

    def search(alpha, beta):
        """A tree of value 5."""
        return beta if 5 >= beta else alpha

    print(mtd_f(search, 3))  # 5
''',
    check=Trial(
        _bounded,
        _judge_mtd_f,
        with_mistakes(_mtd_f, (NO_GUESS, ONE_TEST, STEP_BY_STEP, LAST_WINDOW, WIDE_WINDOW)),
    ),
)


# ---- best node search ----------------------------------------------------------------------------
FIRST_BETTER = "it takes the first child that passes a test, although others pass too"
HIGH_KEPT = "beta is not lowered when no child passes"
LOW_KEPT = "alpha is not raised when several children pass"
ALL_COUNTED = "the guess always counts all children, not those that passed last"
NEAR_ENOUGH = "it stops although the range still holds a value that separates them"


@dataclasses.dataclass(frozen=True)
class Siblings:
    """The values of a node's children, and a range that holds the best of them."""

    values: tuple[int, ...]
    alpha: int
    beta: int

    @property
    def text(self) -> str:
        return Sentence("children of values {}", ", ".join(map(str, self.values)))

    @property
    def given(self) -> str:
        return f"alpha={self.alpha}, beta={self.beta}"

    def ask(self, function: Callable[..., Any]) -> StudentAnswer:
        asked = 0

        def better(child: Any, test: Any) -> bool:
            nonlocal asked
            asked += 1
            if asked > MOST_ASKED:
                raise TooManySteps(
                    Sentence("it calls better more than {} times and does not end", MOST_ASKED)
                )
            if child not in range(len(self.values)):
                raise ValueError(
                    Sentence("a child is a number from 0 to {}, not {}", len(self.values) - 1, repr(child))
                )
            return self.values[child] >= test

        return StudentAnswer(function(len(self.values), better, self.alpha, self.beta), asked)

    def smaller(self) -> Iterable[Siblings]:
        if len(self.values) > 2:
            for place in range(len(self.values)):
                rest = self.values[:place] + self.values[place + 1 :]
                yield dataclasses.replace(self, values=rest)
        if self.alpha < min(self.values) - 1:
            yield dataclasses.replace(self, alpha=self.alpha + 1)
        if self.beta > max(self.values) + 1:
            yield dataclasses.replace(self, beta=self.beta - 1)

    def shown(self) -> tuple[str, str]:
        return "", ""


def _bns(count: int, better: Callable[[int, Any], bool], alpha: Any, beta: Any, mistake: str = "") -> Any:
    """Best node search with a mistake; a loop that would not end is ended."""
    best, left = 0, count
    for _ in range(MOST_ASKED // count):
        parts = count if mistake == ALL_COUNTED else left
        test = alpha + (beta - alpha) * (parts - 1) / parts
        passed = [child for child in range(count) if better(child, test)]
        if passed:
            best = passed[0] if mistake == FIRST_BETTER else passed[-1]
            if mistake != LOW_KEPT:
                alpha = test
            if len(passed) > 1:
                left = len(passed)
        elif mistake != HIGH_KEPT:
            beta = test
        is_near = beta - alpha < (len(passed) + 6 if mistake == NEAR_ENOUGH else 1)
        if len(passed) == 1 or is_near or (passed and mistake == FIRST_BETTER):
            break
    return best


def _judge_bns(case: Siblings, answer: StudentAnswer) -> Wrong | None:
    if isinstance(answer.value, bool) or answer.value not in range(len(case.values)):
        return wrong_type(answer.value, "the number of a child")
    if case.values[answer.value] != max(case.values):
        value, best = case.values[answer.value], max(case.values)
        reason = Sentence("the child {} is worth {}, and the best {}", answer.value, value, best)
        return Wrong(reason, gave=answer.value, right=case.values.index(best))
    return None


def _few_tests(function: Callable[..., Any]) -> Wrong | None:
    """Over all cases, hardly more tests than ours: whoever asks with other guesses may be lucky or not."""
    taken = enough = 0
    for case in _siblings():
        trying(case.text, case.given)
        taken, enough = taken + case.ask(function).leaves, enough + case.ask(_bns).leaves
    most = enough + enough // SLACK
    if taken <= most:
        return None
    reason = Sentence("tests over the set: {}; necessary: {}", taken, enough)
    return Wrong(reason, "leaves", gave=taken, right=enough)


SLACK = 20  # a twentieth more tests are accepted


def _siblings() -> list[Siblings]:
    rng = random.Random(5)
    cases = [
        Siblings((1, 3), 0, 4),
        Siblings((3, 1), 0, 4),
        Siblings((2, 2), 0, 4),
        Siblings((0, 5, 9), 0, 10),
    ]
    for _ in range(CASES):
        values = tuple(rng.randint(-SPREAD, SPREAD) for _ in range(rng.randint(2, 6)))
        cases.append(Siblings(values, -SPREAD - 1, SPREAD + 1))
    return sorted(cases, key=lambda case: (len(case.values), case.beta - case.alpha))


BNS = Exercise(
    name="bns",
    title="Best node search: find the best child without finding its value.",
    task="""Write bns(count, better, alpha, beta). A node has count children; better(child, test) says \
whether the value of a child is at least test, at the cost of a null-window search. The best value \
lies between alpha and beta. Return the number of the best child; of several equal ones, any.

Test all children with a guess that should separate the best from the rest. If exactly one passes, \
it is the best. If several pass, the best value is at least the guess; if none passes, it is below \
it.""",
    checked="The child, for many values; and the number of tests, over all of them together.",
    hint="The next guess is alpha + (beta - alpha) * (n - 1) / n, where n is the number of children that \
passed last, at first all. Stop as well when the range is narrower than one step: then they are equal.",
    lesson="algorithms/bns.md",
    start='''"""Best node search: find the best child without finding its value."""


def bns(count, better, alpha, beta):
    """The number of the best child."""
    return 0


if __name__ == "__main__":
    values = [3, 8, 5]
    print(bns(3, lambda child, test: values[child] >= test, 0, 10))  # 1
''',
    check=Trial(
        _siblings,
        _judge_bns,
        with_mistakes(_bns, (FIRST_BETTER, HIGH_KEPT, LOW_KEPT, ALL_COUNTED, NEAR_ENOUGH)),
        _few_tests,
    ),
)
