"""Values in raw memory (`native/store.py`) for the compiler."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types
from numba.extending import intrinsic, overload

from gambito.native.compiler.bounds import item
from gambito.native.compiler.contracts import WIDTH, external
from gambito.native.compiler.types import State
from gambito.native.store import get, put


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
