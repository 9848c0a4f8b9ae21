"""Rollouts: unbiased, alike in both gears, and surer with the luck taken out."""

import pytest

import gambito
from gambito.chance.rollout import rollout
from gambito.chance.value_iteration import Solution


def test_luck_is_taken_out_and_the_value_stays():
    plain = rollout("nannon", "1XX..OO1 white", games=3000, policy="random", correct=False)
    fair = rollout("nannon", "1XX..OO1 white", games=3000, policy="random", correct=True)
    assert abs(plain.value - fair.value) < 3 * (plain.error + fair.error)
    assert fair.error < 0.8 * plain.error


def test_both_gears_play_the_same_games():
    both = [rollout("nannon", "1XX..OO1 white", games=40, gear=gear) for gear in ("native", "python")]
    assert both[0] == both[1]


def test_the_interval_holds_the_truth():
    """One turn of pig decided only by the die, because greedy play never holds."""
    found = rollout("pig-turn:target=6", None, games=2000)
    truth = Solution(gambito.load("pig-turn:target=6"), gambito.load("pig-turn:target=6").initial(), 1000)
    truth.solve()
    low, high = found.interval(0.999)
    assert low <= truth.values[0] + 1e-9 and found.value <= truth.values[0] + 3 * found.error + 1e-9
    assert low < found.value < high


def test_as_an_algorithm():
    found = gambito.search("nannon", "0X...O.2 white 1", "rollout", games=50)
    assert found.action is not None and found.low <= found.value <= found.high and not found.exact
    with pytest.raises(gambito.SearchError, match="games of chance"):
        rollout("nim")
    with pytest.raises(gambito.SearchError, match="unknown policy"):
        rollout("nannon", policy="wise")
