"""Yahtzee: boxes, bonuses and jokers beside rules written another way; the value of the whole game.

OpenSpiel has yacht, an older game with other boxes, but no Yahtzee: there is nothing to compare with there.
"""

from __future__ import annotations

import itertools
import random
from collections import Counter

import numpy as np
import pytest

import gambito
from gambito import CHANCE
from gambito.game.gears import gears
from gambito.games.yahtzee import EVERY, NAMES, SCORE_AT, Yahtzee
from gambito.games.yahtzee.turn import (
    KEEPS,
    ODDS,
    ROLLS_AT,
    SIZES,
    fill_rest,
    find_cards,
    plain_points,
    solved_rest,
    turn_values,
)


def points(dice: tuple[int, ...], name: str, joker: bool = False) -> int:
    """The points of five dice in a box, from the words of the rules."""
    counts = sorted(Counter(dice).values())
    straight = max(
        (len(run) for run in ({1, 2, 3, 4, 5}, {2, 3, 4, 5, 6}) if run <= set(dice)),
        default=4 if any({a, a + 1, a + 2, a + 3} <= set(dice) for a in (1, 2, 3)) else 0,
    )
    if name.isdigit():
        return int(name) * dice.count(int(name))
    return {
        "3k": sum(dice) if counts[-1] >= 3 else 0,
        "4k": sum(dice) if counts[-1] >= 4 else 0,
        "fh": 25 if counts == [2, 3] or joker else 0,
        "ss": 30 if straight >= 4 or joker else 0,
        "ls": 40 if straight == 5 or joker else 0,
        "y": 50 if counts[-1] == 5 else 0,
        "ch": sum(dice),
    }[name]


def test_the_points_of_every_roll():
    for dice in itertools.combinations_with_replacement(range(1, 7), 5):
        code = sum(1 << 4 * (face - 1) for face in dice)
        for box, name in enumerate(NAMES):
            assert plain_points(code, box, False) == points(dice, name)
            if len(set(dice)) == 1:
                assert plain_points(code, box, True) == points(dice, name, joker=True)


def test_the_odds():
    assert len(KEEPS) == 462 and len(KEEPS) - ROLLS_AT == 252
    for size in range(6):
        assert ODDS[size == SIZES].sum() == pytest.approx(1)


class Paper:
    """A card as a person keeps it: a dictionary of boxes."""

    def __init__(self, forced: bool) -> None:
        self.boxes: dict[str, int] = {}
        self.extra, self.forced = 0, forced

    def open_for(self, dice) -> set[str]:
        left = set(NAMES) - set(self.boxes)
        if not self.forced or len(set(dice)) > 1 or "y" not in self.boxes:
            return left
        face = str(dice[0])
        if face in left:
            return {face}
        return {name for name in left if not name.isdigit()} or left

    def write(self, dice, name) -> None:
        further = len(set(dice)) == 1 and "y" in self.boxes
        if further and self.boxes["y"] == 50:
            self.extra += 100
        joker = further and str(dice[0]) in self.boxes
        self.boxes[name] = points(dice, name, joker)

    @property
    def score(self) -> int:
        above = sum(value for name, value in self.boxes.items() if name.isdigit())
        return sum(self.boxes.values()) + self.extra + (35 if above >= 63 else 0)


@pytest.mark.parametrize("forced", [False, True])
def test_random_games_beside_a_paper(forced):
    """Dice are often five of a kind, so that jokers and bonuses occur."""
    game, rng = Yahtzee(2, forced=forced), random.Random(5)
    for _ in range(30):
        state, papers = game.initial(), [Paper(forced), Paper(forced)]
        while not game.is_terminal(state):
            if game.player(state) == CHANCE:
                outcomes = game.legal(state)
                same = [o for o in outcomes if "5" in f"{int(KEEPS[o]):x}"] or outcomes
                state = game.result(state, rng.choice(same if rng.random() < 0.5 else outcomes))
                continue
            mover, dice = state.mover, tuple(map(int, game._faces(state.dice)))
            boxes = [a for a in game.legal(state) if a < 13]
            assert {NAMES[a] for a in boxes} == papers[mover].open_for(dice)
            action = rng.choice(boxes) if rng.random() < 0.6 else rng.choice(game.legal(state))
            if action < 13:
                papers[mover].write(dice, NAMES[action])
            state = game.result(state, action)
            assert game.score(state, mover) == papers[mover].score
        scores = [paper.score for paper in papers]
        won = (scores[0] > scores[1]) - (scores[0] < scores[1])
        assert [game.utility(state, p) for p in range(2)] == [won, -won]


def test_the_last_turn_alone():
    """With only the yahtzee box open, the best three rolls have a chance of 4.6029 % for 50 points."""
    game, rest = Yahtzee(), np.zeros(1 << SCORE_AT)
    card = EVERY & ~(1 << NAMES.index("y"))
    best, ways = np.empty(252), np.empty(462)
    turn_values(game, card, 2, rest, best, ways)
    assert ways[0] == pytest.approx(50 * 0.04602864, abs=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("bonuses", "forced", "value"),
    [(False, False, 245.870775), (True, False, 254.589609), (True, True, 254.587729)],
)
def test_the_value_of_the_game(bonuses, forced, value):
    """Verhoeff 1999: 254.5896 with bonuses and jokers; 245.87 without."""
    game = Yahtzee(1, bonuses, forced)
    rest, seen = np.zeros(1 << SCORE_AT), np.zeros(1 << SCORE_AT, np.bool_)
    inner = gears(game).in_gear("native")
    assert find_cards(inner, seen) == (536_448 if bonuses else 357_632)
    assert fill_rest(inner, rest, seen) == pytest.approx(value, abs=1e-6)


@pytest.mark.slow
def test_a_solved_game_is_played_well():
    """One ply of search with the table plays perfectly: its scores agree with the expectation."""
    game, rng = Yahtzee(solved=True), random.Random(6)
    scores = []
    for _ in range(60):
        state = game.initial()
        while not game.is_terminal(state):
            if game.player(state) == CHANCE:
                ways, odds = zip(*game.chances(state), strict=True)
                state = game.result(state, rng.choices(ways, odds)[0])
            else:
                found = gambito.search(game, state, "expectimax", depth=1)
                state = game.result(state, found.action)
        scores.append(game.score(state, 0))
    error = np.std(scores) / len(scores) ** 0.5
    assert abs(np.mean(scores) - 254.5896) < 4 * error
    assert solved_rest(Yahtzee())[0] == pytest.approx(254.589609, abs=1e-5)


@pytest.mark.parametrize(
    "text", ["", "0:0:1 1 - 2", "0:0:1,2 1 123456 2", "0:0+:y,1 1 12345 2", "x:0:- 1 -* 2"]
)
def test_bad_positions(text):
    with pytest.raises(gambito.PositionError):
        Yahtzee().parse(text)
