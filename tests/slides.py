"""The searches of the lectures, written as on their slides, to count with: nodes and leaves.

A tree is nested lists; a number is a leaf, its value for MAX, who moves at the root. A search may end above
the leaves: an inner node there is worth 0, as in the game `tree`. The optimisations of lecture 3.3 search any
game, by its rules. Nothing here is shared with the package's searches.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

INF = 10**6


@dataclass
class Count:
    """How many nodes a search has entered, and how many leaves it has valued."""

    nodes: int = 0
    leaves: int = 0

    def leaf(self, node: Any, color: int) -> int:
        self.leaves += 1
        return 0 if isinstance(node, list) else color * node


def tree(rng: random.Random, branching: int, depth: int, highest: int = 20) -> Any:
    """A tree of equal depth."""
    if depth == 0:
        return rng.randint(0, highest)
    return [tree(rng, branching, depth - 1, highest) for _ in range(branching)]


def uneven(rng: random.Random, branching: int, depth: int, spread: int = 20) -> Any:
    """A tree whose leaves lie at different depths, with values of both signs; the root is no leaf."""

    def grow(left: int) -> Any:
        if left == 0 or (left < depth and rng.random() < 0.15):
            return rng.randint(-spread, spread)
        return [grow(left - 1) for _ in range(rng.randint(1, branching))]

    return grow(depth)


def height(node: Any) -> int:
    return 1 + max(map(height, node)) if isinstance(node, list) else 0


def is_leaf(node: Any, depth: int) -> bool:
    return depth == 0 or not isinstance(node, list)


def minimax(node: Any, depth: int, is_max: bool, count: Count) -> int:
    count.nodes += 1
    if is_leaf(node, depth):
        return count.leaf(node, 1)
    values = [minimax(child, depth - 1, not is_max, count) for child in node]
    return max(values) if is_max else min(values)


def pvs(node: Any, depth: int, alpha: int, beta: int, color: int, count: Count) -> int:
    """Lecture 3.2, "Principal Variation Search (PVS) y Negascout"."""
    count.nodes += 1
    if is_leaf(node, depth):
        return count.leaf(node, color)
    for i, child in enumerate(node):
        if i == 0:
            score = -pvs(child, depth - 1, -beta, -alpha, -color, count)
        else:
            score = -pvs(child, depth - 1, -alpha - 1, -alpha, -color, count)
            if alpha < score < beta:
                score = -pvs(child, depth - 1, -beta, -score, -color, count)
        alpha = max(alpha, score)
        if alpha >= beta:
            break
    return alpha


def negascout_first(p: Any, d: int, maxdepth: int, alpha: int, beta: int, color: int, count: Count) -> int:
    """Lecture 3.2, the first text of NegaScout."""
    count.nodes += 1
    if is_leaf(p, maxdepth - d):
        return count.leaf(p, color)
    a, b = alpha, beta
    for i, p_i in enumerate(p):
        t = -negascout_first(p_i, d + 1, maxdepth, -b, -a, -color, count)
        if t > a and t < beta and i > 0 and d < maxdepth - 1:
            a = -negascout_first(p_i, d + 1, maxdepth, -beta, -t, -color, count)
        a = max(a, t)
        if a >= beta:
            return a
        b = a + 1
    return a


def negascout_second(p: Any, d: int, maxdepth: int, alpha: int, beta: int, color: int, count: Count) -> int:
    """Lecture 3.2, the second text of NegaScout; in a tree nothing is noisy, and a leaf is its own value."""
    count.nodes += 1
    if is_leaf(p, maxdepth - d):
        return count.leaf(p, color)
    b = beta
    for i, p_i in enumerate(p):
        t = -negascout_second(p_i, d + 1, maxdepth, -b, -alpha, -color, count)
        if t > alpha and t < beta and i > 0:
            t = -negascout_second(p_i, d + 1, maxdepth, -beta, -alpha, -color, count)
        alpha = max(alpha, t)
        if alpha >= beta:
            return alpha
        b = alpha + 1
    return alpha


class Memory:
    """Lecture 3.2, AlphaBetaWithMemory: the bounds of every node, by its place in the tree."""

    def __init__(self) -> None:
        self.bounds: dict[Any, tuple[int, int]] = {}

    def alpha_beta(self, n: Any, place: Any, alpha: int, beta: int, d: int, is_max: bool, count: Count):
        count.nodes += 1
        lower, upper = self.bounds.get(place, (-INF, INF))
        if lower >= beta:
            return lower
        if upper <= alpha:
            return upper
        alpha, beta = max(alpha, lower), min(beta, upper)
        if is_leaf(n, d):
            g = count.leaf(n, 1)
        elif is_max:
            g, a = -INF, alpha
            for i, c in enumerate(n):
                if g >= beta:
                    break
                g = max(g, self.alpha_beta(c, (*place, i), a, beta, d - 1, False, count))
                a = max(a, g)
        else:
            g, b = INF, beta
            for i, c in enumerate(n):
                if g <= alpha:
                    break
                g = min(g, self.alpha_beta(c, (*place, i), alpha, b, d - 1, True, count))
                b = min(b, g)
        if g <= alpha:
            upper = g
        if alpha < g < beta:
            lower = upper = g
        if g >= beta:
            lower = g
        self.bounds[place] = lower, upper
        return g


def mtd_f(root: Any, f: int, d: int, count: Count) -> int:
    """Lecture 3.2, MTDF."""
    memory = Memory()
    g, upper, lower = f, INF, -INF
    while lower < upper:
        beta = g + 1 if g == lower else g
        g = memory.alpha_beta(root, (), beta - 1, beta, d, True, count)
        if g < beta:
            upper = g
        else:
            lower = g
    return g


def plain(node: Any, depth: int, alpha: int, beta: int, color: int, count: Count) -> int:
    """`alphabeta` of the slides, which BNS calls."""
    count.nodes += 1
    if is_leaf(node, depth):
        return count.leaf(node, color)
    score = -INF
    for child in node:
        score = max(score, -plain(child, depth - 1, -beta, -alpha, -color, count))
        alpha = max(alpha, score)
        if alpha >= beta:
            break
    return score


def bns(node: Any, alpha: int, beta: int, d: int, count: Count, tests: list[int]) -> int | None:
    """Lecture 3.2, "Búsqueda de mejor nodo (BNS)": the best child, and every `test` in order."""
    best, subtrees = None, len(node)
    while True:
        tests.append(alpha + (beta - alpha) * (subtrees - 1) // subtrees)
        test, better = tests[-1], 0
        for number, child in enumerate(node):
            if -plain(child, d - 1, -test, -(test - 1), -1, count) >= test:
                better, best = better + 1, number
        if better > 0:
            alpha, subtrees = test, better
        else:
            beta = test
        if beta - alpha < 2 or better == 1:
            return best


# ---- lecture 3.3, for any game in which turns alternate ----------------------------------------------


def is_end(game: Any, state: Any, depth: int) -> bool:
    return depth <= 0 or game.is_terminal(state)


def value(game: Any, state: Any, count: Count) -> int:
    """`evaluate()` of the slides, for the player to move."""
    count.leaves += 1
    player = game.player(state)
    return game.utility(state, player) if game.is_terminal(state) else game.evaluate(state, player)


def alpha_beta(game: Any, state: Any, alpha: int, beta: int, depth: int, count: Count) -> int:
    count.nodes += 1
    if is_end(game, state, depth):
        return value(game, state, count)
    score = -INF
    for action in game.actions(state):
        score = max(score, -alpha_beta(game, game.result(state, action), -beta, -alpha, depth - 1, count))
        if score >= beta:
            break
        alpha = max(alpha, score)
    return score


class History:
    """ "Heurística histórica": AlphaBeta with HistoryTable."""

    def __init__(self, merit: Any = lambda depth: 2**depth) -> None:
        self.table: dict[int, int] = {}
        self.merit = merit

    def alpha_beta(self, game: Any, p: Any, alpha: int, beta: int, depth: int, count: Count) -> int:
        count.nodes += 1
        if is_end(game, p, depth):
            return value(game, p, count)
        moves = sorted(game.actions(p), key=lambda move: -self.table.get(move, 0))
        score = -INF
        for move in moves:
            result = -self.alpha_beta(game, game.result(p, move), -beta, -alpha, depth - 1, count)
            score = max(score, result)
            if score >= beta:
                self.table[move] = self.table.get(move, 0) + self.merit(depth)
                break
            alpha = max(alpha, score)
        return score


def null_move(
    game: Any,
    state: Any,
    alpha: int,
    beta: int,
    depth: int,
    count: Count,
    null_ok: bool = True,
    less: int = 2,
) -> int:
    """ "Heurística de movimiento nulo": search with R = 2. null_ok() is false after a null move."""
    count.nodes += 1
    if is_end(game, state, depth):
        return value(game, state, count)
    if not game.is_urgent(state) and null_ok and game.key(game.pass_turn(state)) != game.key(state):
        passed = game.pass_turn(state)
        found = -null_move(game, passed, -beta, -beta + 1, depth - less - 1, count, False, less)
        if found >= beta:
            return found
    score = -INF
    for action in game.actions(state):
        child = game.result(state, action)
        score = max(score, -null_move(game, child, -beta, -alpha, depth - 1, count, True, less))
        if score >= beta:
            break
        alpha = max(alpha, score)
    return score


def rounded(number: float) -> int:
    """C's round: to the nearest, halves away from 0."""
    return int(abs(number) + 0.5) * (1 if number >= 0 else -1)


