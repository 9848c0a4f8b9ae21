"""Endgame tables in memory: compressed blocks in mapped files, with a cache of recently used blocks.

The values of a table are compressed in blocks. The blocks stay in their files, which the system maps into
memory. A requested block is checked against its checksum and decompressed into a line of the cache, in place
of the line that was filled longest ago. Threads share the cache: a reader checks the owner of the line after
reading a value, and a thread that decompresses holds the lock. A damaged block gives no value, and is
remembered.

Everything is reached from one address, that of the root, so that a search carries one number; 0: no tables.

    root[ROOT]             the items below: addresses, and a few numbers
    codes, slices[mask+1]  a hash table: signatures of slices (-1: empty), and their places
    firsts, widths, numbers[s]           for each slice: its first block, bytes of a value, how many values
    addresses, lengths, sizes, sums[b]   for each block: its address, bytes compressed and not, its checksum
    lines[b]               the line that holds the block, plus 1
    owners[count]          the block that a line holds; -1 if none
    data[count][LINE]      the lines
    keys[listed]           for a game whose positions are listed: their sorted keys
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

LINE = 1 << 14  # bytes of a block, decompressed
NONE = -(1 << 15)  # no table holds the position
(
    MASK, CODES, SLICES, FIRSTS, WIDTHS, NUMBERS, ADDRESSES, LENGTHS, SIZES, SUMS, LINES, OWNERS, DATA, COUNT,
    NEXT, LOCK, DAMAGED, TOOLS, KEYS, LISTED, ROOT,
) = range(21)  # fmt: skip
EMPTY = -1
SPREAD, SPREAD_BITS = 0x9E3779B1, 12  # a code times the golden ratio, and its lowest bits, which hardly mix


@native
def probe(game, address, state):
    """The value of a non-terminal state in the tables: d + 1 if the player to move wins in d plies, -(d + 1)
    for a loss, 0 for a draw; NONE if no table has it."""
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
    """The number of a key; -1 if it is not listed."""
    keys, first, last = keys_at(root[KEYS]), int64(0), root[LISTED]
    while first < last:
        middle = (first + last) >> 1
        if keys[middle] < key:
            first = middle + 1
        else:
            last = middle
    return first if first < root[LISTED] and keys[first] == key else int64(-1)


def slice_of(root, code):
    """The place of a slice; -1 if there is no table for it."""
    codes, slot = words_at(root[CODES]), (code * SPREAD >> SPREAD_BITS) & root[MASK]
    while codes[slot] != code:
        if codes[slot] == EMPTY:
            return int64(-1)
        slot = (slot + 1) & root[MASK]
    return words_at(root[SLICES])[slot]


def value_at(root, place, number):
    """The value of a number in a slice; NONE if the slice has no such number, or if its block is damaged."""
    if number < 0 or number >= words_at(root[NUMBERS])[place]:
        return int64(NONE)
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
    """Decompress a block into the line that was filled longest ago."""
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
    """A table as in its file."""

    name: str  # for error messages
    code: int
    width: int  # bytes of a value
    address: int  # address of the first block
    lengths: Any  # of the compressed blocks; and their checksums
    sums: Any
    size: int  # bytes of all blocks, decompressed
    owner: Any  # keeps the memory alive
    is_to_end: bool = True  # distances are counted to the end of the game, not to a conversion
    keys: Any = None  # for a listed game


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
            NUMBERS: np.array([table.size // table.width for table in self.tables], np.int64),
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
        self.arrays = arrays  # kept alive as long as the root

    @property
    def address(self) -> int:
        return int(self.root.ctypes.data)

    @property
    def counts_ends(self) -> bool:
        """Are all distances plies to the end of the game?"""
        return all(table.is_to_end for table in self.tables)

    def converts(self, code: int) -> bool:
        """Are the distances of that slice counted to the next conversion?"""
        return any(table.code == code and not table.is_to_end for table in self.tables)

    @property
    def damaged(self) -> str:
        """The table with a damaged block; "" if there is none."""
        if not self.root[DAMAGED]:
            return ""
        place = int(np.searchsorted(self.arrays[FIRSTS], self.root[DAMAGED] - 1, side="right")) - 1
        return self.tables[place].name


def _block_facts(table: Packed) -> tuple[Any, Any]:
    """The address of each block, and its size decompressed."""
    lengths = np.asarray(table.lengths, np.int64)
    addresses = table.address + np.concatenate([[0], np.cumsum(lengths)[:-1]]).astype(np.int64)
    sizes = np.full(len(lengths), LINE, np.int64)
    sizes[-1] = table.size - LINE * (len(lengths) - 1)
    return addresses, sizes


Source = Callable[[Any], Endings | None]
Lister = Callable[[Any, Any, int, str, Callable[[], bool]], Endings | None]
_registered: list[tuple[Source, Lister]] = []


def register_tables(source: Source, lister: Lister) -> None:
    """Two functions of a room that knows tables. The first returns those of a game. The second makes the
    table of a whole small game, from the game, the first state, the most positions, the gear, and a function
    that says whether to stop. Both return None where there is none."""
    _registered.append((source, lister))


def endings_of(game: Any) -> Endings | None:
    """The tables of a game, if there are any."""
    return next((found for source, _ in _registered if (found := source(game)) is not None), None)


def list_endings(game: Any, state: Any, most: int, gear: str, is_ended: Callable[[], bool]) -> Endings | None:
    """The table of a whole small game, made now, if it can be."""
    made = (lister(game, state, most, gear, is_ended) for _, lister in _registered)
    return next((each for each in made if each is not None), None)
