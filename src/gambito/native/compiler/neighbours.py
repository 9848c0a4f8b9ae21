"""The numbers above and below another (`native/neighbours.py`) for the compiler."""

from __future__ import annotations

import math
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload
from numpy import float64, int64

from gambito.native.neighbours import above, below

LEAST, INFINITE = 5e-324, math.inf  # the smallest float above 0, and the largest


@intrinsic
def _order(context: Any, value: Any) -> Any:
    """The bits of a float; those of neighbours with one sign differ by 1."""

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.bitcast(args[0], ir.IntType(64))

    return types.int64(types.float64), lower


@intrinsic
def _number(context: Any, bits: Any) -> Any:
    """The float with these bits."""

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.bitcast(args[0], ir.DoubleType())

    return types.float64(types.int64), lower


@overload(above)
def _native_above(value, step):
    if not isinstance(step, types.Float):
        return lambda value, step: value + step

    def next_float(value, step):
        number = float64(value)
        if number == 0.0:
            return LEAST
        if number == INFINITE:
            return number
        return _number(_order(number) + (int64(1) if number > 0.0 else int64(-1)))

    return next_float


@overload(below)
def _native_below(value, step):
    if not isinstance(step, types.Float):
        return lambda value, step: value - step
    return lambda value, step: -above(-value, step)
