"""Memory by address: how compiled code accesses arrays that are only known at run time.

`words_at(address)[place]` is an `int64`, that of `keys_at` a `uint64`, that of `shorts_at` an `int16`, that
of `bytes_at` a byte, in both gears. The caller must keep the memory alive.
"""

from __future__ import annotations

import ctypes
from typing import Any

from numba import types
from numba.extending import intrinsic, overload
from numpy import int64

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


def _pointer(kind: types.Type) -> Any:
    @intrinsic
    def pointer(context: Any, address: Any) -> Any:
        def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            return builder.inttoptr(args[0], context.get_value_type(types.CPointer(kind)))

        return types.CPointer(kind)(types.int64), lower

    return pointer


_words, _keys, _bytes = _pointer(types.int64), _pointer(types.uint64), _pointer(types.uint8)
_shorts = _pointer(types.int16)


@overload(words_at)
def _native_words_at(address):
    return lambda address: _words(int64(address))


@overload(keys_at)
def _native_keys_at(address):
    return lambda address: _keys(int64(address))


@overload(shorts_at)
def _native_shorts_at(address):
    return lambda address: _shorts(int64(address))


@overload(bytes_at)
def _native_bytes_at(address):
    return lambda address: _bytes(int64(address))