def multi_probcut(game: Any, state: Any, alpha: int, beta: int, depth: int, param: Any, count: Count) -> int:
    """ "Multi-ProbCut": alphaBetaMPC. `param[stage][depth]` lists the tries, each (d, t, a, b, sigma).

    With one try at D = 8, of depth 4, it is alphaBetaProbCut.
    """
    count.nodes += 1
    if is_end(game, state, depth):
        return value(game, state, count)
    for d, t, a, b, sigma in param[game.stage(state)].get(depth, ()):
        bound = rounded((t * sigma + beta - b) / a)
        if multi_probcut(game, state, bound - 1, bound, d, param, count) >= bound:
            return beta
        bound = rounded((-t * sigma + alpha - b) / a)
        if multi_probcut(game, state, bound, bound + 1, d, param, count) <= bound:
            return alpha
    score = -INF
    for action in game.actions(state):
        child = game.result(state, action)
        score = max(score, -multi_probcut(game, child, -beta, -alpha, depth - 1, param, count))
        if score >= beta:
            break
        alpha = max(alpha, score)
    return score


class GameMemory:
    """AlphaBetaWithMemory of lecture 3.2 for a game: the bounds of every state and depth, by its key."""

    def __init__(self) -> None:
        self.bounds: dict[Any, tuple[int, int]] = {}

    def alpha_beta(self, game: Any, n: Any, alpha: int, beta: int, d: int, count: Count) -> int:
        """The value for MAX, who is player 0."""
        count.nodes += 1
        place = int(game.key(n)), d
        lower, upper = self.bounds.get(place, (-INF, INF))
        if lower >= beta:
            return lower
        if upper <= alpha:
            return upper
        alpha, beta = max(alpha, lower), min(beta, upper)
        sign = 1 if game.player(n) == 0 else -1
        if is_end(game, n, d):
            g = sign * value(game, n, count)
        elif sign > 0:
            g, a = -INF, alpha
            for c in game.actions(n):
                if g >= beta:
                    break
                g = max(g, self.alpha_beta(game, game.result(n, c), a, beta, d - 1, count))
                a = max(a, g)
        else:
            g, b = INF, beta
            for c in game.actions(n):
                if g <= alpha:
                    break
                g = min(g, self.alpha_beta(game, game.result(n, c), alpha, b, d - 1, count))
                b = min(b, g)
        if g <= alpha:
            upper = g
        if alpha < g < beta:
            lower = upper = g
        if g >= beta:
            lower = g
        self.bounds[place] = lower, upper
        return g
