"""The state of hold'em, packed into whole numbers, and how its parts are read and written.

    a card      4 * rank + suit + 1 in six bits; 0: not dealt, or not seen
    a hand      two cards, the higher one above; twelve bits, three hands in a number
    paid        ten bits for each seat: the chips that it has paid in all
    past        three bits for each move on a street, the last one lowest: FOLD, CALL, four sizes, ALL_IN

These are plain functions that compile into the rules. They know nothing of bets.
"""

from __future__ import annotations

from typing import NamedTuple

from gambito.game_tools.poker.cards import BITS
from gambito.native import int64

SEATS, STREETS, BOARD = 6, 4, 5  # at most; cards of a full board
CARD, HAND, CHIPS, MOVE, BUCKET = 6, 12, 10, 3, 8  # bits
MOST_CHIPS = (1 << CHIPS) - 1
FOLD, CALL, SIZED, ALL_IN = 1, 2, 3, 7  # moves; SIZED to SIZED + 3: the sizes of bets
SIZES = 4
PREFLOP, FLOP, TURN, RIVER = range(STREETS)


class State(NamedTuple):
    """The cards, the chips and the moves. In an observation the others' hands are blank."""

    hands: int  # of the seats 0 to 2
    more: int  # of the seats 3 to 5
    board: int  # six bits a card, the first card lowest
    paid: int
    base: int  # what everybody in the hand had paid when the street began
    step: int  # the last bet or raise on the street: the next one is at least as large
    bets: int  # bets and raises on the street
    out: int  # the seats that have folded, as bits
    acted: int  # the seats that have acted since the last bet or raise
    turn: int
    street: int
    dealt: int  # cards in hands and on the board
    past_0: int  # the moves before the flop, on the flop, on the turn, on the river
    past_1: int
    past_2: int
    past_3: int
    buckets: int  # eight bits a seat: the bucket of its hand, if the game has buckets


def hand_at(state, seat):
    """The hand of a seat."""
    held = state.hands if seat < 3 else state.more
    return held >> HAND * (seat % 3) & 4095


def with_hand(held, seat, hand):
    """Three hands with another one for a seat."""
    place = HAND * (seat % 3)
    return held & ~(int64(4095) << place) | hand << place


def added(hand, card):
    """A hand with one more card."""
    return max(hand, card) << CARD | min(hand, card) if hand else card


def board_card(board, place):
    return board >> CARD * place & 63


def set_of_hand(hand):
    """The set of a hand's cards."""
    found = int64(0)
    if hand & 63:
        found |= BITS[(hand & 63) - 1]
    if hand >> CARD:
        found |= BITS[(hand >> CARD) - 1]
    return found


def set_of_board(board):
    """The set of the cards on the board."""
    found = int64(0)
    while board:
        found |= BITS[(board & 63) - 1]
        board >>= CARD
    return found


def paid_by(state, seat):
    return state.paid >> CHIPS * seat & MOST_CHIPS


def past_of(state, street):
    """The moves on a street."""
    if street == PREFLOP:
        return state.past_0
    if street == FLOP:
        return state.past_1
    return state.past_2 if street == TURN else state.past_3
