"""Bits and hashing (`native/bits.py`) for the compiler."""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload
from numba.np.numpy_support import as_dtype
from numpy import int64, uint64

from gambito.native.bits import (
    FLOAT,
    SEED,
    SPREAD,
    STIR,
    TUPLE,
    array_mark,
    first_bit,
    last_bit,
    mix,
    nth_bit,
    popcount,
    spread,
)


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


@intrinsic
def _float_bits(context: Any, value: Any) -> Any:
    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.bitcast(args[0], ir.IntType(64))

    return types.uint64(types.float64), lower


def _stir_any(seed: Any, value: Any) -> Any:
    """Stand-in for the compiler: mixes a value of any type in, as `_mix` does."""


@overload(_stir_any)
def _native_stir(seed, value):
    stir, spread, float_mark = np.uint64(STIR), np.uint64(SPREAD), np.uint64(FLOAT)

    def word(seed, value):
        seed = (seed ^ uint64(value)) * stir
        seed = (seed ^ (seed >> uint64(29))) * spread
        return seed ^ (seed >> uint64(32))

    if isinstance(value, types.BaseTuple):
        tuple_mark = np.uint64(TUPLE ^ len(value))
        return lambda seed, value: _stir_fields(_stir_any(seed, tuple_mark), value)
    if isinstance(value, types.Array) and value.layout == "C":
        return lambda seed, value: _stir_array(seed, value)
    if isinstance(value, types.Array):
        return lambda seed, value: _stir_any(seed, np.ascontiguousarray(value))
    if isinstance(value, types.Float):
        return lambda seed, value: _stir_any(seed, float_mark ^ _float_bits(np.float64(value)))
    return word


_WORD, _BYTE = ir.IntType(64), ir.IntType(8)


@intrinsic
def _stir_array(context: Any, seed: Any, array: Any) -> Any:
    """The step for a contiguous array: its mark with its shape, then its bytes by words.

    It is written without Numba's functions, which would count references to the array.
    """
    dtype = as_dtype(array.dtype)

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        held = context.make_array(sig.args[1])(context, builder, args[1])
        mark: Any = _WORD(array_mark(dtype))
        for length in cgutils.unpack_tuple(builder, held.shape):
            mark = builder.mul(builder.xor(mark, length), _WORD(STIR))
        seed = cgutils.alloca_once_value(builder, _stirred(builder, args[0], mark))
        data = builder.bitcast(held.data, _BYTE.as_pointer())
        size = builder.mul(held.nitems, _WORD(dtype.itemsize))
        words = builder.and_(size, _WORD(-8))
        with cgutils.for_range_slice(builder, _WORD(0), words, _WORD(8), inc=True) as (place, _):
            word = builder.load(builder.bitcast(builder.gep(data, [place]), _WORD.as_pointer()), align=1)
            builder.store(_stirred(builder, builder.load(seed), word), seed)
        if dtype.itemsize % 8:
            with builder.if_then(builder.icmp_unsigned("!=", words, size)):
                last = cgutils.alloca_once_value(builder, _WORD(0))
                with cgutils.for_range(builder, builder.sub(size, words)) as loop:
                    byte = builder.load(builder.gep(data, [builder.add(words, loop.index)]))
                    part = builder.shl(builder.zext(byte, _WORD), builder.mul(loop.index, _WORD(8)))
                    builder.store(builder.or_(builder.load(last), part), last)
                builder.store(_stirred(builder, builder.load(seed), builder.load(last)), seed)
        return builder.load(seed)

    return types.uint64(types.uint64, array), lower


def _stirred(builder: Any, seed: Any, word: Any) -> Any:
    """One step of the mix."""
    seed = builder.mul(builder.xor(seed, word), _WORD(STIR))
    seed = builder.mul(builder.xor(seed, builder.lshr(seed, _WORD(29))), _WORD(SPREAD))
    return builder.xor(seed, builder.lshr(seed, _WORD(32)))


@intrinsic
def _stir_fields(context: Any, seed: Any, value: Any) -> Any:
    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        mixed, fields = args
        for kind, field in zip(sig.args[1].types, cgutils.unpack_tuple(builder, fields), strict=True):
            step = types.uint64(types.uint64, kind)
            mixed = context.compile_internal(builder, lambda s, v: _stir_any(s, v), step, [mixed, field])
        return mixed

    return types.uint64(types.uint64, value), lower


@overload(spread)
def _native_spread(bits):
    factor = np.uint64(STIR)
    return lambda bits: uint64(bits) * factor


@overload(mix)
def _native_mix(value):
    seed = np.uint64(SEED)
    if isinstance(value, types.BaseTuple) and len(value) != 1:
        return lambda value: _stir_fields(seed, value)
    return lambda value: _stir_any(seed, value)
