"""The compiled type of a plain Python value, and the conversion of values to such a type.

A state written in Python may hold an `int` where its fields are `uint64`. If such a state reached compiled
code, Numba would compile everything a second time for the other type. So states are converted here once.
"""

from __future__ import annotations

import typing
from collections.abc import Callable
from dataclasses import is_dataclass
from enum import Enum
from typing import Any

import numpy as np

from gambito.native.bits import mix
from gambito.native.kinds import (
    TEXT,
    Array,
    Fixed,
    Kind,
    Named,
    Number,
    Tuple,
    boolean,
    float64,
    int64,
    uint64,
)
from gambito.words.sentence import Sentence

_PLAIN: dict[Any, Number] = {int: int64, bool: boolean, float: float64}
_INT64, _UINT64 = range(-(1 << 63), 1 << 63), range(1 << 64)

ArrayKind = Callable[[Any], Kind]


def declared(value: Any) -> Kind:
    """The compiled type of `value`; the annotations of a NamedTuple determine the types of its fields.

    An array keeps its shape. Raise TypeError, in one sentence, for values that cannot be compiled (a list, a
    dict, an object).
    """
    return _declared(value, _fixed)


def _fixed(array: Any) -> Kind:
    if array.ndim == 0:
        raise TypeError(Sentence("an array without a length cannot be compiled; use a number"))
    return Fixed(_scalar(array.dtype), array.shape)


def constant_type(value: Any) -> Kind | None:
    """The compiled type of an attribute that is a constant of a game, or None if it cannot be one."""
    if isinstance(value, str):
        return TEXT
    try:
        return _declared(value, _frozen)
    except TypeError:
        return None


def _frozen(array: Any) -> Kind:
    return Array(_scalar(array.dtype), array.ndim, layout_of(array), is_readonly=True)


def layout_of(array: Any) -> str:
    """How the numbers of an array lie in memory."""
    return "C" if array.flags.c_contiguous else "F" if array.flags.f_contiguous else "A"


def _declared(value: Any, array_kind: ArrayKind) -> Kind:
    if isinstance(value, tuple):
        kind = type(value)
        if hasattr(kind, "_fields"):
            hints = _hints(kind)
            fields = [_hinted(hints.get(n), v, array_kind) for n, v in zip(kind._fields, value, strict=True)]
            return Named(fields, kind)
        return Tuple(_declared(v, array_kind) for v in value)
    if type(value) is int and value not in _INT64:
        if value not in _UINT64:
            raise TypeError(f"{value} cannot be compiled: it has more than 64 bits")
        return uint64
    if type(value) in _PLAIN:
        return _PLAIN[type(value)]
    if isinstance(value, np.ndarray):
        return array_kind(value)
    if isinstance(value, np.generic):
        return _scalar(value.dtype)
    raise TypeError(_refused(value))


def _refused(value: Any) -> Sentence:
    """Why a value cannot be compiled, and what to write in its place."""
    name = type(value).__name__
    if isinstance(value, Enum):
        return Sentence("a member of the Enum {} cannot be compiled; use ints with names: NORTH = 0", name)
    if isinstance(value, set | frozenset):
        return Sentence("a {} cannot be compiled; use an array of bools, or the bits of an int", name)
    if isinstance(value, list):
        return Sentence("a list cannot be compiled; use an array of the greatest length, and a count")
    if isinstance(value, dict):
        return Sentence("a dict cannot be compiled; use an array, with a place for each key")
    if is_dataclass(value):
        return Sentence("{0} is a dataclass, which cannot be compiled; use `class {0}(NamedTuple)`", name)
    if value is None:
        return Sentence("None cannot be compiled; use a number that means nothing, such as -1")
    return Sentence("a {} cannot be compiled; use int, NamedTuple, tuple or array", name)


def _hinted(hint: Any, value: Any, array_kind: ArrayKind) -> Kind:
    if type(hint).__module__.startswith("numba."):  # a type of Numba, such as `numba.int8`
        return Number(str(hint))
    if isinstance(hint, type) and hint in _PLAIN:
        return _PLAIN[hint]
    if isinstance(hint, type) and issubclass(hint, np.generic):
        return _scalar(np.dtype(hint))
    return _declared(value, array_kind)


