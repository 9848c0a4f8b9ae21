"""Four bitboards at once (`native/lanes.py`) for the compiler."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core.imputils import lower_builtin
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import intrinsic, models, overload, register_model

from gambito.native.compiler.bounds import item
from gambito.native.lanes import lanes, put, union, where

_WORD = ir.IntType(64)
_VECTOR = ir.VectorType(_WORD, 4)


class LanesType(types.Type):
    """Four lanes in a vector register."""

    def __init__(self) -> None:
        super().__init__("Lanes")


LANES = LanesType()


@register_model(LanesType)
class _LanesModel(models.PrimitiveModel):
    def __init__(self, dmm: Any, fe_type: LanesType) -> None:
        super().__init__(dmm, fe_type, _VECTOR)


def _lower_operator(operation: Any, build: Callable[..., Any], count: int) -> None:
    @infer_global(operation)
    class Template(AbstractTemplate):
        def generic(self, args: Any, kws: Any) -> Any:
            return signature(LANES, *args) if args == (LANES,) * count else None

    @lower_builtin(operation, *(LANES,) * count)
    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return build(builder, *args)


for _operation, _build in (
    (operator.and_, lambda b, x, y: b.and_(x, y)),
    (operator.or_, lambda b, x, y: b.or_(x, y)),
    (operator.xor, lambda b, x, y: b.xor(x, y)),
    (operator.lshift, lambda b, x, y: b.shl(x, y)),
    (operator.rshift, lambda b, x, y: b.lshr(x, y)),
    (operator.add, lambda b, x, y: b.add(x, y)),
):
    _lower_operator(_operation, _build, 2)
_lower_operator(operator.invert, lambda b, x: b.not_(x), 1)


def _place(number: int) -> ir.Constant:
    return ir.Constant(ir.IntType(32), number)


@intrinsic
def _spread(context: Any, bits: Any) -> Any:
    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        vector = ir.Constant(_VECTOR, ir.Undefined)
        for lane in range(4):
            vector = builder.insert_element(vector, args[0], _place(lane))
        return vector

    return LANES(types.uint64), lower


@intrinsic
def _load(context: Any, array: Any) -> Any:
    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        data = context.make_array(sig.args[0])(context, builder, args[0]).data
        return builder.load(builder.bitcast(data, _VECTOR.as_pointer()), align=8)

    return LANES(array), lower


@intrinsic
def _union(context: Any, four: Any) -> Any:
    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        parts = [builder.extract_element(args[0], _place(lane)) for lane in range(4)]
        return builder.or_(builder.or_(parts[0], parts[1]), builder.or_(parts[2], parts[3]))

    return types.uint64(LANES), lower


@intrinsic
def _where(context: Any, four: Any, condition: Any) -> Any:
    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        none = ir.Constant(_VECTOR, [0] * 4)
        return builder.select(builder.icmp_unsigned("!=", args[1], none), args[0], none)

    return LANES(LANES, LANES), lower


@intrinsic
def _put(context: Any, four: Any, buffer: Any, place: Any) -> Any:
    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        words = builder.bitcast(
            item(context, builder, sig.args[1], args[1], args[2], 4), _VECTOR.as_pointer()
        )
        builder.store(args[0], words, align=8)

    return types.void(LANES, buffer, types.int64), lower


@overload(put)
def _native_put(four, buffer, place):
    return lambda four, buffer, place: _put(four, buffer, np.int64(place))


@overload(lanes)
def _native_lanes(bits):
    if isinstance(bits, types.Array):
        return lambda bits: _load(bits)
    return lambda bits: _spread(np.uint64(bits))


@overload(union)
def _native_union(four):
    return lambda four: _union(four)


@overload(where)
def _native_where(four, condition):
    return lambda four, condition: _where(four, condition)
