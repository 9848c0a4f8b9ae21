"""What a game may add where points add up, or where more than two play: teams, turns, points already won."""

from __future__ import annotations

from gambito.game.contract.kinds import PythonOnly, State, Value
from gambito.game.contract.parameters import Parameters


class Many(Parameters):
    """Points and many players.

    Searches for more than two players ask for `teams` and `give_turn`. The engine asks for the points that
    are won already, as tricks, stones or boxes: states that differ only in them are one entry of its table.
    """

    teams: PythonOnly[tuple[int, ...]] = ()  # the team of each player: (0, 1, 0, 1); (): each for itself

    def give_turn(self, state: State, player: int) -> State:
        """The state with that player to move, for best-reply search; the same state: that cannot be done."""
        return state

    def banked(self, state: State, player: int) -> Value:
        """The points that the player has won already and cannot lose.

        In a game for two, the value of a state is what its player has banked, less what the other has, plus
        the value of the state that `unbanked` gives; so is its evaluation.
        """
        return 0

    def unbanked(self, state: State) -> State:
        """The state as if nobody had won points yet: the rest of the game is the same."""
        return state
