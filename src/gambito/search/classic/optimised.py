"""Alpha-beta with the optimisations of the textbooks, each switched by an option and off by default.

    order      actions by the game's hint, or by the lectures': checks, captures, threats, forward, backward
    history    actions that cut off elsewhere come first: Schaeffer, The history heuristic (1989)
    killers    the last two actions that cut off at this ply come first: Akl & Newborn (1977)
    null_move  cut off if even a pass is good enough: Beal (1989), Donninger (1993)
    table      the bounds of every state are kept and used: Plaat et al. (1996), AlphaBetaWithMemory
    probcut    cut off if a shallow search falls outside the window: Buro (1995, 1997)

Each is the text of its source without further conditions; the engine has their strong forms. With all of
them off, `alpha_beta` searches instead. The settings are constants of the compiler, so that what is off costs
nothing.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from gambito.errors import SearchError
from gambito.game.contract import MOST_ACTIONS, NO_ACTION, Game
from gambito.memory.bounds import new_bound_table
from gambito.memory.ordering import ACTIONS, ACTIONS_END, FIRST, new_ordering
from gambito.native import Constant, inlined, int64, native, uint64
from gambito.native.digest import digest
from gambito.search.algorithm import Option
from gambito.search.classic.leaf import HORIZON, INNER, REPEATED, STOPPED, leaf_kind, leaf_value
from gambito.search.monitor import FAIL_HIGH, FAIL_LOW, LONG_LINE, MANY_ACTIONS, PASS
from gambito.search.probcut_model import (
    CUT,
    CUTS,
    DEPTHS,
    FACTOR,
    OFFSET,
    SHALLOW,
    SIGMA,
    THRESHOLD,
    TRIES,
    USUAL_THRESHOLD,
    probcut_table,
    read_probcut_model,
    tries_of,
)
from gambito.search.task import SearchTask

NONE, GAME, LECTURE = range(3)  # order
OFF, POWER, SQUARE = range(3)  # history
ORDERS = ("none", "game", "lecture")
HISTORIES = ("off", "2^depth", "depth^2")
KILLER = 1 << 60  # the score of the last killer; the one before it has half of it
HINT = 1 << 40  # the weight of the game's hint; history stays below
MOST_POWER = 40  # plies: the history of a deeper cut-off counts as much as this
LARGEST_BOUND = 1 << 52  # bounds of shallow searches are no larger


class Settings:
    """The options as numbers, and the model of ProbCut."""

    def __init__(self, numbers: tuple[int, ...], model: Any) -> None:
        self.order, self.history, self.killers, self.null_move, self.table, self.probcut = numbers[:6]
        self.stages, self.model = numbers[6], model


class Context(NamedTuple):
    """What is the same in all nodes of one search."""

    settings: Any  # Settings, as a constant
    table: Any  # the bounds of states
    ordering: Any  # killers, history, and the lists of actions
    monitor: Any
    is_line: int  # 1: the value is known and its line is wanted, so the window stays open around it


@native
def optimised(game, state, depth, alpha, beta, row, base, is_passed, context):
    """The value of the state for the player to move, exact if it lies between alpha and beta.

    result <= alpha:  true value <= result
    result >= beta:   true value >= result
    otherwise:        true value == result
    The true value is that of minimax, unless null_move or probcut has guessed. `row` is the row of the node
    in the monitor, `base` the place where this ply's actions begin; `is_passed` is 1 after a pass.
    """
    settings, table, ordering, monitor = context.settings, context.table, context.ordering, context.monitor
    depth = max(depth, int64(0))
    hint = monitor.enter(game, state, row, alpha, beta)
    kind = leaf_kind(game, state, row, monitor)
    if kind == INNER and depth == 0:
        kind = HORIZON
    if kind in (STOPPED, REPEATED) or (kind and not settings.table):
        return monitor.leave(row, leaf_value(game, state, row, kind, monitor))
    low, high, rests, before = -game.infinity, game.infinity, False, monitor.horizon()
    ply, slot_key = monitor.root() - row, uint64(0)

    if settings.table:  # bounds of this state that are known already
        slot_key = table.slot_key(game.key(state), depth)
        place = table.place(slot_key)
        if table.has(place, slot_key):
            low, high, rests = table.low(place), table.high(place), table.rests_on_horizon(place)
            if low >= beta or high <= alpha:
                if rests or game.cycles:  # in a cycle a value may depend on the path
                    monitor.rest()
                return monitor.leave(row, monitor.known(row, low if low >= beta else high))
            if not context.is_line:
                alpha, beta = max(alpha, low), min(beta, high)
                monitor.tighten(row, alpha, beta)

    if settings.null_move and not kind and not is_passed and not game.is_urgent(state):
        passed = game.pass_turn(state)
        if uint64(game.key(passed)) != uint64(game.key(state)):
            monitor.ask(row, PASS)
            less = depth - settings.null_move - 1
            value = -optimised(game, passed, less, -beta, game.step - beta, row - 1, base, int64(1), context)
            if value >= beta:
                return monitor.leave(row, monitor.guess(row, PASS, value))

    if settings.probcut and not kind and depth < DEPTHS:  # Multi-ProbCut; ProbCut has one try, at one depth
        stage = min(max(game.stage(state), 0), settings.stages - 1)
        for number in range(settings.probcut):
            place = ((stage * DEPTHS + depth) * TRIES + number) * CUT
            shallow = int64(settings.model[place + SHALLOW])
            if shallow < 0:
                break
            margin = settings.model[place + THRESHOLD] * settings.model[place + SIGMA]
            offset, slope = settings.model[place + OFFSET], settings.model[place + FACTOR]
            bound = nearest(game, (margin + beta - offset) / slope)
            monitor.ask(row, FAIL_HIGH)
            value = optimised(game, state, shallow, bound - game.step, bound, row, base, is_passed, context)
            if value >= bound:
                return monitor.leave(row, monitor.guess(row, FAIL_HIGH, beta))
            bound = nearest(game, (-margin + alpha - offset) / slope)
            monitor.ask(row, FAIL_LOW)
            value = optimised(game, state, shallow, bound, bound + game.step, row, base, is_passed, context)
            if value <= bound:
                return monitor.leave(row, monitor.guess(row, FAIL_LOW, alpha))

    best, raised = -game.infinity, alpha
    if kind:
        best = leaf_value(game, state, row, kind, monitor)
    else:
        player = game.player(state)
        end = list_actions(game, state, ply, base, hint, settings, ordering, monitor)
        for place in range(base, end):
            action = monitor.choose(row, ordering.next_move(place, end), NO_ACTION)
            child = game.result(state, action)
            if game.player(child) == player:
                value = optimised(game, child, depth - 1, raised, beta, row - 1, end, int64(0), context)
            else:
                value = -optimised(game, child, depth - 1, -beta, -raised, row - 1, end, int64(0), context)
            if value > best:
                best = value
                if best >= beta:
                    monitor.cut(row, action, best)
                    learn(action, ply, depth, settings, ordering, monitor)
                    break
                if best > raised:
                    raised = best
                    monitor.best(row, action, best)

    if settings.table and not monitor.is_stopped():
        depends = game.cycles and monitor.leave_loop(ply)
        if best > alpha:
            low = best
        if best < beta:
            high = best
        if not depends:
            table.keep(slot_key, low, high, rests or monitor.horizon() > before)
    return monitor.leave(row, best)


@native
def list_actions(game, state, ply, base, hint, settings, ordering, monitor):
    """order, history, killers: write the actions from `base` on, each with its score; return their end."""
    end = game.collect(state, ordering.data, base)
    if end - base > MOST_ACTIONS or end > ACTIONS_END:
        monitor.give_up(MANY_ACTIONS if end - base > MOST_ACTIONS else LONG_LINE)
        return base
    for place in range(base, end):
        action, score = ordering.data[place], int64(0)
        if settings.order == GAME:
            score += game.priority(state, action) * HINT
        if settings.order == LECTURE:
            score += game.lecture_priority(state, action) * HINT
        if settings.history:
            score += min(ordering.credit(action), int64(HINT - 1))
        if settings.killers:
            score += ordering.killer_rank(ply, action) * (KILLER >> 1)
        ordering.rate(place, score if action != hint else FIRST)
    monitor.order(game, state, ordering, base, end)
    return end


@inlined
def learn(action, ply, depth, settings, ordering, monitor):
    """history, killers: an action has cut off at this ply, with this depth left."""
    if settings.history:
        power = int64(1) << min(depth, int64(MOST_POWER))
        merit = power if settings.history == POWER else depth * depth
        monitor.credit(action, merit, ordering.earn(action, merit))
    if settings.killers:
        ordering.keep(ply, int64(0), action, int64(NO_ACTION))
        monitor.kill(action)


@inlined
def nearest(game, exact):
    """The value that is nearest to a number; halves go away from 0."""
    steps = min(max(exact / game.step, -float(LARGEST_BOUND)), float(LARGEST_BOUND))
    whole = int64(math.floor(abs(steps) + 0.5))
    return game.step * (whole if steps >= 0 else -whole)


# ---- the options -------------------------------------------------------------------------------------

OPTIONS = (
    Option(
        "order",
        "none",
        "the order of actions: as the rules list them, by the game's hint, or that of the lectures (checks, "
        "captures, threats, forward, backward)",
        choices=ORDERS,
    ),
    Option(
        "history",
        "off",
        "actions that have cut off anywhere come first; a cut-off counts this much",
        choices=HISTORIES,
    ),
    Option("killers", False, "the last two actions that cut off at the same ply come first"),
    Option(
        "null_move",
        0,
        "cut off if even a pass is good enough, searched this many plies less deep; 0: off",
        low=0,
        high=8,
        on=2,
        sound=False,
    ),
    Option("table", False, "keep the bounds of every state in a table, and use them"),
    Option(
        "probcut",
        "off",
        "cut off if a shallow search falls far outside the window",
        choices=CUTS,
        on="one",
        sound=False,
    ),
    Option(
        "certainty",
        0.0,
        "how far outside the window, in standard deviations; 0: the thresholds t of the model",
        low=0.0,
        high=10.0,
        technique=False,
    ),
    Option("deep", 8, "with probcut=one, the depth D that is tested", 2, DEPTHS - 1, technique=False),
    Option("shallow", 4, "with probcut=one, the depth D' of the test", 1, DEPTHS - 2, technique=False),
    Option(
        "probcut_model",
        "",
        "a file made by `gambito fit probcut`; without one, the game's own model",
        technique=False,
    ),
    Option("memory", 64, "size of the table in MiB", low=1, high=4096, technique=False),
)


def is_plain(options: Mapping[str, Any]) -> bool:
    """Are all optimisations off?"""
    switched = (options["killers"], options["null_move"], options["table"])
    return not any(switched) and (options["order"], options["history"], options["probcut"]) == (
        "none",
        "off",
        "off",
    )


def search_optimised(task: SearchTask) -> Any:
    """The value of a question's state, by alpha-beta with the optimisations that its options name."""
    options, rules = task.options, task.rules
    settings = new_settings(rules, options, task.gear)
    size = options["memory"] if options["table"] else 1
    table = task.session.keep("alpha-beta table", lambda: new_bound_table(rules.value, size))
    ordering = task.session.keep("alpha-beta ordering", new_ordering)
    context = Context(settings, table, ordering, task.monitor, int(task.is_line))
    row, base, is_passed = task.depth, ACTIONS, int64(0)
    return optimised(*task.root, *task.window, row, base, is_passed, context)


