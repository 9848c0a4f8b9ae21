"""Machine code that Python calls through ctypes: arguments are flattened, results are put together.

An entry is a function by Numba's calling convention: `status f(result*, error**, arguments…)`. A state passes
its fields, a handle the addresses of its arrays, a constant the address of its list of memories, an array
what describes it. Numbers, arrays of a known shape, and tuples of both come back. Neither Numba nor a wrapper
in the machine code takes part, and other threads run meanwhile. Where machine code comes from is not known
here.
"""

from __future__ import annotations

import ctypes
import functools
import os
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from gambito.native.bounds import ALWAYS
from gambito.native.kinds import (
    NOTHING,
    Array,
    ConstantKind,
    Fixed,
    HandleKind,
    Kind,
    Named,
    Number,
    Tuple,
    boolean,
    float64,
    has_arrays,
    int64,
    uint64,
)
from gambito.native.objects import Constant, Handle, handle_kind
from gambito.native.values import layout_of

NOTHING_GIVEN = "gives None"  # what the error says that compiled code raises where a rule gives no value
_LOWEST, _HIGHEST, _LARGEST = -(1 << 63), (1 << 63) - 1, (1 << 64) - 1
_GOOD, _NONE, _STOP = 0, -2, -3  # what a function may return; 1 is an error
_NUMBERS = {
    np.dtype(name): kind
    for name, kind in {
        "int8": ctypes.c_int8,
        "int16": ctypes.c_int16,
        "int32": ctypes.c_int32,
        "int64": ctypes.c_int64,
        "uint8": ctypes.c_uint8,
        "uint16": ctypes.c_uint16,
        "uint32": ctypes.c_uint32,
        "uint64": ctypes.c_uint64,
        "float32": ctypes.c_float,
        "float64": ctypes.c_double,
        "bool": ctypes.c_uint8,
    }.items()
}

_PACKAGE = f"{Path(__file__).resolve().parent.parent}{os.sep}"
_OWN = "<gambito>/"  # the package, wherever it is

Put = Callable[[list[Any], Any], None]


class _Error(ctypes.Structure):
    """What Numba's convention says about an error: a pickled tuple of its class, arguments and place."""

    _fields_ = (
        ("text", ctypes.c_void_p),
        ("size", ctypes.c_int32),
        ("mark", ctypes.c_void_p),
        ("unwrap", ctypes.c_void_p),
        ("is_made", ctypes.c_int32),
    )


class Entry:
    """A compiled function, called with arguments of these kinds only."""

    def __init__(self, function: Any, kinds: tuple[Kind, ...], returned: Kind) -> None:
        flattened = [_flat(kind) for kind in kinds]
        held_type = held(returned)
        if held_type is None:
            raise TypeError(f"{returned} cannot be returned this way")
        self.returned = returned
        self._puts = [put for _, put in flattened]
        self._result, self._take = held_type, _taker(returned, is_part=False)
        self._function = function
        function.restype = ctypes.c_int32
        types = [part for parts, _ in flattened for part in parts]
        function.argtypes = [ctypes.c_void_p, ctypes.c_void_p, *types]

    def __call__(self, *args: Any) -> Any:
        flat: list[Any] = []
        for put, arg in zip(self._puts, args, strict=True):
            put(flat, arg)
        result, error = self._result(), ctypes.POINTER(_Error)()
        status = self._function(ctypes.byref(result), ctypes.byref(error), *flat)
        if status == _GOOD:
            return self._take(result)
        if status == _NONE:
            return None
        if status == _STOP:
            raise StopIteration
        _raise(error)


# ---- the kinds of arguments --------------------------------------------------------------------------


def kind_of(value: Any) -> Kind:
    """The kind of an argument, by its type alone; TypeError if only Numba can tell."""
    if isinstance(value, Constant):
        return value.kind
    if isinstance(value, Handle):
        return handle_kind(value)
    if isinstance(value, tuple):
        parts = [kind_of(part) for part in value]
        return Named(parts, type(value)) if hasattr(value, "_fields") else Tuple(parts)
    if isinstance(value, bool | np.bool_):
        return boolean
    if type(value) is int:
        return int64 if fits_int64(value) else uint64
    if type(value) is float:
        return float64
    if isinstance(value, np.generic) and value.dtype in _NUMBERS:
        return Number(value.dtype)
    if isinstance(value, np.ndarray) and value.dtype in _NUMBERS and value.flags.aligned:
        return Array(Number(value.dtype), value.ndim, layout_of(value), not value.flags.writeable)
    if value is None:
        return NOTHING
    raise TypeError(f"a {type(value).__name__} is not passed this way")


def fits_int64(number: int) -> bool:
    return _LOWEST <= number <= _HIGHEST


