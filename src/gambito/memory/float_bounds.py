"""A table of float values: for each position, a lower and an upper bound of its value, and its best action.

Bounded memory with one place for each key; a newer entry replaces the older one. Whole keys are compared.

    facts:  action + 1 in 32 bits | depth 16 | depends on the horizon 1
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from gambito.native import Handle, int64, mix, uint64

BYTES = 32  # an entry: key, facts, low, high
NOTHING = 0  # facts of a position that is not stored
MOST_ACTION = (1 << 32) - 2  # larger actions are not stored, nor are negative ones


class FractionTable(Handle):
    """Bounds that are floats."""

    arrays: ClassVar[dict[str, type]] = {
        "size": np.int64,
        "keys": np.uint64,
        "facts": np.int64,
        "lows": np.float64,
        "highs": np.float64,
    }

    def slot_key(self, key):
        """The key for a position; never 0, which marks an empty place."""
        return mix(key) | uint64(1)

    def place(self, slot_key):
        return int64(slot_key >> uint64(1)) & (self.size[0] - 1)

    def probe(self, slot_key):
        """The facts of a position, or NOTHING."""
        place = self.place(slot_key)
        return self.facts[place] if self.keys[place] == slot_key else int64(NOTHING)

    def low(self, slot_key):
        return self.lows[self.place(slot_key)]

    def high(self, slot_key):
        return self.highs[self.place(slot_key)]

    def keep(self, slot_key, depth, rests, action, low, high):
        place = self.place(slot_key)
        kept_action = action if 0 <= action <= MOST_ACTION else -1
        self.keys[place] = slot_key
        self.facts[place] = int64(((kept_action + 1) << 17) | (depth << 1) | rests)
        self.lows[place] = low
        self.highs[place] = high


def action_of(facts):
    """The best action, or -1 if none is known."""
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
    arrays: dict[str, Any] = {n: np.zeros(entries, d) for n, d in FractionTable.arrays.items() if n != "size"}
    return FractionTable(size=np.array([entries]), **arrays)
