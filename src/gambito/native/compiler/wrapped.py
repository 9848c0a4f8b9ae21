"""Machine code as Numba keeps it: for functions that only Numba's own wrapper can call.

A file is a pickle with machine code and intermediate code; to read it, Numba is needed.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import pickle
from collections.abc import Callable, Iterator
from typing import Any

from numba.core import config
from numba.core.compiler import CompileResult
from numba.core.runtime import rtsys
from numba.core.serialize import dumps

from gambito.native import cache
from gambito.native.compiler import linking
from gambito.native.digest import digest
from gambito.words import say


class DiskCache:
    """The cache of one dispatcher, in place of Numba's own.

    It is active only inside `opened()`: a function that is compiled as part of another one is already in that
    one's file.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self.name = f"{function.__module__}.{function.__qualname__}"
        self.is_open = False
        self._hits = 0

    @property
    def cache_path(self) -> str:
        return str(cache.folder())

    @contextlib.contextmanager
    def opened(self) -> Iterator[None]:
        self.is_open = True
        try:
            yield
        finally:
            self.is_open = False

    def take_hits(self) -> int:
        """How many files were found since this was asked last."""
        hits, self._hits = self._hits, 0
        return hits

    def _names(self, signature: Any, context: Any, ways: tuple[str, ...]) -> list[str]:
        """The files of code that is compiled in these ways (`linking`)."""
        reached = digest(self.function)  # Gambito's own functions are already in the digest of the sources
        target = (*context.codegen().magic_tuple(), repr(config.OPT), config.BOUNDSCHECK)
        facts = [(self.name, reached, str(signature), target, way) for way in ways]
        digests = [hashlib.sha256(repr(fact).encode()).hexdigest()[:32] for fact in facts]
        return [f"{self.name.rpartition('.')[2]}-{known}.code" for known in digests]

    def load_overload(self, signature: Any, context: Any) -> Any:
        if not self.is_open:
            return None
        names = self._names(signature, context, linking.ways())
        name = next(filter(cache.has_code, names), names[0])
        body = cache.load(name)
        if body is None:
            return None
        try:
            provide(context, body)
            found = CompileResult._rebuild(context, *pickle.loads(body))
        except Exception as problem:  # whatever a foreign file may raise, it is only a cache
            cache.warn(say("unusable file {} ({}); compiling again", cache.place_of(name), problem))
            return None
        self._hits += 1
        # The types in the file equal the requested ones; a class defined in a script is another object.
        return found._replace(signature=found.signature.replace(args=tuple(signature)))

    def save_overload(self, signature: Any, compiled: Any) -> None:
        if not self.is_open:
            return
        reason = _passing(compiled.library)
        if reason:
            cache.warn(say("{} is compiled in every process: {}", self.name, reason))
            return
        try:
            body = dumps(compiled._reduce())
        except Exception as problem:
            cache.warn(say("cannot keep {}: {}", self.name, problem))
            return
        (name,) = self._names(signature, compiled.target_context, (linking.way_of(compiled),))
        cache.save(name, body)


def _passing(library: Any) -> str:
    """Why machine code can be used in this process only; "" if it can be kept."""
    if library.has_dynamic_globals:
        return "the rules read an array that is larger than 1 MB, or not contiguous"
    # Numba resolves this when it compiles, but not when it loads.
    if any(v.name.startswith(".numba.unresolved$") for v in library._final_module.global_variables):
        return "some of the functions call each other in a circle"
    return ""


def provide(context: Any, code: bytes) -> None:
    """Declare what kept code may call: Numba declares both when it compiles, and here nothing is compiled."""
    rtsys.initialize(context)
    if b"_numba_hashsecret" in code:
        importlib.import_module("numba.cpython.hashing")
