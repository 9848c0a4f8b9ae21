"""Exercises: the null move and ProbCut, which cut on an assumption.

Neither finds the value of minimax, so an answer is compared with that of the search as the lectures write it:
both lie below the window, above it, or they are equal inside it.
"""

from __future__ import annotations

import functools
import json
import math
import random
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from gambito.exercises.exercise import Exercise, Wrong
from gambito.exercises.positions import NUMBER, Position, game_at
from gambito.exercises.trees import SPREAD, random_tree
from gambito.exercises.trial import StudentAnswer, Trial, equal, is_number, with_mistakes, wrong_type
from gambito.words.sentence import Sentence

Search = Callable[..., Any]


def _judge(search: Search) -> Callable[[Position, StudentAnswer], Wrong | None]:
    """An answer is right if it is on the same side of the window as that of the search, or equal."""

    def judge(case: Position, answer: StudentAnswer) -> Wrong | None:
        if not is_number(answer.value):
            return wrong_type(answer.value, NUMBER)
        more, ours = dict(case.more), case.ask(search)
        alpha, beta, right = more["alpha"], more["beta"], ours.value
        if right >= beta:
            is_right, wanted = answer.value >= beta, Sentence("at least beta")
        elif right <= alpha:
            is_right, wanted = answer.value <= alpha, Sentence("at most alpha")
        else:
            is_right, wanted = equal(answer.value, right), Sentence("{}", right)
        if not is_right:
            return Wrong(Sentence("the result must be {}", wanted), gave=answer.value, right=right)
        if answer.leaves > ours.leaves:
            reason = Sentence("leaves looked at: {}; necessary: {}", answer.leaves, ours.leaves)
            return Wrong(reason, "leaves", gave=answer.leaves, right=ours.leaves)
        return None

    return judge


# ---- the null move -------------------------------------------------------------------------------
R = 2  # how many plies a null move saves
TWICE = "a null move may follow a null move"
FULL_DEPTH = "the search after the null move is as deep as that of a real action"
NO_MINUS = "the value after the null move is not negated"
AT_ALPHA = "it cuts when the null move reaches alpha, not beta"
OTHER_WINDOW = "the null move is searched with the whole window"
NEVER_PASSES = "no null move is tried"
BOARD = "othello:size=4"


def _null_move(
    game: Any, state: Any, depth: int, alpha: Any, beta: Any, may_pass: bool, mistake: str = ""
) -> Any:
    """Alpha-beta with a null move, as in the lectures, and a mistake."""
    player = game.player(state)
    if game.is_terminal(state):
        return game.utility(state, player)
    if depth <= 0:
        return game.evaluate(state, player)
    if may_pass and mistake != NEVER_PASSES:
        passed = game.pass_turn(state)
        if passed != state:
            less = depth - 1 if mistake == FULL_DEPTH else depth - R - 1
            high = -alpha if mistake == OTHER_WINDOW else 1 - beta
            value = -_null_move(game, passed, less, -beta, high, mistake == TWICE, mistake)
            value = -value if mistake == NO_MINUS else value
            if value >= (alpha + 1 if mistake == AT_ALPHA else beta):
                return value
    best = -math.inf
    for action in game.actions(state):
        child = game.result(state, action)
        if game.player(child) == player:
            value = _null_move(game, child, depth - 1, alpha, beta, True, mistake)
        else:
            value = -_null_move(game, child, depth - 1, -beta, -alpha, True, mistake)
        best = max(best, value)
        if best >= beta:
            break
        alpha = max(alpha, best)
    return best


@functools.cache
def _boards(count: int = 24, seed: int = 4) -> tuple[str, ...]:
    """Positions of Othello on a small board, those with fewer empty squares first."""
    rng, found = random.Random(seed), set[str]()
    game, first = game_at(BOARD, "")
    while len(found) < count:
        state: Any = first
        for _ in range(rng.randint(5, 11)):
            if game.is_terminal(state):
                break
            state = game.result(state, rng.choice(game.legal(state)))
        if not game.is_terminal(state):
            found.add(game.text(state))
    return tuple(sorted(found, key=lambda text: (text.count("-"), text)))


def _null_cases() -> Sequence[Position]:
    rng = random.Random(8)
    cases = []
    for text in _boards():
        for depth in (3, 4, 5):
            low = rng.randint(-8, 7)
            width = rng.choice((1, 1, 4, 20))
            more = (("depth", depth), ("alpha", low), ("beta", low + width), ("may_pass", True))
            cases.append(Position(BOARD, text, more))
    return sorted(cases, key=lambda case: case.depth)


NULL_MOVE = Exercise(
    name="null-move",
    title="The null move: if even a pass is good enough, some action is too.",
    task="""Write null_move(game, state, depth, alpha, beta, may_pass). It is alpha-beta, and before it \
tries any action it lets the player pass: game.pass_turn(state) is the state with the other player \
to move, or the same state if there is no pass. That state is searched with the null window (beta - \
1, beta) around beta, as the player to move sees it, and three plies less deep: R = 2, and one for \
the pass. If the result reaches beta, it is returned.

may_pass is False right after a null move, and True after every other action. A depth of 0 or less \
is a leaf.""",
    checked="The result beside that of the same search, at positions of Othello on a board of 4×4: \
below the window, above it, or equal inside it; and the leaves.",
    hint="For the opponent the window is (-beta, -beta + 1) and the depth is depth - R - 1.",
    lesson="algorithms/null-move.md",
    start='''"""The null move: if even a pass is good enough, some action is too."""

R = 2


def null_move(game, state, depth, alpha, beta, may_pass):
    """The value for the player to move, if moving is never worse than passing."""
    player = game.player(state)
    if game.is_terminal(state):
        return game.utility(state, player)
    if depth <= 0:
        return game.evaluate(state, player)
    if may_pass:
        passed = game.pass_turn(state)
    return 0


if __name__ == "__main__":
    import gambito

    game = gambito.load("othello:size=4")
    state = game.parse("c4b4a1d4a3a2a4c1")
    print(null_move(game, state, 8, 0, 1, True))
''',
    check=Trial(
        _null_cases,
        _judge(_null_move),
        with_mistakes(_null_move, (TWICE, FULL_DEPTH, NO_MINUS, AT_ALPHA, OTHER_WINDOW, NEVER_PASSES)),
    ),
)


