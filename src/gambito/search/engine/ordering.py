"""The order of the engine's actions, and the stages in which it generates them.

With stages, a node tries the table's action first, then the noisy actions, then the quiet ones; most nodes
that cut off never reach the last stage. This works for every game: each action is tried once, noisy or not.
"""

from __future__ import annotations

from gambito.game.contract import MOST_ACTIONS
from gambito.memory.ordering import PRIORITY
from gambito.native import inlined, native
from gambito.search.engine.quiescence import static_value
from gambito.search.watch import MANY_ACTIONS

NOISY, QUIET = 2, 1  # stages to come


@native
def rating(game, state, action, ply, player, last, settings, ordering):
    """order: the score of an action, from the game's hint and from what happened elsewhere."""
    score = game.priority(state, action) * PRIORITY
    if settings.order:
        score += ordering.quiet_score(ply, player, action, last)
    return score


@native
def next_stage(game, state, stage, place, ply, player, first, last, settings, ordering, watch):
    """staged: write the actions of a stage from `place` on, with scores, except `first`; return their end."""
    if stage == NOISY:
        end = game.collect_noisy(state, ordering.data, place)
    else:
        end = game.collect_quiet(state, ordering.data, place)
    if end - place > MOST_ACTIONS:
        watch.give_up(MANY_ACTIONS)
        return place
    free = place
    for at in range(place, end):
        action = ordering.data[at]
        if action != first:
            ordering.data[free] = action
            ordering.rate(free, rating(game, state, action, ply, player, last, settings, ordering))
            free += 1
    return free


@inlined
def keep_best(game, state, player, ply, base, end, settings, ordering):
    """n_best: keep the actions that look best without a search; return the end of the list."""
    for place in range(base, end):
        child = game.result(state, ordering.data[place])
        ordering.rate(place, static_value(game, child, player, ply + 1, settings.scale))
    for place in range(base, base + settings.n_best):
        ordering.next_move(place, end)
    return base + settings.n_best
