"""What a game may add for Monte Carlo: random games, quicker or wiser than by any legal action."""

from __future__ import annotations

from gambito.game.contract.chance import Chance
from gambito.game.contract.kinds import CHANCE, NO_ACTION, Random, State


class Playouts(Chance):
    """Playouts.

    Monte Carlo searches ask these. A quick playout means more simulations in the same time; one that plays
    sensible actions means a better estimate from each.
    """

    def random_action(self, state: State, rng: Random) -> int:
        """A random action, by default each as likely; foolish ones may be left out."""
        chosen = NO_ACTION
        for before, action in enumerate(self.actions(state)):
            if rng.below(before + 1) == 0:
                chosen = action
        return chosen

    def reply(self, state: State, before: int, rng: Random) -> int:
        """The action that a playout plays at once after the action `before`; NO_ACTION: a random one."""
        return NO_ACTION

    def random_outcome(self, state: State, rng: Random) -> int:
        """A random outcome of a chance state, by its probability."""
        chosen, left = NO_ACTION, rng.fraction()
        for outcome, probability in self.chances(state):
            if left >= 0.0 or chosen == NO_ACTION:
                chosen = outcome
            left -= probability
        return chosen

    def playout(self, state: State, rng: Random, plies: int) -> tuple[State, int]:
        """A random game of at most `plies` plies: its last state, and the plies played."""
        played = 0
        while played < plies and not self.is_terminal(state):
            if self.chance and self.player(state) == CHANCE:
                state = self.result(state, self.random_outcome(state, rng))
            else:
                state = self.result(state, self.random_action(state, rng))
            played += 1
        return state, played
