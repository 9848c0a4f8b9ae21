"""Bits and hashing in both gears: what a bitboard game needs, and a small random generator.

Bitboards are `uint64`. In the Python gear they are NumPy scalars, which wrap around as the machine does, so
both gears compute the same bits.
"""

from __future__ import annotations

import hashlib
import struct
from enum import Enum
from typing import Any

import numpy as np

_ALL = (1 << 64) - 1


def popcount(bits: Any) -> int:
    """The number of bits that are set."""
    return (int(bits) & _ALL).bit_count()


def first_bit(bits: Any) -> int:
    """The place of the lowest set bit; 64 if there is none."""
    word = int(bits) & _ALL
    return (word & -word).bit_length() - 1 if word else 64


def last_bit(bits: Any) -> int:
    """The place of the highest set bit; -1 if there is none."""
    return (int(bits) & _ALL).bit_length() - 1


def nth_bit(bits: Any, number: int) -> int:
    """The place of a set bit, counted from 0 at the lowest; there must be more than `number` set bits."""
    word = int(bits) & _ALL
    for _ in range(number):
        word &= word - 1
    return first_bit(word)


# ---- hashing -----------------------------------------------------------------------------------------

SEED, STIR, SPREAD = 0x243F6A8885A308D3, 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9


def _stir(seed: int, word: int) -> int:
    """One step of the mix: takes the words in order and spreads each over all bits."""
    seed = ((seed ^ (word & _ALL)) * STIR) & _ALL
    seed ^= seed >> 29
    seed = (seed * SPREAD) & _ALL
    return seed ^ (seed >> 32)


def mix(value: Any) -> Any:
    """A 64-bit hash of a number, an array, or a tuple of them; the same in both gears and all processes.

    The Python gear also takes lists, dicts, sets, text, and objects, which are hashed by what they hold.
    """
    return np.uint64(_mix(value, SEED))


def spread(bits: Any) -> Any:
    """The bits times 2⁶⁴ over the golden ratio: neighbours end up far apart in the highest bits."""
    return np.uint64((int(bits) * STIR) & _ALL)


def _mix(value: Any, seed: int) -> int:
    if isinstance(value, tuple | list):
        for part in value:
            if isinstance(part, tuple | list | np.ndarray):  # where one part ends and the next begins
                seed = _stir(seed, part.size if isinstance(part, np.ndarray) else len(part))
            seed = _mix(part, seed)
        return seed
    if isinstance(value, np.ndarray):
        for part in value.flat:
            seed = _mix(part, seed)
        return seed
    if isinstance(value, float | np.floating):
        return _stir(seed, struct.unpack("<Q", struct.pack("<d", float(value)))[0])
    if isinstance(value, int | np.integer | np.bool_):
        return _stir(seed, int(value))
    return _stir(seed, _word(value))


def _word(value: Any) -> int:
    """A hash of values that only the Python gear knows. An object's address does not affect it."""
    if value is None:
        return 0
    if isinstance(value, str | bytes):
        text = value.encode() if isinstance(value, str) else value
        return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "little")
    if isinstance(value, dict):
        return sum(_mix(item, SEED) for item in value.items())
    if isinstance(value, set | frozenset):
        return sum(_mix(item, SEED) for item in value)
    if isinstance(value, Enum):
        return _mix(value.value, SEED)
    own_hash: Any = type(value).__hash__
    if own_hash not in (None, object.__hash__):
        return hash(value)
    if hasattr(value, "__dict__"):
        return _mix(vars(value), SEED)
    raise TypeError(f"a {type(value).__name__} has no 64-bit hash; give the game a rule 'key'")
