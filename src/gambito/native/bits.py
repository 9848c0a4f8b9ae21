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
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload
from numpy import int64, uint64

_ALL = (1 << 64) - 1


def _bit_operation(name: str, has_flag: bool) -> Any:
    @intrinsic
    def operation(context: Any, bits: Any) -> Any:
        def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            word, flag = ir.IntType(64), ir.IntType(1)
            kinds = [word, flag] if has_flag else [word]
            function = builder.module.declare_intrinsic(name, [word], ir.FunctionType(word, kinds))
            return builder.call(function, [args[0], ir.Constant(flag, 0)] if has_flag else [args[0]])

        return types.int64(types.uint64), lower

    return operation


_popcount, _first = _bit_operation("llvm.ctpop", False), _bit_operation("llvm.cttz", True)
_leading = _bit_operation("llvm.ctlz", True)


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


@overload(popcount)
def _native_popcount(bits):
    return lambda bits: _popcount(uint64(bits))


@overload(first_bit)
def _native_first_bit(bits):
    return lambda bits: _first(uint64(bits))


@overload(last_bit)
def _native_last_bit(bits):
    return lambda bits: int64(63) - _leading(uint64(bits))


@overload(nth_bit)
def _native_nth_bit(bits, number):
    def halves(bits, number):
        word, left, place = uint64(bits), int64(number), uint64(0)
        width = uint64(32)
        while width > uint64(0):  # is it in the lower half? Without branches, which could not be predicted
            below = _popcount(word & ((uint64(1) << width) - uint64(1)))
            is_above = uint64(left >= below)
            left -= below * int64(is_above)
            word >>= width * is_above
            place += width * is_above
            width >>= uint64(1)
        return int64(place)

    return halves


# ---- hashing -----------------------------------------------------------------------------------------

_SEED, _STIR, _SPREAD = 0x243F6A8885A308D3, 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9


def _stir(seed: int, word: int) -> int:
    """One step of the mix: takes the words in order and spreads each over all bits."""
    seed = ((seed ^ (word & _ALL)) * _STIR) & _ALL
    seed ^= seed >> 29
    seed = (seed * _SPREAD) & _ALL
    return seed ^ (seed >> 32)


def mix(value: Any) -> Any:
    """A 64-bit hash of a number, an array, or a tuple of them; the same in both gears and all processes.

    The Python gear also takes lists, dicts, sets, text, and objects, which are hashed by what they hold.
    """
    return np.uint64(_mix(value, _SEED))


def spread(bits: Any) -> Any:
    """The bits times 2⁶⁴ over the golden ratio: neighbours end up far apart in the highest bits."""
    return np.uint64((int(bits) * _STIR) & _ALL)


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
        return sum(_mix(item, _SEED) for item in value.items())
    if isinstance(value, set | frozenset):
        return sum(_mix(item, _SEED) for item in value)
    if isinstance(value, Enum):
        return _mix(value.value, _SEED)
    own_hash: Any = type(value).__hash__
    if own_hash not in (None, object.__hash__):
        return hash(value)
    if hasattr(value, "__dict__"):
        return _mix(vars(value), _SEED)
    raise TypeError(f"a {type(value).__name__} has no 64-bit hash; give the game a rule 'key'")


@intrinsic
def _float_bits(context: Any, value: Any) -> Any:
    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.bitcast(args[0], ir.IntType(64))

    return types.uint64(types.float64), lower


def _stir_any(seed: Any, value: Any) -> Any:
    """Stand-in for the compiler: the step of the mix for any type."""


@overload(_stir_any)
def _native_stir(seed, value):
    stir, spread = np.uint64(_STIR), np.uint64(_SPREAD)

    def word(seed, value):
        seed = (seed ^ uint64(value)) * stir
        seed = (seed ^ (seed >> uint64(29))) * spread
        return seed ^ (seed >> uint64(32))

    if isinstance(value, types.BaseTuple):
        return lambda seed, value: _stir_fields(seed, value)
    if isinstance(value, types.Array):

        def array(seed, value):
            for part in value.flat:
                seed = _stir_any(seed, part)
            return seed

        return array
    if isinstance(value, types.Float):
        return lambda seed, value: _stir_any(seed, _float_bits(np.float64(value)))
    return word


def _stir_part(seed: Any, value: Any) -> Any:
    """Stand-in for the compiler: the same for a part of a tuple."""


@overload(_stir_part)
def _native_stir_part(seed, value):
    if isinstance(value, types.BaseTuple):
        length = np.uint64(len(value))
        return lambda seed, value: _stir_any(_stir_any(seed, length), value)
    if isinstance(value, types.Array):
        return lambda seed, value: _stir_any(_stir_any(seed, value.size), value)
    return lambda seed, value: _stir_any(seed, value)


@intrinsic
def _stir_fields(context: Any, seed: Any, value: Any) -> Any:
    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        mixed, fields = args
        for kind, field in zip(sig.args[1].types, cgutils.unpack_tuple(builder, fields), strict=True):
            step = types.uint64(types.uint64, kind)
            mixed = context.compile_internal(builder, lambda s, v: _stir_part(s, v), step, [mixed, field])
        return mixed

    return types.uint64(types.uint64, value), lower


@overload(spread)
def _native_spread(bits):
    factor = np.uint64(_STIR)
    return lambda bits: uint64(bits) * factor


@overload(mix)
def _native_mix(value):
    seed = np.uint64(_SEED)
    return lambda value: _stir_any(seed, value)
