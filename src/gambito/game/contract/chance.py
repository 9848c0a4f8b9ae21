"""What a game of chance adds: the outcomes of dice or cards."""

from __future__ import annotations

from collections.abc import Iterable

from gambito.game.contract.kinds import CHANCE, Probability, State
from gambito.game.contract.parameters import Parameters


class Chance(Parameters):
    """Chance.

    Expectiminimax, Star1, Star2, rollouts and Monte Carlo ask these of games with dice or cards. In a
    chance state `player` is CHANCE and `actions` are the outcomes. Values are expectations, so the game
    says `value = float`; one player against chance also says `players = 1` and `zero_sum = False`.
    """

    chance: bool = False  # dice or cards decide in some states
    rolls_between: bool = False  # chance decides between any two moves, and `evaluate` does not see the roll
    most_outcomes: int = 64  # the most outcomes that any chance state has

    def chances(self, state: State) -> Iterable[tuple[int, Probability]]:
        """The outcomes of a chance state with their probabilities."""
        for outcome in range(0):
            yield outcome, 0.0

    def mover(self, state: State) -> int:
        """The player to move; in a chance state, the player who moves next."""
        player = self.player(state)
        if self.chance and player == CHANCE:
            for outcome in self.actions(state):
                player = self.player(self.result(state, outcome))
                break
        return player
