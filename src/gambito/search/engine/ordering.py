"""The order of the engine's actions, and the stages in which it generates them.

With stages, a node tries the table's action first, then the noisy actions, then the quiet ones; most nodes
that cut off never reach the last stage. This works for every game: each action is tried once, noisy or not.
"""

from __future__ import annotations

from gambito.game.contract import MOST_ACTIONS
from gambito.memory.ordering import COUNTER, MERITS, PRIORITY, SKIPPED
from gambito.native import inlined, native
from gambito.search.engine.quiescence import static_value
from gambito.search.monitor import MANY_ACTIONS

NOISY, QUIET = 2, 1  # stages to come
CATCH_WEIGHT = 128 * PRIORITY // MERITS  # the largest merit of a noisy action is worth this much of a hint
ANSWER = MERITS // 8  # what an action gains that answers a threat, as much as a little history
MERIT_RATE = 250  # how much a cut-off is worth for each ply of depth


@native
def rating(game, state, action, ply, player, last, settings, ordering):
    """order, continuation_history, capture_history, threat_ordering: the score of an action, from the game's
    hint and from elsewhere."""
    hint = game.priority(state, action)
    score = hint * PRIORITY
    if settings.order:
        merit = ordering.quiet_score(ply, player, action, last)
        if settings.continuation_history and hint == 0 and merit < COUNTER:
            kind, own = game.action_kind(action), ordering.played(ply - 2)
            if last >= 0:
                merit += ordering.merit(ordering.reply_place(0, player, game.action_kind(last), kind))
            if own >= 0:
                merit += ordering.merit(ordering.reply_place(1, player, game.action_kind(own), kind))
        if settings.threat_ordering and hint == 0 and merit < COUNTER and ordering.threat(ply) >= 0:
            if game.is_answer(state, action, ordering.threat(ply)):
                merit += ANSWER
        score += merit
    if settings.capture_history and hint > 0:
        caught = ordering.merit(ordering.catch_place(player, game.action_kind(action)))
        score = max(score + caught * CATCH_WEIGHT, PRIORITY)
    return score


@native
def learn_order(game, state, ply, player, base, place, last, depth, settings, ordering):
    """history_malus, continuation_history, capture_history: the action at `place` cut off, and the ones from
    `base` to it did not.

    Nothing is known about those that were skipped.
    """
    own, merit = ordering.played(ply - 2), depth * MERIT_RATE
    for at in range(base, place + 1):
        if at < place and ordering.score(at) == SKIPPED:
            continue
        action, change = ordering.data[at], merit if at == place else -merit
        if game.priority(state, action) == 0:
            ordering.reward_place(player, action, change)
            if settings.continuation_history:
                kind = game.action_kind(action)
                if last >= 0:
                    before = game.action_kind(last)
                    ordering.reward_merit(ordering.reply_place(0, player, before, kind), change)
                if own >= 0:
                    before = game.action_kind(own)
                    ordering.reward_merit(ordering.reply_place(1, player, before, kind), change)
            if at == place:
                ordering.keep(ply, player, action, last)
        elif settings.capture_history:
            ordering.reward_merit(ordering.catch_place(player, game.action_kind(action)), change)


@native
def next_stage(game, state, stage, place, ply, player, first, last, settings, ordering, monitor):
    """staged_generation: write the actions of a stage from `place` on, with scores, except `first`; return
    their end."""
    if stage == NOISY:
        end = game.collect_noisy(state, ordering.data, place)
    else:
        end = game.collect_quiet(state, ordering.data, place)
    if end - place > MOST_ACTIONS:
        monitor.give_up(MANY_ACTIONS)
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
