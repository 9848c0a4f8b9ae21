"""Hands of hold'em: their strength against the rules, and the counts that are known."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gambito.game_tools.poker.cards import (
    CLASS_OF,
    CLASSES,
    HANDS,
    HIGH,
    LOW,
    SETS,
    class_name,
    hand_name,
    hand_of,
    read_cards,
    set_of,
)
from gambito.game_tools.poker.gear import gear
from gambito.game_tools.poker.strength import CLASS, CLASS_NAMES, count_classes, strength, strengths
from tests.game_tools.poker.naive import best

decks = st.permutations(range(52))


def test_numbers_of_hands_and_classes():
    assert [hand_of(int(HIGH[h]), int(LOW[h])) for h in range(HANDS)] == list(range(HANDS))
    counts = np.bincount(CLASS_OF, minlength=CLASSES)
    assert {(len(class_name(c)), class_name(c)[2:]): int(counts[c]) for c in range(CLASSES)} == {
        (2, ""): 6, (3, "s"): 4, (3, "o"): 12
    }  # fmt: skip
    assert class_name(CLASS_OF[hand_of(*read_cards("Ts As"))]) == "ATs"
    assert class_name(CLASS_OF[hand_of(*read_cards("2h As"))]) == "A2o"
    assert hand_name(hand_of(*read_cards("2hAs"))) == "As2h"


@given(decks, st.integers(5, 7), st.integers(5, 7))
def test_strengths_have_the_order_of_the_rules(deck, one, other):
    first, second = deck[:one], deck[20 : 20 + other]
    ours = strength(set_of(first)), strength(set_of(second))
    theirs = best(first), best(second)
    assert (ours[0] > ours[1]) == (theirs[0] > theirs[1]) and (ours[0] == ours[1]) == (theirs[0] == theirs[1])
    assert ours[0] >> CLASS == theirs[0][0]


def test_both_gears_rank_all_hands_of_a_board_alike():
    rng = random.Random(7)
    for size in (3, 4, 5, 5):
        board = set_of(rng.sample(range(52), size))
        found = [np.zeros(HANDS, np.int64) for _ in range(2)]
        for name, array in zip(("native", "python"), found, strict=True):
            strengths(gear(name), board, array)
        assert (found[0] == found[1]).all() and ((found[0] < 0) == ((SETS & board) != 0)).all()


def test_every_hand_of_seven_cards_is_in_its_class():
    """The counts are those that books give for the 133,784,560 hands."""
    counts = np.zeros(len(CLASS_NAMES), np.int64)
    count_classes(gear("native"), counts)
    assert counts.tolist() == [
        23_294_460, 58_627_800, 31_433_400, 6_461_620, 6_180_020, 4_047_644, 3_473_184, 224_848, 41_584,
    ]  # fmt: skip


@pytest.mark.parametrize("text", ["1s", "Axx", "AsAs", "A", "As Kd As"])
def test_bad_cards_are_refused_in_one_sentence(text):
    with pytest.raises(ValueError, match=r"is no card; accepted|twice"):
        read_cards(text)
