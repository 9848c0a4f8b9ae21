"""`@native`: one source, two gears.

A native function runs compiled if its first argument is a `Constant`, and as plain Python for any other
object. Compiled code is first looked up on disk. The compiler is loaded if it is not there.
"""

from __future__ import annotations

import contextlib
import functools
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any

import numpy as np

from gambito.native import libraries, shipped
from gambito.native.digest import digest, lasting_name
from gambito.native.entries import fits_int64, kind_of
from gambito.native.kinds import Kind
from gambito.native.objects import Constant
from gambito.native.processor import has_libraries
from gambito.native.progress import compiling
from gambito.native.values import layout_of

_clock = threading.local()  # `spent`: the seconds that each thread has compiled; `is_finding`
_around: Callable[[str], AbstractContextManager[Any]] = contextlib.nullcontext


def watch_compilation(around: Callable[[str], AbstractContextManager[Any]]) -> None:
    """Have every compilation run inside `around(name)`, where a program can show what it waits for."""
    global _around
    _around = around


def compile_seconds() -> float:
    """The seconds that this thread has spent compiling, or loading code that was compiled before.

    A thread that waits while another one compiles for both does not count them again.
    """
    return getattr(_clock, "spent", 0.0)


def add_compile_seconds(seconds: float) -> None:
    """Count seconds that a helping thread has compiled for this one."""
    _clock.spent = compile_seconds() + seconds


class NotCompiled(Exception):
    """There is no machine code on disk, in a context in which nothing is compiled."""


@contextlib.contextmanager
def finding() -> Iterator[None]:
    """A context in which this thread compiles nothing: what is not on disk raises NotCompiled."""
    before, _clock.is_finding = is_finding(), True
    try:
        yield
    finally:
        _clock.is_finding = before


def is_finding() -> bool:
    return getattr(_clock, "is_finding", False)


class native:  # lower case, as it is a decorator
    """A function of a game, in both gears."""

    def __init__(self, function: Callable[..., Any]) -> None:
        functools.update_wrapper(self, function)
        self.plain = function
        self.name = lasting_name(function)
        self.entries: dict[Any, Callable[..., Any]] = {}  # compiled functions by a key of their arguments
        self.hits = 0  # how many of them were found on disk

    @functools.cached_property
    def dispatcher(self) -> Any:
        """The function for Numba, which is loaded only when something must be compiled."""
        from gambito.native.compiler.dispatching import new_dispatcher

        return new_dispatcher(self.plain)

    def __call__(self, first: Any, *args: Any) -> Any:
        if not isinstance(first, Constant):
            return self.plain(first, *args)
        entry = self.entries.get(_kind((first, *args)))
        if entry is None:
            self.prepare(first, *args)
            entry = self.entries[_kind((first, *args))]
        return entry(first, *args)

    def prepare(self, *args: Any) -> float:
        """Prepare machine code for these arguments; return the seconds that took."""
        key = _kind(args)
        if key in self.entries:
            return 0.0
        with _around(self.plain.__name__), _preparing:
            if key in self.entries:  # another thread was first
                return 0.0
            began = time.perf_counter()
            try:
                self.entries[key] = self._entry(args)
            finally:
                took = time.perf_counter() - began
                add_compile_seconds(took)
        return took

    def _entry(self, args: tuple[Any, ...]) -> Callable[..., Any]:
        """The compiled function for these arguments: from disk, else compiled as a library, else by Numba."""
        try:
            given = tuple(map(kind_of, args))
        except TypeError:  # what only Numba can pass
            return self._wrapped(args)
        if not has_libraries() or not libraries.is_allowed:
            return self._wrapped(args)
        reached = digest(self.plain)  # Gambito's own functions are in the digest of the sources
        name, key = (make(self.name, reached, given) for make in (libraries.name_of, libraries.key_of))
        if provider[0] is not None:
            return provider[0](self, key, given) or self._wrapped(args)
        found = shipped.find(key, given) or libraries.find(name, given)
        if found is not None:
            self.hits += 1
            return found
        if libraries.is_refused(name) or is_finding():
            return self._wrapped(args)
        from gambito.native.compiler.dispatching import compile_library

        try:
            with compiling(self.name):
                made = compile_library(self, given)
        except libraries.LibraryFailed:
            return self._wrapped(args)
        if made is None:
            libraries.refuse(name)
            return self._wrapped(args)
        return libraries.keep(name, given, *made)

    def _wrapped(self, args: tuple[Any, ...]) -> Callable[..., Any]:
        """The compiled function as Numba calls it, for what cannot be a library."""
        if is_finding():
            raise NotCompiled(self.name)
        from gambito.native.compiler.dispatching import wrapped

        return wrapped(self, args)


# Instead of looking on disk, a builder of packages provides the code of a function for a key and kinds.
provider: list[Callable[[native, str, tuple[Kind, ...]], Callable[..., Any] | None] | None] = [None]
_preparing = threading.RLock()  # one thread at a time loads or compiles


def _kind(args: tuple[Any, ...]) -> Any:
    """A quick key for the kinds of arguments."""
    kinds: list[Any] = []
    for arg in args:
        if isinstance(arg, Constant):
            kinds.append(arg.identity)  # not the constant: it would live as long as the code
        elif isinstance(arg, tuple):
            kinds += [type(arg), _kind(arg)]
        elif isinstance(arg, np.ndarray):
            kinds += [arg.dtype, arg.ndim, layout_of(arg), arg.flags.writeable, arg.flags.aligned]
        else:
            kinds.append(type(arg) if type(arg) is not int or fits_int64(arg) else "large")
    return tuple(kinds)
