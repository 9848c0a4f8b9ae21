"""Numbers of positions without men in hand, for endgame tables.

A slice holds the positions with given numbers of men on each side, with either side to move: `5-4`. Of the
sixteen views of a position, the one is used in which the set of men of the player to move is the smallest
number; if several are equal, the one in which the set of the opponent's men is smallest. A number consists
of: whether the player to move has fewer men; which of the smallest sets their men are; and where the
opponent's men are among the points left.
"""

from __future__ import annotations

import functools
import re

import numpy as np

from gambito.errors import PositionError
from gambito.game.contract import quoted
from gambito.game.numbering import choose, rank_among, unrank_among
from gambito.native import first_bit, int64, popcount, uint64

from .board import VIEWS, MillGeometry

FEWEST, MOST = 3, 6  # men that a side may have in a slice
PAIR = 16


@functools.cache
def least_sets(rings: int) -> tuple[np.ndarray, np.ndarray]:
    """The sets of men that are the smallest of their views, ordered by the number of men and then by value;
    and where the sets of each number of men begin."""
    board = MillGeometry(rings)
    points = np.uint64(1) << np.arange(board.points, dtype=np.uint64)
    sets, found, starts = np.zeros(1, np.uint64), [], [0] * (FEWEST + 1)
    for men in range(1, MOST + 1):
        more = (sets[:, None] | points)[sets[:, None] & points == 0]
        views = [board.turned(more, view) for view in range(2 * VIEWS)]
        sets = np.unique(functools.reduce(np.minimum, views))
        if men >= FEWEST:
            found.append(sets)
            starts.append(starts[-1] + len(sets))
    return np.concatenate(found), np.array(starts, np.int64)


def half_size(game, first, second):
    """The number of positions with the first side to move."""
    kinds = game.starts[first + 1] - game.starts[first]
    return kinds * choose(game.points - first, second)


def slice_size(game, signature):
    first, second = signature // PAIR, signature % PAIR
    size = half_size(game, first, second)
    return size if first == second else size + half_size(game, second, first)


def number_of(game, mine, theirs):
    least, ties, view = mine, uint64(1), 1
    while view < 2 * VIEWS:
        seen = game.turned(mine, view)
        if seen < least:
            least, ties = seen, uint64(0)
        if seen == least:
            ties |= uint64(1) << uint64(view)
        view += 1
    free, other = game.full & ~least, int64(1) << int64(62)
    while ties:
        other = min(other, rank_among(game.turned(theirs, first_bit(ties)), free))
        ties &= ties - uint64(1)
    first, second = popcount(mine), popcount(theirs)
    low, high = game.starts[first], game.starts[first + 1]
    while high - low > 1:
        middle = (low + high) >> 1
        if game.least[middle] <= least:
            low = middle
        else:
            high = middle
    number = (low - game.starts[first]) * choose(game.points - first, second) + other
    return number + half_size(game, second, first) if first < second else number


def position_of(game, signature, number):
    """The men of the player to move, and those of the opponent."""
    first, second = signature // PAIR, signature % PAIR
    if first != second:
        half = half_size(game, first, second)
        if number >= half:
            number -= half
            first, second = second, first
    each = choose(game.points - first, second)
    mine = game.least[game.starts[first] + number // each]
    return mine, unrank_among(number % each, second, game.full & ~mine)


# ---- names -------------------------------------------------------------------------------------------


def read_slice(label: str, name: str) -> int:
    found = re.fullmatch(r"([0-9])-([0-9])", name.strip())
    men = sorted(map(int, found.groups()), reverse=True) if found else []
    if not men or men[1] < FEWEST or men[0] > MOST:
        raise PositionError(
            "{} is no slice of {}; accepted: the men of both sides, {} to {} each, as 5-4",
            quoted(name),
            label,
            FEWEST,
            MOST,
        )
    return men[0] * PAIR + men[1]


def slice_names(limit: int, men: int) -> list[str]:
    """Order by the number of men: taking a man leads to an earlier slice."""
    most = min(men, MOST)
    pairs = [(a, b) for a in range(FEWEST, most + 1) for b in range(FEWEST, a + 1) if a + b <= limit]
    return [f"{a}-{b}" for a, b in sorted(pairs, key=lambda pair: (sum(pair), pair))]


def conversions(signature: int) -> list[str]:
    first, second = divmod(signature, PAIR)
    pairs = {tuple(sorted(p, reverse=True)) for p in ((first - 1, second), (first, second - 1))}
    return [f"{a}-{b}" for a, b in sorted(pairs) if b >= FEWEST]
