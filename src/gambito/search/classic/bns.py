"""Best node search: find the best action without its exact value.

Rutko, Fuzzified algorithm for game tree search with statistical and analytical evaluation (2011): a bound
is moved until only one action is above it.
"""

from gambito.game.contract import NO_ACTION
from gambito.native import above, below, native
from gambito.search.algorithm import BOUNDS, WINDOW, DepthSearch
from gambito.search.classic.null_window import is_better
from gambito.search.task import SearchTask, TaskResult


@native
def next_guess(game, low, beta, count):
    """The next bound to test, low <= guess < beta; it is higher if there are more candidates."""
    steps = (beta - low) // game.step
    guess = low + game.step * (steps * (count - 1) // count)
    return min(max(guess, low if count == 1 else above(low, game.step)), below(beta, game.step))


@native
def bns(game, state, depth, low, beta, has_fractions, monitor):
    """The best action and the bounds of its value at the end: (action, low, high, is_known).

    If low <= true value < beta at first, then low <= true value <= high at the end, and no action has a
    better value than the one returned; if the search is stopped, it is one that passed the last test, or
    NO_ACTION if none has passed any. `is_known`: an action has passed a test, so low is known and not only
    assumed. Between two fractions lie too many others to test, so there the bounds move to values that the
    tests returned.
    """
    player = game.player(state)
    best_action, count, better, is_known, goes_on = NO_ACTION, 0, 0, False, True
    for action in game.actions(state):
        if monitor.counts(action):
            best_action = action if count == 0 else best_action
            count += 1
    while goes_on:
        guess = next_guess(game, low, beta, count)
        bar = below(guess, game.step)  # no value lies between the bar and the guess
        hint = monitor.enter(game, state, depth, bar, guess)
        if monitor.is_stopped():
            monitor.halt()
            best_action = best_action if is_known else NO_ACTION
            break
        better, candidate, least, most = 0, best_action, game.infinity, -game.infinity
        for listed in game.actions(state):
            action = monitor.choose(depth, listed, hint)
            if not monitor.counts(action):
                continue
            child = game.result(state, action)
            value = is_better(game, child, depth - 1, bar, game.player(child) == player, monitor)
            if monitor.is_stopped():
                break
            if value > bar:
                better += 1
                candidate, least = action, min(least, value)
            else:
                most = max(most, value)
        if monitor.is_stopped():
            best_action = candidate if better > 0 or is_known else NO_ACTION
        elif better > 0:
            low, count = least if has_fractions else guess, better
            best_action, is_known = candidate, True
        else:
            beta = above(most, game.step) if has_fractions else guess
        monitor.leave(depth, guess if better > 0 else bar)
        goes_on = better != 1 and above(low, game.step) < beta and not monitor.is_stopped()
    return best_action, low, below(beta, game.step), is_known


def run(task: SearchTask) -> TaskResult:
    rules, (alpha, beta) = task.rules, task.window
    given_low, given_high = alpha > -rules.infinity, beta < rules.infinity
    first = alpha if given_low else rules.lowest  # a bound of every action, not only of the best one
    last = beta if given_high else above(rules.bounds(task.state)[1], rules.step)
    action, low, high, is_known = bns(*task.root, first, last, rules.value is float, task.monitor)
    low_known, high_known = not given_low or is_known, not given_high or high < below(last, rules.step)
    low, high = max(low, rules.lowest), min(high, rules.highest)  # the given ends may lie beyond them
    if not low_known and high_known:  # no action is as good as alpha
        return TaskResult(high, high=high, exact=False)
    if not (low_known and high_known):
        return TaskResult(low, action, low=low if low_known else None, exact=False)
    return TaskResult(low, action, low=low, high=high, exact=low == high)


ALGORITHM = DepthSearch(
    name="bns",
    summary="the best action without its exact value: a bound is moved until only one action is above it",
    source="Rutko 2011",
    run=run,
    options=WINDOW,
    holds=BOUNDS,
    chooses=True,
)
