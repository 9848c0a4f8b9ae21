"""Blackjack: its values beside a program of its own, and the basic strategy that everybody prints."""

from __future__ import annotations

import functools

import pytest

import gambito
from gambito.chance.value_iteration import Solution

ODDS = {card: 4 / 13 if card == 10 else 1 / 13 for card in range(1, 11)}
CARDS = "?A23456789T"


def best(total: int, ace: bool) -> int:
    return total + 10 if ace and total <= 11 else total


@functools.cache
def dealer_ends(total: int, ace: bool, first: int) -> dict[int, float]:
    """How the dealer ends, 22 for every bust, without a blackjack."""
    odds = dict(ODDS)
    if first:
        odds.pop({1: 10, 10: 1}.get(first, 0), None)
    found: dict[int, float] = {}
    for card, share in odds.items():
        after, soft = total + card, ace or card == 1
        value = best(after, soft)
        ends = {min(value, 22): 1.0} if value >= 17 else dealer_ends(after, soft, 0)
        for end, chance in ends.items():
            found[end] = found.get(end, 0.0) + chance * share / sum(odds.values())
    return found


def stand(total: int, up: int) -> float:
    ends = dealer_ends(up, up == 1, up)
    return sum(p * (1 if end == 22 or total > end else -(total < end)) for end, p in ends.items())


@functools.cache
def hit(total: int, ace: bool, up: int) -> float:
    return sum(share * after_card(total + card, ace or card == 1, up) for card, share in ODDS.items())


@functools.cache
def after_card(total: int, ace: bool, up: int) -> float:
    value = best(total, ace)
    if value > 21:
        return -1.0
    return stand(21, up) if value == 21 else max(stand(value, up), hit(total, ace, up))


def double(total: int, ace: bool, up: int) -> float:
    ends = ((share, best(total + card, ace or card == 1)) for card, share in ODDS.items())
    return 2 * sum(share * (stand(value, up) if value <= 21 else -1.0) for share, value in ends)


@functools.cache
def split(card: int, up: int) -> float:
    """Twice a hand that begins with one card of the pair: the hands do not know of each other."""
    worth = 0.0
    for other, share in ODDS.items():
        total, ace = card + other, card == 1 or other == 1
        value = best(total, ace)
        if card == 1 or value == 21:
            worth += share * stand(value, up)
        else:
            worth += share * max(stand(value, up), hit(total, ace, up), double(total, ace, up))
    return 2 * worth


@pytest.fixture(scope="module")
def solution() -> Solution:
    found = Solution(gambito.load("blackjack"), gambito.load("blackjack").initial(), 200_000)
    found.solve()
    return found


@pytest.mark.slow
def test_every_first_decision(solution):
    """The value of each action in each of the 550 first decisions."""
    game, seen = gambito.load("blackjack"), 0
    for one in range(1, 11):
        for two in range(one, 11):
            for up in range(1, 11):
                state = game.parse(f"{CARDS[one]}{CARDS[two]} {CARDS[up]}")
                if (one, two) == (1, 10):
                    continue
                total, ace = one + two, one == 1
                truth = {0: stand(best(total, ace), up), 1: hit(total, ace, up), 2: double(total, ace, up)}
                truth |= {3: split(one, up)} if one == two else {}
                values = {a: solution.value(game.result(state, a)) for a in game.actions(state)}
                assert values == pytest.approx(truth, abs=1e-9), (one, two, up)
                seen += 1
    assert seen == 540


@pytest.mark.slow
def test_the_basic_strategy(solution):
    """A row for each hand, a column for each card of the dealer from 2 to 9, ten and ace. From a shoe without
    end, an ace and a two are not doubled against a five."""
    game = gambito.load("blackjack")
    chart = {
        "T6": "SSSSSHHHHH", "T2": "HHSSSHHHHH", "T3": "SSSSSHHHHH", "T7": "SSSSSSSSSS",
        "65": "DDDDDDDDDH", "64": "DDDDDDDDHH", "63": "HDDDDHHHHH", "53": "HHHHHHHHHH",
        "A7": "SDDDDSSHHH", "A8": "SSSSSSSSSS", "A6": "HDDDDHHHHH", "A2": "HHHHDHHHHH",
        "88": "PPPPPPPPPP", "AA": "PPPPPPPPPP", "TT": "SSSSSSSSSS", "99": "PPPPPSPPSS", "55": "DDDDDDDDHH",
        "44": "HHHPPHHHHH", "33": "PPPPPPHHHH", "66": "PPPPPHHHHH",
    }  # fmt: skip
    for cards, row in chart.items():
        found = ""
        for up in "23456789TA":
            state = game.parse(f"{cards} {up}")
            values = {a: solution.value(game.result(state, a)) for a in game.actions(state)}
            found += "SHDP"[max(values, key=values.__getitem__)]
        assert found == row, cards


@pytest.mark.slow
def test_the_value_of_the_game(solution):
    """The house keeps a little: less than one stake in a hundred."""
    assert -0.01 < solution.values[0] < 0


@pytest.mark.parametrize(
    ("position", "word", "value"),
    [
        ("T6 T", "hit", hit(16, False, 10)),
        ("T2 4", "stand", stand(12, 4)),
        ("65 6", "double", double(11, False, 6)),
        ("A7 9", "hit", hit(8, True, 9)),
        ("88 T", "split", split(8, 10)),
        ("AA 5", "split", split(1, 5)),
    ],
)
def test_some_decisions(position, word, value):
    found = gambito.search("blackjack", position, "value-iteration", gear="python")
    assert found.words() == [word]
    assert found.value == pytest.approx(value, abs=1e-9)


@pytest.mark.parametrize(
    "text",
    ["", "T6", "T6 X", "play 1-2", "over 99-0-0-0-1-0-0-0-0-0-0-0-0", "play 0-0-0-0-1-0-0-0-0-0-0-0-0"],
)
def test_bad_positions(text):
    with pytest.raises(gambito.PositionError):
        gambito.load("blackjack").parse(text)
