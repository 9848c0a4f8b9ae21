"""The rules of backgammon, without the cube: states, rolls and plays; not what a position is worth."""

from __future__ import annotations

from typing import NamedTuple

from gambito.game.contract import CHANCE, Game
from gambito.native import int64, uint64

from .board import (
    BAR,
    CHECKERS,
    OUTSIDE,
    Board,
    can_move,
    move,
    pack,
)
from .plays import (
    BITS,
    POINT,
    apply_play,
    is_double_reached,
    is_playable,
    most_moves,
    replay,
)

START = [0] * 26
START[5], START[7], START[12], START[23] = 5, 3, 5, 2
OPENING = 2  # `turn`: nobody's yet


class State(NamedTuple):
    """The checkers of both players, each counted from the own side, whose turn it is, and the roll."""

    near: uint64
    far: uint64
    other_near: uint64
    other_far: uint64
    turn: uint64
    high: uint64  # the larger die; 0 before the roll
    low: uint64


def board_of(state):
    """The board as the player whose turn it is sees it."""
    if state.turn == uint64(1):
        return Board(state.other_near, state.other_far, state.near, state.far)
    return Board(state.near, state.far, state.other_near, state.other_far)


class _Rules(Game):
    """The rules alone."""

    chance = True
    rolls_between = True
    value = float
    lowest = -3.0
    highest = 3.0
    most_outcomes = 30

    # ---- rules -----------------------------------------------------------------------------------
    def initial(self):
        near, far = pack(START)
        return State(near, far, near, far, OPENING, 0, 0)

    def is_terminal(self, state):
        return (state.far >> uint64(52)) == uint64(CHECKERS) or (state.other_far >> uint64(52)) == uint64(
            CHECKERS
        )

    def player(self, state):
        if self.is_terminal(state):
            return int64(state.turn)
        return CHANCE if state.high == uint64(0) else int64(state.turn)

    def actions(self, state):
        if state.high == uint64(0):
            for outcome, _ in self.chances(state):
                yield outcome
            return
        board, high, low = board_of(state), int64(state.high), int64(state.low)
        if high == low:
            moves = most_moves(board, high)
            if moves == 0:
                yield 0
                return
            play, made, point, now = 0, 0, BAR, board
            while True:
                while point >= 1 and not can_move(now, point, high):
                    point -= 1
                if point == 0:
                    if made == 0:
                        break
                    made -= 1
                    point = ((play >> (BITS * made)) & POINT) - 1
                    play &= (1 << (BITS * made)) - 1
                    now = replay(board, play, made, high)
                elif made + 1 == moves:
                    yield play | (point << (BITS * made))
                    point -= 1
                else:
                    play |= point << (BITS * made)
                    made += 1
                    now = move(now, point, high)
            return
        found = False
        first = BAR
        while first >= 1:  # the larger die first
            if can_move(board, first, high):
                now = move(board, first, high)
                second = BAR
                while second >= 1:
                    if can_move(now, second, low):
                        found = True
                        if not is_double_reached(board, first, second, high, low):
                            yield (first << BITS) | second
                    second -= 1
            first -= 1
        first = BAR
        while first >= 1:  # then what only the smaller one first makes possible
            if can_move(board, first, low):
                now = move(board, first, low)
                second = BAR
                while second >= 1:
                    if can_move(now, second, high):
                        found = True
                        if not is_playable(board, second, high, first, low):
                            if not is_double_reached(board, second, first, high, low):
                                yield (second << BITS) | first
                    second -= 1
            first -= 1
        if found:
            return
        point = BAR
        while point >= 1:
            if can_move(board, point, high):
                found = True
                yield point << BITS
            point -= 1
        if found:
            return
        point = BAR
        while point >= 1:
            if can_move(board, point, low):
                found = True
                yield point
            point -= 1
        if not found:
            yield 0

    def chances(self, state):
        if state.turn == uint64(OPENING):
            first = 1
            while first <= 6:
                second = 1
                while second <= 6:
                    if first != second:
                        yield first * 8 + second, 1 / 30
                    second += 1
                first += 1
            return
        high = 6
        while high >= 1:
            low = high
            while low >= 1:
                yield high * 8 + low, (1 / 36 if high == low else 1 / 18)
                low -= 1
            high -= 1

    def result(self, state, action):
        if state.high == uint64(0):
            first, second = action // 8, action % 8
            turn = state.turn
            if turn == uint64(OPENING):
                turn = uint64(0) if first > second else uint64(1)
            return State(
                state.near,
                state.far,
                state.other_near,
                state.other_far,
                turn,
                uint64(max(first, second)),
                uint64(min(first, second)),
            )
        board = apply_play(board_of(state), action, int64(state.high), int64(state.low))
        if state.turn == uint64(1):
            return State(
                board.other_near, board.other_far, board.near, board.far, uint64(0), uint64(0), uint64(0)
            )
        return State(
            board.near, board.far, board.other_near, board.other_far, uint64(1), uint64(0), uint64(0)
        )

    def utility(self, state, player):
        is_first = (state.far >> uint64(52)) == uint64(CHECKERS)
        far = state.other_far if is_first else state.far
        worth = 1.0
        if far >> uint64(52) == uint64(0):
            is_back = (far & uint64(OUTSIDE)) >> uint64(24) != uint64(
                0
            )  # in the winner's home, or on the bar
            worth = 3.0 if is_back else 2.0
        return worth if is_first == (player == 0) else -worth
