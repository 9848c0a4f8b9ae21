"""Requests for memory (`native/prefetch.py`) for the compiler."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload
from numpy import int64

from gambito.native.compiler.bounds import data_of
from gambito.native.prefetch import prefetch


@intrinsic
def _prefetch(context: Any, pointer: Any, place: Any) -> Any:
    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        number, byte = ir.IntType(32), ir.IntType(8).as_pointer()
        data = data_of(context, builder, sig.args[0], args[0])
        address = builder.bitcast(builder.gep(data, [args[1]]), byte)
        kind = ir.FunctionType(ir.VoidType(), [byte, number, number, number])
        function = builder.module.declare_intrinsic("llvm.prefetch", [byte], kind)
        builder.call(
            function, [address, *(ir.Constant(number, n) for n in (0, 3, 1))]
        )  # to read, to keep, data
        return context.get_dummy_value()

    return types.void(pointer, types.int64), lower


@overload(prefetch)
def _native_prefetch(array, place):
    return lambda array, place: _prefetch(array, int64(place))
