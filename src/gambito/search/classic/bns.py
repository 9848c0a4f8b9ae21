"""Best node search: find the best action without its exact value.

Rutko, Fuzzified algorithm for game tree search with statistical and analytical evaluation (2011): a bound
is moved until only one action is above it.
"""

from gambito.native import native
from gambito.search.algorithm import BOUNDS, DepthSearch
from gambito.search.classic.null_window import is_better
from gambito.search.question import Answer, Question


@native
def next_guess(game, low, high, count):
    """The next bound to test, low < guess <= high; it is higher if there are more candidates."""
    steps = (high - low) // game.step
    return min(low + game.step * max(1, steps * (count - 1) // count), high)


@native
def bns(game, state, depth, watch):
    """The best action and the known bounds of its value: (action, low, high).

    low <= true value <= high, and no action has a better value than the one returned.
    """
    _, high = game.bounds(state)
    low = game.lowest  # a bound of every action, not only of the best one
    player = game.player(state)
    best_action, count, better = -1, 0, 0
    for action in game.actions(state):
        if watch.counts(action):
            best_action = action if count == 0 else best_action
            count += 1
    while better != 1 and count > 1 and low + game.step <= high and not watch.is_stopped():
        guess = next_guess(game, low, high, count)
        bar = guess - game.step  # no value lies between the bar and the guess
        hint = watch.enter(game, state, depth, bar, guess)
        if watch.is_stopped():
            watch.halt()
            break
        better, candidate = 0, best_action
        for listed in game.actions(state):
            action = watch.choose(depth, listed, hint)
            if not watch.counts(action):
                continue
            child = game.result(state, action)
            value = is_better(game, child, depth - 1, bar, game.player(child) == player, watch)
            if value > bar:
                better += 1
                candidate = action
        if not watch.is_stopped():
            if better > 0:
                low, count, best_action = guess, better, candidate
            else:
                high = bar
        watch.leave(depth, guess if better > 0 else bar)
    return best_action, low, high


def run(question: Question) -> Answer:
    action, low, high = bns(*question.root, question.watch)
    return Answer(low, action, low=low, high=high, exact=low == high)


ALGORITHM = DepthSearch(
    name="bns",
    summary="the best action without its exact value: a bound is moved until only one action is above it",
    source="Rutko 2011",
    run=run,
    holds=BOUNDS,
    chooses=True,
)
