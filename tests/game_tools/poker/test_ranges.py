"""Ranges as people write them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gambito.game_tools.poker.cards import CLASS_OF, CLASSES, HANDS, class_name
from gambito.game_tools.poker.ranges import read_range, write_range


def names(text):
    weights = read_range(text)
    return {class_name(int(CLASS_OF[hand])) for hand in np.flatnonzero(weights)}


@pytest.mark.parametrize(
    ("text", "hands", "count"),
    [
        ("AA", "AA", 6),
        ("AKs", "AKs", 4),
        ("AKo", "AKo", 12),
        ("AK", "AKs AKo", 16),
        ("ka", "AKs AKo", 16),
        ("JJ+", "JJ QQ KK AA", 24),
        ("A2s+", "A2s A3s A4s A5s A6s A7s A8s A9s ATs AJs AQs AKs", 48),
        ("KTo+", "KTo KJo KQo", 36),
        ("66-99", "66 77 88 99", 24),
        ("A5s-A2s", "A5s A4s A3s A2s", 16),
        ("T9s-65s", "T9s 98s 87s 76s 65s", 20),
        ("QTs-J9s", "QTs J9s", 8),
        ("AhKd", "AKo", 1),
        ("22+,A2s+ KTo+", None, 78 + 48 + 36),
        ("random", None, HANDS),
    ],
)
def test_a_range_names_its_hands(text, hands, count):
    weights = read_range(text)
    assert (weights > 0).sum() == count
    assert hands is None or names(text) == set(hands.split())


def test_weights_and_the_last_word():
    assert set(read_range("AA:0.25")[read_range("AA") > 0]) == {0.25}
    assert (read_range("22+,AA:0") > 0).sum() == 72


@given(
    st.dictionaries(st.integers(0, HANDS - 1), st.sampled_from([1.0, 0.5, 0.125]), min_size=1, max_size=40)
)
def test_a_range_is_read_as_it_was_written(held):
    weights = np.zeros(HANDS)
    weights[list(held)] = list(held.values())
    assert (read_range(write_range(weights)) == weights).all()


@given(st.sets(st.integers(0, CLASSES - 1), min_size=1))
def test_whole_classes_are_written_as_classes(chosen):
    weights = np.isin(CLASS_OF, list(chosen)).astype(float)
    assert set(write_range(weights).split(",")) == {class_name(number) for number in chosen}


@pytest.mark.parametrize(
    "text",
    ["", "AAs", "A", "1K", "AK+s", "AKs-QQ", "99-66+", "AA:2", "AA:", "AsAs", "AsKx", "AA:0", "A2s-K2s"],
)
def test_bad_ranges_are_refused_in_one_sentence(text):
    with pytest.raises(ValueError, match=r"accepted|impossible|weight|twice|no card|one hand") as told:
        read_range(text)
    assert len(str(told.value).splitlines()) == 1
