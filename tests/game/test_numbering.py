"""Numbers of subsets and permutations: each is met once, and every number leads back."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gambito.game import numbering


@pytest.mark.parametrize(("squares", "size"), [(6, 0), (6, 1), (7, 3), (8, 8)])
def test_subsets_have_each_number_once(squares, size):
    found = set()
    for places in itertools.combinations(range(squares), size):
        bits = np.uint64(sum(1 << place for place in places))
        number = int(numbering.rank_subset(bits))
        assert numbering.unrank_subset(number, size, squares) == bits
        found.add(number)
    assert found == set(range(math.comb(squares, size)))
    assert int(numbering.choose(squares, size)) == len(found)


@given(st.sets(st.integers(0, 63), max_size=12))
def test_subsets_of_a_board_lead_back(places):
    bits = np.uint64(sum(1 << place for place in places))
    number = int(numbering.rank_subset(bits))
    assert 0 <= number < math.comb(64, len(places))
    assert numbering.unrank_subset(number, len(places), 64) == bits


@given(st.integers(0, (1 << 64) - 1), st.integers(0, (1 << 64) - 1))
def test_squeezed_bits_are_stretched_again(bits, mask):
    bits, mask = np.uint64(bits), np.uint64(mask)
    small = numbering.squeeze(bits & mask, mask)
    assert int(small) < 1 << int(mask).bit_count()
    assert numbering.stretch(small, mask) == bits & mask


@pytest.mark.parametrize("count", [1, 4, 5])
def test_permutations_have_each_number_once(count):
    found = set()
    for items in itertools.permutations(range(count)):
        word = np.uint64(sum(item << 4 * place for place, item in enumerate(items)))
        number = int(numbering.rank_permutation(word, count))
        assert numbering.unrank_permutation(number, count) == word
        found.add(number)
    assert found == set(range(math.factorial(count)))


@given(st.permutations(range(12)))
def test_long_permutations_lead_back(items):
    word = np.uint64(sum(item << 4 * place for place, item in enumerate(items)))
    assert numbering.unrank_permutation(numbering.rank_permutation(word, 12), 12) == word


def test_subsets_of_the_free_squares():
    """Every subset of a mask has its number, in order, and comes back from it."""
    free = np.uint64(0b1011_0110_1001)
    squares = [s for s in range(64) if int(free) >> s & 1]
    for size in range(4):
        subsets = [sum(1 << s for s in chosen) for chosen in itertools.combinations(squares, size)]
        numbers = {int(numbering.rank_among(np.uint64(bits), free)): bits for bits in subsets}
        assert sorted(numbers) == list(range(math.comb(len(squares), size)))
        assert all(int(numbering.unrank_among(n, size, free)) == bits for n, bits in numbers.items())
