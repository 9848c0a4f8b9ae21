"""Buckets of hands: what a strategy that cannot tell every hand apart goes by.

Before the flop every class of hands is a bucket of its own. After it, a bucket is how strong a hand is now,
and what it may become:

    strength   the share of other hands that it beats, a tie counting half, in `levels` equal parts
    draw       four cards of one suit with one of the hand's among them; else four of five ranks in a row;
               else neither. On the river there are no draws.

The others' bets tell nothing here. A bucket depends on the hand and the board alone.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gambito.game_tools.poker.cards import CLASS_OF, SETS, hand_of
from gambito.game_tools.poker.strength import strength
from gambito.native import int64, popcount

DRAWS = 3  # none, straight, flush
SOME = 7  # one hand in so many is compared: enough for a few levels, and quick


def _near_straights() -> Any:
    """For each set of ranks: would one more rank make a straight?"""
    ranks = np.arange(1 << 13)
    around = ranks << 1 | ranks >> 12  # the ace is also below the two
    counts = [sum(around >> low + place & 1 for place in range(5)) for low in range(10)]
    return (np.array(counts) == 4).any(0)


NEAR = _near_straights()


def ranks_of(cards):
    """The set of the ranks of some cards."""
    return (cards | cards >> 16 | cards >> 32 | cards >> 48) & 8191


def draw_of(hand, board):
    """What a hand may become: 2: a flush, 1: a straight, 0: neither."""
    for suit in range(4):
        own, all_cards = hand >> 16 * suit & 8191, (hand | board) >> 16 * suit & 8191
        if own and popcount(all_cards) == 4:
            return int64(2)
    ranks = ranks_of(hand | board)
    return int64(1) if NEAR[ranks] and not NEAR[ranks_of(board)] else int64(0)


def share_beaten(hand, board):
    """The share of other hands that a hand beats on a board, a tie counting half; every seventh is tried."""
    mine, used = strength(hand | board), hand | board
    points, count = int64(0), int64(0)
    for other in range(0, len(SETS), SOME):
        if SETS[other] & used:
            continue
        theirs = strength(SETS[other] | board)
        points += 2 if mine > theirs else 1 if mine == theirs else 0
        count += 2
    return float(points) / float(count)


def bucket_of(one, other, hand, board, cards, levels):
    """The bucket of the cards `one` and `other`, whose set is `hand`, on a board of so many cards."""
    if cards == 0:
        return int64(CLASS_OF[hand_of(one, other)])
    level = min(int64(share_beaten(hand, board) * levels), int64(levels - 1))
    return level * DRAWS + (draw_of(hand, board) if cards < 5 else int64(0))
