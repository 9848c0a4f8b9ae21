"""The compiled type of a plain Python value, and the conversion of values to such a type.

A state written in Python may hold an `int` where its fields are `uint64`. If such a state reached compiled
code, Numba would compile everything a second time for the other type. So states are converted here once.
"""

from __future__ import annotations

import typing
from collections.abc import Callable
from typing import Any

import numpy as np

from gambito.native.kinds import TEXT, Array, Kind, Named, Number, Tuple, boolean, float64, int64, uint64

_PLAIN: dict[Any, Number] = {int: int64, bool: boolean, float: float64}
_INT64, _UINT64 = range(-(1 << 63), 1 << 63), range(1 << 64)

ArrayKind = Callable[[Any], Kind]


def declared(value: Any) -> Kind:
    """The compiled type of `value`; the annotations of a NamedTuple determine the types of its fields.

    Raise TypeError, in one sentence, for values that cannot be compiled (a list, a dict, an object).
    """
    return _declared(value, lambda array: Array(_scalar(array.dtype), array.ndim))


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
    raise TypeError(f"a {type(value).__name__} cannot be compiled; use int, NamedTuple, tuple or array")


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
    if dtype.fields is None and (dtype.kind not in "biuf" or dtype.itemsize > 8):
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
        return array
    return kind.dtype.type(value)  # type: ignore[attr-defined]


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
