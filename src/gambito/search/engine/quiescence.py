"""The engine's values at the end of a line: those of finished games, and quiescence at the horizon."""

from __future__ import annotations

from gambito.game.contract import MOST_ACTIONS, NO_ACTION
from gambito.memory.endgame_tables import NONE, probe
from gambito.memory.ordering import ACTIONS_END, FIRST
from gambito.memory.table import (
    EXACT,
    LARGEST_VALUE,
    LOWER,
    TABLES_AT,
    UPPER,
    action_of,
    bound_of,
    depth_of,
    value_of,
)
from gambito.native import inlined, int64, native, uint64
from gambito.search.engine.endgame_tables import ending_value
from gambito.search.engine.mate_distance import hurried, relative
from gambito.search.engine.pruning import corrected
from gambito.search.engine.table import refined
from gambito.search.monitor import MANY_ACTIONS

KEPT_DEPTH = 4  # the table keeps an entry of this depth, unless the new value is exact


@native
def end_value(game, state, player, ply, scale):
    """The value of a finished game: among equal values, a sooner win and a later loss are better."""
    return hurried(game.utility(state, player) * scale, ply, scale)


@native
def static_value(game, state, player, ply, scale):
    """The static value of a state for a player, in the engine's units."""
    if game.is_terminal(state):
        return end_value(game, state, player, ply, scale)
    return game.evaluate(state, player) * scale


@inlined
def add_checks(game, state, end, ordering):
    """quiescence_checks: the quiet actions that force a reply and lose nothing, behind the noisy ones."""
    last, free = game.collect_quiet(state, ordering.data, end), end
    for place in range(end, last):
        action = ordering.data[place]
        if game.is_forcing(state, action) and not game.is_losing(state, action):
            ordering.data[free] = action
            ordering.rate(free, int64(0))
            free += 1
    return free


@native
def quiescence(game, state, alpha, beta, row, base, is_first, context):
    """The value of a state at the horizon for the player to move, if only noisy actions are searched.

    result <= alpha:  true value <= result
    result >= beta:   true value >= result
    otherwise:        true value == result
    `is_first` is 1 at the horizon itself, where actions that force a reply are searched too (checks).
    """
    settings, table = context.settings, context.table
    ordering, monitor = context.ordering, context.monitor
    has_table = settings.quiescence_table and settings.table > 0
    is_hot = settings.hot > 0
    if has_table:
        table.prefetch(uint64(game.key(state)), is_hot)
    monitor.enter(game, state, row, alpha, beta)
    monitor.reach(row)
    player = game.player(state)
    scale = settings.scale
    if monitor.is_stopped():
        monitor.halt()
        return monitor.leave(row, alpha)
    if game.is_terminal(state):
        value = monitor.final(game, end_value(game, state, player, monitor.root() - row, scale), scale)
        return monitor.leave(row, monitor.leaf(row, value, False))
    if game.cycles and monitor.repeats(row, game.reversible(state)):
        return monitor.leave(row, monitor.leaf(row, game.repetition(state, player) * scale, False))

    # Step 1. Endgame tables (endings), and the transposition table (quiescence_table).
    ply, first, entry = monitor.root() - row, int64(NO_ACTION), uint64(0)
    if settings.endings and ply > 0:
        known = probe(game, int64(table.words[TABLES_AT]), state)
        if known != NONE:
            return monitor.leave(row, monitor.leaf(row, ending_value(game, known, ply, scale), False))
    if has_table:
        entry = table.probe(uint64(game.key(state)), is_hot, settings.replace)
        if entry != uint64(0):
            value, kind = relative(value_of(entry), -ply, scale), bound_of(entry)
            if (value >= beta and kind & LOWER) or (value <= alpha and kind & UPPER):
                monitor.rest()
                return monitor.leave(row, monitor.known(row, value))
            first = action_of(entry)

    # Step 2. A player who need not answer a threat may accept the static value (quiescence,
    # quiescence_evasions). Worth in chess: quiescence 442 ± 56 Elo, evasions 4 ± 35, quiescence_table 11 ±
    # 38.
    is_last = row == 0 or base > ACTIONS_END or settings.quiescence == 0
    is_threatened = False
    if settings.quiescence_evasions and not is_last:
        is_threatened = game.is_urgent(state)
    best = -LARGEST_VALUE
    if not is_threatened:
        best = game.carried(state, player, row, ordering.slots()) * scale
        if settings.correction_history:
            error_at = ordering.error_place(player, game.structure_key(state))
            best = corrected(game, settings, ordering, error_at, best, scale)
        if settings.table_as_static and entry != uint64(0):
            best = refined(entry, best, relative(value_of(entry), -ply, scale))
        best = monitor.leaf(row, best, True)
        if best >= beta or is_last:
            return monitor.leave(row, best)
    standing, best_action = best, int64(NO_ACTION)

    # Step 3. The noisy actions, or all actions under a threat (quiescence_checks, losing_pruning,
    # delta_pruning). Worth in chess: checks 8 ± 13, losing_pruning 43 ± 36, delta_pruning 4 ± 38.
    if is_threatened:
        end = game.collect(state, ordering.data, base)
    else:
        end = game.collect_noisy(state, ordering.data, base)
    if end - base > MOST_ACTIONS:
        monitor.give_up(MANY_ACTIONS)
        end = base
    for place in range(base, end):
        action = ordering.data[place]
        ordering.rate(place, game.priority(state, action) if action != first else FIRST)
    if settings.quiescence_checks and is_first and not is_threatened:
        end = add_checks(game, state, end, ordering)
    for place in range(base, end):
        action = monitor.choose(row, ordering.next_move(place, end), NO_ACTION)
        if not is_threatened:
            if settings.losing_pruning and ordering.score(place) < 0:
                break  # it seems to lose, and so do all actions after it
            if settings.delta_pruning and not (settings.quiescence_checks and ordering.score(place) == 0):
                most = standing + (game.gain(state, action) + settings.delta_pruning) * scale
                if most <= alpha:
                    best = max(best, most)
                    continue
            if settings.losing_pruning and action != first and game.is_losing(state, action):
                continue
        child = game.result(state, action)
        lower = max(alpha, best)
        if game.player(child) == player:
            value = quiescence(game, child, lower, beta, row - 1, end, int64(0), context)
        else:
            value = -quiescence(game, child, -beta, -lower, row - 1, end, int64(0), context)
        if value > best:
            best, best_action = value, action
            if best >= beta:
                monitor.cut(row, action, best)
                break
            if best > alpha:
                monitor.best(row, action, best)

    # Step 4. Store the result in the table (quiescence_table), unless the table knows this state from a deep
    # search.
    bound = LOWER if best >= beta else EXACT if best > alpha else UPPER
    is_worse = entry != uint64(0) and depth_of(entry) >= KEPT_DEPTH and bound != EXACT
    if has_table and not is_worse and not monitor.is_stopped():
        value, policy = relative(best, ply, scale), settings.replace
        kept_action = best_action if best > alpha else first
        table.store(uint64(game.key(state)), is_hot, int64(0), value, bound, kept_action, True, policy)
    return monitor.leave(row, best)
