"""Values in raw memory (`native/store.py`) for the compiler.

Where code is compiled for one game, the memory of a state with arrays is as `blobs` has it: the bytes of each
array in its place, without a gap. Its shapes are those of the value, which rules cannot change.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload
from numba.np.arrayobj import _empty_nd_impl

from gambito.native.compiler.bounds import item
from gambito.native.compiler.contracts import WIDTH, external
from gambito.native.compiler.types import State
from gambito.native.store import get, holds, put

_WORD, _BYTE = ir.IntType(64), ir.IntType(8)


@intrinsic
def _put(context: Any, memory: Any, place: Any, value: Any) -> Any:
    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        if _has_arrays(sig.args[2]):
            _Packed(context, builder, sig, args).write(sig.args[2], args[2])
        else:
            builder.store(args[2], _address(context, builder, sig, args), align=1)
        return context.get_dummy_value()

    return types.void(memory, types.int64, value), lower


@intrinsic
def _get(context: Any, memory: Any, place: Any, like: Any) -> Any:
    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        if _has_arrays(sig.args[2]):
            return _Packed(context, builder, sig, args).read(sig.args[2], args[2])
        return builder.load(_address(context, builder, sig, args), align=1)

    return like(memory, types.int64, like), lower


@intrinsic
def _holds(context: Any, memory: Any, place: Any, value: Any) -> Any:
    """`holds` for a state with arrays."""

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return _Packed(context, builder, sig, args).equals(sig.args[2], args[2])

    return types.boolean(memory, types.int64, value), lower


def _address(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    shape = context.get_value_type(sig.args[2])
    if isinstance(sig.args[2], State):
        first = builder.mul(args[1], builder.load(external(builder, WIDTH, args[1].type)))
        return builder.bitcast(item(context, builder, sig.args[0], args[0], first), shape.as_pointer())
    size = context.get_abi_sizeof(shape)
    first = builder.mul(args[1], args[1].type(size))
    return builder.bitcast(item(context, builder, sig.args[0], args[0], first, size), shape.as_pointer())


def _has_arrays(kind: types.Type) -> bool:
    return isinstance(kind, types.Array) or (
        isinstance(kind, types.BaseTuple) and any(map(_has_arrays, kind.types))
    )


class _Packed:
    """One place in memory, for a state with arrays."""

    def __init__(self, context: Any, builder: Any, sig: Any, args: Any) -> None:
        self.context, self.builder = context, builder
        size = self._size(sig.args[2], args[2])
        first = builder.mul(args[1], size)
        self.place = item(context, builder, sig.args[0], args[0], first)
        with builder.if_then(builder.icmp_signed(">", size, _WORD(0))):  # is the last byte inside too?
            item(context, builder, sig.args[0], args[0], builder.sub(builder.add(first, size), _WORD(1)))

    def _size(self, kind: types.Type, value: Any) -> Any:
        builder = self.builder
        if isinstance(kind, types.BaseTuple):
            parts = cgutils.unpack_tuple(builder, value)
            sizes = [self._size(inner, part) for inner, part in zip(kind.types, parts, strict=True)]
            total = _WORD(0)
            for size in sizes:
                total = builder.add(total, size)
            return total
        if isinstance(kind, types.Array):
            return self._bytes(self.context.make_array(kind)(self.context, builder, value))
        return _WORD(self.context.get_abi_sizeof(self.context.get_data_type(kind)))

    def _bytes(self, array: Any) -> Any:
        return self.builder.mul(array.nitems, array.itemsize)

    def write(self, kind: types.Type, value: Any) -> None:
        context, builder = self.context, self.builder
        if isinstance(kind, types.BaseTuple):
            parts = cgutils.unpack_tuple(builder, value)
            for inner, part in zip(kind.types, parts, strict=True):
                self.write(inner, part)
        elif isinstance(kind, types.Array):
            array = context.make_array(kind)(context, builder, value)
            size = self._bytes(array)
            cgutils.raw_memcpy(builder, self.place, array.data, size, 1)
            self.place = builder.gep(self.place, [size])
        else:
            held = context.data_model_manager[kind].as_data(builder, value)
            builder.store(held, builder.bitcast(self.place, held.type.as_pointer()), align=1)
            self.place = builder.gep(self.place, [self._size(kind, value)])

    def read(self, kind: types.Type, like: Any) -> Any:
        context, builder = self.context, self.builder
        if isinstance(kind, types.BaseTuple):
            parts = cgutils.unpack_tuple(builder, like)
            made = [self.read(inner, part) for inner, part in zip(kind.types, parts, strict=True)]
            return context.make_tuple(builder, kind, made)
        if isinstance(kind, types.Array):
            given = context.make_array(kind)(context, builder, like)
            array = _empty_nd_impl(context, builder, kind, cgutils.unpack_tuple(builder, given.shape))
            size = self._bytes(array)
            cgutils.raw_memcpy(builder, array.data, self.place, size, 1)
            self.place = builder.gep(self.place, [size])
            return array._getvalue()
        shape = context.get_data_type(kind)
        held = builder.load(builder.bitcast(self.place, shape.as_pointer()), align=1)
        self.place = builder.gep(self.place, [self._size(kind, like)])
        return context.data_model_manager[kind].from_data(builder, held)

    def equals(self, kind: types.Type, value: Any) -> Any:
        context, builder = self.context, self.builder
        same = cgutils.true_bit
        if isinstance(kind, types.BaseTuple):
            parts = cgutils.unpack_tuple(builder, value)
            for inner, part in zip(kind.types, parts, strict=True):
                same = builder.and_(same, self.equals(inner, part))
            return same
        if not isinstance(kind, types.Array):
            held = self.read(kind, value)
            if isinstance(kind, types.Float):
                return builder.fcmp_ordered("==", held, value)
            return builder.icmp_unsigned("==", held, value)
        array = context.make_array(kind)(context, builder, value)
        data, size = builder.bitcast(array.data, _BYTE.as_pointer()), self._bytes(array)
        found = cgutils.alloca_once_value(builder, same)
        with cgutils.for_range(builder, size) as loop:
            pair = [builder.load(builder.gep(start, [loop.index])) for start in (self.place, data)]
            with builder.if_then(builder.icmp_unsigned("!=", *pair)):
                builder.store(cgutils.false_bit, found)
                loop.do_break()
        self.place = builder.gep(self.place, [size])
        return builder.load(found)


@overload(put)
def _native_put(memory, place, value):
    return lambda memory, place, value: _put(memory, np.int64(place), value)


@overload(get)
def _native_get(memory, place, like):
    return lambda memory, place, like: _get(memory, np.int64(place), like)


@overload(holds)
def _native_holds(memory, place, value):
    if _has_arrays(value):
        return lambda memory, place, value: _holds(memory, np.int64(place), value)
    return lambda memory, place, value: _get(memory, np.int64(place), value) == value
