"""What crosses from a host to compiled code and back: the entries of a module, and the bytes of states.

A host writes a state into memory, calls a function, and finds the next state in memory. Behind a state stands
its seal, a sum of its bytes: what the module has not made is refused, and never reaches the rules.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from gambito.native.entries import held
from gambito.native.functions import native
from gambito.native.kinds import Fixed, Kind, Tuple, has_arrays

SEAL = 8  # bytes
GIVEN = "gambito.given"  # the memory into which the host writes a state
STRANGE, RAISED = (
    -2,
    -4,
)  # what a function returns for a state without its seal, and if the rules raise an error


class Given(NamedTuple):
    """The state that the host writes into memory."""

    kind: Kind


class Argument(NamedTuple):
    """A whole number of 64 bits that the host passes."""


class Address(NamedTuple):
    """The address of a space, as a number; "" is 0."""

    space: str


class Entry(NamedTuple):
    """A function of the module: a native function, and what each of its arguments is.

    An argument is `Given`, `Argument`, `Address`, or a value: a constant, a number, a handle, or a tuple of
    these. `makes` names the space of the handle into which the function writes a state.
    """

    name: str
    function: native
    args: tuple[Any, ...]
    makes: str = ""


# ---- the bytes of states ---------------------------------------------------------------------------


class Field(NamedTuple):
    """A number or an array of a state."""

    place: int  # in memory
    kind: Any  # a Number, or a Fixed
    number: int  # of the field of the state that it is, or is a part of


def fields_of(state: Kind) -> Iterator[Field]:
    """The numbers and arrays of a state, in their order."""
    is_packed = has_arrays(state)
    if not isinstance(state, Tuple):
        yield Field(0, state, 0)
        return
    shape = held(state, is_packed)
    for number, part in enumerate(state.parts):
        yield from _parts(part, getattr(shape, f"part{number}").offset, is_packed, number)


def _parts(kind: Kind, place: int, is_packed: bool, number: int) -> Iterator[Field]:
    if not isinstance(kind, Tuple):
        yield Field(place, kind, number)
        return
    shape = held(kind, is_packed)
    for inner, part in enumerate(kind.parts):
        yield from _parts(part, place + getattr(shape, f"part{inner}").offset, is_packed, number)


_OFFSET, _PRIME = (1 << 64) - 3750763034362895579, 1099511628211


def sealed(state: bytes) -> bytes:
    """The bytes of a state with their sum behind, as the functions of a module take it."""
    total = _OFFSET
    for byte in state:
        total = (total ^ byte) * _PRIME % (1 << 64)
    return state + (total ^ total >> 29).to_bytes(SEAL, "little")


def bytes_of(state: Any, kind: Kind) -> bytes:
    """A state as it lies in memory."""
    made = held(kind)()
    _write(made, kind, state)
    return bytes(made)


def _write(target: Any, kind: Kind, value: Any) -> None:
    if not isinstance(kind, Tuple):
        target.value = _plain(value)
        return
    for number, part in enumerate(kind.parts):
        name = f"part{number}"
        if isinstance(part, Tuple):
            _write(getattr(target, name), part, value[number])
        elif isinstance(part, Fixed):
            body = np.ascontiguousarray(value[number], part.item.dtype).tobytes()
            ctypes.memmove(getattr(target, name), body, len(body))
        else:
            setattr(target, name, _plain(value[number]))


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value
