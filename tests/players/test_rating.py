"""Ratings against values worked out by hand, and the sequential test against simulated matches."""

import math
import random

import pytest

from gambito.players import Sprt, Tally
from gambito.players.rating import elo, expected_score


def tally_of(*pairs: int) -> Tally:
    """A tally with these counts of pairs."""
    tally = Tally()
    for points, count in zip(((0, 0), (0, 0.5), (0.5, 0.5), (1, 0.5), (1, 1)), pairs, strict=True):
        for _ in range(count):
            tally.add(points[0])
            tally.add(points[1], points[0])
    return tally


def test_elo():
    assert elo(0.5) == 0
    assert elo(0.75) == pytest.approx(190.848, abs=1e-3)
    assert elo(10 / 11) == pytest.approx(400)
    assert (elo(0), elo(1)) == (-math.inf, math.inf)
    for difference in (-300.0, 0.0, 35.0):
        assert elo(expected_score(difference)) == pytest.approx(difference)


def test_counts():
    tally = tally_of(1, 2, 3, 4, 5)
    assert tally.pairs == [1, 2, 3, 4, 5] and tally.games == 30
    assert (tally.wins, tally.draws, tally.losses) == (14, 12, 4)
    assert tally.score == pytest.approx(20 / 30)
    tally.add(1)  # a pair that lacks a game
    assert sum(tally.pairs) == 15 and tally.games == 31


def test_a_rating_by_hand():
    """100 pairs: mean 0.55, variance 0.0475; the error of the mean is the root of 0.0475 / 100."""
    tally = tally_of(5, 10, 50, 30, 5)
    rating = tally.rating()
    assert tally.moments() == (100, pytest.approx(0.55), pytest.approx(0.0475))
    assert rating.elo == pytest.approx(elo(0.55))
    assert rating.low == pytest.approx(elo(0.55 - 1.959964 * math.sqrt(0.000475)))
    assert rating.high == pytest.approx(elo(0.55 + 1.959964 * math.sqrt(0.000475)))
    assert rating.superiority == pytest.approx(0.98911, abs=1e-5)  # Φ(0.05 / 0.021794)


def test_without_pairs_there_is_no_rating():
    assert Tally().rating() is None and Tally().score is None
    assert Sprt(0, 10).ratio(Tally()) == 0 and Sprt(0, 10).verdict(Tally()) == ""


def test_the_ratio_by_hand():
    tally = tally_of(5, 10, 50, 30, 5)
    low, high = expected_score(0), expected_score(10)
    expected = 100 * (high - low) * (2 * 0.55 - low - high) / (2 * 0.0475)
    assert Sprt(0, 10).ratio(tally) == pytest.approx(expected)
    assert Sprt(0, 10).bounds == (pytest.approx(-math.log(19)), pytest.approx(math.log(19)))


def test_one_pair_decides_nothing():
    for pairs in ((1, 0, 0, 0, 0), (0, 0, 0, 0, 1), (0, 0, 2, 0, 0)):
        assert Sprt(0, 200).verdict(tally_of(*pairs)) == ""


def play_pair(tally: Tally, difference: float, draws: float, rng: random.Random) -> None:
    """Two games of a simulated match."""
    wins = expected_score(difference) - draws / 2
    one, two = (1 if u < wins else 0.5 if u < wins + draws else 0 for u in (rng.random(), rng.random()))
    tally.add(one)
    tally.add(two, one)


def accepted(test: Sprt, difference: float, draws: float, rng: random.Random) -> str:
    """What the test accepts in a simulated match."""
    tally = Tally()
    while not (verdict := test.verdict(tally)):
        play_pair(tally, difference, draws, rng)
    return verdict


@pytest.mark.parametrize(("elo1", "draws"), [(50, 0.3), (100, 0.2), (200, 0.1)])
def test_errors_of_the_sequential_test(elo1, draws):
    """Each kind of error happens about one time in twenty."""
    test, rng, runs = Sprt(0, elo1), random.Random(1), 400
    false_alarms = sum(accepted(test, 0, draws, rng) == "elo1" for _ in range(runs))
    misses = sum(accepted(test, elo1, draws, rng) == "elo0" for _ in range(runs))
    assert false_alarms / runs < 0.085 and misses / runs < 0.085


def test_an_interval_holds_the_truth():
    """About 95 of 100 intervals of a simulated match hold the true difference."""
    rng, held = random.Random(2), 0
    for _ in range(300):
        tally = Tally()
        for _ in range(100):
            play_pair(tally, 30, 0.4, rng)
        held += tally.rating().low <= 30 <= tally.rating().high
    assert 0.92 <= held / 300 <= 0.985
