"""Two small games with networks, which learn in seconds."""

from __future__ import annotations

import numpy as np

from gambito.evaluate import USUAL, prepare
from gambito.evaluate.network import WHOLE, NetworkForm, network_value
from gambito.games.nannon import CHECKERS, SPOTS, Nannon, safe
from gambito.games.tic_tac_toe import TicTacToe
from gambito.native import int64

LEARNING, SQUARES = f"{__file__}:Learning", f"{__file__}:Squares"
PLACES = SPOTS + 2 * (CHECKERS + 1)
FORM = NetworkForm(2 * PLACES, 2 * (CHECKERS + 2), 16, (-2.0, -1.0, 1.0, 2.0))
BOARD = NetworkForm(18, 9, 24, (-1.0, 0.0, 1.0))


class Learning(Nannon):
    """Nannon with a network."""

    form, shape, scores = FORM, FORM.shape, np.array(FORM.scores)

    def __init__(self, evaluation: str = USUAL) -> None:
        self.evaluation = evaluation
        prepare(self)

    def inputs(self, state, buffer, place):
        is_second = state.turn == 1
        for side in range(2):
            is_first = (side == 0) != is_second
            spots, home = (state.spots, state.home) if is_first else (state.other_spots, state.other_home)
            base = side * PLACES
            for spot in range(SPOTS):
                if spots >> spot & 1:
                    buffer[place] = base + spot
                    buffer[place + 1] = WHOLE
                    place += 2
            buffer[place] = base + SPOTS + home
            buffer[place + 2] = base + SPOTS + CHECKERS + 1 + safe(spots, home)
            buffer[place + 1] = buffer[place + 3] = WHOLE
            place += 4
        return place

    def evaluate(self, state, player):
        if self.is_learned:
            worth = network_value(self, state, -2.0, 2.0)
            return worth if player == self.mover(state) else -worth
        return super_evaluate(self, state, player)


def super_evaluate(game, state, player):
    """The hand-made one of Nannon."""
    lead = game.way(state.other_spots, state.other_home) - game.way(state.spots, state.home)
    worth = 0.11 * lead + (0.23 if state.turn == 0 else -0.23 if state.turn == 1 else 0.0)
    return worth if player == 0 else -worth


class Squares(TicTacToe):
    """Tic-tac-toe with a network; by hand nothing is known of a position."""

    value, lowest, highest = float, -1.0, 1.0
    form, shape, scores = BOARD, BOARD.shape, np.array(BOARD.scores)

    def __init__(self, evaluation: str = USUAL) -> None:
        self.evaluation = evaluation
        prepare(self)

    def inputs(self, state, buffer, place):
        for square in range(9):
            if (state.mine | state.theirs) >> square & 1:
                buffer[place] = int64(square if state.mine >> square & 1 else 9 + square)
                buffer[place + 1] = WHOLE
                place += 2
        return place

    def evaluate(self, state, player):
        worth = network_value(self, state, -1.0, 1.0) if self.is_learned else 0.0
        return worth if player == self.mover(state) else -worth
