"""Minimax with separate rules for MAX and MIN, as in lectures.

Shannon, Programming a computer for playing chess (1950); Russell & Norvig, Artificial Intelligence, §5.2.
"""

from gambito.native import native
from gambito.search.algorithm import DepthSearch
from gambito.search.classic.leaf import leaf_kind, leaf_value
from gambito.search.question import Answer, Question


@native
def minimax(game, state, depth, watch):
    """The value of the state for MAX (player 0), looking `depth` plies ahead.

    result == true value of the tree cut off at `depth`.
    """
    hint = watch.enter(game, state, depth, -game.infinity, game.infinity)
    is_max = game.player(state) == 0
    kind = leaf_kind(game, state, depth, watch)
    if kind:
        value = leaf_value(game, state, depth, kind, watch)
        return watch.leave(depth, value if is_max else -value)
    best = -game.infinity if is_max else game.infinity
    for listed in game.actions(state):
        action = watch.choose(depth, listed, hint)
        value = minimax(game, game.result(state, action), depth - 1, watch)
        if (is_max and value > best) or (not is_max and value < best):
            best = value
            watch.best(depth, action, value)
    return watch.leave(depth, best)


def run(question: Question) -> Answer:
    return Answer(question.for_mover(minimax(*question.root, question.watch)))


ALGORITHM = DepthSearch(
    name="minimax",
    summary="the whole tree: MAX takes the highest value, MIN the lowest",
    source="Shannon 1950; Russell & Norvig §5.2",
    run=run,
    frame="max",
    windowed=False,
)
