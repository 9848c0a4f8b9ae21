"""Exercise: quiescence, on trees in which moves that begin with `x` are captures."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Iterator
from typing import Any

from gambito.exercises.alpha_beta import NO_CUT, UNTURNED
from gambito.exercises.exercise import Exercise, Wrong
from gambito.exercises.minimax import FOR_MAX, NO_SIGN
from gambito.exercises.positions import DEEPEST, Position, judge_bounds, leaves_of
from gambito.exercises.trees import SPREAD, random_tree, size, split
from gambito.exercises.trial import StudentAnswer, Trial, with_mistakes
from gambito.search.classic.quiescence import quiesce
from gambito.search.monitor import Monitor, new_monitor

NO_STAND_PAT = "the player must capture and cannot stand pat"
ALL_ACTIONS = "all actions are followed, not only the noisy ones"
STATIC_ONLY = "no capture is followed"


class Captures:
    """A tree in which moves that begin with `x` are noisy."""

    def __init__(self, game: Any) -> None:
        self._game = game

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    def noisy(self, state: Any) -> Iterator[int]:
        return (place for place, name in enumerate(state.names) if name.startswith("x"))


def _quiescence(game: Any, state: Any, alpha: Any, beta: Any, mistake: str = "") -> Any:
    """Quiescence with a mistake."""
    player = game.player(state)
    side = 0 if mistake == FOR_MAX else player
    if game.is_terminal(state):
        return game.utility(state, side)
    best = game.evaluate(state, side)
    followed = game.actions(state) if mistake == ALL_ACTIONS else game.noisy(state)
    if mistake == STATIC_ONLY:
        return best
    if mistake == NO_STAND_PAT and followed:
        best = -math.inf
    if best >= beta and mistake != NO_CUT:
        return best
    for action in followed:
        child = game.result(state, action)
        low = max(alpha, best)
        if game.player(child) == player:
            value = _quiescence(game, child, low, beta, mistake)
        else:
            window = (low, beta) if mistake == UNTURNED else (-beta, -low)
            value = _quiescence(game, child, *window, mistake)
            value = value if mistake == NO_SIGN else -value
        best = max(best, value)
        if best >= beta and mistake != NO_CUT:
            break
    return best


def _named(rng: random.Random, tree: Any) -> Any:
    """The tree with names for its moves; half of them are captures."""
    if isinstance(tree, int):
        return tree
    words = tree if isinstance(tree, dict) else {"moves": tree}
    names = (f"{'x' if rng.random() < 0.5 else ''}{'abcd'[place]}" for place in range(4))
    return {**words, "moves": {name: _named(rng, move) for name, move in zip(names, words["moves"])}}


def _cases() -> list[Position]:
    rng = random.Random(6)
    texts = {"4", "min -3", '{"value":1,"moves":{"xa":3}}', '{"value":1,"moves":{"a":3}}'}
    texts |= {'min {"value":2,"moves":{"xa":3,"xb":-1}}', '{"value":2,"moves":{"xa":-1,"b":5}}'}
    while len(texts) < 120:
        tree = _named(rng, random_tree(rng, rng.randint(1, 4), 3, 1.0, 0.0))
        texts.add(("min " if rng.random() < 0.3 else "") + json.dumps(tree, separators=(",", ":")))
    cases = []
    for text in sorted((t for t in texts if _is_valued(split(t)[1])), key=lambda t: (size(t), t)):
        low = rng.randint(-SPREAD, SPREAD)
        for alpha, beta in ((-math.inf, math.inf), (low, low + rng.randint(1, 6))):
            cases.append(Position("tree", text, (("alpha", alpha), ("beta", beta)), "", Captures))
    return cases


def _is_valued(tree: Any) -> bool:
    return isinstance(tree, int | dict)


def _quiet(case: Position) -> Any:
    return quiesce(
        case.game, case.state, DEEPEST, -math.inf, math.inf, new_monitor(Monitor, "python", DEEPEST)
    )


def _judge(case: Position, answer: StudentAnswer) -> Wrong | None:
    more = dict(case.more)
    enough = leaves_of(
        lambda monitor: quiesce(case.game, case.state, DEEPEST, more["alpha"], more["beta"], monitor)
    )
    return judge_bounds(case, answer, enough, _quiet)


QUIESCENCE = Exercise(
    name="quiescence",
    title="Quiescence: do not evaluate a state in the middle of an exchange.",
    task="""Write quiescence(game, state, alpha, beta), which a search calls at its horizon instead of \
evaluate. It returns the value for the player to move, as far as it lies between alpha and beta, when \
only noisy actions are followed.

The player may stand pat: the static value, game.evaluate(state, player), is a lower bound of the \
value. game.noisy(state) lists the actions to follow. The value of a terminal state is its \
utility.""",
    checked="The value with an open window, the promise of alpha-beta with random windows, and the \
leaves: no more calls of utility and evaluate than necessary. In the trees, moves that begin with x \
are noisy.",
    hint="Begin with the static value as the best so far; if it reaches beta, no action need be searched.",
    lesson="algorithms/quiescence.md",
    start='''"""Quiescence: do not evaluate a state in the middle of an exchange."""


def quiescence(game, state, alpha, beta):
    """The value for the player to move when only noisy actions are followed."""
    player = game.player(state)
    if game.is_terminal(state):
        return game.utility(state, player)
    best = game.evaluate(state, player)
    return best
''',
    check=Trial(
        _cases,
        _judge,
        with_mistakes(
            _quiescence, (STATIC_ONLY, NO_STAND_PAT, ALL_ACTIONS, FOR_MAX, NO_SIGN, UNTURNED, NO_CUT)
        ),
    ),
)
