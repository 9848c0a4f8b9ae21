"""A digest of everything that a piece of compiled code depends on.

Numba's disk cache checks only the bytecode of one function and the date of one file. Here the digest of a
function covers everything that it reaches: its code and constants, the helpers that it calls in any file, and
the tables and numbers that they read. Comments and line numbers do not count, nor does the name of an
author's module: a file is the same whether it is imported, run, or loaded by its path.
"""

from __future__ import annotations

import dataclasses
import dis
import functools
import hashlib
import importlib.util
import itertools
import os
import platform
import sys
import time
import types as python
from collections import ChainMap
from collections.abc import Iterable, Mapping
from enum import Enum
from pathlib import Path
from typing import Any

import numpy as np

from gambito.native import trees

# Folders of the package without compiled code of their own, as the public face has none. The rules of a game
# are in the game's digest, and functions about poker each in their own.
_WITHOUT_CODE = "words jobs poker games books draw players learn exercises protocols web cli"
UNCOMPILED = frozenset(_WITHOUT_CODE.split())
# Packages whose functions are identified by name: their versions are in the digest of the sources. What the
# standard library caches, such as regular expressions, does not count.
_LIBRARIES = frozenset({"numpy", "numba", "llvmlite", *sys.stdlib_module_names})
_PACKAGE = __package__.partition(".")[0]
_GENERATED = "<string>"  # the file of methods that a library has written, as those of a dataclass
LOADED = time.time()  # when this process began to load Gambito


@functools.cache
def source_digest() -> str:
    """The digest of Gambito's sources and of the compiler: a change in either recompiles everything."""
    known = hashlib.sha256()
    known.update(repr((compiler_version(), *run_by())).encode())
    known.update(compiled_sources().encode())
    return known.hexdigest()[:20]


@functools.cache
def compiled_sources() -> str:
    """The digest of the sources alone, without the rules of games."""
    package = Path(__file__).resolve().parent.parent
    known, folders = hashlib.sha256(), [f"{p.name}/" for p in package.iterdir() if p.is_dir()]
    folders = [folder for folder in folders if folder[:-1] not in UNCOMPILED]
    for folder in sorted(folders):
        for place in sorted(_sources(str(package / folder), folder)):
            with open(package / place, "rb") as file:
                known.update(place.encode() + b"\0" + file.read() + b"\0")
    return known.hexdigest()[:20]


def _sources(folder: str, name: str) -> Iterable[str]:
    """The Python files in a folder and below, by their places in the package."""
    with os.scandir(folder) as found:
        for each in found:
            if each.name.endswith(".py"):
                yield name + each.name
            elif each.name != "__pycache__" and each.is_dir():
                yield from _sources(each.path, f"{name}{each.name}/")


def run_by() -> list[list[str]]:
    """The versions of Python and of NumPy, without the last number, which changes no code."""
    return [version.split(".")[:2] for version in (platform.python_version(), np.__version__)]


@functools.cache
def compiler_version() -> str:
    """The versions of Numba and LLVM, which are read without loading them; "" if they are not there."""
    found = []
    for name in ("numba", "llvmlite"):
        spec = importlib.util.find_spec(name)
        place = Path(spec.origin).parent / "_version.py" if spec and spec.origin else None
        found.append(hashlib.sha256(place.read_bytes()).hexdigest() if place and place.exists() else "")
    return " ".join(found)


def digest(*roots: Any) -> str:
    """The digest of the given functions, classes and values, and of everything that they reach."""
    walk = _Walk()
    for root in roots:
        walk.value(root)
    return walk.known.hexdigest()[:20]


def lasting_digest(names: Iterable[str], attributes: Mapping[str, Any]) -> str:
    """The digest of the attributes with these names, and of all others that the code in them mentions.

    It is the same in every version of Python, where the source of the functions can be read.
    """
    walk, done = _LastingWalk(), set[str]()
    waiting = sorted(attributes.keys() & set(names))
    while waiting:
        for name in waiting:
            walk.put("attribute", name)
            walk.value(attributes[name])
        done.update(waiting)
        waiting = sorted((attributes.keys() & walk.names) - done)
    return walk.known.hexdigest()[:20]


