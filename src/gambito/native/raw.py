"""Memory by address: how compiled code accesses arrays that are only known at run time.

`words_at(address)[place]` is an `int64`, that of `keys_at` a `uint64`, that of `shorts_at` an `int16`, that
of `bytes_at` a byte, in both gears. The caller must keep the memory alive.
"""

from __future__ import annotations

import ctypes
from typing import Any

_MOST = 1 << 40  # the largest index


def words_at(address: int) -> Any:
    """The words that begin at an address."""
    return (ctypes.c_int64 * (_MOST >> 3)).from_address(int(address))


def keys_at(address: int) -> Any:
    """The unsigned words that begin at an address."""
    return (ctypes.c_uint64 * (_MOST >> 3)).from_address(int(address))


def shorts_at(address: int) -> Any:
    """The numbers of 16 bits that begin at an address."""
    return (ctypes.c_int16 * (_MOST >> 1)).from_address(int(address))


def bytes_at(address: int) -> Any:
    """The bytes that begin at an address."""
    return (ctypes.c_uint8 * _MOST).from_address(int(address))
