"""Equities: known match-ups, the slow truth on flops, samples within their error."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest

from gambito.game_tools.poker.cards import HANDS, HIGH, LOW, class_name, hand_name, read_board, read_cards
from gambito.game_tools.poker.equity import equity
from gambito.game_tools.poker.preflop import COMPLETIONS, preflop
from gambito.game_tools.poker.ranges import read_range
from tests.game_tools.poker.naive import best

# Hands against any other, in per cent of the pot, as tables in books give them.
AGAINST_RANDOM = {
    "AA": 85.20, "KK": 82.40, "QQ": 79.93, "JJ": 77.47, "TT": 75.01, "99": 72.06, "88": 69.16, "77": 66.24,
    "66": 63.28, "55": 60.32, "44": 57.02, "33": 53.69, "22": 50.33, "AKs": 67.04, "AKo": 65.32,
    "AQs": 66.21, "KQs": 63.40, "JTs": 57.53, "72o": 34.58, "32o": 32.30,
}  # fmt: skip


@pytest.mark.parametrize("name", AGAINST_RANDOM)
def test_hands_against_any_other(name):
    found = equity([read_range(name), read_range("random")])
    assert found.errors is None and round(100 * found.shares[0], 2) == AGAINST_RANDOM[name]


def test_the_table_of_classes_counts_every_board():
    table = preflop()
    assert (table.wins + table.wins.T + table.ties == table.pairs * COMPLETIONS).all()
    assert table.pairs.sum() == HANDS * 1225 and (table.ties == table.ties.T).all()


def test_single_hands_agree_with_the_table_of_classes():
    """Six hands of aces and six of kings lie in three ways, counted board by board."""
    table, total = preflop(), 0
    for one, other in itertools.product(("AhAd", "AhAc"), ("KhKd", "KsKc", "KhKs")):
        weight = {("AhAd", "KhKd"): 6, ("AhAd", "KsKc"): 6, ("AhAd", "KhKs"): 24}.get((one, other), 0)
        if weight:
            found = equity([read_range(one), read_range(other)])
            total += weight * round(found.wins[0] * COMPLETIONS)
    aces = next(c for c in range(169) if class_name(c) == "AA")
    kings = next(c for c in range(169) if class_name(c) == "KK")
    assert total == table.wins[aces, kings] == 50_371_344


def test_flops_agree_with_the_slow_truth():
    rng = random.Random(3)
    for players in (2, 2, 3):
        deck = rng.sample(range(52), 3 + 2 * players)
        board, hands = deck[:3], [deck[3 + 2 * n : 5 + 2 * n] for n in range(players)]
        shares, count = np.zeros(players), 0
        for rest in itertools.combinations([c for c in range(52) if c not in deck], 2):
            ranked = [best([*hand, *board, *rest]) for hand in hands]
            winners = [n for n, value in enumerate(ranked) if value == max(ranked)]
            shares[winners] += 1 / len(winners)
            count += 1
        names = [hand_name(max(a, b) * (max(a, b) - 1) // 2 + min(a, b)) for a, b in hands]
        found = equity([read_range(name) for name in names], board)
        assert found.deals == count and np.allclose(found.shares, shares / count, atol=1e-12)


def test_ranges_are_the_mean_over_their_hands():
    """Every two hands that share no card count as their weights say."""
    one, other = read_range("AhKh,QsQd:0.5"), read_range("JJ:0.25,Ah2h")
    board = read_board("Ks Th 7s 4d")
    total = share = 0.0
    for a, b in itertools.product(np.flatnonzero(one), np.flatnonzero(other)):
        if not {LOW[a], HIGH[a]} & {LOW[b], HIGH[b]}:
            weight = one[a] * other[b]
            single = equity([(np.arange(HANDS) == hand).astype(float) for hand in (a, b)], board)
            total, share = total + weight, share + weight * single.shares[0]
    assert equity([one, other], board).shares[0] == pytest.approx(share / total, abs=1e-12)


def test_samples_are_within_their_error():
    exact = equity([read_range("22+,A2s+"), read_range("KTo+")])
    found = equity([read_range("22+,A2s+"), read_range("KTo+")], exact=False, samples=40_000)
    assert abs(found.shares[0] - exact.shares[0]) < 4 * found.errors[0] < 0.02
    slow = equity([read_range("22+"), read_range("KTo+")], exact=False, samples=50, how="python")
    assert slow == equity([read_range("22+"), read_range("KTo+")], exact=False, samples=50)


@pytest.mark.parametrize(
    ("ranges", "board", "said"),
    [
        (["AhAd", "AhKd"], "", "cannot hold"),
        (["AA"], "", "2 to 10 players"),
        (["AhKh", "QQ"], "Ah 7d 2c", "every hand of player 1"),
    ],
)
def test_what_cannot_be_is_refused_in_one_sentence(ranges, board, said):
    with pytest.raises(ValueError, match=said):
        equity([read_range(text) for text in ranges], read_cards(board))


@pytest.mark.parametrize("text", ["Ks", "Ks Th", "Ks Th 7s 4d 2c 3c"])
def test_impossible_boards_are_refused(text):
    with pytest.raises(ValueError, match="is no board; accepted"):
        read_board(text)
