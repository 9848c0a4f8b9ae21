"""Pig: roll as often as you dare, or hold to keep the points of the turn; a 1 loses them. Also a single turn
alone.

The first player to reach 100 points, including those of the turn, wins.
Neller & Presser, Optimal play of the dice game Pig (2004).
"""

from __future__ import annotations

from typing import NamedTuple

from gambito.boards.picture import Board, Cell, Label, Piece
from gambito.errors import GameError, PositionError
from gambito.game.contract import CHANCE, Game, quoted
from gambito.game.numerals import read_whole
from gambito.words import name_of, say
from gambito.words.sentence import Sentence

HOLD, ROLL = 0, 7
_WORDS = {HOLD: "hold", ROLL: "roll"}
MOST_POINTS = 9_999  # in the text of a position


class State(NamedTuple):
    """Both scores, the points of the turn, whose turn it is, and whether the die is rolling."""

    first: int
    second: int
    turn: int
    mover: int
    rolling: int


class Pig(Game):
    """Roll and add up, or hold; a 1 loses the points of the turn."""

    name = "pig"
    chance = True
    value = float
    lowest = -1.0
    highest = 1.0
    step = 1e-6
    most_actions = 6
    most_outcomes = 6

    def __init__(self, target: int = 100) -> None:
        if not 2 <= target <= 1000:
            raise GameError("the target is from 2 to 1000 points, not {}", target)
        self.target = target

    # ---- rules -----------------------------------------------------------------------------------
    def initial(self):
        return State(0, 0, 0, 0, 0)

    def player(self, state):
        return CHANCE if state.rolling else state.mover

    def is_terminal(self, state):
        return state.first >= self.target or state.second >= self.target

    def actions(self, state):
        if state.rolling:
            for face in range(1, 7):
                yield face
        else:
            yield ROLL
            if state.turn > 0:
                yield HOLD

    def chances(self, state):
        for face in range(1, 7):
            yield face, 1 / 6

    def result(self, state, action):
        first, second, turn, mover, rolling = state
        if not rolling and action == ROLL:
            return State(first, second, turn, mover, 1)
        score = first if mover == 0 else second
        if rolling and action > 1 and score + turn + action < self.target:
            return State(first, second, turn + action, mover, 0)
        gain = 0 if action == 1 else turn + action  # the target is reached, or the player holds
        if mover == 0:
            return State(first + gain, second, 0, 1, 0)
        return State(first, second + gain, 0, 0, 0)

    def utility(self, state, player):
        won = state.first >= self.target
        return 1.0 if won == (player == 0) else -1.0

    def evaluate(self, state, player):
        """The lead as a share of what is left to win; the points of the turn count for two thirds."""
        first, second = float(state.first), float(state.second)
        if state.mover == 0:
            first += min(2 * state.turn / 3, self.target - first)
        else:
            second += min(2 * state.turn / 3, self.target - second)
        left = (self.target - first) + (self.target - second) + 10.0
        worth = (first - second) / left
        worth = max(-0.99, min(0.99, worth))
        return worth if player == 0 else -worth

    # ---- text ------------------------------------------------------------------------------------
    def show(self, state):
        turn = say("turn {}", state.turn) + (say(", the die is rolling") if state.rolling else "")
        scores = say("first {}, second {}", state.first, state.second)
        return f"{scores}\n{name_of(self.label_of(state))}: {turn}"

    def label_of(self, state):
        return "second" if state.mover else "first"

    def reason(self, state):
        return Sentence("{} points", max(state.first, state.second))

    def text(self, state):
        mark = "*" if state.rolling else ""
        return f"{state.first}-{state.second} {self.label_of(state)} {state.turn}{mark}"

    def parse(self, text):
        """Both scores, whose turn it is, the turn's points, and * while the die rolls: `40-35 first 12`."""
        words = text.split()
        scores = words[0].split("-") if words else []
        turn = words[2].removesuffix("*") if len(words) == 3 else ""
        given = [read_whole(part, MOST_POINTS) for part in (*scores, turn)]
        points = [number for number in given if number is not None]
        if len(given) != 3 or len(points) != 3 or words[1] not in ("first", "second"):
            raise PositionError("{} is no position of pig; accepted: 40-35 first 12", quoted(text))
        (first, second, gained), mover = points, int(words[1] == "second")
        is_over = max(first, second) >= self.target
        if min(first, second) >= self.target or max(first, second) > self.target + 5:
            raise PositionError("{} is impossible: a game ends with {} points", quoted(text), self.target)
        if not is_over and (first, second)[mover] + gained >= self.target:
            raise PositionError("{} is impossible: a game ends with {} points", quoted(text), self.target)
        return State(first, second, gained, mover, int(words[2].endswith("*") and not is_over))

    def write(self, state, action):
        return str(action) if state.rolling else _WORDS[action]

    # ---- picture ---------------------------------------------------------------------------------
    def picture(self):
        cells = (
            Cell("first", 0.8, 1.0, "circle"),
            Cell("second", 3.2, 1.0, "circle"),
            Cell("turn", 2.0, 1.0, "square", "felt"),
            Cell("die", 2.0, 2.2, "none"),
        )
        labels = (Label(0.8, 0.3, "First"), Label(3.2, 0.3, "Second"), Label(2.0, 0.3, Sentence("Turn")))
        return Board(4, 2.8, cells, labels=labels, turns=False)

    def pieces(self, state):
        found = [Piece(0, "text", text=str(state.first)), Piece(1, "text", text=str(state.second))]
        found.append(Piece(2, "text", text=str(state.turn)))
        return [*found, Piece(3, "die")] if state.rolling else found

    def thrown(self, state, outcome):
        return [Piece(3, "die", count=int(outcome))]

    def remarks(self, state):
        return ""  # the scores are in the picture


