"""How the engine uses the transposition table: keys, depths, and the entries of children."""

from __future__ import annotations

from gambito.game.contract import NO_ACTION
from gambito.memory.table import (
    LARGEST_VALUE,
    LOWER,
    UPPER,
    action_of,
    bound_of,
    depth_of,
    rests_of,
    value_of,
)
from gambito.native import inlined, int64, native, uint64
from gambito.search.engine.mate_distance import relative

TABLES = ("off", "same-depth", "as-deep")  # which entries of the table may end a search
AS_DEEP = TABLES.index("as-deep")


@native
def key_and_view(game, state, depth, settings):
    """symmetry: the key of a state in the table, and the number of the symmetry it belongs to (0: none).

    banked: states that differ only in points already won have the same key.
    """
    if settings.banked:
        state = game.unbanked(state)
    key, view = uint64(game.key(state)), int64(0)
    if settings.symmetry and depth >= settings.symmetry:
        number = int64(0)
        for other in game.symmetries(state):
            number += 1
            if uint64(game.key(other)) < key:
                key, view = uint64(game.key(other)), number
    return key, view


@inlined
def lead(game, state, player, settings):
    """banked: how many more points than the other that player has won already; the table leaves them out."""
    if settings.banked:
        return int64(game.banked(state, player) - game.banked(state, 1 - player))
    return int64(0)


def entry_action(game, entry, view):
    """The action of an entry, turned back to the state's own view; NO_ACTION if it has none."""
    action = action_of(entry)
    if view == 0 or action == NO_ACTION:
        return action
    return game.turn(action, view, True)


def is_deep_enough(settings, entry, depth):
    """table: may an entry replace a search to this depth?"""
    kept = depth_of(entry)
    return kept == depth or (kept > depth and settings.table == AS_DEEP)


@inlined
def refined(entry, standing, value):
    """table_as_static: the static value, or the table's value where its bound says that it is nearer to the
    truth."""
    kind = bound_of(entry)
    if (value > standing and kind & LOWER) or (value < standing and kind & UPPER):
        return value
    return standing


@inlined
def look_at_children(game, state, depth, alpha, beta, ply, base, end, left_out, context):
    """etc (enhanced transposition cutoff): does the table have a child that cuts off?

    Return the end of the list, the best known value and its action. The value is at least beta if a child
    cuts off. Children known to be worth at most alpha are removed from the list.
    """
    settings, table = context.settings, context.table
    ordering = context.ordering
    player = game.player(state)
    best, best_action, free = -LARGEST_VALUE, int64(NO_ACTION), base
    for place in range(base, end):
        action = ordering.data[place]
        child = game.result(state, action)
        key, _ = key_and_view(game, child, depth - 1, settings)
        entry = table.probe(key, depth - 1 < settings.hot, settings.replace)
        is_known = False
        if entry != uint64(0) and action != left_out and is_deep_enough(settings, entry, depth - 1):
            if game.player(child) != player:
                won = lead(game, child, 1 - player, settings)
                value, kind = -relative(value_of(entry), -ply - 1, settings.scale) - won, bound_of(entry)
                is_known = value <= alpha and kind & LOWER != 0
                is_cut = value >= beta and kind & UPPER != 0
                if (is_known or is_cut) and rests_of(entry):
                    context.monitor.rest()
                if is_cut:
                    return end, value, action
                if is_known:
                    if value > best:
                        best, best_action = value, action
        if not is_known:
            ordering.data[free] = action
            ordering.rate(free, ordering.score(place))
            free += 1
    return free, best, best_action
