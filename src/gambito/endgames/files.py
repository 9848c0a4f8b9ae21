"""The file format of a table. Every byte of a file is covered by a checksum.

    magic          the format and its version
    length 4       of the facts
    facts          JSON: game, digest of its rules, slice, metric, counts, bytes of a value
    directory      for each block: bytes 4, CRC-32 4
    CRC-32 4       of everything before it
    blocks         compressed, 16 KiB each before compression; the values, then the keys of a listed game

Numbers are little-endian. A value is d + 1 for a win in d plies, -(d + 1) for a loss, 0 for a draw. A file is
put in place in one step.
"""

from __future__ import annotations

import json
import mmap
import re
import struct
import zlib
from pathlib import Path
from typing import Any

import numpy as np

from gambito.endgames.builder import METRICS, Slice, Stage
from gambito.errors import EndgameError, StaleTable
from gambito.memory.endgame_tables import LINE, Packed
from gambito.native.files import put_file, read_facts
from gambito.words.sentence import reason_of

KIND = b"gambito endgame table "
MAGIC = KIND + b"2\n"
PART = b"gambito endgame build 2\n"
FACTS = {
    "game": str,
    "rules": str,  # their digest
    "name": str,
    "code": int,
    "metric": str,
    "size": int,
    "real": int,
    "wins": int,
    "losses": int,
    "longest": int,
    "width": int,
    "listed": bool,
}
ENTRY = np.dtype([("length", "<u4"), ("sum", "<u4")])
LEVEL = 6  # of compression
NARROW = 126  # the most plies that fit in a byte


def _deflate(data: Any) -> bytes:
    packer = zlib.compressobj(LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS)
    return packer.compress(data) + packer.flush()


def write_table(path: Path, label: str, rules: str, table: Slice, threads: int = 1) -> None:
    """Write the file of a table, with the game's label and the digest of its rules."""
    put_file(path, table_bytes(label, rules, table, threads))


def table_bytes(label: str, rules: str, table: Slice, threads: int = 1) -> list[bytes]:
    """The bytes of the file of a table, in pieces. Equal values always give the same bytes."""
    width = 1 if table.longest <= NARROW else 2
    values = table.values.astype("i1" if width == 1 else "<i2")
    pieces = [memoryview(values).cast("B")]
    if table.keys is not None:
        pieces.append(memoryview(table.keys.astype("<u8")).cast("B"))
    cut = [piece[at : at + LINE] for piece in pieces for at in range(0, len(piece), LINE)]
    from concurrent.futures import ThreadPoolExecutor  # here, as it is slow to load

    with ThreadPoolExecutor(threads) as pool:
        blocks = list(pool.map(_deflate, cut))
    facts = {
        "game": label,
        "rules": rules,
        "name": table.name,
        "code": table.code,
        "metric": table.metric,
        "size": len(values),
        "real": table.real,
        "wins": table.wins,
        "losses": table.losses,
        "longest": table.longest,
        "width": width,
        "listed": table.keys is not None,
    }
    text = json.dumps(facts, sort_keys=True).encode()
    directory = np.array([(len(block), zlib.crc32(block)) for block in blocks], ENTRY)
    head = MAGIC + struct.pack("<I", len(text)) + text + directory.tobytes()
    return [head, struct.pack("<I", zlib.crc32(head)), *blocks]


def pack_table(table: Slice) -> Packed:
    """A table in the form that compiled code probes, without a file."""
    values = memoryview(table.values.astype("<i2")).cast("B")
    blocks = [_deflate(values[at : at + LINE]) for at in range(0, len(values), LINE)]
    data = np.frombuffer(b"".join(blocks), np.uint8)
    lengths, sums = np.array([len(block) for block in blocks]), np.array([zlib.crc32(b) for b in blocks])
    is_to_end = table.metric == METRICS[0]
    place, size = data.ctypes.data, len(values)
    return Packed(table.name, table.code, 2, place, lengths, sums, size, data, is_to_end, table.keys)


