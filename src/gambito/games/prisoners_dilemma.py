"""The prisoner's dilemma: both do best for themselves by talking, and both would be better off silent.

What the first and the second get in a round:

                     second silent   second talks
    first silent          3, 3            0, 5
    first talks           5, 0            1, 1

The prisoners are asked one after the other, in one round or several. With `secret`, the second does not know
what the first has said in the same round.
"""

from __future__ import annotations

from typing import NamedTuple

from gambito.boards.picture import Board, Cell, Label, Piece
from gambito.errors import GameError, PositionError
from gambito.game.contract import Game, quoted
from gambito.words import say, tell
from gambito.words.sentence import Sentence

SILENT_BOTH, SILENT_ALONE, TALKS_ALONE, TALKS_BOTH = 3, 0, 5, 1  # points
WORDS = ("silent", "talk")
LETTERS = "st"
BLANK, NOT_YET = "?", "-"
MOST_ROUNDS = 20


class State(NamedTuple):
    """Who has talked in the rounds that are over, what the first has said in this one, and the answers."""

    first: int  # a bit for each round in which the first talked
    second: int
    said: int  # in this round, by the first: 0 for nothing yet or not seen, 1 silent, 2 talks
    ply: int  # the number of answers


class PrisonersDilemma(Game):
    """Two prisoners are silent or talk, each for itself; what one wins the other need not lose."""

    name = "prisoners-dilemma"
    title = "Prisoner's dilemma"
    zero_sum = False
    most_actions = 2
    lowest = 0
    sides = ("First", "Second")

    def __init__(self, rounds: int = 1, secret: bool = False) -> None:
        """`secret`: both are asked at the same time."""
        if not 1 <= rounds <= MOST_ROUNDS:
            raise GameError("the prisoners are asked in 1 to {} rounds, not {}", MOST_ROUNDS, rounds)
        self.rounds, self.secret = rounds, secret
        self.hidden = secret
        self.highest, self.longest = TALKS_ALONE * rounds, 2 * rounds
        self.played_by = "ismcts" if secret else "max-n"

    # ---- rules -----------------------------------------------------------------------------------
    def initial(self):
        return State(0, 0, 0, 0)

    def player(self, state):
        return state.ply % 2

    def is_terminal(self, state):
        return state.ply == self.longest

    def actions(self, state):
        for talks in range(2):
            yield talks

    def result(self, state, action):
        if state.ply % 2 == 0:
            return State(state.first, state.second, 1 + action, state.ply + 1)
        place, talks = state.ply // 2, 1 if state.said == 2 else 0
        return State(state.first | talks << place, state.second | action << place, 0, state.ply + 1)

    def utility(self, state, player):
        points = 0
        for place in range(state.ply // 2):
            first, second = state.first >> place & 1, state.second >> place & 1
            mine, other = (first, second) if player == 0 else (second, first)
            if mine == other:
                points += TALKS_BOTH if mine else SILENT_BOTH
            else:
                points += TALKS_ALONE if mine else SILENT_ALONE
        return points

    def evaluate(self, state, player):
        """The points so far."""
        return self.utility(state, player)

    def observe(self, state, player):
        if self.secret and player != 0:
            return State(state.first, state.second, 0, state.ply)
        return state

    def imagine(self, seen, player, rng):
        if seen.ply % 2 == 1 and seen.said == 0:
            return State(seen.first, seen.second, 1 + rng.below(2), seen.ply)
        return seen

    # ---- text ------------------------------------------------------------------------------------
    def text(self, state):
        """A letter for each answer, round by round: `st/t-`."""
        rounds = [
            LETTERS[state.first >> place & 1] + LETTERS[state.second >> place & 1]
            for place in range(state.ply // 2)
        ]
        if state.ply % 2 == 1:
            rounds.append((BLANK + LETTERS)[state.said] + NOT_YET)
        return "/".join(rounds) or NOT_YET * 2

    def parse(self, text):
        """The answers, `s` or `t`, round by round; `-` is not given yet, `?` is not seen: `st/?-`."""
        words = text.strip().lower().split("/")
        state = self.initial()
        for number, word in enumerate(words):
            is_last = number == len(words) - 1
            whole = len(word) == 2 and set(word) <= set(LETTERS)
            begun = word in (NOT_YET * 2, *(letter + NOT_YET for letter in LETTERS), BLANK + NOT_YET)
            fits = whole or (is_last and begun and (word != NOT_YET * 2 or len(words) == 1))
            if not fits or number >= self.rounds or (word[0] == BLANK and not self.secret):
                raise PositionError(
                    "{} is no position of prisoners-dilemma; accepted: -- for the start, or s and t for at "
                    "most {} rounds, as st/t-",
                    quoted(text),
                    self.rounds,
                )
            if word[0] == BLANK:
                state = State(state.first, state.second, 0, state.ply + 1)
            else:
                for letter in word.rstrip(NOT_YET):
                    state = self.result(state, LETTERS.index(letter))
        return state

    def show(self, state):
        return say("answers {}", self.text(state)) + "\n" + tell(self.remarks(state))

    def write(self, state, action):
        return WORDS[action]

    def reason(self, state):
        last = self.rounds - 1
        talks = (state.first >> last & 1) + (state.second >> last & 1)
        return (Sentence("both are silent"), Sentence("one talks"), Sentence("both talk"))[talks]

    # ---- picture ---------------------------------------------------------------------------------
    def picture(self):
        cells = [
            Cell(f"{side.lower()} {place + 1}", 2.0 + 1.2 * place, 0.8 + 1.2 * n, "square", "felt")
            for place in range(self.rounds)
            for n, side in enumerate(self.sides)
        ]
        labels = tuple(Label(0.8, 0.8 + 1.2 * n, side) for n, side in enumerate(self.sides))
        return Board(1.4 + 1.2 * self.rounds, 2.8, tuple(cells), labels=labels, turns=False)

    def pieces(self, state):
        letters = self.text(state).replace("/", "").rstrip(NOT_YET).upper()
        return [Piece(n, "card", n % 2, letter) for n, letter in enumerate(letters)]

    def remarks(self, state):
        return Sentence("points {} and {}", self.utility(state, 0), self.utility(state, 1))
