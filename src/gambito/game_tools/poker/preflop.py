"""Every class of hands against every other before the flop, over all boards, counted exactly.

A board counts for all boards that differ from it by an exchange of suits; 134,459 boards are left. Sums over
the hands of a class do not change when suits are exchanged, so the counts of the classes are exact.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from gambito.game_tools.poker.cards import BITS, CLASS_OF, CLASSES, DECK, HANDS, HIGH, LOW, PERMUTATIONS, SETS
from gambito.game_tools.poker.gear import gear
from gambito.game_tools.poker.strength import strength
from gambito.native import int64, native
from gambito.native.computed import computed
from gambito.native.digest import digest

BOARDS = 134_459  # that differ by more than suits
COMPLETIONS = 1_712_304  # boards for two hands: five cards out of 48
NUMBER, MASK = 11, 2047  # bits of a hand's number
_SUITS = np.array(PERMUTATIONS, np.int64)


class PreflopTable(NamedTuple):
    """Counts over all pairs of hands of two classes and all their boards."""

    wins: Any  # [class, other]: the first wins
    ties: Any
    pairs: Any  # hands of the two classes that share no card

    def equity(self) -> Any:
        """The share of the pot that a class wins against another."""
        return (self.wins + self.ties / 2) / np.maximum(self.pairs * COMPLETIONS, 1)


def exchanged(cards, order):
    """A set of cards with its suits exchanged."""
    found = int64(0)
    for suit in range(4):
        found |= ((cards >> (16 * suit)) & 8191) << (16 * _SUITS[order, suit])
    return found


@native
def list_boards(gear, boards, counts):
    """The boards that are the lowest of those that differ from them by suits, and how many those are."""
    found = int64(0)
    for a in range(4, DECK):
        for b in range(3, a):
            for c in range(2, b):
                for d in range(1, c):
                    for e in range(d):
                        board = BITS[a] | BITS[b] | BITS[c] | BITS[d] | BITS[e]
                        same, is_lowest = int64(0), True
                        for order in range(len(_SUITS)):
                            other = exchanged(board, order)
                            if other < board:
                                is_lowest = False
                                break
                            if other == board:
                                same += 1
                        if is_lowest:
                            boards[found], counts[found] = board, len(_SUITS) // same
                            found += 1
    return found


@native
def count_wins(gear, boards, counts, wins, weaker):
    """Add up, for every two classes, how often a hand of the first is stronger than one of the other.

    The hands of a board are taken from the weakest up. `weaker[52]` has, by class, how many hands are weaker
    than the present one, and `weaker[card]` how many of those hold that card: they share it with a hand that
    holds it. No hand that shares both cards is weaker.
    """
    order = np.empty(HANDS, np.int64)
    for place in range(len(boards)):
        size = sort_hands(boards[place], order)
        weaker[:] = 0
        entered = int64(0)
        for now in range(size):
            value, hand = order[now] >> NUMBER, order[now] & MASK
            while order[entered] >> NUMBER < value:
                other = order[entered] & MASK
                weaker[DECK, CLASS_OF[other]] += 1
                weaker[LOW[other], CLASS_OF[other]] += 1
                weaker[HIGH[other], CLASS_OF[other]] += 1
                entered += 1
            row, every, low, high = wins[CLASS_OF[hand]], weaker[DECK], weaker[LOW[hand]], weaker[HIGH[hand]]
            count = counts[place]
            for each in range(CLASSES):
                row[each] += count * (every[each] - low[each] - high[each])


def sort_hands(board, order):
    """Write the hands that share no card with a board, from the weakest up: strength and number in one."""
    size = int64(0)
    for hand in range(HANDS):
        if not SETS[hand] & board:
            order[size] = strength(SETS[hand] | board) << NUMBER | hand
            size += 1
    order[:size].sort()
    return size


@cache
def preflop() -> PreflopTable:
    """The counts of all classes; computed once, in about ten seconds, and kept on disk."""
    return PreflopTable(**computed("preflop", digest(count_wins.plain, list_boards.plain), _tables))


def _tables() -> dict[str, Any]:
    boards, counts = np.zeros(BOARDS, np.int64), np.zeros(BOARDS, np.int32)
    wins, weaker = np.zeros((CLASSES, CLASSES), np.int32), np.zeros((DECK + 1, CLASSES), np.int32)
    list_boards(gear("native"), boards, counts)
    count_wins(gear("native"), boards, counts, wins, weaker)
    disjoint = (SETS[:, None] & SETS[None, :]) == 0
    pairs = np.zeros((CLASSES, CLASSES), np.int64)
    np.add.at(pairs, (CLASS_OF[:, None], CLASS_OF[None, :]), disjoint)
    won = wins.astype(np.int64)
    return {"wins": won, "ties": pairs * COMPLETIONS - won - won.T, "pairs": pairs}
