"""Python objects that compiled code can hold: constants (games) and handles (memory).

The compiler knows each `Constant` by its own type, so code is specialised for it and passing it costs
nothing. A `Memory` among its attributes is an array that may change: code knows its type, and finds the array
at run time. A `Handle` has raw pointers to its arrays, so that no references are counted when it is passed
through a recursion. The methods of both are plain Python methods, which are compiled when compiled code calls
them.
This module does not depend on games or search, nor on the compiler.
"""

from __future__ import annotations

import types as python
import weakref
from collections.abc import Callable
from typing import Any, ClassVar, NamedTuple

import numpy as np

from gambito.native.bounds import ALWAYS
from gambito.native.digest import class_items, digest, lasting_name
from gambito.native.kinds import ConstantKind, HandleKind, Kind

# The object behind each kind, by the key of the kind. The kinds themselves hold only names and digests, so
# that they can be compared with those of another process. Only the owners of constants keep them alive.
_KNOWN: weakref.WeakValueDictionary[tuple[str, str], Any] = weakref.WeakValueDictionary()
_MET: set[tuple[str, str]] = set()  # the keys of all constants so far: two short strings each
_when_met: list[Callable[[], None]] = []


def when_met(call: Callable[[], None]) -> None:
    """Have a function called whenever there is a constant of a new kind."""
    _when_met.append(call)


def inlined(function: Any) -> Any:
    """Mark a plain function that compiled code calls, so that its calls are always inlined.

    Use it for functions that are called in one place and take handles: a handle passes one argument for each
    of its arrays.
    """
    function.is_inlined = True
    return function


# ---- constants ---------------------------------------------------------------------------------------


class Memory:
    """A one-dimensional array that a constant holds and that may change in place: `self.weights[i]`.

    Its contents are not part of compiled code or of its digest; only the type of its numbers is. If a
    function is given instead, it makes the array when it is needed. In the Python gear items are plain
    numbers.
    """

    def __init__(self, array: Any) -> None:
        self._array = array

    @property
    def array(self) -> Any:
        if callable(self._array):
            self._array = self._array()
        if self._array.ndim != 1 or not self._array.flags.c_contiguous:
            raise TypeError("memory is a contiguous array of one dimension")
        return self._array

    @array.setter
    def array(self, array: Any) -> None:
        self._array = array

    @property
    def digested(self) -> str:
        return f"memory of {self.array.dtype.str}"

    def __reduce__(self) -> Any:
        """What is pickled or copied is the array, and not the function that makes it."""
        return Memory, (self.array,)

    def __getitem__(self, place: Any) -> Any:
        return self.array[place].item()

    def __setitem__(self, place: Any, value: Any) -> None:
        self.array[place] = value


class Common(NamedTuple):
    """What constants of one kind have in common: the kinds of their traits and rules.

    `kinds.STATE` stands for the kind of their states. Code can be compiled for all of them.
    """

    name: str
    traits: dict[str, Kind]
    returns: dict[str, Kind]  # what each rule gives
    yields: dict[str, Kind]  # each item of a rule that yields
    state: Kind  # the kind of the states of one constant
    default: Callable[[str], Any]  # a rule that a constant does not give itself


class Constant:
    """A Python object as a compile-time constant.

    `returns` gives the compiled type that a method's result is cast to, `yields` the type of each item that
    it yields; other methods return their own types. `inline` names the methods that are always inlined. With
    `is_checked`, its code raises IndexError for an index out of range. `common` gives what it has in common
    with other constants; one that only holds numbers needs none.
    """

    fields: ClassVar[dict[str, tuple[str, int]]] = {}  # as for a handle: a constant has none

    def __init__(
        self,
        subject: Any,
        label: str,
        key: str,
        returns: dict[str, Kind],
        yields: dict[str, Kind],
        inline: frozenset[str] = frozenset(),
        is_checked: bool = ALWAYS,
        common: Callable[[], Common] | None = None,
    ) -> None:
        self.subject, self.label, self.is_checked, self.common = subject, label, is_checked, common
        self.key = f"{key} with bounds checks" if is_checked else key
        self.returns, self.yields, self.inline = returns, yields, inline
        held = sorted((n, v) for n, v in getattr(subject, "__dict__", {}).items() if isinstance(v, Memory))
        self.memories = tuple((name, memory.array.dtype.str) for name, memory in held)
        self.arrays = [memory.array for _, memory in held]
        places, lengths = [a.ctypes.data for a in self.arrays], [len(a) for a in self.arrays]
        self._places = np.array([*places, *lengths], np.int64)
        self.address = int(self._places.ctypes.data)
        if self.identity not in _MET:
            _MET.add(self.identity)
            if any(class_items(type(subject), object)):
                for call in _when_met:  # compiled rules have frozen their globals, which may have changed
                    call()
        self._alike: _Alike = _KNOWN.setdefault(self.identity, _Alike())
        self._alike.constants.add(self)

    @property
    def kind(self) -> ConstantKind:
        name = self.label if self.label.startswith("gambito.") else lasting_name(type(self.subject))
        return ConstantKind(self.label, self.key, self.memories, self.is_checked, name)

    @property
    def identity(self) -> tuple[str, str]:
        """The key of its type: constants with the same key share their machine code."""
        return self.label, self.key

    def find(self, name: str) -> Any:
        """The function or value of an attribute, not bound to the object."""
        if name in getattr(self.subject, "__dict__", {}):
            own = self.subject.__dict__[name]
            return staticmethod(own) if isinstance(own, python.FunctionType) else own
        return _class_attribute(type(self.subject), name)


