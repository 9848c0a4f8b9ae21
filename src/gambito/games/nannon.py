"""Nannon: a backgammon with six spots and three checkers for each player, small enough to be solved.

    home | 6 5 4 3 2 1 | safe      as a player counts; spot p is the opponent's spot 7 - p

A checker moves as many spots as the die shows: from home onto the board, across it, and off to safety. A spot
holds one checker. A single checker of the opponent can be hit and goes back home; two side by side cannot be
hit. A player who can move must move. The first player with all three checkers safe wins: one point, or two if
the opponent has none safe. The opening roll is the difference of one die each. Pollack, Nannon: a nano
backgammon for machine learning research (2005).
"""

from __future__ import annotations

from typing import NamedTuple

from gambito.boards.picture import Board, Cell, Label, Piece
from gambito.errors import PositionError
from gambito.game.contract import CHANCE, Game, quoted
from gambito.native import popcount
from gambito.words import say
from gambito.words.sentence import Sentence

SPOTS, CHECKERS, HOME = 6, 3, 7
OPENING = 2  # `turn` before the opening roll
PASS = 0
_NAMES = ("white", "black", "opening")


class State(NamedTuple):
    """The spots of both players (bit p - 1: a player's own spot p), checkers at home, the turn, the die."""

    spots: int
    home: int
    other_spots: int
    other_home: int
    turn: int
    die: int  # 0 before the roll


def mirrored(spots):
    """The spots as the opponent counts them."""
    turned = 0
    for spot in range(SPOTS):
        turned |= ((spots >> spot) & 1) << (SPOTS - 1 - spot)
    return turned


def safe(spots, home):
    return CHECKERS - home - popcount(spots)


def can_move(spots, home, theirs, start, die):
    """May the checker at a place (7: home) move? `theirs` are the opponent's spots as seen from this side."""
    if start == HOME:
        if home == 0:
            return False
    elif (spots >> (start - 1)) & 1 == 0:
        return False
    target = start - die
    if target <= 0:
        return True
    bit = 1 << (target - 1)
    if spots & bit:
        return False
    return theirs & bit == 0 or theirs & ((bit << 1) | (bit >> 1)) == 0


