"""Star1 and Star2: alpha-beta through chance nodes.

The value of a chance node lies between bounds, because the value of each outcome does: first the bounds that
the game gives, then the exact value once the outcome has been searched. When the bounds leave the window, the
remaining outcomes need not be searched. Star2 first searches one action below each outcome, which bounds it
from one side.

Ballard, The *-minimax search procedure for trees containing chance nodes (1983); Hauk, Buro & Schaeffer,
Rediscovering *-minimax search (2004).
"""

from __future__ import annotations

import functools

from gambito.chance.outcomes import Outcomes, new_outcomes
from gambito.game.contract import CHANCE, MOST_ACTIONS, NO_ACTION
from gambito.memory.float_bounds import action_of, new_fraction_table, rests_on_horizon, serves
from gambito.memory.ordering import ACTIONS, ACTIONS_END, FIRST, PRIORITY, new_ordering
from gambito.native import int64, native
from gambito.search.algorithm import VALUE, WINDOW, WITH, DepthSearch, Fits, Option
from gambito.search.classic.leaf import leaf_kind, leaf_value
from gambito.search.monitor import LONG_LINE, MANY_ACTIONS, MANY_OUTCOMES
from gambito.search.task import SearchTask, TaskResult


@native
def rate_actions(game, state, depth, place, first, is_ordered, ordering, monitor):
    """List the actions from `place` on, each with its score; return the end of the list."""
    end = game.collect(state, ordering.data, place)
    if end - place > MOST_ACTIONS:
        monitor.give_up(MANY_ACTIONS)
        end = place
    player = game.player(state)
    while place < end:
        action = ordering.data[place]
        score = int64(0)
        if is_ordered:
            score += ordering.quiet_score(depth, player, action, -1)
            score += game.priority(state, action) * PRIORITY
        ordering.rate(place, score if action != first else FIRST)
        place += 1
    return end


@native
def star(
    game, state, depth, alpha, beta, place, is_probe, probes, is_ordered, table, ordering, outcomes, monitor
):
    """The value of the state for MAX (player 0), as far as it lies between alpha and beta.

    result <= alpha:  true value <= result
    result >= beta:   true value >= result
    otherwise:        true value == result
    A probe searches only one action: true value >= result if MAX moves, <= result if MIN does.
    """
    # 1. Leaves.
    hint = monitor.enter(game, state, depth, alpha, beta)
    player = game.player(state)
    kind = leaf_kind(game, state, depth, monitor)
    if kind:
        value = leaf_value(game, state, depth, kind, monitor)
        return monitor.leave(depth, -value if player == 1 else value)

    # 2. The table.
    slot_key = table.slot_key(game.key(state))
    facts = table.probe(slot_key)
    low, high = -game.infinity, game.infinity
    if not game.cycles and serves(facts, depth):  # in a cycle the value depends on the path
        low, high = table.low(slot_key), table.high(slot_key)
        is_known = low >= beta or high <= alpha or low == high
        if is_known and depth < monitor.root():  # the root is searched, for its best action
            if rests_on_horizon(facts):
                monitor.rest()
            return monitor.leave(depth, monitor.known(depth, high if high <= alpha else low))
    before, entered_alpha, entered_beta = monitor.horizon(), alpha, beta
    best_action = action_of(facts)

    if player == CHANCE:
        # 3. The outcomes, the most likely first, and the bounds that the game gives for them.
        least, most = game.bounds(state)
        begin = outcomes.row(depth)
        end = begin
        for outcome, chance in game.chances(state):
            if chance == 0.0:  # no window would be narrow enough for it
                continue
            if end == begin + outcomes.width[0]:
                monitor.give_up(MANY_OUTCOMES)
                break
            outcomes.add(begin, end, outcome, chance, least, most)
            end += 1

        # 4. Star2: one action below each outcome.
        if probes and depth > 1:
            spot = begin
            while spot < end and outcomes.low(begin, end) < beta and outcomes.high(begin, end) > alpha:
                child = game.result(state, outcomes.numbers[spot])
                share = outcomes.chances[spot]
                if not game.is_terminal(child) and game.player(child) != CHANCE:
                    monitor.choose(depth, outcomes.numbers[spot], NO_ACTION)
                    others = outcomes.low(begin, end) - share * outcomes.lows[spot]
                    above = outcomes.high(begin, end) - share * outcomes.highs[spot]
                    if game.player(child) == 0:
                        wanted = min((beta - others) / share, outcomes.highs[spot])
                        value = star(
                            game, child, depth - 1, outcomes.lows[spot], wanted, place, int64(1), probes,
                            is_ordered, table, ordering, outcomes, monitor,
                        )  # fmt: skip
                        outcomes.lows[spot] = max(outcomes.lows[spot], value)
                    else:
                        wanted = max((alpha - above) / share, outcomes.lows[spot])
                        value = star(
                            game, child, depth - 1, wanted, outcomes.highs[spot], place, int64(1), probes,
                            is_ordered, table, ordering, outcomes, monitor,
                        )  # fmt: skip
                        outcomes.highs[spot] = min(outcomes.highs[spot], value)
                spot += 1

        # 5. Star1: each outcome with the window in which it can still matter.
        spot, is_cut, is_low = begin, False, False
        while (
            not is_cut
            and spot < end
            and outcomes.low(begin, end) < beta
            and outcomes.high(begin, end) > alpha
        ):
            if outcomes.lows[spot] < outcomes.highs[spot]:
                share = outcomes.chances[spot]
                others = outcomes.low(begin, end) - share * outcomes.lows[spot]
                above = outcomes.high(begin, end) - share * outcomes.highs[spot]
                floor = max((alpha - above) / share, outcomes.lows[spot])
                ceiling = min((beta - others) / share, outcomes.highs[spot])
                outcome = monitor.choose(depth, outcomes.numbers[spot], NO_ACTION)
                value = star(
                    game, game.result(state, outcome), depth - 1, floor, ceiling, place, int64(0), probes,
                    is_ordered, table, ordering, outcomes, monitor,
                )  # fmt: skip
                is_low = value <= floor and floor > outcomes.lows[spot]
                is_high = value >= ceiling and ceiling < outcomes.highs[spot]
                is_cut = is_low or is_high
                if not is_high:
                    outcomes.highs[spot] = value
                if not is_low:
                    outcomes.lows[spot] = value
            spot += 1
        best = outcomes.low(begin, end)
        if outcomes.high(begin, end) <= alpha or (is_cut and is_low):
            best = min(outcomes.high(begin, end), alpha)  # rounding must not make it better
            monitor.cut(depth, NO_ACTION, best)
        elif best >= beta or is_cut:
            best = max(best, beta)
            monitor.cut(depth, NO_ACTION, best)
    else:
        # 6. The actions, the most promising first.
        first = hint if hint != NO_ACTION else best_action
        if place > ACTIONS_END:
            monitor.give_up(LONG_LINE)
            return monitor.leave(depth, alpha)
        end = rate_actions(game, state, depth, place, first, is_ordered, ordering, monitor)
        best = game.infinity if player == 1 else -game.infinity
        spot = place
        while spot < end:
            action = monitor.choose(depth, ordering.next_move(spot, end), NO_ACTION)
            value = star(
                game, game.result(state, action), depth - 1, alpha, beta, end, int64(0), probes,
                is_ordered, table, ordering, outcomes, monitor,
            )  # fmt: skip
            spot += 1
            if (player == 0 and value > best) or (player == 1 and value < best):
                best, best_action = value, action
                if (player == 0 and best >= beta) or (player == 1 and best <= alpha):
                    if not is_probe:
                        ordering.reward(depth, player, action, -1, depth)
                    monitor.cut(depth, action, best)
                    break
                if alpha < best < beta:
                    monitor.best(depth, action, best)
                    if player == 0:
                        alpha = best
                    else:
                        beta = best
            if is_probe:
                monitor.probe(depth)
                break

    # 7. Store the result.
    if not monitor.is_stopped():
        if best > entered_alpha and (not is_probe or player == 0):
            low = max(low, best)
        if best < entered_beta and (not is_probe or player == 1):
            high = min(high, best)
        is_built_on = not game.cycles and serves(facts, depth) and rests_on_horizon(facts)
        rests = monitor.horizon() > before or is_built_on
        table.keep(slot_key, depth, int64(rests), best_action, low, high)
    return monitor.leave(depth, best)


