"""The slow truth about hands of poker: five cards are compared as the rules say, seven as the best five."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable

from gambito.game_tools.poker.cards import RANK


def five(cards: Iterable[int]) -> tuple[int, list[int]]:
    """The class of five cards, and their ranks in the order in which they count."""
    held = list(cards)
    counts = Counter(card // 4 for card in held)
    ranks = sorted(counts, key=lambda rank: (counts[rank], rank), reverse=True)
    shape = sorted(counts.values(), reverse=True)
    is_flush = len({card % 4 for card in held}) == 1
    is_straight = len(counts) == 5 and max(ranks) - min(ranks) == 4
    if sorted(ranks) == [0, 1, 2, 3, RANK - 1]:
        is_straight, ranks = True, [3, 2, 1, 0, -1]
    if is_straight:
        return (8 if is_flush else 4), ranks
    if is_flush:
        return 5, ranks
    return {(1,) * 5: 0, (2, 1, 1, 1): 1, (2, 2, 1): 2, (3, 1, 1): 3, (3, 2): 6, (4, 1): 7}[
        tuple(shape)
    ], ranks


def best(cards: Iterable[int]) -> tuple[int, list[int]]:
    """The best five of five to seven cards."""
    return max(five(chosen) for chosen in itertools.combinations(cards, 5))