# ---- ProbCut -------------------------------------------------------------------------------------
ONE_SIDE = "only a cut at beta is tried, not one at alpha"
NO_MARGIN = "the bound has no margin for the error of the shallow search"
WRONG_SIDE = (
    "the margin is taken off the bound that it should raise, and added to the one that it should lower"
)
NO_OFFSET = "the offset b is left out"
NO_SLOPE = "the bound is not divided by the slope a"
EVERY_DEPTH = "it is tried at every depth, not only at the one that the model is for"
NEVER_CUTS = "no shallow search is tried"


class Model(NamedTuple):
    """How a shallow search predicts a deep one: v(deep) is about a · v(shallow) + b, with an error sigma."""

    deep: int
    shallow: int
    t: float
    a: float
    b: float
    sigma: float


def _probcut(
    game: Any, state: Any, depth: int, alpha: Any, beta: Any, model: Model, mistake: str = ""
) -> Any:
    """ProbCut as in the lectures, with a mistake."""
    player = game.player(state)
    if game.is_terminal(state):
        return game.utility(state, player)
    if depth == 0:
        return game.evaluate(state, player)
    is_due = depth >= model.deep if mistake == EVERY_DEPTH else depth == model.deep
    if is_due and mistake != NEVER_CUTS:
        offset = 0 if mistake == NO_OFFSET else model.b
        slope = 1 if mistake == NO_SLOPE else model.a
        margin = model.t * model.sigma * {NO_MARGIN: 0, WRONG_SIDE: -1}.get(mistake, 1)
        bound = round((margin + beta - offset) / slope)
        if _probcut(game, state, model.shallow, bound - 1, bound, model, mistake) >= bound:
            return beta
        bound = round((-margin + alpha - offset) / slope)
        if mistake != ONE_SIDE:
            if _probcut(game, state, model.shallow, bound, bound + 1, model, mistake) <= bound:
                return alpha
    best = -math.inf
    for action in game.actions(state):
        child = game.result(state, action)
        if game.player(child) == player:
            value = _probcut(game, child, depth - 1, alpha, beta, model, mistake)
        else:
            value = -_probcut(game, child, depth - 1, -beta, -alpha, model, mistake)
        best = max(best, value)
        if best >= beta:
            break
        alpha = max(alpha, best)
    return best


def _probcut_cases() -> Sequence[Position]:
    rng = random.Random(6)
    cases: list[Position] = []
    while len(cases) < 150:
        tree = random_tree(rng, 4, 3, 1.0, 0.0)
        if not isinstance(tree, dict):
            continue
        low = rng.randint(-SPREAD, SPREAD - 2)
        model = Model(3, 1, rng.choice((0.5, 1.0, 1.5)), rng.choice((0.8, 1.25)), rng.choice((-1, 0, 2)), 1.3)
        more = (("depth", 4), ("alpha", low), ("beta", low + rng.choice((1, 3, 8))), ("model", model))
        cases.append(Position("tree", json.dumps(tree, separators=(",", ":")), more))
    return sorted(cases, key=lambda case: len(case.place))


PROBCUT = Exercise(
    name="probcut",
    title="ProbCut: a shallow search that falls far outside the window saves the deep one.",
    task="""Write probcut(game, state, depth, alpha, beta, model). It is alpha-beta, except at one \
depth, model.deep: there a search of depth model.shallow predicts the result, v(deep) = model.a · \
v(shallow) + model.b, with an error of model.sigma. If the prediction is above beta by model.t times \
sigma, return beta; if it is below alpha by as much, return alpha; otherwise search as usual.

Each of the two questions is a null-window search to model.shallow, with a bound that is rounded to \
a whole number. The window is finite.""",
    checked="The result beside that of the same search, on trees of four plies with static values: \
below the window, above it, or equal inside it; and the leaves.",
    hint="v(deep) >= beta + t · sigma exactly if v(shallow) >= (t · sigma + beta - b) / a.",
    lesson="algorithms/probcut.md",
    start='''"""ProbCut: a shallow search that falls far outside the window saves the deep one."""


def probcut(game, state, depth, alpha, beta, model):
    """The value for the player to move, if the shallow search predicts well."""
    player = game.player(state)
    if game.is_terminal(state):
        return game.utility(state, player)
    if depth == 0:
        return game.evaluate(state, player)
    if depth == model.deep:
        bound = round((model.t * model.sigma + beta - model.b) / model.a)
    return 0


if __name__ == "__main__":
    from collections import namedtuple

    import gambito

    model = namedtuple("Model", "deep shallow t a b sigma")(2, 1, 1.5, 1.0, 0.0, 1.0)
    game = gambito.load("tree")
    print(probcut(game, game.parse("[[3,12,8],[2,4,6],[14,5,2]]"), 2, 0, 10, model))
''',
    check=Trial(
        _probcut_cases,
        _judge(_probcut),
        with_mistakes(
            _probcut, (ONE_SIDE, NO_MARGIN, WRONG_SIDE, NO_OFFSET, NO_SLOPE, EVERY_DEPTH, NEVER_CUTS)
        ),
    ),
)
