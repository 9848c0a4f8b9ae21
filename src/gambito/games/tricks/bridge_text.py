"""The texts and the picture of bridge: positions, calls, and what cannot be.

A position is `deal`, `call` or `play` and then the hands; from the auction on the calls, in play also what
was played and shown. It knows the state, and asks the rules of `bridge.py` to follow an auction.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gambito.errors import GameError, PositionError
from gambito.game.contract import quoted
from gambito.game.numerals import read_whole
from gambito.game_tools.bridge.contracts import CALLS, PASS, SEATS, VULNERABLE, Contract, call_name
from gambito.native import Memory
from gambito.words.sentence import Sentence

from .cards import (
    DECK,
    RANK,
    card_name,
    hand_text,
    read_cards,
    read_hand,
    trick_of,
    trick_size,
    trick_winner,
)
from .table import NONE, TrickGame

CALL = DECK  # calls are actions from here on
BIDS, CODE, IN_WORD = 35, 5, 12  # bids, bits of a bid in the auction, bids in a word
PHASES = ("deal", "call", "play")
EXAMPLE = "deal - - - -, call … -, play … 1NT-Pass-Pass-Pass -,-,-,- E: 0 -,-,-,-"
_NAMES = {call_name(call).upper(): call for call in range(CALLS)} | {"P": PASS}


class State(NamedTuple):
    """The hands, the auction, and the play. In an observation unseen cards are blank."""

    hand_0: np.uint64
    hand_1: np.uint64
    hand_2: np.uint64
    hand_3: np.uint64
    gone: np.uint64  # cards that were played
    played_1: np.uint64  # those that West has played
    played_2: np.uint64  # North; the rest are South's
    played_3: np.uint64  # East
    auction_0: np.uint64  # five bits for each bid
    auction_1: np.uint64
    auction_2: np.uint64
    trick: int  # the cards on the table; a whole trick stays there until the next lead
    lacks: int  # suits that players have shown not to hold
    tricks: int  # of South and North
    bid: int  # the last one, counted from 1; 0: none
    doubled: int  # 1: doubled, 2: redoubled
    passes: int  # in a row
    declarer: int  # of the last bid
    ply: int  # cards dealt, calls, cards played
    mover: int  # who calls, or whose card is played


def board_of(dealer: str, vulnerable: str) -> tuple[int, int]:
    """The dealer and the vulnerable sides as numbers."""
    if dealer not in tuple(SEATS):
        raise GameError("a dealer is {}, not {}", ", ".join(SEATS), quoted(dealer))
    if vulnerable not in VULNERABLE:
        raise GameError("vulnerable are {}, not {}", ", ".join(VULNERABLE), quoted(vulnerable))
    return SEATS.index(dealer), VULNERABLE.index(vulnerable)


class BridgeText(TrickGame):
    """How bridge is written and drawn."""

    title = "Bridge"
    measure = ("points", 1.0)

    if TYPE_CHECKING:  # the rules are in `bridge.py`
        board: Memory

        def is_play(self, state: State) -> bool: ...
        def is_passed_out(self, state: State) -> bool: ...
        def played(self, state: State, seat: int) -> int: ...
        def trump(self, state: State) -> int: ...
        def code(self, state: State, bid: int) -> int: ...

    @property
    def dealer(self) -> str:
        return SEATS[int(self.board[0])]

    @property
    def vulnerable(self) -> str:
        return VULNERABLE[int(self.board[1])]

    # ---- the auction -----------------------------------------------------------------------------
    def calls(self, state: State) -> list[int]:
        """The calls of an auction in their order, from the dealer's."""
        found, seat = list[int](), int(self.board[0])

        def call(caller: int, made: int) -> None:
            nonlocal seat
            found.extend([PASS] * ((caller - seat) % len(SEATS)))
            found.append(made)
            seat = (caller + 1) % len(SEATS)

        for bid in range(BIDS):
            code = int(self.code(state, bid))
            if code:
                bidder, way = divmod(code - 1, 7)
                call(bidder, 3 + bid)
                if way:
                    call((bidder + (1 if way in (1, 3, 4) else 3)) % len(SEATS), 1)
                if way > 2:
                    call(bidder if way in (4, 5) else (bidder + 2) % len(SEATS), 2)
        return found + [PASS] * int(state.passes)

    def contract(self, state: State) -> Contract:
        """The last bid as a contract."""
        if not state.bid:
            return Contract(0, 0, 0, int(self.board[0]))
        level, strain = divmod(int(state.bid) - 1, 5)
        return Contract(level + 1, strain, int(state.doubled), int(state.declarer))

    # ---- text ------------------------------------------------------------------------------------
    def phase(self, state: State) -> int:
        return 0 if state.ply < DECK else 2 if self.is_play(state) else 1

    def leader(self, state: Any) -> int:
        """Who led the trick on the table, or is to lead the first."""
        size = int(trick_size(state.trick))
        if size == len(SEATS):  # the winner moves
            return int(state.mover - trick_winner(state.trick, self.trump(state))) % len(SEATS)
        return int(state.mover - size) % len(SEATS)

    def text(self, state: State) -> str:
        phase, hands = self.phase(state), " ".join(self.hand_texts(state))
        if phase == 0:
            return f"deal {hands}"
        calls = "-".join(map(call_name, self.calls(state))) or NONE
        if phase == 1:
            return f"call {hands} {calls}"
        trick = self.trick_text(int(state.trick), self.leader(state))
        played = [int(self.played(state, seat)) for seat in range(len(SEATS))]
        gone = ",".join(hand_text(cards) if cards else NONE for cards in played)
        return f"play {hands} {calls} {gone} {trick} {state.tricks} {self.lacks_text(int(state.lacks))}"

    def parse(self, text: str) -> State:
        """`deal`, `call` or `play`; hands; calls; cards played by each; the trick; South's tricks; voids.

        The calls are told from the auction on, and the last four in play only.
        """
        words = text.split()
        wrong = PositionError("{} is no position of {}; accepted: {}", quoted(text), self.label(), EXAMPLE)
        if not words or words[0] not in PHASES or len(words) != (5, 6, 10)[PHASES.index(words[0])]:
            raise wrong
        known = [self.read_known(word) for word in words[1:5]]
        if any(hand is None for hand in known):
            raise wrong
        hands, unseen = [hand[0] for hand in known if hand], [hand[1] for hand in known if hand]
        if sum(hands) != hands[0] | hands[1] | hands[2] | hands[3]:
            raise PositionError("{} is impossible: every card is there once", quoted(text))
        if words[0] == "deal":
            return self._dealing(hands, unseen, text)
        state = self._after_calls(hands, words[5], text, wrong)
        if (words[0] == "play") != bool(self.is_play(state)):
            raise PositionError("{} is impossible: the play follows the auction", quoted(text))
        if words[0] == "play":
            state = self._in_play(state, hands, words[6:], text, wrong)
        self._check(state, hands, unseen, text)
        return state

    def _dealing(self, hands: list[int], unseen: list[int], text: str) -> State:
        ply = sum(hand.bit_count() for hand in hands)
        state = self.initial()._replace(ply=ply)._replace(**_named(hands))
        if (
            any(unseen)
            or ply >= DECK
            or any(hand.bit_count() != self.cards_of_hand(state, seat) for seat, hand in enumerate(hands))
        ):
            raise PositionError("{} is impossible: cards are dealt one by one from South", quoted(text))
        return state

    def _after_calls(self, hands: list[int], calls: str, text: str, wrong: PositionError) -> State:
        state = self.initial()._replace(ply=DECK)._replace(**_named(hands))
        for word in [] if calls == NONE else calls.upper().split("-"):
            if word not in _NAMES:
                raise wrong
            action = CALL + _NAMES[word]
            if self.is_terminal(state) or self.is_play(state) or action not in self.legal(state):
                raise PositionError("{} is impossible: {} cannot be called there", quoted(text), quoted(word))
            state = self.result(state, action)
        return state

    def _in_play(
        self, state: State, hands: list[int], words: list[str], text: str, wrong: PositionError
    ) -> State:
        played = [0 if word == NONE else read_hand(word) for word in words[0].split(",")]
        leader, colon, cards = words[1].partition(":")
        trick, tricks, lacks = read_cards(cards), read_whole(words[2], RANK), self.read_lacks(words[3])
        if len(played) != len(SEATS) or trick is None or lacks is None or tricks is None:
            raise wrong
        cards_by = [cards for cards in played if cards is not None]
        if len(cards_by) != len(SEATS):
            raise wrong
        gone = cards_by[0] | cards_by[1] | cards_by[2] | cards_by[3]
        if gone != sum(cards_by):
            raise PositionError("{} is impossible: every card is there once", quoted(text))
        if not colon or leader not in tuple(SEATS) or len(trick) > len(SEATS):
            raise wrong
        number, size = trick_of(trick), len(trick)
        first = SEATS.index(leader)
        mover = (
            first + (int(trick_winner(number, self.trump(state))) if size == len(SEATS) else size)
        ) % len(SEATS)
        done, rest = divmod(gone.bit_count(), len(SEATS))
        table = sum(1 << card for card in trick)
        if table & ~gone or table.bit_count() != size or rest != size % len(SEATS) or (done and not size):
            raise PositionError("{} is impossible: a trick has four cards", quoted(text))
        if not gone and mover != state.mover:
            raise PositionError("{} is impossible: the player after the declarer leads", quoted(text))
        if [cards.bit_count() for cards in cards_by] != [
            done + (1 if (seat - first) % len(SEATS) < rest else 0) for seat in range(len(SEATS))
        ] or any(not cards_by[(first + place) % len(SEATS)] >> card & 1 for place, card in enumerate(trick)):
            raise PositionError("{} is impossible: the players take turns", quoted(text))
        if tricks > done or gone & sum(hands):
            raise PositionError("{} is impossible: {} tricks were played", quoted(text), done)
        of_others = {f"played_{seat}": np.uint64(cards_by[seat]) for seat in (1, 2, 3)}
        changed: dict[str, Any] = {
            "gone": np.uint64(gone),
            **of_others,
            "trick": number,
            "lacks": lacks,
            "tricks": tricks,
            "mover": mover,
        }
        return state._replace(ply=state.ply + gone.bit_count(), **changed)

    def _check(self, state: State, hands: list[int], unseen: list[int], text: str) -> None:
        wanted = [int(self.cards_of_hand(state, seat)) for seat in range(len(SEATS))]
        if [hand.bit_count() + more for hand, more in zip(hands, unseen, strict=True)] != wanted:
            raise PositionError("{} is impossible: the players take turns", quoted(text))
        lacks, gone = int(state.lacks), int(state.gone)
        if any(hands[p] & int(self.barred(lacks, p)) for p in range(len(SEATS))) or not self.can_deal(
            gone, lacks, hands, unseen
        ):
            raise PositionError("{} is impossible: a player holds what it lacks", quoted(text))

    def write(self, state: State, action: int) -> str:
        return card_name(action) if action < CALL else call_name(action - CALL)

    def read(self, state: State, text: str) -> int:
        """A card or a call, in capitals or not."""
        word = text.strip().upper()
        return super().read(state, call_name(_NAMES[word]) if word in _NAMES else word)

    def reason(self, state: State) -> str:
        if self.is_passed_out(state):
            return Sentence("everybody has passed")
        return Sentence("all cards are played")

    def remarks(self, state: State) -> str:
        """The calls; in play, the contract."""
        if self.phase(state) == 2:
            return f"{self.contract(state)} {self.seats[int(state.declarer)]}"
        return " ".join(map(call_name, self.calls(state))) if state.ply >= DECK else ""

    def tally(self, state: State, player: int) -> str:
        """In the auction a player's last call, in play the tricks of its side."""
        phase = self.phase(state)
        if phase == 1:
            calls = self.calls(state)
            own = calls[(player - int(self.board[0])) % len(SEATS) :: len(SEATS)]
            return call_name(own[-1]) if own else ""
        done = int(state.gone).bit_count() // len(SEATS)
        return "" if phase == 0 else str(int(state.tricks) if player % 2 == 0 else done - int(state.tricks))

    # ---- picture ---------------------------------------------------------------------------------
    def touch(self, state: State, action: int) -> tuple[int, ...]:
        if state.ply < DECK or action >= CALL:
            return ()
        return (self.cell_of(state, int(state.mover), action),)

    def arrows(self, state: State, action: int) -> tuple[tuple[int, ...], ...]:
        touched = self.touch(state, action)
        return ((*touched, len(SEATS) * RANK + int(state.mover)),) if touched else ()


def _named(hands: list[int]) -> dict[str, np.uint64]:
    return {f"hand_{seat}": np.uint64(hand) for seat, hand in enumerate(hands)}
