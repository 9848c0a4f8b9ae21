"""Checkers: English draughts, on 8×8.

The board is drawn in draughts/board.py. Black begins, is player 0 and moves down. Men take forward only, and
a man who comes to the last row ends his move there; kings go one step in every direction. Of several captures
any may be made, but each must be made to its end. Who cannot move has lost; forty moves of each side without
a capture or a move of a man are a draw.
"""

from __future__ import annotations

from gambito.evaluate import prepare
from gambito.evaluate.files import HAND
from gambito.evaluate.patterns import Patterns

from ..draughts.knowledge import PATTERN_UNIT, STAGES
from ..draughts.rules import _Rules

# Six squares each: three in two rows, and two in three rows; as Black sees the board.
TUPLES = (
    *(
        [4 * (r + down) + c + over + 1 for down in (0, 1) for over in range(3)]
        for r in range(7)
        for c in (0, 1)
    ),
    *(
        [4 * (r + down) + c + over + 1 for down in range(3) for over in (0, 1)]
        for r in range(6)
        for c in range(3)
    ),
)


class Checkers(_Rules):
    """Take or block all of the other's pieces."""

    name = "checkers"
    sides = ("Black", "White")
    game_type = 21
    most_actions = 64
    king, runaway, tempo, trade = 130, 40, 2, 12
    lie = (
        ((1, 3), 10, 0),  # the bridge: it keeps the last row with two men
        ((2, 4), 4, 0),
        ((14, 15, 18, 19), 3, 6),  # the middle
        ((10, 11, 22, 23), 2, 3),
        ((5, 13, 21, 12, 20), -2, -4),  # the edges
        ((28,), -8, 0),  # the dog hole
        ((13, 14, 15, 16), 1, 0),  # rows, the further the better
        ((17, 18, 19, 20), 3, 0),
        ((21, 22, 23, 24), 6, 0),
        ((25, 26, 27, 28), 10, 0),
    )
    preferences = {  # noqa: RUF012
        "engine": {"evasions": True, "forced": True}
    }

    recipe = {  # noqa: RUF012
        "plans": ({"games": 24_000, "depth": 4, "loose": 10, "chunk": 500, "longest": 200},),
        "fitting": {"results": 0.5, "rate": 2.0, "batch": 4096, "epochs": 20},
    }
    one_evaluation = True

    def __init__(self, patience: int = 40, routes: bool = False, evaluation: str = HAND) -> None:
        super().__init__(8, 3, patience, routes)
        self.evaluation = evaluation
        self.form = Patterns(
            [[self.place_of(square) for square in squares] for squares in TUPLES],
            sets=4,
            stages=STAGES,
            unit=PATTERN_UNIT,
            turn=lambda place: self.place_of(self.squares + 1 - self.square_at(place)),
        )
        self.form.equip(self)
        prepare(self)
