"""Leduc poker: two rounds of bets around one card on the table; small enough to be solved.

    JsKh crc/Qs cr    hands of both players; the first round; the card on the table; the second round

The deck has two cards of each rank. Both players pay one chip and get a card. In each round they fold, call
or raise in turn, with at most two raises: of 2 chips in the first round, of 4 in the second. Between the
rounds a card is laid on the table. A player with its rank has a pair and wins; else the higher card does.
Southey et al., Bayes' bluff (2005).
"""

from __future__ import annotations

from typing import NamedTuple

from gambito.boards.picture import Board, Cell, Label, Piece
from gambito.errors import GameError, PositionError
from gambito.game.contract import CHANCE, Game, quoted
from gambito.words import say
from gambito.words.sentence import Sentence

FOLD, CALL, RAISE = 0, 1, 2
SHOWN = 3  # among the moves: the card on the table is shown
LETTERS, WORDS = "fcr/", ("fold", "call", "raise")
DEAL_FIRST, DEAL_SECOND, ONE, DEAL_BOARD, TWO, SHOWDOWN, FOLDED = range(7)  # FOLDED + player: who has folded
RAISES = 2  # the most in a round
SMALL, LARGE = 2, 4  # a raise in the first round, in the second
NAMES, SUITS = "23456789TJQK", "sh"  # a deck has the last of the names
BLANK, NOT_DEALT = "?", "-"


class State(NamedTuple):
    """The cards, the moves, the chips."""

    first: int  # a card: 1 + 2 * rank + suit; 0: not dealt, or not seen
    second: int
    board: int
    past: int  # the moves, two bits each, behind a leading 1
    here: int  # moves in this round
    raises: int  # in this round
    paid: int  # chips of the first player
    other_paid: int
    turn: int
    stage: int


def rank(card):
    return (card - 1) // 2


