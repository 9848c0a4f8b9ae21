"""Machine code on disk: one file for each compiled function and signature, found by what it depends on.

A file's name is a digest of the function, the types it was compiled for (a game's type holds the digest of
its rules), Gambito's sources, the compiler's version and the processor, so a file is never stale, only
unused. A file holds its own checksum and is put in place in one step: a damaged or half-written one counts
as missing, and two processes that compile the same thing at once write the same file twice.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import shutil
import tempfile
import warnings
from pathlib import Path
from typing import Any, NamedTuple

from numba.core import config
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

from gambito.native.digest import source_digest

_MAGIC = b"gambito machine code 1\n"


class CacheWarning(UserWarning):
    """Machine code could not be read or kept; it costs a compilation, nothing else."""


def folder() -> Path:
    """Where machine code is kept: `GAMBITO_CACHE`, or the user's cache folder."""
    chosen = os.environ.get("GAMBITO_CACHE")
    if chosen:
        return Path(chosen).expanduser()
    base = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(base).expanduser() / "gambito"


class Usage(NamedTuple):
    """What the cache folder holds."""

    path: Path
    files: int
    bytes: int
    current: int  # files made by this very version of Gambito


def usage() -> Usage:
    files = [f for f in folder().glob("*/*.code") if f.is_file()]
    current = sum(f.parent.name == source_digest() for f in files)
    return Usage(folder(), len(files), sum(f.stat().st_size for f in files), current)


def clear() -> int:
    """Remove all kept machine code; returns how many files there were."""
    count = usage().files
    for sub in folder().glob("*"):
        if sub.is_dir() and any(sub.glob("*.code")):
            shutil.rmtree(sub, ignore_errors=True)
    return count


class DiskCache:
    """The cache of one dispatcher, in the place of Numba's own.

    It answers only between `open()` and `close()`: a function compiled as part of another one is inside
    that one's file already.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.is_open = False
        self.hits = 0

    @property
    def cache_path(self) -> str:
        return str(folder())

    def path(self, signature: Any, context: Any) -> Path:
        facts = (self.name, str(signature), context.codegen().magic_tuple(), config.BOUNDSCHECK)
        name = hashlib.sha256(repr(facts).encode()).hexdigest()[:32]
        return folder() / source_digest() / f"{self.name.rpartition('.')[2]}-{name}.code"

    def load_overload(self, signature: Any, context: Any) -> Any:
        if not self.is_open:
            return None
        path = self.path(signature, context)
        try:
            text = path.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as problem:
            _warn(f"cannot read {path}: {problem.strerror}")
            return None
        body = text[len(_MAGIC) + 32 :]
        if (
            text[: len(_MAGIC)] != _MAGIC
            or hashlib.sha256(body).digest() != text[len(_MAGIC) : len(_MAGIC) + 32]
        ):
            _warn(f"damaged file {path}; compiling again")
            return None
        try:
            found = CompileResult._rebuild(context, *pickle.loads(body))
        except Exception as problem:  # whatever a file of another world may raise, it is only a cache
            _warn(f"unusable file {path} ({problem}); compiling again")
            return None
        self.hits += 1
        # The types in the file are equal to those asked for; a class defined in a script is not the same.
        return found._replace(signature=found.signature.replace(args=tuple(signature)))

    def save_overload(self, signature: Any, compiled: Any) -> None:
        if not self.is_open or compiled.library.has_dynamic_globals:
            return
        path = self.path(signature, compiled.target_context)
        body = dumps(compiled._reduce())
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=path.parent, suffix=".part")
            with os.fdopen(handle, "wb") as file:
                file.write(_MAGIC + hashlib.sha256(body).digest() + body)
            os.replace(name, path)
        except OSError as problem:
            _warn(f"cannot keep machine code in {path.parent}: {problem.strerror}")

    def open(self) -> None:
        self.is_open = True

    def close(self) -> None:
        self.is_open = False


def _warn(text: str) -> None:
    warnings.warn(text, CacheWarning, stacklevel=2)
