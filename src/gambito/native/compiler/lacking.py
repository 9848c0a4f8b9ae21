"""What rules take from Python and NumPy, and Numba lacks.

`all` and `any` of items, and along an axis; `np.array` of an array; `np.clip` of a number; `tolist`;
`np.trace`; and `_replace` of a NamedTuple.
"""

from __future__ import annotations

import builtins
from inspect import Parameter, Signature
from typing import Any

import numpy as np
from numba import types
from numba.core.imputils import impl_ret_borrowed, lower_builtin
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate, signature
from numba.extending import infer_getattr, overload, overload_method


def _has_items(kind: types.Type) -> bool:
    """Can compiled code loop over it, and ask each item whether it is true?"""
    items = getattr(getattr(kind, "iterator_type", None), "yield_type", None)
    return isinstance(items, types.Number | types.Boolean) and not isinstance(kind, types.Generator)


@overload(builtins.all)
def _native_all(items):
    def every(items):
        for item in items:
            if not item:
                return False
        return True

    return every if _has_items(items) else None


@overload(builtins.any)
def _native_any(items):
    def some(items):
        for item in items:
            if item:
                return True
        return False

    return some if _has_items(items) else None


ALONG = {
    name: f"{name}_along" for name in ("all", "any")
}  # methods of Numba that take no axis, and those that do


def _is_along(array: Any, axis: Any) -> bool:
    return isinstance(array, types.Array) and array.ndim > 1 and isinstance(axis, types.Integer)


@overload(np.all)
@overload_method(types.Array, "all_along")
def _native_all_along(a, axis):
    return (lambda a, axis: np.sum(a == 0, axis) == 0) if _is_along(a, axis) else None


@overload(np.any)
@overload_method(types.Array, "any_along")
def _native_any_along(a, axis):
    return (lambda a, axis: np.sum(a != 0, axis) > 0) if _is_along(a, axis) else None


@overload(np.array)
def _native_array(object):
    return (lambda object: object.copy()) if isinstance(object, types.Array) else None


@overload_method(types.Array, "tolist")
def _native_tolist(array):
    return (lambda array: [item for item in array]) if array.ndim == 1 else None  # noqa: C416


@overload(np.trace)
def _native_trace(a):
    return (lambda a: np.sum(np.diag(a))) if isinstance(a, types.Array) and a.ndim == 2 else None


@overload(np.clip)
def _native_clip(a, a_min, a_max):
    if all(isinstance(kind, types.Number) for kind in (a, a_min, a_max)):
        return lambda a, a_min, a_max: min(max(a, a_min), a_max)
    return None


# ---- NamedTuples -------------------------------------------------------------------------------------------

_REPLACE = "gambito._replace"


class _Replace(AbstractTemplate):
    key = _REPLACE

    def generic(self, args: Any, kws: Any) -> Any:
        kind = self.this
        if args or not kws.keys() <= set(kind.fields):
            return None
        made = types.BaseTuple.from_types(
            [types.unliteral(kws.get(name, old)) for name, old in zip(kind.fields, kind.types, strict=True)],
            kind.instance_class,
        )
        given = [types.unliteral(kws.get(name, types.Omitted(None))) for name in kind.fields]
        named = [Parameter(name, Parameter.POSITIONAL_OR_KEYWORD, default=None) for name in kind.fields]
        return signature(made, *given, recvr=kind).replace(pysig=Signature(named))


@infer_getattr
class _NamedTupleMethods(AttributeTemplate):
    key = types.BaseNamedTuple

    def resolve__replace(self, kind: types.BaseNamedTuple) -> types.Type:
        return types.BoundFunction(_Replace, kind)


@lower_builtin(_REPLACE, types.BaseNamedTuple, types.VarArg(types.Any))
def _lower_replace(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    kept, *given = args
    parts = [
        builder.extract_value(kept, place) if isinstance(kind, types.Omitted) else value
        for place, (value, kind) in enumerate(zip(given, sig.args[-len(given) :], strict=True))
    ]
    made = context.make_tuple(builder, sig.return_type, parts)
    return impl_ret_borrowed(context, builder, sig.return_type, made)
