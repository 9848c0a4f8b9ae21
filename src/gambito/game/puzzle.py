"""What a puzzle is: one agent, a goal, and a cost to keep low.

A puzzle is a game for one player, in both gears like every game. Its rules are `initial`, `actions`, `result`
and `is_goal`; actions cost 1 unless `cost` says otherwise. What it knows about the way that is left is an
estimate: `estimate` is the usual one, and methods marked with `@heuristic` are others, chosen by name. It
knows no search.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from gambito.game.contract import Game
from gambito.game.contract.kinds import Costs, PythonOnly, State, Value

PUZZLE_RULES = ("initial", "actions", "result", "is_goal")
ESTIMATE = "estimate"

F = TypeVar("F", bound=Callable[..., Any])


def heuristic(admissible: bool | None = None, consistent: bool | None = None) -> Callable[[F], F]:
    """Mark a method as an estimate of the cost to the goal; None: nobody knows.

    Admissible: never more than the true cost. Consistent: over no action does it fall by more than its cost.
    Where a method `NAME_after(state, action, child, value)` stands beside it, a search asks that for the
    estimate of the child of a state whose own is `value`.
    """

    def mark(function: F) -> F:
        function.__dict__["claims"] = (admissible, consistent)
        return function

    return mark


class Puzzle(Game):
    """The contract. A puzzle gives four rules; everything else has a neutral default."""

    # ---- traits ----------------------------------------------------------------------------------
    players = 1
    sides = ("Solver",)
    zero_sum = False
    cycles = True
    lowest = -(1 << 40)
    highest = 1 << 40
    size: int = 0  # how many numbers `index` gives; 0: the states are not numbered
    patterns: PythonOnly[Any] = ""  # what is left of the puzzle in its relaxed versions

    # ---- the rules -------------------------------------------------------------------------------
    def is_goal(self, state: State) -> bool:
        """Is this what was wanted?"""
        raise NotImplementedError(f"{type(self).__name__} has no rule 'is_goal'")

    def cost(self, state: State, action: int) -> Value:
        """What the action costs, 0 or more."""
        return 1

    # ---- what a puzzle may add -------------------------------------------------------------------
    @heuristic(admissible=True, consistent=True)
    def estimate(self, state: State) -> Value:
        """About how much the way to the nearest goal costs; `infinity` where there is none."""
        return 0

    def guess(self, tables: Costs, state: State) -> Value:
        """The estimate by the heuristic that a search was given; a search makes it."""
        return self.estimate(state)

    def guess_after(self, tables: Costs, state: State, action: int, child: State, value: Value) -> Value:
        """The same of the child of a state whose own is `value`."""
        return self.guess(tables, child)

    def undoes(self, last: int, action: int) -> bool:
        """Does the action lead straight back to where the last one came from?"""
        return False

    def goal(self, state: State) -> State | None:
        """The only goal that one can want from here; None where there are several, or it is not known."""
        return None

    def backward(self, state: State) -> Puzzle | None:
        """The same puzzle from its goal to this state, every action turned round; None: it cannot be done."""
        return None

    def claims(self, name: str) -> tuple[bool | None, bool | None]:
        """Is that heuristic admissible, is it consistent? None: nobody knows."""
        found: tuple[bool | None, bool | None] = getattr(
            getattr(type(self), name.replace("-", "_"), None), "claims", (None, None)
        )
        return found

    def relaxed(self) -> tuple[Puzzle, ...]:
        """Easier versions of the puzzle whose exact costs, added up, are an estimate of this one's."""
        return ()

    def relax(self, state: State, version: int) -> int | State:
        """The state in that relaxed version; its index where the version's states are numbered."""
        return state

    def slice_size(self, signature: int) -> int:
        """All states lie in one slice."""
        return self.size

    def tabled(self, state: State) -> int:
        """The place in a table of costs, where several states share the lowest cost among them."""
        return self.index(state)

    def cell_of(self, state: State) -> int | None:
        """The cell of the picture where the agent is, in puzzles that are ways on a board; else None."""
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
    """The heuristics that the puzzle has by name, its usual one first."""
    kind = type(puzzle)
    names = [
        n for base in kind.__mro__ for n, v in vars(base).items() if hasattr(v, "claims") and callable(v)
    ]
    own = [n.replace("_", "-") for n in dict.fromkeys(names) if n not in (ESTIMATE, "claims")]
    return [ESTIMATE, *own]
