"""MTD: the value closed in by null-window searches with memory. MTD(f), SSS* and DUAL* are choices of the
first and the next bound.

Plaat, Schaeffer, Pijls & de Bruin, Best-first fixed-depth minimax algorithms (1996); SSS*: Stockman (1979);
DUAL*: Marsland, Reinefeld & Schaeffer (1987).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gambito.memory.bounds import new_bound_table
from gambito.native import native
from gambito.search.algorithm import Algorithm, Option, Task
from gambito.search.classic.leaf import leaf_kind, leaf_value


@native
def alpha_beta_with_memory(game, state, depth, alpha, beta, table, watch):
    """Alpha-beta that keeps what it learns of every state, and uses it.

    result <= alpha:  true value <= result
    result >= beta:   true value >= result
    otherwise:        true value == result
    """
    hint = watch.enter(game, state, depth, alpha, beta)
    kind = leaf_kind(game, state, depth, watch)
    if kind:
        return watch.leave(depth, leaf_value(game, state, depth, kind, watch))
    low, high = -game.infinity, game.infinity
    slot_key = table.slot_key(game.key(state), depth)
    if not game.cycles and table.has(slot_key):  # in a circle a value belongs to the path, not to the state
        low, high = table.low(slot_key), table.high(slot_key)
        if low >= beta:
            return watch.leave(depth, watch.known(depth, low))
        if high <= alpha:
            return watch.leave(depth, watch.known(depth, high))
    player = game.player(state)
    best, raised = -game.infinity, alpha
    for listed in game.actions(state):
        action = watch.choose(depth, listed, hint)
        child = game.result(state, action)
        if game.player(child) == player:
            value = alpha_beta_with_memory(game, child, depth - 1, raised, beta, table, watch)
        else:
            value = -alpha_beta_with_memory(game, child, depth - 1, -beta, -raised, table, watch)
        if value > best:
            best = value
            if best >= beta:
                watch.cut(depth, action, best)
                break
            if best > raised:
                raised = best
                watch.best(depth, action, best)
    if not watch.is_stopped():
        if best > alpha:
            low = best
        if best < beta:
            high = best
        table.keep(slot_key, low, high)
    return watch.leave(depth, best)


Bounds = Callable[[Any, Any, Any, Any], Any]  # (low, high, last result, step) -> the next gamma


def mtd(task: Task, first: Any, following: Bounds) -> Any:
    """Ask "at least gamma?" until the value is known.

    low <= true value <= high, and each question makes one of them tighter.
    """
    step, infinity = task.rules.step, task.rules.infinity
    table = task.memory.setdefault("table", None) or new_bound_table(task.rules.value, task.options["memory"])
    task.memory["table"] = table
    if task.beta - task.alpha <= 2 * step:  # the value is known and its line is asked for
        return alpha_beta_with_memory(
            task.game, task.state, task.depth, task.alpha, task.beta, table, task.watch
        )
    low, high, gamma = -infinity, infinity, first
    while low < high:
        args = (task.depth, gamma - step, gamma, table, task.watch)
        result = alpha_beta_with_memory(task.game, task.state, *args)
        if task.watch.is_stopped():
            break
        if result >= gamma:
            low = result
        else:
            high = result
        gamma = following(low, high, result, step)
    return low


def mtd_f(task: Task) -> Any:
    """From a good guess, the nearest bound that is still open."""
    return mtd(task, task.guess, lambda low, high, result, step: result + step if result == low else result)


def sss_star(task: Task) -> Any:
    """From above: every state is as good as possible until it is shown not to be."""
    return mtd(task, task.rules.infinity, lambda low, high, result, step: high)


def dual_star(task: Task) -> Any:
    """From below."""
    return mtd(task, -task.rules.infinity + task.rules.step, lambda low, high, result, step: low + step)


MEMORY = Option("memory", 64, "size of the table in MiB", low=1, high=4096)

ALGORITHMS = (
    Algorithm(
        name="mtd-f",
        summary="null-window searches with memory that close in on the value from a guess",
        source="Plaat, Schaeffer, Pijls & de Bruin 1996",
        run=mtd_f,
        options=(MEMORY,),
    ),
    Algorithm(
        name="sss-star",
        summary="best-first minimax: null-window searches with memory, from above",
        source="Stockman 1979; Plaat et al. 1996",
        run=sss_star,
        options=(MEMORY,),
    ),
    Algorithm(
        name="dual-star",
        summary="the dual of SSS*: null-window searches with memory, from below",
        source="Marsland, Reinefeld & Schaeffer 1987; Plaat et al. 1996",
        run=dual_star,
        options=(MEMORY,),
    ),
)