def lasting_name(kind: Any) -> str:
    """The name of a class or function; of those of an author, without the module, which may have any name."""
    module, name = str(kind.__module__), str(kind.__qualname__)
    return f"{module}.{name}" if _is_library(kind) or module.partition(".")[0] == _PACKAGE else name


def class_items(kind: type, stop: type) -> Iterable[tuple[str, Any]]:
    """The attributes that `kind` and its bases define, the nearest definition of each name.

    What `stop` and the bases of `stop` define does not count.
    """
    seen: set[str] = set()
    for base in kind.__mro__:
        if base in stop.__mro__:
            continue
        for name, value in sorted(vars(base).items()):
            if name not in seen and not (name.startswith("__") and name.endswith("__")):
                seen.add(name)
                yield name, value


class _Walk:
    """Feeds a hash with everything reachable, each object once."""

    def __init__(self) -> None:
        self.known = hashlib.sha256()
        self.seen: dict[int, tuple[int, Any]] = {}  # objects are kept alive, so that their ids stay unique
        self.names: set[str] = set()  # every name that the code so far mentions

    def put(self, *facts: Any) -> None:
        for fact in facts:
            self.known.update(repr(fact).encode() + b"\0")

    def value(self, value: Any) -> None:
        if value is None or isinstance(value, bool | int | float | complex | str | bytes):
            self.put(type(value).__name__, value)
            return
        if isinstance(value, np.generic):
            self.put(value.dtype.str, value.tobytes())
            return
        if id(value) in self.seen:
            self.put("seen", self.seen[id(value)][0])
            return
        self.seen[id(value)] = (len(self.seen), value)
        self._object(value)

    def _object(self, value: Any) -> None:
        plain = getattr(value, "plain", value)  # a @native function
        if _is_library(value):
            self.put(value.__module__, value.__name__)
        elif isinstance(plain, python.FunctionType):
            self.function(plain)
        elif isinstance(getattr(value, "py_func", None), python.FunctionType):  # compiled by Numba itself
            self.put(value.targetoptions)
            self.function(value.py_func)
        elif isinstance(value, staticmethod | classmethod):
            self.value(value.__func__)
        elif isinstance(value, property):
            self.value(value.fget)
        elif isinstance(value, tuple | list):
            self.put(type(value).__name__, len(value))
            for item in value:
                self.value(item)
        elif isinstance(value, set | frozenset):
            self.put(type(value).__name__, sorted(map(repr, value)))
        elif isinstance(value, dict):
            self.put("dict", len(value))
            for key, item in value.items():
                self.value(key)
                self.value(item)
        elif isinstance(value, np.ndarray):
            self.put("array", value.dtype.str, value.shape)
            self.known.update(np.ascontiguousarray(value).tobytes())
        elif isinstance(value, type):
            self.put("class", lasting_name(value), getattr(value, "_fields", None))
            self.put(sorted((n, str(t)) for n, t in getattr(value, "__annotations__", {}).items()))
            if issubclass(value, Enum):
                self.value([(n, member.value) for n, member in value.__members__.items()])
            else:
                self.methods(value)
        elif isinstance(value, python.ModuleType):
            if value.__name__.partition(".")[0] in _LIBRARIES or not getattr(value, "__file__", None):
                self.put("module", value.__name__)
            else:
                self.put("module")
                self.known.update(Path(str(value.__file__)).read_bytes())
        elif hasattr(value, "digested"):  # the object says what counts
            self.value(value.digested)
        elif getattr(value, "__dict__", None) and "__repr__" not in _defined(type(value)):
            self.value(type(value))  # its repr would say only where it is; its attributes say what it is
            self.value(vars(value))
        else:  # a repr with an address differs in each process: compiled again, never stale
            self.put(lasting_name(type(value)), value)

    def methods(self, kind: type) -> None:
        """The functions of a class and of its bases, which objects of the class may call."""
        for base in kind.__mro__:
            if _is_library(base) or _is_in_sources(base):
                continue
            for name, value in sorted(vars(base).items()):
                plain = getattr(value, "fget", getattr(value, "__func__", value))
                # What a library has put into the class, as `NamedTuple` does, is of another module.
                is_own = isinstance(plain, python.FunctionType) and plain.__module__ == base.__module__
                if is_own and plain.__code__.co_filename != _GENERATED:
                    self.put("method", name)
                    self.value(plain)

    def function(self, function: python.FunctionType) -> None:
        if not function.__closure__ and _is_in_sources(function):
            self.put(function.__module__, function.__qualname__)
            self.names.update(function.__code__.co_names)
            return
        self.value(function.__defaults__)
        self.value(function.__kwdefaults__)
        free: dict[str, Any] = {}
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
            try:
                free[name] = cell.cell_contents
            except ValueError:
                self.put("empty", name)
        self.body(function, ChainMap(free, function.__globals__))

    def body(self, function: python.FunctionType, names: Mapping[str, Any]) -> None:
        self.code(function.__code__, names)

    def code(self, code: python.CodeType, names: Mapping[str, Any]) -> None:
        self.put(code.co_name, code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)
        self.put(code.co_argcount, code.co_flags, code.co_exceptiontable)
        self.names.update(code.co_names)
        steps = list(dis.get_instructions(code))
        # Constants count where they are used, so a docstring does not count, nor does its index.
        self.put([(s.opname, None if s.opcode in dis.hasconst else s.arg) for s in steps])
        for place, step in enumerate(steps):
            if isinstance(step.argval, python.CodeType):
                self.code(step.argval, names)
            elif step.opcode in dis.hasconst:
                self.value(step.argval)
            elif step.opname in ("LOAD_GLOBAL", "LOAD_NAME", "LOAD_DEREF") and step.argval in names:
                self.put("name", step.argval)
                self.value(_follow(names[step.argval], _attributes(steps[place + 1 :])))


