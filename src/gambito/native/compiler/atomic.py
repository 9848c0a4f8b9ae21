"""Cooperation between threads (`native/atomic.py`) for the compiler."""

from __future__ import annotations

import sys
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload

from gambito.native.atomic import claim, fetch_add, give_way, look, publish
from gambito.native.compiler.bounds import item


@intrinsic
def _fetch_add(context: Any, pointer: Any, place: Any, amount: Any) -> Any:
    held = pointer.dtype

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        address = item(context, builder, sig.args[0], *args[:2])
        added = context.cast(builder, args[2], sig.args[2], held)
        verb = "fadd" if isinstance(held, types.Float) else "add"
        return builder.atomic_rmw(verb, address, added, "seq_cst")

    return held(pointer, types.int64, amount), lower


@overload(fetch_add)
def _native_fetch_add(array, place, amount):
    return lambda array, place, amount: _fetch_add(array, types.int64(place), amount)


@intrinsic
def _claim(context: Any, pointer: Any, place: Any, mark: Any) -> Any:
    held = pointer.dtype

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        address = item(context, builder, sig.args[0], *args[:2])
        nothing = context.get_constant(held, 0)
        new = context.cast(builder, args[2], sig.args[2], held)
        swapped = builder.cmpxchg(address, nothing, new, "seq_cst", "seq_cst")
        return builder.extract_value(swapped, 1)

    return types.boolean(pointer, types.int64, mark), lower


@overload(claim)
def _native_claim(array, place, mark):
    return lambda array, place, mark: _claim(array, types.int64(place), mark)


@intrinsic
def _publish(context: Any, pointer: Any, place: Any, value: Any) -> Any:
    held = pointer.dtype

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        address = item(context, builder, sig.args[0], *args[:2])
        new = context.cast(builder, args[2], sig.args[2], held)
        builder.store_atomic(new, address, "release", held.bitwidth // 8)
        return context.get_dummy_value()

    return types.void(pointer, types.int64, value), lower


@overload(publish)
def _native_publish(array, place, value):
    return lambda array, place, value: _publish(array, types.int64(place), value)


@intrinsic
def _look(context: Any, pointer: Any, place: Any) -> Any:
    held = pointer.dtype

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        address = item(context, builder, sig.args[0], *args[:2])
        return builder.load_atomic(address, "acquire", held.bitwidth // 8)

    return held(pointer, types.int64), lower


@overload(look)
def _native_look(array, place):
    return lambda array, place: _look(array, types.int64(place))


YIELD = "SwitchToThread" if sys.platform == "win32" else "sched_yield"  # of the system


@intrinsic
def _give_way(context: Any) -> Any:
    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        kind = ir.FunctionType(ir.IntType(32), [])
        builder.call(cgutils.get_or_insert_function(builder.module, kind, YIELD), [])
        return context.get_dummy_value()

    return types.void(), lower


@overload(give_way)
def _native_give_way():
    return lambda: _give_way()
