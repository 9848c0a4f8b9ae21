"""What a plain Python value is to the compiler, and how to bring a value into that shape.

A state written in Python may hold an `int` where its fields are `uint64`. If such a state reached compiled
code, Numba would compile everything a second time for the other type. So states pass this door once.
"""

from __future__ import annotations

import typing
from typing import Any

import numpy as np
from numba import typeof, types
from numba.core.errors import NumbaError
from numba.np.numpy_support import as_dtype, from_dtype

_PLAIN: dict[Any, types.Type] = {int: types.int64, bool: types.boolean, float: types.float64}


def declared(value: Any) -> types.Type:
    """The compiled type of `value`; the annotations of a NamedTuple decide about its fields.

    Raises TypeError, in one sentence, for what cannot be compiled (a list, a dict, an object).
    """
    if isinstance(value, tuple):
        kind = type(value)
        if hasattr(kind, "_fields"):
            hints = typing.get_type_hints(kind)
            fields = [_hinted(hints.get(n), v) for n, v in zip(kind._fields, value, strict=True)]
            if fields and len(set(fields)) == 1:
                return types.NamedUniTuple(fields[0], len(fields), kind)
            return types.NamedTuple(fields, kind)
        return types.BaseTuple.from_types([declared(v) for v in value])
    if type(value) in _PLAIN:
        return _PLAIN[type(value)]
    if isinstance(value, np.generic | np.ndarray):
        return typeof(value)
    raise TypeError(f"a {type(value).__name__} cannot be compiled; use int, NamedTuple, tuple or array")


def _hinted(hint: Any, value: Any) -> types.Type:
    if isinstance(hint, types.Type):
        return hint
    if hint in _PLAIN:
        return _PLAIN[hint]
    if isinstance(hint, type) and issubclass(hint, np.generic):
        return from_dtype(np.dtype(hint))
    return declared(value)


def conform(value: Any, kind: types.Type) -> Any:
    """`value` with every part cast to `kind`: what both gears compute with.

    int64 is a plain `int` and float64 a plain `float`; other numbers are NumPy scalars, which wrap around
    as the machine does.
    """
    if isinstance(kind, types.BaseTuple):
        parts = [conform(v, t) for v, t in zip(value, kind.types, strict=True)]
        if isinstance(kind, types.BaseNamedTuple):
            return kind.instance_class(*parts)
        return tuple(parts)
    if kind == types.int64:
        return int(value)
    if kind == types.float64:
        return float(value)
    if kind == types.boolean:
        return bool(value)
    if isinstance(kind, types.Array):
        return np.ascontiguousarray(value, dtype=as_dtype(kind.dtype))
    return as_dtype(kind).type(value)


def constant_type(value: Any) -> types.Type | None:
    """The compiled type of an attribute that is a constant of a game, or None if it cannot be one."""
    try:
        kind = declared(value)
    except (TypeError, ValueError, NumbaError):
        return types.unicode_type if isinstance(value, str) else None
    return kind.copy(readonly=True) if isinstance(kind, types.Array) else kind
