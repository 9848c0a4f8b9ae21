"""MTD: null-window searches with memory that close in on the value. MTD(f), SSS* and DUAL* differ in the
first and the next bound.

Plaat, Schaeffer, Pijls & de Bruin, Best-first fixed-depth minimax algorithms (1996); SSS*: Stockman (1979);
DUAL*: Marsland, Reinefeld & Schaeffer (1987).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gambito.memory.bounds import new_bound_table
from gambito.native import native
from gambito.search.algorithm import DepthSearch, Option
from gambito.search.classic.leaf import leaf_kind, leaf_value
from gambito.search.question import Answer, Question


@native
def alpha_beta_with_memory(game, state, depth, alpha, beta, table, watch):
    """Alpha-beta that keeps the bounds of every state in a table, and uses them.

    result <= alpha:  true value <= result
    result >= beta:   true value >= result
    otherwise:        true value == result
    """
    hint = watch.enter(game, state, depth, alpha, beta)
    kind = leaf_kind(game, state, depth, watch)
    if kind:
        return watch.leave(depth, leaf_value(game, state, depth, kind, watch))
    low, high, rests, before = -game.infinity, game.infinity, False, watch.horizon()
    slot_key = table.slot_key(game.key(state), depth)
    if not game.cycles and table.has(slot_key):  # in a cycle the value depends on the path
        low, high, rests = table.low(slot_key), table.high(slot_key), table.rests_on_horizon(slot_key)
        if low >= beta or high <= alpha:
            if rests:
                watch.rest()
            return watch.leave(depth, watch.known(depth, low if low >= beta else high))
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
        table.keep(slot_key, low, high, rests or watch.horizon() > before)
    return watch.leave(depth, best)


Bounds = Callable[[Any, Any, Any, Any], Any]  # (low, high, last result, step) -> the next gamma


def mtd(question: Question, first: Any, following: Bounds) -> Answer:
    """Ask "is the value at least gamma?" until the value is known.

    low <= true value <= high, and each question tightens one of them.
    """
    rules, watch = question.rules, question.watch
    size = question.options["memory"]
    table = question.session.keep("mtd table", lambda: new_bound_table(rules.value, size))
    step = rules.step
    if question.beta - question.alpha <= 2 * step:  # the value is known, and its line is wanted
        return Answer(alpha_beta_with_memory(*question.root, *question.window, table, watch))
    low, high, gamma = -rules.infinity, rules.infinity, first
    while low < high:
        result = alpha_beta_with_memory(*question.root, gamma - step, gamma, table, watch)
        if watch.is_stopped():
            break
        if result >= gamma:
            low = result
        else:
            high = result
        gamma = following(low, high, result, step)
    return Answer(low)


def mtd_f(question: Question) -> Answer:
    """Begin at a good guess and go on with the nearest open bound."""
    return mtd(
        question, question.guess, lambda low, high, result, step: result + step if result == low else result
    )


def sss_star(question: Question) -> Answer:
    """Begin above: every state counts as good as possible until the search shows otherwise."""
    return mtd(question, question.rules.infinity, lambda low, high, result, step: high)


def dual_star(question: Question) -> Answer:
    """Begin below: every state counts as bad as possible until the search shows otherwise."""
    lowest = -question.rules.infinity + question.rules.step
    return mtd(question, lowest, lambda low, high, result, step: low + step)


MEMORY = Option("memory", 64, "size of the table in MiB", low=1, high=4096)

ALGORITHMS = (
    DepthSearch(
        name="mtd-f",
        summary="null-window searches with memory that close in on the value from a guess",
        source="Plaat, Schaeffer, Pijls & de Bruin 1996",
        run=mtd_f,
        options=(MEMORY,),
    ),
    DepthSearch(
        name="sss-star",
        summary="best-first minimax: null-window searches with memory, from above",
        source="Stockman 1979; Plaat et al. 1996",
        run=sss_star,
        options=(MEMORY,),
    ),
    DepthSearch(
        name="dual-star",
        summary="the dual of SSS*: null-window searches with memory, from below",
        source="Marsland, Reinefeld & Schaeffer 1987; Plaat et al. 1996",
        run=dual_star,
        options=(MEMORY,),
    ),
)
