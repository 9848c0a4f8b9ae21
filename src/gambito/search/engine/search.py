"""The engine's search: everything that makes alpha-beta strong, in parts that can be switched on and off.

It is principal variation search in numbered steps. Each technique answers a question (may the search stop
here, and with what value? how much less deep should it go?). The step names in parentheses the options that
switch it. What a game does not offer (noisy actions, a pass, bounds) costs nothing. `windows` calls this
search to find the value of the root.

Worth: the Elo that chess loses at equal nodes if the option is switched off, or Othello where that is said,
with 95 % intervals. The page of the engine tells how it was measured.
"""

from __future__ import annotations

import math

from gambito.game.contract import MOST_ACTIONS, NO_ACTION
from gambito.memory.endgame_tables import NONE, probe
from gambito.memory.ordering import ACTIONS_END, FIRST, LATER, PRIORITY, SKIPPED
from gambito.memory.table import (
    EXACT,
    LARGEST_VALUE,
    LOWER,
    SHARED,
    TABLES_AT,
    UPPER,
    bound_of,
    depth_of,
    rests_of,
    value_of,
)
from gambito.native import int64, native, uint64
from gambito.search.engine.endgame_tables import ending_value
from gambito.search.engine.mate_distance import hurried_bounds, relative
from gambito.search.engine.ordering import NOISY, keep_best, learn_order, next_stage, rating
from gambito.search.engine.probcut import probcut_bounds
from gambito.search.engine.pruning import (
    EXCHANGE_DEPTH,
    NOISY_DEPTH,
    NOISY_LESS,
    NULL_DEPTH,
    RAZOR_DEPTH,
    SINGULAR_DEPTH,
    SINGULAR_PART,
    STATIC_DEPTH,
    VERIFY_DEPTH,
    corrected,
    extension,
    is_far_above,
    is_far_below,
    is_futile,
    is_hopeless,
    is_singular_likely,
    learn_error,
    loses_too_much,
    null_depth,
    reduction,
)
from gambito.search.engine.quiescence import end_value, quiescence
from gambito.search.engine.table import (
    entry_action,
    is_deep_enough,
    key_and_view,
    lead,
    look_at_children,
    refined,
)
from gambito.search.monitor import MANY_ACTIONS
from gambito.search.probcut_model import DEPTHS

EXTRA = 64  # the most plies that extensions and quiescence may go beyond the depth
LOSS = PRIORITY << 16  # actions that are found to lose come after all others
SORT_STEP, SORT_WEIGHT = (
    3,
    8,
)  # presort: one ply of search for this many plies of depth; the weight of its value


