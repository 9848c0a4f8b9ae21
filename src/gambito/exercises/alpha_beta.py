"""Exercises: alpha-beta and its move ordering."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Callable
from typing import Any

from gambito.exercises.counted import CountedGame
from gambito.exercises.exercise import Exercise, Wrong
from gambito.exercises.minimax import ALL_FOR_MAX, EVERY_PLY, FOR_MAX, FROM_ZERO
from gambito.exercises.positions import (
    Position,
    boards,
    game_at,
    judge_bounds,
    leaves_of,
    positions,
    windows,
)
from gambito.exercises.trees import trees
from gambito.exercises.trial import StudentAnswer, Trial, trying, with_mistakes, wrong_type
from gambito.search.classic.alpha_beta import alpha_beta
from gambito.words.sentence import Sentence

UNTURNED = "the window is passed on unchanged"
NOT_SWAPPED = "alpha and beta change their sign but not their places"
LATE_CUT = "it cuts only if the value is above beta, not if it equals beta"
NO_CUT = "nothing is cut"
NO_RAISE = "alpha is not raised by what was found"
RETURNS_ALPHA = "at a cut it returns alpha"


def _alpha_beta(
    game: Any, state: Any, depth: int, alpha: Any, beta: Any, mistake: str = "", is_hard: bool = False
) -> Any:
    """Alpha-beta with a mistake; if `is_hard`, inner nodes return nothing outside the window (fail-hard)."""
    player = game.player(state)
    side = 0 if mistake == FOR_MAX else player
    if game.is_terminal(state):
        return game.utility(state, side)
    if depth == 0:
        return game.evaluate(state, side)
    best, first = 0 if mistake == FROM_ZERO else -math.inf, alpha
    for action in game.actions(state):
        child = game.result(state, action)
        if game.player(child) == player and mistake != EVERY_PLY:
            value = _alpha_beta(game, child, depth - 1, alpha, beta, mistake, is_hard)
        else:
            turned = {UNTURNED: (alpha, beta), NOT_SWAPPED: (-alpha, -beta)}
            low, high = turned.get(mistake, (-beta, -alpha))
            value = -_alpha_beta(game, child, depth - 1, low, high, mistake, is_hard)
        best = max(best, value)
        if mistake != NO_CUT and (best > beta if mistake == LATE_CUT else best >= beta):
            return first if mistake == RETURNS_ALPHA else beta if is_hard else best
        if mistake != NO_RAISE:
            alpha = max(alpha, best)
    return alpha if is_hard else best


def _hard(game: Any, state: Any, depth: int, alpha: Any, beta: Any, mistake: str = "") -> Any:
    return _alpha_beta(game, state, depth, alpha, beta, mistake, True)


def _for_max(game: Any, state: Any, depth: int, alpha: Any, beta: Any) -> Any:
    """Alpha-beta for MAX and MIN separately; values and windows are MAX's."""
    if game.is_terminal(state):
        return game.utility(state, 0)
    if depth == 0:
        return game.evaluate(state, 0)
    is_max = game.player(state) == 0
    best = -math.inf if is_max else math.inf
    for action in game.actions(state):
        value = _for_max(game, game.result(state, action), depth - 1, alpha, beta)
        best = max(best, value) if is_max else min(best, value)
        alpha, beta = (max(alpha, best), beta) if is_max else (alpha, min(beta, best))
        if alpha >= beta:
            break
    return best


def _enough(case: Position) -> int:
    more = dict(case.more)
    return leaves_of(
        lambda monitor: alpha_beta(case.game, case.state, case.depth, more["alpha"], more["beta"], monitor)
    )


ALPHA_BETA = Exercise(
    name="alpha-beta",
    title="Alpha-beta: the same value as negamax, without the branches that cannot change it.",
    task="""Write alpha_beta(game, state, depth, alpha, beta). It returns the value of the state for the \
player to move, as far as it lies between alpha and beta; alpha and beta are that player's.

A result of at most alpha promises that the true value is at most the result; one of at least beta, that \
it is at least the result; any other is the true value.

Actions are looked at in the order of game.actions(state).""",
    checked="The value with an open window, the promise with random windows, and the leaves: no more \
calls of utility and evaluate than alpha-beta needs.",
    hint="For the other player the window is (-beta, -alpha). Stop as soon as the best value reaches \
beta.",
    lesson="algorithms/alpha-beta.md",
    start='''"""Alpha-beta: the same value as negamax, without the branches that cannot change it."""

from math import inf


def alpha_beta(game, state, depth, alpha, beta):
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
    print(alpha_beta(game, game.parse("[[3,12,8],[2,4,6],[14,5,2]]"), 2, -inf, inf))  # 3
''',
    check=Trial(
        lambda: positions(trees(static=0.3), windows, boards(4), "alpha-beta"),
        lambda case, answer: judge_bounds(case, answer, _enough(case)),
        [
            *with_mistakes(
                _alpha_beta,
                (
                    UNTURNED,
                    NOT_SWAPPED,
                    EVERY_PLY,
                    FOR_MAX,
                    FROM_ZERO,
                    RETURNS_ALPHA,
                    LATE_CUT,
                    NO_RAISE,
                    NO_CUT,
                ),
            ),
            (ALL_FOR_MAX, _for_max),
            *with_mistakes(_hard, (UNTURNED, NOT_SWAPPED, EVERY_PLY, FOR_MAX, LATE_CUT, NO_CUT)),
        ],
    ),
)


