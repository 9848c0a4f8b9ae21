"""What is true of a drawn game, computed from its lists: nothing here knows the package or asks its rules.

Values are for player 0. A state that comes back is a draw.
"""

from __future__ import annotations

import heapq

from tests.fuzz.drawing import CHANCE, Drawn


def values_of(drawn: Drawn, cycles: bool, chance: bool) -> list[float]:
    """The values of all states."""
    if not cycles:
        return tree_values(drawn)
    if chance:  # only those of the first state and of its children are needed
        return [path_value(drawn, node, (0,) if node else ()) for node in range(len(drawn.players))]
    return graph_values(drawn)


def tree_values(drawn: Drawn) -> list[float]:
    """The values of a game without cycles, from its ends backwards."""
    values = [0.0] * len(drawn.players)
    for node in reversed(range(len(drawn.players))):
        below = [values[child] for child in drawn.children[node]]
        values[node] = _backed_up(drawn, node, below) if below else drawn.utilities[node]
    return values


def path_value(drawn: Drawn, node: int, path: tuple[int, ...] = ()) -> float:
    """The value of a state in a game with cycles, after the states of a path."""
    if not drawn.children[node]:
        return drawn.utilities[node]
    if node in path:
        return 0.0
    return _backed_up(
        drawn, node, [path_value(drawn, child, (*path, node)) for child in drawn.children[node]]
    )


def limited_value(drawn: Drawn, node: int, depth: int, cycles: bool, path: tuple[int, ...] = ()) -> float:
    """The value of a state after that many plies, at whose end the evaluation is believed."""
    below = drawn.children[node]
    if not below:
        return drawn.utilities[node]
    if cycles and node in path:
        return 0.0
    if depth == 0:
        return drawn.statics[node]
    after = (*path, node) if cycles else ()
    return _backed_up(drawn, node, [limited_value(drawn, child, depth - 1, cycles, after) for child in below])


def _backed_up(drawn: Drawn, node: int, below: list[float]) -> float:
    if drawn.players[node] == CHANCE:
        return sum(share * value for share, value in zip(drawn.shares[node], below, strict=True))
    return max(below) if drawn.players[node] == 0 else min(below)


def graph_values(drawn: Drawn) -> list[float]:
    """The values of a game with cycles, in which play without an end is a draw.

    For each value v > 0: the states from which player 0 can force an end that is worth v or more; the same
    for player 1.
    """
    values = [0.0] * len(drawn.players)
    for player, sign in ((0, 1), (1, -1)):
        for least in sorted({sign * u for u in drawn.utilities if sign * u > 0}):
            forced = {
                node for node, below in enumerate(drawn.children)
                if not below and sign * drawn.utilities[node] >= least
            }  # fmt: skip
            while True:
                more = {
                    node for node, below in enumerate(drawn.children)
                    if below and node not in forced
                    and (any if drawn.players[node] == player else all)(child in forced for child in below)
                }  # fmt: skip
                if not more:
                    break
                forced |= more
            for node in forced:
                values[node] = sign * least
    return values


def ends_of(drawn: Drawn) -> list[tuple[float, int]]:
    """By state of a game without chance and cycles: its value, and the plies to its end if both hurry.

    Who wins something wants it soon, and who loses something late. A draw has no distance.
    """
    found = [(0.0, 0)] * len(drawn.players)
    for node in reversed(range(len(drawn.players))):
        below = drawn.children[node]
        if not below:
            found[node] = (drawn.utilities[node], 0)
            continue
        best = (max if drawn.players[node] == 0 else min)(_hurry(found[child]) for child in below)
        found[node] = (best[0], abs(best[1]) + 1 if best[0] else 0)
    return found


def _hurry(end: tuple[float, int]) -> tuple[float, int]:
    """An end in the order of player 0's wishes."""
    value, plies = end
    return value, -plies if value > 0 else plies


def least_costs(ways: list[list[tuple[int, float]]], goals: set[int]) -> list[float]:
    """Dijkstra: the least cost from every state to a goal. `ways` are the states that follow, and costs."""
    back: list[list[tuple[int, float]]] = [[] for _ in ways]
    for node, following in enumerate(ways):
        for child, cost in following:
            back[child].append((node, cost))
    costs = [float("inf")] * len(ways)
    waiting = [(0.0, goal) for goal in sorted(goals)]
    while waiting:
        cost, node = heapq.heappop(waiting)
        if cost < costs[node]:
            costs[node] = cost
            for before, more in back[node]:
                if before not in goals:
                    heapq.heappush(waiting, (cost + more, before))
    return costs
