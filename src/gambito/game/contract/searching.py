"""What a game may add for every search: values, keys, repetitions, symmetries."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from gambito.game.contract.kinds import (
    MOST_ACTIONS,
    NO_ACTION,
    UNKNOWN,
    Buffer,
    Key,
    PythonOnly,
    State,
    Value,
)
from gambito.game.contract.parameters import Parameters
from gambito.native import mix


class Searching(Parameters):
    """For every search.

    Searches of all kinds ask these. `evaluate` lets them stop before the end of the game; the others make
    them quicker, or tell them how the game is best searched.
    """

    prefers_fast_win: bool = (
        True  # among equal values a sooner win is better; False: the score already counts that
    )
    symmetric: bool = False  # in a puzzle: every action can be taken back, at the same cost
    played_by: str = ""  # the algorithm that plays it best; "": the strongest that fits
    usual_depth: int | None = None  # the depth of a search without limits; None: two seconds
    preferences: PythonOnly[dict[str, dict[str, Any]]] = {}  # noqa: RUF012  # options that suit it, by algorithm

    rated_nodes: PythonOnly[
        tuple[tuple[int, int], ...]
    ] = ()  # rows of a rating and the engine's nodes per move

    def evaluate(self, state: State, player: int) -> Value:
        """The static value of a state that is not terminal, for that player."""
        return 0

    def key(self, state: State) -> Key:
        """A hash of the state, of 64 bits; by default a mix of its fields."""
        return mix(state)

    def bounds(self, state: State) -> tuple[Value, Value]:
        """The lowest and the highest value still possible in a state that is not terminal, for its player.

        In a chance state they are for player 0, and no evaluation after it may lie outside them.
        """
        return self.lowest, self.highest

    def plies_left(self, state: State) -> int:
        """The most plies that the game can still last; by default more than any depth."""
        return UNKNOWN

    def repetition(self, state: State, player: int) -> Value:
        """The value of a position that came back, in games with `cycles`."""
        return 0

    def reversible(self, state: State) -> int:
        """The most plies that can lie between this position and an equal one before it."""
        return UNKNOWN

    def symmetries(self, state: State) -> Iterable[State]:
        """The same state turned and mirrored, without itself."""
        for _ in range(0):
            yield state

    def turn(self, action: int, view: int, back: bool) -> int:
        """An action as it is in symmetry number `view` (1, 2 …); with `back`, the way back from there."""
        return NO_ACTION

    def collect(self, state: State, buffer: Buffer, place: int) -> int:
        """Write all actions into `buffer` from `place` on; return the place behind them.

        There is room for MOST_ACTIONS. A longer list ends the search with an error.
        """
        end = place + MOST_ACTIONS
        for action in self.actions(state):
            if place < end:
                buffer[place] = action
            place += 1
        return place

    def count(self, state: State) -> int:
        """The number of actions in a state that is not terminal; perft asks."""
        number = 0
        for _ in self.actions(state):
            number += 1
        return number

    def is_stuck(self, state: State) -> bool:
        """Are there no actions for perft to count? A drawn game may still have some."""
        return self.is_terminal(state)
