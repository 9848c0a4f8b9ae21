"""What a player of bridge concludes: the call of the system, how likely a deal is, what it is worth.

Searches that imagine deals ask these, in Python. The system is `gambito/game_tools/bridge/system.py`; open
cards are the game of `bridge_play.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

from gambito.game_tools.bridge.contracts import PASS, STRAINS
from gambito.game_tools.bridge.system import Hand, meanings, suggest
from gambito.native import Memory

from .bridge_play import BridgePlay
from .bridge_play_text import at_lead
from .bridge_records import BridgeRecords
from .bridge_text import CALL, State
from .cards import DECK, RANK, SEATS, card_at, hand_text, trick_size

HONOURS = {RANK - 1: 4, RANK - 2: 3, RANK - 3: 2, RANK - 4: 1}  # the points of ace, king, queen and jack
DOUBT = 0.35  # a deal that is one point or card away from what was told is this likely


@cache
def _open_rules(strain: str) -> BridgePlay:
    return BridgePlay(strain)


@cache
def _meanings(calls: tuple[int, ...], dealer: int) -> Any:
    return meanings(calls, dealer)


def described(cards: int) -> Hand:
    """The points and lengths of a hand."""
    suits = [cards >> RANK * suit & (1 << RANK) - 1 for suit in range(4)]
    points = sum(worth for suit in suits for rank, worth in HONOURS.items() if suit >> rank & 1)
    clubs, diamonds, hearts, spades = (suit.bit_count() for suit in suits)
    return Hand(points, (clubs, diamonds, hearts, spades))


class BridgePartners(BridgeRecords):
    """What players of one system think."""

    if TYPE_CHECKING:  # the rules are in `bridge.py`
        board: Memory

        def is_play(self, state: State) -> bool: ...
        def played(self, state: State, seat: int) -> int: ...
        def points(self, state: State, tricks: int) -> int: ...

    def first_hand(self, state: State, seat: int) -> int:
        """The thirteen cards that a seat was dealt."""
        return int(self.hand(state, seat)) | int(self.played(state, seat))

    def whole_deal(self, state: State) -> str:
        """The deal in PBN; empty if not every card is known."""
        hands = [self.first_hand(state, seat) for seat in range(SEATS)]
        is_known = all(hand.bit_count() == RANK for hand in hands)
        return f"S:{' '.join(map(hand_text, hands))}" if is_known else ""

    def agreed(self, seen: State, player: int) -> int | None:
        """In the auction, the call of the system, if it may be called."""
        if seen.ply < DECK or self.is_play(seen):
            return None
        call = suggest(described(self.first_hand(seen, player)), self.calls(seen), int(self.board[0]))
        return CALL + (call if CALL + call in self.legal(seen) else PASS)

    def likelihood(self, state: State, player: int) -> float:
        """How near the others' hands are to what their calls have told."""
        if state.ply < DECK:
            return 1.0
        shown, far = _meanings(tuple(self.calls(state)), int(self.board[0])), 0
        for seat in range(SEATS):
            if seat != player:
                far += shown[seat].distance(described(self.first_hand(state, seat)))
        return float(DOUBT**far)

    def open_value(self, state: State, player: int, solve: Callable[[Any, State], Any]) -> float | None:
        """The score of the contract with open cards; in the auction, of that which the system reaches."""
        if state.ply < DECK:
            return None
        while not self.is_play(state) and not self.is_terminal(state):
            action = self.agreed(state, int(state.mover))
            state = self.result(state, CALL + PASS if action is None else action)
        tricks = int(state.tricks)
        if not self.is_terminal(state):
            tricks = int(solve(_open_rules(STRAINS[(int(state.bid) - 1) % 5]), self.opened(state)))
        points = float(self.points(state, tricks))
        return points if player % 2 == 0 else -points

    def opened(self, state: State) -> Any:
        """The state of the play with open cards, in which South and North are player 0."""
        rules = _open_rules(STRAINS[(int(state.bid) - 1) % 5])
        hands, size = (
            [int(self.hand(state, seat)) for seat in range(SEATS)],
            int(trick_size(state.trick)) % SEATS,
        )
        leader = int(state.mover - size) % SEATS
        cards = [int(card_at(state.trick, place)) for place in range(size)]
        for place, card in enumerate(cards):
            hands[(leader + place) % SEATS] |= 1 << card
        open_state = at_lead(hands, leader, 0, int(state.tricks))
        for card in cards:
            open_state = rules.result(open_state, card)
        return open_state
