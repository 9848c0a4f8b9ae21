"""Numbers of positions with few pieces, for endgame tables.

A slice holds the positions with given pieces on each side, with either side to move. Positions are turned so
that the player to move moves down. A number consists, from the most significant part on, of: whether the
player to move has fewer pieces; their men, among all squares except the last row; the opponent's men, among
all squares except the first row; their kings, among the remaining squares; the opponent's kings.

    KKM-K    the slice of two kings and a man against a king
"""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING

from gambito.errors import PositionError
from gambito.game.contract import quoted
from gambito.game.numbering import choose, rank_among, unrank_among
from gambito.native import popcount

if TYPE_CHECKING:
    from .rules import _Rules

MAX_PIECES = 8  # most pieces of a slice
SIDE = 16  # the material of a side is its kings · SIDE + its men
PAIR = 256


def material_of(men, kings):
    return popcount(kings) * SIDE + popcount(men)


def pair_of(first, second):
    """The signature of two materials: the side with more pieces first, or else the one with more kings."""
    weight, other = first // SIDE + first % SIDE, second // SIDE + second % SIDE
    if weight > other or (weight == other and first >= second):
        return first * PAIR + second
    return second * PAIR + first


def half_size(game, mine, theirs):
    """The number of positions of these materials with the first side to move."""
    men, kings, other_men, other_kings = mine % SIDE, mine // SIDE, theirs % SIDE, theirs // SIDE
    walk, left = game.squares - game.half, game.squares - men - other_men
    return (
        choose(walk, men) * choose(walk, other_men) * choose(left, kings) * choose(left - kings, other_kings)
    )


def slice_size(game, signature):
    first, second = signature // PAIR, signature % PAIR
    size = half_size(game, first, second)
    return size if first == second else size + half_size(game, second, first)


def number_of(game, mine, theirs, kings):
    """The number of a position in which the player to move moves down."""
    my_men, their_men = mine & ~kings, theirs & ~kings
    my_kings, their_kings = mine & kings, theirs & kings
    first, second = material_of(my_men, my_kings), material_of(their_men, their_kings)
    walk = game.squares - game.half
    free = game.full & ~(my_men | their_men)
    number = rank_among(my_men, game.full & ~game.bottom)
    number = number * choose(walk, second % SIDE) + rank_among(their_men, game.full & ~game.top)
    left = popcount(free)
    number = number * choose(left, first // SIDE) + rank_among(my_kings, free)
    left -= first // SIDE
    number = number * choose(left, second // SIDE) + rank_among(their_kings, free & ~my_kings)
    if first * PAIR + second != pair_of(first, second):
        number += half_size(game, second, first)
    return number


def position_of(game, signature, number):
    """The pieces of the player to move, who moves down, those of the opponent, and all kings."""
    first, second = signature // PAIR, signature % PAIR
    if first != second:
        half = half_size(game, first, second)
        if number >= half:
            number -= half
            first, second = second, first
    men, other_men = first % SIDE, second % SIDE
    left = game.squares - men - other_men
    each = choose(left - first // SIDE, second // SIDE)
    number, their_kings = number // each, number % each
    each = choose(left, first // SIDE)
    number, my_kings = number // each, number % each
    each = choose(game.squares - game.half, other_men)
    mine = unrank_among(number // each, men, game.full & ~game.bottom)
    theirs = unrank_among(number % each, other_men, game.full & ~game.top)
    free = game.full & ~(mine | theirs)
    my_king_set = unrank_among(my_kings, first // SIDE, free)
    their_king_set = unrank_among(their_kings, second // SIDE, free & ~my_king_set)
    return mine | my_king_set, theirs | their_king_set, my_king_set | their_king_set


# ---- names -------------------------------------------------------------------------------------------


def _side_name(material: int) -> str:
    return "K" * (material // SIDE) + "M" * (material % SIDE)


def slice_name(signature: int) -> str:
    return f"{_side_name(signature // PAIR)}-{_side_name(signature % PAIR)}"


def read_slice(game: _Rules, name: str) -> int:
    """The signature of a slice; either side may be named first."""
    found = re.fullmatch(r"(K*)(M*)-(K*)(M*)", name.strip().upper())
    counts = [len(part) for part in found.groups()] if found else []
    if not counts or not counts[0] + counts[1] or not counts[2] + counts[3] or sum(counts) > MAX_PIECES:
        raise PositionError(
            "{} is no slice of {}; accepted: kings K and men M of both sides, {} pieces at most, as KKM-K",
            quoted(name),
            game.label(),
            MAX_PIECES,
        )
    return int(pair_of(counts[0] * SIDE + counts[1], counts[2] * SIDE + counts[3]))


def slice_names(limit: int) -> list[str]:
    """Order by the number of pieces, then of men: captures and promotions lead to earlier slices."""
    sides = [k * SIDE + m for k in range(limit + 1) for m in range(limit + 1) if 0 < k + m < limit]
    pairs = {int(pair_of(a, b)) for a, b in itertools.product(sides, sides) if _count(a) + _count(b) <= limit}
    return [slice_name(pair) for pair in sorted(pairs, key=_order)]


def _count(material: int) -> int:
    return material // SIDE + material % SIDE


def _order(pair: int) -> tuple[int, int, int]:
    first, second = divmod(pair, PAIR)
    return _count(first) + _count(second), first % SIDE + second % SIDE, pair


def conversions(pair: int) -> list[str]:
    """The slices that a capture or a promotion can lead to."""
    found: set[int] = set()
    for mover, other in (divmod(pair, PAIR), divmod(pair, PAIR)[::-1]):
        kings, men = divmod(other, SIDE)
        left = [k * SIDE + m for k in range(kings + 1) for m in range(men + 1) if k + m]
        movers = [mover, mover + SIDE - 1] if mover % SIDE else [mover]
        found |= {int(pair_of(a, b)) for a in movers for b in left}
    return [slice_name(other) for other in sorted(found - {pair}, key=_order)]
