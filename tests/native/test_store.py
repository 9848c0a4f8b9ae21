"""States side by side in raw memory."""

from typing import ClassVar, NamedTuple

import numpy as np
import pytest

from gambito.native import Constant, Handle, kinds, native
from gambito.native.store import get, new_memory, put, width
from gambito.native.values import conform, declared


class Mixed(NamedTuple):
    bits: np.uint64
    place: int
    share: float
    is_on: bool


class Shelf(Handle):
    arrays: ClassVar[dict[str, type]] = {"values": np.uint8}


@native
def write_and_read(game, shelf, first, second):
    put(shelf.values, 2, first)
    put(shelf.values, 3, second)
    return get(shelf.values, 2, first)


VALUES = [(7, 8), (0.5, 1.5), ((1, 2.5), (3, 4.5))]
VALUES += [(Mixed(np.uint64(1 << 63), -4, 0.25, True), Mixed(np.uint64(0), 1, -1.0, False))]


@pytest.mark.parametrize(("first", "second"), VALUES, ids=str)
def test_values_are_read_as_they_were_written(first, second):
    kind = declared(first)
    first, second = conform(first, kind), conform(second, kind)
    memory = new_memory(kind, 5)
    assert memory.nbytes == 5 * width(kind)
    game = Constant(object(), "test_store", "1", {}, {})
    assert write_and_read(game, Shelf(values=memory), first, second) == first
    assert write_and_read(None, Shelf(values=new_memory(None, 5)), first, second) == first


def test_what_holds_an_array_has_no_width():
    array = kinds.Array(kinds.int64, 1, "C")
    assert width(array) == width(kinds.Tuple((kinds.int64, array))) == 0
    assert width(kinds.Tuple([kinds.uint64] * 3)) == 24
