"""The transposition table: what a search knows of a position, in bounded memory.

Two places a bucket: the first keeps the deeper entry of the present search, the second the newer one. An
entry is two words, `key ^ data` and `data`, so several threads may share a table without locks: an entry
torn between two writers does not match its key and counts as missing.

    data:  value 32 bits | action 16 | depth 8 | bound 2 | age 6
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from gambito.native import Handle, int64, mix, uint64
from gambito.native.scratch import prefetch

BYTES = 32  # a bucket: two entries of two words
LOWER, UPPER, EXACT = 1, 2, 3  # the value is at least, at most, just so
BUCKETS, AGE = 0, 1  # places in `head`
DEEPEST = 255
MOST_ACTION = (1 << 16) - 2  # a larger one is not kept
LARGEST = (1 << 31) - 1


class Table(Handle):
    """Entries by key; an entry is one word of data, and 0 is no entry."""

    arrays: ClassVar[dict[str, type]] = {"head": np.int64, "words": np.uint64}

    def bucket(self, key):
        """Where a position belongs; the low bits of a key need not be well mixed."""
        return int64(mix(key) & uint64(self.head[BUCKETS] - 1)) * 4

    def probe(self, key):
        """The entry of a position, or 0."""
        place = self.bucket(key)
        data = self.words[place + 1]
        if self.words[place] ^ data == key and data != uint64(0):
            return data
        data = self.words[place + 3]
        if self.words[place + 2] ^ data == key and data != uint64(0):
            return data
        return uint64(0)

    def expect(self, key):
        """This position will be looked for soon."""
        prefetch(self.words, self.bucket(key))

    def store(self, key, depth, value, bound, action):
        """Keep an entry: in the first place if that is empty, this position's, older or not deeper."""
        place = self.bucket(key)
        age = self.head[AGE] & 63
        kept_action = action if action <= MOST_ACTION else -1
        data = (
            (uint64(value + LARGEST) << uint64(32))
            | (uint64(kept_action + 1) << uint64(16))
            | (uint64(min(max(depth, 0), DEEPEST)) << uint64(8))
            | (uint64(bound) << uint64(6))
            | uint64(age)
        )
        kept = self.words[place + 1]
        is_same = self.words[place] ^ kept == key
        if not is_same and int64(kept & uint64(63)) == age and depth_of(kept) > depth:
            place += 2
        self.words[place] = key ^ data
        self.words[place + 1] = data


def value_of(data):
    return int64(data >> uint64(32)) - LARGEST


def action_of(data):
    """The best action, or -1 where none is known."""
    return int64((data >> uint64(16)) & uint64(0xFFFF)) - 1


def depth_of(data):
    return int64((data >> uint64(8)) & uint64(0xFF))


def bound_of(data):
    return int64((data >> uint64(6)) & uint64(3))


def new_table(mebibytes: float) -> Table:
    """An empty table of at most that size."""
    buckets = 1 << (int(mebibytes * (1 << 20)) // BYTES).bit_length() - 1
    return Table(head=np.array([buckets, 0]), words=np.zeros(4 * buckets, np.uint64))
