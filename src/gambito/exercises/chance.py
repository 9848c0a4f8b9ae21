"""Exercises: expectiminimax and Star1."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from typing import Any

from gambito.exercises.exercise import Exercise, Wrong
from gambito.exercises.minimax import FOR_MOVER, MIN_AS_MAX
from gambito.exercises.positions import Position, judge_bounds, judge_value, positions, value_for_max
from gambito.exercises.trees import SPREAD, size, trees
from gambito.exercises.trial import StudentAnswer, Trial, trying, with_mistakes
from gambito.game.contract import CHANCE
from gambito.words.sentence import Sentence

EVENLY = "outcomes are averaged as if all were equally likely"
AS_MAX = "chance is treated as MAX"
AS_MIN = "chance is treated as MIN"
LIKELIEST = "only the likeliest outcome counts"
SUMMED = "outcomes are added up without their probabilities"
TINY = (
    '{"chance":[[0.5,2],[0.5,4]]}', '{"chance":[["1/4",8],["3/4",-4]]}',
    '[{"chance":[["1/3",3],["2/3",0]]},2]', 'min [{"chance":[["1/4",4],["3/4",0]]},2]',
)  # fmt: skip


def _texts(count: int = 120, seed: int = 8) -> list[str]:
    return sorted({*TINY, *trees(count, seed, chance=0.35)}, key=lambda text: (size(text), text))


def _expectiminimax(game: Any, state: Any, mistake: str = "") -> Any:
    """Expectiminimax with a mistake."""
    player = game.player(state)
    if game.is_terminal(state):
        return game.utility(state, player if mistake == FOR_MOVER else 0)
    if player != CHANCE:
        values = [_expectiminimax(game, game.result(state, a), mistake) for a in game.actions(state)]
        return max(values) if player == 0 or mistake == MIN_AS_MAX else min(values)
    pairs = [(p, _expectiminimax(game, game.result(state, o), mistake)) for o, p in game.chances(state)]
    values = [value for _, value in pairs]
    if mistake == EVENLY:
        return sum(values) / len(values)
    if mistake in (AS_MAX, AS_MIN):
        return (max if mistake == AS_MAX else min)(values)
    if mistake == LIKELIEST:
        return max(pairs, key=lambda pair: pair[0])[1]
    return sum(value if mistake == SUMMED else p * value for p, value in pairs)


EXPECTIMINIMAX = Exercise(
    name="expectiminimax",
    title="Expectiminimax: minimax for games with dice or cards.",
    task="""Write expectiminimax(game, state). It returns the value of the state for MAX: MAX takes \
