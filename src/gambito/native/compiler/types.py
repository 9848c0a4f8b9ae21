"""Kinds (`native/kinds.py`) as Numba's types, and back."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
from numba import types
from numba.np.numpy_support import as_dtype, from_dtype

from gambito.native import kinds
from gambito.native.compiler.bounds import pointer_type
from gambito.native.kinds import Kind
from gambito.native.objects import Constant, known_constant


class ConstantType(types.Type):
    """The type of one constant: equal keys mean the same code, in this process or another.

    Its value is the address of a list with the addresses of its memories, and then their lengths; without
    memories, nothing.
    """

    def __init__(
        self, label: str, digest: str, memories: tuple[tuple[str, str], ...] = (), is_checked: bool = False
    ) -> None:
        self.label, self.digest, self.memories, self.is_checked = label, digest, memories, is_checked
        self.pointers = {n: pointer_type(from_dtype(np.dtype(d)), is_checked) for n, d in memories}
        super().__init__(f"Constant({label},{digest})")

    @property
    def key(self) -> tuple[str, str]:
        return self.label, self.digest

    @property
    def known(self) -> Constant | None:
        """A constant of this type, which is asked for what it holds; None: there is none in this process."""
        return known_constant(*self.key)

    def __reduce__(self) -> Any:
        return ConstantType, (self.label, self.digest, self.memories, self.is_checked)


class HandleType(types.Type):
    """The type of a class of handles."""

    def __init__(self, label: str, digest: str, arrays: tuple[tuple[str, str], ...]) -> None:
        self.label, self.digest, self.arrays = label, digest, arrays
        self.pointers = {n: pointer_type(from_dtype(np.dtype(d))) for n, d in arrays}
        super().__init__(f"Handle({label},{digest})")

    @property
    def key(self) -> tuple[str, str]:
        return self.label, self.digest

    def __reduce__(self) -> Any:
        return HandleType, (self.label, self.digest, self.arrays)


class State(types.Type):
    """The type of states in code for all games, whatever it is."""

    def __init__(self) -> None:
        super().__init__("state")


STATE = State()


class Boxed(types.Type):
    """A state as templates know it: a struct with the real state in it.

    If the state holds arrays, `layout` is its kind, and the struct holds their bytes.
    """

    def __init__(self, held: types.Type, layout: Kind | None) -> None:
        self.held, self.layout = held, layout
        super().__init__(f"Boxed({held},{layout})")


class Flat(types.Type):
    """A result with arrays, as compiled code gives it to Python: one struct with all numbers and bytes."""

    def __init__(self, held: types.Type, layout: Kind) -> None:
        self.held, self.layout = held, layout
        super().__init__(f"Flat({held},{layout})")


@functools.lru_cache(1024)
def numba_type(kind: Kind) -> Any:
    """The type that Numba compiles for."""
    match kind:
        case kinds.Number():
            return from_dtype(kind.dtype)
        case kinds.Named():
            parts = [numba_type(part) for part in kind.parts]
            if parts and len(set(parts)) == 1:
                return types.NamedUniTuple(parts[0], len(parts), kind.cls)
            return types.NamedTuple(parts, kind.cls)
        case kinds.Tuple():
            return types.BaseTuple.from_types([numba_type(part) for part in kind.parts])
        case kinds.Array():
            return types.Array(numba_type(kind.item), kind.ndim, kind.layout, readonly=kind.is_readonly)
        case kinds.ConstantKind():
            return ConstantType(kind.label, kind.key, kind.memories, kind.is_checked)
        case kinds.HandleKind():
            return HandleType(kind.label, kind.key, kind.arrays)
        case kinds.NOTHING:
            return types.none
        case kinds.TEXT:
            return types.unicode_type
        case kinds.STATE:
            return STATE
    raise TypeError(f"{kind} is not known to the compiler")


def kind_of_type(given: Any) -> Kind | None:
    """The kind of what compiled code returns; None if it can be given to Python by Numba alone."""
    if isinstance(given, Flat):
        return given.layout
    if isinstance(given, Boxed):
        return given.layout or kind_of_type(given.held)
    if isinstance(given, types.BaseTuple):
        parts = [kind for kind in map(kind_of_type, given.types) if kind is not None]
        if len(parts) < len(given.types):
            return None
        named = isinstance(given, types.BaseNamedTuple)
        return kinds.Named(parts, given.instance_class) if named else kinds.Tuple(parts)
    given = types.unliteral(given)
    if isinstance(given, types.Integer | types.Float | types.Boolean):
        return kinds.Number(as_dtype(given))
    if isinstance(given, types.Array) and isinstance(given.dtype, types.Number | types.Boolean):
        item = kinds.Number(as_dtype(given.dtype))
        return kinds.Array(item, given.ndim, given.layout, not given.mutable)
    return kinds.NOTHING if given == types.none else None
