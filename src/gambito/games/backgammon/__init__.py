"""Backgammon, without the cube.

    13 14 15 16 17 18    19 20 21 22 23 24
    X           O        O              X      X is White, player 0, who moves from 24 to 1
    X           O        O              X      O is Black, player 1, whose points are 25 minus these
    X           O        O
    X                    O
    X                    O

    O                    X
    O                    X
    O           X        X
    O           X        X              O
    O           X        X              O
    12 11 10  9  8  7     6  5  4  3  2  1

A state is the position of the checkers and the roll to play; without a roll it is a chance state. At the
start each player rolls one die, and the player with the higher one plays both dice. A gammon counts 2, a
backgammon 3.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gambito.boards.picture import Tally
from gambito.evaluate import USUAL, prepare
from gambito.evaluate.network import NetworkForm, network_value
from gambito.native import Memory, int64, uint64
from gambito.words.sentence import Sentence

from . import notation, picture
from .bearoff import pair_table, race_tables
from .inputs import INPUTS, MOST_INPUTS, list_inputs
from .knowledge import equity, highest, is_contact, is_tabled, promise, tabled_equity
from .plays import apply_play
from .rules import State, _Rules, board_of

SCORES = (-3.0, -2.0, -1.0, 1.0, 2.0, 3.0)
FORM = NetworkForm(INPUTS, MOST_INPUTS, 128, SCORES, stages=5)


class Backgammon(_Rules):
    """Backgammon without the cube: gammons count 2, backgammons 3."""

    name = "backgammon"
    step = 0.001
    sides = ("White", "Black")
    measure = ("points", 1.0)
    scale = 0.5
    closed = ("evaluation",)
    form = FORM
    shape = FORM.shape
    means: Any  # tables of the race, which `prepare` loads
    deviations: Any
    chances_of_two: Any
    scores = np.array(SCORES)
    recipe = {  # noqa: RUF012
        "phases": (
            {"rounds": 150, "games": 1000, "rates": (0.05, 0.02), "traces": (0.5, 0.2)},
            {"rounds": 450, "games": 1000, "rates": (0.02, 0.002), "traces": (0.2, 0.0)},
            {"rounds": 60, "games": 50, "way": "ahead", "rates": (0.005, 0.002)},
            {"rounds": 280, "games": 1000, "rates": (0.015, 0.001), "traces": (0.0, 0.0)},
            {"rounds": 50, "games": 50, "way": "ahead", "rates": (0.004, 0.001)},
        ),
        "averaged": 100,
        "contest": 2000,
        "every": 66,
    }

    def __init__(self, evaluation: str = USUAL) -> None:
        self.evaluation = evaluation
        prepare(self)

    def prepare(self) -> None:
        self.chances_of_two = Memory(pair_table())
        unread = np.zeros(1, np.uint16), np.zeros(1, np.uint16)  # a learned evaluation knows races by itself
        self.means, self.deviations = map(Memory, unread if self.is_learned else race_tables())

    # ---- knowledge -------------------------------------------------------------------------------
    def evaluate(self, state, player):
        """The equity before the roll: exact in the last part of the race, else learned or by hand."""
        board = board_of(state)
        if not self.is_learned:
            worth = equity(board, self.means, self.deviations, self.chances_of_two)
        elif is_tabled(board):
            worth = tabled_equity(board, self.chances_of_two)
        else:
            worth = self.expected(state, board)
        return worth if player == self.mover(state) else -worth

    def expected(self, state, board):
        """The network's equity for the player on roll, without gammons that are no longer possible."""
        low = -1.0 if board.far >> uint64(52) else -3.0
        high = 1.0 if board.other_far >> uint64(52) else 3.0
        return network_value(self, state, low, high)

    def stage(self, state):
        """0: a race; else who has checkers in the other's home: 1 none, 2 the mover, 3 the other, 4 both."""
        board = board_of(state)
        if not is_contact(board):
            return int64(0)
        mine, theirs = highest(board.near, board.far) > 18, highest(board.other_near, board.other_far) > 18
        return 1 + int64(mine) + 2 * int64(theirs)

    def mover(self, state):
        return int64(0) if state.turn != uint64(1) else int64(1)

    def inputs(self, state, buffer, place):
        """The inputs of the learned evaluation."""
        board = board_of(state)
        return list_inputs(board, not is_contact(board), buffer, place)

    def bounds(self, state):
        """A gammon is impossible once both players have borne off a checker."""
        first = 1.0 if state.far >> uint64(52) else 3.0
        second = 1.0 if state.other_far >> uint64(52) else 3.0
        return (-second, first) if state.turn == uint64(1) and state.high else (-first, second)

    def priority(self, state, action):
        """Hits and made points first, blots last."""
        board = board_of(state)
        return promise(board, apply_play(board, action, int64(state.high), int64(state.low)))

    # ---- text ------------------------------------------------------------------------------------
    def show(self, state):
        return notation.show(state)

    def reason(self, state):
        worth = abs(self.utility(state, 0))
        if worth == 1.0:
            return Sentence("all checkers are borne off")
        return Sentence("a gammon") if worth == 2.0 else Sentence("a backgammon")

    def text(self, state):
        return notation.text(state)

    def parse(self, text):
        """A GNU Backgammon position ID, then `black` if it is Black's turn, then the roll: `6-1`."""
        return State(*notation.parse(text))

    def write(self, state, action):
        if state.high == 0:
            return f"{action // 8}-{action % 8}"
        return notation.write(board_of(state), int(action), int(state.high), int(state.low))

    def read(self, state, text):
        return notation.read(self, state, text)

    # ---- picture ---------------------------------------------------------------------------------
    def picture(self):
        return picture.board()

    def pieces(self, state):
        return picture.pieces(state)

    def remarks(self, state):
        return ""  # the picture shows it all

    def tallies(self, state, start, actions):
        return [Tally(Sentence("pips: {}", count)) for count in picture.pips(state)]

    def touch(self, state, action):
        if state.high == 0 or action == 0:
            return ()
        return picture.touch(board_of(state), int(action), int(state.high), int(state.low), int(state.turn))

    def touches(self, state, action):
        """The moves of the checkers may come in any order in which they can be played."""
        if state.high == 0 or action == 0:
            return ((),)
        after = apply_play(board_of(state), int64(action), int64(state.high), int64(state.low))
        usual = self.touch(state, action)
        return (usual, *(way for way in picture.ways(state).get(after, ()) if way != usual))

    def arrows(self, state, action):
        cells = self.touch(state, action)
        return tuple(zip(cells[::2], cells[1::2], strict=True))
