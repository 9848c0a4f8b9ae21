"""Scout: EVAL finds a value; TEST checks whether another branch is better before EVAL searches it.

Pearl, SCOUT: a simple game-searching algorithm with proven optimal properties (1980). As there, MAX and MIN
have separate rules.
"""

from gambito.native import native
from gambito.search.algorithm import DepthSearch
from gambito.search.classic.leaf import leaf_kind, leaf_value
from gambito.search.question import Answer, Question


@native
def test(game, state, depth, bound, or_equal, watch):
    """Is the value of the state, for MAX, greater than the bound (or equal to it, if `or_equal`)?"""
    is_max = game.player(state) == 0
    low = bound - game.step if or_equal else bound  # the question as a window, for MAX
    hint = watch.enter(game, state, depth, low, low + game.step)
    kind = leaf_kind(game, state, depth, watch)
    if kind:
        value = leaf_value(game, state, depth, kind, watch)
        value = watch.leave(depth, value if is_max else -value)
        return value > bound or (or_equal and value == bound)
    for listed in game.actions(state):
        action = watch.choose(depth, listed, hint)
        answer = test(game, game.result(state, action), depth - 1, bound, or_equal, watch)
        if answer == is_max:  # one good branch is enough for MAX, one bad branch for MIN
            watch.cut(depth, action, low + game.step if answer else low)
            watch.leave(depth, low + game.step if answer else low)
            return answer
    watch.leave(depth, low if is_max else low + game.step)
    return not is_max


@native
def evaluate(game, state, depth, watch):
    """EVAL: the value of the state for MAX.

    result == true value of the tree cut off at `depth`.
    """
    hint = watch.enter(game, state, depth, -game.infinity, game.infinity)
    is_max = game.player(state) == 0
    kind = leaf_kind(game, state, depth, watch)
    if kind:
        value = leaf_value(game, state, depth, kind, watch)
        return watch.leave(depth, value if is_max else -value)
    best = -game.infinity
    is_first = True
    for listed in game.actions(state):
        action = watch.choose(depth, listed, hint)
        child = game.result(state, action)
        if is_first or test(game, child, depth - 1, best, not is_max, watch) == is_max:
            best = evaluate(game, child, depth - 1, watch)
            is_first = False
            watch.best(depth, action, best)
    return watch.leave(depth, best)


def run(question: Question) -> Answer:
    return Answer(question.for_mover(evaluate(*question.root, question.watch)))


ALGORITHM = DepthSearch(
    name="scout",
    summary="test whether a branch is better before evaluating it",
    source="Pearl 1980",
    run=run,
    frame="max",
    windowed=False,
)
