"""Cards, sets of cards and hands of two cards as numbers, and their names.

card = 4 * rank + suit           from the two of clubs, 0, to the ace of spades, 51
a set of cards                   bit 16 * suit + rank for each card, so that a suit is 13 bits
hand = high * (high - 1) / 2 + low      the number of two cards, from 0 to 1325
class                            169 of them: 13 * row + column of the square with the pairs on its
                                 diagonal, suited hands above it and the others below, aces first
"""

from __future__ import annotations

import itertools
from functools import cache
from typing import Any

import numpy as np

from gambito.errors import PositionError, quoted

RANKS, SUITS = "23456789TJQKA", "cdhs"
RANK, DECK, HANDS, CLASSES = len(RANKS), 52, 1326, 169
BITS = np.array([1 << 16 * (card % 4) + card // 4 for card in range(DECK)], np.int64)  # the set of each card
LOW = np.array([low for high in range(DECK) for low in range(high)], np.int64)  # the lower card of each hand
HIGH = np.array([high for high in range(DECK) for low in range(high)], np.int64)
SETS = BITS[LOW] | BITS[HIGH]  # the set of each hand


def hand_of(one, other):
    """The number of two cards in any order."""
    high, low = max(one, other), min(one, other)
    return high * (high - 1) // 2 + low


def class_of(hand: int) -> int:
    """The class of a hand."""
    low, high = int(LOW[hand]), int(HIGH[hand])
    upper, lower = RANK - 1 - high // 4, RANK - 1 - low // 4  # rows and columns begin with the aces
    return RANK * upper + lower if low % 4 == high % 4 else RANK * lower + upper


CLASS_OF = np.array([class_of(hand) for hand in range(HANDS)], np.int64)


def class_name(number: int) -> str:
    """`AKs`, `AKo` or `AA`."""
    row, column = divmod(number, RANK)
    upper, lower = (RANKS[RANK - 1 - place] for place in (min(row, column), max(row, column)))
    return upper + lower + ("" if row == column else "s" if row < column else "o")


def card_name(card: int) -> str:
    """`As`: the ace of spades."""
    return RANKS[card // 4] + SUITS[card % 4]


def hand_name(hand: int) -> str:
    """`AsKd`: the higher card first."""
    return card_name(int(HIGH[hand])) + card_name(int(LOW[hand]))


@cache
def _known() -> dict[str, int]:
    return {card_name(card): card for card in range(DECK)}


def read_cards(text: str) -> list[int]:
    """The cards of a text like `Ks Th 7s` or `KsTh7s`, all different."""
    names = "".join(text.split())
    cards = []
    for place in range(0, len(names), 2):
        name = names[place : place + 1].upper() + names[place + 1 : place + 2].lower()
        if name not in _known():
            raise PositionError(
                "{} is no card; accepted: a rank of {} and a suit of {}, as in As",
                quoted(names[place : place + 2]), RANKS, SUITS,
            )  # fmt: skip
        if _known()[name] in cards:
            raise PositionError("{} has {} twice", quoted(text), name)
        cards.append(_known()[name])
    return cards


def read_board(text: str) -> list[int]:
    """The cards on the table: none, or three to five."""
    cards = read_cards(text)
    if len(cards) not in (0, 3, 4, 5):
        raise PositionError("{} is no board; accepted: no cards, or three, four or five", quoted(text))
    return cards


def set_of(cards: Any) -> int:
    """The set of some cards."""
    return sum(int(BITS[card]) for card in cards)


PERMUTATIONS = list(itertools.permutations(range(4)))  # of the suits


def permuted(card: int, order: tuple[int, ...]) -> int:
    """A card after the suits were exchanged."""
    return card // 4 * 4 + order[card % 4]
