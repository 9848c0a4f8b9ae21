"""MTD: null-window searches with memory that close in on the value. MTD(f), SSS* and DUAL* differ in the
first and the next bound.

Plaat, Schaeffer, Pijls & de Bruin, Best-first fixed-depth minimax algorithms (1996); SSS*: Stockman (1979);
DUAL*: Marsland, Reinefeld & Schaeffer (1987).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gambito.game.contract import NO_ACTION
from gambito.memory.bounds import new_bound_table
from gambito.native import above, below, native
from gambito.search.algorithm import DepthSearch, Option
from gambito.search.classic.leaf import STOPPED, leaf_kind, leaf_value
from gambito.search.monitor import DECISION
from gambito.search.task import SearchTask, TaskResult


@native
def alpha_beta_with_memory(game, state, depth, alpha, beta, keeps_leaves, is_line, table, monitor):
    """Alpha-beta that keeps the bounds of every state in a table, and uses them.

    result <= alpha:  true value <= result
    result >= beta:   true value >= result
    otherwise:        true value == result
    `is_line`: the value is known and its line is wanted, so the window stays open around it.
    """
    hint = monitor.enter(game, state, depth, alpha, beta)
    kind = leaf_kind(game, state, depth, monitor)
    if kind and (game.cycles or kind == STOPPED or not keeps_leaves):
        return monitor.leave(depth, leaf_value(game, state, depth, kind, monitor))
    low, high, rests, before = -game.infinity, game.infinity, False, monitor.horizon()
    slot_key = table.slot_key(game.key(state), depth)
    place = table.place(slot_key)
    if not game.cycles and table.has(place, slot_key):  # in a cycle the value depends on the path
        low, high, rests = table.low(place), table.high(place), table.rests_on_horizon(place)
        if low >= beta or high <= alpha:
            if rests:
                monitor.rest()
            return monitor.leave(depth, monitor.known(depth, low if low >= beta else high))
        if not is_line:
            alpha, beta = max(alpha, low), min(beta, high)
            monitor.tighten(depth, alpha, beta)
    best, raised = -game.infinity, alpha
    if kind:
        best = leaf_value(game, state, depth, kind, monitor)
    else:
        player, left = game.player(state), depth - 1
        for listed in game.actions(state):
            action = monitor.choose(depth, listed, hint)
            child = game.result(state, action)
            if game.player(child) == player:
                value = alpha_beta_with_memory(
                    game, child, left, raised, beta, keeps_leaves, is_line, table, monitor
                )
            else:
                value = -alpha_beta_with_memory(
                    game, child, left, -beta, -raised, keeps_leaves, is_line, table, monitor
                )
            if value > best:
                best = value
                if best >= beta:
                    monitor.cut(depth, action, best)
                    if depth == monitor.root():
                        monitor.decide(action)
                    break
                if best > raised:
                    raised = best
                    monitor.best(depth, action, best)
    if not monitor.is_stopped():
        if best > alpha:
            low = best
        if best < beta:
            high = best
        table.keep(slot_key, low, high, rests or monitor.horizon() > before)
    return monitor.leave(depth, best)


Bounds = Callable[[Any, Any, Any, Any], Any]  # (low, high, last result, step) -> the next gamma


def mtd(task: SearchTask, first: Any, following: Bounds) -> TaskResult:
    """Ask "is the value at least gamma?" until the value is known.

    low <= true value <= high, and each question tightens one of them. The action that answered "yes" last has
    a value of at least low.
    """
    rules, monitor = task.rules, task.monitor
    size = task.options["memory"]
    table = task.session.keep("mtd table", lambda: new_bound_table(rules.value, size))
    step, keeps_leaves = rules.step, task.options["leaves"]
    if task.is_line:
        window = task.window
        return TaskResult(alpha_beta_with_memory(*task.root, *window, keeps_leaves, True, table, monitor))
    low, high, gamma, action = -rules.infinity, rules.infinity, first, None
    while low < high:
        monitor.decide(NO_ACTION)
        window = below(gamma, step), gamma
        result = alpha_beta_with_memory(*task.root, *window, keeps_leaves, False, table, monitor)
        if monitor.is_stopped():
            monitor.decide(NO_ACTION)  # the bound is not one that the last iteration's action fails to reach
            break
        if result >= gamma:
            low, action = result, int(monitor.data[DECISION])
        else:
            high = result
        gamma = following(low, high, result, step)
    return TaskResult(low, None if action == NO_ACTION else action)


def mtd_f(task: SearchTask) -> TaskResult:
    """Begin at a good guess and go on with the nearest open bound."""
    return mtd(
        task,
        task.guess,
        lambda low, high, result, step: above(low, step) if result == low else result,
    )


def sss_star(task: SearchTask) -> TaskResult:
    """Begin above: every state counts as good as possible until the search shows otherwise."""
    return mtd(task, task.rules.infinity, lambda low, high, result, step: high)


def dual_star(task: SearchTask) -> TaskResult:
    """Begin below: every state counts as bad as possible until the search shows otherwise."""
    lowest = above(-task.rules.infinity, task.rules.step)
    return mtd(task, lowest, lambda low, high, result, step: above(low, step))


MEMORY_OPTIONS = (
    Option("memory", 64, "size of the table in MiB", low=1, high=4096),
    Option("leaves", True, "keep the values of leaves in the table too"),
)
GUESS = Option(
    "guess",
    "",
    "the first guess f, for the player to move; nothing: 0, or the value of the previous iteration",
    technique=False,
    is_number=True,
)

ALGORITHMS = (
    DepthSearch(
        name="mtd-f",
        summary="null-window searches with memory that close in on the value from a guess",
        source="Plaat, Schaeffer, Pijls & de Bruin 1996",
        run=mtd_f,
        options=(*MEMORY_OPTIONS, GUESS),
    ),
    DepthSearch(
        name="sss-star",
        summary="best-first minimax: null-window searches with memory, from above",
        source="Stockman 1979; Plaat et al. 1996",
        run=sss_star,
        options=MEMORY_OPTIONS,
    ),
    DepthSearch(
        name="dual-star",
        summary="the dual of SSS*: null-window searches with memory, from below",
        source="Marsland, Reinefeld & Schaeffer 1987; Plaat et al. 1996",
        run=dual_star,
        options=MEMORY_OPTIONS,
    ),
)
