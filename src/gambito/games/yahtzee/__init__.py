"""Yahtzee: roll five dice up to three times, keep what you like, and write them into one of thirteen boxes.

A card has six boxes above and seven below:

    1  2  3  4  5  6            the dice that show that face; from 63 points on, 35 more
    3k 4k fh ss ls y  ch        three and four of a kind, full house 25, small straight 30, large straight 40,
                                yahtzee 50, chance

With bonuses, each yahtzee after one that was worth 50 earns 100 more, and a yahtzee whose boxes are filled,
here and above, is a joker: it counts in full in any box below. With `forced`, as in the official rules, a
yahtzee whose box below is filled must go into its box above, then below, and only then anywhere. One plays
alone for points; several play for the highest score. A card takes one number: bits for the boxes that are
filled, the points above up to 63, whether there was a yahtzee of 50, and the score.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gambito.boards.picture import Board, Cell, Label, Piece
from gambito.errors import GameError, PositionError
from gambito.game.contract import CHANCE, Game, quoted
from gambito.game.numerals import read_whole
from gambito.native import Memory, int64
from gambito.words import say
from gambito.words.sentence import Sentence

from .turn import (
    BOXES,
    DICE,
    EVERY,
    FACES,
    FLAG_AT,
    KEEPS,
    ODDS,
    ROLLS_AT,
    SCORE_AT,
    SIZES,
    UPPER_AT,
    YAHTZEE,
    count_of,
    is_open,
    number_of,
    rest_place,
    solved_rest,
    turn_values,
    written,
)

NAMES = ("1", "2", "3", "4", "5", "6", "3k", "4k", "fh", "ss", "ls", "y", "ch")
PAR = np.array([2.0, 5.0, 8.5, 12.0, 15.5, 19.0, 21.7, 13.1, 22.6, 29.5, 32.7, 17.0, 22.0])  # usual points
KEEP = 16  # an action is a box, or this plus the number of the way that is kept
HIGHEST_SCORE, MOST_PLAYERS = 1575, 4  # the highest score, with twelve further yahtzees
SPREAD = 1600.0  # a lead of this many points would be worth 1
REROLLS = 2


class State(NamedTuple):
    """The cards, who rolls, the dice, the rolls that may follow, and whether the dice are rolling."""

    card_0: int
    card_1: int
    card_2: int
    card_3: int
    mover: int
    dice: int
    rolls: int
    rolling: int


class Yahtzee(Game):
    """Roll five dice three times a turn, and fill thirteen boxes with as many points as possible."""

    name = "yahtzee"
    chance = True
    value = float
    step = 1e-6
    most_actions = 252 + BOXES
    most_outcomes = 252
    prefers_fast_win = False

    def __init__(
        self, players: int = 1, bonuses: bool = True, forced: bool = False, solved: bool = False
    ) -> None:
        """`solved`: `evaluate` knows what is still to come exactly; the table is computed once."""
        if not 1 <= players <= MOST_PLAYERS:
            raise GameError("yahtzee is for 1 to {} players, not {}", MOST_PLAYERS, players)
        self.players, self.bonuses, self.forced, self.solved = players, bonuses, forced, solved
        self.zero_sum = players > 1
        self.lowest, self.highest = (
            (0.0, float(HIGHEST_SCORE)) if players == 1 else (-1.0, float(players - 1))
        )
        self.longest = players * BOXES * 2 * (REROLLS + 1)
        self.rest = Memory(lambda: solved_rest(Yahtzee(1, bonuses, forced)) if solved else np.zeros(1))

    # ---- rules -----------------------------------------------------------------------------------
    def initial(self) -> State:
        return State(0, 0, 0, 0, 0, 0, REROLLS, 1)

    def card(self, state, player):
        if player == 0:
            return state.card_0
        if player == 1:
            return state.card_1
        return state.card_2 if player == 2 else state.card_3

    def player(self, state):
        return CHANCE if state.rolling else state.mover

    def is_terminal(self, state):
        return self.card(state, self.players - 1) & EVERY == EVERY

    def missing(self, dice):
        """How many dice are still to be rolled."""
        left = DICE
        for face in range(FACES):
            left -= count_of(dice, face)
        return left

    def actions(self, state):
        if state.rolling:
            left = self.missing(state.dice)
            for way in range(len(KEEPS)):
                if SIZES[way] == left:
                    yield way
        else:
            card = self.card(state, state.mover)
            for box in range(BOXES):
                if is_open(self, card, state.dice, box):
                    yield box
            if state.rolls > 0:
                for way in range(ROLLS_AT):
                    if self.is_part(KEEPS[way], state.dice):
                        yield KEEP + way

    def is_part(self, kept, dice):
        for face in range(FACES):
            if count_of(kept, face) > count_of(dice, face):
                return False
        return True

    def chances(self, state):
        left = self.missing(state.dice)
        for way in range(len(KEEPS)):
            if SIZES[way] == left:
                yield way, ODDS[way]

    def result(self, state, action):
        cards = (state.card_0, state.card_1, state.card_2, state.card_3)
        if state.rolling:
            return State(*cards, state.mover, state.dice + KEEPS[action], state.rolls, 0)
        if action >= KEEP:
            return State(*cards, state.mover, KEEPS[action - KEEP], state.rolls - 1, 1)
        mover = state.mover
        card = written(self, self.card(state, mover), state.dice, action)
        return State(
            card if mover == 0 else state.card_0,
            card if mover == 1 else state.card_1,
            card if mover == 2 else state.card_2,
            card if mover == 3 else state.card_3,
            (mover + 1) % self.players,
            0,
            REROLLS,
            1,
        )

    def score(self, state, player):
        return self.card(state, player) >> SCORE_AT

    def utility(self, state, player):
        """Alone the score; with others, the winners share what the losers pay."""
        if self.players == 1:
            return float(self.score(state, 0))
        highest, winners = int64(-1), 0
        for each in range(self.players):
            highest = max(highest, self.score(state, each))
        for each in range(self.players):
            winners += 1 if self.score(state, each) == highest else 0
        return self.players / winners - 1.0 if self.score(state, player) == highest else -1.0

    # ---- what it adds ----------------------------------------------------------------------------
    def expected(self, state, player):
        """The score that a player can expect: exact if the game is solved, else by usual points."""
        card = self.card(state, player)
        score = float(card >> SCORE_AT)
        if not self.solved:
            for box in range(BOXES):
                score += 0.0 if card >> box & 1 else PAR[box]
            return score
        if player != state.mover or card & EVERY == EVERY or (state.rolling and state.dice == 0):
            return score + self.rest[rest_place(card)]
        best, ways = np.empty(len(KEEPS) - ROLLS_AT), np.empty(len(KEEPS))
        turn_values(self, card, state.rolls, self.rest, best, ways)
        return score + ways[number_of(state.dice)]

    def evaluate(self, state, player):
        if self.players == 1:
            return min(self.expected(state, 0), self.highest)
        total = 0.0
        for each in range(self.players):
            total += self.expected(state, each)
        return (self.expected(state, player) - total / self.players) / SPREAD

    # ---- text ------------------------------------------------------------------------------------
    def _faces(self, dice: int) -> str:
        return "".join(str(face + 1) * int(count_of(dice, face)) for face in range(FACES))

    def _card_text(self, card: int) -> str:
        open_boxes = ",".join(name for box, name in enumerate(NAMES) if not card >> box & 1)
        flag = "+" if card >> FLAG_AT & 1 else ""
        return f"{card >> SCORE_AT}:{card >> UPPER_AT & 63}{flag}:{open_boxes or '-'}"

    def show(self, state: State) -> str:
        rows = []
        for player in range(self.players):
            card = self.card(state, player)
            filled = " ".join("##" if card >> box & 1 else f"{NAMES[box]:>2}" for box in range(BOXES))
            rows.append(
                say(
                    "player {}  {}  above: {}  score: {}",
                    player + 1,
                    filled,
                    card >> UPPER_AT & 63,
                    card >> SCORE_AT,
                )
            )
        dice = self._faces(state.dice) or say("none")
        told = (
            say("kept: {}, rolling", dice)
            if state.rolling
            else say("dice: {}, rolls left: {}", dice, state.rolls)
        )
        return "\n".join([*rows, told])

    def remarks(self, state: State) -> str:
        return "" if state.rolling else Sentence("rolls left: {}", int(state.rolls))

    def text(self, state: State) -> str:
        cards = " ".join(self._card_text(self.card(state, player)) for player in range(self.players))
        mark = "*" if state.rolling else ""
        return f"{cards} {state.mover + 1} {self._faces(state.dice) or '-'}{mark} {state.rolls}"

    def parse(self, text: str) -> State:
        """For each player score:above:open boxes; who rolls; the dice, * while they roll; rolls left."""
        words = text.split()
        wrong = PositionError(
            "{} is no position of yahtzee; accepted: {}", quoted(text), self.text(self.initial())
        )
        if len(words) != self.players + 3:
            raise wrong
        cards = [self._read_card(word) for word in words[: self.players]]
        mover, rolls = read_whole(words[-3], self.players), read_whole(words[-1], REROLLS)
        faces = words[-2].removesuffix("*").replace("-", "")
        rolling = words[-2].endswith("*")
        if None in cards or not mover or rolls is None or set(faces) - set("123456"):
            raise wrong
        if not (len(faces) < DICE if rolling else len(faces) == DICE):
            raise wrong
        dice = sum(1 << 4 * (int(face) - 1) for face in faces)
        known = [card for card in cards if card is not None]
        filled = [(card & EVERY).bit_count() for card in known]
        wanted = [filled[0] if k < mover - 1 else filled[-1] for k in range(self.players)]
        if (
            filled != wanted
            or filled[0] - filled[-1] not in (0, 1)
            or (mover == 1) != (filled[0] == filled[-1])
        ):
            raise PositionError("{} is impossible: the players take turns", quoted(text))
        if rolling and not faces and rolls != REROLLS and sum(filled) == self.players * BOXES:
            raise wrong
        padded = [*known, *[0] * (MOST_PLAYERS - len(known))]
        return State(padded[0], padded[1], padded[2], padded[3], mover - 1, dice, rolls, int(rolling))

    def _read_card(self, word: str) -> int | None:
        parts = word.split(":")
        if len(parts) != 3:
            return None
        score, above = read_whole(parts[0], HIGHEST_SCORE), read_whole(parts[1].removesuffix("+"), 63)
        names = [] if parts[2] == "-" else parts[2].split(",")
        if score is None or above is None or len(set(names)) != len(names) or set(names) - set(NAMES):
            return None
        used = sum(1 << box for box, name in enumerate(NAMES) if name not in names)
        flag = parts[1].endswith("+")
        if flag and not (self.bonuses and used >> YAHTZEE & 1):
            return None
        return used | above << UPPER_AT | flag << FLAG_AT | score << SCORE_AT

    def write(self, state: State, action: int) -> str:
        if state.rolling:
            return self._faces(int(KEEPS[action])) or "-"
        if action >= KEEP:
            return f"keep {self._faces(int(KEEPS[action - KEEP])) or 'none'}"
        return NAMES[action]

    def reason(self, state: State) -> str:
        return Sentence("every box is filled")

    # ---- picture ---------------------------------------------------------------------------------
    def picture(self) -> Board:
        """A row of boxes for each player, with the score behind them, and the dice below."""
        cells = [
            Cell(f"{NAMES[box]} {player + 1}", box + 0.5, player + 0.9, "square", "light")
            for player in range(self.players)
            for box in range(BOXES)
        ]
        scores = [
            Cell(f"score {p + 1}", BOXES + 0.7, p + 0.9, "square", size=1.0) for p in range(self.players)
        ]
        below = self.players + 1.2
        dice = [Cell(f"die {k + 1}", k + 0.5, below, "none") for k in range(DICE)]
        names = tuple(Label(box + 0.5, 0.2, name) for box, name in enumerate(NAMES))
        return Board(BOXES + 1.4, below + 0.7, (*cells, *scores, *dice), labels=names, turns=False)

    def pieces(self, state: State) -> list[Piece]:
        found = []
        for player in range(self.players):
            card = self.card(state, player)
            filled = [box for box in range(BOXES) if card >> box & 1]
            found += [Piece(player * BOXES + box, "cross", player) for box in filled]
            found.append(Piece(self.players * BOXES + player, "text", text=str(card >> SCORE_AT)))
        first = self.players * (BOXES + 1)
        faces = [int(face) for face in self._faces(state.dice)]
        return found + [Piece(first + k, "die", count=face) for k, face in enumerate(faces)]

    def touch(self, state: State, action: int) -> tuple[int, ...]:
        return (state.mover * BOXES + action,) if not state.rolling and action < BOXES else ()
