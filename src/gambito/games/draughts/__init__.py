"""International draughts, on 10×10.

The board is drawn in board.py. White is player 0, begins and moves up. Men also capture backwards; kings move
and capture over any distance. The capture that takes the most pieces must be made. Captured pieces are
removed at the end of the capture, and a man becomes a king only if it ends on the last row. A player who
cannot move has lost. The game is drawn after twenty-five moves of each side with kings only and without a
capture; after sixteen with a king against three pieces that include a king; and after five with a king
against two pieces or one.
"""

from __future__ import annotations

from gambito.evaluate import USUAL, prepare
from gambito.evaluate.wide import Wide
from gambito.native import popcount

from .rules import _Rules

THREE, TWO = 16, 5  # moves allowed for three pieces and for two against a king


class Draughts(_Rules):
    """Capture or block all of the opponent's pieces; kings fly, and the longest capture is compulsory."""

    name = "draughts"
    sides = ("White", "Black")
    game_type = 20
    flying = both_ways = majority = True
    beginner = 1
    king, runaway, tempo, trade = 280, 60, 1, 8
    lie = (
        ((2, 4), 6, 0),  # they guard the last row
        ((22, 23, 24, 27, 28, 29), 5, 0),  # the middle
        ((5, 10, 14, 19, 23, 28, 32, 37, 41, 46), 0, 12),  # the main road
        ((15, 25, 35, 45, 6, 16, 26, 36), -3, 0),  # the edges
        ((16, 17, 18, 19, 20), 2, 0),  # rows, higher for rows further on
        ((21, 22, 23, 24, 25), 4, 0),
        ((26, 27, 28, 29, 30), 6, 0),
        ((31, 32, 33, 34, 35), 8, 0),
        ((36, 37, 38, 39, 40), 11, 0),
        ((41, 42, 43, 44, 45), 15, 0),
    )
    preferences = {  # noqa: RUF012
        "engine": {
            "quiescence_evasions": True,
            "one_reply_extension": True,
            "late_move_reductions": True,
            "reduction_scale": 45,
            "history_malus": True,
        }
    }

    network_recipe = {  # noqa: RUF012
        "plans": ({"games": 5_500, "depth": 4, "loose": 10, "stray": 0.01, "chunk": 500, "longest": 240},),
        "fitting": {"results": 0.3, "logit": 100.0, "rate": 0.001, "batch": 4096, "epochs": 15},
        "gate": 400,
        "nodes": 5_000,
    }
    one_evaluation = True
    network = Wide(sets=4, units=64, outputs=4, pieces=40)

    def __init__(self, patience: int = 25, routes: bool = False, evaluation: str = USUAL) -> None:
        super().__init__(10, 4, patience, routes, evaluation)
        prepare(self)

    def few_pieces(self, mine, theirs, kings):
        first, second = popcount(mine), popcount(theirs)
        if first + second > 4 or (first != 1 and second != 1):
            return 0
        if not mine & kings or not theirs & kings:
            return 0
        return THREE if first + second == 4 else TWO
