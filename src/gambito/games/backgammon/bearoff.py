"""Bear-off tables, computed by dynamic programming with the rules of the game.

Home positions are numbered so that every move lowers the number, and positions of at most n checkers have
numbers below C(n + 6, 6). The number is the sum of C(s + k - 1, k), where s is the number of checkers on the
k highest points.

    one-sided   [54264][ROLLS]  the probability that a player needs that many rolls when playing for speed
    two-sided   [462][462]      the probability that the player on roll wins, with at most five checkers each
"""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np

from gambito.game.contract import Game
from gambito.game.gears import gears
from gambito.native import int64, native, uint64
from gambito.native.computed import computed
from gambito.native.digest import class_items, digest

from .board import CHECKERS
from .rules import State, _Rules

HOME = 6
FEW = 5  # most checkers of a player in the two-sided table
POSITIONS, PAIRS = math.comb(CHECKERS + HOME, HOME), math.comb(FEW + HOME, HOME)
ROLLS = 32
MEAN_UNIT, DEVIATION_UNIT, CHANCE_UNIT = 2048, 8192, 65535  # units of the integers that searches read
CHOOSE = np.array(
    [[math.comb(s + k - 1, k) if s else 0 for k in range(HOME + 1)] for s in range(CHECKERS + 1)]
)


def number_of(near):
    """The number of a home position."""
    total, number = int64(0), int64(0)
    for k in range(1, HOME + 1):
        total += int64((near >> uint64(4 * (HOME - k))) & uint64(15))
        number += CHOOSE[total, k]
    return number


@native
def list_positions(game, most, words):
    """Write every home position of at most `most` checkers at its number."""
    for code in range(1 << (4 * HOME)):
        near = uint64(code)
        total = int64(0)
        for place in range(HOME):
            total += int64((near >> uint64(4 * place)) & uint64(15))
        if total <= most:
            words[number_of(near)] = near
    return most


def bearing_off(near, high, low):
    """A state in which the first player bears off and the opponent is not in the way."""
    total = uint64(0)
    for place in range(HOME):
        total += (near >> uint64(4 * place)) & uint64(15)
    far = (uint64(CHECKERS) - total) << uint64(52)
    return State(near, far, uint64(1), uint64(14) << uint64(52), uint64(0), uint64(high), uint64(low))


@native
def solve_one_sided(game, words, rolls, means, grains):
    """Fill in the distributions: for every roll, the play with the lowest mean.

    They are exact if `grains` is 0. Otherwise they are integers that add up to `grains`, and the most likely
    number of rolls takes what rounding leaves.
    """
    rolls[0, 0] = max(grains, 1)
    for number in range(1, len(words)):
        for high in range(1, 7):
            for low in range(1, high + 1):
                state = bearing_off(words[number], high, low)
                best = int64(-1)
                for action in game.actions(state):
                    after = number_of(game.result(state, action).near)
                    if best < 0 or means[after] < means[best]:
                        best = after
                for roll in range(rolls.shape[1] - 1):
                    rolls[number, roll + 1] += (1 if high == low else 2) * rolls[best, roll]
        left, likeliest = float(grains), 0
        for roll in range(rolls.shape[1]):
            rolls[number, roll] = (rolls[number, roll] + 18) // 36 if grains else rolls[number, roll] / 36
            left -= rolls[number, roll]
            if rolls[number, roll] > rolls[number, likeliest]:
                likeliest = roll
        if grains:
            rolls[number, likeliest] += left
        for roll in range(rolls.shape[1]):
            means[number] += roll * rolls[number, roll]
    return means[len(words) - 1]


