"""The texts and the picture of the play of bridge: positions as deals in PBN, and cards.

    W:AQ4.K5.. T3.A4.6. ... ...    West leads; the hands clockwise from West: spades, hearts, diamonds, clubs
    … KHAH                         the cards of the trick on the table follow, from its leader's
    … N3                           then the side that is player 0, and the tricks that it has won

Without the last part player 0 is the side of the leader and has won none. It knows the state and nothing else
of the rules.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np

from gambito.errors import PositionError
from gambito.game.contract import quoted
from gambito.words.sentence import Sentence

from .cards import RANK, SEATS, card_at, card_name, hand_text, read_cards, read_hand
from .table import Seats

STRAINS = ("C", "D", "H", "S", "NT")
LETTERS = "SWNE"
OWNERS = 2 * RANK  # bits of the owners of a suit
LENGTH = 4  # bits of the length of a suit
_WON = re.compile(r"([SWNE])([0-9]|1[0-3])")
EXAMPLE = "W:A5.2.. 43.3.. K2.A.. QJ.K.."


class State(NamedTuple):
    """The hands, the trick on the table, and the tricks that player 0 has won."""

    hand_0: np.uint64
    hand_1: np.uint64
    hand_2: np.uint64
    hand_3: np.uint64
    owners_0: np.uint64  # who has each card of clubs and diamonds, from the highest down, two bits each
    owners_1: np.uint64  # the same of hearts and spades
    lengths: np.uint64  # four bits for each suit of each hand
    trick: int  # the cards on the table
    size: int  # how many they are
    best: int  # the card that takes the trick so far
    winner: int  # who played it; between tricks, who leads
    mover: int
    side: int  # 0: player 0 is South and North; 1: West and East
    tricks: int  # that player 0 has won


def at_lead(hands: list[int], leader: int, side: int, tricks: int = 0) -> State:
    """The state in which a hand is to lead."""
    owners, lengths, places = [0, 0], 0, [OWNERS * (suit & 1) + OWNERS - 2 for suit in range(4)]
    left = hands[0] | hands[1] | hands[2] | hands[3]
    while left:
        card = left.bit_length() - 1
        left ^= 1 << card
        suit, seat = card // RANK, next(seat for seat in range(SEATS) if hands[seat] >> card & 1)
        owners[suit >> 1] |= seat << places[suit]
        places[suit] -= 2
        lengths += 1 << LENGTH * (4 * seat + suit)
    south, west, north, east = map(np.uint64, hands)
    low, high = map(np.uint64, owners)
    held = (south, west, north, east, low, high, np.uint64(lengths))
    return State(*held, 0, 0, 0, leader, leader, side, tricks)


class BridgePlayText(Seats):
    """How the play of bridge is written and drawn."""

    title = "Bridge: the play"
    sides = ("Leader's side", "Other side")
    measure = ("tricks", 1.0)

    # ---- text ------------------------------------------------------------------------------------
    def leader(self, state: State) -> int:
        return int(state.mover - state.size) % SEATS

    def whole_deal(self, state: State) -> str:
        """The hands in PBN as they were at the beginning of the trick."""
        leader, hands = self.leader(state), [int(self.hand(state, seat)) for seat in range(SEATS)]
        for place in range(int(state.size)):
            hands[(leader + place) % SEATS] |= 1 << int(card_at(state.trick, place))
        return f"S:{' '.join(map(hand_text, hands))}" if any(hands) else ""

    def text(self, state: State) -> str:
        leader = self.leader(state)
        hands = [hand_text(self.hand(state, (leader + n) % SEATS)) for n in range(SEATS)]
        parts = [f"{LETTERS[leader]}:{' '.join(hands)}"]
        if state.size:
            parts.append("".join(card_name(int(card_at(state.trick, n))) for n in range(int(state.size))))
        if state.tricks or (leader ^ state.side) & 1:
            parts.append(f"{LETTERS[int(state.side)]}{state.tricks}")
        return " ".join(parts)

    def parse(self, text: str) -> State:
        """A deal in PBN with its leader in front, the trick on the table, and the tricks of player 0."""
        words = text.strip().upper().split()
        wrong = PositionError("{} is no position of {}; accepted: {}", quoted(text), self.label(), EXAMPLE)
        won = _WON.fullmatch(words[-1]) if words else None
        if won is not None:
            words.pop()
        if not 4 <= len(words) <= 5 or words[0][1:2] != ":" or words[0][0] not in LETTERS:
            raise wrong
        leader = LETTERS.index(words[0][0])
        found = [read_hand(word) for word in (words[0][2:], *words[1:4])]
        trick = read_cards(words[4]) if len(words) == 5 else []
        if trick is None or len(trick) >= SEATS:
            raise wrong
        hands = [0] * SEATS
        for place, hand in enumerate(found):
            if hand is None:
                raise wrong
            card = 1 << trick[place] if place < len(trick) else 0
            if hand & card:
                raise PositionError("{} is impossible: every card is there once", quoted(text))
            hands[(leader + place) % SEATS] = hand | card
        self._check_hands(hands, text)
        left, side = hands[0].bit_count(), LETTERS.index(won[1]) & 1 if won else leader & 1
        tricks = int(won[2]) if won else 0
        if tricks + left > RANK:
            raise PositionError("{} is impossible: there are {} tricks", quoted(text), RANK)
        state = at_lead(hands, leader, side, tricks)
        for card in trick:
            if card not in self.legal(state):
                raise PositionError("{} is impossible: players follow suit if they can", quoted(text))
            state = self.result(state, card)
        return state

    def _check_hands(self, hands: list[int], text: str) -> None:
        if sum(hands) != hands[0] | hands[1] | hands[2] | hands[3]:
            raise PositionError("{} is impossible: every card is there once", quoted(text))
        if len({hand.bit_count() for hand in hands}) > 1 or hands[0].bit_count() > RANK:
            raise PositionError("{} is impossible: all hands have the same number of cards", quoted(text))

    def write(self, state: State, action: int) -> str:
        return card_name(action)

    def read(self, state: State, text: str) -> int:
        """A card, in capitals or not."""
        return super().read(state, text.strip().upper())

    def tally(self, state: State, player: int) -> str:
        """The tricks of player 0 beside its hands."""
        return str(int(state.tricks)) if (player ^ int(state.side)) & 1 == 0 else ""

    def reason(self, state: State) -> str:
        return Sentence("all cards are played")

    # ---- picture ---------------------------------------------------------------------------------
    def touch(self, state: State, action: int) -> tuple[int, ...]:
        return (self.cell_of(state, int(state.mover), action),)

    def arrows(self, state: State, action: int) -> tuple[tuple[int, ...], ...]:
        return ((*self.touch(state, action), SEATS * RANK + int(state.mover)),)
