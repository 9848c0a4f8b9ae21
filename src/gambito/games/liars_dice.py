"""Liar's dice: bid on all dice while you see only your own, or call the last bid a lie.

    3/? 1-3 2-3 liar    the first player's die is a 3, the second's is not seen; two bids, and a call

Everybody rolls in secret. A bid says that there are at least so many dice with a face; the highest face is
wild and counts as any. Each bid is higher than the one before: more dice, or as many of a higher face. Who
calls liar wins if the bid was false and loses to the bidder if it was true.
"""

from __future__ import annotations

from typing import NamedTuple

from gambito.boards.picture import Board, Cell, Label, Piece
from gambito.errors import GameError, PositionError
from gambito.game.contract import CHANCE, NOBODY, Game, quoted
from gambito.game.numerals import read_whole
from gambito.words import say, tell
from gambito.words.sentence import Sentence

BITS, COUNT = 3, 7  # the bits of a number of dice, and all of them
MOST_PLACES, MOST_BIDS = 21, 62  # as a state has room for
BLANK, NOT_ROLLED = "?", "-"


class State(NamedTuple):
    """The dice, and the bids."""

    dice: int  # for each player, and each face of theirs, three bits: how many; 0: not rolled, or not seen
    bids: int  # a bit for each bid made
    last: int  # the last bid: sides * (number - 1) + face - 1; -1: none
    ply: int  # the number of dice rolled and moves made
    over: int  # 1 after liar was called