class Nannon(Game):
    """A backgammon with six spots and three checkers for each player."""

    name = "nannon"
    chance = True
    rolls_between = True
    value = float
    lowest = -2.0
    highest = 2.0
    step = 1e-6
    most_actions = 10
    most_outcomes = 10
    sides = ("White", "Black")
    measure = ("points", 1.0)

    # ---- rules -----------------------------------------------------------------------------------
    def initial(self):
        return State(0b110000, 1, 0b110000, 1, OPENING, 0)

    def is_terminal(self, state):
        return (
            safe(state.spots, state.home) == CHECKERS or safe(state.other_spots, state.other_home) == CHECKERS
        )

    def player(self, state):
        if state.die == 0 and not self.is_terminal(state):
            return CHANCE
        return state.turn

    def actions(self, state):
        if state.die == 0:
            for outcome, _ in self.chances(state):
                yield outcome
        else:
            found = False
            is_first = state.turn == 0
            spots, home = (state.spots, state.home) if is_first else (state.other_spots, state.other_home)
            theirs = mirrored(state.other_spots if is_first else state.spots)
            for start in range(1, HOME + 1):
                if can_move(spots, home, theirs, start, state.die):
                    found = True
                    yield start
            if not found:
                yield PASS

    def chances(self, state):
        if state.turn == OPENING:  # the difference, plus 8 if Black begins
            for die in range(1, 6):
                yield die, (6 - die) / 30
                yield die + 8, (6 - die) / 30
        else:
            for die in range(1, 7):
                yield die, 1 / 6

    def result(self, state, action):
        spots, home, other_spots, other_home, turn, die = state
        if die == 0:
            turn = action // 8 if turn == OPENING else turn
            return State(spots, home, other_spots, other_home, turn, action % 8)
        if turn == 1:
            spots, home, other_spots, other_home = other_spots, other_home, spots, home
        if action != PASS:
            if action == HOME:
                home -= 1
            else:
                spots &= ~(1 << (action - 1))
            target = action - die
            if target > 0:
                spots |= 1 << (target - 1)
                bit = 1 << (SPOTS - target)
                if other_spots & bit:
                    other_spots &= ~bit
                    other_home += 1
        if turn == 1:
            return State(other_spots, other_home, spots, home, 0, 0)
        return State(spots, home, other_spots, other_home, 1, 0)

    def utility(self, state, player):
        is_first = safe(state.spots, state.home) == CHECKERS
        left = safe(state.other_spots, state.other_home) if is_first else safe(state.spots, state.home)
        worth = 1.0 if left else 2.0
        return worth if is_first == (player == 0) else -worth

    def evaluate(self, state, player):
        """The lead in spots, and the turn; the weights are those of the line that best fits true values."""
        lead = self.way(state.other_spots, state.other_home) - self.way(state.spots, state.home)
        worth = 0.11 * lead + (0.23 if state.turn == 0 else -0.23 if state.turn == 1 else 0.0)
        worth = max(-1.9, min(1.9, worth))
        return worth if player == 0 else -worth

    def way(self, spots, home):
        """The distance that a player still has to go."""
        total = HOME * home
        for spot in range(SPOTS):
            total += (spot + 1) * ((spots >> spot) & 1)
        return total

    # ---- text ------------------------------------------------------------------------------------
    def show(self, state):
        line = self._line(state)
        own = ("X", state.home, safe(state.spots, state.home))
        other = ("O", state.other_home, safe(state.other_spots, state.other_home))
        safes = "   ".join(say("{}: {} at home, {} safe", *side) for side in (own, other))
        turn = say("the opening roll") if state.turn == 2 else say("{0} to play", "XO"[int(state.turn)])
        return f"{' '.join(line)}\n6 5 4 3 2 1\n{safes}\n{turn}{f' {state.die}' if state.die else ''}"

    def _line(self, state):
        mirror = mirrored(state.other_spots)
        return "".join(
            "X" if state.spots >> p & 1 else "O" if mirror >> p & 1 else "." for p in reversed(range(SPOTS))
        )

    def reason(self, state):
        return Sentence("all checkers are safe")

    def text(self, state):
        die = f" {state.die}" if state.die else ""
        return f"{state.home}{self._line(state)}{state.other_home} {_NAMES[state.turn]}{die}"

    def parse(self, text):
        """X at home, the six spots, O at home, whose turn it is, and the die: `1XX..OO1 white 3`."""
        words = text.split()
        wrong = PositionError("{} is no position of nannon; accepted: 1XX..OO1 white 3", quoted(text))
        if not 2 <= len(words) <= 3 or len(words[0]) != SPOTS + 2 or words[1] not in _NAMES:
            raise wrong
        board, ends = words[0][1:-1].upper(), words[0][0] + words[0][-1]
        if set(board) - set("XO.") or set(ends) - set("0123"):
            raise wrong
        if len(words) == 3 and (words[2] not in set("123456") or words[1] == "opening"):
            raise PositionError("{} is no roll of a die; accepted: 1 to 6", quoted(words[2]))
        spots = sum(1 << (SPOTS - 1 - p) for p, mark in enumerate(board) if mark == "X")
        theirs = sum(1 << p for p, mark in enumerate(board) if mark == "O")
        mine, other = (spots, int(ends[0])), (theirs, int(ends[1]))
        if min(safe(*mine), safe(*other)) < 0:
            raise PositionError("{} is impossible: a player has three checkers", quoted(text))
        if safe(*mine) == safe(*other) == CHECKERS:
            raise PositionError("{} is impossible: both would have won", quoted(text))
        turn = _NAMES.index(words[1])
        over = CHECKERS in (safe(*mine), safe(*other))
        if over and turn == OPENING:
            raise PositionError("{} is impossible: the game is over before it begins", quoted(text))
        return State(*mine, *other, turn, int(words[2]) if len(words) == 3 and not over else 0)

    def write(self, state, action):
        if state.die == 0:
            return f"{_NAMES[action // 8]}-{action % 8}" if state.turn == OPENING else str(action)
        if action == PASS:
            return "pass"
        target = action - state.die
        return f"{'home' if action == HOME else action}/{target if target > 0 else 'safe'}"

    # ---- picture ---------------------------------------------------------------------------------
    def picture(self):
        """White's home, the spots 6 to 1 as White counts, White's safety; for Black, the other way round."""
        names = ["home", *map(str, range(SPOTS, 0, -1)), "safe"]
        cells = [Cell(f"white {n}", x + 0.5, 1.5, "circle") for x, n in enumerate(names)]
        cells += [Cell("black safe", 0.5, 0.5, "circle"), Cell("black home", 7.5, 0.5, "circle")]
        cells += [Cell("die", 4.0, 0.5, "none")]
        told = (Sentence("Home"), *names[1:-1], Sentence("Safe"))
        labels = tuple(Label(x + 0.5, 2.3, name) for x, name in enumerate(told))
        return Board(8, 2.5, tuple(cells), labels=labels, turns=False)

    def pieces(self, state):
        mirror = mirrored(state.other_spots)
        found = [Piece(HOME - 1 - p, "disc", 0) for p in range(SPOTS) if state.spots >> p & 1]
        found += [Piece(HOME - 1 - p, "disc", 1) for p in range(SPOTS) if mirror >> p & 1]
        held = [(0, 0, state.home), (7, 0, safe(state.spots, state.home))]
        held += [(8, 1, safe(state.other_spots, state.other_home)), (9, 1, state.other_home)]
        found += [Piece(cell, "disc", side, count=int(n)) for cell, side, n in held if n]
        return found + ([Piece(10, "die", int(state.turn), count=int(state.die))] if state.die else [])

    def remarks(self, state):
        return ""  # the picture shows it all

    def touch(self, state, action):
        if action == PASS or state.die == 0:
            return ()
        target = action - state.die
        if state.turn == 0:
            return HOME - action, HOME - max(target, 0)
        return (9 if action == HOME else action), (target if target > 0 else 8)
