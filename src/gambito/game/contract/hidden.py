"""What a game adds where a player does not see everything: what each one sees, and what may be behind it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gambito.game.contract.kinds import Key, Random, State
from gambito.game.contract.parameters import Parameters
from gambito.native import mix


class Hidden(Parameters):
    """Hidden information.

    Searches for games with `hidden` ask these, and the page shows each seat what `observe` gives. An
    observation is a state with blanks: a value of the state's own type, in which everything that the player
    does not know is blank (0 or -1). An information set is known by the observation of the player to move.
    Moves at the same time are moves in turn: the choice that is still secret is blank for the others. If a
    move can be refused, `actions` gives what may be tried, and `result` leaves the same player to move.
    """

    hidden: bool = False  # a player does not see the whole state
    recalls: bool = True  # an observation tells all that its player ever saw and did

    def observe(self, state: State, player: int) -> State:
        """The state as that player sees it, with the rest blank; NOBODY: as a spectator sees it."""
        return state

    def imagine(self, seen: State, player: int, rng: Random) -> State:
        """A state that looks like `seen` to that player, its blanks filled as likely as chance fills them.

        The choices of the others tell nothing. Without this rule, the states of a small game are listed.
        """
        return seen

    def agreed(self, seen: State, player: int) -> int | None:
        """The action that partners have agreed on for what a player sees, as a call of a system of bidding;
        None: the player thinks. Searches that imagine whole worlds ask."""
        return None

    def likelihood(self, state: State, player: int) -> float:
        """How well the others' choices so far fit an imagined state, from 0 to 1.

        Searches that imagine whole worlds prefer likely ones. 1: the choices tell nothing.
        """
        return 1.0

    def open_value(self, state: State, player: int, solve: Callable[[Any, State], Any]) -> float | None:
        """The value of a state for a player if everybody saw everything, by way of another game.

        `solve(game, state)` gives the value for player 0 of a game with `partitions`. None: the game itself
        is searched with nothing hidden.
        """
        return None

    def seen_key(self, state: State, player: int) -> Key:
        """The key of what the player sees: states that look alike to it have the same one."""
        return mix(self.observe(state, player))
