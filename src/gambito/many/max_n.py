"""Max^n: every player takes the action that is best for itself, and a state is worth a vector of values.

It is for any number of players, and for games in which what one wins the others need not lose.

Luckhardt & Irani, An algorithmic solution of N-person games (1986); shallow pruning: Korf, Multi-player
alpha-beta pruning (1991); bounds: Sturtevant & Korf, On pruning techniques for multi-player games (2000).
"""

from __future__ import annotations

import math
from typing import Any

from gambito.game.contract import CHANCE, NO_ACTION, Game
from gambito.many.vectors import Vectors, copy_row, new_vectors, write_leaf
from gambito.native import int64, native
from gambito.search.algorithm import EITHER, VALUE, DepthSearch, Fits, Option
from gambito.search.classic.leaf import leaf_kind
from gambito.search.task import SearchTask, TaskResult
from gambito.words.sentence import Sentence


@native
def max_n(game, state, depth, ceiling, viewer, target, vectors, monitor):
    """Write the values of the state for all players into row `depth` of the vectors; return its mover's.

    Every player takes the first action of the highest value for itself. Only `viewer` may have a target: if
    it is another player, `viewer` takes the action that leaves the target least.
    result < ceiling:   the row is the vector of max^n
    result >= ceiling:  with that much for its mover, the state is not better for the player above than what
                        that player has already, and the row shows as much
    The ceiling is infinite where the sum of the values is not known, or nothing is pruned.
    """
    hint = monitor.enter(game, state, depth, -game.infinity, game.infinity)
    player = game.player(state)
    here, below = depth * game.players, (depth - 1) * game.players
    kind = leaf_kind(game, state, depth, monitor)
    if kind:
        return monitor.leave(depth, write_leaf(game, state, depth, kind, vectors, monitor))
    if player == CHANCE:
        for each in range(game.players):
            vectors.values[here + each] = 0.0
        for outcome, probability in game.chances(state):
            monitor.choose(depth, outcome, int64(NO_ACTION))
            child = game.result(state, outcome)
            max_n(game, child, depth - 1, math.inf, viewer, target, vectors, monitor)
            for each in range(game.players):
                vectors.values[here + each] += probability * vectors.values[below + each]
        monitor.share(depth, vectors.values, here, game.players)
        return monitor.leave(depth, vectors.values[here])

    # The mover's value is at most `most`: no action after one of that value can be better. If it is at least
    # `least`, and that reaches the ceiling, no action need be searched.
    most, has_target = math.inf, viewer != target and player == viewer
    if vectors.prunes and not has_target:
        most = float(game.highest)
        if vectors.bounds:
            least, highest = game.bounds(state)
            most = float(highest)
            if least >= ceiling:
                for each in range(game.players):
                    vectors.values[here + each] = game.lowest
                vectors.values[here + player] = least
                return monitor.leave(depth, monitor.known(depth, vectors.values[here + player]))
    best = -math.inf
    for listed in game.actions(state):
        action = monitor.choose(depth, listed, hint)
        if depth == monitor.root() and not monitor.counts(action):
            continue
        child = game.result(state, action)
        given = math.inf
        if vectors.prunes and not has_target:
            if game.player(child) == player:
                given = ceiling
            elif game.player(child) != CHANCE:
                given = -best - (game.players - 2) * game.lowest
        max_n(game, child, depth - 1, given, viewer, target, vectors, monitor)
        worth = vectors.values[below + player]
        if has_target:
            worth = -vectors.values[below + target]
        if worth > best:
            best = worth
            copy_row(vectors, below, here, game.players)
            monitor.best(depth, action, vectors.values[here + player])
            if best >= ceiling:
                monitor.cut(depth, action, best)
                break
            if best >= most:
                monitor.settle(depth, action, best)
                break
    monitor.share(depth, vectors.values, here, game.players)
    return monitor.leave(depth, vectors.values[here + player])


def vectors_of(task: SearchTask) -> Vectors:
    """The rows of a search, with what its options and the game allow."""
    rules, options = task.rules, task.options
    has_sum = rules.zero_sum and rules.players > 1
    prunes = options["prune"] and has_sum
    return new_vectors(task.gear, task.depth, rules.players, prunes, prunes and options["bounds"])


def answer(task: SearchTask, target: int | None = None) -> TaskResult:
    """Search by max^n; with a target, the player to move wants that player to have little."""
    viewer = max(int(task.rules.player(task.state)), 0)
    vectors = vectors_of(task)
    given = (math.inf, viewer, viewer if target is None else target, vectors, task.monitor)
    value = max_n(*task.root, *given)
    row = task.depth * task.rules.players
    is_whole = not task.monitor.is_stopped()
    values = [vectors.values[row + each] for each in range(task.rules.players)] if is_whole else []
    return TaskResult(value, values=[_number(task.rules, v) for v in values], exact=target is None)


def _number(rules: Game, value: Any) -> Any:
    return float(value) + 0.0 if rules.value is float else int(value)


def refuses(game: Game) -> str:
    if game.chance and game.value is not float:
        return Sentence("max-n needs values that are fractions in a game of chance, unlike {}", game.label())
    return ""


OPTIONS = (
    Option("prune", True, "shallow pruning, where the values of all players add up to zero"),
    Option("bounds", True, "use the bounds that the game gives", sound=True),
)
ALGORITHM = DepthSearch(
    name="max-n",
    summary="any number of players: each takes what is best for itself",
    source="Luckhardt & Irani 1986; Korf 1991; Sturtevant & Korf 2000",
    run=answer,
    options=OPTIONS,
    fits=Fits(EITHER, players=(), zero_sum=False, refuses=refuses),
    holds=VALUE,
    frame="own",
    windowed=False,
    chooses=True,
)
