"""The engine's decisions about depth: may a node or an action be cut off, reduced or extended?

Each one is a pure function that returns a number or a truth value; only the search itself recurses.
"""

from __future__ import annotations

import math

from gambito.memory.ordering import COUNTER, LATER, MERITS, PRIORITY
from gambito.memory.table import LOWER, bound_of, depth_of
from gambito.native import inlined, int64

NULL_DEPTH = 3  # below this depth a null move saves nothing
VERIFY_DEPTH = 10  # from this depth on, every cut by a null move is verified
SINGULAR_DEPTH = 6  # below this depth the search without the first action costs more than it gains
SINGULAR_PART = 4  # the margin of a singular action is this part of the option for each ply
SINGULAR_BEHIND = 3  # the most plies that the table's entry may be less deep
REDUCE_DEPTH, REDUCE_AFTER = 3, 3  # reductions begin at this depth, and after this many actions
STATIC_DEPTH, LATE_DEPTH, LOSING_DEPTH = 8, 8, 4  # the deepest nodes that these techniques cut
RAZOR_DEPTH = 6  # and this one
EXCHANGE_DEPTH = 8  # and this one
NOISY_DEPTH, NOISY_LESS = (
    5,
    4,
)  # noisy_probcut: the least depth, and how many plies less the action is searched
MOST_NULL_VALUE = 3  # the most plies that a high static value takes from the search after a pass
ERROR_RATE = 64  # how slowly errors of the static value are learned
MERIT_STEP = MERITS // 2  # this much history is worth one ply in the reduction of a late action


@inlined
def is_far_above(game, settings, standing, depth, beta, scale):
    """reverse_futility: is the static value above beta by a margin for each ply? Won games are not cut
    off."""
    proven = (game.highest - 1) * scale
    return standing - settings.reverse_futility * depth * scale >= beta and -proven < beta < proven


@inlined
def is_far_below(settings, standing, depth, alpha, scale):
    """razoring: is the static value so far below alpha that only noisy actions could help?"""
    return standing + settings.razoring * (2 * depth * depth + 3) // 2 * scale < alpha


@inlined
def null_depth(settings, depth, above, scale):
    """null_move, null_move_growth, null_move_by_value: the depth of the search after a pass."""
    less = depth - 1 - settings.null_move
    if settings.null_move_growth:
        less -= depth // settings.null_move_growth
    if settings.null_move_by_value:
        less -= min(above // (settings.null_move_by_value * scale), int64(MOST_NULL_VALUE))
    return less


@inlined
def is_singular_likely(entry, depth):
    """singular_extension: is the entry deep enough and a lower bound, so that its action may be the only good
    one?"""
    return bound_of(entry) & LOWER != 0 and depth_of(entry) >= depth - SINGULAR_BEHIND


@inlined
def extension(game, child, settings, is_forced, is_singular):
    """one_reply_extension, check_extension, singular_extension: how many more plies an action is searched."""
    if settings.one_reply_extension and is_forced:
        return int64(1)
    if settings.check_extension and game.is_urgent(child):
        return int64(1)
    return int64(1) if settings.singular_extension and is_singular else int64(0)


@inlined
def is_futile(settings, standing, depth, alpha, scale):
    """futility: is the state so bad that no quiet action can reach alpha?"""
    return depth <= settings.futility_depth and standing + settings.futility * depth * scale <= alpha


@inlined
def is_hopeless(settings, number, score, depth, is_improving):
    """late_move_pruning, losing_pruning: is an action of this number and score not worth a search so near to
    the horizon?"""
    if settings.late_move_pruning and depth <= LATE_DEPTH:
        most = settings.late_move_pruning + depth * depth
        if settings.improving and not is_improving:
            most //= 2
        if number >= most:
            return True
    if settings.losing_pruning and not settings.see_pruning and depth <= LOSING_DEPTH:
        return LATER < score <= -PRIORITY
    return False


@inlined
def loses_too_much(game, state, action, settings, depth):
    """see_pruning: does an action lose more by exchanges than the depth can win back?"""
    return game.exchange_value(state, action) < -settings.see_pruning * depth


@inlined
def reduction(settings, number, score, depth, steepness, is_null, is_threatened, is_improving):
    """late_move_reductions, reduction_scale: how many plies less deep a late action is searched at first."""
    if settings.reduction_scale:
        if depth < REDUCE_DEPTH or is_threatened:
            return int64(0)
        less = steepness * math.log(number + 1)
        less -= int64(not is_null) + int64(score >= COUNTER)
        if settings.improving:
            less += int64(not is_improving)
        if settings.history_malus and -PRIORITY < score < COUNTER:
            less -= score / MERIT_STEP
        return max(int64(less), int64(0))
    return int64(depth >= REDUCE_DEPTH and number >= REDUCE_AFTER)


@inlined
def corrected(game, settings, ordering, error_at, static, scale):
    """correction_history: a static value with its learned error; it stays below that of a finished game."""
    error = ordering.merit(error_at) * settings.correction_history // MERITS
    most = max(game.highest - 1, 0) * scale
    least = min(game.lowest + 1, 0) * scale
    return min(max(static + error * scale, least), most)


@inlined
def learn_error(settings, ordering, error_at, best, standing, depth, scale):
    """correction_history: a search has shown the value of a state; its static value should have been nearer
    to it."""
    error = (best - standing) // scale
    ordering.reward_merit(error_at, error * depth * MERITS // (settings.correction_history * ERROR_RATE))