def _hints(kind: type) -> dict[str, Any]:
    """The annotations of a NamedTuple; empty if they cannot be resolved."""
    try:
        return typing.get_type_hints(kind)
    except (AttributeError, NameError, TypeError):
        return {}


def _scalar(dtype: np.dtype) -> Number:
    """The compiled type of a NumPy number, or of a record of them."""
    if dtype.fields is None and (dtype.kind not in "biuf" or dtype.itemsize > 8 or dtype == np.float16):
        raise TypeError(f"NumPy's {dtype} cannot be compiled; use a bool, an integer or a float")
    return Number(dtype)


def conform(value: Any, kind: Kind) -> Any:
    """`value` with every part cast to `kind`, as both gears compute with it.

    int64 becomes a plain `int` and float64 a plain `float`; other numbers are NumPy scalars, which wrap
    around as the machine does. Raise TypeError, ValueError or OverflowError for values of another shape.
    """
    if isinstance(kind, Tuple):
        if not isinstance(value, tuple) or len(value) != len(kind):
            raise TypeError(f"{value!r} is not a tuple of {len(kind)}")
        parts = [conform(v, t) for v, t in zip(value, kind.parts, strict=True)]
        if isinstance(kind, Named):
            return kind.cls(*parts)
        return tuple(parts)
    if kind == int64:
        number = int(value)
        if number not in _INT64:
            raise OverflowError(f"{number} does not fit into an int64")
        return number
    if kind == float64:
        return float(value)
    if kind == boolean:
        return bool(value)
    if isinstance(kind, Array):
        array = np.require(value, kind.item.dtype, ["C", "A", "W"])
        if array.ndim != kind.ndim:
            raise TypeError(f"{value!r} is not an array of {kind.ndim} dimensions")
        if isinstance(kind, Fixed) and array.shape != kind.shape:
            raise TypeError(other_shape(kind.shape))
        return array
    return kind.dtype.type(value)  # type: ignore[attr-defined]


def other_shape(shape: tuple[int, ...]) -> Sentence:
    """What is wrong if an array of a state has not the shape of the initial state."""
    return Sentence(
        "an array of a state has another shape than {}, its shape in the initial state; an array in a state "
        "keeps its shape: give it the greatest length it can need, and the state a count of what is used",
        shape,
    )


def as_key(state: Any, key: Callable[[Any], Any] = mix) -> Any:
    """A state as the key of a dict: its arrays, which have no hash, as bytes.

    If it holds anything else that has none, the 64 bits that `key` gives stand for it.
    """
    try:
        hash(state)
        return state
    except TypeError:
        pass
    try:
        return _hashed(state)
    except TypeError:
        return int(key(state))


def _hashed(part: Any) -> Any:
    if isinstance(part, tuple):
        return tuple(map(_hashed, part))
    if isinstance(part, np.ndarray):
        return part.tobytes()
    hash(part)
    return part


class Door:
    """Casts values to one type, quickly where they have it; a value of another shape passes unchanged.

    Without a type, all values pass unchanged.
    """

    def __init__(self, kind: Kind | None) -> None:
        self.kind = kind
        self._single = None if kind is None else _python_type(kind)
        parts = [_python_type(part) for part in kind.parts] if isinstance(kind, Tuple) else []
        self._parts = parts if parts and None not in parts else None

    def __call__(self, value: Any) -> Any:
        if self._parts is not None:
            if isinstance(value, tuple) and list(map(type, value)) == self._parts:
                return value
        elif self._single is not None and type(value) is self._single:
            return value
        if self.kind is None:
            return value
        try:
            return conform(value, self.kind)
        except (TypeError, ValueError, OverflowError):
            return value


def _python_type(kind: Kind) -> type | None:
    """The Python type of a number after `conform`; None for arrays and tuples."""
    for plain, compiled in _PLAIN.items():
        if kind == compiled:
            return plain
    return kind.dtype.type if isinstance(kind, Number) else None
