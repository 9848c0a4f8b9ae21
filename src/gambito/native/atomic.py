"""Counting together: several threads add to one place and none of their additions is lost."""

from __future__ import annotations

from typing import Any

from numba import types
from numba.extending import intrinsic, overload


def fetch_add(array: Any, place: Any, amount: Any) -> Any:
    """Add to `array[place]`; returns what it was before. Whole numbers only."""
    before = array[place]
    array[place] += amount
    return before


@intrinsic
def _fetch_add(context: Any, pointer: Any, place: Any, amount: Any) -> Any:
    held = pointer.dtype

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        address = builder.gep(args[0], [args[1]])
        added = context.cast(builder, args[2], sig.args[2], held)
        return builder.atomic_rmw("add", address, added, "seq_cst")

    return held(pointer, types.int64, amount), lower


@overload(fetch_add)
def _native_fetch_add(array, place, amount):
    return lambda array, place, amount: _fetch_add(array, types.int64(place), amount)


def claim(array: Any, place: Any, mark: Any) -> bool:
    """Write `mark` where 0 stands; False: another thread was there first."""
    if array[place] != 0:
        return False
    array[place] = mark
    return True


@intrinsic
def _claim(context: Any, pointer: Any, place: Any, mark: Any) -> Any:
    held = pointer.dtype

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        address = builder.gep(args[0], [args[1]])
        nothing = context.get_constant(held, 0)
        new = context.cast(builder, args[2], sig.args[2], held)
        swapped = builder.cmpxchg(address, nothing, new, "seq_cst", "seq_cst")
        return builder.extract_value(swapped, 1)

    return types.boolean(pointer, types.int64, mark), lower


@overload(claim)
def _native_claim(array, place, mark):
    return lambda array, place, mark: _claim(array, types.int64(place), mark)


def publish(array: Any, place: Any, value: Any) -> None:
    """Write after everything that was written before: who reads the value sees that too."""
    array[place] = value


@intrinsic
def _publish(context: Any, pointer: Any, place: Any, value: Any) -> Any:
    held = pointer.dtype

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        address = builder.gep(args[0], [args[1]])
        new = context.cast(builder, args[2], sig.args[2], held)
        builder.store_atomic(new, address, "release", held.bitwidth // 8)
        return context.get_dummy_value()

    return types.void(pointer, types.int64, value), lower


@overload(publish)
def _native_publish(array, place, value):
    return lambda array, place, value: _publish(array, types.int64(place), value)