def known_constant(label: str, key: str) -> Constant | None:
    """A constant of a kind, which is asked for what it holds; None: there is none in this process."""
    alike = _KNOWN.get((label, key))
    return None if alike is None else next(iter(alike.constants), None)


class _Alike:
    """The constants of one key that are in use. Any of them will do to compile for all; each holds this."""

    def __init__(self) -> None:
        self.constants: weakref.WeakSet[Constant] = weakref.WeakSet()


def _class_attribute(kind: type, name: str) -> Any:
    for base in kind.__mro__:
        if name in vars(base):
            found = vars(base)[name]
            return getattr(found, "plain", found) if isinstance(found, python.FunctionType) else found
    return None


# ---- handles -----------------------------------------------------------------------------------------


class Handle:
    """Memory that compiled code reads and writes: arrays by name, accessed as `self.name[i]`.

    A subclass lists its arrays and their dtypes in `arrays` and passes the arrays to `__init__`. In the
    Python gear the attributes are what was passed, an array or a list. Single numbers of an array may have
    names too: `fields` gives the array and the index of each, and `self.name` reads it.
    """

    arrays: ClassVar[dict[str, type]] = {}
    fields: ClassVar[dict[str, tuple[str, int]]] = {}

    def __getattr__(self, name: str) -> Any:
        if name not in type(self).fields:
            raise AttributeError(f"{type(self).__name__} has no attribute '{name}'")
        array, place = type(self).fields[name]
        return getattr(self, array)[place]

    def __init__(self, **memory: Any) -> None:
        for name, dtype in self.arrays.items():
            held = memory[name]
            if isinstance(held, np.ndarray) and (held.dtype != dtype or not held.flags.c_contiguous):
                raise TypeError(f"{name} must be a contiguous array of {np.dtype(dtype).name}")
            setattr(self, name, held)

    @property
    def addresses(self) -> tuple[int, ...]:
        return tuple(getattr(self, name).__array_interface__["data"][0] for name in self.arrays)

    @property
    def lengths(self) -> tuple[int, ...]:
        return tuple(getattr(self, name).size for name in self.arrays)


class HandleClass:
    """A class of handles, as `Constant` is for one object: it finds methods and class values."""

    returns: ClassVar[dict[str, Kind]] = {}
    yields: ClassVar[dict[str, Kind]] = {}

    def __init__(self, kind: type[Handle]) -> None:
        self.kind, self.fields = kind, kind.fields
        self.label = f"{kind.__module__}.{kind.__qualname__}"
        self.key = digest(list(class_items(kind, Handle)))
        self.inline = frozenset(n for n, _ in class_items(kind, Handle))
        arrays = tuple((n, np.dtype(d).str) for n, d in kind.arrays.items())
        self.described = HandleKind(self.label, self.key, arrays, lasting_name(kind))
        _HANDLE_KEYS[self.label, self.key] = self

    def find(self, name: str) -> Any:
        return _class_attribute(self.kind, name)


_HANDLE_KEYS: dict[tuple[str, str], HandleClass] = {}
_HANDLES: dict[type[Handle], HandleClass] = {}


def handle_kind(handle: Handle) -> HandleKind:
    """The kind of a handle; TypeError if it holds lists."""
    kind = type(handle)
    if not all(isinstance(getattr(handle, name), np.ndarray) for name in kind.arrays):
        raise TypeError(f"a {kind.__name__} of lists is for the Python gear")
    if kind not in _HANDLES:
        _HANDLES[kind] = HandleClass(kind)
    return _HANDLES[kind].described


def known_handle(label: str, key: str) -> HandleClass:
    """The class of handles of a kind."""
    return _HANDLE_KEYS[label, key]
