"""Memory by address (`native/raw.py`) for the compiler."""

from __future__ import annotations

from typing import Any

from numba import types
from numba.extending import intrinsic, overload
from numpy import int64

from gambito.native.raw import bytes_at, keys_at, shorts_at, words_at


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