def solve_two_sided(game: Game, grains: int = 0) -> Any:
    """The winning chances of the player on roll: in [a, b] the mover has position a, the opponent b.

    They are exact if `grains` is 0, else integers out of `grains`, rounded towards an even chance. The plays
    of a position do not depend on the opponent: they are listed once, and nothing has to be compiled.
    """
    sure, even = float(max(grains, 1)), (grains + 1) // 2
    rolls = [(high, low) for high in range(1, HOME + 1) for low in range(1, high + 1)]
    weights = np.array([1 if high == low else 2 for high, low in rolls])
    after, first = _plays(game, rolls)

    def chance_against(worst: Any) -> Any:
        """The mover's chance from the opponent's after the best play, for each position and roll."""
        expected = (sure - worst.reshape(-1, len(rolls))) @ weights / 36
        return even + np.trunc(expected - even) if grains else expected

    chances = np.zeros((PAIRS, PAIRS))
    chances[0, 1:] = sure  # the mover has won; in [a, 0] the opponent has
    for last in range(1, PAIRS):  # [a, b] needs [b, c] with c < a: positions below `last` are done
        begin, end = first[last * len(rolls)], first[(last + 1) * len(rolls)]
        of_last = first[last * len(rolls) : (last + 1) * len(rolls)] - begin
        replies = chances[1:last, after[begin:end]]
        chances[last, 1:last] = chance_against(np.minimum.reduceat(replies, of_last, axis=1))
        of_all = first[len(rolls) : (last + 1) * len(rolls)]
        replies = chances[last, after[:end]]
        chances[1 : last + 1, last] = chance_against(np.minimum.reduceat(replies, of_all))
    return chances


def _plays(game: Game, rolls: list[tuple[int, int]]) -> tuple[Any, Any]:
    """The numbers of the positions after the plays of each position and roll, and where these begin."""
    after, first = [0] * len(rolls), list(range(len(rolls)))  # position 0 has no plays; 0 stands for them
    for near in _few_checkers()[1:]:
        for high, low in rolls:
            state = bearing_off(near, high, low)
            first.append(len(after))
            after += {int(number_of(game.result(state, action).near)) for action in game.actions(state)}
    return np.array(after), np.array([*first, len(after)])


def _few_checkers() -> list[Any]:
    """The home positions of at most FEW checkers, by their numbers."""
    counted = (c for c in itertools.product(range(FEW + 1), repeat=HOME) if sum(c) <= FEW)
    words = (uint64(sum(count << (4 * place) for place, count in enumerate(counts))) for counts in counted)
    return sorted(words, key=number_of)


def one_sided(grains: int = 0) -> tuple[Any, Any]:
    """The distributions of rolls and their means: exact, or in grains as other databases have them."""
    rules = gears(_Rules()).in_gear("native")
    words, rolls, means = np.zeros(POSITIONS, np.uint64), np.zeros((POSITIONS, ROLLS)), np.zeros(POSITIONS)
    list_positions(rules, CHECKERS, words)
    solve_one_sided(rules, words, rolls, means, grains)
    return rolls / max(grains, 1), means / max(grains, 1)


def two_sided(grains: int = 0) -> Any:
    """The winning chances of the player on roll: exact, or in grains."""
    return solve_two_sided(_Rules(), grains) / max(grains, 1)


def deviations(rolls: Any, means: Any) -> Any:
    """The standard deviations of the distributions."""
    squares = (rolls * np.arange(ROLLS) ** 2).sum(axis=1)
    return np.sqrt(np.maximum(squares - means**2, 0))


def race_tables() -> tuple[Any, Any]:
    """The means and deviations of the rolls of one side, as integers."""
    kept = computed("bear-off", _mark(solve_one_sided.plain), _race_tables)
    return kept["means"], kept["deviations"]


def pair_table() -> Any:
    """The winning chances of two sides, as integers."""
    return computed("bear-off-pairs", _mark(solve_two_sided), _pair_table)["chances"]


def _mark(solve: Any) -> str:
    return digest(list(class_items(_Rules, Game)), number_of, bearing_off, solve)


def _race_tables() -> dict[str, Any]:
    rolls, means = one_sided()
    return {
        "means": np.round(means * MEAN_UNIT).astype(np.uint16),
        "deviations": np.round(deviations(rolls, means) * DEVIATION_UNIT).astype(np.uint16),
    }


def _pair_table() -> dict[str, Any]:
    return {"chances": np.round(two_sided() * CHANCE_UNIT).astype(np.uint16).reshape(-1)}
