"""Machine code on disk: one file for each compiled function and signature, named after what it depends on.

The name of a file is a digest of the function, the types that it was compiled for (the type of a game holds
the digest of its rules), Gambito's sources, the compiler with its settings, and the processor. So a file is
never stale, only unused. A file contains its own checksum and is put in place in one step: a damaged or
half-written file counts as missing, and two processes that compile the same code at once write the same file
twice.

A file of machine code is a pickle, and reading it runs what it says. So the folders are made for this user
alone, and nothing is read from a folder that belongs to another user or that others may write to.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import importlib
import os
import pickle
import re
import stat
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from numba.core import config
from numba.core.compiler import CompileResult
from numba.core.runtime import rtsys
from numba.core.serialize import dumps

from gambito.native import linking
from gambito.native.digest import digest, source_digest
from gambito.native.files import NEW, put_file

_MAGIC = b"gambito machine code 1\n"
_KIND = b"gambito machine code "  # of every version
_VERSION_FOLDER = re.compile(r"[0-9a-f]{20}")
_OWN_FILE = re.compile(r".+-[0-9a-f]{32}\.code|.+\.data")
_UNFINISHED = re.compile(rf".+\.\w{{8}}{re.escape(NEW)}")
_PRIVATE = 0o700
_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


used: dict[str, Path] = {}  # the files that this process has read or written, by name


class CacheWarning(UserWarning):
    """Machine code could not be read or kept; the only cost is a compilation."""


def folder() -> Path:
    """The folder for machine code: `GAMBITO_CACHE`, or the user's cache folder."""
    chosen = os.environ.get("GAMBITO_CACHE")
    base = Path(chosen or os.environ.get("XDG_CACHE_HOME") or "~/.cache")
    try:
        base = base.expanduser()
    except RuntimeError as problem:  # no home folder
        raise NotADirectoryError(errno.ENOTDIR, f"{problem}; set GAMBITO_CACHE", str(base)) from None
    return base if chosen else base / "gambito"


def distrust() -> str:
    """Why code in the cache folder is not run; "" if only this user can have put it there."""
    return next(filter(None, map(_distrust, (folder(), folder() / source_digest()))), "")


def _distrust(path: Path) -> str:
    try:
        facts = path.stat()
    except OSError:
        return ""
    if os.name != "posix":
        return ""
    if facts.st_uid != os.geteuid():
        return f"{path} belongs to another user"
    return f"others may write to {path}" if facts.st_mode & _OTHERS_WRITE else ""


def _put(path: Path, body: bytes) -> None:
    """Write a file of the cache; its folders are for this user alone."""
    base = folder()
    base.parent.mkdir(parents=True, exist_ok=True)
    for place in (base, path.parent):
        place.mkdir(_PRIVATE, exist_ok=True)
    if not distrust():
        put_file(path, [_MAGIC, hashlib.sha256(body).digest(), body], lasting=False)
        used[path.name] = path


class Usage(NamedTuple):
    """The contents of the cache folder."""

    path: Path
    files: int
    bytes: int
    current: int  # files made by the current version of Gambito


def _own_files() -> Iterator[Path]:
    """The files that this module has written, by their names and their beginnings."""
    for place in sorted(folder().glob("*")):
        if _VERSION_FOLDER.fullmatch(place.name) and place.is_dir() and not place.is_symlink():
            for path in sorted(place.iterdir()):
                if path.is_symlink() or not path.is_file():
                    continue
                if _UNFINISHED.fullmatch(path.name) or (_OWN_FILE.fullmatch(path.name) and _is_own(path)):
                    yield path


def _is_own(path: Path) -> bool:
    try:
        with open(path, "rb") as file:
            return file.read(len(_KIND)) == _KIND
    except OSError:
        return False


def usage() -> Usage:
    files = [f for f in _own_files() if f.suffix == ".code"]
    current = sum(f.parent.name == source_digest() for f in files)
    return Usage(folder(), len(files), sum(f.stat().st_size for f in files), current)


def clear() -> int:
    """Remove all files that this module has kept, and nothing else; return how many held machine code."""
    count = 0
    for path in [*_own_files()]:
        with contextlib.suppress(OSError):
            path.unlink()
            count += path.suffix == ".code"
            path.parent.rmdir()  # when it is empty
    return count


