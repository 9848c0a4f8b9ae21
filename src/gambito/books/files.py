"""The file format of a book. Every byte of a file is covered by a checksum.

    magic          the format and its version
    length 4       of the facts
    facts          JSON: game, digest of its keys, starts of its lines, counts
    directory      for each block: the first key 8, CRC-32 4
    CRC-32 4       of everything before it
    blocks         entries of 48 bytes, the same number in each but the last, sorted by key and action

Numbers are little-endian. The file is mapped into memory: finding a position reads one or two blocks, which
are checked for damage when they are first read. A file is put in place in one step.
"""

from __future__ import annotations

import json
import mmap
import struct
import zlib
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from gambito.books.entries import ENTRY, no_entries
from gambito.errors import BookError
from gambito.native.files import only_writer, put_file, read_facts
from gambito.words.sentence import reason_of

MAGIC = b"gambito opening book 1\n"
BLOCK = 256  # entries
PLACE = np.dtype([("key", "<u8"), ("sum", "<u4")])


FACTS = {"game": str, "keys": str, "starts": list, "games": int, "entries": int}


@dataclass
class Facts:
    """The description of a book."""

    game: str  # the game's label
    keys: str  # a digest of the keys of some positions
    starts: list[str]  # starts of its lines as text; "" is the first position of the game
    games: int = 0  # the number of games counted


@dataclass
class Pages:
    """A whole book in memory."""

    facts: Facts
    entries: Any = field(default_factory=no_entries)


def write_pages(path: str | Path, pages: Pages) -> None:
    """Write the file of a book; equal entries always give the same bytes."""
    entries = np.ascontiguousarray(pages.entries)
    text = json.dumps({**asdict(pages.facts), "entries": len(entries)}, sort_keys=True).encode()
    blocks = [entries[at : at + BLOCK].tobytes() for at in range(0, len(entries), BLOCK)]
    sums = [(entries["key"][n * BLOCK], zlib.crc32(block)) for n, block in enumerate(blocks)]
    head = MAGIC + struct.pack("<I", len(text)) + text + np.array(sums, PLACE).tobytes()
    put_file(Path(path), [head, struct.pack("<I", zlib.crc32(head)), *blocks])


def changing(path: Path) -> AbstractContextManager[None]:
    """Be the only process that changes a book; BookError if another one does so now."""
    return only_writer(path, BookError("{} is being written by another process", path))


def is_own(path: str | Path) -> bool:
    """Does a file begin like a book of this format?"""
    try:
        with open(path, "rb") as file:
            return file.read(len(MAGIC)) == MAGIC
    except (OSError, ValueError) as problem:  # ValueError: no file can have such a name
        raise BookError("{} cannot be read: {}", path, reason_of(problem)) from None


class BookFile:
    """The file of a book, mapped into memory."""

    def __init__(self, path: str | Path) -> None:
        self.path = path
        try:
            with open(path, "rb") as file:
                self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except (OSError, ValueError) as problem:
            raise BookError("{} cannot be read: {}", path, reason_of(problem)) from None
        if self._map[: len(MAGIC)] != MAGIC:
            raise BookError("{} is no book of this version; `gambito book build` makes one", path)
        try:
            self._read_head()
        except (struct.error, ValueError, OverflowError):
            raise BookError("{} is damaged: its head is not what was written", path) from None

    def _read_head(self) -> None:
        data, place = memoryview(self._map), len(MAGIC)
        (length,) = struct.unpack_from("<I", data, place)
        place += 4
        facts = read_facts(data[place : place + length], FACTS)
        self.count = facts.pop("entries")
        self.facts = Facts(**facts)
        if min(self.count, self.facts.games) < 0 or not all(isinstance(s, str) for s in self.facts.starts):
            raise ValueError
        place += length
        blocks = -(-self.count // BLOCK)
        self._places = np.frombuffer(data, PLACE, blocks, place)
        place += self._places.nbytes
        (known,) = struct.unpack_from("<I", data, place)
        if known != zlib.crc32(data[:place]) or place + 4 + self.count * ENTRY.itemsize != len(data):
            raise ValueError
        self._start = place + 4
        self._firsts = self._places["key"].copy()
        self._is_whole = bytearray(blocks)

    def entries(self, first: int = 0, last: int | None = None) -> Any:
        """The entries of some blocks, or of all blocks, without copying."""
        last = len(self._places) if last is None else last
        for number in range(first, last):
            if not self._is_whole[number]:
                self._look(number)
        begin, end = first * BLOCK, min(last * BLOCK, self.count)
        if end <= begin:
            return no_entries()
        return np.frombuffer(self._map, ENTRY, end - begin, self._start + begin * ENTRY.itemsize)

    def _look(self, number: int) -> None:
        """Check a block against its checksum. Several threads may do so at once, with the same result."""
        begin = self._start + number * BLOCK * ENTRY.itemsize
        block = memoryview(self._map)[begin : begin + BLOCK * ENTRY.itemsize]
        if zlib.crc32(block) != self._places["sum"][number]:
            raise BookError("{} is damaged: block {} is not what was written", self.path, number)
        self._is_whole[number] = 1

    def find(self, key: int) -> Any:
        """The entries of a position."""
        word = np.uint64(key)
        first = max(int(np.searchsorted(self._firsts, word, "left")) - 1, 0)
        last = int(np.searchsorted(self._firsts, word, "right"))
        some = self.entries(first, last)
        begin, end = np.searchsorted(some["key"], word, "left"), np.searchsorted(some["key"], word, "right")
        return some[begin:end]
