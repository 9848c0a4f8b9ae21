"""The texts and the picture of hold'em: positions, moves, and what each seat shows.

    AsKd/?? b2c|Ks7d2c cb1c|4d cc|2h

A position is the hands, `?` for a card that is not seen and `-` for a hand that is not dealt, and then the
moves of each street behind its cards: f folds, c checks or calls, b1 to b4 is a bet or raise of that size, a
is all-in. It asks the rules for amounts.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from gambito.boards.picture import Board, Cell, Label, Piece
from gambito.errors import PositionError
from gambito.game.contract import quoted
from gambito.game_tools.poker.cards import RANKS, card_name, read_cards
from gambito.words import say
from gambito.words.sentence import Sentence

from .history import History
from .state import ALL_IN, CALL, CARD, FOLD, MOVE, SIZED, State, board_card, hand_at, paid_by, past_of

BLANK, NONE = "?", "-"
SIGNS = "♣♦♥♠"
_MOVES = re.compile(r"f|c|a|b[1-4]")
_HAND = re.compile(r"-|[0-9A-Za-z]{2}|[0-9A-Za-z]{4}|[?]{1,2}")
_AMOUNT = re.compile(r"(?:bet|raise) ([0-9]{1,9})")
# Where seats are drawn, by their number, from the middle of the table: the middle of their two cards.
PLACES = {
    2: ((0.0, 5.6), (0.0, 1.1)),
    3: ((0.0, 5.6), (-3.5, 1.1), (3.5, 1.1)),
    4: ((0.0, 5.6), (-3.8, 3.3), (0.0, 1.1), (3.8, 3.3)),
    5: ((0.0, 5.6), (-3.8, 4.2), (-2.4, 1.1), (2.4, 1.1), (3.8, 4.2)),
    6: ((0.0, 5.6), (-3.8, 4.4), (-3.8, 2.0), (0.0, 1.1), (3.8, 2.0), (3.8, 4.4)),
}
TABLE = ((-2.5, 2.4), (2.5, 2.4), (2.5, 3.8), (-2.5, 3.8))  # the corners of the felt
WIDTH, NARROW, HEIGHT = 10.8, 5.6, 6.5  # for two it is narrow
SEAT_NAMES = (
    Sentence("Seat 1"), Sentence("Seat 2"), Sentence("Seat 3"), Sentence("Seat 4"), Sentence("Seat 5"),
    Sentence("Seat 6"),
)  # fmt: skip
CELLS = 3  # of a seat: two cards and its chips


def letters_of(action: int) -> str:
    """A move as a position writes it."""
    return {FOLD: "f", CALL: "c", ALL_IN: "a"}.get(action, f"b{action - SIZED + 1}")


def face(card: int) -> str:
    """A card as the picture shows it; `?` if it is not seen."""
    return RANKS[(card - 1) // 4] + SIGNS[(card - 1) % 4] if card else BLANK


class HoldemText(History):
    """How hold'em is written and drawn."""

    title = "Texas hold'em"
    measure = ("chips", 1.0)
    seats: int
    chips: int
    hole: int
    buckets: int
    # The rules that it asks.
    is_deal: Callable[[Any], Any]
    wanted: Callable[[Any], Any]
    alone: Callable[[Any], Any]
    pot: Callable[[Any], Any]
    highest_paid: Callable[[Any], Any]
    raised_to: Callable[[Any, Any], Any]
    after_move: Callable[[Any, Any], Any]
    all_buckets: Callable[[Any, Any, Any, Any], Any]
    bucketed: Callable[[Any], Any]

    # ---- positions -------------------------------------------------------------------------------
    def hand_cards(self, state: Any, seat: int) -> list[int]:
        """The cards of a seat, the higher one first, from 1; 0: dealt and not seen."""
        count = max(0, min(2, int(state.dealt) - 2 * seat))
        hand = int(hand_at(state, seat))
        known = [card for card in (hand >> CARD, hand & 63) if card]
        return known + [0] * (count - len(known))

    def board_cards(self, state: Any) -> list[int]:
        """The cards on the board, from 1."""
        cards = max(0, int(state.dealt) - self.hole)
        return [int(board_card(state.board, place)) for place in range(cards)]

    def moves_on(self, state: Any, street: int) -> list[int]:
        past, found = int(past_of(state, street)), []
        while past:
            found.append(past & 7)
            past >>= MOVE
        return found[::-1]

    def text(self, state: State) -> str:
        hands = [
            "".join(card_name(card - 1) if card else BLANK for card in self.hand_cards(state, seat)) or NONE
            for seat in range(self.seats)
        ]
        parts = ["/".join(hands)]
        board = self.board_cards(state)
        for street in range(4):
            cards = (board[:3], board[3:4], board[4:5])[street - 1] if street else []
            moves = "".join(map(letters_of, self.moves_on(state, street)))
            told = " ".join(filter(None, ("".join(card_name(card - 1) for card in cards), moves)))
            parts.append(("|" if street else " ") + told if told else "")
        return "".join(parts)

    def parse(self, text: str) -> State:
        """The hands, the moves before the flop, and each street's cards and moves behind `|`."""
        hands, _, rest = text.strip().partition(" ")
        streets = [part.split() for part in rest.split("|")]
        state = self._read_hands(hands, text)
        for number, words in enumerate(streets):
            if number and (not words or len(streets) > 4):
                raise self._no_position(text)
            if number:
                for card in read_cards(words[0]):
                    state = self._deal(state, card, text)
            moves = "".join(words[1:] if number else words)
            found = _MOVES.findall(moves)
            if "".join(found) != moves:
                raise self._no_position(text)
            for letters in found:
                state = self._move(state, letters, text)
        return state

    def _no_position(self, text: str) -> PositionError:
        example = "/".join(["AsKd", *["??"] * (self.seats - 1)]) + " b1c|Ks7d2c c"
        return PositionError(
            "{} is no position of hold'em; accepted: hands of {} seats, moves f, c, b1 to b4 or a, and the "
            "cards of each street, as in {}", quoted(text), self.seats, example,
        )  # fmt: skip

    def _read_hands(self, hands: str, text: str) -> State:
        state, told = self.initial(), hands.split("/") if hands else [NONE] * self.seats
        counts = [0 if hand == NONE else len(hand) // (1 if BLANK in hand else 2) for hand in told]
        total = sum(counts)
        is_whole = all(_HAND.fullmatch(hand) for hand in told) and len(told) == self.seats
        if not is_whole or counts != [max(0, min(2, total - 2 * seat)) for seat in range(self.seats)]:
            raise self._no_position(text)
        for hand, count in zip(told, counts, strict=True):
            if BLANK in hand:
                state = state._replace(dealt=state.dealt + count)
            elif hand != NONE:
                for card in read_cards(hand):
                    state = self._deal(state, card, text)
        if self.buckets and state.dealt == self.hole:
            state = state._replace(buckets=int(self.all_buckets(state.hands, state.more, 0, 0)))
        return state

    def _deal(self, state: State, card: int, text: str) -> State:
        if not self.is_deal(state) or self.is_terminal(state):
            raise PositionError("{} is impossible: no card is dealt there", quoted(text))
        if card not in self.legal(state):
            raise PositionError("{} is impossible: every card is there once", quoted(text))
        after: State = self.result(state, card)
        return after

    def _move(self, state: State, letters: str, text: str) -> State:
        over = self.is_terminal(state) or self.is_deal(state)
        named = {} if over else {letters_of(action): action for action in self.legal(state)}
        if letters not in named:
            raise PositionError("{} is impossible: {} is not a move there", quoted(text), letters)
        after: State = self.result(state, named[letters])
        return after

    # ---- moves -----------------------------------------------------------------------------------
    def write(self, state: State, action: int) -> str:
        if self.is_deal(state):
            return card_name(action)
        most = int(self.highest_paid(state))
        if action == FOLD:
            return "fold"
        if action == CALL:
            return "call" if most > paid_by(state, state.turn) else "check"
        amount = int(self.raised_to(state, action))
        if amount == self.chips:
            return "all-in"
        return f"{'raise' if most > state.base else 'bet'} {amount - state.base}"

    def read(self, state: State, text: str) -> int:
        """`fold`, `check`, `call`, `bet 6`, `raise 12`, `all-in`, or the letters of a position."""
        word = " ".join(text.lower().split())
        if self.is_deal(state):
            return super().read(state, word[:1].upper() + word[1:])
        letters = {letters_of(action): action for action in self.legal(state)}
        if word in letters:
            return letters[word]
        amount = _AMOUNT.fullmatch(word)
        if amount is not None and int(amount[1]) + state.base > self.chips:
            left = self.chips - int(state.base)
            raise PositionError("{} is beyond the stack of {} chips", quoted(text), left)
        return super().read(state, word)

    def token(self, state: State, action: int) -> str:
        return card_name(action) if self.is_deal(state) else letters_of(action)

    def show(self, state: State) -> str:
        lines = []
        for seat in range(self.seats):
            hand = " ".join(card_name(c - 1) if c else BLANK for c in self.hand_cards(state, seat)) or NONE
            left = self.chips - int(paid_by(state, seat))
            folded = say(", folded") if state.out >> seat & 1 else ""
            lines.append(say("seat {}: {}, {} chips left{}", seat + 1, hand, left, folded))
        board = " ".join(card_name(card - 1) for card in self.board_cards(state)) or NONE
        return "\n".join([*lines, say("board: {}", board), say("pot: {}", int(self.pot(state)))])

    def remarks(self, state: State) -> str:
        """The moves of every street, with amounts."""
        told, now = [], self.initial()._replace(dealt=self.hole)
        for street in range(4):
            words = []
            for action in self.moves_on(state, street):
                words.append(self.write(now, action))
                now = self.after_move(now, action)
            now = now._replace(dealt=self.wanted(now))
            told += [", ".join(words)] * bool(words)
        return " | ".join(told)

    def reason(self, state: State) -> str:
        return Sentence("the others have folded") if self.alone(state) else Sentence("the better hand wins")

    # ---- picture ---------------------------------------------------------------------------------
    def picture(self) -> Board:
        """Every seat has its two cards and its chips; the cards for all lie on the felt, above the pot."""
        width = NARROW if self.seats == 2 else WIDTH
        middle, cells, labels = width / 2, [], []
        for seat, (aside, y) in enumerate(PLACES[self.seats]):
            x = middle + aside - 0.2
            cells += [
                Cell(f"card {n + 1} of seat {seat + 1}", x - 0.45 + 0.9 * n, y, "square", "felt", 0.85)
                for n in range(2)
            ]
            cells.append(Cell(f"chips of seat {seat + 1}", x + 1.45, y + 0.2, "circle", size=0.7))
            labels.append(Label(x + 1.45, y - 0.35, self.sides[seat]))
        cells += [
            Cell(f"board {n + 1}", middle + 0.9 * (n - 2), 3.1, "square", "felt", 0.85) for n in range(5)
        ]
        cells.append(Cell("pot", middle, 4.35, "circle", size=0.7))
        labels.append(Label(middle - 0.8, 4.4, Sentence("Pot")))
        corners = tuple(number for x, y in TABLE for number in (middle + x, y))
        areas = (("felt", corners),)
        return Board(width, HEIGHT, tuple(cells), areas=areas, labels=tuple(labels), turns=False)

    def pieces(self, state: State) -> list[Piece]:
        found = []
        for seat in range(self.seats):
            if not state.out >> seat & 1:
                cards = enumerate(self.hand_cards(state, seat))
                found += [Piece(CELLS * seat + n, "card", text=face(card)) for n, card in cards]
            left = self.chips - int(paid_by(state, seat))
            found.append(Piece(CELLS * seat + 2, "text", text=str(left)))
        begin = CELLS * self.seats
        found += [Piece(begin + n, "card", text=face(card)) for n, card in enumerate(self.board_cards(state))]
        return [*found, Piece(begin + 5, "text", text=str(int(self.pot(state))))]