def run(task: SearchTask, probes: bool) -> TaskResult:
    session, size, is_ordered = task.session, task.options["memory"], task.options["order"]
    table = session.keep("star table", lambda: new_fraction_table(size))
    ordering = session.keep("star ordering", new_ordering)
    place, is_probe = ACTIONS, int64(0)
    window = task.window if task.is_max else (-task.beta, -task.alpha)  # for MAX
    value = star(
        *task.root, *window, place, is_probe, probes, is_ordered, table, ordering,
        outcomes_for(task), task.monitor,
    )  # fmt: skip
    return TaskResult(task.for_mover(value))


def outcomes_for(task: SearchTask) -> Outcomes:
    """Rows of outcomes for a search as deep as asked for."""
    width, kept = task.rules.most_outcomes, task.session.get("star outcomes", task.gear)
    if kept is not None and len(kept.numbers) >= width * (task.depth + 2):
        return kept
    made = new_outcomes(width, task.depth, task.gear == "native")
    task.session.put("star outcomes", made, task.gear)
    return made


OPTIONS = (
    Option("memory", 4, "MiB for the transposition table", 1, 1 << 16, technique=False),
    Option("order", True, "try promising actions first, by the game's hint, killers and history"),
    *WINDOW,
)
ALGORITHMS = (
    DepthSearch(
        name="star1",
        summary="alpha-beta through chance nodes: an outcome is searched only while it can still matter",
        source="Ballard 1983",
        run=functools.partial(run, probes=False),
        options=OPTIONS,
        fits=Fits(WITH),
        holds=VALUE,
        frame="max",
    ),
    DepthSearch(
        name="star2",
        summary="Star1 with a first probe of one action below each outcome",
        source="Ballard 1983; Hauk, Buro & Schaeffer 2004",
        run=functools.partial(run, probes=True),
        options=OPTIONS,
        fits=Fits(WITH),
        holds=VALUE,
        frame="max",
    ),
)