class TableFile:
    """The file of a table, mapped into memory. Its head is checked at once, blocks when they are read."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            with open(path, "rb") as file:
                self.map: Any = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except (OSError, ValueError) as problem:
            raise EndgameError("{} cannot be read: {}", path, reason_of(problem)) from None
        try:
            self._read_head()
        except StaleTable:
            raise
        except (struct.error, ValueError, OverflowError):
            raise EndgameError("{} is damaged, or no endgame table", path) from None

    def _read_head(self) -> None:
        bytes_ = memoryview(self.map)
        place = len(MAGIC)
        if bytes_[:place] != MAGIC:
            if re.fullmatch(KIND + rb"[0-9]\n", bytes_[:place]):
                raise StaleTable(
                    "{} is damaged, or of another version; `gambito endgame build` builds it again", self.path
                )
            raise ValueError
        (length,) = struct.unpack_from("<I", bytes_, place)
        place += 4
        facts = read_facts(bytes_[place : place + length], FACTS)
        place += length
        self.facts: dict[str, Any] = facts
        self.size, self.width = facts["size"], facts["width"]
        if self.size < 0 or self.width not in (1, 2) or facts["metric"] not in METRICS:
            raise ValueError
        self.value_blocks = -(-self.size * self.width // LINE)
        count = self.value_blocks + (-(-8 * self.size // LINE) if facts["listed"] else 0)
        self.directory = np.frombuffer(bytes_, ENTRY, count, place)
        place += count * ENTRY.itemsize
        (known,) = struct.unpack_from("<I", bytes_, place)
        self.start = place + 4
        self.ends = self.start + np.cumsum(self.directory["length"], dtype=np.int64)
        whole = int(self.ends[-1]) if count else self.start
        if known != zlib.crc32(bytes_[:place]) or whole != len(bytes_):
            raise ValueError

    def block(self, number: int) -> bytes:
        """The bytes of a block; a damaged block is an error."""
        end = int(self.ends[number])
        packed = self.map[end - int(self.directory["length"][number]) : end]
        if zlib.crc32(packed) != self.directory["sum"][number]:
            raise EndgameError("{} is damaged: block {} is not what was written", self.path, number)
        return zlib.decompress(packed, -zlib.MAX_WBITS)

    def check(self, game: str, rules: str, name: str, code: int, size: int | None) -> None:
        """Raise StaleTable unless this is the table of that slice, for the rules with that digest.

        A game that numbers its states gives the size of the slice, which bounds all numbers that are asked.
        """
        facts = self.facts
        if facts["game"] != game:
            raise StaleTable(
                "{} is of {}, not of {}; `gambito endgame build` builds it again",
                self.path,
                facts["game"],
                game,
            )
        if facts["rules"] != rules:
            raise StaleTable(
                "{} was built for other rules of {}; `gambito endgame build` builds it again", self.path, game
            )
        wanted = (name, code, self.size if size is None else size, size is None)
        if (facts["name"], facts["code"], self.size, facts["listed"]) != wanted:
            raise StaleTable(
                "{} is not the table of slice {} of {}; `gambito endgame build` builds it again",
                self.path,
                name,
                game,
            )

    def _bytes(self, first: int, last: int, size: int) -> bytes:
        data = b"".join(self.block(number) for number in range(first, last))
        if len(data) != size:
            raise EndgameError("{} is damaged, or no endgame table", self.path)
        return data

    def read(self) -> Slice:
        """The whole table."""
        data = self._bytes(0, self.value_blocks, self.size * self.width)
        values = np.frombuffer(data, "i1" if self.width == 1 else "<i2").astype(np.int16)
        given = {n: self.facts[n] for n in ("name", "code", "metric", "real", "wins", "losses", "longest")}
        return Slice(**given, values=values, keys=self.keys())

    def keys(self) -> Any:
        """The sorted keys of a listed game; None for other games."""
        if not self.facts["listed"]:
            return None
        data = self._bytes(self.value_blocks, len(self.directory), 8 * self.size)
        return np.frombuffer(data, "<u8").astype(np.uint64)

    def packed(self) -> Packed:
        """The table in the form that compiled code probes."""
        entries = self.directory[: self.value_blocks]
        view = np.frombuffer(self.map, np.uint8)
        return Packed(
            str(self.path),
            self.facts["code"],
            self.width,
            view.ctypes.data + self.start,
            entries["length"],
            entries["sum"],
            self.size * self.width,
            view,
            self.facts["metric"] == METRICS[0],
            self.keys(),
        )


# ---- checkpoints -------------------------------------------------------------------------------------


def write_stage(path: Path, mark: dict[str, Any], stage: Stage) -> None:
    """Save the state of a build; `mark` identifies the build."""
    numbers = [stage.level, stage.farthest, stage.decided, stage.real, stage.fresh]
    arrays = [stage.values, stage.counts, np.ascontiguousarray(stage.special)]
    text = json.dumps([mark, numbers, [len(array) for array in arrays]], sort_keys=True).encode()
    pieces: list[Any] = [
        struct.pack("<I", len(text)) + text,
        *(memoryview(array).cast("B") for array in arrays),
    ]
    total = 0
    for piece in pieces:
        total = zlib.crc32(piece, total)
    put_file(path, [PART, struct.pack("<I", total), *pieces])


def read_stage(path: Path, mark: dict[str, Any]) -> Stage | None:
    """The state of an interrupted build; None if there is none, or if it belongs to another build."""
    try:
        data = path.read_bytes()
        place = len(PART) + 4
        (total,) = struct.unpack_from("<I", data, len(PART))
        (length,) = struct.unpack_from("<I", data, place)
        if data[: len(PART)] != PART or zlib.crc32(memoryview(data)[place:]) != total:
            return None
        known, numbers, counts = json.loads(data[place + 4 : place + 4 + length])
        if known != mark:
            return None
        arrays, at = [], place + 4 + length
        for count, kind in zip(counts, (np.int16, np.uint8, np.int64), strict=True):
            arrays.append(np.frombuffer(data, kind, count, at).copy())
            at += arrays[-1].nbytes
        return Stage(*map(int, numbers), *arrays)
    except (OSError, struct.error, ValueError, TypeError, OverflowError, RecursionError):
        return None
