"""NegaScout: Scout's test inside alpha-beta, in the two forms of the textbooks and in two that cost less.

first       Reinefeld, An improvement to the Scout tree search algorithm (1983): an action that is better than
            expected is searched again from the value that the test returned, but not next to the leaves,
            where that value is exact
second      Reinefeld, Spielbaum-Suchverfahren (1989): leaves get the value of a quiescence search, and the
            second search begins at alpha
shallow     as first, fail-soft: the test returns a better bound, and one ply more needs no second search
quiescence  as second, fail-soft, with the second search from the value of the test
"""

from gambito.native import native
from gambito.search.algorithm import WINDOW, DepthSearch, Option
from gambito.search.classic.leaf import leaf_kind, leaf_value
from gambito.search.classic.quiescence import DEEPEST, quiesce
from gambito.search.task import SearchTask, TaskResult

FORMS = ("first", "second", "shallow", "quiescence")
FIRST, SECOND, SHALLOW, QUIESCENCE = range(len(FORMS))


@native
def negascout(game, state, depth, alpha, beta, form, monitor):
    """The value of the state for the player to move, exact if it lies between alpha and beta.

    result <= alpha:  true value <= result
    result >= beta:   true value >= result
    otherwise:        true value == result
    """
    is_quiet, is_soft = form in (SECOND, QUIESCENCE), form in (SHALLOW, QUIESCENCE)
    if is_quiet and depth == 0:
        return quiesce(game, state, DEEPEST, alpha, beta, monitor)
    hint = monitor.enter(game, state, depth, alpha, beta)
    kind = leaf_kind(game, state, depth, monitor)
    if kind:
        return monitor.leave(depth, leaf_value(game, state, depth, kind, monitor))
    player = game.player(state)
    best = -game.infinity if is_soft else alpha
    high = beta  # of the next test; the first action gets the whole window
    for listed in game.actions(state):
        action = monitor.choose(depth, listed, hint)
        child = game.result(state, action)
        same_player = game.player(child) == player
        if same_player:
            value = negascout(game, child, depth - 1, alpha, high, form, monitor)
        else:
            value = -negascout(game, child, depth - 1, -high, -alpha, form, monitor)
        is_exact = (form == FIRST and depth == 1) or (form == SHALLOW and depth <= 2 and not same_player)
        if alpha < value < beta and high < beta and not is_exact:
            low = alpha if form == SECOND else value
            if same_player:
                value = negascout(game, child, depth - 1, low, beta, form, monitor)
            else:
                value = -negascout(game, child, depth - 1, -beta, -low, form, monitor)
            value = max(value, low)
        if value > best:
            best = value
            if best >= beta:
                monitor.cut(depth, action, best)
                break
            if best > alpha:
                alpha = best
                monitor.best(depth, action, best)
        high = alpha + game.step
    return monitor.leave(depth, best)


def run(task: SearchTask) -> TaskResult:
    form = FORMS.index(task.options["form"])
    return TaskResult(negascout(*task.root, *task.window, form, task.monitor))


ALGORITHM = DepthSearch(
    name="negascout",
    summary="Scout's test inside alpha-beta, re-searching from the value it returned",
    source="Reinefeld 1983, 1989",
    run=run,
    options=(
        Option(
            "form",
            "first",
            "the text of 1983, the text of 1989 with quiescence at the leaves, or either with better bounds",
            choices=FORMS,
        ),
        *WINDOW,
    ),
)
