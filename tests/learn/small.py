"""Tic-tac-toe with patterns: the smallest game that learns."""

from gambito.evaluate import USUAL, prepare
from gambito.evaluate.patterns import Patterns, pattern_inputs, pattern_value
from gambito.games.tic_tac_toe import TicTacToe, has_line
from gambito.native import uint64

SPEC, PLAIN = f"{__file__}:Lines", f"{__file__}:PlainLines"
WIN, UNIT = 100, 16


def _seen(cell, view):
    x, y = cell % 3, cell // 3
    if view & 1:
        x = 2 - x
    if view & 2:
        y = 2 - y
    return 3 * x + y if view & 4 else 3 * y + x


class Lines(TicTacToe):
    """Three in a row, valued by its lines."""

    name = "lines"
    lowest, highest = -WIN, WIN
    recipe = {  # noqa: RUF012
        "plans": ({"games": 300, "depth": 2, "loose": 4, "chunk": 50},),
        "fitting": {"rate": 2.0, "batch": 256, "epochs": 8},
        "play": {"games": 300, "depth": 1, "rate": 5.0, "block": 60},
    }

    def __init__(self, evaluation: str = USUAL) -> None:
        self.evaluation = evaluation
        views = [lambda cell, view=view: _seen(cell, view) for view in range(1, 8)]
        self.form = Patterns([(0, 1, 2), (3, 4, 5), (0, 4, 8)], views, unit=UNIT)
        self.form.equip(self)
        prepare(self)

    def utility(self, state, player):
        if not has_line(state.theirs):
            return 0
        return -WIN if player == (state.stones & 1) else WIN

    def evaluate(self, state, player):
        value = 0
        if self.is_learned:
            value = pattern_value(self, (uint64(state.mine), uint64(state.theirs)), 0, 0) // UNIT
            value = max(1 - WIN, min(WIN - 1, value))
        return value if player == (state.stones & 1) else -value

    def inputs(self, state, buffer, place):
        return pattern_inputs(self, (uint64(state.mine), uint64(state.theirs)), 0, 0, buffer, place)


class PlainLines(Lines):
    """The same game, in the Python gear only."""

    compiles = False
