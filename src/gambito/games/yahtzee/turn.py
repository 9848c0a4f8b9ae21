"""One turn of Yahtzee, exactly: what the dice and the rest of the game are worth with best play.

Dice are counted: four bits for each face, so that dice that are kept and dice that are rolled add up. There
are 462 ways to keep at most five dice, those of all five last. A table has the expected points of the rest of
the game at `rest_place(card)`, before a turn; it is filled from the last turn to the first.

Verhoeff, Optimal solitaire Yahtzee strategies (1999).
"""

from __future__ import annotations

import itertools
import math
from functools import partial
from typing import Any

import numpy as np

from gambito.game.gears import gears
from gambito.native import int64, native
from gambito.native.computed import computed
from gambito.native.digest import digest

FACES, DICE, BOXES, LOWER = 6, 5, 13, 7
THREE, FOUR, HOUSE, SMALL, LARGE, YAHTZEE, CHANCE_BOX = range(6, 13)
UPPER_BONUS, ENOUGH, MORE = 35, 63, 100  # points, the points above that earn them, each further yahtzee
EVERY = (1 << BOXES) - 1
UPPER_AT, FLAG_AT, SCORE_AT = 13, 19, 20  # bits of a card: boxes used, points above, yahtzee of 50, score

_WAYS = [
    code for size in range(DICE + 1) for code in itertools.combinations_with_replacement(range(FACES), size)
]
KEEPS = np.array([sum(1 << 4 * face for face in code) for code in _WAYS], np.int64)
ROLLS_AT = next(place for place, code in enumerate(_WAYS) if len(code) == DICE)  # where all five dice are
SIZES = np.array([len(code) for code in _WAYS], np.int64)
_NUMBER = {int(code): number for number, code in enumerate(KEEPS)}
# The way with one more die of each face; only for fewer than five dice.
ADDED = np.array(
    [[_NUMBER.get(int(code) + (1 << 4 * face), 0) for face in range(FACES)] for code in KEEPS], np.int64
)
# How likely a roll of as many dice gives exactly these.
ODDS = np.array(
    [
        math.factorial(len(way))
        / math.prod(math.factorial(way.count(f)) for f in range(FACES))
        / FACES ** len(way)
        for way in _WAYS
    ]
)
_PARTS = [
    [k for k, kept in enumerate(_WAYS) if all(kept.count(f) <= way.count(f) for f in set(kept))]
    for way in _WAYS[ROLLS_AT:]
]
PARTS = np.array([part for parts in _PARTS for part in parts], np.int64)  # what can be kept of each roll
PARTS_AT = np.array([0, *itertools.accumulate(map(len, _PARTS))], np.int64)


def count_of(dice, face):
    """How many of the dice show a face, from 0."""
    return (dice >> (4 * face)) & 15


def number_of(dice):
    """The number of a way, by search: it is asked once a turn."""
    for number in range(len(KEEPS)):
        if KEEPS[number] == dice:
            return number
    return -1


def has_all(dice, first, last):
    """Do the dice show every face from `first` to `last`?"""
    for face in range(first, last + 1):
        if count_of(dice, face) == 0:
            return False
    return True


def five_of(dice):
    """The face that all five dice show, or -1."""
    for face in range(FACES):
        if count_of(dice, face) == DICE:
            return face
    return -1


def plain_points(dice, box, is_joker):
    """The points of five dice in a box; a joker counts in full in every box of the lower part."""
    if box < FACES:
        return (box + 1) * count_of(dice, box)
    total, most, pairs = 0, 0, 0
    for face in range(FACES):
        total += (face + 1) * count_of(dice, face)
        most = max(most, count_of(dice, face))
        pairs += 1 if count_of(dice, face) >= 2 else 0
    if box == THREE:
        return total if most >= 3 else 0
    if box == FOUR:
        return total if most >= 4 else 0
    if box == HOUSE:
        return 25 if is_joker or (most == 3 and pairs == 2) else 0
    if box == SMALL:
        is_straight = has_all(dice, 0, 3) or has_all(dice, 1, 4) or has_all(dice, 2, 5)
        return 30 if is_joker or is_straight else 0
    if box == LARGE:
        return 40 if is_joker or has_all(dice, 0, 4) or has_all(dice, 1, 5) else 0
    if box == YAHTZEE:
        return 50 if most == DICE else 0
    return total


def rest_place(card):
    """The place of a card in the table: its boxes, its points above, and whether it has a yahtzee of 50."""
    return card & ((1 << SCORE_AT) - 1)


