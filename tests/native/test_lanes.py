"""Four bitboards at once: both gears compute the same."""

from __future__ import annotations

import functools
import operator

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from gambito.native import Constant, native
from gambito.native.lanes import lanes, union, where

NOTHING = Constant(object(), "tests.lanes", "1", {}, {})
WORDS = st.integers(0, (1 << 64) - 1).map(np.uint64)
FOURS = st.lists(WORDS, min_size=4, max_size=4).map(lambda words: np.array(words, np.uint64))


@native
def combine(game, first, second, shifts, bits):
    one, two, far, same = lanes(first), lanes(second), lanes(shifts), lanes(bits)
    mixed = ((one & two) ^ (~one << far)) | ((two >> far) & same)
    return union(mixed), union(where(one, two & same))


@settings(deadline=None)
@given(FOURS, FOURS, st.lists(st.integers(0, 63), min_size=4, max_size=4), WORDS)
def test_lanes_are_the_same_in_both_gears(first, second, shifts, bits):
    far = np.array(shifts, np.uint64)
    plain = combine(None, first, second, far, bits)
    assert list(map(int, plain)) == list(map(int, combine(NOTHING, first, second, far, bits)))
    chosen = [int(a) for a, b in zip(first, second, strict=True) if int(b) & int(bits)]
    assert int(plain[1]) == functools.reduce(operator.or_, chosen, 0)
