"""Bounds checks (`native/bounds.py`) for the compiler: pointers that know their length."""

from __future__ import annotations

import contextlib
import operator
from collections.abc import Iterator
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils, config
from numba.core.compiler_lock import global_compiler_lock
from numba.core.imputils import lower_builtin
from numba.extending import models, register_model

from gambito.native.bounds import ALWAYS

_checking = [ALWAYS]  # does the code that is being compiled check? Read and written under the compiler's lock


def is_checking() -> bool:
    """Does the code that is being compiled check its indices?"""
    return _checking[0]


@contextlib.contextmanager
def compiling(is_checked: bool) -> Iterator[None]:
    """A context for one compilation, with or without checks; other threads wait to compile."""
    with global_compiler_lock:
        before = _checking[0], config.BOUNDSCHECK
        _checking[0] = is_checked
        if is_checked:
            config.BOUNDSCHECK = 1
        try:
            yield
        finally:
            _checking[0], config.BOUNDSCHECK = before


class Bounded(types.CPointer):
    """A pointer that knows the length of its memory; compiled code checks every index."""

    def __init__(self, dtype: types.Type) -> None:
        super().__init__(dtype)
        self.name = f"bounded({dtype})"


@register_model(Bounded)
class _BoundedModel(models.StructModel):
    def __init__(self, dmm: Any, fe_type: Bounded) -> None:
        super().__init__(dmm, fe_type, [("data", types.CPointer(fe_type.dtype)), ("length", types.int64)])


def pointer_type(dtype: types.Type, is_checked: bool = ALWAYS) -> types.CPointer:
    """The type of a pointer to numbers."""
    return Bounded(dtype) if is_checked else types.CPointer(dtype)


def make_pointer(context: Any, builder: Any, kind: types.CPointer, data: Any, length: Any) -> Any:
    """A pointer of that type; `length` counts items."""
    if not isinstance(kind, Bounded):
        return data
    made = cgutils.create_struct_proxy(kind)(context, builder)
    made.data, made.length = data, length
    return made._getvalue()


def data_of(context: Any, builder: Any, kind: types.CPointer, pointer: Any) -> Any:
    """Where the memory of a pointer begins."""
    if not isinstance(kind, Bounded):
        return pointer
    return cgutils.create_struct_proxy(kind)(context, builder, value=pointer).data


def item(context: Any, builder: Any, kind: types.CPointer, pointer: Any, place: Any, count: int = 1) -> Any:
    """The address of an item, after a check that it and the next ones, `count` in all, lie in the memory."""
    if not isinstance(kind, Bounded):
        return builder.gep(pointer, [place])
    held = cgutils.create_struct_proxy(kind)(context, builder, value=pointer)
    place = builder.sext(place, ir.IntType(64)) if place.type.width < 64 else place
    last = builder.add(place, place.type(count - 1))
    for index in {place: None, last: None}:
        cgutils.do_boundscheck(context, builder, index, held.length)
    return builder.gep(held.data, [place])


@lower_builtin(operator.getitem, Bounded, types.Integer)
def _get(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return builder.load(item(context, builder, sig.args[0], *args))


@lower_builtin(operator.setitem, Bounded, types.Integer, types.Any)
def _set(context: Any, builder: Any, sig: Any, args: Any) -> None:
    builder.store(args[2], item(context, builder, sig.args[0], *args[:2]))
