"""The compiled type of a plain Python value, and the conversion of values to such a type.

A state written in Python may hold an `int` where its fields are `uint64`. If such a state reached compiled
code, Numba would compile everything a second time for the other type. So states are converted here once.
"""

from __future__ import annotations

import typing
from collections.abc import Callable
from typing import Any

import numpy as np
from numba import typeof, types
from numba.np.numpy_support import as_dtype, from_dtype

_PLAIN: dict[Any, types.Type] = {int: types.int64, bool: types.boolean, float: types.float64}
_INT64, _UINT64 = range(-(1 << 63), 1 << 63), range(1 << 64)

ArrayType = Callable[[Any], types.Type]


def declared(value: Any) -> types.Type:
    """The compiled type of `value`; the annotations of a NamedTuple determine the types of its fields.

    Raise TypeError, in one sentence, for values that cannot be compiled (a list, a dict, an object).
    """
    return _declared(value, lambda array: types.Array(_scalar(array.dtype), array.ndim, "C"))


def constant_type(value: Any) -> types.Type | None:
    """The compiled type of an attribute that is a constant of a game, or None if it cannot be one."""
    if isinstance(value, str):
        return types.unicode_type
    try:
        return _declared(value, lambda array: _scalar(array.dtype) and typeof(array).copy(readonly=True))
    except TypeError:
        return None


def _declared(value: Any, array_type: ArrayType) -> types.Type:
    if isinstance(value, tuple):
        kind = type(value)
        if hasattr(kind, "_fields"):
            hints = _hints(kind)
            fields = [_hinted(hints.get(n), v, array_type) for n, v in zip(kind._fields, value, strict=True)]
            if fields and len(set(fields)) == 1:
                return types.NamedUniTuple(fields[0], len(fields), kind)
            return types.NamedTuple(fields, kind)
        return types.BaseTuple.from_types([_declared(v, array_type) for v in value])
    if type(value) is int and value not in _INT64:
        if value not in _UINT64:
            raise TypeError(f"{value} cannot be compiled: it has more than 64 bits")
        return types.uint64
    if type(value) in _PLAIN:
        return _PLAIN[type(value)]
    if isinstance(value, np.ndarray):
        return array_type(value)
    if isinstance(value, np.generic):
        return _scalar(value.dtype)
    raise TypeError(f"a {type(value).__name__} cannot be compiled; use int, NamedTuple, tuple or array")


def _hinted(hint: Any, value: Any, array_type: ArrayType) -> types.Type:
    if isinstance(hint, types.Type):
        return hint
    if isinstance(hint, type) and hint in _PLAIN:
        return _PLAIN[hint]
    if isinstance(hint, type) and issubclass(hint, np.generic):
        return _scalar(np.dtype(hint))
    return _declared(value, array_type)


def _hints(kind: type) -> dict[str, Any]:
    """The annotations of a NamedTuple; empty if they cannot be resolved."""
    try:
        return typing.get_type_hints(kind)
    except (AttributeError, NameError, TypeError):
        return {}


def _scalar(dtype: np.dtype) -> types.Type:
    """The compiled type of a NumPy number, or of a record of them."""
    if dtype.fields is None and (dtype.kind not in "biuf" or dtype.itemsize > 8):
        raise TypeError(f"NumPy's {dtype} cannot be compiled; use a bool, an integer or a float")
    return from_dtype(dtype)


def conform(value: Any, kind: types.Type) -> Any:
    """`value` with every part cast to `kind`, as both gears compute with it.

    int64 becomes a plain `int` and float64 a plain `float`; other numbers are NumPy scalars, which wrap
    around as the machine does. Raise TypeError, ValueError or OverflowError for values of another shape.
    """
    if isinstance(kind, types.BaseTuple):
        if not isinstance(value, tuple) or len(value) != len(kind):
            raise TypeError(f"{value!r} is not a tuple of {len(kind)}")
        parts = [conform(v, t) for v, t in zip(value, kind.types, strict=True)]
        if isinstance(kind, types.BaseNamedTuple):
            return kind.instance_class(*parts)
        return tuple(parts)
    if kind == types.int64:
        number = int(value)
        if number not in _INT64:
            raise OverflowError(f"{number} does not fit into an int64")
        return number
    if kind == types.float64:
        return float(value)
    if kind == types.boolean:
        return bool(value)
    if isinstance(kind, types.Array):
        array = np.require(value, as_dtype(kind.dtype), ["C", "A", "W"])
        if array.ndim != kind.ndim:
            raise TypeError(f"{value!r} is not an array of {kind.ndim} dimensions")
        return array
    return as_dtype(kind).type(value)


def loses_type(kind: types.Type) -> bool:
    """Does a tuple arrive from compiled code with plain numbers, where `conform` gives NumPy's?"""
    if not isinstance(kind, types.BaseTuple) or not all(map(_is_known, kind.types)):
        return False
    return any(loses_type(part) or _is_scalar(part) for part in kind.types)


def _is_known(kind: types.Type) -> bool:
    return isinstance(kind, types.Number | types.Boolean | types.Array | types.BaseTuple)


def _is_scalar(kind: types.Type) -> bool:
    """Is this a number that is not plain in Python?"""
    return isinstance(kind, types.Number) and kind not in _PLAIN.values()


class Door:
    """Casts values to one type, quickly where they have it; a value of another shape passes unchanged.

    Without a type, all values pass unchanged.
    """

    def __init__(self, kind: types.Type | None) -> None:
        self.kind = kind
        self._single = None if kind is None else _python_type(kind)
        parts = [_python_type(part) for part in kind.types] if isinstance(kind, types.BaseTuple) else []
        self._parts = parts if parts and None not in parts else None

    def __call__(self, value: Any) -> Any:
        if self._parts is not None:
            if isinstance(value, tuple) and list(map(type, value)) == self._parts:
                return value
        elif self.kind is None or (self._single is not None and type(value) is self._single):
            return value
        try:
            return conform(value, self.kind)
        except (TypeError, ValueError, OverflowError):
            return value


def _python_type(kind: types.Type) -> type | None:
    """The Python type of a number after `conform`; None for arrays and tuples."""
    for plain, compiled in _PLAIN.items():
        if kind == compiled:
            return plain
    return as_dtype(kind).type if isinstance(kind, types.Number) else None
