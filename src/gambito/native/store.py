"""Values of one type side by side in raw memory: where compiled code stores states outside the recursion.

A state of numbers (a number, a tuple or a NamedTuple of them) is written byte by byte. In the Python gear the
memory is a list of the values themselves.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types
from numba.core.registry import cpu_target
from numba.extending import intrinsic, overload

from gambito.native.bounds import item
from gambito.native.contracts import WIDTH, State, external


def put(memory: Any, place: int, value: Any) -> None:
    """Write a value."""
    memory[place] = value


def get(memory: Any, place: int, like: Any) -> Any:
    """Read a value of the type of `like`."""
    return memory[place]


def width(kind: types.Type) -> int:
    """The bytes that a value of this type takes; 0 if it holds an array and cannot be stored this way."""
    if not _is_plain(kind):
        return 0
    context = cpu_target.target_context
    return int(context.get_abi_sizeof(context.get_value_type(kind)))


def new_memory(kind: types.Type | None, count: int) -> Any:
    """Memory for `count` values; a list for values that only the Python gear knows."""
    return [None] * count if kind is None else np.empty(count * width(kind), np.uint8)


def _is_plain(kind: types.Type) -> bool:
    if isinstance(kind, types.BaseTuple):
        return all(map(_is_plain, kind.types))
    return isinstance(kind, types.Number | types.Boolean)


def _address(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    shape = context.get_value_type(sig.args[2])
    if isinstance(sig.args[2], State):
        first = builder.mul(args[1], builder.load(external(builder, WIDTH, args[1].type)))
        return builder.bitcast(item(context, builder, sig.args[0], args[0], first), shape.as_pointer())
    size = context.get_abi_sizeof(shape)
    first = builder.mul(args[1], args[1].type(size))
    return builder.bitcast(item(context, builder, sig.args[0], args[0], first, size), shape.as_pointer())


@intrinsic
def _put(context: Any, memory: Any, place: Any, value: Any) -> Any:
    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        builder.store(args[2], _address(context, builder, sig, args), align=1)
        return context.get_dummy_value()

    return types.void(memory, types.int64, value), lower


@intrinsic
def _get(context: Any, memory: Any, place: Any, like: Any) -> Any:
    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.load(_address(context, builder, sig, args), align=1)

    return like(memory, types.int64, like), lower


@overload(put)
def _native_put(memory, place, value):
    return lambda memory, place, value: _put(memory, np.int64(place), value)


@overload(get)
def _native_get(memory, place, like):
    return lambda memory, place, like: _get(memory, np.int64(place), like)