@native
def engine(game, state, depth, alpha, beta, row, base, last, expects_cut, context):
    """The value of the state for the player to move, exact if it lies between alpha and beta.

    result <= alpha:  true value <= result
    result >= beta:   true value >= result
    otherwise:        true value == result
    The true value is that of the tree that the settings span; with every unsound technique off, it is the
    value of minimax. `row` is the row of the node in the monitor, `base` is the place where this ply's
    actions begin, `last` is the previous action. `expects_cut` is 1 if most likely an action reaches beta.
    """
    # Step 1. The horizon, a stop, the end of the game, a repetition, or an ending that the game solves
    # (solve_ending) or that is in endgame tables (endings).
    # Worth: quiescence 442 ± 56; solve_ending in Othello -4 ± 16.
    if depth <= 0 or row == 0 or base > ACTIONS_END:
        return quiescence(game, state, alpha, beta, row, base, int64(1), context)
    settings, table = context.settings, context.table
    ordering, monitor = context.ordering, context.monitor
    depth = min(depth, game.plies_left(state))  # a search to the end of the game has one depth
    none = int64(NO_ACTION)
    key, view = key_and_view(game, state, depth, settings)
    has_table = settings.table > 0 and depth >= settings.table_from
    is_hot = depth < settings.hot
    if has_table:
        table.prefetch(key, is_hot)
    first = monitor.enter(game, state, row, alpha, beta)
    ply = monitor.root() - row
    player = game.player(state)
    scale = settings.scale
    if monitor.is_stopped():
        monitor.halt()
        return monitor.leave(row, alpha)
    if settings.solve_ending and scale == 1 and ply > 0 and game.is_nearly_over(state):
        if depth >= game.plies_left(state):
            value, visited = game.solve_ending(state, alpha, beta)
            monitor.visit(visited - 1)
            return monitor.leave(row, monitor.leaf(row, value, False))
    if game.is_terminal(state):
        value = monitor.final(game, end_value(game, state, player, ply, scale), scale)
        return monitor.leave(row, monitor.leaf(row, value, False))
    if game.cycles and monitor.repeats(row, game.reversible(state)):
        return monitor.leave(row, monitor.leaf(row, game.repetition(state, player) * scale, False))
    if settings.endings and ply > 0:
        known = probe(game, int64(table.words[TABLES_AT]), state)
        if known != NONE:
            return monitor.leave(row, monitor.leaf(row, ending_value(game, known, ply, scale), False))

    # Step 2. The bounds that the game gives (bounds).
    # Worth: 9 ± 38, in Othello 10 ± 17.
    is_null = beta - alpha == 1
    if settings.bounds and ply > 0:
        low, high = game.bounds(state)
        low, high = hurried_bounds(low, high, ply, game.plies_left(state), scale)
        alpha, beta = max(alpha, low), min(beta, high)
        if alpha >= beta:
            return monitor.leave(row, monitor.known(row, low if alpha == low else high))

    # Step 3. The transposition table (table, table_from, hot, replace, banked).
    # Worth: 147 ± 38, in Othello 111 ± 21.
    won = lead(game, state, player, settings)
    left_out = ordering.left_out(ply) if settings.singular_extension else none
    entry, before = uint64(0), monitor.horizon()
    if has_table:
        entry = table.probe(key, is_hot, settings.replace)
        if entry != uint64(0):
            if first == NO_ACTION:
                first = entry_action(game, entry, view)
            if ply > 0 and left_out == NO_ACTION and is_deep_enough(settings, entry, depth):
                value, kind = relative(value_of(entry), -ply, scale) + won, bound_of(entry)
                if (value >= beta and kind & LOWER) or (value <= alpha and kind & UPPER):
                    if rests_of(entry):
                        monitor.rest()
                    return monitor.leave(row, monitor.known(row, value))

    # Step 4. The static value, with what was learned about its errors (correction_history) and what the table
    # knows (table_as_static). If no threat must be answered, it may be far above the window
    # (reverse_futility), or so far below that only noisy actions are followed (razoring).
    # Worth: correction_history 12 ± 38, table_as_static 23 ± 13, reverse_futility 66 ± 41, razoring 5 ± 8.
    is_calm = is_null and ply > 0 and left_out == NO_ACTION  # may the whole node be cut off?
    is_threatened = False
    if (
        settings.reverse_futility
        or settings.late_move_pruning
        or settings.reduction_scale
        or settings.staged_generation
    ):
        is_threatened = game.is_urgent(state)
    standing, static, error_at = int64(0), int64(0), int64(0)
    is_valued, is_improving = False, False
    if settings.reverse_futility or settings.null_move or settings.futility:
        is_valued = not is_threatened and (is_null or settings.improving > 0)
        if is_valued:
            static = game.carried(state, player, row, ordering.slots()) * scale
            if settings.correction_history:
                error_at = ordering.error_place(player, game.structure_key(state))
                static = corrected(game, settings, ordering, error_at, static, scale)
            standing = static
            if settings.table_as_static and entry != uint64(0):
                standing = refined(entry, standing, relative(value_of(entry), -ply, scale) + won)
        if settings.improving:
            before_last = ordering.standing(ply - 2) if ply > 1 else static
            is_improving = is_valued and static > before_last
            ordering.stand(ply, static if is_valued else before_last)
    if settings.reverse_futility and is_calm and is_valued and depth <= STATIC_DEPTH:
        if is_far_above(game, settings, standing, depth - int64(is_improving), beta, scale):
            return monitor.leave(row, monitor.leaf(row, standing, True))

    if settings.razoring and is_calm and is_valued and depth <= RAZOR_DEPTH:
        if is_far_below(settings, standing, depth, alpha, scale):
            value = quiescence(game, state, alpha, beta, row, base, int64(0), context)
            if value <= alpha:
                return monitor.leave(row, value)

    # Step 5. Null move (null_move, null_move_growth, null_move_by_value, null_move_verification): if the
    # position is good enough even after a pass, no action need be searched. If it is not, the reply to the
    # pass is a threat (threat_ordering).
    # Worth: null_move 46 ± 35, null_move_growth 35 ± 35, null_move_by_value 3 ± 41, null_move_verification 5
    # ± 39, of that 5 ± 13 far from the horizon.
    if settings.threat_ordering:
        ordering.threaten(ply, none)
    if settings.null_move and is_calm and depth >= NULL_DEPTH and last != NO_ACTION:
        passed = game.pass_turn(state)
        if uint64(game.key(passed)) != uint64(game.key(state)) and standing >= beta:
            less = null_depth(settings, depth, standing - beta, scale)
            ordering.begin_action(ply, none)
            value = -engine(
                game, passed, less, -beta, 1 - beta, row - 1, base, none, 1 - expects_cut, context
            )
            is_doubtful = depth >= VERIFY_DEPTH or game.is_zugzwang_likely(state)
            if value >= beta and settings.null_move_verification and is_doubtful:
                less = max(less, 1)
                value = engine(game, state, less, beta - 1, beta, row, base, none, expects_cut, context)
            if value >= beta and not monitor.is_stopped():
                monitor.rest()
                return monitor.leave(row, monitor.known(row, value))
            if settings.threat_ordering and has_table:
                passed_key, passed_view = key_and_view(game, passed, less, settings)
                reply = table.probe(passed_key, less < settings.hot, settings.replace)
                if reply != uint64(0):
                    ordering.threaten(ply, entry_action(game, reply, passed_view))

    # Step 6. ProbCut (probcut, certainty): a shallow search predicts that the deep one will most likely fall
    # outside the window. Or a noisy action is much better than the window in a shallower search
    # (noisy_probcut).
    # Worth: probcut in Othello 50 ± 20, noisy_probcut 8 ± 8.
    if settings.probcut and is_calm and depth < DEPTHS and depth < game.plies_left(state):
        stage = min(max(game.stage(state), 0), settings.stages - 1)
        is_high = game.carried(state, player, row, ordering.slots()) * scale >= beta
        for number in range(settings.probcut):
            less, edge = probcut_bounds(game, settings, stage, depth, number, alpha, beta, is_high)
            if less < 0:
                continue
            value = engine(game, state, less, edge, edge + 1, row, base, last, expects_cut, context)
            if (value > edge) == is_high and not monitor.is_stopped():
                monitor.rest()
                return monitor.leave(row, monitor.known(row, beta if is_high else alpha))

    if settings.noisy_probcut and is_calm and is_valued and depth >= NOISY_DEPTH:
        proven, edge = (game.highest - 1) * scale, beta + settings.noisy_probcut * scale
        is_known_low = False  # does the table say that no action is that good?
        if entry != uint64(0) and depth_of(entry) > depth - NOISY_LESS:
            is_known_low = relative(value_of(entry), -ply, scale) + won < edge
        end = base
        if not is_known_low and -proven < beta and edge < proven:
            end = game.collect_noisy(state, ordering.data, base)
        for place in range(base, end):
            ordering.rate(place, game.priority(state, ordering.data[place]))
        for place in range(base, end):
            action = ordering.next_move(place, end)
            if game.exchange_value(state, action) * scale < max(edge - standing, int64(0)):
                continue
            child = game.result(state, action)
            if game.player(child) == player:
                continue
            ordering.begin_action(ply, action)
            value = -quiescence(game, child, -edge, 1 - edge, row - 1, end, int64(0), context)
            if value >= edge:
                less, cuts = depth - NOISY_LESS, 1 - expects_cut
                value = -engine(game, child, less, -edge, 1 - edge, row - 1, end, action, cuts, context)
            if monitor.is_stopped():
                break
            if value >= edge:
                monitor.rest()
                if has_table:
                    known, less = relative(value, ply, scale) - won, depth - NOISY_LESS + 1
                    table.store(key, is_hot, less, known, LOWER, action, True, settings.replace)
                return monitor.leave(row, monitor.known(row, value))

    # Step 7. If no first action is known, a shallower search finds one (iid), or the node is searched
    # less deep (iir).
    # Worth: iir 8 ± 42.
    if settings.iid and first == NO_ACTION and depth >= settings.iid:
        horizon = monitor.horizon()
        engine(game, state, depth - 2, alpha, beta, row, base, last, expects_cut, context)
        monitor.forget(horizon)
        entry = table.probe(key, is_hot, settings.replace)
        if entry != uint64(0):
            first = entry_action(game, entry, view)
    if settings.iir and first == NO_ACTION and depth >= settings.iir:
        depth -= 1

    # Step 8. The actions: all of them, the worthwhile ones (bounds), or those that look best (n_best); or at
    # first only the table's action (staged_generation).
    # Worth: staged_generation 47 ± 39.
    looks_ahead = has_table and 0 < settings.etc <= depth and ply > 0
    is_whole = ply == 0 or is_threatened or looks_ahead or settings.staged_generation == 0
    is_whole |= settings.n_best > 0 or settings.presort > 0
    to_come = int64(0)
    if not is_whole:
        to_come, end = int64(NOISY), base
        if first != NO_ACTION:
            ordering.data[base] = first
            ordering.rate(base, FIRST)
            end += 1
    elif settings.bounds and not (ply == 0 and monitor.is_choosy()):
        end = game.worthwhile(state, ordering.data, base)
    else:
        end = game.collect(state, ordering.data, base)
    if end - base > MOST_ACTIONS:
        monitor.give_up(MANY_ACTIONS)
        end = base
    if ply == 0:
        end = monitor.choose_among(ordering.data, base, end)
    if end == base and is_whole:
        low, _ = game.bounds(state)
        if ply == 0:
            game.collect(state, ordering.data, base)
            monitor.decide(ordering.data[base])
        return monitor.leave(row, monitor.known(row, low * scale))
    if settings.n_best and ply > 0 and end - base > settings.n_best:
        end = keep_best(game, state, player, ply, base, end, settings, ordering)
        monitor.rest()

    # Step 9. The score of each action: how promising it is (order), or the value of a shallow search
    # (presort).
    # Worth: order 172 ± 46, in Othello 5 ± 18; history_malus 55 ± 38, continuation_history 3 ± 40,
    # capture_history 17 ± 36; presort in Othello -7 ± 17.
    horizon = monitor.horizon()
    if is_whole and (end - base > 1 or looks_ahead):
        for place in range(base, end):
            action = ordering.data[place]
            if looks_ahead:
                child_key, _ = key_and_view(game, game.result(state, action), depth - 1, settings)
                table.prefetch(child_key, depth - 1 < settings.hot)
            score = rating(game, state, action, ply, player, last, settings, ordering)
            if settings.presort and depth >= settings.presort:
                child, less = game.result(state, action), (depth - settings.presort) // SORT_STEP
                value = engine(
                    game, child, less, -LARGEST_VALUE, LARGEST_VALUE, row - 1, end, action, int64(0), context
                )
                score += (value if game.player(child) == player else -value) // scale * SORT_WEIGHT * PRIORITY
            ordering.rate(place, score if action != first else FIRST)
        monitor.forget(horizon)

    # Step 10. A child in the table may cut off; children known to be at most alpha need no visit (etc).
    # Worth: in Othello 23 ± 16.
    best, best_action = -LARGEST_VALUE, none
    if looks_ahead:
        end, best, best_action = look_at_children(
            game, state, depth, alpha, beta, ply, base, end, left_out, context
        )
        if best >= beta:
            return monitor.leave(row, monitor.known(row, best))

    # Step 11. If one action seems to be the only good one (singular_extension), it is searched more deeply.
    # If another one is good as well, the node is cut off, or the first action is searched less deep
    # (multi_cut).
    # Worth: both together 12 ± 13.
    singular, crowded = none, none
    if settings.singular_extension and ply > 0 and depth >= SINGULAR_DEPTH and left_out == NO_ACTION:
        if first != NO_ACTION and entry != uint64(0) and is_singular_likely(entry, depth):
            known = relative(value_of(entry), -ply, scale) + won
            edge = known - settings.singular_extension * depth * scale // SINGULAR_PART - 1
            ordering.leave_out(ply, first)
            horizon = monitor.horizon()
            value = engine(
                game, state, (depth - 1) // 2, edge, edge + 1, row, end, last, expects_cut, context
            )
            ordering.leave_out(ply, none)
            monitor.forget(horizon)
            if value <= edge and not monitor.is_stopped():
                singular = first
            elif settings.multi_cut and not monitor.is_stopped():
                if is_null and value >= beta:
                    monitor.rest()
                    return monitor.leave(row, monitor.known(row, value))
                if known >= beta or expects_cut:
                    crowded = first

    # Step 12. The loop: the first action has the whole window, the others must show that they are better.
    raised = alpha
    proven = (game.highest - 1) * scale  # a value beyond this is that of a won game
    may_extend = ply < 2 * (monitor.root() - EXTRA)  # a line is at most twice as long as the depth
    is_forced = is_whole and end == base + 1 and best_action == NO_ACTION
    futile = False
    if settings.futility and is_null and not is_threatened:
        futile = is_futile(settings, standing, depth, alpha, scale)
    is_pruned = is_null and ply > 0 and not is_threatened  # may single actions be left out?
    may_force = settings.check_extension > 0 and depth > 1
    steepness = 0.0
    if settings.reduction_scale:
        steepness = settings.reduction_scale / 100 * math.log(depth)
    shared = int64(table.words[SHARED])
    is_shared = 0 < shared <= depth
    is_cut, is_thinned = False, False
    place = base - 1
    while True:
        # Step 13. The next action, of this stage or the next (staged_generation); an action that another
        # thread is searching comes last.
        place += 1
        if place < end and not is_cut:
            ordering.next_move(place, end)
        if to_come > 0 and (place == end or ordering.score(place) < PRIORITY):
            end = next_stage(game, state, to_come, end, ply, player, first, last, settings, ordering, monitor)
            to_come, place = to_come - 1, place - 1
            continue
        if place == end:
            break
        action, score = ordering.data[place], ordering.score(place)
        if PRIORITY <= score < FIRST and game.is_losing(state, action):
            ordering.rate(place, score - LOSS)
            place -= 1
            continue
        if is_shared and place > base and score != LATER:
            child_key, _ = key_and_view(game, game.result(state, action), depth - 1, settings)
            if table.is_busy(child_key):
                ordering.rate(place, LATER)
                place -= 1
                continue
        action = monitor.choose(row, action, NO_ACTION)

        # Step 14. Leave out hopeless actions (futility, late_move_pruning, losing_pruning), except those that
        # force a reply, and those that lose too much (see_pruning).
        # Worth: futility -18 ± 42, late_move_pruning 56 ± 40, losing_pruning 43 ± 36, see_pruning 17 ± 37.
        is_plain = place > base and score < PRIORITY
        if is_plain and best > -proven:
            hopeless = futile or (
                is_pruned and is_hopeless(settings, place - base, score, depth, is_improving)
            )
            if hopeless and not (may_force and game.is_forcing(state, action)):
                best = max(best, alpha // scale * scale)  # alpha itself may lie between two values
                is_cut = True  # all actions after it are hopeless too
                if not may_force:
                    break
                ordering.rate(place, SKIPPED)
                continue
            if settings.see_pruning and is_pruned and depth <= EXCHANGE_DEPTH:
                if loses_too_much(game, state, action, settings, depth):
                    best = max(best, alpha // scale * scale)
                    is_thinned = True
                    ordering.rate(place, SKIPPED)
                    continue
        if settings.singular_extension and action == left_out:
            continue

        # Step 15. Extensions (one_reply_extension, check_extension, singular_extension) and reductions
        # (late_move_reductions, reduction_scale, improving).
        # Worth: check_extension 41 ± 39, late_move_reductions -22 ± 38, reduction_scale 3 ± 38, improving -5
        # ± 40.
        child = game.result(state, action)
        same = game.player(child) == player
        whole = depth - 1
        if may_extend:
            whole += extension(game, child, settings, is_forced, action == singular)
        if settings.multi_cut and action == crowded:
            whole -= 1
        left = whole
        if settings.late_move_reductions and is_plain and whole < depth:
            number = place - base
            less = reduction(settings, number, score, depth, steepness, is_null, is_threatened, is_improving)
            if less > 0:
                left = max(left - less, 1)

        # Step 16. Search the action, and again if it is better than expected.
        top = beta if place == base else raised + 1
        if is_shared:
            child_key, _ = key_and_view(game, child, depth - 1, settings)
            table.begin(child_key)
        ordering.begin_action(ply, action)
        while True:
            low, high = (raised, top) if same else (-top, -raised)
            cuts = 1 - expects_cut
            if not is_null:
                cuts = int64(top < beta)
            elif left < whole:
                cuts = int64(1)
            cuts = 1 - cuts if same else cuts
            value = engine(game, child, left, low, high, row - 1, end, action, cuts, context)
            value = value if same else -value
            if value > raised and left < whole:
                left = whole  # better than expected: search again, to the whole depth
            elif raised < value < beta and top < beta:
                top = beta  # search again, for its value
            else:
                break
        if is_shared:
            table.end(child_key)

        # Step 17. A new best action; the ordering remembers one that cuts off (order, history_malus).
        if value > best:
            best, best_action = value, action
            if best > raised and ply == 0 and not monitor.is_stopped():
                monitor.decide(action)
            if best >= beta:
                monitor.cut(row, action, best)
                if settings.history_malus:
                    learn_order(game, state, ply, player, base, place, last, depth, settings, ordering)
                elif settings.order:
                    ordering.reward(ply, player, action, last, depth)
                break
            if best > raised:
                raised = best
                monitor.best(row, action, best)

    if is_cut or is_thinned:
        best = monitor.leaf(row, best, True)
    rests = monitor.horizon() > before
    if game.cycles:
        rests |= monitor.leave_loop(ply)

    # Step 18. Store the result in the table, and learn the error of the static value (correction_history).
    is_partial = left_out != NO_ACTION or (ply == 0 and monitor.is_choosy())
    if settings.correction_history and is_valued and not is_partial and not monitor.is_stopped():
        is_told = (best > static) if best >= beta else (best < static or best > alpha)
        if is_told and (best_action == NO_ACTION or game.priority(state, best_action) == 0):
            learn_error(settings, ordering, error_at, best, static, depth, scale)
    if has_table and not is_partial and not monitor.is_stopped():
        bound = LOWER if best >= beta else EXACT if best > alpha else UPPER
        kept = best_action if best > alpha else first  # none is known to be best if none is above alpha
        if view != 0 and kept != NO_ACTION:
            kept = game.turn(kept, view, False)
        value = relative(best, ply, scale) - won
        table.store(key, is_hot, depth, value, bound, kept, rests, settings.replace)
        if ordering.leads() and not is_hot:
            table.grow_if_full(monitor)
    return monitor.leave(row, best)
