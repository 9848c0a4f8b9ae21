"""Rubbers: what counts below the line, games, vulnerability, and how a rubber ends."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gambito.bridge.contracts import Contract, score
from gambito.bridge.rubber import Rubber
from gambito.errors import GameError

SOUTH, WEST = 0, 1
CLUBS, DIAMONDS, HEARTS, SPADES, NO_TRUMP = range(5)


def played(*deals):
    rubber = Rubber()
    for level, strain, doubled, declarer, tricks in deals:
        rubber.add(Contract(level, strain, doubled, declarer), tricks)
    return rubber


@pytest.mark.parametrize(
    ("deals", "above", "below", "games"),
    [
        ([(2, SPADES, 0, SOUTH, 9)], [30, 0], [60, 0], [0, 0]),
        ([(2, SPADES, 0, SOUTH, 8), (1, NO_TRUMP, 0, SOUTH, 7)], [0, 0], [0, 0], [1, 0]),
        ([(1, NO_TRUMP, 0, WEST, 8)], [0, 30], [0, 40], [0, 0]),
        ([(2, HEARTS, 1, SOUTH, 9)], [50 + 100, 0], [0, 0], [1, 0]),
        ([(3, NO_TRUMP, 0, SOUTH, 7)], [0, 100], [0, 0], [0, 0]),
        ([(4, SPADES, 0, SOUTH, 10), (4, SPADES, 1, SOUTH, 8)], [0, 500], [0, 0], [1, 0]),
        ([(6, CLUBS, 0, WEST, 12)], [0, 500], [0, 0], [0, 1]),
        ([(4, HEARTS, 0, WEST, 10), (7, NO_TRUMP, 0, WEST, 13)], [0, 1500 + 700], [0, 0], [0, 2]),
        ([(3, DIAMONDS, 0, SOUTH, 9), (4, SPADES, 0, WEST, 10)], [0, 0], [0, 0], [0, 1]),
    ],
)
def test_points_above_and_below_the_line(deals, above, below, games):
    rubber = played(*deals)
    assert (rubber.above, rubber.below, rubber.games) == (above, below, games)


def test_a_rubber_of_three_games():
    """Game to each side, then the last: 500 for the rubber."""
    rubber = played((3, NO_TRUMP, 0, SOUTH, 9), (4, SPADES, 0, WEST, 11), (5, CLUBS, 0, SOUTH, 11))
    assert rubber.is_over
    assert rubber.points == (100 + 100 + 500, 120 + 30)
    with pytest.raises(GameError, match="this rubber is over: 2 to 1 games"):
        rubber.add(Contract(1, CLUBS, 0, SOUTH), 7)


def test_a_rubber_that_is_not_finished():
    assert played((4, SPADES, 0, SOUTH, 10), (2, HEARTS, 0, WEST, 8)).finish() == (120 + 300, 60 + 100)


def test_honours_count_for_either_side_and_in_any_contract_but_a_pass():
    rubber = Rubber()
    rubber.add(Contract(4, SPADES, 0, SOUTH), 9, (0, 100))
    assert rubber.points == (0, 150)
    rubber.add(Contract(0, CLUBS, 0, SOUTH), 0, (150, 0))
    assert rubber.points == (0, 150)


@pytest.mark.parametrize(
    ("contract", "tricks", "honours", "message"),
    [
        (Contract(8, CLUBS, 0, SOUTH), 9, (0, 0), "is no contract"),
        (Contract(1, CLUBS, 0, SOUTH), 14, (0, 0), "a deal has 0 to 13 tricks, not 14"),
        (Contract(1, CLUBS, 0, SOUTH), 7, (90, 0), "honours are worth 0, 100 or 150"),
    ],
)
def test_what_no_deal_can_be(contract, tricks, honours, message):
    with pytest.raises(GameError, match=message):
        Rubber().add(contract, tricks, honours)


@given(
    st.integers(1, 7),
    st.integers(0, 4),
    st.integers(0, 2),
    st.integers(0, 3),
    st.integers(0, 13),
    st.booleans(),
)
def test_a_deal_counts_as_in_duplicate_but_for_the_bonus_of_games(
    level, strain, doubled, declarer, tricks, is_vulnerable
):
    side = declarer & 1
    rubber = Rubber(games=[1, 1] if is_vulnerable else [0, 0])
    rubber.add(Contract(level, strain, doubled, declarer), tricks)
    known = score(level, strain, doubled, is_vulnerable, tricks)
    points = rubber.points[side] - rubber.points[1 - side]
    if tricks < level + 6:
        assert points == known
        return
    is_game = rubber.games[side] > int(is_vulnerable)
    bonus = (500 if is_vulnerable else 300) if is_game else 50
    assert points - (500 if rubber.is_over else 0) == known - bonus
