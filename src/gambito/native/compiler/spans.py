"""Arithmetic on stretches of small whole numbers (`native/spans.py`) for the compiler."""

from __future__ import annotations

from numba.extending import overload
from numpy import int16, int32, int64

from gambito.native.spans import add_squares, shift_span


@overload(shift_span)
def _native_shift_span(target, at, source, start, table, plus, minus, count):
    def shift(target, at, source, start, table, plus, minus, count):
        for unit in range(count):
            target[at + unit] = int16(source[start + unit] + table[plus + unit] - table[minus + unit])

    return shift


@overload(add_squares)
def _native_add_squares(source, start, table, place, top, count):
    def add(source, start, table, place, top, count):
        total = int32(0)
        for unit in range(count):
            item = int16(min(max(int16(source[start + unit]), int16(0)), int16(top)))
            total = int32(total + int64(int16(item * table[place + unit])) * int64(item))
        return int64(total)

    return add