def new_settings(rules: Game, options: Mapping[str, Any], gear: str) -> Any:
    """The settings for one gear; raise an error if the game lacks what an option needs."""
    if options["order"] == "lecture" and type(rules).lecture_priority is Game.lecture_priority:
        raise SearchError(
            "order=lecture needs a game that tells checks, captures and threats apart, and {} does not",
            rules.label(),
        )
    if options["null_move"] and type(rules).pass_turn is Game.pass_turn:
        raise SearchError("null_move needs a game with a pass, and {} has none", rules.label())
    model, stages = _model(rules, options)
    order, history = ORDERS.index(options["order"]), HISTORIES.index(options["history"])
    probcut = tries_of(options["probcut"], model)
    killers, null_move, table = (int(options[name]) for name in ("killers", "null_move", "table"))
    numbers = (order, history, killers, null_move, table, probcut, stages)
    return Settings(numbers, model) if gear == "python" else _constant(numbers, model.tobytes())


@functools.cache
def _constant(numbers: tuple[int, ...], model: bytes) -> Constant:
    label = f"{Settings.__module__}.{Settings.__name__}"
    return Constant(Settings(numbers, np.frombuffer(model)), label, digest(numbers, model), {}, {})


def _model(rules: Game, options: Mapping[str, Any]) -> tuple[Any, int]:
    """The table of ProbCut's tries, and the number of its stages."""
    if options["probcut"] == "off":
        return probcut_table((), is_extended=False)
    rows = read_probcut_model(options["probcut_model"]) or rules.probcut_model
    if options["probcut"] == "one":
        deep, shallow = options["deep"], options["shallow"]
        rows = [(*row[:6], USUAL_THRESHOLD) for row in rows if tuple(row[1:3]) == (deep, shallow)]
        if not rows:
            raise SearchError(
                "probcut=one needs a model of depth {} by depth {}, and {} has none",
                deep,
                shallow,
                rules.label(),
            )
    if not rows:
        raise SearchError(
            "probcut needs a model, and {} has none; `gambito fit probcut` makes one", rules.label()
        )
    table, stages = probcut_table(rows, is_extended=False)
    if options["certainty"]:
        table[THRESHOLD::CUT] = options["certainty"]
    return table, stages
