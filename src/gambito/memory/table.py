"""The transposition table: what a search knows about positions, in bounded memory.

A bucket has two entries. An entry is two words, `key ^ data` and `data`, so that several threads may share a
table without locks: an entry torn between two writers does not match its key and counts as missing.

    words:  SHIFT LEAST HOT AGE SHARED           which change seldom, in the first cache line
            TABLES_AT                            the address of endgame tables
            USED                                 written often, so it has a cache line for itself
            busy[BUSY]                           keys of positions that some thread is searching
            hot[buckets][2][key ^ data, data]    positions near the horizon, which come back soon or never
            cold[buckets][2][key ^ data, data]   all others
    data:   value 29 bits | action 16 | depth 10 | rests on the horizon 1 | bound 2 | merit 6

A random access to large memory takes longer than everything else that a search does in a node. So the hot
part stays as small as a processor's cache. Both parts begin very small and double as the search fills the
cold one, up to the requested size.

The policy decides which entry of a full bucket is replaced:
    by depth        the first place keeps the deepest entry of the current search, the second the newest;
                    merit is the search in which an entry was made
    by use          the entry that was used least often is replaced; merit counts the hits, and is halved when
                    the entry is kept
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from gambito.native import Handle, int64, uint64
from gambito.native.bits import spread
from gambito.native.prefetch import prefetch

BYTES = 32  # a bucket: two entries of two words
LOWER, UPPER, EXACT = 1, 2, 3  # the value is a lower bound, an upper bound, exact
SHIFT, LEAST, HOT, AGE, SHARED, TABLES_AT, USED, BUSY = 0, 1, 2, 3, 4, 5, 8, 16  # places in `words`
BUSY_BITS = 10
HEAD = BUSY + (1 << BUSY_BITS)  # the buckets begin here
LINE = 8  # words of a cache line
HOT_BITS = 13  # the hot part has at most 2¹³ buckets, 256 KiB
BEGIN_BITS = 9  # both parts begin with 2⁹ buckets
COLD = HEAD + (4 << HOT_BITS)
POLICIES = ("depth", "use")
BY_USE = POLICIES.index("use")
DEEPEST = (1 << 10) - 1  # no search is deeper: every depth is stored as it is
MOST_ACTION = (1 << 16) - 2  # larger actions are not stored, nor are negative ones
MOST_MERIT = 63
LARGEST_VALUE = (1 << 28) - 1  # the largest value that an entry holds
BETWEEN_LOOKS = 4096  # buckets that are moved between two looks at whether the search was stopped


class TranspositionTable(Handle):
    """Entries by key; an entry is one word of data, and 0 means no entry."""

    arrays: ClassVar[dict[str, type]] = {"words": np.uint64}

    def bucket(self, key, is_hot):
        """The bucket of a position; the bits of a key need not be well mixed."""
        if is_hot:
            return HEAD + 4 * int64(spread(key) >> self.words[HOT])
        return COLD + 4 * int64(spread(key) >> self.words[SHIFT])

    def prefetch(self, key, is_hot):
        """Prefetch a position that will be probed soon."""
        prefetch(self.words, self.bucket(key, is_hot))

    def probe(self, key, is_hot, policy):
        """The entry of a position, or 0."""
        place = self.bucket(key, is_hot)
        data = self.words[place + 1]
        if self.words[place] ^ data != key:
            place += 2
            data = self.words[place + 1]
            if self.words[place] ^ data != key:
                return uint64(0)
        if policy == BY_USE and merit_of(data) < MOST_MERIT:
            self.words[place] = key ^ (data + uint64(1))
            self.words[place + 1] = data + uint64(1)
        return data

    def store(self, key, is_hot, depth, value, bound, action, rests, policy):
        """Store an entry, possibly in place of another. It `rests` on the horizon, or on the path to it, if
        the value might be another in a deeper search, or on another path."""
        place = self.bucket(key, is_hot)
        kept_action = action if 0 <= action <= MOST_ACTION else -1
        data = (
            (uint64(value + LARGEST_VALUE) << uint64(35))
            | (uint64(kept_action + 1) << uint64(19))
            | (uint64(min(max(depth, 0), DEEPEST)) << uint64(9))
            | (uint64(rests) << uint64(8))
            | (uint64(bound) << uint64(6))
        )
        kept = self.words[place + 1]
        is_same = self.words[place] ^ kept == key
        if policy == BY_USE:
            other = self.words[place + 3]
            is_second = self.words[place + 2] ^ other == key or other == uint64(0)
            if not is_same and (is_second or merit_of(other) < merit_of(kept)) and kept != uint64(0):
                self.spare(place, kept)
                place += 2
            elif not is_same and other != uint64(0):
                self.spare(place + 2, other)
        else:
            age = self.words[AGE] & uint64(MOST_MERIT)
            data |= age
            if not is_same and kept & uint64(MOST_MERIT) == age and depth_of(kept) > depth:
                place += 2
            elif not is_same and kept != uint64(0):  # the first entry becomes the newest of the others
                self.take(place + 2, is_hot)
                self.words[place + 2], self.words[place + 3] = self.words[place], kept
        self.take(place, is_hot)
        self.words[place] = key ^ data
        self.words[place + 1] = data

    def take(self, place, is_hot):
        """Count a place that is about to be written, if it was free."""
        if not is_hot and self.words[place + 1] == uint64(0):
            self.words[USED] += uint64(1)

    def spare(self, place, data):
        """Keep an entry for now; its merit is halved."""
        key = self.words[place] ^ data
        lessened = data - uint64(merit_of(data) - merit_of(data) // 2)
        self.words[place] = key ^ lessened
        self.words[place + 1] = lessened

    def busy_place(self, key):
        return BUSY + int64(spread(key) >> uint64(64 - BUSY_BITS))

    def is_busy(self, key):
        """Is another thread searching this position?"""
        return self.words[self.busy_place(key)] == key

    def begin(self, key):
        self.words[self.busy_place(key)] = key

    def end(self, key):
        self.words[self.busy_place(key)] = uint64(0)

    def grow_if_full(self, monitor):
        """Double the cold part when half of its entries are used. Only one thread at a time does this.

        A search that is stopped meanwhile does not wait: some entries are then no longer found.
        """
        buckets = int64(1) << (int64(64) - int64(self.words[SHIFT]))
        if int64(self.words[USED]) < buckets or self.words[SHIFT] <= self.words[LEAST]:
            return
        for bucket in range(buckets - 1, -1, -1):
            if bucket % BETWEEN_LOOKS == 0 and monitor.is_stopped():
                return
            place = COLD + 4 * bucket
            first, second = self.words[place + 1], self.words[place + 3]
            first_key, second_key = self.words[place] ^ first, self.words[place + 2] ^ second
            low = COLD + 8 * bucket
            for word in range(low, low + 8):
                self.words[word] = uint64(0)
            bit = self.words[SHIFT] - uint64(1)
            for number in range(2):
                data, key = (first, first_key) if number == 0 else (second, second_key)
                if data != uint64(0):
                    to = low + 4 * int64((spread(key) >> bit) & uint64(1))
                    if self.words[to + 1] != uint64(0):
                        to += 2
                    self.words[to] = key ^ data
                    self.words[to + 1] = data
        self.words[SHIFT] -= uint64(1)
        if self.words[HOT] > uint64(64 - HOT_BITS):  # hot entries are cheap to lose
            self.words[HOT] -= uint64(1)
            for place in range(HEAD, HEAD + (4 << (64 - int64(self.words[HOT])))):
                self.words[place] = uint64(0)


def value_of(data):
    return int64(data >> uint64(35)) - LARGEST_VALUE


def action_of(data):
    """The best action, or -1 if none is known."""
    return int64((data >> uint64(19)) & uint64(0xFFFF)) - 1


def depth_of(data):
    return int64((data >> uint64(9)) & uint64(DEEPEST))


def rests_of(data):
    """1 if the value depends on the horizon or the path, else 0."""
    return int64((data >> uint64(8)) & uint64(1))


def bound_of(data):
    return int64((data >> uint64(6)) & uint64(3))


def merit_of(data):
    return int64(data & uint64(MOST_MERIT))


def new_table(mebibytes: float) -> TranspositionTable:
    """An empty table of at most that size."""
    bits = ((int(mebibytes * (1 << 20)) // BYTES) - (1 << HOT_BITS)).bit_length() - 1
    size = COLD + (4 << bits)
    room = np.empty(size + LINE, np.uint64)
    offset = -(room.ctypes.data // 8) % LINE  # so that a bucket lies in one cache line
    table = TranspositionTable(words=room[offset : offset + size])
    table.words[LEAST] = 64 - bits
    clear(table)
    return table


def clear(table: TranspositionTable) -> None:
    """Remove all entries and go back to the initial size."""
    bits = min(BEGIN_BITS, 64 - int(table.words[LEAST]))
    table.words[SHIFT], table.words[HOT] = 64 - bits, 64 - BEGIN_BITS
    table.words[AGE : HEAD + (4 << BEGIN_BITS)] = 0
    table.words[COLD : COLD + (4 << bits)] = 0


def fullness(table: TranspositionTable) -> int:
    """How many thousandths of the places are taken."""
    places = 2 << (64 - int(table.words[LEAST]))
    return min(1000, 1000 * int(table.words[USED]) // places)
