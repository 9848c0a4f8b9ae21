"""Machine code as shared libraries on disk: found by what it was compiled for, loaded by the system.

A library is named after a digest of the function, the kinds of its arguments (that of a game holds the
digest of its rules), the processor and the settings of the compiler; its folder after Gambito's sources. It
ends with a description of what the function returns. How a library is made is not known here.
"""

from __future__ import annotations

import ctypes
import hashlib
import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from gambito.native import cache, kinds
from gambito.native.entries import Entry
from gambito.native.kinds import ConstantKind, Kind
from gambito.native.objects import known_constant
from gambito.native.processor import processor, settings
from gambito.words import say

_SYMBOL, _SUFFIX = "entry", ".so"
_SIZE = 4  # the bytes at the end that tell the length of the description

is_allowed = True  # tests compare with Numba's own way
has_templates = True  # and with code that is compiled as a whole
_loaded: dict[tuple[Path, bytes], Any] = {}  # libraries by their place and the checksum of their contents
_in_memory: list[int] = []  # files in memory, kept open: their numbers are the names of their libraries


class LibraryFailed(Exception):
    """A library could not be made this time."""


def name_of(function: str, reached: str, given: Iterable[Kind]) -> str:
    """The name of the file of a function, which reaches what has this digest, for these arguments."""
    facts = (key_of(function, reached, given), processor(), settings(), has_templates)
    known = hashlib.sha256(repr(facts).encode()).hexdigest()[:32]
    return f"{function.rpartition('.')[2]}-{known}{_SUFFIX}"


def key_of(function: str, reached: str, given: Iterable[Kind]) -> str:
    """The same without the processor and the settings: the name of code that is made for many processors."""
    facts = (function, reached, [kind.lasting for kind in given])
    return hashlib.sha256(repr(facts).encode()).hexdigest()[:32]


def find(name: str, given: tuple[Kind, ...]) -> Entry | None:
    """The entry of a library on disk; None if there is none that can be used."""
    body = cache.load(name)
    if body is None:
        return None
    try:
        return open_library(cache.place_of(name), body, given)
    except (OSError, ValueError, TypeError, AttributeError) as problem:
        cache.warn(say("unusable file {} ({}); compiling again", cache.place_of(name), problem))
        return None


def keep(name: str, given: tuple[Kind, ...], image: bytes, returned: Kind) -> Entry:
    """Write a library to disk and load it; if it cannot be written, it is loaded from memory."""
    body = pack(image, returned)
    path = cache.save(name, body)
    # A file that was loaded from there before has been damaged or removed meanwhile.
    if path is not None and not any(known == path for known, _ in _loaded):
        return open_library(path, body, given)
    library = _library_in_memory(body)
    if path is not None:
        _loaded[path, hashlib.sha256(body).digest()] = library
    return _entry(body, library, given)


def refuse(name: str) -> None:
    """Remember that there can be no such library, so that the next process does not try to make it."""
    cache.keep(name.removesuffix(_SUFFIX), b"no library")


def is_refused(name: str) -> bool:
    return cache.kept(name.removesuffix(_SUFFIX)) is not None


def pack(image: bytes, returned: Kind) -> bytes:
    """A library with the description of what its function returns."""
    described = json.dumps(kinds.to_json(returned)).encode()
    return image + described + len(described).to_bytes(_SIZE, "little")


def open_library(path: Path, body: bytes, given: tuple[Kind, ...]) -> Entry:
    """The entry of a library at a path, which has these contents."""
    return _entry(body, _library(path, body), given)


def _entry(body: bytes, library: Any, given: tuple[Kind, ...]) -> Entry:
    size = int.from_bytes(body[-_SIZE:], "little")
    facts = json.loads(body[-_SIZE - size : -_SIZE])
    return Entry(library[_SYMBOL], given, kinds.from_json(facts, _near(given)))


def _near(given: tuple[Kind, ...]) -> list[Kind]:
    """The kinds in which the class of a returned state is found: those of arguments, and of rules."""
    near = list(given)
    for kind in given:
        constant = known_constant(kind.label, kind.key) if isinstance(kind, ConstantKind) else None
        if constant is not None:
            near += [*constant.returns.values(), *constant.yields.values()]
    return near


def _library(path: Path, body: bytes) -> Any:
    """Load a library, or find it among those that are loaded.

    The system takes a file for the one that it has loaded from the same path. If its contents have changed
    since, it is loaded from memory.
    """
    check = hashlib.sha256(body).digest()
    if (path, check) not in _loaded:
        if any(known == path for known, _ in _loaded):
            _loaded[path, check] = _library_in_memory(body)
        else:
            try:
                _loaded[path, check] = ctypes.CDLL(str(path))
            except OSError:  # such as a disk from which nothing may be run
                _loaded[path, check] = _library_in_memory(body)
    return _loaded[path, check]


def _library_in_memory(body: bytes) -> Any:
    handle = os.memfd_create("gambito")
    with open(handle, "wb", closefd=False) as file:
        file.write(body)
    _in_memory.append(handle)
    return ctypes.CDLL(f"/proc/self/fd/{handle}")
