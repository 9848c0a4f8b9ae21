"""A table of bounds: for each position, a lower and an upper bound of its value.

Bounded memory with one place for each key; a newer entry replaces the older one. All bits of a key are
compared but the highest, which says whether the bounds depend on the horizon.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from gambito.native import Handle, int64, mix, uint64

BYTES = 24  # an entry: key, low, high


class BoundTable(Handle):
    """Bounds that are integers."""

    arrays: ClassVar[dict[str, type]] = {
        "size": np.int64,
        "keys": np.uint64,
        "lows": np.int64,
        "highs": np.int64,
    }

    def slot_key(self, key, depth):
        """The key for a position searched to a depth; never 0, which marks an empty place."""
        return mix((key, depth)) | uint64(1)

    def place(self, slot_key):
        return int64(slot_key >> uint64(1)) & (self.size[0] - 1)

    def has(self, slot_key):
        return (self.keys[self.place(slot_key)] ^ slot_key) << uint64(1) == uint64(0)

    def rests_on_horizon(self, slot_key):
        return self.keys[self.place(slot_key)] >> uint64(63) == uint64(1)

    def low(self, slot_key):
        return self.lows[self.place(slot_key)]

    def high(self, slot_key):
        return self.highs[self.place(slot_key)]

    def keep(self, slot_key, low, high, rests):
        place = self.place(slot_key)
        self.keys[place] = (slot_key & uint64((1 << 63) - 1)) | (uint64(rests) << uint64(63))
        self.lows[place] = low
        self.highs[place] = high


class FloatBoundTable(BoundTable):
    """Bounds that are floats."""

    arrays: ClassVar[dict[str, type]] = {
        "size": np.int64,
        "keys": np.uint64,
        "lows": np.float64,
        "highs": np.float64,
    }


def new_bound_table(value: type, mebibytes: int) -> BoundTable:
    """An empty table of at most that size."""
    kind = FloatBoundTable if value is float else BoundTable
    entries = 1 << ((mebibytes << 20) // BYTES).bit_length() - 1
    arrays: dict[str, Any] = {n: np.zeros(entries, d) for n, d in kind.arrays.items() if n != "size"}
    return kind(size=np.array([entries]), **arrays)
