"""Exact costs of small puzzles: of all states at once, computed backwards from the goal, or of one state.

A table has a byte for each index that the puzzle's `tabled` gives: the least cost from any state with that
index to the goal. Costs are integers and actions are reversible, so that the neighbours of the goal are the
states that reach it.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from gambito.errors import SearchError
from gambito.game.gears import gears
from gambito.game.puzzle import Puzzle
from gambito.native import Constant, Handle, cache, int64, native
from gambito.puzzle.best_first import FOUND, FULL, best_first, plant, rehash
from gambito.puzzle.nodes import GOAL, grown, new_nodes
from gambito.search.monitor import Monitor
from gambito.search.patience import Check, alone, never

UNKNOWN = 255  # a state that cannot reach the goal, or has not been reached yet
MAX_STATES = 1 << 28  # the most states of a table
STACK_SIZE = 1 << 12  # of the stack
STATES_PER_CHECK, STATES_PER_CHECK_IN_PYTHON = (
    1 << 17,
    1 << 10,
)  # states between two looks at the clock, compiled and in Python
EXPANDED = 8  # as many count one whose neighbours are visited


class Costs(Handle):
    """A cost for each number of a state, and a stack of numbers whose neighbours must be visited.

    head: the level of costs that is being passed, the highest cost so far, the next number of the pass, and
    whether the stack was too short for it.
    """

    arrays: ClassVar[dict[str, type]] = {"costs": np.uint8, "stack": np.int64, "head": np.int64}


LEVEL, HIGHEST, NUMBER, SHORT = range(4)


@native
def fill_costs(game, memory, most):
    """Go on to fill in the cost from every state to the one of cost 0, for about `most` states; is it done?

    If a cost is too large for the table, the highest is UNKNOWN.
    """
    costs, stack, head = memory.costs, memory.stack, memory.head
    while head[LEVEL] <= head[HIGHEST]:
        level = head[LEVEL]
        while head[NUMBER] < game.size:
            if most <= 0:
                return False
            most -= 1
            number = head[NUMBER]
            if costs[number] == level:
                stack[0] = number
                waiting = int64(1)
                while waiting > 0:  # neighbours at cost 0 belong to this level too
                    waiting -= 1
                    most -= EXPANDED
                    state = game.unindex(int64(0), stack[waiting])
                    for action in game.actions(state):
                        other = game.index(game.result(state, action))
                        cost = level + game.cost(state, action)
                        if cost < costs[other]:
                            if cost >= UNKNOWN:
                                head[HIGHEST] = UNKNOWN
                                return True
                            costs[other] = cost
                            head[HIGHEST] = max(head[HIGHEST], cost)
                            if cost == level and waiting < STACK_SIZE:
                                stack[waiting] = other
                                waiting += 1
                            elif cost == level:
                                head[SHORT] = 1
            head[NUMBER] = number + 1
        head[NUMBER] = 0
        if not head[SHORT]:
            head[LEVEL] = level + 1
        head[SHORT] = 0
    return True


@native
def fold_costs(game, memory, table, most):
    """Go on with the least cost over the states that share an index of the table; is it done?"""
    while memory.head[NUMBER] < game.size:
        if most <= 0:
            return False
        most -= 1
        number = memory.head[NUMBER]
        if memory.costs[number] != UNKNOWN:
            place = game.tabled(game.unindex(int64(0), number))
            table.costs[place] = min(table.costs[place], memory.costs[number])
        memory.head[NUMBER] = number + 1
    return True


class CostTable:
    """The costs of one puzzle, which are computed when they are asked for, and kept on disk if it compiles.

    The work goes on from where it was as often as it is asked.
    """

    def __init__(self, puzzle: Puzzle) -> None:
        if not puzzle.size or not puzzle.symmetric or puzzle.goal(puzzle.initial()) is None:
            raise SearchError(
                "a table needs numbered states, one goal and reversible actions; {} does not have all three",
                puzzle.label(),
            )
        if puzzle.size > MAX_STATES:
            raise SearchError(
                "a table holds at most {:,} states, and {} has {:,}", MAX_STATES, puzzle.label(), puzzle.size
            )
        self.puzzle, self.lock = puzzle, threading.Lock()
        both = gears(puzzle)
        self.game = both.in_gear(both.default())
        self.at_once = STATES_PER_CHECK if isinstance(self.game, Constant) else STATES_PER_CHECK_IN_PYTHON
        # `tabled` never decreases from one number to the next.
        last = both.cast(puzzle.unindex(0, puzzle.size - 1))
        first = both.cast(puzzle.unindex(0, 0))
        self.size = 1 + max(int(puzzle.tabled(first)), int(puzzle.tabled(last)))
        self._costs: Costs | None = None  # of all states
        self._folded: Costs | None = None
        self._known: Any = None

    def all_costs(self, check: Check = never) -> Any:
        """The cost from every numbered state to the goal; 255 if there is no path."""
        if self._costs is None:
            puzzle = self.puzzle
            goal = int(puzzle.index(gears(puzzle).cast(puzzle.goal(puzzle.initial()))))
            self._costs = new_costs(puzzle.size, STACK_SIZE)
            self._costs.costs[goal] = 0
        while not fill_costs(self.game, self._costs, self.at_once):
            check()
        if self._costs.head[HIGHEST] >= UNKNOWN:
            raise SearchError(
                "the costs of {} exceed {}, the most that a table holds", self.puzzle.label(), UNKNOWN - 1
            )
        return self._costs.costs

    def folded(self, check: Check = never) -> Any:
        """The table: the least cost of the states that share an index."""
        with alone(self.lock, check):
            if self._known is None:
                self._known = self._find(check)
                self._costs = self._folded = None
            return self._known

    def _find(self, check: Check) -> Any:
        name = f"costs-{self.game.key}" if isinstance(self.game, Constant) else ""
        kept = cache.kept(name) if name else None
        if kept is not None:
            return np.frombuffer(kept, np.uint8)
        self.all_costs(check)
        assert self._costs is not None
        if self._folded is None:
            self._folded = new_costs(self.size, 0)
            self._costs.head[NUMBER] = 0
        while not fold_costs(self.game, self._costs, self._folded, self.at_once):
            check()
        if name:
            cache.keep(name, self._folded.costs.tobytes())
        return self._folded.costs


def new_costs(size: int, room: int) -> Costs:
    costs, stack = np.full(size, UNKNOWN, np.uint8), np.empty(room, np.int64)
    return Costs(costs=costs, stack=stack, head=np.zeros(4, np.int64))


class CostTables:
    """The tables of several puzzles in one array."""

    def __init__(self, versions: Sequence[Puzzle] = ()) -> None:
        self.parts = [CostTable(puzzle) for puzzle in versions]
        ends = np.cumsum([0, *(part.size for part in self.parts)])
        self.offsets = tuple(int(offset) for offset in ends[:-1])  # where each begins
        self._array: Any = None if self.parts else np.zeros(1, np.uint8)

    def array(self, check: Check = never) -> Any:
        """All costs; `check` may end the work by an error."""
        if self._array is None:
            self._array = np.concatenate([part.folded(check) for part in self.parts])
        return self._array


def exact_cost(puzzle: Puzzle, state: Any, solved: dict[Any, Any], number: int, monitor: Monitor) -> Any:
    """The least cost from one state to a goal, in the Python gear; `solved` caches what is known.

    If the monitor stops the search for it, the result is of no use.
    """
    key = (number, int(puzzle.key(state)))
    if key not in solved:
        cost = _solve(puzzle, state, monitor)
        if monitor.is_stopped():
            return cost
        solved[key] = cost
    return solved[key]


class _NoGuess(Puzzle):
    """A puzzle without estimates, as uniform-cost search sees it."""

    def guess(self, tables, state):
        return 0

    def guess_after(self, tables, state, action, child, value):
        return 0


def _solve(puzzle: Puzzle, state: Any, monitor: Monitor) -> Any:
    blind = type(type(puzzle).__name__, (type(puzzle),), {n: vars(_NoGuess)[n] for n in _GUESSES})
    plain: Any = object.__new__(blind)
    vars(plain).update(vars(puzzle))
    nodes = new_nodes(None, "python")
    plant(plain, nodes, None, state, 1.0, 0.0, monitor)
    while True:
        how = best_first(plain, nodes, None, state, 1.0, 0.0, 0.0, 0, True, False, 1 << 30, monitor)
        if how != FULL:
            break
        nodes = grown(nodes, None, "python", plain, rehash, state)
    return puzzle.value(nodes.g[nodes.head[GOAL]]) if how == FOUND else puzzle.infinity


_GUESSES = ("guess", "guess_after")
