"""Samuel's checkers: named features whose weights are learned from the engine's own searches.

    gambito train docs/examples/samuel.py --method samuel --output samuel.eval
    gambito match engine:depth=4,evaluation=samuel.eval engine:depth=4,evaluation=blank \\
        --game docs/examples/samuel.py

The static value of a position is moved towards the value that a search of a few plies backs up to it. As in
Samuel's program, only the worth of a man is known in advance. It stays fixed and sets the scale.
"""

import numpy as np

from gambito.evaluate import prepare
from gambito.evaluate.files import BLANK
from gambito.evaluate.linear import Linear, linear_value
from gambito.games.checkers import Checkers
from gambito.games.draughts.knowledge import four_sets, mobility
from gambito.native import int64, popcount

MAN = 100
NAMES = (
    "king",
    "back row",
    "middle",
    "beyond the middle",
    "edge",
    "king in the middle",
    "mobility",
    "to move",
)
UNIT = 64  # weight units per hundredth of a man


class SamuelCheckers(Checkers):
    """Checkers, valued by men and eight features."""

    name = "samuel-checkers"
    form = Linear(NAMES, unit=UNIT)
    recipe = {"method": "samuel", "begin": "blank", "play": {"games": 3000, "depth": 3, "rate": 3.0}}  # noqa: RUF012

    def __init__(self, evaluation: str = BLANK) -> None:
        super().__init__(evaluation="hand")
        rows = [range(4 * row + 1, 4 * row + 5) for row in range(8)]
        self.back = np.array([self._picked(*rows[0]), self._picked(*rows[7])])
        self.beyond = np.array(
            [self._picked(*rows[4], *rows[5], *rows[6]), self._picked(*rows[1], *rows[2], *rows[3])]
        )
        self.middle = self._picked(10, 11, 14, 15, 18, 19, 22, 23)
        self.edge = self._picked(4, 5, 12, 13, 20, 21, 28, 29)
        self.form, self.evaluation = type(self).form, evaluation
        prepare(self, np.int32)

    def evaluate(self, state, player):
        men, _, their_men, _ = four_sets(state)
        value = MAN * (popcount(men) - popcount(their_men)) + linear_value(self, state, UNIT)
        value = min(max(value, self.lowest + 1), self.highest - 1)
        return value if player == self.player(state) else -value

    def inputs(self, state, buffer, place):
        """Return the lead of the player to move in each feature."""
        side = int64(state.side)
        men, kings, their_men, their_kings = four_sets(state)
        empty = self.full & ~(state.mine | state.theirs)
        ahead = (
            popcount(kings) - popcount(their_kings),
            popcount(men & self.back[side]) - popcount(their_men & self.back[1 - side]),
            popcount(men & self.middle) - popcount(their_men & self.middle),
            popcount(men & self.beyond[side]) - popcount(their_men & self.beyond[1 - side]),
            popcount(state.mine & self.edge) - popcount(state.theirs & self.edge),
            popcount(kings & self.middle) - popcount(their_kings & self.middle),
            mobility(self, men, kings, empty, side) - mobility(self, their_men, their_kings, empty, 1 - side),
            1,
        )
        for number in range(len(ahead)):
            buffer[place] = number
            buffer[place + 1] = ahead[number]
            place += 2
        return place
