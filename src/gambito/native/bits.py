"""Bits and hashing in both gears: what a bitboard game needs, and a small random generator.

Bitboards are `uint64`. In the Python gear they are NumPy scalars, which wrap around as the machine does, so
both gears compute the same bits.
"""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import struct
from collections.abc import Iterable
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


def _mark(kind: str) -> int:
    """The number that stands before, or is mixed with, the words of everything of a kind."""
    return int.from_bytes(hashlib.blake2b(kind.encode(), digest_size=8).digest(), "little")


@functools.cache
def array_mark(dtype: Any) -> int:
    """The mark of an array of these numbers."""
    return _mark(f"array of {np.dtype(dtype).name}")


TUPLE, FLOAT = map(_mark, ("tuple", "float"))
_WIDE, _NOTHING, _TEXT, _BYTES, _LIST = map(_mark, ("wide", "None", "text", "bytes", "list"))
_DICT, _SET, _MEMBER, _ENUM = map(_mark, ("dict", "set", "member of a set", "enum"))
_CLASS, _OBJECT = map(_mark, ("class", "object"))


def _stir(seed: int, word: int) -> int:
    """One step of the mix: takes the words in order and spreads each over all bits."""
    seed = ((seed ^ (word & _ALL)) * STIR) & _ALL
    seed ^= seed >> 29
    seed = (seed * SPREAD) & _ALL
    return seed ^ (seed >> 32)


def mix(value: Any) -> Any:
    """A 64-bit hash of a number, an array, or a tuple of them; the same in both gears and all processes.

    The place and the kind of every part count. Numbers of up to 64 bits count as their bits, so True is 1;
    arrays count as their bytes. The Python gear also takes wider numbers, lists, dicts, sets, text, members
    of an Enum, and objects, which are hashed by their class and what they hold.
    """
    if isinstance(value, tuple) and len(value) != 1:
        return np.uint64(_mix_parts(value, SEED))
    return np.uint64(_mix(value, SEED))


def spread(bits: Any) -> Any:
    """The bits times 2⁶⁴ over the golden ratio: neighbours end up far apart in the highest bits."""
    return np.uint64((int(bits) * STIR) & _ALL)


def _mix(value: Any, seed: int) -> int:
    if isinstance(value, int | np.integer | np.bool_):
        return _mix_int(int(value), seed)
    if isinstance(value, tuple):  # its length says where it ends and the next part begins
        return _mix_parts(value, _stir(seed, TUPLE ^ len(value)))
    if isinstance(value, float | np.floating):
        return _stir(seed, FLOAT ^ struct.unpack("<Q", struct.pack("<d", float(value)))[0])
    if isinstance(value, np.ndarray):
        return _mix_array(value, seed)
    return _mix_python(value, seed)


def _mix_parts(parts: Iterable[Any], seed: int) -> int:
    for part in parts:
        seed = _mix(part, seed)
    return seed


def _mix_int(number: int, seed: int) -> int:
    if -(1 << 63) <= number <= _ALL:
        return _stir(seed, number)
    raw = number.to_bytes(number.bit_length() // 8 + 1, "little", signed=True)
    return _mix_bytes(raw, _stir(seed, _WIDE ^ len(raw)))


def _mix_array(array: Any, seed: int) -> int:
    mark = array_mark(array.dtype)
    for length in array.shape:
        mark = ((mark ^ length) * STIR) & _ALL
    seed = _stir(seed, mark)
    return _mix_parts(array.flat, seed) if array.dtype.hasobject else _mix_bytes(array.tobytes(), seed)


def _mix_bytes(raw: bytes | bytearray, seed: int) -> int:
    """The bytes by words of eight, the last of them filled with zeros."""
    for word in np.frombuffer(raw + bytes(-len(raw) % 8), "<u8").tolist():
        seed = _stir(seed, word)
    return seed


def _mix_python(value: Any, seed: int) -> int:
    """Mix in what only the Python gear knows. An object's address does not affect it."""
    if value is None:
        return _stir(seed, _NOTHING)
    if isinstance(value, str):
        return _stir(_stir(seed, _TEXT), _mark(value))
    if isinstance(value, bytes | bytearray):
        return _mix_bytes(value, _stir(seed, _BYTES ^ len(value)))
    if isinstance(value, list):
        return _mix_parts(value, _stir(seed, _LIST ^ len(value)))
    if isinstance(value, dict):
        return _mix_members(value.items(), _stir(seed, _DICT ^ len(value)))
    if isinstance(value, set | frozenset):
        return _mix_members(value, _stir(seed, _SET ^ len(value)))
    if isinstance(value, Enum):
        name = value._name_ or value._value_  # a combination of flags may have no name
        return _mix_parts((type(value).__qualname__, name), _stir(seed, _ENUM))
    if isinstance(value, type):
        return _mix(value.__qualname__, _stir(seed, _CLASS))
    return _mix_parts((type(value).__qualname__, *_held(value)), _stir(seed, _OBJECT))


def _mix_members(members: Iterable[Any], seed: int) -> int:
    """Mix in what has no order: the sum of the hashes of the members."""
    return _stir(seed, sum(_stir(_mix(member, _MEMBER), _MEMBER) for member in members))


def _held(value: Any) -> list[Any]:
    """What an object holds: the fields of a dataclass that are compared, else all that would be pickled."""
    if dataclasses.is_dataclass(value):
        return [getattr(value, field.name) for field in dataclasses.fields(value) if field.compare]
    try:
        made = value.__reduce_ex__(2)
    except TypeError:
        made = ""
    # The function that makes it again; its arguments, of which the first may be the class; its attributes;
    # and an iterator each for the items that lists and dicts have.
    held = [] if isinstance(made, str) else [[*p] if hasattr(p, "__next__") else p for p in made[1:]]
    if all(_is_bare(part, type(value)) for part in held):  # it tells nothing
        raise TypeError(f"a {type(value).__name__} has no 64-bit hash; give the game a rule 'key'")
    return held


def _is_bare(part: Any, kind: type) -> bool:
    return part is None or (isinstance(part, tuple | list | dict) and all(each is kind for each in part))
