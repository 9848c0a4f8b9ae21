"""The table of partition search: a result for every state that is equal in what mattered.

Entries with the same shape stand side by side, because all of them are looked through. An entry matches a
state if their details are equal in the bits that mattered. One that was used goes towards the front.

    slots:  a shape, and where its entries are: begin 32 bits | count 16 | 2ⁿ places for them, n 16. A table
            of 2ⁿ slots begins at slot 2ⁿ, so that it can double
    words:  details and the bits that mattered, two words each; then low 16 bits | high 16 | action 16.
            Entry 0 is not used

It does not know what the details are.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from gambito.native import Handle, int64, uint64
from gambito.native.bits import spread

WORDS = 5  # of an entry
USED, SHAPES, BITS, MOST_BITS, ROOM, AGE = range(6)  # the head; AGE counts how often the table was full
FIRST_BITS, FIRST_SIZE = 7, 1  # slots, and the places for entries of a new shape, as powers of 2
LARGEST_SIZE = 15  # of the places for entries of a shape
MIDDLE = 1 << 15  # values are stored as 16 bits, 0 in their middle
PART = (1 << 16) - 1
COUNT, SIZE = 32, 48  # where they begin in the second word of a slot
BYTES = 8 * WORDS + 32  # of an entry, with its slots


class PartitionTable(Handle):
    """Entries by shape."""

    arrays: ClassVar[dict[str, type]] = {"head": np.int64, "slots": np.uint64, "words": np.uint64}

    def slot(self, shape):
        """The place of a shape, or an empty place for it."""
        bits = self.head[BITS]
        number, mask = int64(spread(shape) >> uint64(64 - bits)), (int64(1) << bits) - 1
        place = 2 * (mask + 1 + number)
        while self.slots[place + 1] and self.slots[place] != shape:
            number = (number + 1) & mask
            place = 2 * (mask + 1 + number)
        return place

    def begin(self):
        """Remove all entries and go back to the initial size."""
        self.head[AGE] += 1
        self.head[USED], self.head[SHAPES], self.head[BITS] = 1, 0, FIRST_BITS
        for place in range(2 << FIRST_BITS, 4 << FIRST_BITS):
            self.slots[place] = uint64(0)

    def double(self):
        """Move all shapes to twice as many slots."""
        begin = int64(1) << self.head[BITS]
        self.head[BITS] += 1
        for place in range(4 * begin, 8 * begin):
            self.slots[place] = uint64(0)
        for old in range(2 * begin, 4 * begin, 2):
            if self.slots[old + 1]:
                place = self.slot(self.slots[old])
                self.slots[place], self.slots[place + 1] = self.slots[old], self.slots[old + 1]

    def find(self, slot, first, second, need):
        """The first entry with these details that decides whether the value is at least `need`; 0: none.

        Also the last matching entry that does not decide it, or 0.
        """
        told = self.slots[slot + 1]
        begin, near = int64(told & uint64(0xFFFFFFFF)), int64(0)
        for entry in range(begin, begin + int64(told >> uint64(COUNT) & uint64(PART))):
            place = WORDS * entry
            differs = (self.words[place] ^ first) & self.words[place + 2]
            if not differs | (self.words[place + 1] ^ second) & self.words[place + 3]:
                if self.low(entry) >= need or self.high(entry) < need:
                    front = begin + (entry - begin) // 2
                    self.swap(entry, front)
                    return front, near
                near = int64(entry)
        return int64(0), near

    def usual(self, slot):
        """The action of the entry that is used most, or -1."""
        told = self.slots[slot + 1]
        return self.action(int64(told & uint64(0xFFFFFFFF))) if told else int64(-1)

    def swap(self, one, other):
        for word in range(WORDS):
            kept = self.words[WORDS * one + word]
            self.words[WORDS * one + word] = self.words[WORDS * other + word]
            self.words[WORDS * other + word] = kept

    def low(self, entry):
        """The value is at least this."""
        return int64(self.words[WORDS * entry + 4] & uint64(PART)) - MIDDLE

    def high(self, entry):
        """The value is at most this."""
        return int64(self.words[WORDS * entry + 4] >> uint64(16) & uint64(PART)) - MIDDLE

    def action(self, entry):
        """The action that was enough, or -1."""
        return int64(self.words[WORDS * entry + 4] >> uint64(32) & uint64(PART)) - 1

    def mask(self, entry):
        """The bits of the details that mattered."""
        return self.words[WORDS * entry + 2], self.words[WORDS * entry + 3]

    def keep(self, shape, near, age, details, mask, low, high, action):
        """Store a result; `near` is an entry that matched when the table had that age, or 0.

        A full table begins again: what is asked next is near to what was asked last.
        """
        if near and age == self.head[AGE] and self.mask(near) == mask:
            self.fill(near, max(low, self.low(near)), min(high, self.high(near)), action)
            return
        if 2 * self.head[SHAPES] > int64(1) << self.head[BITS] and self.head[BITS] < self.head[MOST_BITS]:
            self.double()
        place = WORDS * self.place_for(shape)
        self.words[place], self.words[place + 1] = details[0] & mask[0], details[1] & mask[1]
        self.words[place + 2], self.words[place + 3] = mask
        self.fill(place // WORDS, low, high, action)

    def place_for(self, shape):
        """A place for one more entry of a shape; those of a full shape move to twice as many places."""
        slot = self.slot(shape)
        told = self.slots[slot + 1]
        begin, count = int64(told & uint64(0xFFFFFFFF)), int64(told >> uint64(COUNT) & uint64(PART))
        size = int64(told >> uint64(SIZE))
        if count == int64(1) << size and size == LARGEST_SIZE:
            return begin + count - 1
        if count == 0 or count == int64(1) << size:
            size = size + 1 if count else int64(FIRST_SIZE)
            more = int64(self.head[USED])
            if more + (int64(1) << size) > self.head[ROOM]:
                self.begin()
                slot, count, size, more = self.slot(shape), int64(0), int64(FIRST_SIZE), int64(1)
            for word in range(WORDS * count):
                self.words[WORDS * more + word] = self.words[WORDS * begin + word]
            if count == 0:
                self.head[SHAPES] += 1
                self.slots[slot] = shape
            self.head[USED], begin = more + (int64(1) << size), more
        self.slots[slot + 1] = (
            uint64(begin) | uint64(count + 1) << uint64(COUNT) | uint64(size) << uint64(SIZE)
        )
        return begin + count

    def fill(self, entry, low, high, action):
        told = uint64(low + MIDDLE) | uint64(high + MIDDLE) << uint64(16)
        self.words[WORDS * entry + 4] = told | uint64(action + 1) << uint64(32)


def new_partition_table(mebibytes: float) -> PartitionTable:
    """An empty table of at most that size."""
    room = max(1 << FIRST_BITS, int(mebibytes * (1 << 20)) // BYTES)
    most_bits = room.bit_length()  # more slots than entries
    table = PartitionTable(
        head=np.zeros(6, np.int64),
        slots=np.zeros(4 << most_bits, np.uint64),
        words=np.empty(WORDS * room, np.uint64),
    )
    table.head[MOST_BITS], table.head[ROOM] = most_bits, room
    table.begin()
    return table
