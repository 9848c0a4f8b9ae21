"""Sealed files: one line of JSON, then compressed arrays of numbers, and a checksum of both.

    {"gambito": kind of the file, …, "arrays": {name: [type, length], …}, "sum": checksum}

Equal facts and arrays give the same bytes. What the facts mean, and which of them must be there, is the
business of whoever reads them; so are the sentences that refuse a file.
"""

from __future__ import annotations

import hashlib
import json
import sys
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from gambito.native.files import put_file

LINE = 1 << 20  # bytes of the longest first line


@dataclass(frozen=True)
class Checksummed:
    """A file as it was read: its facts, its arrays still packed, and whether its checksum is right."""

    facts: dict[str, Any]
    kinds: dict[str, tuple[Any, int]]  # the type and the length of each array
    packed: bytes
    is_whole: bool

    @property
    def size(self) -> int:
        """The bytes of all arrays."""
        return sum(kind.itemsize * count for kind, count in self.kinds.values())

    def arrays(self) -> dict[str, Any] | None:
        """The arrays, or None if they do not have the size that the facts give."""
        unpacking = zlib.decompressobj()
        try:
            body = unpacking.decompress(self.packed, self.size + 1) if self.size < sys.maxsize else b""
        except zlib.error:
            body = b""
        if len(body) != self.size or not (unpacking.eof or not self.size):
            return None
        arrays, place = {}, 0
        for name, (kind, count) in self.kinds.items():
            arrays[name] = np.frombuffer(body, kind, count, place).astype(kind.newbyteorder("="))
            place += kind.itemsize * count
        return arrays


def write_checksummed(path: str | Path, facts: dict[str, Any], arrays: dict[str, Any], level: int) -> None:
    """Write facts and arrays of one dimension, compressed at a level of zlib."""
    held = {name: np.ascontiguousarray(array) for name, array in arrays.items()}
    kinds = {name: array.dtype.newbyteorder("<") for name, array in held.items()}
    packed = zlib.compress(b"".join(held[name].astype(kind).tobytes() for name, kind in kinds.items()), level)
    header = {**facts, "arrays": {name: [kind.str, len(held[name])] for name, kind in kinds.items()}}
    header["sum"] = _checksum(header, packed)
    put_file(Path(path), [json.dumps(header, ensure_ascii=False).encode() + b"\n", packed])


def read_checksummed(path: str | Path, kind: str) -> Checksummed | None:
    """Read a file, or return None if it is of another kind; OSError or ValueError if it cannot be read."""
    data = Path(path).read_bytes()
    line, _, packed = data.partition(b"\n")
    try:
        header = json.loads(line[:LINE])
        if header["gambito"] != kind:
            return None
        known = header.pop("sum", "")
        is_whole = known == _checksum(header, packed)
        kinds = {str(name): _read_kind(*array) for name, array in header.pop("arrays").items()}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, SyntaxError):
        return None  # SyntaxError: NumPy reads some descriptions of kinds as Python
    return Checksummed(header, kinds, packed, is_whole)


def _read_kind(kind: str, count: int) -> tuple[Any, int]:
    """The type and the length of an array; ValueError unless it holds whole or real numbers."""
    found = np.dtype(kind)
    if found.kind not in "iuf" or type(count) is not int or count < 0:
        raise ValueError
    return found, count


def _checksum(facts: dict[str, Any], packed: bytes) -> str:
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode() + packed).hexdigest()[:32]
