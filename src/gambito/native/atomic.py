"""Cooperation between threads: additions to one place without losses, and waiting for each other."""

from __future__ import annotations

import sys
import time
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload

from gambito.native.bounds import item


def fetch_add(array: Any, place: Any, amount: Any) -> Any:
    """Add to `array[place]`; return the previous value."""
    before = array[place]
    array[place] += amount
    return before


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


def claim(array: Any, place: Any, mark: Any) -> bool:
    """Write `mark` in place of 0; False if another thread was first."""
    if array[place] != 0:
        return False
    array[place] = mark
    return True


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


def publish(array: Any, place: Any, value: Any) -> None:
    """Write after all previous writes: a thread that reads the value also sees those."""
    array[place] = value


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


def look(array: Any, place: Any) -> Any:
    """Read what another thread may have published; all its previous writes are then visible too."""
    return array[place]


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


def give_way() -> None:
    """Let another thread have the processor, for a thread that waits."""
    time.sleep(0)


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
