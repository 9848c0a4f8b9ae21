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

from gambito.native.entries import shortened


class _Place(NamedTuple):
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
            loc = _Place(loc._raw_function_name() or func_name, shortened(loc.filename), loc.line)
        super().return_user_exc(builder, exc, exc_args, loc or self.context.place, func_name)


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
    context.place = _Place(function.func_name, shortened(function.filename), function.firstlineno)


_noted: list[set[str]] = []


@contextlib.contextmanager
def noting() -> Iterator[set[str]]:
    """A context that gives the modules of all functions that are compiled in it."""
    _noted.append(set())
    try:
        yield _noted[-1]
    finally:
        _noted.pop()
