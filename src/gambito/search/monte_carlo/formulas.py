"""The formulas that choose the child a simulation goes to.

`settings` are switches, which are constants of the compiler: a formula that is off is not compiled. Numbers
that are tuned are in `knobs`, so that another value needs no compilation.

    UCB1        mean + c √(ln N / n)                                        Auer, Cesa-Bianchi & Fischer 2002
    UCB1-Tuned  mean + c √(ln N / n · min(1, V)), V the variance's bound    the same
    PUCT        mean + c · prior · √N / (1 + n)                             Rosin 2011; Silver et al. 2017
    RAVE        (1 - β) mean + β amaf, β = √(k / (3n + k))                  Gelly & Silver 2007
    GRAVE       the same, amaf of the nearest node above with many visits   Cazenave 2015
    bias        + w · prior / (1 + n)                                       Chaslot et al. 2008
    widening    only the first C · N^α children, the likeliest first        Coulom 2007; Chaslot et al. 2008
    implicit    (1 - α) mean + α · static value backed up by minimax        Lanctot et al. 2014

Rewards are between -1 and 1, so c is twice what it is for rewards between 0 and 1. Scores may fill a small
part of the game's range, so means of scores are stretched: the lowest and the highest reward seen count as -1
and 1 (Schrittwieser et al. 2020).
"""

from __future__ import annotations

import math
from typing import Any, ClassVar

import numpy as np

from gambito.game.contract import CHANCE
from gambito.native import Constant, Handle, inlined
from gambito.native.atomic import fetch_add
from gambito.native.digest import digest

NAMES = (
    "players", "select", "reward", "playout", "solver", "rave", "bias", "widen", "implicit", "prior",
    "in_turn", "shared", "notes", "guided", "leaf_parallel", "squares", "endings", "single",
    "stretches",
)  # fmt: skip

FORMULAS = ("ucb1", "ucb1-tuned", "puct")
UCB1, TUNED, PUCT = range(len(FORMULAS))

KNOBS = (
    "exploration", "threshold", "plies", "pause", "temperature", "first_value", "rave_weight", "rave_from",
    "bias_weight", "width", "growth", "static_share", "virtual_loss", "random_share", "unit",
    "middle", "half", "depth", "stretch", "seen_low", "seen_high",
)  # fmt: skip
STRETCH, SEEN_LOW, SEEN_HIGH = (KNOBS.index(name) for name in ("stretch", "seen_low", "seen_high"))


class Switches:
    """Settings that are constants of the compiled code."""

    def __init__(self, values: tuple[int, ...]) -> None:
        vars(self).update(zip(NAMES, values, strict=True))


class Knobs(Handle):
    """Settings in memory, and tables of functions of small numbers: a lookup is faster than a division or a
    root."""

    arrays: ClassVar[dict[str, type]] = {
        "data": np.float64,
        "logs": np.float64,
        "root_logs": np.float64,
        "shares": np.float64,
        "roots": np.float64,
    }
    fields: ClassVar[dict[str, tuple[str, int]]] = {name: ("data", place) for place, name in enumerate(KNOBS)}

    def log(self, visits):
        """The natural logarithm; 0 for numbers below one."""
        return self.logs[int(visits)] if visits < SMALL else math.log(visits)

    def root_log(self, visits):
        """The square root of the logarithm."""
        return self.root_logs[int(visits)] if visits < SMALL else math.sqrt(math.log(visits))

    def share(self, visits):
        """1 / visits."""
        return self.shares[int(visits)] if visits < SMALL else 1.0 / visits

    def root_share(self, visits):
        """1 / √visits."""
        return self.roots[int(visits)] if visits < SMALL else 1.0 / math.sqrt(visits)


SMALL = 1 << 12
_NUMBERS = np.maximum(np.arange(SMALL), 1.0)
_TABLES = {
    "logs": np.log(_NUMBERS),
    "root_logs": np.sqrt(np.log(_NUMBERS)),
    "shares": 1.0 / _NUMBERS,
    "roots": 1.0 / np.sqrt(_NUMBERS),
}


def new_knobs(given: dict[str, float]) -> Knobs:
    return Knobs(data=np.array([float(given[name]) for name in KNOBS]), **_TABLES)


_CONSTANTS: dict[str, Constant] = {}


def new_switches(values: tuple[int, ...], gear: str) -> Any:
    if gear == "python":
        return Switches(values)
    key = digest(values)
    if key not in _CONSTANTS:
        _CONSTANTS[key] = Constant(
            Switches(values), "gambito.search.monte_carlo.formulas.Switches", key, {}, {}
        )
    return _CONSTANTS[key]