# ---- move ordering -------------------------------------------------------------------------------
AS_GIVEN = "the actions stay in the given order"
WORST_FIRST = "the worst action comes first"
ALWAYS_MAX = "the actions of MIN are sorted as those of MAX"
SHARE = 0.9  # the largest allowed share of the leaves in the given order


def ordered_trees(count: int = 40, noise: int = 3, seed: int = 5) -> list[str]:
    """Trees of four plies whose static values are close to the true ones."""
    rng = random.Random(seed)

    def grow(depth: int, is_max: bool) -> tuple[Any, int]:
        if depth == 0:
            value = rng.randint(-20, 20)
            return value, value
        moves = [grow(depth - 1, not is_max) for _ in range(3)]
        value = (max if is_max else min)(value for _, value in moves)
        return {"value": value + rng.randint(-noise, noise), "moves": [move for move, _ in moves]}, value

    return [json.dumps(grow(4, True)[0], separators=(",", ":")) for _ in range(count)]


class _Ordered:
    """A game whose actions come in the order of a student's function."""

    def __init__(self, game: Any, order: Callable[..., Any]) -> None:
        self._game, self._order = game, order

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    def actions(self, state: Any) -> Any:
        return self._order(self._game, state, self._game.legal(state))


def _order(game: Any, state: Any, actions: list[int], mistake: str = "") -> list[int]:
    """Ordering with a mistake."""
    if mistake == AS_GIVEN:
        return list(actions)
    side = 0 if mistake == ALWAYS_MAX else game.player(state)

    def worth(action: int) -> Any:
        child = game.result(state, action)
        return (game.utility if game.is_terminal(child) else game.evaluate)(child, side)

    return sorted(actions, key=worth, reverse=mistake != WORST_FIRST)


class _Choice(Position):
    """A state whose actions must be put in order."""

    @property
    def given(self) -> str:
        return f"actions={self.game.legal(self.state)}"

    def ask(self, function: Callable[..., Any]) -> StudentAnswer:
        game = CountedGame(self.game)
        return StudentAnswer(function(game, self.state, game.actions(self.state)))


def _judge_order(case: Position, answer: StudentAnswer) -> Wrong | None:
    game, state = game_at(case.name, case.place)
    if not isinstance(answer.value, list | tuple):
        return wrong_type(answer.value, "a list of actions")
    legal = game.legal(state)
    if sorted(map(str, answer.value)) == sorted(map(str, legal)):
        return None
    return Wrong("the list does not hold every action once", "rules", gave=list(answer.value), right=legal)


def _fewer_leaves(function: Callable[..., Any]) -> Wrong | None:
    """Over the whole set, the order must save leaves."""
    given = taken = 0
    for text in ordered_trees():
        trying(text)
        game, state = game_at("tree", text)
        inside: Any = _Ordered(game, function)
        given += leaves_of(lambda monitor: alpha_beta(game, state, 4, -math.inf, math.inf, monitor))  # noqa: B023
        taken += leaves_of(lambda monitor: alpha_beta(inside, state, 4, -math.inf, math.inf, monitor))  # noqa: B023
    enough = int(SHARE * given)
    if taken <= enough:
        return None
    reason = Sentence(
        "leaves that alpha-beta looks at over the set: {} in this order, {} in the given one", taken, given
    )
    return Wrong(reason, "value", gave=taken, right=enough)


ORDERING = Exercise(
    name="move-ordering",
    title="Move ordering: the promising actions first, so that alpha-beta cuts more.",
    task="""Write move_ordering(game, state, actions). It returns the same actions as a list, the most \
promising for the player to move first.

Here game.evaluate(child, player) is close to the true value of a state that is not terminal; a \
terminal state has its utility.""",
    checked="Every action must occur once; and over forty trees of four plies, alpha-beta must look at \
a tenth fewer leaves than in the given order.",
    hint="Use sorted(actions, key=…, reverse=True) with the static value of the state that each action \
leads to.",
    lesson="ordering.md",
    start='''"""Move ordering: the promising actions first, so that alpha-beta cuts more."""


def move_ordering(game, state, actions):
    """The same actions, the most promising for the player to move first."""
    return list(actions)


if __name__ == "__main__":
    import gambito

    game = gambito.load("tree")
    state = game.parse("[1,3,2]")
    print(move_ordering(game, state, [0, 1, 2]))  # [1, 2, 0]
''',
    check=Trial(
        lambda: [_Choice("tree", text) for text in trees(30, static=1.0)],
        _judge_order,
        with_mistakes(_order, (AS_GIVEN, WORST_FIRST, ALWAYS_MAX)),
        _fewer_leaves,
    ),
)
