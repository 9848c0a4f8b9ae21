"""Bits and hashing (`native/bits.py`) for the compiler."""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload
from numpy import int64, uint64

from gambito.native.bits import SEED, SPREAD, STIR, first_bit, last_bit, mix, nth_bit, popcount, spread


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
    """Stand-in for the compiler: the step of the mix for any type."""


@overload(_stir_any)
def _native_stir(seed, value):
    stir, spread = np.uint64(STIR), np.uint64(SPREAD)

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
    factor = np.uint64(STIR)
    return lambda bits: uint64(bits) * factor


@overload(mix)
def _native_mix(value):
    seed = np.uint64(SEED)
    return lambda value: _stir_any(seed, value)
