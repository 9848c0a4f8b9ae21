"""A wide network over a game's sets of squares: one layer of sums, which change little from move to move.

An input is a set and a square; it is 1 if the square belongs to the set. Each input has a row of weights.
The sums of the rows of all inputs are made twice: as player 0 sees the board, and as player 1 sees it. Each
sum is cut to 0 … 1 and squared, and a weighted total of all, the mover's first, is the value. The number of
pieces chooses among the outputs. If the form has a king, a player whose king stands on the right half sees
the board in a mirror.

    weights[inputs][units]     the rows; 255 is 1
           [units]             a row of zeros
           [units]             where the sums begin
           [outputs][2][units] the weights of the totals: the mover's sums, the other's
           [outputs + 1][2]    whole numbers in two halves: what a total begins with; the factor of all totals

All numbers are whole, and both gears find the same value. `slots` carries the sums along in a search.

    Nasu, Efficiently updatable neural-network-based evaluation functions for computer shogi, 2018
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gambito.errors import EvaluationError
from gambito.native import first_bit, inlined, int64, popcount, uint64
from gambito.native.scratch import scratch
from gambito.native.spans import add_squares, shift_span

SQUARES = 64
MOST_SETS, MOST_UNITS = 32, 1024
MOST_SUMS = 2 * MOST_UNITS
ONE = 255  # a sum of 1
LARGEST_WEIGHT, LARGEST_TOTAL = (1 << 15) - 1, (1 << 7) - 1  # weights of rows, and of totals
FACTOR_BITS = 32
LINE = 64  # bytes of a line of the processor's cache
HALF = 16  # bits


class Wide:
    """The shape of a wide network.

    `sets`: the number of sets of the game. `units`: the sums of each side. `outputs`: how many there are, by
    the number of pieces. `pieces`: the most pieces in all sets together. `king`: the number of a set of
    player 0, whose piece decides whether its player sees the board in the mirror; `mirror` maps a square to
    its image there.
    """

    name = "wide"
    divisor = 1

    def __init__(
        self,
        sets: int,
        units: int,
        outputs: int = 1,
        pieces: int = SQUARES,
        king: int = -1,
        mirror: Callable[[int], int] | None = None,
    ) -> None:
        if not (0 < sets <= MOST_SETS and sets % 2 == 0 and 0 < units <= MOST_UNITS and outputs > 0):
            raise ValueError(f"an even number of at most {MOST_SETS} sets, at most {MOST_UNITS} units")
        self.sets, self.units, self.outputs, self.pieces = sets, units, outputs, pieces
        self.king, self.mirror = king if mirror is not None else -1, mirror
        self.inputs = sets * SQUARES
        self.zeros = self.inputs * units  # where the parts begin
        self.begin = self.zeros + units
        self.totals = self.begin + units
        self.tail = self.totals + 2 * units * outputs
        self.size = self.tail + 2 * (outputs + 1)
        self.description = f"wide network of {sets} sets, {units} units, {outputs} outputs"
        if self.king >= 0:
            self.description += f", seen in a mirror by set {king}"

    def seen(self, game: Any) -> Any:
        """[side and mirror][input]: the row of an input as that side sees it, without and with the mirror."""
        rows = np.zeros((4, self.inputs), np.int64)
        for side in range(2):
            for number in range(self.inputs):
                content, square = divmod(number, SQUARES)
                if side == 1:
                    content, square = (content + self.sets // 2) % self.sets, game.across(square)
                rows[2 * side, number] = content * SQUARES + square
                image = self.mirror(square) if self.mirror is not None else square
                rows[2 * side + 1, number] = content * SQUARES + image
        return rows

    def equip(self, game: Any) -> None:
        """Set the attributes that `wide_value` reads from the game, besides its `weights`."""
        seen = self.seen(game)
        game.is_wide, game.wide_sets, game.wide_units = True, self.sets, self.units
        game.wide_outputs, game.wide_pieces, game.wide_king = self.outputs, self.pieces, self.king
        game.wide_zeros, game.wide_begin = self.zeros, self.begin
        game.wide_totals, game.wide_tail = self.totals, self.tail
        game.wide_rows = (seen * self.units).astype(np.int32).ravel()
        right = [sum(1 << s for s in range(SQUARES) if self._is_right(seen, side, s)) for side in range(2)]
        game.wide_right = np.array(right, np.uint64)
        game.wide_slot = -(-(8 * self.sets + 4 * self.units) // LINE) * LINE

    def _is_right(self, seen: Any, side: int, square: int) -> bool:
        """Does a square lie on the half that the mirror maps to smaller numbers, as a side sees it?"""
        plain, image = seen[2 * side : 2 * side + 2, square] % SQUARES
        return bool(image < plain)

    def install(self, game: Any, weights: Any) -> None:
        """Store weights in the game: rows and begin with 1 as one, the outputs in the game's values.

        They lie one after the other as in the game's weights, without the zeros and with whole outputs.
        """
        rows, begin, totals, offsets = self.parts(weights)
        whole = np.zeros(self.size, np.int64)
        whole[: self.zeros], whole[self.begin : self.totals] = np.round(rows * ONE), np.round(begin * ONE)
        if (
            np.abs(whole[: self.zeros]).max() * self.pieces + np.abs(whole[self.begin : self.totals]).max()
            > LARGEST_WEIGHT
        ):
            raise EvaluationError("a weight of the network is too large")
        most = np.abs(totals).reshape(self.outputs, -1)
        room = (1 << 31) / (ONE * ONE) - 4 * self.units
        fine = min(
            LARGEST_TOTAL / max(most.max(), 1e-9),
            room / max((most.sum(axis=1) + np.abs(offsets)).max(), 1e-9),
        )
        whole[self.totals : self.tail] = np.round(totals * fine)
        numbers = [*np.round(offsets * ONE * ONE * fine), round((1 << FACTOR_BITS) / (ONE * ONE * fine))]
        for place, number in enumerate(numbers):
            at = self.tail + 2 * place
            whole[at], whole[at + 1] = (int(number) & 0xFFFF ^ 0x8000) - 0x8000, int(number) >> HALF
        if np.abs(whole).max() > LARGEST_WEIGHT + 1:
            raise EvaluationError("the weights of an output of the network are too large together")
        game.weights.array[:] = whole.astype(np.int16)

    def learned(self, whole: Any) -> Any:
        """The weights of a game as `install` takes them, but for what it rounded."""
        numbers = whole.astype(np.int64)
        halves = numbers[self.tail :].reshape(-1, 2)
        tail = (halves[:, 1] << HALF) + (halves[:, 0] & 0xFFFF)
        fine = (1 << FACTOR_BITS) / (ONE * ONE * tail[-1])
        rows, begin = numbers[: self.zeros] / ONE, numbers[self.begin : self.totals] / ONE
        totals, offsets = numbers[self.totals : self.tail] / fine, tail[:-1] / (ONE * ONE * fine)
        return np.concatenate([rows, begin, totals, offsets])

    def parts(self, weights: Any) -> tuple[Any, Any, Any, Any]:
        """The rows, the begin of the sums, the weights of the totals, and what the totals begin with."""
        sizes = [self.zeros, self.units, 2 * self.units * self.outputs]
        rows, begin, totals, offsets = np.split(weights, np.cumsum(sizes))
        return rows, begin, totals, offsets

    @property
    def count(self) -> int:
        """How many numbers are learned."""
        return self.zeros + self.units + (2 * self.units + 1) * self.outputs

    def share(self, numbers: Any) -> Any:
        """No weight is shared."""
        return numbers


@inlined
def put_sets(game, state, words):
    """Write the sets of a state into words of memory."""
    for place, one in enumerate(game.sets(state)):
        words[place] = one


@inlined
def view_of(game, words, side):
    """How a side sees the board of these sets: the number of a list of rows in `wide_rows`."""
    view = 2 * side
    if game.wide_king >= 0:
        king = uint64(words[game.wide_king + side * (game.wide_sets // 2)])
        if king & game.wide_right[side] != uint64(0):
            view += 1
    return view


def fill_sums(game, words, side, sums, at):
    """Compute the sums of a side from nothing, and write them from `at` on."""
    weights, units, none = game.weights, game.wide_units, game.wide_zeros
    view = view_of(game, words, side) * game.wide_sets * SQUARES
    shift_span(sums, at, weights, game.wide_begin, weights, none, none, units)
    for content in range(game.wide_sets):
        left = uint64(words[content])
        while left:
            row = int64(game.wide_rows[view + content * SQUARES + first_bit(left)])
            left &= left - uint64(1)
            shift_span(sums, at, sums, at, weights, row, none, units)


@inlined
def whole_at(weights, place):
    """A whole number in two halves."""
    return (int64(weights[place + 1]) << HALF) + (int64(weights[place]) & 0xFFFF)


def total_value(game, words, sums, at, mover):
    """The value of a position for its mover, from the sums of player 0 and then those of player 1."""
    weights, units, output = game.weights, game.wide_units, int64(0)
    if game.wide_outputs > 1:
        count = int64(0)
        for content in range(game.wide_sets):
            count += popcount(uint64(words[content]))
        output = min(count * game.wide_outputs // (game.wide_pieces + 1), game.wide_outputs - 1)
    place = game.wide_totals + output * 2 * units
    total = whole_at(weights, game.wide_tail + 2 * output)
    total += add_squares(sums, at + mover * units, weights, place, ONE, units)
    total += add_squares(sums, at + (1 - mover) * units, weights, place + units, ONE, units)
    value = total * whole_at(weights, game.wide_tail + 2 * game.wide_outputs) >> FACTOR_BITS
    return min(max(value, game.lowest + 1), game.highest - 1)


def wide_value(game, state, player):
    """The value of a state that is not terminal for a player, computed from nothing."""
    words, sums = scratch(MOST_SETS), scratch(MOST_SUMS, np.int16)
    put_sets(game, state, words)
    fill_sums(game, words, int64(0), sums, int64(0))
    fill_sums(game, words, int64(1), sums, int64(game.wide_units))
    mover = int64(game.player(state))
    value = total_value(game, words, sums, int64(0), mover)
    return value if player == mover else -value
