"""Four bitboards at once: both gears compute the same."""

from __future__ import annotations

import functools
import operator

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from gambito.native import Constant, native
from gambito.native.lanes import lanes, put, union, where
from gambito.native.scratch import scratch

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


@native
def add_up(game, rows):
    """The sum of rows of four, and of its words by their places."""
    total, words = lanes(rows[0]), scratch(8)
    for row in range(1, rows.shape[0]):
        total = total + lanes(rows[row])
    put(total, words, 3)
    return words[3], words[4], words[5], words[6]


@settings(deadline=None)
@given(st.lists(FOURS, min_size=1, max_size=4))
def test_lanes_are_added_and_written(fours):
    rows = np.array(fours)
    plain = add_up(None, rows)
    assert list(map(int, plain)) == list(map(int, add_up(NOTHING, rows))) == rows.sum(axis=0).tolist()
