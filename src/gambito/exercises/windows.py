"""Exercises: the null window, Scout and principal variation search."""

from __future__ import annotations

import functools
import json
import math
import random
from collections.abc import Callable, Iterator
from typing import Any

from gambito.exercises.alpha_beta import NO_CUT, UNTURNED
from gambito.exercises.exercise import Exercise, Wrong
from gambito.exercises.minimax import EVERY_PLY, FOR_MAX, FOR_MOVER, NO_SIGN
from gambito.exercises.positions import (
    NUMBER,
    Position,
    boards,
    depths,
    judge_bounds,
    judge_value,
    leaves_of,
    positions,
    seen_by,
    takes_turns,
    value_for_max,
    value_of,
    windows,
)
from gambito.exercises.trees import SPREAD, trees
from gambito.exercises.trial import (
    IN_TURN,
    StudentAnswer,
    Trial,
    is_number,
    trying,
    with_mistakes,
    wrong_type,
)
from gambito.search.classic.null_window import null_window
from gambito.search.classic.scout import evaluate as scout
from gambito.words.sentence import Sentence

STEP_LOW = "for the other player the question is -gamma, one step too low"
NO_TEST = "every action is evaluated, without a test before"
TEST_EQUAL = "MIN's test asks for a value above the best, although an equal value is not better either"
RETEST = "the test is the wrong way round for MIN"
ALWAYS_AGAIN = "the null window is followed by a second search even if it has given the answer"
NEVER_AGAIN = "no second search follows when the null window shows a better value"
OPEN_WINDOW = "every action is searched with the whole window"


# ---- the null window -----------------------------------------------------------------------------
def _null_window(game: Any, state: Any, depth: int, gamma: Any, mistake: str = "") -> Any:
    """Null-window search with a mistake."""
    player = game.player(state)
    if game.is_terminal(state):
        return game.utility(state, player)
    if depth == 0:
        return game.evaluate(state, player)
    best = -math.inf
    for action in game.actions(state):
        child = game.result(state, action)
        if game.player(child) == player and mistake != EVERY_PLY:
            value = _null_window(game, child, depth - 1, gamma, mistake)
        else:
            turned = {UNTURNED: gamma, STEP_LOW: -gamma}.get(mistake, 1 - gamma)
            value = _null_window(game, child, depth - 1, turned, mistake)
            value = value if mistake == NO_SIGN else -value
        best = max(best, value)
        if best >= gamma and mistake != NO_CUT:
            break
    return best


def _gammas(rng: random.Random, name: str, text: str) -> Iterator[tuple[tuple[str, Any], ...]]:
    spread = SPREAD if name == "tree" else 1
    for depth in (6, rng.randint(0, 3)):
        yield (("depth", depth), ("gamma", rng.randint(-spread, spread)))


def _judge_null_window(case: Position, answer: StudentAnswer) -> Wrong | None:
    if not is_number(answer.value):
        return wrong_type(answer.value, NUMBER)
    gamma, right = dict(case.more)["gamma"], value_of(case)
    enough = leaves_of(lambda monitor: null_window(case.game, case.state, case.depth, gamma, monitor))
    as_window = Position(
        case.name, case.place, (("depth", case.depth), ("alpha", gamma - 1), ("beta", gamma)), case.algorithm
    )
    wrong = judge_bounds(as_window, answer, enough)
    if wrong is None or wrong.kind != "bound":
        return wrong
    reason = Sentence("the result says: at least gamma, and the true value is {}", right)
    if answer.value < gamma:
        reason = Sentence("the result says: below gamma, and the true value is {}", right)
    if (answer.value >= gamma) == (right >= gamma):
        reason = Sentence("the result is not a bound of the true value, which is {}", right)
    return Wrong(reason, "bound", gave=answer.value, right=right)


NULL_WINDOW = Exercise(
    name="null-window",
    title="The null window: is the value at least gamma?",
    task="""Write null_window(game, state, depth, gamma). It answers one question: is the value for the \
player to move at least gamma? Values are whole numbers.

A result of at least gamma promises that the true value is at least the result; one below gamma, that it \
is at most the result.""",
    checked="The answer and the bound, for random values of gamma; and the leaves: no more than \
alpha-beta with the window (gamma - 1, gamma).",
    hint="The value is at least gamma exactly if, for the other player, it is not at least 1 - gamma.",
    lesson="algorithms/null-window.md",
    start='''"""The null window: is the value at least gamma?"""


def null_window(game, state, depth, gamma):
    """A bound of the value for the player to move: at least gamma, or below it."""
    player = game.player(state)
    if game.is_terminal(state):
        return game.utility(state, player)
    if depth == 0:
        return game.evaluate(state, player)
    return gamma


if __name__ == "__main__":
    import gambito

    game = gambito.load("tree")
    state = game.parse("[[3,12,8],[2,4,6],[14,5,2]]")
    print(null_window(game, state, 2, 3) >= 3, null_window(game, state, 2, 4) >= 4)  # True False
''',
    check=Trial(
        lambda: positions(trees(static=0.3), _gammas, boards(4), "alpha-beta"),
        _judge_null_window,
        with_mistakes(_null_window, (UNTURNED, STEP_LOW, NO_SIGN, EVERY_PLY, NO_CUT)),
    ),
)