class DiskCache:
    """The cache of one dispatcher, in place of Numba's own.

    It is active only between `open()` and `close()`: a function that is compiled as part of another one is
    already in that one's file.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self.name = f"{function.__module__}.{function.__qualname__}"
        self.is_open = False
        self.hits = 0

    @property
    def cache_path(self) -> str:
        return str(folder())

    def paths(self, signature: Any, context: Any, ways: tuple[str, ...]) -> list[Path]:
        """The files of code that is compiled in these ways (`linking`)."""
        reached = digest(self.function)  # Gambito's own functions are already in the digest of the sources
        target = (*context.codegen().magic_tuple(), repr(config.OPT), config.BOUNDSCHECK)
        facts = [(self.name, reached, str(signature), target, way) for way in ways]
        names = [hashlib.sha256(repr(fact).encode()).hexdigest()[:32] for fact in facts]
        return [folder() / source_digest() / f"{self.name.rpartition('.')[2]}-{n}.code" for n in names]

    def load_overload(self, signature: Any, context: Any) -> Any:
        if not self.is_open:
            return None
        try:
            reason = distrust()
            if reason:
                _warn(f"machine code on disk is not used: {reason}; make it private, or set GAMBITO_CACHE")
                return None
            paths = self.paths(signature, context, linking.ways())
            path = next(filter(Path.exists, paths), paths[0])
            text = path.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as problem:
            _warn(f"cannot read {problem.filename}: {problem.strerror}")
            return None
        body = text[len(_MAGIC) + 32 :]
        if (
            text[: len(_MAGIC)] != _MAGIC
            or hashlib.sha256(body).digest() != text[len(_MAGIC) : len(_MAGIC) + 32]
        ):
            _warn(f"damaged file {path}; compiling again")
            return None
        try:
            provide(context, body)
            found = CompileResult._rebuild(context, *pickle.loads(body))
        except Exception as problem:  # whatever a foreign file may raise, it is only a cache
            _warn(f"unusable file {path} ({problem}); compiling again")
            return None
        self.hits += 1
        used[path.name] = path
        # The types in the file equal the requested ones; a class defined in a script is another object.
        return found._replace(signature=found.signature.replace(args=tuple(signature)))

    def save_overload(self, signature: Any, compiled: Any) -> None:
        if not self.is_open:
            return
        reason = _passing(compiled.library)
        if reason:
            _warn(f"{self.name} is compiled in every process: {reason}")
            return
        try:
            body = dumps(compiled._reduce())
        except Exception as problem:
            _warn(f"cannot keep {self.name}: {problem}")
            return
        try:
            (path,) = self.paths(signature, compiled.target_context, (linking.way_of(compiled),))
            _put(path, body)
        except OSError as problem:
            _warn(f"cannot keep machine code in {problem.filename or 'its folder'}: {problem.strerror}")

    def open(self) -> None:
        self.is_open = True

    def close(self) -> None:
        self.is_open = False


def kept(name: str) -> bytes | None:
    """What `keep` has stored under a name; None if it is missing or damaged, or may be somebody else's."""
    try:
        if distrust():
            return None
        text = (folder() / source_digest() / f"{name}.data").read_bytes()
    except OSError:
        return None
    body = text[len(_MAGIC) + 32 :]
    if text[: len(_MAGIC) + 32] != _MAGIC + hashlib.sha256(body).digest():
        return None
    used[f"{name}.data"] = folder() / source_digest() / f"{name}.data"
    return body


def has_code(name: str) -> bool:
    """Is there a file with the name that another process of this version has in `used`?"""
    return (folder() / source_digest() / name).exists()


def put_code(name: str, text: bytes) -> None:
    """Write such a file, of which another process has sent the contents; a damaged one counts as missing."""
    if _OWN_FILE.fullmatch(name) and os.path.basename(name) == name and text.startswith(_MAGIC):
        _put(folder() / source_digest() / name, text[len(_MAGIC) + 32 :])


def keep(name: str, body: bytes) -> None:
    """Store a result that is slow to compute, beside the machine code; if that fails, it is recomputed."""
    path = folder() / source_digest() / f"{name}.data"
    with contextlib.suppress(OSError):
        _put(path, body)


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


def _warn(text: str) -> None:
    warnings.warn(text, CacheWarning, stacklevel=2)
