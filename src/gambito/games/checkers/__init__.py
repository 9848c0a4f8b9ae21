"""Checkers: English draughts, on 8×8.

The board is drawn in draughts/board.py. Black is player 0, begins and moves down. Men capture forward only,
and a man that reaches the last row ends its move there. Kings go one step in every direction. A player may
choose between captures, but must complete the one chosen. A player who cannot move has lost. Forty moves of
each side without a capture or a man's move are a draw.
"""

from __future__ import annotations

from gambito.evaluate import USUAL, prepare
from gambito.evaluate.patterns import Patterns
from gambito.evaluate.wide import Wide

from ..draughts.knowledge import PATTERN_UNIT, STAGES
from ..draughts.rules import _Rules

# Six squares each, as Black sees the board: three in each of two rows, and two in each of three rows.
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
    """Capture or block all of the opponent's pieces."""

    name = "checkers"
    sides = ("Black", "White")
    game_type = 21
    most_actions = 64
    king, runaway, tempo, trade = 130, 40, 2, 12
    lie = (
        ((1, 3), 10, 0),  # the bridge: two men that guard the last row
        ((2, 4), 4, 0),
        ((14, 15, 18, 19), 3, 6),  # the middle
        ((10, 11, 22, 23), 2, 3),
        ((5, 13, 21, 12, 20), -2, -4),  # the edges
        ((28,), -8, 0),  # the dog hole
        ((13, 14, 15, 16), 1, 0),  # rows, higher for rows further on
        ((17, 18, 19, 20), 3, 0),
        ((21, 22, 23, 24), 6, 0),
        ((25, 26, 27, 28), 10, 0),
    )
    preferences = {  # noqa: RUF012
        "engine": {"quiescence_evasions": True, "one_reply_extension": True}
    }

    recipe = {  # noqa: RUF012
        "plans": ({"games": 24_000, "depth": 4, "loose": 10, "chunk": 500, "longest": 200},),
        "fitting": {"results": 0.5, "rate": 2.0, "batch": 4096, "epochs": 20},
    }
    network_recipe = {  # noqa: RUF012
        "plans": ({"games": 14_000, "depth": 5, "loose": 10, "stray": 0.01, "chunk": 500, "longest": 200},),
        "fitting": {"results": 0.3, "logit": 100.0, "rate": 0.001, "batch": 4096, "epochs": 15},
        "gate": 400,
        "nodes": 5_000,
    }
    one_evaluation = True
    network = Wide(sets=4, units=64, outputs=4, pieces=24)

    def __init__(self, patience: int = 40, routes: bool = False, evaluation: str = USUAL) -> None:
        super().__init__(8, 3, patience, routes, evaluation)
        self.form = Patterns(
            [[self.place_of(square) for square in squares] for squares in TUPLES],
            sets=4,
            stages=STAGES,
            unit=PATTERN_UNIT,
            turn=self.across,
        )
        self.form.equip(self)
        prepare(self)
