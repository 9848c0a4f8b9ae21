"""What a puzzle is: one agent, a goal, and a cost to keep low.

A puzzle is a game for one player, and runs in both gears like every game. Its rules are `initial`, `actions`,
`result` and `is_goal`; an action costs 1 unless `cost` says otherwise. A heuristic estimates the cost that is
left: `estimate` is the default, and methods marked with `@heuristic` are others, chosen by name. This module
does not depend on any search.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, TypeVar

from gambito.game.contract import Game
from gambito.game.contract.kinds import Costs, PythonOnly, State, Value

PUZZLE_RULES = ("initial", "actions", "result", "is_goal")
ESTIMATE = "estimate"
WALK_STEPS = 80  # steps of a random walk

F = TypeVar("F", bound=Callable[..., Any])


def heuristic(admissible: bool | None = None, consistent: bool | None = None) -> Callable[[F], F]:
    """Mark a method as an estimate of the cost to the goal; None means that the property is not known.

    Admissible: never more than the true cost. Consistent: no action lowers it by more than the action's cost.
    If there is also a method `NAME_after(state, action, child, value)`, a search calls it for the estimate of
    the child of a state whose own estimate is `value`.
    """

    def mark(function: F) -> F:
        function.__dict__["claims"] = (admissible, consistent)
        return function

    return mark


class Puzzle(Game, is_contract=True):
    """The contract. A puzzle gives four rules; everything else has a neutral default."""

    # ---- traits ----------------------------------------------------------------------------------
    players = 1
    sides = ("Solver",)
    zero_sum = False
    cycles = True  # a position may come back as often as the solver likes
    lowest = -(1 << 40)
    highest = 1 << 40
    size: int = 0  # the number of values that `index` gives; 0: the states are not numbered
    patterns: PythonOnly[Any] = ""  # what its relaxed versions keep of the puzzle

    # ---- the rules -------------------------------------------------------------------------------
    def is_goal(self, state: State) -> bool:
        """Is this state a goal?"""
        raise NotImplementedError(f"{type(self).__name__} has no rule 'is_goal'")

    def cost(self, state: State, action: int) -> Value:
        """The cost of the action, 0 or more."""
        return 1

    # ---- what a puzzle may add -------------------------------------------------------------------
    @heuristic(admissible=True, consistent=True)
    def estimate(self, state: State) -> Value:
        """An estimate of the cost to the nearest goal; `infinity` if no goal can be reached."""
        return 0

    def guess(self, tables: Costs, state: State) -> Value:
        """The estimate by the heuristic that a search was given; the search adds this method."""
        return self.estimate(state)

    def guess_after(self, tables: Costs, state: State, action: int, child: State, value: Value) -> Value:
        """The same estimate for the child of a state whose own estimate is `value`."""
        return self.guess(tables, child)

    def undoes(self, last: int, action: int) -> bool:
        """Does the action undo the last one?"""
        return False

    def goal(self, state: State) -> State | None:
        """The only goal for this state; None if there are several, or if it is not known."""
        return None

    def backward(self, state: State) -> Puzzle | None:
        """The same puzzle from its goal to this state, with all actions reversed; None if impossible."""
        return None

    def claims(self, name: str) -> tuple[bool | None, bool | None]:
        """Whether that heuristic is admissible, and whether it is consistent; None means not known."""
        found: tuple[bool | None, bool | None] = getattr(
            getattr(type(self), name.replace("-", "_"), None), "claims", (None, None)
        )
        return found

    def relaxed(self) -> tuple[Puzzle, ...]:
        """Easier versions of the puzzle; the sum of their exact costs is an estimate of this one's cost."""
        return ()

    def relax(self, state: State, version: int) -> int | State:
        """The state in that relaxed version, or its index if the version's states are numbered."""
        return state

    def slice_size(self, signature: int) -> int:
        """All states lie in one slice."""
        return self.size

    def tabled(self, state: State) -> int:
        """The place in a table of costs, in which several states may share the lowest of their costs."""
        return self.index(state)

    def shuffled(self, number: int) -> State:
        """A state to begin with; the same number gives the same state.

        By default a random walk from the first state, over actions that another action takes back.
        """
        rng, state = random.Random(number), self.initial()
        for left in range(WALK_STEPS, -WALK_STEPS, -1):
            if left <= 0 and not self.is_terminal(state):
                break
            ways = [way for way in self._next(state) if self._has_way(way, state)]
            if not ways:
                break
            state = rng.choice(ways)
        return self.initial() if self.is_terminal(state) else state

    def _next(self, state: State) -> list[State]:
        return [self.result(state, action) for action in self.actions(state)]

    def _has_way(self, state: State, to: State) -> bool:
        """Does one action lead from this state to that one?"""
        return any(int(self.key(way)) == int(self.key(to)) for way in self._next(state))

    def cell_of(self, state: State) -> int | None:
        """The agent's cell in the picture, in puzzles that are paths on a board; else None."""
        return None

    # ---- a game for one --------------------------------------------------------------------------
    def player(self, state: State) -> int:
        return 0

    def is_terminal(self, state: State) -> bool:
        return self.is_goal(state)

    def utility(self, state: State, player: int) -> Value:
        return 0

    def evaluate(self, state: State, player: int) -> Value:
        return -self.estimate(state)


def heuristic_names(puzzle: Puzzle) -> list[str]:
    """The names of the puzzle's heuristics, the default one first."""
    kind = type(puzzle)
    names = [
        n for base in kind.__mro__ for n, v in vars(base).items() if hasattr(v, "claims") and callable(v)
    ]
    own = [n.replace("_", "-") for n in dict.fromkeys(names) if n not in (ESTIMATE, "claims")]
    return [ESTIMATE, *own]
