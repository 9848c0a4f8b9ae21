"""Types of values in compiled code, described without the compiler: numbers, tuples, arrays, objects.

A kind is known by its text, which is the same in every process, so machine code is found by it. Numba's type
is made from it when something must be compiled.
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Iterable
from typing import Any

import numpy as np

from gambito.native.digest import lasting_name


class Kind:
    """A type. Kinds with the same text are equal.

    Code on disk is found by the text `lasting`, which does not name an author's module: the same file may be
    imported, run, or loaded by its path.
    """

    def __init__(self, text: str, lasting: str = "") -> None:
        self.text, self.lasting = text, lasting or text

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other.text == self.text

    def __hash__(self) -> int:
        return hash(self.text)

    def __repr__(self) -> str:
        return self.text


class Number(Kind):
    """A number as NumPy has it, or a record of them."""

    def __init__(self, dtype: Any) -> None:
        self.dtype = np.dtype(dtype)
        super().__init__(self.dtype.name if self.dtype.fields is None else str(self.dtype.descr))

    @property
    def is_record(self) -> bool:
        return self.dtype.fields is not None


class Tuple(Kind):
    """A tuple."""

    def __init__(self, parts: Iterable[Kind], name: str = "", lasting: str = "") -> None:
        self.parts = tuple(parts)
        texts = [
            ", ".join(texts) for texts in ([p.text for p in self.parts], [p.lasting for p in self.parts])
        ]
        super().__init__(f"{name}({texts[0]})", f"{lasting}({texts[1]})")

    def __len__(self) -> int:
        return len(self.parts)


class Named(Tuple):
    """A NamedTuple, of a class."""

    def __init__(self, parts: Iterable[Kind], cls: Any) -> None:
        lasting = f"{lasting_name(cls)} of {', '.join(cls._fields)}"
        super().__init__(parts, f"{cls.__module__}.{cls.__qualname__}", lasting)
        self.cls = cls

    def __eq__(self, other: object) -> bool:
        return super().__eq__(other) and self.cls is other.cls  # type: ignore[attr-defined]

    __hash__ = Kind.__hash__


class Array(Kind):
    """A NumPy array; `layout` is C, F or A, as Numba names them."""

    def __init__(self, item: Number, ndim: int, layout: str = "C", is_readonly: bool = False) -> None:
        self.item, self.ndim, self.layout, self.is_readonly = item, ndim, layout, is_readonly
        super().__init__(f"{'readonly ' * is_readonly}array({item.text}, {ndim}, {layout})")


class Fixed(Array):
    """An array of one shape. In a state it is a value: it is stored, copied and compared by its bytes."""

    def __init__(self, item: Number, shape: Iterable[int]) -> None:
        self.shape = tuple(int(length) for length in shape)
        super().__init__(item, len(self.shape))
        self.text = self.lasting = f"array({item.text}, {self.shape})"

    @property
    def count(self) -> int:
        """How many numbers it has."""
        return math.prod(self.shape)

    @property
    def bytes(self) -> int:
        return self.count * self.item.dtype.itemsize


def has_arrays(kind: Kind) -> bool:
    """Does a state of this kind hold arrays?"""
    return isinstance(kind, Fixed) or (isinstance(kind, Tuple) and any(map(has_arrays, kind.parts)))


class ConstantKind(Kind):
    """One constant (`objects.Constant`): equal keys mean the same code, in this process or another.

    The label is that of this process; the name is lasting.
    """

    def __init__(
        self, label: str, key: str, memories: tuple[tuple[str, str], ...], is_checked: bool, name: str
    ) -> None:
        self.label, self.key, self.memories, self.is_checked = label, key, memories, is_checked
        super().__init__(f"Constant({label},{key})", f"Constant({name},{key})")


class HandleKind(Kind):
    """A class of handles (`objects.Handle`)."""

    def __init__(self, label: str, key: str, arrays: tuple[tuple[str, str], ...], name: str) -> None:
        self.label, self.key, self.arrays = label, key, arrays
        super().__init__(f"Handle({label},{key})", f"Handle({name},{key})")


int64, uint64, float64, boolean = Number(np.int64), Number(np.uint64), Number(np.float64), Number(np.bool_)
NOTHING, TEXT = Kind("none"), Kind("text")
STATE = Kind("state")  # in code for all games: the kind of states, whatever it is


# ---- in files ----------------------------------------------------------------------------------------


def to_json(kind: Kind) -> Any:
    """A kind that a compiled function returns, for a file; TypeError if it cannot be written."""
    if kind == NOTHING:
        return None
    if isinstance(kind, Number) and not kind.is_record:
        return kind.text
    if isinstance(kind, Fixed) and not kind.item.is_record:
        return {"array": kind.item.text, "shape": kind.shape}
    if isinstance(kind, Named):
        return [kind.cls.__module__, kind.cls.__qualname__, *map(to_json, kind.parts)]
    if isinstance(kind, Tuple):
        return ["", "", *map(to_json, kind.parts)]
    raise TypeError(f"{kind} cannot be written")


def from_json(facts: Any, near: Iterable[Kind]) -> Kind:
    """The kind that a file describes; ValueError if there is none.

    The classes of NamedTuples are those that occur in the kinds `near`, else they are imported. The process
    that wrote the file may have given another name to the module.
    """
    found = [each.cls for kind in near for each in _named(kind)]
    classes = {("", cls.__qualname__): cls for cls in found} | {_cls_name(cls): cls for cls in found}
    return _from_json(facts, classes)


def _cls_name(cls: Any) -> tuple[str, str]:
    return cls.__module__, cls.__qualname__


def _named(kind: Kind) -> Iterable[Named]:
    if isinstance(kind, Named):
        yield kind
    if isinstance(kind, Tuple):
        for part in kind.parts:
            yield from _named(part)


def _from_json(facts: Any, classes: dict[tuple[str, str], Any]) -> Kind:
    if facts is None:
        return NOTHING
    if isinstance(facts, str):
        try:
            return Number(facts)
        except (TypeError, SyntaxError):  # NumPy reads some texts as Python
            raise ValueError(f"{facts!r} is no kind of number") from None
    if isinstance(facts, dict):
        return _fixed(facts)
    if not isinstance(facts, list) or len(facts) < 2 or not all(isinstance(f, str) for f in facts[:2]):
        raise ValueError("not the description of a kind")
    parts = [_from_json(part, classes) for part in facts[2:]]
    if not facts[1]:
        return Tuple(parts)
    known = classes.get((facts[0], facts[1])) or classes.get(("", facts[1]))
    return Named(parts, known or _imported(*facts[:2]))


def _fixed(facts: dict[str, Any]) -> Kind:
    item, shape = _from_json(facts.get("array", ""), {}), facts.get("shape")
    if not isinstance(item, Number) or not isinstance(shape, list) or not all(type(n) is int for n in shape):
        raise ValueError("not the description of an array")
    return Fixed(item, shape)


def _imported(module: str, name: str) -> Any:
    try:
        found: Any = importlib.import_module(module)
        for part in name.split("."):
            found = getattr(found, part)
    except (ImportError, AttributeError, ValueError):
        raise ValueError(f"{module}.{name} is not known here") from None
    if not (isinstance(found, type) and issubclass(found, tuple) and hasattr(found, "_fields")):
        raise ValueError(f"{module}.{name} is not a NamedTuple")
    return found