# ---- Scout ---------------------------------------------------------------------------------------
def _scout(game: Any, state: Any, depth: int, mistake: str = "") -> Any:
    """Scout with a mistake."""
    leaf = _leaf(game, state, depth, mistake)
    if leaf is not None:
        return leaf
    is_max = game.player(state) == 0
    best = None
    for action in game.actions(state):
        child = game.result(state, action)
        or_equal = not is_max and mistake != TEST_EQUAL
        wanted = not is_max if mistake == RETEST and not is_max else is_max
        if (
            best is None
            or mistake == NO_TEST
            or _test(game, child, depth - 1, best, or_equal, mistake) == wanted
        ):
            value = _scout(game, child, depth - 1, mistake)
            best = value if best is None or mistake != NO_TEST else (max if is_max else min)(best, value)
    return best


def _test(game: Any, state: Any, depth: int, bound: Any, or_equal: bool, mistake: str) -> bool:
    """Is the value for MAX above the bound, or equal to it if `or_equal`?"""
    leaf = _leaf(game, state, depth, mistake)
    if leaf is not None:
        return leaf > bound or (or_equal and leaf == bound)
    is_max = game.player(state) == 0
    for action in game.actions(state):
        if _test(game, game.result(state, action), depth - 1, bound, or_equal, mistake) == is_max:
            return is_max
    return not is_max


def _leaf(game: Any, state: Any, depth: int, mistake: str) -> Any:
    side = game.player(state) if mistake == FOR_MOVER else 0
    if game.is_terminal(state):
        return game.utility(state, side)
    return game.evaluate(state, side) if depth == 0 else None


def few_leaves(
    ours: Callable[[Position], tuple[int, int]], given: tuple[tuple[str, Any], ...]
) -> Callable[[Callable[..., Any]], Wrong | None]:
    """Over well-ordered trees, no more leaves than the package's search, and no more different ones."""

    def overall(function: Callable[..., Any]) -> Wrong | None:
        taken, enough = [0, 0], [0, 0]
        for text in well_ordered():
            case = Position("tree", text, given)
            trying(case.text, case.given)
            answer, best = case.ask(function), ours(case)
            taken = [taken[0] + answer.leaves, taken[1] + answer.seen]
            enough = [enough[0] + best[0], enough[1] + best[1]]
        if taken[1] > enough[1]:
            reason = Sentence(
                "different leaves looked at over the set: {}; necessary: {}", taken[1], enough[1]
            )
            return Wrong(reason, "leaves", gave=taken[1], right=enough[1])
        if taken[0] > enough[0]:
            reason = Sentence("leaves looked at over the set: {}; necessary: {}", taken[0], enough[0])
            return Wrong(reason, "leaves", gave=taken[0], right=enough[0])
        return None

    return overall


@functools.cache
def well_ordered(count: int = 12, seed: int = 1) -> tuple[str, ...]:
    """Trees of four plies and five actions, most of them in order of value."""
    rng = random.Random(seed)

    def grow(depth: int, is_max: bool) -> tuple[Any, int]:
        if depth == 0:
            value = rng.randint(-50, 50)
            return value, value
        moves = sorted(
            (grow(depth - 1, not is_max) for _ in range(5)), key=lambda move: move[1], reverse=is_max
        )
        worth = moves[0][1]
        if rng.random() < 0.1:
            rng.shuffle(moves)
        return [move for move, _ in moves], worth

    return tuple(json.dumps(grow(4, True)[0], separators=(",", ":")) for _ in range(count))


def _scout_leaves(case: Position) -> tuple[int, int]:
    return seen_by(case, lambda game, monitor: scout(game, case.state, case.depth, monitor))