def is_open(game, card, dice, box):
    """May five dice be written into a box? With `forced`, a further yahtzee must go into its own box above,
    then below, if there is room."""
    if card >> box & 1:
        return False
    face = five_of(dice)
    if not (game.bonuses and game.forced) or face < 0 or not card >> YAHTZEE & 1:
        return True
    if not card >> face & 1:
        return box == face
    lower_left = (~card & EVERY) >> FACES != 0
    return box >= FACES or not lower_left


def written(game, card, dice, box):
    """The card after five dice are written into a box."""
    face = five_of(dice)
    is_further = game.bonuses and face >= 0 and card >> YAHTZEE & 1 == 1
    points = plain_points(dice, box, is_further and card >> max(face, 0) & 1 == 1)
    above = card >> UPPER_AT & 63
    gained = points
    if is_further and card >> FLAG_AT & 1:
        gained += MORE
    flag = card >> FLAG_AT & 1
    if box < FACES:
        if above < ENOUGH <= above + points:
            gained += UPPER_BONUS
        above = min(ENOUGH, above + points)
    if box == YAHTZEE and points > 0:
        flag = 1 if game.bonuses else 0
    used = card & EVERY | 1 << box
    return used | above << UPPER_AT | flag << FLAG_AT | ((card >> SCORE_AT) + gained) << SCORE_AT


def turn_values(game, card, rolls, rest, best, expected):
    """Fill in what dice are worth in points still to come, with this many rolls to follow.

    `best` has the 252 ways of five dice, of which some may be kept; `expected` the 462 ways of kept dice, of
    which the others are about to be rolled.
    """
    before = card >> SCORE_AT
    for roll in range(len(best)):
        dice, highest = KEEPS[ROLLS_AT + roll], -1.0
        for box in range(BOXES):
            if is_open(game, card, dice, box):
                after = written(game, card, dice, box)
                highest = max(highest, (after >> SCORE_AT) - before + rest[rest_place(after)])
        best[roll] = highest
    for _ in range(rolls):
        keep_values(best, expected)
        for roll in range(len(best)):
            highest = best[roll]
            for place in range(PARTS_AT[roll], PARTS_AT[roll + 1]):
                highest = max(highest, expected[PARTS[place]])
            best[roll] = highest
    keep_values(best, expected)


def keep_values(best, expected):
    """What kept dice are worth: five as they are, fewer as the mean over the next die."""
    for way in range(len(KEEPS) - 1, -1, -1):
        if way >= ROLLS_AT:
            expected[way] = best[way - ROLLS_AT]
        else:
            total = 0.0
            for face in range(FACES):
                total += expected[ADDED[way, face]]
            expected[way] = total / FACES


@native
def fill_rest(game, rest, seen):
    """Fill in the table for every card that can occur; return the points of a whole game."""
    best, expected = np.empty(len(KEEPS) - ROLLS_AT), np.empty(len(KEEPS))
    for used in range(EVERY - 1, -1, -1):
        for above in range(ENOUGH + 1):
            for flag in range(2):
                card = int64(used | above << UPPER_AT | flag << FLAG_AT)
                if seen[card]:
                    turn_values(game, card, 2, rest, best, expected)
                    rest[card] = expected[0]
    return rest[0]


@native
def find_cards(game, seen):
    """Mark the cards that can occur, without their scores; return their number."""
    found = int64(1)
    seen[0] = True
    for used in range(EVERY):
        for above in range(ENOUGH + 1):
            for flag in range(2):
                card = int64(used | above << UPPER_AT | flag << FLAG_AT)
                if not seen[card]:
                    continue
                for roll in range(ROLLS_AT, len(KEEPS)):
                    for box in range(BOXES):
                        if is_open(game, card, KEEPS[roll], box):
                            after = rest_place(written(game, card, KEEPS[roll], box))
                            if not seen[after]:
                                seen[after] = True
                                found += 1
    return found


def solved_rest(game: Any) -> Any:
    """The table of a game for one player, computed once and kept on disk."""
    mark = digest(
        game.bonuses,
        game.forced,
        fill_rest.plain,
        find_cards.plain,
        turn_values,
        written,
        is_open,
        plain_points,
    )
    return computed("yahtzee", mark, partial(_solve_rest, game))["rest"]


def _solve_rest(game: Any) -> dict[str, Any]:
    rest, seen = np.zeros(1 << SCORE_AT), np.zeros(1 << SCORE_AT, np.bool_)
    inner = gears(game).in_gear("native")
    find_cards(inner, seen)
    fill_rest(inner, rest, seen)
    return {"rest": rest}
