"""What compiled code raised, and where: errors of an index or a number name the function that was compiled.

Numba records the place of a `raise` statement only. An error that an operation raises, such as an index out
of range, would arrive without any place, and nobody could tell which rule it is.

Some of Numba's own functions raise errors with numbers in their text. Text is made by much code that needs
Python, so none of the rules that assign a slice or add along an axis could be a library. In one, these errors
have constant texts; an error that the rules raise themselves keeps its numbers.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numba
from numba.core.callconv import CPUCallConv
from numba.core.cpu import CPUContext
from numba.extending import overload
from numba.np import arrayobj

from gambito.native.entries import shortened

_NUMBA = f"{Path(numba.__file__).parent}{os.sep}"


class Place(NamedTuple):
    """What Numba asks of a place."""

    function: str
    filename: str
    line: int

    def _raw_function_name(self) -> str:
        return self.function


class _NamingConvention(CPUCallConv):
    """Numba's way to call functions and to return errors, which are given a place if they have none."""

    def return_user_exc(
        self, builder: Any, exc: Any, exc_args: Any = None, loc: Any = None, func_name: Any = None
    ) -> None:
        if loc is not None:
            loc = Place(loc._raw_function_name() or func_name, shortened(loc.filename), loc.line)
        super().return_user_exc(builder, exc, exc_args, loc or self.context.place, func_name)


class _NamingContext(CPUContext):
    """The context of one compilation."""

    place: Place

    @property
    def call_conv(self) -> _NamingConvention:
        return _NamingConvention(self)


def name_errors(context: Any, function: Any) -> None:
    """Have the errors of the function that is compiled in this context name it."""
    context.__class__ = _NamingContext  # the context is a copy for this compilation alone
    for modules in _noted:
        modules.add(function.modname)
    context.place = Place(function.func_name, shortened(function.filename), function.firstlineno)


_noted: list[set[str]] = []


@contextlib.contextmanager
def noting() -> Iterator[set[str]]:
    """A context that gives the modules of all functions that are compiled in it."""
    _noted.append(set())
    try:
        yield _noted[-1]
    finally:
        _noted.pop()


# ---- constant texts ----------------------------------------------------------------------------------


def _refuse_shape(src_shapes: Any, index_shape: Any) -> None:
    """Stand-in for the compiler: raises the error of a slice that is assigned an array of another shape."""


@overload(_refuse_shape)
def _native_refuse_shape(src_shapes, index_shape):
    def refuse(src_shapes, index_shape):
        raise ValueError("an array cannot be assigned to a slice of another shape")

    return refuse


def _return_constant(
    self: Any, builder: Any, exc: Any, exc_args: Any, nb_types: Any, loc: Any = None, func_name: Any = None
) -> None:
    """In place of `return_dynamic_user_exc`."""
    if loc is None or not loc.filename.startswith(_NUMBA):
        _return_text(self, builder, exc, exc_args, nb_types, loc, func_name)
    else:
        self.return_user_exc(builder, exc, (f"{func_name} cannot take these arguments",), loc, func_name)


_return_text = CPUCallConv.return_dynamic_user_exc


@contextlib.contextmanager
def constant_texts() -> Iterator[None]:
    """A context in which the errors of Numba's own functions are compiled with constant texts."""
    before = CPUCallConv.return_dynamic_user_exc, arrayobj.raise_with_shape_context
    CPUCallConv.return_dynamic_user_exc = _return_constant
    arrayobj.raise_with_shape_context = _refuse_shape
    try:
        yield
    finally:
        CPUCallConv.return_dynamic_user_exc, arrayobj.raise_with_shape_context = before
