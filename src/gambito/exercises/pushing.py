"""Exercise: push or fold, the best response of the small blind."""

from __future__ import annotations

import random
from typing import Any

from gambito.exercises.exercise import Exercise, Wrong
from gambito.exercises.trial import PlainArguments, StudentAnswer, Trial, shortened, with_mistakes, wrong_type

NEVER_FOLDED = "the big blind is taken to call every time"
FOLD_IS_FREE = "a fold is compared with 0, but it loses the small blind"
EQUITY_ONLY = "the equity is multiplied by the stack, without what is lost when the hand is beaten"
POT_WON = "if the big blind folds, the small blind's own half is counted as won"
EVEN_HANDS = "the hands of the big blind are all taken as equally likely"

Numbers = list[float]


def _push_fold(
    stack: float, equity: list[Numbers], odds: Numbers, call: Numbers, mistake: str = ""
) -> list[bool]:
    """The hands to push, with a mistake."""
    chosen = []
    for row in equity:
        likely = [1 / len(odds)] * len(odds) if mistake == EVEN_HANDS else odds
        worth = 0.0
        for share, p, calls in zip(row, likely, call, strict=True):
            calls = 1.0 if mistake == NEVER_FOLDED else calls
            called = stack * share if mistake == EQUITY_ONLY else stack * (2 * share - 1)
            worth += p * ((1 - calls) * (1.5 if mistake == POT_WON else 1.0) + calls * called)
        chosen.append(worth > (0.0 if mistake == FOLD_IS_FREE else -0.5))
    return chosen


def _judge(case: PlainArguments, answer: StudentAnswer) -> Wrong | None:
    value, right = answer.value, _push_fold(*case.args)
    if not isinstance(value, list) or not all(isinstance(each, bool) for each in value):
        return wrong_type(value, "a list of True and False")
    if len(value) != len(right):
        return Wrong("there must be one answer for each hand", gave=shortened(value), right=right)
    if value == right:
        return None
    return Wrong("the hands to push are wrong", gave=shortened(value), right=right)


def _cases() -> list[PlainArguments]:
    """Random hands; a hand that is nearly indifferent is left out, because of rounding."""
    rng, found = random.Random(29), list[PlainArguments]()
    while len(found) < 120:
        count = rng.choice((1, 2, 2, 3, 4))
        odds = [rng.randint(1, 5) for _ in range(count)]
        args: tuple[Any, ...] = (
            float(rng.choice((1, 2, 3, 5, 8, 10, 15))),
            [[rng.randint(1, 19) / 20 for _ in range(count)] for _ in range(rng.choice((1, 2, 3)))],
            [number / sum(odds) for number in odds],
            [rng.choice((0.0, 0.25, 0.5, 1.0)) for _ in range(count)],
        )
        if _is_clear(*args):
            stack, equity, likely, call = args
            told = f"stack={stack}, equity={equity}, odds={[round(p, 4) for p in likely]}, call={call}"
            found.append(PlainArguments(args, told))
    return sorted(found, key=lambda case: len(case.text))


def _is_clear(stack: float, equity: list[Numbers], odds: Numbers, call: Numbers) -> bool:
    more, less = ([[share + error for share in row] for row in equity] for error in (1e-6, -1e-6))
    return _push_fold(stack, more, odds, call) == _push_fold(stack, less, odds, call)


PUSH_FOLD = Exercise(
    name="push-fold",
    title="Push or fold: which hands the small blind moves all in with.",
    task="""Write push_fold(stack, equity, odds, call) for hold'em heads-up with few chips. The small \
blind has paid a half, the big blind one; each began with stack big blinds. The small blind moves all in or \
folds, and the big blind calls or folds.

equity is a list with a row for each hand of the small blind: row[b] is the share of the pot that it wins \
against the big blind's hand b. odds[b] is the probability of that hand, and call[b] how often it calls. \
Return a list: for each hand of the small blind, True if moving in wins more on average than folding.""",
    checked="The list, for one to three hands against one to four.",
    hint="Folding loses a half. If the big blind folds, the small blind wins one. If it calls, the small \
blind wins the stack as often as its equity says, and loses it otherwise.",
    lesson="holdem.md",
    start='''"""Push or fold: which hands the small blind moves all in with."""


def push_fold(stack, equity, odds, call):
    """For each hand of the small blind, True if moving in wins more than folding."""
    return [True for row in equity]


if __name__ == "__main__":
    equity = [[0.8, 0.5], [0.4, 0.2]]
    print(push_fold(5.0, equity, [0.5, 0.5], [1.0, 1.0]))  # [True, False]
''',
    check=Trial(
        _cases,
        _judge,
        with_mistakes(_push_fold, (NEVER_FOLDED, FOLD_IS_FREE, EQUITY_ONLY, POT_WON, EVEN_HANDS)),
    ),
)
