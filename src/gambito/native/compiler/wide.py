"""Sets of more than 64 places (`native/wide.py`) for the compiler: shifts that carry between the words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload
from numpy import int64, uint64

from gambito.native.bits import first_bit, nth_bit, popcount
from gambito.native.wide import (
    common,
    count_places,
    first_place,
    has_place,
    is_empty,
    nth_place,
    only,
    shift_down,
    shift_up,
    union_of,
    without,
)


def _number(builder: Any, value: Any, count: int) -> Any:
    """A tuple of words as one wide number."""
    kind = ir.IntType(64 * count)
    joined = ir.Constant(kind, 0)
    for place, word in enumerate(cgutils.unpack_tuple(builder, value, count)):
        wide = builder.zext(word, kind)
        joined = builder.or_(joined, builder.shl(wide, ir.Constant(kind, 64 * place)))
    return joined


def _tuple(context: Any, builder: Any, kind: Any, number: Any) -> Any:
    """A wide number as a tuple of words."""
    word, width = ir.IntType(64), number.type
    parts = [
        builder.trunc(builder.lshr(number, ir.Constant(width, 64 * place)), word)
        for place in range(kind.count)
    ]
    return context.make_tuple(builder, kind, parts)


def _is_set(kind: Any) -> bool:
    return isinstance(kind, types.UniTuple) and kind.dtype == types.uint64


def _pairwise(operate: Callable[[Any, Any, Any], Any]) -> Any:
    """An operation of two sets."""

    @intrinsic
    def operation(context: Any, one: Any, other: Any) -> Any:
        def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            pair = [cgutils.unpack_tuple(builder, value, one.count) for value in args]
            parts = [operate(builder, a, b) for a, b in zip(*pair, strict=True)]
            return context.make_tuple(builder, one, parts)

        return (one(one, other), lower) if _is_set(one) and one == other else None

    return operation


_union = _pairwise(lambda builder, a, b: builder.or_(a, b))
_common = _pairwise(lambda builder, a, b: builder.and_(a, b))
_without = _pairwise(lambda builder, a, b: builder.and_(a, builder.not_(b)))


def _shifting(shift: Callable[[Any, Any, Any], Any]) -> Any:
    @intrinsic
    def operation(context: Any, members: Any, by: Any) -> Any:
        def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            number = _number(builder, args[0], members.count)
            amount = builder.zext(args[1], number.type)
            return _tuple(context, builder, members, shift(builder, number, amount))

        return (members(members, types.int64), lower) if _is_set(members) else None

    return operation


_up = _shifting(lambda builder, number, by: builder.shl(number, by))
_down = _shifting(lambda builder, number, by: builder.lshr(number, by))


@intrinsic
def _only(context: Any, place: Any, like: Any) -> Any:
    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        word = ir.IntType(64)
        number, bit = builder.lshr(args[0], word(6)), builder.shl(word(1), builder.and_(args[0], word(63)))
        parts = [
            builder.select(builder.icmp_unsigned("==", number, word(each)), bit, word(0))
            for each in range(like.count)
        ]
        return context.make_tuple(builder, like, parts)

    return (like(types.int64, like), lower) if _is_set(like) else None


@overload(union_of, inline="always")
def _native_union_of(one, other):
    return lambda one, other: _union(one, other)


@overload(common, inline="always")
def _native_common(one, other):
    return lambda one, other: _common(one, other)


@overload(without, inline="always")
def _native_without(one, other):
    return lambda one, other: _without(one, other)


@overload(shift_up, inline="always")
def _native_shift_up(members, by):
    return lambda members, by: _up(members, int64(by))


@overload(shift_down, inline="always")
def _native_shift_down(members, by):
    return lambda members, by: _down(members, int64(by))


@overload(only, inline="always")
def _native_only(place, like):
    return lambda place, like: _only(int64(place), like)


@overload(has_place)
def _native_has_place(members, place):
    return lambda members, place: not is_empty(_common(members, _only(int64(place), members)))


@overload(is_empty)
def _native_is_empty(members):
    def empty(members):
        left = uint64(0)
        for word in members:
            left |= word
        return left == uint64(0)

    return empty


@overload(count_places)
def _native_count_places(members):
    def count(members):
        number = int64(0)
        for word in members:
            number += popcount(word)
        return number

    return count


@overload(first_place)
def _native_first_place(members):
    def first(members):
        base = int64(0)
        for word in members:
            if word != uint64(0):
                return base + first_bit(word)
            base += 64
        return base

    return first


@overload(nth_place)
def _native_nth_place(members, number):
    def nth(members, number):
        base, left = int64(0), int64(number)
        for word in members:
            here = popcount(word)
            if left < here:
                return base + nth_bit(word, int(left))
            left -= here
            base += 64
        return base

    return nth