class Toss(NamedTuple):
    """The points of the turn, and whether the die is rolling (1) or the turn is over (2)."""

    turn: int
    rolling: int


class PigTurn(Game):
    """One turn of pig, alone against the die: score as many points as possible."""

    name = "pig-turn"
    players = 1
    zero_sum = False
    chance = True
    value = float
    lowest = 0.0
    step = 1e-6
    most_actions = 6
    most_outcomes = 6
    sides = ("Player",)

    def __init__(self, target: int = 40) -> None:
        if not 2 <= target <= 1000:
            raise GameError("the target is from 2 to 1000 points, not {}", target)
        self.target = target  # the turn ends when it reaches this many points
        self.highest = float(target + 5)

    # ---- rules -----------------------------------------------------------------------------------
    def initial(self):
        return Toss(0, 0)

    def player(self, state):
        return CHANCE if state.rolling == 1 else 0

    def is_terminal(self, state):
        return state.rolling == 2 or state.turn >= self.target

    actions, chances = Pig.actions, Pig.chances

    def result(self, state, action):
        if not state.rolling:
            return Toss(state.turn, 1 if action == ROLL else 2)
        return Toss(0, 2) if action == 1 else Toss(state.turn + action, 0)

    def utility(self, state, player):
        return float(state.turn)

    def evaluate(self, state, player):
        return float(state.turn)

    # ---- text ------------------------------------------------------------------------------------
    def show(self, state):
        return say("{} points", state.turn) + (say(", the die is rolling") if state.rolling == 1 else "")

    def reason(self, state):
        return Sentence("{} points", int(state.turn)) if state.turn else Sentence("a 1 was rolled")

    def text(self, state):
        return f"{state.turn}{('', '*', '!')[state.rolling]}"

    def parse(self, text):
        """The points of the turn, with * while the die rolls, or ! when the turn is over: `12`."""
        number = read_whole(text.strip().rstrip("*!"), MOST_POINTS)
        if number is None:
            raise PositionError("{} is no position of pig-turn; accepted: 12, 12*, 12!", quoted(text))
        if number > self.target + 5:
            raise PositionError("{} is impossible: a turn ends with {} points", quoted(text), self.target)
        return Toss(number, {"*": 1, "!": 2}.get(text.strip()[-1], 0))

    def write(self, state, action):
        return str(action) if state.rolling == 1 else _WORDS[action]

    # ---- picture ---------------------------------------------------------------------------------
    def picture(self):
        cells = (Cell("turn", 1.0, 0.8, "square", "felt"), Cell("die", 1.0, 2.0, "none"))
        return Board(2, 2.6, cells, turns=False)

    def pieces(self, state):
        found = [Piece(0, "text", text=str(state.turn))]
        return [*found, Piece(1, "die")] if state.rolling == 1 else found

    def thrown(self, state, outcome):
        return [Piece(1, "die", count=int(outcome))]

    def remarks(self, state):
        return ""  # the points are in the picture
