"""Where compiled code raised: errors of an index or a number name the function that was compiled.

Numba records the place of a `raise` statement only. An error that an operation raises, such as an index out
of range, would arrive without any place, and nobody could tell which rule it is.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any, NamedTuple

from numba.core.callconv import CPUCallConv
from numba.core.cpu import CPUContext


class _Place(NamedTuple):
    """What Numba asks of a place."""

    function: str
    filename: str
    line: int
    is_moved: bool = False  # it is the same wherever the package lies

    def _raw_function_name(self) -> str:
        return self.function


class _NamingConvention(CPUCallConv):
    """Numba's way to call functions and to return errors, which are given a place if they have none."""

    def return_user_exc(
        self, builder: Any, exc: Any, exc_args: Any = None, loc: Any = None, func_name: Any = None
    ) -> None:
        place = self.context.place
        super().return_user_exc(
            builder, exc, exc_args, loc if loc and not place.is_moved else place, func_name
        )


class _NamingContext(CPUContext):
    """The context of one compilation."""

    place: _Place

    @property
    def call_conv(self) -> _NamingConvention:
        return _NamingConvention(self)


def name_errors(context: Any, function: Any) -> None:
    """Have the errors of the function that is compiled in this context name it."""
    context.__class__ = _NamingContext  # the context is a copy for this compilation alone
    for modules in _noted:
        modules.add(function.modname)
    if _moved[0]:
        context.place = _Place(function.func_name, f"{function.modname.replace('.', '/')}.py", 1, True)
    else:
        context.place = _Place(function.func_name, function.filename, function.firstlineno)


_moved = [False]  # read and written under the compiler's lock


@contextlib.contextmanager
def moved() -> Iterator[None]:
    """A context in which the places of errors do not tell where the package lies, nor the line."""
    _moved[0] = True
    try:
        yield
    finally:
        _moved[0] = False


_noted: list[set[str]] = []


@contextlib.contextmanager
def noting() -> Iterator[set[str]]:
    """A context that gives the modules of all functions that are compiled in it."""
    _noted.append(set())
    try:
        yield _noted[-1]
    finally:
        _noted.pop()
