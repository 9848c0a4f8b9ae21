"""Searches to a depth in an exported game: one iteration after another, until the limits end them.

Each iteration is the search of the package. Its answer is what a finished one has found, with the action that
an unfinished one prefers to it.
"""

from __future__ import annotations

import math

from gambito.chance.expectiminimax import expectiminimax
from gambito.chance.star import star
from gambito.exports.desk import (
    ENDS_IN,
    EXACT,
    FORGET,
    TICK,
    close_search,
    deepens,
    follow_line,
    note,
    open_search,
)
from gambito.many.max_n import max_n
from gambito.memory.ordering import ACTIONS, COUNTERS, ERRORS, MATE, SLOTS_AT, STRUCTURES
from gambito.memory.table import AGE, BEGIN_BITS, COLD, HOT, LARGEST_VALUE, LEAST, SHIFT
from gambito.memory.table import HEAD as TABLE_HEAD
from gambito.native import inlined, int64, native, uint64
from gambito.native.raw import keys_at
from gambito.search.classic.alpha_beta import alpha_beta
from gambito.search.engine.aspiration import search_windows
from gambito.search.engine.mate_distance import most_plies
from gambito.search.engine.search import EXTRA

FULL = 0xFFFFFFFFFFFFFFFF  # a set that no position has


@native
def search_alpha_beta(game, state, rows, desk, monitor):
    """Alpha-beta."""
    deepest = open_search(game, state, desk, monitor, rows, TICK)
    depth = int64(1) if deepens(desk) else deepest
    while depth <= deepest:
        follow_line(desk, monitor, depth)
        value = alpha_beta(game, state, depth, -game.infinity, game.infinity, monitor)
        if not note(game, state, desk, monitor, depth, depth, value) or desk.words[EXACT]:
            break
        depth += 1
    return close_search(game, state, desk, monitor)


@native
def search_engine(game, state, rows, driver, width, slots, size, desk, context):
    """The engine, which always deepens. `slots` is the address of the sums of a wide network, or 0; `size`
    are their words."""
    monitor, table, scale = context.monitor, context.table, context.settings.scale
    deepest = open_search(game, state, desk, monitor, rows, TICK)
    is_new = desk.words[FORGET] != 0 or table.words[SHIFT] == uint64(0)
    if is_new:
        forget_engine(context)
    context.ordering.data[SLOTS_AT] = slots
    if slots != 0:  # no position is known
        sets = keys_at(slots)
        for place in range(size):
            sets[place] = uint64(FULL)
    depth, guess = int64(0), int64(0)
    whole = game.plies_left(state)
    while depth < deepest:
        depth = min(depth + (2 if game.rolls_between and depth > 0 else 1), deepest)
        table.words[AGE] += uint64(1)
        row = depth + EXTRA
        follow_line(desk, monitor, row)
        most = int64(LARGEST_VALUE)
        value = search_windows(
            game, state, depth, driver, guess * scale, width * scale, -most, most, row, context
        )
        rounded = (value + scale // 2) // scale
        if not note(game, state, desk, monitor, row, depth, rounded):
            break
        plies = abs(value - rounded * scale)
        desk.words[ENDS_IN] = plies if 0 < plies < most_plies(scale) else 0
        # What the table knows from before may rest on a horizon, unless the search saw the end of the game.
        desk.words[EXACT] &= int64(is_new or depth >= whole)
        if desk.words[EXACT]:
            break
        guess = rounded
    return close_search(game, state, desk, monitor)


@inlined
def forget_engine(context):
    """Remove all that the engine has learned."""
    words, data = context.table.words, context.ordering.data
    first = min(int64(BEGIN_BITS), int64(64) - int64(words[LEAST]))
    words[SHIFT], words[HOT] = uint64(int64(64) - first), uint64(64 - BEGIN_BITS)
    for place in range(AGE, TABLE_HEAD + (4 << BEGIN_BITS)):
        words[place] = uint64(0)
    for place in range(COLD, COLD + (int64(4) << first)):
        words[place] = uint64(0)
    for place in range(COUNTERS):
        data[place] = 0
    for place in range(COUNTERS, MATE):
        data[place] = -1
    data[MATE] = 0
    for place in range(ERRORS + 2 * STRUCTURES):
        context.ordering.merits[place] = 0


@native
def search_expectiminimax(game, state, rows, has_table, desk, table, monitor):
    """The whole tree of a game with dice; with a table for one player against chance."""
    deepest = open_search(game, state, desk, monitor, rows, TICK)
    if desk.words[FORGET] != 0:
        forget_fractions(table)
    depth = int64(1) if deepens(desk) else deepest
    while depth <= deepest:
        follow_line(desk, monitor, depth)
        value = expectiminimax(game, state, depth, has_table != 0, table, monitor)
        if not note(game, state, desk, monitor, depth, depth, for_mover(game, state, value)):
            break
        desk.words[EXACT] &= int64(has_table == 0)
        if desk.words[EXACT]:
            break
        depth += 1
    return close_search(game, state, desk, monitor)


@native
def search_star2(game, state, rows, desk, table, ordering, outcomes, monitor):
    """Star2."""
    deepest = open_search(game, state, desk, monitor, rows, TICK)
    is_new = desk.words[FORGET] != 0 or ordering.data[COUNTERS] == 0
    if is_new:
        forget_fractions(table)
        for place in range(COUNTERS):
            ordering.data[place] = 0
        for place in range(COUNTERS, MATE):
            ordering.data[place] = -1
    depth = int64(1) if deepens(desk) else deepest
    place, none, low, high = int64(ACTIONS), int64(0), -game.infinity, game.infinity
    while depth <= deepest:
        follow_line(desk, monitor, depth)
        value = star(
            game, state, depth, low, high, place, none, True, True, table, ordering, outcomes, monitor
        )
        if not note(game, state, desk, monitor, depth, depth, for_mover(game, state, value)):
            break
        if desk.words[EXACT]:
            break
        depth += 2 if game.rolls_between and deepest > depth + 1 else 1
    return close_search(game, state, desk, monitor)


@inlined
def forget_fractions(table):
    for place in range(table.size[0]):
        table.keys[place] = uint64(0)
        table.facts[place] = 0


@inlined
def for_mover(game, state, value):
    """A value for player 0, turned to the player to move."""
    return -value if game.player(state) == 1 else value


@native
def search_max_n(game, state, rows, desk, vectors, monitor):
    """Max^n."""
    deepest = open_search(game, state, desk, monitor, rows, TICK)
    depth = int64(1) if deepens(desk) else deepest
    viewer = max(int64(game.player(state)), 0)
    while depth <= deepest:
        follow_line(desk, monitor, depth)
        value = max_n(game, state, depth, math.inf, viewer, viewer, vectors, monitor)
        if not note(game, state, desk, monitor, depth, depth, value):
            break
        for each in range(game.players):
            desk.means[each] = vectors.values[depth * game.players + each]
        if desk.words[EXACT]:
            break
        depth += 1
    return close_search(game, state, desk, monitor)
