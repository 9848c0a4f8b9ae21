"""Values of one type side by side in raw memory: where compiled code stores states outside the recursion.

A state of numbers, and of arrays that keep their shape, is written byte by byte. In the Python gear the
memory is a list of the values themselves.
"""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from gambito.native.entries import held
from gambito.native.kinds import Kind


def put(memory: Any, place: int, value: Any) -> None:
    """Write a value."""
    memory[place] = value


def get(memory: Any, place: int, like: Any) -> Any:
    """Read a value of the type of `like`."""
    return memory[place]


def holds(memory: Any, place: int, value: Any) -> Any:
    """Is the value at that place the same?"""
    return memory[place] == value


def width(kind: Kind) -> int:
    """The bytes that a value of this kind takes; 0 if it cannot be stored this way."""
    shape = held(kind)
    return 0 if shape is None else ctypes.sizeof(shape)


def new_memory(kind: Kind | None, count: int) -> Any:
    """Memory for `count` values; a list for values that only the Python gear knows."""
    return [None] * count if kind is None else np.empty(count * width(kind), np.uint8)
