"""The six rules that every game gives, and the traits that say what kind of game it is."""

from __future__ import annotations

from collections.abc import Iterable

from gambito.game.contract.kinds import State, Value

RULES = ("initial", "player", "actions", "result", "is_terminal", "utility")


class Rules:
    """The six rules.

    Every search asks them. A game gives all six; everything else in the contract has a neutral default.
    """

    players: int = 2  # how many play; 1 in a puzzle
    zero_sum: bool = True  # what one player wins, the other loses
    cycles: bool = False  # a position can come back
    value: type = int  # the type of utilities and evaluations: int or float
    lowest: Value = -1  # no utility or evaluation is below this
    highest: Value = 1  # no utility or evaluation is above this
    step: Value = 1  # the smallest difference between two whole numbers: the width of a null window
    infinity: Value = 1 << 40  # a number above every value; `math.inf` where `value` is float
    longest: int | None = None  # plies of the longest possible game; None: there is no limit
    most_actions: int | None = None  # the most actions that any state has; None: not known

    def initial(self) -> State:
        """The first state."""
        raise NotImplementedError(f"{type(self).__name__} has no rule 'initial'")

    def player(self, state: State) -> int:
        """Who moves: 0 or 1, also in a terminal state; CHANCE where dice or cards decide."""
        raise NotImplementedError(f"{type(self).__name__} has no rule 'player'")

    def actions(self, state: State) -> Iterable[int]:
        """The legal actions, each an int of 0 or more; in a chance state, its outcomes."""
        raise NotImplementedError(f"{type(self).__name__} has no rule 'actions'")

    def result(self, state: State, action: int) -> State:
        """The next state; the given state does not change."""
        raise NotImplementedError(f"{type(self).__name__} has no rule 'result'")

    def is_terminal(self, state: State) -> bool:
        """Is the game over?"""
        raise NotImplementedError(f"{type(self).__name__} has no rule 'is_terminal'")

    def utility(self, state: State, player: int) -> Value:
        """The final score of a terminal state for that player, between `lowest` and `highest`."""
        raise NotImplementedError(f"{type(self).__name__} has no rule 'utility'")
