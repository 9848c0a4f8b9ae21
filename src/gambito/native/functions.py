"""`@native`: one source, two gears.

A native function runs compiled if its first argument is a `Constant`, and as plain Python for any other
object. Compiled code is first looked up on disk.
"""

from __future__ import annotations

import contextlib
import functools
import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import numpy as np
from numba import njit, typeof, types
from numba.extending import typeof_impl

from gambito.errors import CompileError
from gambito.native.bounds import compiling
from gambito.native.cache import DiskCache
from gambito.native.linking import is_callable, link_once
from gambito.native.objects import _JIT, Constant, forget_helpers
from gambito.native.templates import shorter
from gambito.native.values import conform, loses_type
from gambito.words.sentence import Sentence

_clock = threading.local()  # `spent`: the seconds that each thread has compiled
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


_way: list[Callable[..., Any]] = [shorter]


def _shorter(dispatcher: Any, signature: Any) -> Any:
    return _way[0](dispatcher, signature)


def shorten(way: Callable[..., Any]) -> None:
    """Have functions compiled in another way than by the templates of the package, if it gives a result."""
    _way[0] = way


class native:  # lower case, as it is a decorator
    """A function of a game, in both gears."""

    def __init__(self, function: Callable[..., Any]) -> None:
        functools.update_wrapper(self, function)
        self.plain = function
        self.dispatcher = njit(**_JIT)(function)
        self.cache = DiskCache(function)
        self.dispatcher._cache = self.cache
        self.entries: dict[Any, Any] = {}  # compiled functions by a quick key of their arguments
        compiler = self.dispatcher._compiler
        compiler.fold_argument_types = _without_literals(compiler.fold_argument_types)
        link_once(self.dispatcher, forget_helpers, _shorter)

    def __call__(self, first: Any, *args: Any) -> Any:
        if not isinstance(first, Constant):
            return self.plain(first, *args)
        kind = _kind((first, *args))
        entry = self.entries.get(kind) if kind is not None else None
        if entry is None:
            self.prepare(first, *args)
            compiled = self.dispatcher.overloads[tuple(typeof(a) for a in (first, *args))]
            returned = _unliteral(compiled.signature.return_type)
            entry = compiled.entry_point, returned if loses_type(returned) else None
            if kind is not None:
                self.entries[kind] = entry
        function, cast_to = entry
        answer = function(first, *args)
        return answer if cast_to is None else conform(answer, cast_to)

    def prepare(self, *args: Any) -> float:
        """Prepare machine code for these arguments; return the seconds that took."""
        signature = tuple(typeof(a) for a in args)
        if self._is_ready(signature):
            return 0.0
        with _around(self.plain.__name__), compiling(args[0].is_checked):
            if self._is_ready(signature):  # another thread was first
                return 0.0
            began = time.perf_counter()
            self.dispatcher.overloads.pop(signature, None)  # compiled as a part of another function
            self.cache.open()
            try:
                self.dispatcher.compile(signature)
            except Exception as problem:  # Numba has its own errors, and also raises all others
                raise CompileError(_sentence(self.plain.__name__, problem)) from problem
            finally:
                self.cache.close()
                took = time.perf_counter() - began
                add_compile_seconds(took)
        return took

    def _is_ready(self, signature: tuple[types.Type, ...]) -> bool:
        compiled = self.dispatcher.overloads.get(signature)
        return compiled is not None and is_callable(compiled)


def _kind(args: tuple[Any, ...]) -> Any:
    """A quick key for the compiled types of arguments; None if a quick look is not enough."""
    kinds: list[Any] = []
    for arg in args:
        if isinstance(arg, Constant):
            kinds.append(arg.identity)  # not the constant: it would live as long as the code
        elif isinstance(arg, tuple):
            kinds += [type(arg), *(part if isinstance(part, Constant) else type(part) for part in arg)]
            if np.ndarray in kinds or tuple in kinds:
                return None
        else:
            kinds.append(type(arg))
    return tuple(kinds)


def _unliteral(kind: types.Type) -> types.Type:
    """The type of a result without literals, as of a function that returns `state, True`."""
    if isinstance(kind, types.BaseTuple) and not isinstance(kind, types.BaseNamedTuple):
        return types.BaseTuple.from_types(tuple(map(_unliteral, kind.types)))
    return types.unliteral(kind)


def _without_literals(fold: Callable[..., Any]) -> Callable[..., Any]:
    """Numba specialises a call with a literal (`search(game, 3)`); here a recursion has one signature."""

    def folded(args: Any, kws: Any) -> Any:
        signature, kinds = fold(args, kws)
        return signature, tuple(types.unliteral(kind) for kind in kinds)

    return folded


@typeof_impl.register(native)
def _typeof_native(function: native, context: Any) -> types.Type:
    return types.Dispatcher(function.dispatcher)


_GENERAL = (
    "During",
    "File ",
    "Failed in",
    "raised from",
    "There are",
    "Resolution failure",
    "None",
    ">>>",
    "^",
)


def _sentence(name: str, problem: Exception) -> Sentence:
    """The innermost cause that Numba names, in one line, with its place in the rules."""
    lines = [line.strip().removeprefix("- ") for line in str(problem).splitlines()]
    causes = [line for line in lines if line and not line.startswith(_GENERAL)]
    places = [line[5:].rstrip(":") for line in lines if line.startswith("File ")]
    cause = causes[0] if causes else "unknown cause"
    calls = [line.removeprefix(">>> ") for line in lines if line.startswith(">>>")]
    if cause.endswith(":") and calls:
        cause = f"{cause} {calls[0]}"
    if places:
        return Sentence("{} cannot be compiled: {} ({})", name, cause, places[0])
    return Sentence("{} cannot be compiled: {}", name, cause)
