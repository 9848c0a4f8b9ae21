"""The rules of backgammon without the cube: states, rolls and plays, without any evaluation."""

from __future__ import annotations

from typing import NamedTuple

from gambito.game.contract import CHANCE, Game
from gambito.native import int64, last_bit, popcount, uint64

from .board import CHECKERS, OUTSIDE, Checkers, pack
from .plays import apply_play, drawn, list_doubles, list_pairs

START = [0] * 26
START[5], START[7], START[12], START[23] = 5, 3, 5, 2
OPENING = 2  # `turn` before the opening roll


class State(NamedTuple):
    """The checkers of both players, each counted from that player's side, whose turn it is, and the roll."""

    near: uint64
    far: uint64
    other_near: uint64
    other_far: uint64
    turn: uint64
    high: uint64  # the larger die; 0 before the roll
    low: uint64


def board_of(state):
    """The board from the side of the player whose turn it is."""
    if state.turn == uint64(1):
        return Checkers(state.other_near, state.other_far, state.near, state.far)
    return Checkers(state.near, state.far, state.other_near, state.other_far)


class _Rules(Game):
    """The rules without evaluation, text or picture."""

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
            for play, options, shift in list_doubles(board, high):
                while options:
                    last = last_bit(options)
                    options ^= uint64(1) << uint64(last)
                    yield play | last << shift
        else:
            for play, options, shift in list_pairs(board, high, low):
                while options:
                    last = last_bit(options)
                    options ^= uint64(1) << uint64(last)
                    yield play | last << shift

    def random_action(self, state, rng):
        board, high, low = board_of(state), int64(state.high), int64(state.low)
        chosen, total = int64(0), 0
        if high == low:
            for play, options, shift in list_doubles(board, high):
                total += popcount(options)
                if rng.below(total) < popcount(options):
                    chosen = drawn(play, options, shift, rng)
        else:
            for play, options, shift in list_pairs(board, high, low):
                total += popcount(options)
                if rng.below(total) < popcount(options):
                    chosen = drawn(play, options, shift, rng)
        return chosen

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

    def random_outcome(self, state, rng):
        first, second = 1 + rng.below(6), 1 + rng.below(6)
        if state.turn != uint64(OPENING):
            return max(first, second) * 8 + min(first, second)
        while first == second:
            first, second = 1 + rng.below(6), 1 + rng.below(6)
        return first * 8 + second

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
