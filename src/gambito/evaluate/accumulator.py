"""Slots with the sums of a wide network, so that a search need not compute them from nothing at each node.

A slot holds the sets of squares of a position and the sums that belong to them; there is one for each ply. To
value a state, its sets are compared with those of the ply above and, unless that is one move away, of its own
ply. The squares that differ are added to and subtracted from the nearer one. Nothing is told when a move is
made or taken back. A slot of a strange position makes a value slower, never wrong: the sums always belong to
the sets beside them.

    slot:  sets[wide_sets]         words of 64 bits
           sums[2][wide_units]     of 16 bits, as player 0 and as player 1 sees the board

All slots lie one after the other at one address, so that a search carries one number.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gambito.evaluate.wide import LINE, MOST_SETS, SQUARES, fill_sums, put_sets, total_value, view_of
from gambito.native import first_bit, inlined, int64, popcount, uint64
from gambito.native.raw import keys_at, shorts_at
from gambito.native.scratch import scratch
from gambito.native.spans import shift_span

SLOTS = 256  # plies; further ones use the first slots again
NEAR = 4  # squares that a move changes; if the ply above is so near, its own slot is not compared
CHANGES = 16  # with more squares that differ, sums are computed from nothing


def carried_value(game, state, player, row, slots):
    """The value of a state by its wide network, from the sums of the nearer slot; its own keeps the new."""
    words, outs, ins = scratch(MOST_SETS), scratch(CHANGES, np.int64), scratch(CHANGES, np.int64)
    put_sets(game, state, words)
    own, above = slots + row % SLOTS * game.wide_slot, slots + (row + 1) % SLOTS * game.wide_slot
    own_sets, above_sets = keys_at(own), keys_at(above)
    here, there = int64(MOST_SETS * SQUARES), int64(0)
    for content in range(game.wide_sets):
        there += popcount(uint64(words[content] ^ above_sets[content]))
    if there > NEAR:
        here = int64(0)
        for content in range(game.wide_sets):
            here += popcount(uint64(words[content] ^ own_sets[content]))
    source = own if here <= there else above
    old, sums = keys_at(source), shorts_at(own)
    first = 4 * game.wide_sets  # a set takes the place of four sums
    if min(here, there) > CHANGES:
        fill_sums(game, words, int64(0), sums, int64(first))
        fill_sums(game, words, int64(1), sums, int64(first + game.wide_units))
    else:
        gone, come = list_changes(game, words, old, outs, ins)
        for side in range(2):
            at = int64(first + side * game.wide_units)
            if view_of(game, words, side) != view_of(game, old, side):
                fill_sums(game, words, int64(side), sums, at)
            elif source != own or gone + come > 0:
                carry_sums(game, words, side, outs, gone, ins, come, shorts_at(source), sums, at)
    for content in range(game.wide_sets):
        own_sets[content] = words[content]
    mover = int64(game.player(state))
    value = total_value(game, words, sums, int64(first), mover)
    return value if player == mover else -value


@inlined
def list_changes(game, words, old, outs, ins):
    """Write the inputs that only the old sets have, and those that only the new ones have; count both."""
    gone, come = int64(0), int64(0)
    for content in range(game.wide_sets):
        differ = uint64(words[content] ^ old[content])
        while differ:
            square = first_bit(differ)
            if (uint64(words[content]) >> uint64(square)) & uint64(1):
                ins[come] = content * SQUARES + square
                come += 1
            else:
                outs[gone] = content * SQUARES + square
                gone += 1
            differ &= differ - uint64(1)
    return gone, come


@inlined
def carry_sums(game, words, side, outs, gone, ins, come, source, sums, at):
    """Write the sums of a side from those of a source: one row leaves and one enters at a time."""
    view = view_of(game, words, side) * game.wide_sets * SQUARES
    for change in range(max(gone, come, 1)):
        leaves = enters = int64(game.wide_zeros)
        if change < gone:
            leaves = int64(game.wide_rows[view + outs[change]])
        if change < come:
            enters = int64(game.wide_rows[view + ins[change]])
        if change == 0:
            shift_span(sums, at, source, at, game.weights, enters, leaves, game.wide_units)
        else:
            shift_span(sums, at, sums, at, game.weights, enters, leaves, game.wide_units)


class Slots:
    """The slots of one thread for one game; `address` is what `carried_value` takes."""

    def __init__(self, game: Any) -> None:
        self.memory = np.zeros(SLOTS * game.wide_slot + LINE, np.uint8)
        self.address = -(-self.memory.ctypes.data // LINE) * LINE

    def forget(self) -> None:
        """Have the first values computed from nothing: the weights may have changed."""
        self.memory[:] = 0xFF  # no position is made of full sets
