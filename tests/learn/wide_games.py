"""Tic-tac-toe and a game of pieces with wide networks: the smallest games that have one."""

from gambito.evaluate import USUAL, prepare
from gambito.evaluate.accumulator import carried_value
from gambito.evaluate.wide import Wide, wide_value
from gambito.games.tic_tac_toe import TicTacToe, has_line
from gambito.native import uint64

SPEC = f"{__file__}:WideLines"
WIN = 100


class WideLines(TicTacToe):
    """Three in a row, valued by a network."""

    name = "wide-lines"
    lowest, highest = -WIN, WIN
    network = Wide(sets=2, units=16, outputs=3, pieces=9)
    network_recipe = {  # noqa: RUF012
        "plans": ({"games": 300, "depth": 2, "loose": 4, "chunk": 50},),
        "fitting": {"results": 0.7, "logit": 40.0, "rate": 0.01, "batch": 256, "epochs": 6},
    }

    def __init__(self, evaluation: str = USUAL) -> None:
        self.evaluation = evaluation
        prepare(self)

    def utility(self, state, player):
        if not has_line(state.theirs):
            return 0
        return -WIN if player == (state.stones & 1) else WIN

    def evaluate(self, state, player):
        return wide_value(self, state, player) if self.is_wide else 0

    def carried(self, state, player, row, slots):
        return carried_value(self, state, player, row, slots) if self.is_wide else 0

    def sets(self, state):
        mine, theirs = uint64(state.mine), uint64(state.theirs)
        return (theirs, mine) if state.stones & 1 else (mine, theirs)
