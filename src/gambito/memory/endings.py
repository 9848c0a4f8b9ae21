"""Endgame tables in memory: packed blocks where they lie, those asked for last unpacked.

A table's values are packed in blocks; the blocks stay in their files, which the system maps into memory. A
block that is asked for is unpacked into a line of the cache, after its checksum was compared; the line that
was filled longest ago goes. Threads share the cache: who reads looks at the line's owner behind the value,
who unpacks holds the lock. A damaged block gives no value, and is remembered.

All of it is found from one address, the root's, so that a search carries one number; 0 is no tables at all.

    root[ROOT]             what follows: addresses, and a few numbers
    codes, slices[mask+1]  a hash table: signatures of slices (-1: empty), and their places
    firsts, widths[s]      of each slice: its first block, bytes of a value
    addresses, lengths, sizes, sums[b]   of each block: where it lies packed, its bytes, unpacked, checksum
    lines[b]               the line that holds the block, plus 1
    owners[count]          the block that a line holds; -1: none
    data[count][LINE]      the lines
    keys[listed]           of a game whose positions are listed: their keys in order
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gambito.memory.inflate import WORK, checksum, inflate
from gambito.native import int64, native, uint64
from gambito.native.atomic import claim, give_way, look, publish
from gambito.native.raw import bytes_at, keys_at, words_at

LINE = 1 << 14  # bytes of a block, unpacked
NONE = -(1 << 15)  # no table holds the position
(
    MASK, CODES, SLICES, FIRSTS, WIDTHS, ADDRESSES, LENGTHS, SIZES, SUMS, LINES, OWNERS, DATA, COUNT, NEXT,
    LOCK, DAMAGED, TOOLS, KEYS, LISTED, ROOT,
) = range(20)  # fmt: skip
EMPTY = -1
SPREAD, SPREAD_BITS = 0x9E3779B1, 12  # a code times the golden ratio, and its lowest bits, which hardly mix


@native
def probe(game, address, state):
    """What the tables say of a state that is not over: d + 1 for a win of the player to move in d plies,
    -(d + 1) for a loss, 0 for a draw; NONE."""
    root = words_at(address)
    if root[KEYS]:
        number = listed(root, uint64(game.key(state)))
        return value_at(root, int64(0), number) if number >= 0 else int64(NONE)
    code = game.signature(state)
    if code < 0:
        return int64(NONE)
    place = slice_of(root, code)
    return value_at(root, place, game.index(state)) if place >= 0 else int64(NONE)


def listed(root, key):
    """The number of a key; -1: it is not listed."""
    keys, first, last = keys_at(root[KEYS]), int64(0), root[LISTED]
    while first < last:
        middle = (first + last) >> 1
        if keys[middle] < key:
            first = middle + 1
        else:
            last = middle
    return first if first < root[LISTED] and keys[first] == key else int64(-1)


def slice_of(root, code):
    """The place of a slice; -1: there is no table of it."""
    codes, slot = words_at(root[CODES]), (code * SPREAD >> SPREAD_BITS) & root[MASK]
    while codes[slot] != code:
        if codes[slot] == EMPTY:
            return int64(-1)
        slot = (slot + 1) & root[MASK]
    return words_at(root[SLICES])[slot]


def value_at(root, place, number):
    """The value of a number of a slice; NONE where its block is damaged."""
    width = words_at(root[WIDTHS])[place]
    offset = number * width
    block, offset = words_at(root[FIRSTS])[place] + offset // LINE, offset % LINE
    lines, owners = words_at(root[LINES]), words_at(root[OWNERS])
    while True:
        line = look(lines, block) - 1
        if line >= 0:
            data = bytes_at(root[DATA] + line * LINE)
            value = int64(data[offset])
            if width == 2:
                value |= int64(data[offset + 1]) << 8
            if look(owners, line) == block:
                half = int64(1) << (8 * width - 1)
                return value if value < half else value - 2 * half
        if root[DAMAGED]:
            return int64(NONE)
        if claim(root, int64(LOCK), int64(1)):
            if lines[block] == 0:
                load(root, block)
            publish(root, int64(LOCK), int64(0))
        else:
            give_way()


def load(root, block):
    """Unpack a block into the line that was filled longest ago."""
    lines, owners = words_at(root[LINES]), words_at(root[OWNERS])
    line = root[NEXT]
    root[NEXT] = (line + 1) % root[COUNT]
    if owners[line] >= 0:
        lines[owners[line]] = 0
    publish(owners, line, int64(EMPTY))
    source, length = bytes_at(words_at(root[ADDRESSES])[block]), words_at(root[LENGTHS])[block]
    out, size = bytes_at(root[DATA] + line * LINE), words_at(root[SIZES])[block]
    is_good = checksum(source, length) == words_at(root[SUMS])[block]
    if is_good and inflate(source, length, out, size, words_at(root[TOOLS])):
        publish(owners, line, block)
        publish(lines, block, line + 1)
    else:
        root[DAMAGED] = block + 1


@dataclass
class Packed:
    """A table as its file holds it."""

    name: str  # for complaints
    code: int
    width: int  # bytes of a value
    address: int  # where the first block begins
    lengths: Any  # of the blocks, packed; and their checksums
    sums: Any
    size: int  # bytes of all, unpacked
    owner: Any  # keeps the memory
    is_to_end: bool = True  # distances lead to the end of the game, and not to a conversion
    keys: Any = None  # of a listed game


class Endings:
    """The tables of one game; `address` is what `probe` takes."""

    def __init__(self, tables: Sequence[Packed], mebibytes: int) -> None:
        self.tables = list(tables)
        counts = [len(table.lengths) for table in self.tables]
        blocks = sum(counts)
        lines = max(1, min(blocks, (mebibytes << 20) // LINE))
        slots = 1 << (2 * len(self.tables)).bit_length()
        parts: list[Any] = [_block_facts(table) for table in self.tables]
        arrays: dict[int, Any] = {
            CODES: np.full(slots, EMPTY, np.int64),
            SLICES: np.zeros(slots, np.int64),
            FIRSTS: np.cumsum([0, *counts], dtype=np.int64),
            WIDTHS: np.array([table.width for table in self.tables], np.int64),
            ADDRESSES: np.concatenate([part[0] for part in parts]),
            SIZES: np.concatenate([part[1] for part in parts]),
            LENGTHS: np.concatenate([table.lengths for table in self.tables]).astype(np.int64),
            SUMS: np.concatenate([table.sums for table in self.tables]).astype(np.int64),
            LINES: np.zeros(blocks, np.int64),
            OWNERS: np.full(lines, EMPTY, np.int64),
            DATA: np.zeros(lines * LINE, np.uint8),
            TOOLS: np.zeros(WORK, np.int64),
        }
        for place, table in enumerate(self.tables):
            slot = (table.code * SPREAD >> SPREAD_BITS) & (slots - 1)
            while arrays[CODES][slot] != EMPTY:
                slot = (slot + 1) & (slots - 1)
            arrays[CODES][slot], arrays[SLICES][slot] = table.code, place
        self.root = np.zeros(ROOT, np.int64)
        self.root[MASK], self.root[COUNT] = slots - 1, lines
        keys = self.tables[0].keys
        if keys is not None:
            arrays[KEYS] = keys
            self.root[LISTED] = len(keys)
        for name, array in arrays.items():
            self.root[name] = array.ctypes.data
        self.arrays = arrays  # kept as long as the root

    @property
    def address(self) -> int:
        return int(self.root.ctypes.data)

    @property
    def counts_ends(self) -> bool:
        """Are all distances plies to the end of the game?"""
        return all(table.is_to_end for table in self.tables)

    def converts(self, code: int) -> bool:
        """Do the distances of that slice lead to the next conversion?"""
        return any(table.code == code and not table.is_to_end for table in self.tables)

    @property
    def damaged(self) -> str:
        """The table whose block was found damaged; "": none was."""
        if not self.root[DAMAGED]:
            return ""
        place = int(np.searchsorted(self.arrays[FIRSTS], self.root[DAMAGED] - 1, side="right")) - 1
        return self.tables[place].name


def _block_facts(table: Packed) -> tuple[Any, Any]:
    """Where each block lies, and its bytes unpacked."""
    lengths = np.asarray(table.lengths, np.int64)
    addresses = table.address + np.concatenate([[0], np.cumsum(lengths)[:-1]]).astype(np.int64)
    sizes = np.full(len(lengths), LINE, np.int64)
    sizes[-1] = table.size - LINE * (len(lengths) - 1)
    return addresses, sizes


# Who knows where tables lie says so here: a function of a game that gives its tables, or None.
SOURCES: list[Callable[[Any], Endings | None]] = []


def endings_of(game: Any) -> Endings | None:
    """The tables of a game, where there are any."""
    for source in SOURCES:
        found = source(game)
        if found is not None:
            return found
    return None
