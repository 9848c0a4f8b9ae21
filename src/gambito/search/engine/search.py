"""The engine's search: everything that makes alpha-beta strong, as parts that can be switched.

Principal variation search with a transposition table, ordering by the table's move, the game's hint, killers,
counter-moves and history, quiescence, null move, ProbCut, selection, reductions, futility, extensions, and
what the game itself knows. Each technique is a question: may I stop here, with what value? What a game does
not offer (noisy actions, a pass, bounds) costs it nothing. How a value is closed in is `windows`' affair.
"""

from __future__ import annotations

import math

from gambito.game.contract import NO_ACTION
from gambito.memory.endings import NONE, probe
from gambito.memory.ordering import COUNTER, FIRST, LATER, MERITS, PRIORITY, ROOM
from gambito.memory.table import (
    EXACT,
    LARGEST,
    LOWER,
    SHARED,
    TABLES_AT,
    UPPER,
    action_of,
    bound_of,
    depth_of,
    value_of,
)
from gambito.native import int64, native, uint64
from gambito.search.engine.endings import ending_value
from gambito.search.engine.ordering import NOISY, next_stage, rating
from gambito.search.engine.quiescence import end_value, relative, settle, static_value
from gambito.search.engine.settings import (
    BLIND,
    BOUNDS,
    CERTAINTY,
    CUT,
    DEPTHS,
    ENDINGS,
    ETC,
    FACTOR,
    FINISH,
    FORCED,
    FUTILE_DEPTH,
    FUTILITY,
    INTERNAL,
    LATE,
    LOSING,
    MALUS,
    N_BEST,
    NEAR,
    NULL_GROWTH,
    NULL_MOVE,
    OFFSET,
    ORDER,
    PAIRS,
    PRESORT,
    PROBCUT,
    REDUCTIONS,
    REPLACE,
    SCALE,
    SHALLOW,
    SIGMA,
    SINGULAR,
    STAGED,
    STAGES,
    STATIC,
    STEEPNESS,
    SYMMETRY,
    TABLE,
    TABLE_FROM,
    THREAT,
    URGENT,
    VERIFY,
)

EXTRA = 64  # plies that extensions and quiescence may go beyond the depth
TABLES = ("off", "same-depth", "as-deep")  # which entries of the table may end a search
AS_DEEP = TABLES.index("as-deep")
NULL_DEPTH = 3  # below this a null move saves nothing
SINGULAR_DEPTH = 6
REDUCE_DEPTH, REDUCE_AFTER = 3, 3
STATIC_DEPTH, LATE_DEPTH, LOSING_DEPTH = 8, 8, 4  # the deepest nodes that these techniques cut
MERIT_STEP = MERITS // 2  # of history, that makes a ply in the reduction of a late action
LOSS = PRIORITY << 16  # what is found to lose comes after all else
SORT_STEP, SORT_WEIGHT = 3, 8  # an action is rated by a search of one ply for so many plies of depth


@native
def key_and_view(game, state, depth, settings):
    """The key that the table knows a state by, and the symmetry that it is seen in (0: as it is)."""
    key, view = uint64(game.key(state)), int64(0)
    if settings.values[SYMMETRY] and depth >= settings.values[SYMMETRY]:
        number = int64(0)
        for other in game.symmetries(state):
            number += 1
            if uint64(game.key(other)) < key:
                key, view = uint64(game.key(other)), number
    return key, view