the highest value, MIN the lowest, and chance, where game.player(state) is -1, takes the expectation \
over game.chances(state), a list of (outcome, probability). An outcome is followed like an action: \
game.result(state, outcome).""",
    checked="The value, on trees with chance nodes of unequal probabilities.",
    hint="The expectation is the sum of each probability times the value of what the outcome leads to.",
    lesson="algorithms/expectiminimax.md",
    start='''"""Expectiminimax: minimax for games with dice or cards."""


def expectiminimax(game, state):
    """The value of the state for MAX, who is player 0."""
    if game.is_terminal(state):
        return game.utility(state, 0)
    return 0


if __name__ == "__main__":
    import gambito

    game = gambito.load("tree")
    print(expectiminimax(game, game.parse('[1, {"chance": [[0.5, 2], [0.5, 4]]}]')))  # 3.0
''',
    check=Trial(
        lambda: positions(_texts(), algorithm="expectiminimax"),
        judge_value(value_for_max),
        with_mistakes(_expectiminimax, (EVENLY, AS_MAX, AS_MIN, LIKELIEST, SUMMED, FOR_MOVER, MIN_AS_MAX)),
    ),
)


# ---- Star1 ---------------------------------------------------------------------------------------
THROUGH = "the window goes through a chance node unchanged"
UNDIVIDED = "the window of an outcome is not divided by its probability"
OPENED = "below a chance node the window is open, so that nothing is cut there"
NO_WINDOW = "nothing is cut at all"
SHARE = 0.95  # of the leaves that alpha-beta needs with open windows below chance nodes


def _star1(game: Any, state: Any, alpha: Any, beta: Any, mistake: str = "") -> Any:
    """Star1 with a mistake."""
    player = game.player(state)
    if game.is_terminal(state):
        return game.utility(state, 0)
    if player != CHANCE:
        best = -math.inf if player == 0 else math.inf
        for action in game.actions(state):
            value = _star1(game, game.result(state, action), alpha, beta, mistake)
            best = max(best, value) if player == 0 else min(best, value)
            if mistake != NO_WINDOW and (best >= beta if player == 0 else best <= alpha):
                break
            alpha, beta = (max(alpha, best), beta) if player == 0 else (alpha, min(beta, best))
        return best
    done, left = 0.0, 1.0
    for outcome, chance in game.chances(state):
        left -= chance
        child = game.result(state, outcome)
        low, high = alpha - done - left * game.highest, beta - done - left * game.lowest
        window = {THROUGH: (alpha, beta), UNDIVIDED: (low, high), OPENED: (-math.inf, math.inf)}
        window[NO_WINDOW] = window[OPENED]
        low, high = window.get(mistake, (low / chance, high / chance))
        value = _star1(game, child, low, high, mistake)
        done += chance * value
        if mistake not in (OPENED, NO_WINDOW, THROUGH):
            if value <= low:
                return done + left * game.highest
            if value >= high:
                return done + left * game.lowest
    return done


def _without_cuts(game: Any, state: Any, alpha: Any, beta: Any) -> Any:
    return _star1(game, state, alpha, beta, OPENED)


def _windows(rng: random.Random, name: str, text: str) -> Iterator[tuple[tuple[str, Any], ...]]:
    yield (("alpha", -math.inf), ("beta", math.inf))
    low = rng.randint(-SPREAD, SPREAD)
    yield (("alpha", low), ("beta", low + rng.randint(1, SPREAD)))


def _judge(case: Position, answer: StudentAnswer) -> Wrong | None:
    return judge_bounds(case, answer, None, value_for_max)


def _cuts(function: Callable[..., Any]) -> Wrong | None:
    """Over the set, there must be fewer leaves than without cuts at chance nodes."""
    taken = without = 0
    for case in positions(_texts(), _windows):
        trying(case.text, case.given)
        taken += case.ask(function).leaves
        without += case.ask(_without_cuts).leaves
    enough = int(SHARE * without)
    if taken <= enough:
        return None
    reason = Sentence("leaves looked at over the set: {}; necessary: {}", taken, enough)
    return Wrong(reason, "leaves", gave=taken, right=enough)


STAR1 = Exercise(
    name="star1",
    title="Star1: alpha-beta through chance nodes.",
    task="""Write star1(game, state, alpha, beta). It returns the value of the state for MAX, as far as it \
lies between alpha and beta; both are MAX's throughout.

A result of at most alpha promises that the true value is at most the result; one of at least beta, \
that it is at least the result; any other is the true value. All values lie between game.lowest and \
game.highest: the value of an outcome that has not been searched lies between them, which gives the \
window in which the next outcome can still matter.""",
    checked="The value with an open window, the promise with random windows; and fewer leaves, over \
the set, than with open windows below chance nodes.",
    hint="With `done` for the outcomes searched and `left` for the probability of those to come, an \
outcome of probability p matters between (alpha - done - left * highest) / p and (beta - done - left * \
lowest) / p.",
    lesson="algorithms/star.md",
    start='''"""Star1: alpha-beta through chance nodes."""

from math import inf


def star1(game, state, alpha, beta):
    """The value of the state for MAX, as far as it lies between alpha and beta."""
    if game.is_terminal(state):
        return game.utility(state, 0)
    return 0


if __name__ == "__main__":
    import gambito

    game = gambito.load("tree")
    print(star1(game, game.parse('[1, {"chance": [[0.5, 2], [0.5, 4]]}]'), -inf, inf))  # 3.0
''',
    check=Trial(
        lambda: positions(_texts(), _windows, algorithm="star1"),
        _judge,
        with_mistakes(_star1, (THROUGH, UNDIVIDED, OPENED, NO_WINDOW)),
        _cuts,
    ),
)