class LiarsDice(Game):
    """Bid on dice of which you see only your own, or call the last bid a lie."""

    name = "liars-dice"
    title = "Liar's dice"
    chance = True
    hidden = True
    value = float
    step = 1e-6

    def __init__(self, dice: int = 1, sides: int = 6, players: int = 2) -> None:
        if not 2 <= players <= 6 or not 1 <= dice <= COUNT or not 2 <= sides <= 9:
            raise GameError("liars-dice is for 2 to 6 players with 1 to 7 dice of 2 to 9 sides each")
        if players * sides > MOST_PLACES:
            raise GameError("players times sides are at most {}, not {}", MOST_PLACES, players * sides)
        if players * dice * sides > MOST_BIDS:
            raise GameError("there are at most {} bids, not {}", MOST_BIDS, players * dice * sides)
        self.dice, self.faces, self.players = dice, sides, players
        self.rolls, self.liar = dice * players, dice * players * sides
        self.sides = ("First", "Second", "Third", "Fourth", "Fifth", "Sixth")[:players]  # their names
        self.most_actions = self.most_outcomes = self.liar + 1
        self.longest = self.rolls + self.liar + 1

    def parameters(self):
        return {"dice": self.dice, "sides": self.faces, "players": self.players}

    # ---- rules -----------------------------------------------------------------------------------
    def initial(self):
        return State(0, 0, -1, 0, 0)

    def player(self, state):
        if state.ply < self.rolls:
            return CHANCE
        return (state.ply - self.rolls) % self.players

    def is_terminal(self, state):
        return state.over == 1

    def actions(self, state):
        if state.ply < self.rolls:
            for face in range(1, self.faces + 1):
                yield face
        else:
            for bid in range(state.last + 1, self.liar):
                yield bid
            if state.last >= 0:
                yield self.liar

    def chances(self, state):
        for face in range(1, self.faces + 1):
            yield face, 1.0 / self.faces

    def place(self, player, face):
        """Where the bits begin that count a player's dice with a face."""
        return BITS * (player * self.faces + face - 1)

    def result(self, state, action):
        dice, bids, last, ply, over = state
        if ply < self.rolls:
            dice += 1 << self.place(ply // self.dice, action)
        elif action == self.liar:
            over = 1
        else:
            bids |= 1 << action
            last = action
        return State(dice, bids, last, ply + 1, over)

    def utility(self, state, player):
        number, face = state.last // self.faces + 1, state.last % self.faces + 1
        for each in range(self.players):
            number -= (state.dice >> self.place(each, face)) & COUNT
            if face != self.faces:
                number -= (state.dice >> self.place(each, self.faces)) & COUNT
        caller = (state.ply - 1 - self.rolls) % self.players
        bidder = (caller + self.players - 1) % self.players
        winner, loser = (bidder, caller) if number <= 0 else (caller, bidder)
        return 1.0 if player == winner else -1.0 if player == loser else 0.0

    def hand(self, state, player):
        """The bits of a player's dice, where they are."""
        return state.dice & (((1 << (BITS * self.faces)) - 1) << self.place(player, 1))

    def observe(self, state, player):
        own = 0 if player == NOBODY else self.hand(state, player)
        return State(own, state.bids, state.last, state.ply, state.over)

    def imagine(self, seen, player, rng):
        dice, bids, last, ply, over = seen
        for roll in range(min(ply, self.rolls)):
            if self.hand(seen, roll // self.dice) == 0:
                dice += 1 << self.place(roll // self.dice, 1 + rng.below(self.faces))
        return State(dice, bids, last, ply, over)

    # ---- text ------------------------------------------------------------------------------------
    def named(self, state, player):
        """A player's dice in order, each `?` if it is not seen, `-` if it is not rolled."""
        rolled = max(0, min(self.dice, state.ply - player * self.dice))
        faces = range(1, self.faces + 1)
        seen = "".join(str(f) * (int(state.dice) >> self.place(player, f) & COUNT) for f in faces)
        return (seen or BLANK * rolled) + NOT_ROLLED * (self.dice - rolled)

    def moves(self, state):
        """The bids as number and face, and `liar` if that was called."""
        made = [self.bid(bid) for bid in range(self.liar) if state.bids >> bid & 1]
        return " ".join([*made, *(["liar"] if state.over else [])])

    def bid(self, bid):
        return f"{bid // self.faces + 1}-{bid % self.faces + 1}"

    def text(self, state):
        hands = "/".join(self.named(state, player) for player in range(self.players))
        return f"{hands} {self.moves(state)}".strip()

    def show(self, state):
        held = [f"{tell(side).lower()} {self.named(state, player)}" for player, side in enumerate(self.sides)]
        return f"{', '.join(held)}\n{say('bids: {}', self.moves(state) or say('none'))}"

    def reason(self, state):
        caller = (state.ply - 1 - self.rolls) % self.players
        return (
            Sentence("the bid was a lie") if self.utility(state, caller) > 0 else Sentence("the bid was true")
        )

    def parse(self, text):
        """The dice of each player, `?` for those that are not seen, and the bids: `3/? 1-3 2-3`."""
        words = text.split()
        example = "/".join(["1" * self.dice, *[BLANK * self.dice] * (self.players - 1)])
        problem = PositionError(
            "{} is no position of liars-dice; accepted: dice from 1 to {} or {}, and bids, as in {}",
            quoted(text), self.faces, BLANK, f"{example} 1-2",
        )  # fmt: skip
        hands = words[0].split("/") if words else []
        if len(hands) != self.players or any(len(hand) != self.dice for hand in hands):
            raise problem
        rolled = "".join(hands).rstrip(NOT_ROLLED)
        dice = 0
        for player, hand in enumerate(hands):
            there = hand.rstrip(NOT_ROLLED)
            if there and set(there) != {BLANK}:
                for face in there:
                    if read_whole(face, self.faces, 1) is None:
                        raise problem
                    dice += 1 << self.place(player, int(face))
        if NOT_ROLLED in rolled or (len(rolled) < self.rolls and len(words) > 1):
            raise problem
        state = State(dice, 0, -1, len(rolled), 0)
        for word in words[1:]:
            if state.over:
                raise PositionError("{} is impossible: there are bids after the end", quoted(text))
            state = self.result(state, self.read(state, word.lower()))
        return state

    def write(self, state, action):
        if state.ply < self.rolls:
            return str(action)
        return "liar" if action == self.liar else self.bid(action)

    # ---- picture ---------------------------------------------------------------------------------
    def picture(self):
        """A row of dice for each player, and the last bid."""
        cells = [
            Cell(f"die {column + 1} of {side.lower()}", 2.0 + column, 0.6 + row, "none")
            for row, side in enumerate(self.sides)
            for column in range(self.dice)
        ]
        cells.append(Cell("bid", 3.0 + self.dice, 0.1 + self.players / 2, "square", "felt"))
        labels = tuple(Label(0.8, 0.6 + row, side) for row, side in enumerate(self.sides))
        return Board(4.0 + self.dice, 0.2 + self.players, tuple(cells), labels=labels, turns=False)

    def pieces(self, state):
        found = []
        for player in range(self.players):
            for column, face in enumerate(self.named(state, player).rstrip(NOT_ROLLED)):
                count = int(face) if face != BLANK else 0
                text = BLANK if face == BLANK else ""
                found.append(Piece(player * self.dice + column, "die", player, text, count))
        return found + ([Piece(self.rolls, "text", text=self.bid(state.last))] if state.last >= 0 else [])

    def remarks(self, state):
        if state.last < 0:
            return ""
        count, face = self.bid(state.last).split("-")
        if state.over:
            return Sentence("the bid was at least {} × {}, and it was called a lie", count, face)
        return Sentence("the bid is at least {} × {}", count, face)