@native
def engine(game, state, depth, alpha, beta, row, base, last, settings, table, ordering, watch):
    """The value of the state for the player to move, as far as it lies between alpha and beta.

    result <= alpha:  true value <= result
    result >= beta:   true value >= result
    otherwise:        true value == result
    (of the tree that the settings span: with every unsound technique off, minimax's)
    `row` counts the plies down, `base` is where this ply's actions begin, `last` is the action before.
    """
    # Step 1. The horizon, a stop, the end of the game, a circle, an end that the game plays out itself, or
    # that endgame tables know.
    if depth <= 0 or row == 0 or base > ROOM:
        return settle(game, state, alpha, beta, row, base, settings, table, ordering, watch)
    depth = min(depth, game.plies_left(state))  # to the end of the game is one depth, however it is reached
    none = int64(NO_ACTION)
    key, view = key_and_view(game, state, depth, settings)
    has_table = settings.values[TABLE] > 0 and depth >= settings.values[TABLE_FROM]
    is_near = depth < settings.values[NEAR]
    if has_table:
        table.prefetch(key, is_near)
    first = watch.enter(game, state, row, alpha, beta)
    ply = watch.root() - row
    player = game.player(state)
    scale = settings.values[SCALE]
    if watch.is_stopped():
        watch.halt()
        return watch.leave(row, alpha)
    if settings.values[FINISH] and scale == 1 and ply > 0 and game.is_nearly_over(state):
        if depth >= game.plies_left(state):
            value, visited = game.finish(state, alpha, beta)
            watch.visit(visited - 1)
            return watch.leave(row, watch.leaf(row, value, False))
    if game.is_terminal(state):
        return watch.leave(row, watch.leaf(row, end_value(game, state, player, ply, scale), False))
    if game.cycles and watch.repeats(row, game.reversible(state)):
        return watch.leave(row, watch.leaf(row, game.repetition(state, player) * scale, False))

    if settings.values[ENDINGS] and ply > 0:
        known = probe(game, int64(table.words[TABLES_AT]), state)
        if known != NONE:
            return watch.leave(row, watch.leaf(row, ending_value(game, known, ply, scale), False))

    # Step 2. What the game knows of the value.
    is_null = beta - alpha == 1
    if settings.values[BOUNDS] and ply > 0:
        low, high = game.bounds(state)
        alpha, beta = max(alpha, low * scale), min(beta, high * scale)
        if alpha >= beta:
            return watch.leave(row, watch.known(row, low * scale if alpha == low * scale else high * scale))

    # Step 3. What the table knows of it.
    left_out = ordering.left_out(ply) if settings.values[SINGULAR] else none
    entry = uint64(0)
    if has_table:
        entry = table.probe(key, is_near, settings.values[REPLACE])
        if entry != uint64(0):
            kept, action = depth_of(entry), action_of(entry)
            if first == NO_ACTION and action != NO_ACTION:
                first = action if view == 0 else game.turn(action, view, True)
            is_deep = kept == depth or (kept > depth and settings.values[TABLE] == AS_DEEP)
            if is_deep and ply > 0 and left_out == NO_ACTION:
                value, kind = relative(value_of(entry), -ply, scale), bound_of(entry)
                if (value >= beta and kind & LOWER) or (value <= alpha and kind & UPPER):
                    return watch.leave(row, watch.known(row, value))

    # Step 4. What the state looks worth, if no threat must be answered first.
    is_calm = is_null and ply > 0 and left_out == NO_ACTION  # may the whole node be cut off?
    is_threatened = False
    if (
        settings.values[STATIC]
        or settings.values[LATE]
        or settings.values[STEEPNESS]
        or settings.values[STAGED]
    ):
        is_threatened = game.is_urgent(state)
    standing = int64(0)
    if settings.values[STATIC] or settings.values[NULL_MOVE] or settings.values[FUTILITY]:
        if is_null and not is_threatened:
            standing = game.evaluate(state, player) * scale
    proven = (game.highest - 1) * scale  # beyond this a value is that of a won game
    if settings.values[STATIC] and is_calm and not is_threatened and depth <= STATIC_DEPTH:
        if standing - settings.values[STATIC] * depth * scale >= beta and -proven < beta < proven:
            return watch.leave(row, watch.leaf(row, standing, True))

    # Step 5. Null move: who is well off even without moving need not look further.
    threat = none
    if settings.values[NULL_MOVE] and is_calm and depth >= NULL_DEPTH and last != NO_ACTION:
        passed = game.pass_turn(state)
        if uint64(game.key(passed)) != uint64(game.key(state)) and standing >= beta:
            less = depth - 1 - settings.values[NULL_MOVE]
            if settings.values[NULL_GROWTH]:
                less -= depth // settings.values[NULL_GROWTH]
            value = -engine(
                game, passed, less, -beta, 1 - beta, row - 1, base, none, settings, table, ordering, watch
            )
            if value >= beta and settings.values[VERIFY] and game.is_zugzwang_likely(state):
                less = max(less, 1)
                value = engine(
                    game, state, less, beta - 1, beta, row, base, none, settings, table, ordering, watch
                )
            elif value < beta and settings.values[THREAT] and less > 0:
                reply, seen = key_and_view(game, passed, less, settings)
                found = table.probe(reply, less < settings.values[NEAR], settings.values[REPLACE])
                if found != uint64(0) and seen == 0:
                    threat = action_of(found)
            if value >= beta and not watch.is_stopped():
                return watch.leave(row, watch.known(row, value))

    # Step 6. ProbCut: a shallow search says that the deep one will most likely fall out of the window.
    if settings.values[PROBCUT] and is_calm and depth < DEPTHS and depth < game.plies_left(state):
        stage = min(max(game.stage(state), 0), settings.values[STAGES] - 1)
        is_high = game.evaluate(state, player) * scale >= beta
        for pair in range(settings.values[PROBCUT]):
            place = ((stage * DEPTHS + depth) * PAIRS + pair) * CUT
            shallow, factor = int64(settings.forecast[place + SHALLOW]), settings.forecast[place + FACTOR]
            if shallow < 0:
                continue
            margin = settings.values[CERTAINTY] * settings.forecast[place + SIGMA] / 100
            if not is_high:
                margin = -margin
            edge = (beta if is_high else alpha) / scale
            exact = (edge - settings.forecast[place + OFFSET] + margin) / factor
            if exact < game.lowest or exact > game.highest:
                continue
            edge_low = (int64(math.ceil(exact)) * scale) - 1 if is_high else int64(math.floor(exact)) * scale
            value = engine(
                game,
                state,
                shallow,
                edge_low,
                edge_low + 1,
                row,
                base,
                last,
                settings,
                table,
                ordering,
                watch,
            )
            if (value > edge_low) == is_high and not watch.is_stopped():
                return watch.leave(row, watch.known(row, beta if is_high else alpha))

    # Step 7. Internal deepening: where nobody knows what to try first, a shallower search does.
    if settings.values[INTERNAL] and first == NO_ACTION and depth >= settings.values[INTERNAL]:
        horizon = watch.horizon()
        engine(game, state, depth - 2, alpha, beta, row, base, last, settings, table, ordering, watch)
        watch.forget(horizon)
        entry = table.probe(key, is_near, settings.values[REPLACE])
        if entry != uint64(0) and action_of(entry) != NO_ACTION:
            first = action_of(entry) if view == 0 else game.turn(action_of(entry), view, True)

    if settings.values[BLIND] and first == NO_ACTION and depth >= settings.values[BLIND]:
        depth -= 1  # what nobody has looked at is looked at less deep

    # Step 8. The actions; with selection on, those that look best. In stages, only the one to try first.
    looks_ahead = has_table and 0 < settings.values[ETC] <= depth and ply > 0
    is_whole = ply == 0 or is_threatened or looks_ahead or settings.values[STAGED] == 0
    is_whole |= settings.values[N_BEST] > 0 or settings.values[PRESORT] > 0
    to_come = int64(0)
    if not is_whole:
        to_come, end = int64(NOISY), base
        if first != NO_ACTION:
            ordering.data[base] = first
            ordering.rate(base, FIRST)
            end += 1
    elif settings.values[BOUNDS]:
        end = game.worthwhile(state, ordering.data, base)
    else:
        end = game.collect(state, ordering.data, base)
    if ply == 0:
        end = watch.choose_among(ordering.data, base, end)
    if end == base and is_whole:
        low, _ = game.bounds(state)
        if ply == 0:
            game.collect(state, ordering.data, base)
            watch.decide(ordering.data[base])
        return watch.leave(row, watch.known(row, low * scale))
    if settings.values[N_BEST] and ply > 0 and end - base > settings.values[N_BEST]:
        for place in range(base, end):
            child = game.result(state, ordering.data[place])
            ordering.rate(place, static_value(game, child, player, ply + 1, scale))
        for place in range(base, base + settings.values[N_BEST]):
            ordering.next_move(place, end)
        end = base + settings.values[N_BEST]

    # Step 9. How promising they are.
    horizon = watch.horizon()
    if is_whole and (end - base > 1 or looks_ahead):
        for place in range(base, end):
            action = ordering.data[place]
            if looks_ahead:
                child_key, _ = key_and_view(game, game.result(state, action), depth - 1, settings)
                table.prefetch(child_key, depth - 1 < settings.values[NEAR])
            score = rating(game, state, action, ply, player, last, threat, settings, ordering)
            if settings.values[PRESORT] and depth >= settings.values[PRESORT]:
                child, less = game.result(state, action), (depth - settings.values[PRESORT]) // SORT_STEP
                value = engine(
                    game,
                    child,
                    less,
                    -LARGEST,
                    LARGEST,
                    row - 1,
                    end,
                    action,
                    settings,
                    table,
                    ordering,
                    watch,
                )
                score += (value if game.player(child) == player else -value) // scale * SORT_WEIGHT * PRIORITY
            ordering.rate(place, score if action != first else FIRST)
        watch.forget(horizon)

    # Step 10. Does the table know a child that is enough? And those that are too little need no visit.
    best, best_action, raised = -LARGEST, none, alpha
    if looks_ahead:
        free = base
        for place in range(base, end):
            action = ordering.data[place]
            child = game.result(state, action)
            child_key, _ = key_and_view(game, child, depth - 1, settings)
            found = table.probe(child_key, depth - 1 < settings.values[NEAR], settings.values[REPLACE])
            kept = depth_of(found)
            is_deep = kept == depth - 1 or (kept >= depth and settings.values[TABLE] == AS_DEEP)
            is_known = False
            if found != uint64(0) and is_deep and game.player(child) != player and action != left_out:
                value, kind = -relative(value_of(found), -ply - 1, scale), bound_of(found)
                if value >= beta and kind & UPPER:
                    return watch.leave(row, watch.known(row, value))
                if value <= alpha and kind & LOWER:
                    is_known = True
                    if value > best:
                        best, best_action = value, action
            if not is_known:
                ordering.data[free] = action
                ordering.rate(free, ordering.score(place))
                free += 1
        end = free

    # Step 11. Is one action the only good one? Then it is looked at more deeply.
    singular = none
    if settings.values[SINGULAR] and ply > 0 and depth >= SINGULAR_DEPTH and left_out == NO_ACTION:
        if (
            first != NO_ACTION
            and entry != uint64(0)
            and bound_of(entry) & LOWER
            and depth_of(entry) >= depth - 3
        ):
            edge_low = relative(value_of(entry), -ply, scale) - settings.values[SINGULAR] * scale - 1
            ordering.leave_out(ply, first)
            horizon = watch.horizon()
            value = engine(
                game,
                state,
                depth // 2,
                edge_low,
                edge_low + 1,
                row,
                end,
                last,
                settings,
                table,
                ordering,
                watch,
            )
            ordering.leave_out(ply, none)
            watch.forget(horizon)
            if value <= edge_low and not watch.is_stopped():
                singular = first

    # Step 12. The loop: the first action with the whole window, the others must show that they are better.
    may_extend = ply < 2 * (watch.root() - EXTRA)  # a line is at most twice as long as the depth
    is_forced = is_whole and end == base + 1 and best_action == NO_ACTION
    forced = 1 if settings.values[FORCED] and is_forced else 0
    is_futile = False
    if settings.values[FUTILITY] and depth <= settings.values[FUTILE_DEPTH] and is_null:
        is_futile = not is_threatened and standing + settings.values[FUTILITY] * depth * scale <= alpha
    is_pruned = is_null and ply > 0 and not is_threatened  # may single actions be left out?
    may_force = settings.values[URGENT] > 0 and depth > 1
    steepness = 0.0
    if settings.values[STEEPNESS]:
        steepness = settings.values[STEEPNESS] / 100 * math.log(depth)
    shared = int64(table.words[SHARED])
    is_shared = 0 < shared <= depth
    is_cut = False
    place = base - 1
    while True:
        place += 1
        if place < end and not is_cut:
            ordering.next_move(place, end)
        if to_come > 0 and (place == end or ordering.score(place) < PRIORITY):
            end = next_stage(game, state, to_come, end, ply, player, first, last, threat, settings, ordering)
            to_come, place = to_come - 1, place - 1
            continue
        if place == end:
            break
        action, score = ordering.data[place], ordering.score(place)
        if PRIORITY <= score < FIRST and game.is_losing(state, action):
            ordering.rate(place, score - LOSS)
            place -= 1
            continue
        if is_shared and place > base and score != LATER:  # is another thread busy with it?
            child_key, _ = key_and_view(game, game.result(state, action), depth - 1, settings)
            if table.is_busy(child_key):
                ordering.rate(place, LATER)
                place -= 1
                continue
        action = watch.choose(row, action, NO_ACTION)
        is_plain = place > base and score < PRIORITY
        if is_plain and best > -proven:
            is_hopeless = is_futile
            if settings.values[LATE] and is_pruned and depth <= LATE_DEPTH:
                is_hopeless |= place - base >= settings.values[LATE] + depth * depth
            if settings.values[LOSING] and is_pruned and depth <= LOSING_DEPTH:
                is_hopeless |= LATER < score <= -PRIORITY
            if is_hopeless and not (may_force and game.is_forcing(state, action)):
                best = max(best, alpha // scale * scale)  # alpha itself may lie between two values
                is_cut = True  # all that come after it are hopeless too, besides what must be answered
                if not may_force:
                    break
                continue
        if settings.values[SINGULAR] and action == left_out:
            continue
        child = game.result(state, action)
        same = game.player(child) == player
        deeper = forced
        if settings.values[URGENT] and deeper == 0 and game.is_urgent(child):
            deeper = 1
        if settings.values[SINGULAR] and deeper == 0 and action == singular:
            deeper = 1
        if not may_extend:
            deeper = 0
        whole = depth - 1 + deeper
        left = whole
        if settings.values[REDUCTIONS] and is_plain and deeper == 0:
            if settings.values[STEEPNESS]:
                if depth >= REDUCE_DEPTH and not is_threatened:
                    less = int64(steepness * math.log(place - base + 1))
                    less -= int64(not is_null) + int64(score >= COUNTER)
                    if settings.values[MALUS] and -PRIORITY < score < COUNTER:
                        less -= int64(score / MERIT_STEP)
                    left = max(left - max(less, 0), 1)
            elif depth >= REDUCE_DEPTH and place - base >= REDUCE_AFTER:
                left -= 1
        top = beta if place == base else raised + 1
        if is_shared:
            child_key, _ = key_and_view(game, child, depth - 1, settings)
            table.begin(child_key)
        while True:
            low, high = (raised, top) if same else (-top, -raised)
            value = engine(
                game, child, left, low, high, row - 1, end, action, settings, table, ordering, watch
            )
            value = value if same else -value
            if value > raised and left < whole:
                left = whole  # better after all: again, to the whole depth
            elif raised < value < beta and top < beta:
                top = beta  # again, for its value
            else:
                break
        if is_shared:
            table.end(child_key)
        if value > best:
            best, best_action = value, action
            if best > raised and ply == 0 and not watch.is_stopped():
                watch.decide(action)
            if best >= beta:
                watch.cut(row, action, best)
                if settings.values[MALUS]:
                    if game.priority(state, action) == 0:
                        ordering.prefer(ply, player, base, place, last, depth)
                elif settings.values[ORDER]:
                    ordering.reward(ply, player, action, last, depth)
                break
            if best > raised:
                raised = best
                watch.best(row, action, best)

    if is_cut:
        best = watch.leaf(row, best, True)

    # Step 13. The table learns.
    is_partial = left_out != NO_ACTION or (ply == 0 and watch.is_choosy())
    if has_table and not is_partial and not watch.is_stopped():
        bound = LOWER if best >= beta else EXACT if best > alpha else UPPER
        kept_action = (
            best_action if best > alpha else first
        )  # among those that are too little none is known best
        if view != 0 and kept_action != NO_ACTION:
            kept_action = game.turn(kept_action, view, False)
        table.store(
            key, is_near, depth, relative(best, ply, scale), bound, kept_action, settings.values[REPLACE]
        )
        if ordering.leads() and not is_near:
            table.grow_if_full(watch)
    return watch.leave(row, best)
