"""Kuhn poker: one card each, one bet; the smallest game in which bluffing pays.

    JQ pbp    the first player holds the jack and passes, the second bets with the queen, the first passes

Everybody pays one chip and gets a card. In turn the players pass or bet one more chip. After a bet each of
the others has one more turn: to bet as well, or to pass and lose. The highest card wins what was paid. Kuhn,
A simplified two-person poker (1950); for three players Abou Risk & Szafron (2010).
"""

from __future__ import annotations

from typing import NamedTuple

from gambito.boards.picture import Board, Cell, Label, Piece
from gambito.errors import GameError, PositionError
from gambito.game.contract import CHANCE, NOBODY, Game, quoted
from gambito.words import say, tell
from gambito.words.sentence import Sentence

PASS, BET = 0, 1
BITS, CARD = 4, 15  # the bits of a card, and all of them
NAMES = "23456789TJQK"  # a deck has the last of them
BLANK, NOT_DEALT = "?", "-"


class State(NamedTuple):
    """The cards, and what was bet."""

    cards: int  # four bits for each player, 1 for the lowest card; 0: not dealt, or not seen
    bets: int  # a bit for each player who has bet
    opener: int  # the first player who bet; -1: nobody has
    ply: int  # the number of cards dealt and moves made


class KuhnPoker(Game):
    """One card each, and one bet: the smallest poker."""

    name = "kuhn-poker"
    chance = True
    hidden = True
    measure = ("chips", 1.0)
    value = float
    lowest = -2.0
    step = 1e-6

    def __init__(self, cards: int = 0, players: int = 2) -> None:
        if players not in (2, 3):
            raise GameError("kuhn-poker is for 2 or 3 players, not {}", players)
        if cards and not players < cards <= len(NAMES):
            raise GameError("a deck has from {} to {} cards, not {}", players + 1, len(NAMES), cards)
        self.cards, self.players = cards, players
        self.deck = cards or players + 1
        self.highest = 2.0 * (players - 1)
        self.sides = ("First", "Second", "Third")[:players]
        self.most_actions = self.most_outcomes = self.deck
        self.longest = 3 * players - 1

    # ---- rules -----------------------------------------------------------------------------------
    def initial(self):
        return State(0, 0, -1, 0)

    def player(self, state):
        return CHANCE if state.ply < self.players else state.ply % self.players

    def is_terminal(self, state):
        return state.ply == 2 * self.players + max(state.opener, 0)

    def card(self, state, player):
        return (state.cards >> (BITS * player)) & CARD

    def holds(self, state, card):
        """Does anybody hold that card?"""
        for player in range(self.players):
            if self.card(state, player) == card:
                return True
        return False

    def actions(self, state):
        if state.ply >= self.players:
            yield PASS
            yield BET
        else:
            for card in range(1, self.deck + 1):
                if not self.holds(state, card):
                    yield card

    def chances(self, state):
        for card in self.actions(state):
            yield card, 1.0 / (self.deck - state.ply)

    def result(self, state, action):
        cards, bets, opener, ply = state
        if ply < self.players:
            cards |= action << (BITS * ply)
        elif action == BET:
            mover = ply % self.players
            bets |= 1 << mover
            opener = mover if opener < 0 else opener
        return State(cards, bets, opener, ply + 1)

    def utility(self, state, player):
        pot, winner, best = 0.0, 0, 0
        for each in range(self.players):
            bet = (state.bets >> each) & 1
            pot += 1.0 + bet
            if (bet or not state.bets) and self.card(state, each) > best:
                winner, best = each, self.card(state, each)
        paid = 1.0 + ((state.bets >> player) & 1)
        return pot - paid if winner == player else -paid

    def observe(self, state, player):
        own = 0 if player == NOBODY else CARD << (BITS * player)
        return State(state.cards & own, state.bets, state.opener, state.ply)

    def imagine(self, seen, player, rng):
        cards, bets, opener, ply = seen
        for each in range(min(ply, self.players)):
            if self.card(seen, each) == 0:
                card = 1 + rng.below(self.deck)
                while self.holds(State(cards, bets, opener, ply), card):
                    card = 1 + rng.below(self.deck)
                cards |= card << (BITS * each)
        return State(cards, bets, opener, ply)

    # ---- text ------------------------------------------------------------------------------------
    def names(self):
        """The cards from the lowest to the highest."""
        return NAMES[-self.deck :]

    def named(self, state, player):
        """The name of a player's card, `?` if it is not seen, `-` if it is not dealt."""
        card = self.card(state, player)
        return self.names()[card - 1] if card else BLANK if player < state.ply else NOT_DEALT

    def moves(self, state):
        """The moves so far, a letter each."""
        made = range(state.ply - self.players)
        return "".join("pb"[ply >= state.opener and state.bets >> ply % self.players & 1] for ply in made)

    def text(self, state):
        cards = "".join(self.named(state, player) for player in range(self.players))
        return f"{cards} {self.moves(state)}".strip()

    def show(self, state):
        held = [f"{tell(side).lower()} {self.named(state, player)}" for player, side in enumerate(self.sides)]
        pot = self.players + state.bets.bit_count()
        return f"{', '.join(held)}\n{say('pot: {}', pot)} {self.moves(state)}".rstrip()

    def reason(self, state):
        staying = state.bets.bit_count()
        return Sentence("the others passed") if staying == 1 else Sentence("the highest card wins")

    def parse(self, text):
        """The cards, `?` for one that is not seen, and the moves, p or b each: `J? pb`."""
        words = text.split()
        cards, moves = (words[0].upper() if words else ""), "".join(words[1:]).lower()
        problem = PositionError(
            "{} is no position of kuhn-poker; accepted: cards of {} or {}, and moves p or b, as in {}",
            quoted(text), self.names(), BLANK, f"{self.names()[:1]}{BLANK * (self.players - 1)} pb",
        )  # fmt: skip
        dealt = cards.rstrip(NOT_DEALT)
        if len(cards) != self.players or any(c not in self.names() + BLANK for c in dealt):
            raise problem
        if any(c not in "pb" for c in moves) or (moves and len(dealt) < self.players):
            raise problem
        seen = dealt.replace(BLANK, "")
        if len(set(seen)) < len(seen):
            raise PositionError("{} is impossible: there is one card of each kind", quoted(text))
        held = sum((self.names().find(c) + 1) << (BITS * n) for n, c in enumerate(dealt))
        state = State(held, 0, -1, len(dealt))
        for move in moves:
            if self.is_terminal(state):
                raise PositionError("{} is impossible: there are moves after the end", quoted(text))
            state = self.result(state, "pb".index(move))
        return state

    def write(self, state, action):
        return self.names()[action - 1] if state.ply < self.players else ("pass", "bet")[action]

    # ---- picture ---------------------------------------------------------------------------------
    def picture(self):
        """A card for each player, and below it the chips that were paid."""
        seats = range(self.players)
        cells = [
            Cell(side.lower(), 1.0 + 1.5 * n, 1.1, "square", "felt") for n, side in enumerate(self.sides)
        ]
        cells += [
            Cell(f"chips of {self.sides[n].lower()}", 1.0 + 1.5 * n, 2.2, "circle", size=0.7) for n in seats
        ]
        labels = tuple(Label(1.0 + 1.5 * n, 0.3, side) for n, side in enumerate(self.sides))
        return Board(0.5 + 1.5 * self.players, 2.7, tuple(cells), labels=labels, turns=False)

    def pieces(self, state):
        cards = [Piece(n, "card", n, self.named(state, n)) for n in range(min(state.ply, self.players))]
        paid = [1 + int(state.bets >> n & 1) for n in range(self.players)]
        return cards + [Piece(self.players + n, "text", text=str(chips)) for n, chips in enumerate(paid)]

    def remarks(self, state):
        return ""  # the cards and chips are in the picture
