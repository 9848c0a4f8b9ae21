"""NegaScout: Scout's test inside alpha-beta, in the two forms it was published in.

Reinefeld, An improvement to the Scout tree search algorithm (1983), re-searches from the value that the
test returned. It does not re-search next to the leaves, where the test's value is already exact. The form in
textbooks (Reinefeld 1989, Spielbaum-Suchverfahren) ends in a quiescence search instead of a static value.
"""

from gambito.native import native
from gambito.search.algorithm import DepthSearch, Option
from gambito.search.classic.leaf import leaf_kind, leaf_value
from gambito.search.classic.quiescence import DEEPEST, quiesce
from gambito.search.question import Answer, Question

SHALLOW = 2  # plies left: one ply below, a failed test has seen every leaf, so its value is exact


@native
def negascout(game, state, depth, alpha, beta, is_quiet, watch):
    """The value of the state for the player to move, exact if it lies between alpha and beta.

    result <= alpha:  true value <= result
    result >= beta:   true value >= result
    otherwise:        true value == result
    `is_quiet`: leaves get the value of a quiescence search.
    """
    if is_quiet and depth == 0:
        return quiesce(game, state, DEEPEST, alpha, beta, watch)
    hint = watch.enter(game, state, depth, alpha, beta)
    kind = leaf_kind(game, state, depth, watch)
    if kind:
        return watch.leave(depth, leaf_value(game, state, depth, kind, watch))
    player = game.player(state)
    best = -game.infinity
    low, high = alpha, beta  # the window of the next test; the first action gets the whole window
    for listed in game.actions(state):
        action = watch.choose(depth, listed, hint)
        child = game.result(state, action)
        same_player = game.player(child) == player
        if same_player:
            value = negascout(game, child, depth - 1, low, high, is_quiet, watch)
        else:
            value = -negascout(game, child, depth - 1, -high, -low, is_quiet, watch)
        is_exact = high == beta or (not is_quiet and not same_player and depth <= SHALLOW)
        if low < value < beta and not is_exact:
            if same_player:
                value = max(value, negascout(game, child, depth - 1, value, beta, is_quiet, watch))
            else:
                value = max(value, -negascout(game, child, depth - 1, -beta, -value, is_quiet, watch))
        if value > best:
            best = value
            if best >= beta:
                watch.cut(depth, action, best)
                break
            if best > low:
                low = best
                watch.best(depth, action, best)
        high = low + game.step
    return watch.leave(depth, best)


def run(question: Question) -> Answer:
    is_quiet = question.options["form"] == "quiescence"
    return Answer(negascout(*question.root, *question.window, is_quiet, question.watch))


ALGORITHM = DepthSearch(
    name="negascout",
    summary="Scout's test inside alpha-beta, re-searching from the value it returned",
    source="Reinefeld 1983, 1989",
    run=run,
    options=(
        Option(
            "form",
            "shallow",
            "no re-search next to the leaves, or quiescence at the leaves",
            choices=("shallow", "quiescence"),
        ),
    ),
)
