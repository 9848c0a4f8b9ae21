"""A table of fractions: for a position, what its value is at least and at most, and its best action.

Bounded memory, one place for each key, the newer entry replaces the older one. Keys are compared whole.

    words:   [place][key, facts]
    bounds:  [place][low, high]
    facts:   action + 1 in 32 bits | depth 16 | rests on the horizon 1
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from gambito.native import Handle, int64, mix, uint64

BYTES = 32  # an entry
NOTHING = 0  # facts of a position that is not there
MOST_ACTION = (1 << 32) - 2  # a larger one is not kept


class FractionTable(Handle):
    """Bounds that are fractions."""

    arrays: ClassVar[dict[str, type]] = {"size": np.int64, "words": np.uint64, "bounds": np.float64}

    def seal(self, key):
        """What a position is kept under; never 0, which is an empty place."""
        return mix(key) | uint64(1)

    def place(self, sealed):
        return 2 * (int64(sealed >> uint64(1)) & (self.size[0] - 1))

    def probe(self, sealed):
        """The facts of a position, or NOTHING."""
        place = self.place(sealed)
        return int64(self.words[place + 1]) if self.words[place] == sealed else int64(NOTHING)

    def low(self, sealed):
        return self.bounds[self.place(sealed)]

    def high(self, sealed):
        return self.bounds[self.place(sealed) + 1]

    def keep(self, sealed, depth, rests, action, low, high):
        place = self.place(sealed)
        kept_action = action if action <= MOST_ACTION else -1
        self.words[place] = sealed
        self.words[place + 1] = uint64(((kept_action + 1) << 17) | (depth << 1) | rests)
        self.bounds[place] = low
        self.bounds[place + 1] = high


def action_of(facts):
    """The best action, or -1 where none is known."""
    return (facts >> 17) - 1


def rests_on_horizon(facts):
    return facts & 1 == 1


def serves(facts, depth):
    """Do the bounds hold for a search to this depth? A whole subtree is the same for every deeper search."""
    kept = (facts >> 1) & 0xFFFF
    return facts != NOTHING and (kept == depth or (facts & 1 == 0 and kept < depth))


def new_fraction_table(mebibytes: float) -> FractionTable:
    """An empty table of at most that size."""
    entries = 1 << (int(mebibytes * (1 << 20)) // BYTES).bit_length() - 1
    words, bounds = np.zeros(2 * entries, np.uint64), np.zeros(2 * entries)
    return FractionTable(size=np.array([entries]), words=words, bounds=bounds)
