"""The numbers next to another: both gears give the same."""

import math

from hypothesis import example, given, settings
from hypothesis import strategies as st

from gambito.native import Constant, above, below, native

NOTHING = Constant(object(), "tests.neighbours", "1", {}, {})


@native
def around(game, value, step):
    return below(value, step), above(value, step)


@settings(deadline=None)  # the first example compiles
@given(st.floats(allow_nan=False))
@example(0.0)
@example(-0.0)
@example(-math.inf)
def test_no_float_lies_between_neighbours(number):
    expected = math.nextafter(number, -math.inf), math.nextafter(number, math.inf)
    assert tuple(around(None, number, 1.0)) == tuple(around(NOTHING, number, 1.0)) == expected


@settings(deadline=None)
@given(st.integers(-(1 << 40), 1 << 40), st.integers(1, 5))
def test_whole_numbers_are_a_step_apart(number, step):
    expected = number - step, number + step
    assert tuple(around(None, number, step)) == tuple(around(NOTHING, number, step)) == expected