@functools.lru_cache(256)
def _flat(kind: Kind) -> tuple[list[Any], Put]:
    """The types of the arguments that a value of this kind becomes, and how it does."""
    match kind:
        case Number() if kind.dtype in _NUMBERS:
            return [_NUMBERS[kind.dtype]], _putter(kind)
        case Tuple():
            flattened = [_flat(part) for part in kind.parts]
            puts = [put for _, put in flattened]
            return [part for parts, _ in flattened for part in parts], functools.partial(_put_parts, puts)
        case ConstantKind():
            return [ctypes.c_void_p], _put_address if kind.memories else _put_nothing
        case HandleKind():
            pairs = 2 if ALWAYS else 1  # with bounds checks an array passes its length too
            return [ctypes.c_void_p, ctypes.c_int64][:pairs] * len(kind.arrays), _put_handle
        case Array():
            head = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p]
            return [*head, *[ctypes.c_int64] * (2 * kind.ndim)], _put_array
    if kind == NOTHING:
        return [ctypes.c_void_p], _put_nothing
    raise TypeError(f"{kind} is not passed this way")


def _putter(kind: Number) -> Put:
    if kind.dtype.kind == "f":
        return lambda out, value: out.append(float(value))
    if kind == int64:
        return _put_word
    return _put_large if kind == uint64 else lambda out, value: out.append(int(value))


def _put_word(out: list[Any], value: Any) -> None:
    number = int(value)
    if not fits_int64(number):
        raise OverflowError(f"{number} does not fit into an int64")
    out.append(number)


def _put_large(out: list[Any], value: Any) -> None:
    number = int(value)
    if not 0 <= number <= _LARGEST:
        raise OverflowError(f"{number} does not fit into a uint64")
    out.append(number)


def _put_parts(puts: list[Put], out: list[Any], value: Any) -> None:
    for put, part in zip(puts, value, strict=True):
        put(out, part)


def _put_address(out: list[Any], value: Any) -> None:
    out.append(value.address)


def _put_nothing(out: list[Any], value: Any) -> None:
    out.append(None)


def _put_handle(out: list[Any], value: Any) -> None:
    if ALWAYS:
        for pair in zip(value.addresses, value.lengths, strict=True):
            out += pair
    else:
        out += value.addresses


def _put_array(out: list[Any], value: Any) -> None:
    # It has no owner that compiled code counts references of: the caller keeps it.
    address = value.__array_interface__["data"][0]
    out += [None, None, value.size, value.itemsize, address, *value.shape, *value.strides]


# ---- results -----------------------------------------------------------------------------------------


@functools.lru_cache(256)
def held(kind: Kind, is_packed: bool = False) -> Any:
    """How a value of this kind lies in memory, as a type of ctypes; None if it holds more than numbers.

    What holds arrays lies there without gaps.
    """
    if kind == NOTHING:
        return ctypes.c_void_p
    if isinstance(kind, Number):
        return _NUMBERS.get(kind.dtype)
    if isinstance(kind, Fixed):
        return ctypes.c_uint8 * kind.bytes
    if not isinstance(kind, Tuple):
        return None
    is_packed |= has_arrays(kind)
    parts = [held(part, is_packed) for part in kind.parts]
    if None in parts or NOTHING in kind.parts:
        return None
    fields = [(f"part{number}", part) for number, part in enumerate(parts)]
    packing = {"_pack_": 1} if is_packed else {}
    return type("Held", (ctypes.Structure,), {**packing, "_fields_": fields})


def _taker(kind: Kind, is_part: bool) -> Callable[[Any], Any]:
    """How Python gets a value from there: a number is plain, and in a tuple as `conform` gives it."""
    if kind == NOTHING:
        return lambda given: None
    if isinstance(kind, Fixed):
        dtype, shape = kind.item.dtype, kind.shape
        return lambda given: np.frombuffer(given, dtype).reshape(shape).copy()
    if isinstance(kind, Tuple):
        takes = [(f"part{number}", _taker(part, is_part=True)) for number, part in enumerate(kind.parts)]
        if isinstance(kind, Named):
            return lambda given: kind.cls(*(take(getattr(given, name)) for name, take in takes))
        return lambda given: tuple(take(getattr(given, name)) for name, take in takes)
    if not is_part:
        return (lambda given: bool(given.value)) if kind == boolean else lambda given: given.value
    if kind == boolean:
        return bool
    return (lambda given: given) if kind in (int64, float64) else kind.dtype.type  # type: ignore[attr-defined]


def shortened(file: str) -> str:
    """The name of a file as machine code holds it: that of Gambito's own does not tell where it is."""
    return _OWN + file[len(_PACKAGE) :] if file.startswith(_PACKAGE) else file


def _lengthened(file: str) -> str:
    return _PACKAGE + file[len(_OWN) :] if file.startswith(_OWN) else file


def _raise(error: Any) -> NoReturn:
    """Raise the error of compiled code, as if from the line of the rule that it names."""
    if not error or error.contents.is_made:
        raise SystemError("compiled code failed without a word")
    kind, args, place = pickle.loads(ctypes.string_at(error.contents.text, error.contents.size))
    problem = RuntimeError("No active exception to reraise") if kind is None else kind(*args)
    if place is None:
        raise problem
    function, file, line = place
    code = compile("raise problem", _lengthened(file), "exec").replace(co_name=function, co_qualname=function)
    exec(code.replace(co_firstlineno=line), {"problem": problem}, {})
    raise problem
