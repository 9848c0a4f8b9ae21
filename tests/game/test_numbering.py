"""Numbers of subsets: each is met once, and every number leads back."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gambito.game import numbering

WHOLE = np.uint64((1 << 64) - 1)  # a board of 64 free squares


@pytest.mark.parametrize(("squares", "size"), [(6, 0), (6, 1), (7, 3), (8, 8)])
def test_subsets_have_each_number_once(squares, size):
    found = set()
    for places in itertools.combinations(range(squares), size):
        bits = np.uint64(sum(1 << place for place in places))
        number = int(numbering.rank_among(bits, WHOLE))
        assert numbering.unrank_subset(number, size, squares) == bits
        found.add(number)
    assert found == set(range(math.comb(squares, size)))
    assert int(numbering.choose(squares, size)) == len(found)


@given(st.sets(st.integers(0, 63), max_size=12))
def test_subsets_of_a_board_lead_back(places):
    bits = np.uint64(sum(1 << place for place in places))
    number = int(numbering.rank_among(bits, WHOLE))
    assert 0 <= number < math.comb(64, len(places))
    assert numbering.unrank_subset(number, len(places), 64) == bits


def test_subsets_of_the_free_squares():
    """Every subset of a mask has its number, in order, and comes back from it."""
    free = np.uint64(0b1011_0110_1001)
    squares = [s for s in range(64) if int(free) >> s & 1]
    for size in range(4):
        subsets = [sum(1 << s for s in chosen) for chosen in itertools.combinations(squares, size)]
        numbers = {int(numbering.rank_among(np.uint64(bits), free)): bits for bits in subsets}
        assert sorted(numbers) == list(range(math.comb(len(squares), size)))
        assert all(int(numbering.unrank_among(n, size, free)) == bits for n, bits in numbers.items())
