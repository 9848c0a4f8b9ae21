"""Actions in blocks, for games that write all their actions at once (`collect`).

A generator that kept the whole list would keep an array. It asks for one block after the other instead, and
most searches leave it within the first.
"""

from __future__ import annotations

from typing import Any

from gambito.native import int64
from gambito.native.scratch import BLOCK, block, scratch

MAX_ACTIONS = 1024  # more actions than any state of these games has
BUFFER_SIZE = MAX_ACTIONS + BLOCK  # and a block after them


class InBlocks:
    """`actions` by `collect`, for a class that derives from `Game` too."""

    collect: Any

    def actions(self, state):
        begin, end = int64(0), int64(1)
        while begin < end:
            end, some = self.listed(state, begin)
            place = begin
            while place < min(end, begin + BLOCK):
                yield some[place - begin]
                place += 1
            begin += BLOCK

    def listed(self, state, begin):
        """The number of actions, and a block of them."""
        buffer = scratch(BUFFER_SIZE)
        end = self.collect(state, buffer, int64(0))
        return end, block(buffer, begin)
