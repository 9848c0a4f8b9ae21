"""Othello (Reversi) on bitboards, 4×4 to 8×8.

A disc must be placed so that it and another of the same colour enclose opposing discs in a line; these are
turned over. A player who cannot do so passes, and the game is over when neither player can. The value is the
difference in discs; empty squares count for the winner. The board is drawn in board.py. Black is player 0 and
begins.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from gambito.boards import picture as drawn
from gambito.boards.equipment import NO_CELL, Equipment
from gambito.errors import PositionError
from gambito.evaluate import USUAL, prepare
from gambito.evaluate.patterns import pattern_inputs
from gambito.game.contract import Game, quoted
from gambito.native import first_bit, mix, nth_bit, popcount, uint64
from gambito.words import say
from gambito.words.sentence import Sentence

from . import probcut
from .board import SquareGeometry
from .ending import EMPTY_SQUARES, finish_game
from .knowledge import estimate, promise, stage_of
from .notation import (
    ALIKE,
    PASS,
    looks_like_board,
    read_moves,
    square_name,
)
from .patterns import judge, pattern_form, pattern_stage
from .wthor import is_wthor, split_wthor


class State(NamedTuple):
    """A position."""

    mine: np.uint64  # discs of the player to move
    theirs: np.uint64
    mover: int


class Othello(SquareGeometry, Game):
    """Enclose the opponent's discs to turn them over; the player with more discs wins."""

    name = "othello"
    prefers_fast_win = False  # the number of discs counts, not how soon
    sides = ("Black", "White")
    scale = 8.0  # discs
    measure = ("discs", 1.0)
    recipe = {  # noqa: RUF012
        "plans": (
            {"games": 30_000, "depth": 4, "loose": 12, "chunk": 500, "sure": 24},
            {"games": 80_000, "depth": 4, "loose": 16, "stray": 0.0, "chunk": 1000, "sure": 28},
            {"games": 400_000, "depth": 4, "loose": 16, "stray": 0.0, "chunk": 1000, "sure": 28},
            {"games": 191_000, "depth": 4, "loose": 16, "stray": 0.0, "chunk": 1000, "sure": 28},
        ),
        "fitting": {
            "loss": "squares",
            "results": 0.5,
            "rate": 0.15,
            "batch": 8192,
            "epochs": 8,
            "patience": 0,
        },
        "gate": 200,
    }
    preferences = {  # noqa: RUF012
        "engine": {"presort": 26, "etc": 30, "table_from": 2, "probcut": "multi"}
    }

    def __init__(self, size: int = 8, evaluation: str = USUAL) -> None:
        super().__init__(size)
        self.evaluation = evaluation
        self.highest, self.lowest = self.cells, -self.cells
        self.longest = 2 * self.cells  # at most one pass between two discs
        self.most_actions = self.cells
        middle = size // 2
        northeast, southwest = (middle - 1) * size + middle, middle * size + middle - 1
        self.black = np.uint64(1 << northeast | 1 << southwest)
        self.white = np.uint64(1 << northeast - 1 | 1 << southwest + 1)
        self.form = pattern_form(self) if size == 8 else None
        prepare(self)
        known = probcut.LEARNED if self.is_learned else probcut.HAND
        self.probcut_model = known if size == 8 else ()

    # ---- rules -----------------------------------------------------------------------------------
    def initial(self) -> State:
        return State(self.black, self.white, 0)

    def player(self, state):
        return state.mover

    def actions(self, state):
        """Corners first, the squares around them last; size² is a pass, if there is no square to play."""
        left = self.moves(state.mine, state.theirs)
        if not left:
            yield self.cells
        for turn in range(3):
            group = left & self.corners if turn == 0 else left & ~self.risky if turn == 1 else left
            left ^= group
            while group:
                square = first_bit(group)
                group &= group - uint64(1)
                yield square

    def result(self, state, action):
        if action == self.cells:
            return State(state.theirs, state.mine, 1 - state.mover)
        disc = uint64(1) << uint64(action)
        flipped = self.flips(state.mine, state.theirs, disc)
        return State(state.theirs ^ flipped, state.mine | flipped | disc, 1 - state.mover)

    def is_terminal(self, state):
        return not self.moves(state.mine, state.theirs) and not self.moves(state.theirs, state.mine)

    def utility(self, state, player):
        score = self.score(state.mine, state.theirs)
        return score if player == state.mover else -score

    def count(self, state):
        return max(popcount(self.moves(state.mine, state.theirs)), 1)  # a pass counts as one

    # ---- what it adds ----------------------------------------------------------------------------
    def evaluate(self, state, player):
        if self.is_learned:
            value = judge(self, state.mine, state.theirs)
        else:
            value = estimate(self, state.mine, state.theirs)
        return value if player == state.mover else -value

    def inputs(self, state, buffer, place):
        stage = pattern_stage(state.mine, state.theirs)
        return pattern_inputs(self, (state.mine, state.theirs), stage, 0, buffer, place)

    def key(self, state):
        """The same discs with colours exchanged have the complement as their key."""
        seen = mix((state.mine, state.theirs))
        return ~seen if state.mover else seen

    def stage(self, state):
        return stage_of(self, state.mine, state.theirs)

    def priority(self, state, action):
        if action == self.cells:
            return 0
        disc = uint64(1) << uint64(action)
        flipped = self.flips(state.mine, state.theirs, disc)
        replies = self.moves(state.theirs ^ flipped, state.mine | flipped | disc)
        around = self.quadrants[action] & ~(state.mine | state.theirs)
        return promise(self, disc, replies, popcount(around) & 1)

    def bounds(self, state):
        """The stable discs of each side are the fewest that it ends with."""
        mine = popcount(self.fixed(state.mine, state.theirs))
        theirs = popcount(self.fixed(state.theirs, state.mine))
        return 2 * mine - self.cells, self.cells - 2 * theirs

    def is_nearly_over(self, state):
        return popcount(state.mine | state.theirs) >= self.cells - EMPTY_SQUARES

    def solve_ending(self, state, alpha, beta):
        return finish_game(self, state.mine, state.theirs, alpha, beta)

    def plies_left(self, state):
        """There is at most one pass between two discs."""
        return 2 * (self.cells - popcount(state.mine | state.theirs))

    def random_action(self, state, rng):
        moves = self.moves(state.mine, state.theirs)
        return nth_bit(moves, rng.below(popcount(moves))) if moves else self.cells

    def playout(self, state, rng, plies):
        """Each side's squares are found once: a side without any passes; if both have none, it is over."""
        mine, theirs, mover, played = state.mine, state.theirs, state.mover, 0
        is_stuck = False
        while played < plies:
            moves = self.moves(mine, theirs)
            if moves:
                disc = uint64(1) << uint64(nth_bit(moves, rng.below(popcount(moves))))
                flipped = self.flips(mine, theirs, disc)
                mine, theirs = theirs ^ flipped, mine | flipped | disc
                is_stuck = False
            elif is_stuck:
                return State(theirs, mine, 1 - mover), played - 1
            else:
                mine, theirs = theirs, mine
                is_stuck = True
            mover = 1 - mover
            played += 1
        return State(mine, theirs, mover), played

    def pass_turn(self, state):
        """Who moves does not affect whether the game is over, so this is always possible."""
        return State(state.theirs, state.mine, 1 - state.mover)

    def is_zugzwang_likely(self, state):
        """Always: a move gives the opponent new squares, and a pass does not."""
        return True

    def turn(self, action, view, back):
        if action == self.cells:
            return action
        if back and view & 4:  # the inverse of one quarter turn is the other
            view = (view & 4) | ((view & 1) << 1) | ((view & 2) >> 1)
        return first_bit(self.seen(uint64(1) << uint64(action), view))

    def symmetries(self, state):
        for view in range(1, 8):
            yield State(self.seen(state.mine, view), self.seen(state.theirs, view), state.mover)

    # ---- board and text --------------------------------------------------------------------------
    def equipment(self) -> Equipment:
        near, far = 2.0, self.size - 2.0
        stars = tuple((x, y) for x in (near, far) for y in (near, far)) if self.size >= 6 else ()
        board = replace(drawn.grid(self.size, self.size, "felt"), dots=stars)
        return Equipment(
            board, "XO", sides="XO", joint="", blank="-", alike=ALIKE, margin="{} ", heads="above"
        )

    def stands(self, state, cell):
        place, one = uint64(cell), uint64(1)
        if state.mine >> place & one:
            return 1 + state.mover
        return 2 - state.mover if state.theirs >> place & one else 0

    def touched(self, state, action, step):
        return action if step == 0 and action != self.cells else NO_CELL

    def turn_words(self, state: State) -> str:
        turn = say("the game is over") if self.is_terminal(state) else say("{0} to move", "XO"[state.mover])
        black, white = (tally.text for tally in self.tallies(state, state, ()))
        return f"X {black}, O {white}; {turn}"

    def reason(self, state: State) -> str:
        black, white = map(Sentence, self.sides)
        counts = (tally.text for tally in self.tallies(state, state, ()))
        return Sentence("{} {}, {} {}", black, next(counts), white, next(counts))

    def parse(self, text: str) -> State:
        """All squares and the side to move (`---…OX…--- X`), or the moves played (`f5d6c3`)."""
        marks = "".join(text.split())
        if not looks_like_board(text):
            return _play(self, text)[0]
        if len(marks) not in (self.cells, self.cells + 1):
            raise self.kept_equipment().wrong(text)
        return super().parse(f"{marks[: self.cells]} {marks[self.cells :].replace('*', 'X')}")

    def set_up(self, cells: Sequence[int], mover: int, extras: Sequence[str], text: str) -> State:
        black, white = (sum(1 << s for s, code in enumerate(cells) if code == own) for own in (1, 2))
        mine, theirs = (white, black) if mover else (black, white)
        return State(np.uint64(mine), np.uint64(theirs), mover)

    def write(self, state: State, action: int) -> str:
        return PASS if action == self.cells else square_name(action, self.size)

    def write_game(self, start: State, actions: Iterable[int]) -> str:
        """Write a game as game lists do, `f5d6c3`: without spaces and passes."""
        if start != self.initial():
            return super().write_game(start, actions)
        return "".join(square_name(action, self.size) for action in actions if action != self.cells)

    def read_game(self, text: str) -> tuple[State, list[int]]:
        if "[" in text:
            return super().read_game(text)
        return self.initial(), _play(self, text)[1]

    def split_games(self, data: bytes) -> Iterable[str]:
        """Split a WTHOR file, or text with one game a line."""
        return split_wthor(data, self.size) if is_wthor(data) else super().split_games(data)

    def remarks(self, state: State) -> str:
        return ""  # the tallies say it

    def tallies(self, state: State, start: State, actions: Sequence[int]) -> list[drawn.Tally]:
        counts = (popcount(state.mine), popcount(state.theirs))[:: -1 if state.mover else 1]
        return [drawn.Tally(str(int(count))) for count in counts]


def _play(game: Othello, text: str) -> tuple[State, list[int]]:
    """The state after a list of moves, and the actions; passes may be left out."""
    state, actions = game.initial(), []
    for place, action in enumerate(read_moves(text, game.size), 1):
        if game.is_terminal(state):
            raise PositionError("the game is over before move {} of {}", place, quoted(text))
        legal = game.legal(state)
        if legal == [game.cells] != [action]:
            state = game.result(state, game.cells)
            actions.append(game.cells)
            legal = game.legal(state)
        if action not in legal:
            accepted = ", ".join(game.write(state, a) for a in legal)
            raise PositionError(
                "{}, move {} of {}, is not legal; accepted: {}",
                game.write(state, action),
                place,
                quoted(text),
                accepted,
            )
        state = game.result(state, action)
        actions.append(action)
    return state, actions
