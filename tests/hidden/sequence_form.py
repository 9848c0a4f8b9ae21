"""The exact value of a small zero-sum game of two players: the linear program of its sequences, by SciPy.

It asks the rules and nothing else of the package. Koller, Megiddo & von Stengel 1994: the first player
chooses the probabilities of its sequences of actions; the value of the best reply to them is the dual.
"""

from __future__ import annotations

from collections import defaultdict

import numpy as np
from scipy.optimize import linprog

from gambito import CHANCE


def solve_by_program(game):
    """The value for the first player, and for each observation a policy of an equilibrium."""
    sequences = [{(): 0}, {(): 0}]  # by player: (information set, action) → number
    sets = [{}, {}]  # by player: what is seen → the sequence that leads there
    worth = defaultdict(float)
    waiting = [(game.initial(), ((), ()), 1.0)]
    while waiting:
        state, ways, odds = waiting.pop()
        if game.is_terminal(state):
            worth[sequences[0][ways[0]], sequences[1][ways[1]]] += odds * game.utility(state, 0)
            continue
        mover = game.player(state)
        if mover == CHANCE:
            waiting += [(game.result(state, o), ways, odds * p) for o, p in game.chances(state)]
            continue
        seen = game.observe(state, mover)
        assert sets[mover].setdefault(seen, ways[mover]) == ways[mover]  # perfect recall
        for action in game.legal(state):
            way = (seen, action)
            sequences[mover].setdefault(way, len(sequences[mover]))
            after = (way, ways[1]) if mover == 0 else (ways[0], way)
            waiting.append((game.result(state, action), after, odds))
    policies = {}
    values = []
    for player in (0, 1):
        value, plan = _program(sequences, sets, worth, player)
        values.append(value)
        for seen in sets[player]:
            numbers = [
                (a, n) for (s, a), n in ((w, n) for w, n in sequences[player].items() if w) if s == seen
            ]
            total = sum(plan[n] for _, n in numbers)
            policies[seen] = {a: plan[n] / total if total > 1e-12 else 1 / len(numbers) for a, n in numbers}
    assert abs(values[0] + values[1]) < 1e-8
    return values[0], policies


def _constraints(sequences, sets):
    """E x = e: the probabilities of an information set's actions add up to that of its sequence."""
    matrix = np.zeros((1 + len(sets), len(sequences)))
    matrix[0, 0] = 1
    for row, (seen, above) in enumerate(sets.items(), 1):
        matrix[row, sequences[above]] = -1
        for way, number in sequences.items():
            if way and way[0] == seen:
                matrix[row, number] = 1
    right = np.zeros(len(matrix))
    right[0] = 1
    return matrix, right


def _program(sequences, sets, worth, player):
    """The value for a player, and the probabilities of its sequences."""
    own, other = sequences[player], sequences[1 - player]
    payoff = np.zeros((len(own), len(other)))
    for (first, second), value in worth.items():
        pair = (first, second) if player == 0 else (second, first)
        payoff[pair] = value if player == 0 else -value
    mine, one = _constraints(own, sets[player])
    theirs, unit = _constraints(other, sets[1 - player])
    # max unit·q  with  theirsᵀ q ≤ payoffᵀ x,  mine x = one,  x ≥ 0
    found = linprog(
        np.concatenate([np.zeros(len(own)), -unit]),
        A_ub=np.hstack([-payoff.T, theirs.T]), b_ub=np.zeros(len(other)),
        A_eq=np.hstack([mine, np.zeros((len(mine), len(theirs)))]), b_eq=one,
        bounds=[(0, None)] * len(own) + [(None, None)] * len(theirs),
    )  # fmt: skip
    assert found.status == 0
    return -found.fun, found.x[: len(own)]
