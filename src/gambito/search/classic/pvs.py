"""Principal variation search: the first action is assumed to be the best, and the others are only refuted.

Marsland & Campbell, Parallel search of strongly ordered game trees (1982).
"""

from gambito.native import native
from gambito.search.algorithm import DepthSearch
from gambito.search.classic.leaf import leaf_kind, leaf_value
from gambito.search.classic.null_window import is_better
from gambito.search.question import Answer, Question


@native
def pvs(game, state, depth, alpha, beta, watch):
    """The value of the state for the player to move, exact if it lies between alpha and beta.

    result <= alpha:  true value <= result
    result >= beta:   true value >= result
    otherwise:        true value == result
    """
    hint = watch.enter(game, state, depth, alpha, beta)
    kind = leaf_kind(game, state, depth, watch)
    if kind:
        return watch.leave(depth, leaf_value(game, state, depth, kind, watch))
    player = game.player(state)
    best = -game.infinity
    is_first = True
    for listed in game.actions(state):
        action = watch.choose(depth, listed, hint)
        child = game.result(state, action)
        same_player = game.player(child) == player
        value = best
        if not is_first:
            value = is_better(game, child, depth - 1, alpha, same_player, watch)
        if is_first or alpha < value < beta:
            if same_player:
                value = pvs(game, child, depth - 1, alpha, beta, watch)
            else:
                value = -pvs(game, child, depth - 1, -beta, -alpha, watch)
        is_first = False
        if value > best:
            best = value
            if best >= beta:
                watch.cut(depth, action, best)
                break
            if best > alpha:
                alpha = best
                watch.best(depth, action, best)
    return watch.leave(depth, best)


def run(question: Question) -> Answer:
    return Answer(pvs(*question.root, *question.window, question.watch))


ALGORITHM = DepthSearch(
    name="pvs",
    summary="the first action with the whole window, the others with a null window",
    source="Marsland & Campbell 1982",
    run=run,
)