SCOUT = Exercise(
    name="scout",
    title="Scout: test whether an action is better before evaluating it.",
    task="""Write scout(game, state, depth). It returns the value of the state for MAX, looking depth \
plies ahead. The first action is evaluated; each other one is first tested against the best so far, and \
evaluated only if it is better.

Write the test as a separate function: is the value for MAX above a bound (or equal to it)? It stops \
at the first action that decides the answer.""",
    checked="The value at several depths; and the leaves, counted over twelve well ordered trees of four \
plies.",
    hint="For MAX an action is better if its value is above the best; for MIN if it is not above or \
equal to it.",
    lesson="algorithms/scout.md",
    start='''"""Scout: test whether an action is better before evaluating it."""


def test(game, state, depth, bound, or_equal):
    """Is the value for MAX above the bound, or equal to it if or_equal?"""
    return True


def scout(game, state, depth):
    """The value of the state for MAX, looking depth plies ahead."""
    if game.is_terminal(state):
        return game.utility(state, 0)
    if depth == 0:
        return game.evaluate(state, 0)
    return 0


if __name__ == "__main__":
    import gambito

    game = gambito.load("tree")
    print(scout(game, game.parse("[[3,12,8],[2,4,6],[14,5,2]]"), 2))  # 3
''',
    check=Trial(
        lambda: positions(trees(static=0.3), depths, boards(4), "scout"),
        judge_value(value_for_max),
        with_mistakes(_scout, (FOR_MOVER, RETEST, TEST_EQUAL, NO_TEST)),
        few_leaves(_scout_leaves, (("depth", 4),)),
    ),
)


# ---- principal variation search ------------------------------------------------------------------
def _pvs(
    game: Any, state: Any, depth: int, alpha: Any, beta: Any, mistake: str = "", turn: int | None = None
) -> Any:
    """Principal variation search with a mistake; `turn` is the player to move if players take turns."""
    player = turn if mistake == IN_TURN and turn is not None else game.player(state)
    side = 0 if mistake == FOR_MAX else player
    if game.is_terminal(state):
        return game.utility(state, side)
    if depth == 0:
        return game.evaluate(state, side)
    best = -math.inf
    for place, action in enumerate(game.actions(state)):
        child = game.result(state, action)
        same = game.player(child) == player and mistake not in (EVERY_PLY, IN_TURN)

        def ask(low: Any, high: Any, child: Any = child, same: bool = same) -> Any:
            if same:
                return _pvs(game, child, depth - 1, low, high, mistake)
            low, high = (low, high) if mistake == UNTURNED else (-high, -low)
            return -_pvs(game, child, depth - 1, low, high, mistake, 1 - player)

        value = -math.inf
        if place and mistake != OPEN_WINDOW:
            value = ask(alpha, alpha + 1)
        if place == 0 or mistake in (OPEN_WINDOW, ALWAYS_AGAIN) or alpha < value < beta:
            if not place or mistake != NEVER_AGAIN:
                value = ask(alpha, beta)
        best = max(best, value)
        if best >= beta:
            break
        alpha = max(alpha, best)
    return best


def _pvs_leaves(case: Position) -> tuple[int, int]:
    """With a second search from alpha on; one from the answer of the null window on needs no more."""
    answer = case.ask(_pvs)
    return answer.leaves, answer.seen


PVS = Exercise(
    name="pvs",
    title="Principal variation search: the first action with the whole window, the others with a null \
window.",
    task="""Write pvs(game, state, depth, alpha, beta). It promises what alpha-beta promises. The first \
action is searched with the whole window, each other one with the null window (alpha, alpha + 1); only if \
the answer lies between alpha and beta is it searched again.

Values are whole numbers, so that none lies inside a null window.

A function pvs(game, state, depth, alpha, beta, color), as in the lectures, is called with color 1 for MAX \
and -1 for MIN, and checked where the players take turns.""",
    checked="The value with an open window, the promise with random windows; and the leaves, counted \
over twelve well ordered trees of four plies.",
    hint="An answer of at most alpha is a refutation, one of at least beta a cut: neither needs a second \
search.",
    lesson="algorithms/pvs.md",
    start='''"""Principal variation search: the first action with the whole window, the others with a \
null window."""

from math import inf


def pvs(game, state, depth, alpha, beta):
    """The value for the player to move, as far as it lies between alpha and beta."""
    player = game.player(state)
    if game.is_terminal(state):
        return game.utility(state, player)
    if depth == 0:
        return game.evaluate(state, player)
    return 0


if __name__ == "__main__":
    import gambito

    game = gambito.load("tree")
    print(pvs(game, game.parse("[[3,12,8],[2,4,6],[14,5,2]]"), 2, -inf, inf))  # 3
''',
    check=Trial(
        lambda: positions(trees(static=0.3), windows, boards(4), "pvs"),
        lambda case, answer: judge_bounds(case, answer, None),
        with_mistakes(_pvs, (UNTURNED, EVERY_PLY, IN_TURN, FOR_MAX, NEVER_AGAIN, OPEN_WINDOW, ALWAYS_AGAIN)),
        few_leaves(_pvs_leaves, (("depth", 4), ("alpha", -math.inf), ("beta", math.inf))),
        in_turn=takes_turns,
    ),
)
