"""Rock-paper-scissors: both players choose at the same time, so the second does not see the first's choice.

Rock blunts scissors, scissors cut paper, paper wraps rock.
"""

from __future__ import annotations

from typing import NamedTuple

from gambito.boards.picture import Board, Cell, Label, Piece
from gambito.errors import PositionError
from gambito.game.contract import Game, quoted
from gambito.words import say
from gambito.words.sentence import Sentence

WORDS = ("rock", "paper", "scissors")  # each beats the one before
LETTERS = "rps"
ALIKE = Sentence("both chose the same")
BEATS = (
    Sentence("rock blunts scissors"),
    Sentence("paper wraps rock"),
    Sentence("scissors cut paper"),
)
BLANK, NOT_YET = "?", "-"


class State(NamedTuple):
    """What was chosen: 0 for nothing yet or not seen, else 1 + the number of the word."""

    first: int
    second: int
    ply: int  # the number of choices made


class RockPaperScissors(Game):
    """Two players choose at the same time."""

    name = "rock-paper-scissors"
    title = "Rock, paper, scissors"
    hidden = True
    longest = 2
    most_actions = 3
    sides = ("First", "Second")

    # ---- rules -----------------------------------------------------------------------------------
    def initial(self):
        return State(0, 0, 0)

    def player(self, state):
        return state.ply % 2

    def is_terminal(self, state):
        return state.ply == 2

    def actions(self, state):
        for choice in range(3):
            yield choice

    def result(self, state, action):
        if state.ply == 0:
            return State(action + 1, 0, 1)
        return State(state.first, action + 1, 2)

    def utility(self, state, player):
        lead = (state.first - state.second) % 3  # 0: alike, 1: the first wins, 2: the second wins
        won = 1 if lead == 1 else -1 if lead == 2 else 0
        return won if player == 0 else -won

    def observe(self, state, player):
        if state.ply == 1 and player != 0:
            return State(0, 0, 1)
        return state

    def imagine(self, seen, player, rng):
        if seen.ply == 1 and seen.first == 0:
            return State(1 + rng.below(3), 0, 1)
        return seen

    # ---- text ------------------------------------------------------------------------------------
    def text(self, state):
        """Both choices: `-` before it is made, `?` while it is secret."""
        chosen = [(BLANK + LETTERS)[choice] for choice in (state.first, state.second)]
        return "".join(chosen[: state.ply]).ljust(2, NOT_YET)

    def show(self, state):
        return say("first {}, second {}", *self.text(state))

    def reason(self, state):
        lead = (state.first - state.second) % 3
        return (ALIKE, *BEATS)[0 if lead == 0 else state.first if lead == 1 else state.second]

    def parse(self, text):
        """Both choices, a letter each: `?` if it is secret, `-` before it is made: `?-`."""
        letters = text.strip().lower()
        known = [first + NOT_YET for first in NOT_YET + BLANK + LETTERS]
        known += [first + second for first in LETTERS for second in LETTERS]
        if letters not in known:
            accepted = ", ".join(known)
            raise PositionError(
                "{} is no position of rock-paper-scissors; accepted: {}", quoted(text), accepted
            )
        chosen = [(BLANK + LETTERS).index(c) for c in letters.rstrip(NOT_YET)]
        first, second = (*chosen, 0, 0)[:2]
        return State(first, second, len(chosen))

    def write(self, state, action):
        return WORDS[action]

    # ---- picture ---------------------------------------------------------------------------------
    def picture(self):
        cells = [
            Cell(side.lower(), 1.0 + 1.5 * n, 1.1, "square", "felt") for n, side in enumerate(self.sides)
        ]
        labels = tuple(Label(1.0 + 1.5 * n, 0.3, side) for n, side in enumerate(self.sides))
        return Board(3.5, 1.8, tuple(cells), labels=labels, turns=False)

    def pieces(self, state):
        chosen = self.text(state).rstrip(NOT_YET).upper()
        return [Piece(n, "card", n, letter) for n, letter in enumerate(chosen)]

    def remarks(self, state):
        return ""  # the choices are in the picture
