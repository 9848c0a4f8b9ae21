"""The time (`native/clock.py`) for the compiler: a call of the system's `clock_gettime`."""

from __future__ import annotations

import time
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload

from gambito.native.clock import milliseconds

READ = "clock_gettime"  # of the system; where there is none, the host of a module provides it
_MONOTONIC = getattr(time, "CLOCK_MONOTONIC", 1)
_WORD, _INT = ir.IntType(64), ir.IntType(32)


@intrinsic
def _read(context: Any) -> Any:
    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        shape = ir.LiteralStructType([_WORD, _WORD])  # seconds and nanoseconds
        place = cgutils.alloca_once(builder, shape)
        function = cgutils.get_or_insert_function(
            builder.module, ir.FunctionType(_INT, [_INT, shape.as_pointer()]), READ
        )
        builder.call(function, [_INT(_MONOTONIC), place])
        seconds, more = cgutils.unpack_tuple(builder, builder.load(place))
        number, kind = ir.DoubleType(), types.float64
        seconds, more = (builder.sitofp(part, number) for part in (seconds, more))
        whole = builder.fmul(seconds, context.get_constant(kind, 1e3))
        return builder.fadd(whole, builder.fmul(more, context.get_constant(kind, 1e-6)))

    return types.float64(), lower


@overload(milliseconds)
def _native_milliseconds():
    return lambda: _read()