@inlined
def worth(settings, tree, node, player):
    """The sum of a node's rewards for that player."""
    if settings.players > 1:
        return tree.total[node * settings.players + player]
    return tree.total[node] if player == 0 else -tree.total[node]


@inlined
def spread_of(settings, tree, node, player):
    """The sum of the squares of a node's rewards for that player."""
    if settings.players > 1:
        return tree.squares[node * settings.players + player]
    return tree.squares[node]


@inlined
def see(knobs, reward):
    """Note a reward for the range that means are stretched to."""
    low, high = min(knobs.data[SEEN_LOW], reward), max(knobs.data[SEEN_HIGH], reward)
    knobs.data[SEEN_LOW], knobs.data[SEEN_HIGH] = low, high
    if low < high:
        knobs.data[STRETCH] = 2.0 / (high - low)


@inlined
def is_hopeless(tree, node, child, player):
    """Is the child certainly no better than what is proved for the player at the node?"""
    if player == 0:
        return tree.high[child] <= tree.low[node]
    return tree.low[child] >= tree.high[node]


@inlined
def choose_child(game, state, settings, knobs, tree, trail, rng, node, player):
    """The child that the next simulation goes to."""
    first, count = tree.first[node], tree.count[node]
    if game.chance and player == CHANCE:
        outcome, child = game.random_outcome(state, rng), first
        while tree.action[child] != outcome:
            child += 1
        return child
    if settings.in_turn and tree.tried[node] < count:
        if settings.shared:
            turn = fetch_add(tree.tried, node, 1)
        else:
            turn = tree.tried[node]
            tree.tried[node] = turn + 1
        if turn < count:
            return first + turn
    visits = tree.visits[node]
    if settings.widen:
        width = int(knobs.width * visits**knobs.growth) + 1
        count = min(count, width)
    log_visits, root_visits = knobs.log(visits), math.sqrt(visits)
    root_log = knobs.exploration * knobs.root_log(visits)
    untried = 0.0
    if not settings.in_turn:
        untried = worth(settings, tree, node, player) / max(visits, 1.0) - knobs.first_value / knobs.stretch
    best, chosen = -math.inf, first
    child = first
    while child < first + count:
        if not (settings.solver and is_hopeless(tree, node, child, player)):
            number = score(
                settings, knobs, tree, trail, child, player, log_visits, root_log, root_visits, untried
            )
            if number > best:
                best, chosen = number, child
        child += 1
    if settings.solver and best == -math.inf:
        return proved_child(tree, first, count, player)
    return chosen


def proved_child(tree, first, count, player):
    """The child that gives a solved node its value; chance above it goes on asking for simulations."""
    chosen, child = first, first + 1
    while child < first + count:
        if player == 0:
            if tree.low[child] > tree.low[chosen]:
                chosen = child
        elif tree.high[child] < tree.high[chosen]:
            chosen = child
        child += 1
    return chosen


@inlined
def score(settings, knobs, tree, trail, child, player, log_visits, root_log, root_visits, untried):
    """The score of a child; the child with the highest score is visited."""
    visits, total = tree.visits[child], worth(settings, tree, child, player)
    mean = total * knobs.share(visits)
    tries = visits
    if not settings.in_turn:
        tries = visits + 1.0
        if visits <= 0.0:
            mean = untried
    number = mean
    if settings.implicit and tree.visits[child] > 0.0:
        static = tree.implicit[child] if player == 0 else -tree.implicit[child]
        number += knobs.static_share * (static - number)
    if settings.rave:
        number = with_rave(knobs, trail, tree.action[child], visits, number)
    if settings.stretches:
        number *= knobs.stretch
    if settings.select == UCB1:
        number += root_log * knobs.root_share(tries)
    elif settings.select == TUNED:
        part = log_visits * knobs.share(tries)
        variance = spread_of(settings, tree, child, player) * knobs.share(tries) - mean * mean
        variance = variance * knobs.stretch * knobs.stretch + math.sqrt(2.0 * part)
        number += knobs.exploration * math.sqrt(part * min(1.0, max(variance, 0.0)))
    else:
        number += knobs.exploration * tree.prior[child] * root_visits * knobs.share(tries)
    if settings.bias:
        number += knobs.bias_weight * tree.prior[child] * knobs.share(tries)
    return number


@inlined
def with_rave(knobs, trail, action, visits, mean):
    """The mean, and that of simulations that play the action later; these count less as visits grow."""
    place = trail.place(action)
    if trail.seen_at[place] != trail.counts[1] or trail.amaf_visits[place] == 0.0:
        return mean
    other = trail.amaf_total[place] / trail.amaf_visits[place]
    beta = math.sqrt(knobs.rave_weight / (3.0 * visits + knobs.rave_weight))
    return (1.0 - beta) * mean + beta * other