class LeducPoker(Game):
    """Two rounds of bets around one card on the table."""

    name = "leduc-poker"
    chance = True
    hidden = True
    value = float
    lowest = -13.0
    highest = 13.0
    step = 1e-6
    longest = 11
    sides = ("First", "Second")
    measure = ("chips", 1.0)

    def __init__(self, ranks: int = 3, merged: bool = False) -> None:
        if not 2 <= ranks <= len(NAMES):
            raise GameError("a deck has from 2 to {} ranks, not {}", len(NAMES), ranks)
        self.ranks, self.merged = ranks, merged  # merged: the suits are not told apart
        self.deck = 2 * ranks
        self.most_actions = self.most_outcomes = max(3, self.deck)

    # ---- rules -----------------------------------------------------------------------------------
    def initial(self):
        return State(0, 0, 0, 1, 0, 0, 1, 1, 0, DEAL_FIRST)

    def is_deal(self, state):
        return state.stage <= DEAL_SECOND or state.stage == DEAL_BOARD

    def player(self, state):
        return CHANCE if self.is_deal(state) else state.turn

    def is_terminal(self, state):
        return state.stage >= SHOWDOWN

    def left(self, first, second, board, card):
        """How many cards with this number the deck has without those three."""
        gone = int(card == first) + int(card == second) + int(card == board)
        if self.merged:  # two alike, told by the number of one of them
            return 2 - gone if card % 2 == 1 else 0
        return 1 - gone

    def actions(self, state):
        if self.is_deal(state):
            for card in range(1, self.deck + 1):
                if self.left(state.first, state.second, state.board, card) > 0:
                    yield card
        else:
            if state.paid != state.other_paid:
                yield FOLD
            yield CALL
            if state.raises < RAISES:
                yield RAISE

    def chances(self, state):
        dealt = state.stage if state.stage < ONE else 2
        for card in self.actions(state):
            left = self.left(state.first, state.second, state.board, card)
            yield card, left / (self.deck - dealt)

    def result(self, state, action):
        first, second, board, past, here, raises, paid, other_paid, turn, stage = state
        if stage == DEAL_FIRST:
            return State(action, second, board, past, here, raises, paid, other_paid, turn, DEAL_SECOND)
        if stage == DEAL_SECOND:
            return State(first, action, board, past, here, raises, paid, other_paid, turn, ONE)
        if stage == DEAL_BOARD:
            past = 4 * past + SHOWN
            return State(first, second, action, past, here, raises, paid, other_paid, turn, TWO)
        past = 4 * past + action
        if action == FOLD:
            return State(first, second, board, past, here, raises, paid, other_paid, turn, FOLDED + turn)
        stake = max(paid, other_paid)
        if action == RAISE:
            stake += SMALL if stage == ONE else LARGE
            raises += 1
        if turn == 0:
            paid = stake
        else:
            other_paid = stake
        if action == CALL and here > 0:
            return State(first, second, board, past, 0, 0, paid, other_paid, 0, stage + 1)
        return State(first, second, board, past, here + 1, raises, paid, other_paid, 1 - turn, stage)

    def utility(self, state, player):
        one, two, board = rank(state.first), rank(state.second), rank(state.board)
        if state.stage >= FOLDED:
            won = state.other_paid if state.stage == FOLDED + 1 else -state.paid
        elif one == two:
            won = 0
        elif one == board or (two != board and one > two):
            won = state.other_paid
        else:
            won = -state.paid
        return float(won if player == 0 else -won)

    def observe(self, state, player):
        first, second, board, past, here, raises, paid, other_paid, turn, stage = state
        if player != 0:
            first = 0
        if player != 1:
            second = 0
        return State(first, second, board, past, here, raises, paid, other_paid, turn, stage)

    def imagine(self, seen, player, rng):
        first, second, board, past, here, raises, paid, other_paid, turn, stage = seen
        if first == 0 and stage > DEAL_FIRST:
            first = self.drawn(second, board, rng)
        if second == 0 and stage > DEAL_SECOND:
            second = self.drawn(first, board, rng)
        return State(first, second, board, past, here, raises, paid, other_paid, turn, stage)

    def drawn(self, one, other, rng):
        """A card of the deck without these two."""
        while True:
            card = 1 + rng.below(self.deck)
            if self.merged:
                card -= (card + 1) % 2
            if rng.below(2) < self.left(one, other, 0, card):
                return card

    # ---- text ------------------------------------------------------------------------------------
    def names(self):
        """The ranks from the lowest to the highest."""
        return NAMES[-self.ranks :]

    def named(self, card, is_dealt):
        """The name of a card, `?` if it is not seen, `-` if it is not dealt."""
        if not card:
            return BLANK if is_dealt else NOT_DEALT
        return self.names()[rank(card)] + ("" if self.merged else SUITS[(card - 1) % 2])

    def moves(self, state):
        """The moves so far, a letter each, with `/` between the rounds."""
        digits = bin(state.past)[3:]
        moves = "".join(LETTERS[int(digits[n : n + 2], 2)] for n in range(0, len(digits), 2))
        return moves.replace("/", f"/{self.named(state.board, True)} ")

    def hands(self, state):
        return self.named(state.first, state.stage > DEAL_FIRST), self.named(
            state.second, state.stage > DEAL_SECOND
        )

    def text(self, state):
        moves = self.moves(state) + ("/" if state.stage == DEAL_BOARD else "")
        return f"{''.join(self.hands(state))} {moves}".strip()

    def show(self, state):
        first, second = self.hands(state)
        board = self.named(state.board, False)
        paid = f"{say('paid: {} and {}', state.paid, state.other_paid)} {self.moves(state)}".rstrip()
        return f"{say('first {}, second {}, table {}', first, second, board)}\n{paid}"

    def reason(self, state):
        folded = state.stage >= FOLDED
        return Sentence("a player folded") if folded else Sentence("the better hand wins")

    def parse(self, text):
        """Both hands, `?` if not seen, the first round, the card on the table, the second: `Js? crc/Qs c`."""
        words = text.replace("/", " / ").split()
        size = 1 if self.merged else 2
        example = f"{self.named(1, True)}{BLANK} crc/{self.named(3, True)} c"
        problem = PositionError(
            "{} is no position of leduc-poker; accepted: cards of {}, and moves f, c or r, as in {}",
            quoted(text), " ".join(self.deck_names()), example,
        )  # fmt: skip
        cards, rest = [], words[0] if words else ""
        while rest:
            length = 1 if rest[0] in BLANK + NOT_DEALT else size
            cards.append(rest[:length])
            rest = rest[length:]
        known = {**self.deck_names(), BLANK: 0}
        dealt = [card for card in cards if card != NOT_DEALT]
        if len(cards) != 2 or cards[: len(dealt)] != dealt or any(card not in known for card in dealt):
            raise problem
        state = self.initial()
        for card in dealt:
            state = self.dealt(state, known[card], text)
        for word in words[1:]:
            if word in known and word != BLANK and state.stage == DEAL_BOARD:
                state = self.dealt(state, known[word], text)
                continue
            if word == "/":
                if state.stage != DEAL_BOARD:
                    raise problem
                continue
            for letter in word.lower():
                if letter not in LETTERS[:3]:
                    raise problem
                action = LETTERS.index(letter)
                if self.is_deal(state) or action not in self.legal(state):
                    raise PositionError("{} is impossible: {} is not a move there", quoted(text), letter)
                state = self.result(state, action)
        return state

    def deck_names(self):
        """The cards of the deck by name."""
        return {self.named(card, True): card for card in range(1, self.deck + 1, 1 + self.merged)}

    def dealt(self, state, card, text):
        """The state with one more card, if the deck still has it."""
        if card and self.left(state.first, state.second, state.board, card) < 1:
            raise PositionError("{} is impossible: the deck has fewer of these cards", quoted(text))
        return self.result(state, card)

    def write(self, state, action):
        return self.named(action, True) if self.is_deal(state) else WORDS[action]

    # ---- picture ---------------------------------------------------------------------------------
    def picture(self):
        """Both hands, the card on the table between them, and below the hands the chips that were paid."""
        names = ("first", "table", "second")
        cells = [Cell(name, 1.0 + 1.5 * n, 1.1, "square", "felt") for n, name in enumerate(names)]
        cells += [
            Cell(f"chips of {name}", x, 2.2, "circle", size=0.7)
            for name, x in (("first", 1.0), ("second", 4.0))
        ]
        told = (self.sides[0], Sentence("Table"), self.sides[1])
        labels = tuple(Label(1.0 + 1.5 * n, 0.3, name) for n, name in enumerate(told))
        return Board(5.0, 2.7, tuple(cells), labels=labels, turns=False)

    def pieces(self, state):
        first, second = self.hands(state)
        shown = ((0, first), (1, self.named(state.board, False)), (2, second))
        found = [Piece(cell, "card", text=card) for cell, card in shown if card != NOT_DEALT]
        paid = (state.paid, state.other_paid)
        return found + [Piece(3 + n, "text", text=str(chips)) for n, chips in enumerate(paid)]

    def remarks(self, state):
        raises = self.moves(state).rpartition("/")[2].count("r")
        return Sentence("in the pot: {}; raises in this round: {}", state.paid + state.other_paid, raises)
