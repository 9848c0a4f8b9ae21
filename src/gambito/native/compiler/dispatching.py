"""Native functions for Numba: a dispatcher for each, and what is compiled with it.

A function becomes a library if its arguments and its result can be passed without Numba. Any other one gets
Numba's own wrapper for Python and is kept as Numba writes it (`wrapped.py`).
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

from numba import njit, typeof, types
from numba.core.errors import NumbaError
from numba.extending import typeof_impl

from gambito.errors import CompileError
from gambito.native import libraries

# What compiled code may use is declared to Numba when these are imported.
from gambito.native.compiler import (  # noqa: F401
    atomic,
    bits,
    causes,
    clock,
    generators,
    lanes,
    neighbours,
    prefetch,
    raw,
    scratch,
    spans,
    store,
    wide,
)
from gambito.native.compiler.bounds import compiling
from gambito.native.compiler.emitting import Machine, emit, host
from gambito.native.compiler.linking import CompileWarning, collect, is_callable, link_once
from gambito.native.compiler.objects import JIT, forget_helpers, without_literals
from gambito.native.compiler.templates import from_template
from gambito.native.compiler.types import kind_of_type, numba_type
from gambito.native.compiler.wrapped import DiskCache
from gambito.native.elf import LinkError
from gambito.native.entries import held
from gambito.native.functions import native
from gambito.native.kinds import ConstantKind, Kind, Tuple
from gambito.native.libraries import LibraryFailed
from gambito.native.values import conform
from gambito.words import say


def new_dispatcher(function: Callable[..., Any]) -> Any:
    """The dispatcher of a native function."""
    dispatcher = njit(**JIT)(function)
    dispatcher._cache = DiskCache(function)
    without_literals(dispatcher)
    link_once(dispatcher, forget_helpers)
    return dispatcher


def compile_library(function: native, given: tuple[Kind, ...]) -> tuple[bytes, Kind] | None:
    """The library of a function for arguments of these kinds and this processor, and the kind of its result.

    None if only Numba can call it: the result has an array, or the code needs more than the system gives.
    Raise LibraryFailed for anything that is not the function's fault.
    """
    made = compile_libraries(function, given, [host()])
    return None if made is None else (made[0][0], made[1])


def compile_libraries(
    function: native, given: tuple[Kind, ...], machines: list[Machine]
) -> tuple[list[bytes], Kind] | None:
    """The same for several processors."""
    signature = tuple(map(numba_type, given))
    first = given[0]
    assert isinstance(first, ConstantKind)
    with compiling(first.is_checked):
        try:
            made = from_template(function.dispatcher, signature) if libraries.has_templates else None
            made = made or collect(function.dispatcher, signature)
        except NumbaError as problem:
            raise CompileError(causes.sentence(function.plain.__name__, problem, first)) from None
        except MemoryError:
            raise
        except Exception as problem:  # if it is the rules' fault, Numba's own way will meet it again
            raise LibraryFailed from problem
        returned = kind_of_type(made.returned)
        if returned is None or held(returned) is None:
            return None
        try:
            module = made.module()
            return [emit(module, made.name, machine) for machine in machines], returned
        except LinkError:
            return None
        except Exception as problem:
            cause = str(problem).partition("\n")[0] or type(problem).__name__
            warnings.warn(
                say("no library can be made, so every start takes longer: {}", cause), CompileWarning, 2
            )
            raise LibraryFailed from problem


def wrapped(function: native, args: tuple[Any, ...]) -> Wrapped:
    """A function with Numba's own wrapper, compiled or found on disk."""
    dispatcher, signature = function.dispatcher, tuple(typeof(arg) for arg in args)
    with compiling(args[0].is_checked):
        compiled = dispatcher.overloads.get(signature)
        if compiled is None or not is_callable(compiled):
            dispatcher.overloads.pop(signature, None)  # compiled as a part of another function
            with dispatcher._cache.opened():
                try:
                    dispatcher.compile(signature)
                except MemoryError:
                    raise
                except Exception as problem:  # Numba has its own errors, and also raises all others
                    told = causes.sentence(function.plain.__name__, problem, args[0].kind)
                    raise CompileError(told) from None
            function.hits += dispatcher._cache.take_hits()
        compiled = dispatcher.overloads[signature]
    return Wrapped(compiled)


class Wrapped:
    """A compiled function that Numba's wrapper calls."""

    def __init__(self, compiled: Any) -> None:
        self.returned = kind_of_type(compiled.signature.return_type)
        self._entry = compiled.entry_point

    def __call__(self, *args: Any) -> Any:
        answer = self._entry(*args)
        return conform(answer, self.returned) if isinstance(self.returned, Tuple) else answer


@typeof_impl.register(native)
def _typeof_native(function: native, context: Any) -> types.Type:
    return types.Dispatcher(function.dispatcher)
