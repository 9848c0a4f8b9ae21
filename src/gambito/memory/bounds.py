"""A table of bounds: for each position, a lower and an upper bound of its value.

Memory is bounded, in buckets of `WAYS` entries; in a full bucket a newer entry replaces an older one. So
nothing is lost while there is much room, and MTD(f) counts what it would with unbounded memory. All bits of a
key are compared but the highest, which says whether the bounds depend on the horizon.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from gambito.native import Handle, int64, mix, uint64

BYTES = 24  # an entry: key, low, high
WAYS = 4
APART = 40  # the bits of a key from this one on choose the entry that is replaced


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
        """Where the bounds of a position are, or will be: an empty place, or that of another position."""
        bucket = (int64(slot_key >> uint64(1)) & (self.size[0] - 1)) * WAYS
        for place in range(bucket, bucket + WAYS):
            if self.keys[place] == uint64(0) or self.has(place, slot_key):
                return place
        return bucket + (int64(slot_key >> uint64(APART)) & (WAYS - 1))

    def has(self, place, slot_key):
        return (self.keys[place] ^ slot_key) << uint64(1) == uint64(0)

    def rests_on_horizon(self, place):
        return self.keys[place] >> uint64(63) == uint64(1)

    def low(self, place):
        return self.lows[place]

    def high(self, place):
        return self.highs[place]

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
    buckets = 1 << ((mebibytes << 20) // (BYTES * WAYS)).bit_length() - 1
    arrays: dict[str, Any] = {n: np.zeros(buckets * WAYS, d) for n, d in kind.arrays.items() if n != "size"}
    return kind(size=np.array([buckets]), **arrays)
