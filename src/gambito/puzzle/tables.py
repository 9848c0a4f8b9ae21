"""Exact costs of small puzzles: of all states at once, computed backwards from the goal, or of one state.

A table has a byte for each index that the puzzle's `tabled` gives: the least cost from any state with that
index to the goal. Costs are integers and actions are reversible, so that the neighbours of the goal are the
states that reach it.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from gambito.errors import SearchError
from gambito.game.gears import gears
from gambito.game.puzzle import Puzzle
from gambito.native import Constant, Handle, cache, int64, native
from gambito.puzzle.best_first import FOUND, FULL, best_first, plant, rehash
from gambito.puzzle.nodes import GOAL, grown, new_nodes
from gambito.search.watch import Watch, new_watch

UNKNOWN = 255  # a state that cannot reach the goal, or has not been reached yet
LARGEST = 1 << 28  # the most states of a table
ROOM = 1 << 12  # of the stack


class Costs(Handle):
    """A cost for each number of a state, and a stack of numbers whose neighbours must be visited."""

    arrays: ClassVar[dict[str, type]] = {"costs": np.uint8, "stack": np.int64}


@native
def fill_costs(game, memory, start):
    """Fill in the cost from every state to the one numbered `start`; return the largest."""
    costs, stack = memory.costs, memory.stack
    costs[start] = 0
    level, highest = int64(0), int64(0)
    while level <= highest:
        number, is_short = int64(0), False
        while number < game.size:
            if costs[number] == level:
                stack[0] = number
                waiting = int64(1)
                while waiting > 0:  # neighbours at cost 0 belong to this level too
                    waiting -= 1
                    state = game.unindex(int64(0), stack[waiting])
                    for action in game.actions(state):
                        other = game.index(game.result(state, action))
                        cost = level + game.cost(state, action)
                        if cost < costs[other]:
                            if cost >= UNKNOWN:
                                return int64(UNKNOWN)
                            costs[other] = cost
                            highest = max(highest, cost)
                            if cost == level and waiting < ROOM:
                                stack[waiting] = other
                                waiting += 1
                            elif cost == level:
                                is_short = True
            number += 1
        if not is_short:
            level += 1
    return highest


@native
def fold_costs(game, memory, table):
    """The least cost over the states that share an index of the table."""
    number = int64(0)
    while number < game.size:
        if memory.costs[number] != UNKNOWN:
            place = game.tabled(game.unindex(int64(0), number))
            table.costs[place] = min(table.costs[place], memory.costs[number])
        number += 1


def all_costs(puzzle: Puzzle) -> Any:
    """The cost from every numbered state to the goal; 255 if there is no path."""
    if not puzzle.size or not puzzle.symmetric or puzzle.goal(puzzle.initial()) is None:
        raise SearchError(
            "a table needs numbered states, one goal and reversible actions; {} does not have all three",
            puzzle.label(),
        )
    if puzzle.size > LARGEST:
        raise SearchError(
            "a table holds at most {:,} states, and {} has {:,}", LARGEST, puzzle.label(), puzzle.size
        )
    turning = gears(puzzle)
    game = turning.shift(turning.default())
    memory = Costs(costs=np.full(puzzle.size, UNKNOWN, np.uint8), stack=np.empty(ROOM, np.int64))
    if (
        int(fill_costs(game, memory, int(puzzle.index(turning.enter(puzzle.goal(puzzle.initial()))))))
        >= UNKNOWN
    ):
        raise SearchError(
            "the costs of {} exceed {}, the most that a table holds", puzzle.label(), UNKNOWN - 1
        )
    return memory.costs


def cost_table(versions: tuple[Puzzle, ...]) -> tuple[Any, tuple[int, ...]]:
    """The tables of several puzzles in one array, and where each begins."""
    parts = [_folded(puzzle) for puzzle in versions]
    offsets = np.cumsum([0, *(len(part) for part in parts)])
    return np.concatenate(parts), tuple(int(offset) for offset in offsets[:-1])


def _folded(puzzle: Puzzle) -> Any:
    """The table of one puzzle; computed once, and kept on disk if the puzzle compiles."""
    turning = gears(puzzle)
    game = turning.shift(turning.default())
    name = f"costs-{game.key}" if isinstance(game, Constant) else ""
    known = cache.kept(name) if name else None
    if known is not None:
        return np.frombuffer(known, np.uint8)
    costs = all_costs(puzzle)
    places = 1 + max(int(puzzle.tabled(turning.enter(puzzle.unindex(0, n)))) for n in _ends(puzzle))
    table = Costs(costs=np.full(places, UNKNOWN, np.uint8), stack=np.empty(0, np.int64))
    fold_costs(game, Costs(costs=costs, stack=np.empty(0, np.int64)), table)
    if name:
        cache.keep(name, table.costs.tobytes())
    return table.costs


def _ends(puzzle: Puzzle) -> tuple[int, int]:
    """The first and the last index: `tabled` never decreases from one number to the next."""
    return 0, puzzle.size - 1


def exact_cost(puzzle: Puzzle, state: Any, solved: dict[Any, Any], number: int) -> Any:
    """The least cost from one state to a goal, in the Python gear; `solved` caches what is known."""
    key = (number, int(puzzle.key(state)))
    if key not in solved:
        solved[key] = _solve(puzzle, state)
    return solved[key]


class _NoGuess(Puzzle):
    """A puzzle without estimates, as uniform-cost search sees it."""

    def guess(self, tables, state):
        return 0

    def guess_after(self, tables, state, action, child, value):
        return 0


def _solve(puzzle: Puzzle, state: Any) -> Any:
    blind = type(type(puzzle).__name__, (type(puzzle),), {n: vars(_NoGuess)[n] for n in _GUESSES})
    plain: Any = object.__new__(blind)
    vars(plain).update(vars(puzzle))
    nodes, watch = new_nodes(None, "python"), new_watch(Watch, "python", 0)
    plant(plain, nodes, None, state, 1.0, 0.0, watch)
    while True:
        how = best_first(plain, nodes, None, state, 1.0, 0.0, 0.0, 0, True, False, 1 << 30, watch)
        if how != FULL:
            break
        nodes = grown(nodes, None, "python", plain, rehash, state)
    return puzzle.value(nodes.g[nodes.head[GOAL]]) if how == FOUND else puzzle.infinity


_GUESSES = ("guess", "guess_after")