class _LastingWalk(_Walk):
    """The same with the sources of functions instead of their bytecode."""

    def body(self, function: python.FunctionType, names: Mapping[str, Any]) -> None:
        tree = trees.tree_of(function)
        if tree is None:
            super().body(function, names)
            return
        self.put(function.__code__.co_name)
        for fact in trees.told(tree):
            if not isinstance(fact, trees.Path):
                self.put(fact)
                continue
            self.put(*fact.names)
            self.names.update(fact.names)
            first, *rest = fact.names
            if first in names and first not in function.__code__.co_varnames:
                self.value(_follow(names[first], rest))

    def methods(self, kind: type) -> None:
        if dataclasses.is_dataclass(kind):  # its methods were written for it, from its fields
            self.put([(each.name, each.compare) for each in dataclasses.fields(kind)])
        super().methods(kind)


def _is_in_sources(value: python.FunctionType | type) -> bool:
    """Is this one of Gambito's own functions or classes, whose source is in the digest of the sources?"""
    package, _, rest = value.__module__.partition(".")
    return package == _PACKAGE and rest.partition(".")[0] not in UNCOMPILED


def _defined(kind: type) -> set[str]:
    """The names that a class and its bases define, other than `object`."""
    return {name for base in kind.__mro__[:-1] for name in vars(base)}


def _is_library(value: Any) -> bool:
    """Is this a function or class of a library, which its name identifies?"""
    package = str(getattr(value, "__module__", "")).partition(".")[0]
    return package in _LIBRARIES and isinstance(getattr(value, "__name__", None), str)


def _attributes(steps: Iterable[dis.Instruction]) -> Iterable[str]:
    """The names that the next steps ask for, one after the other."""
    reading = itertools.takewhile(lambda step: step.opname in ("LOAD_ATTR", "LOAD_METHOD"), steps)
    return (str(step.argval) for step in reading)


def _follow(value: Any, names: Iterable[str]) -> Any:
    """The value of `module.name.name`: a module is only the path to what is used from it."""
    for name in names:
        if not isinstance(value, python.ModuleType):
            break
        value = getattr(value, name, None)
    return value
