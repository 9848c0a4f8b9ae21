"""Nine men's morris, and its smaller variants on two rings.

The board is drawn in board.py. The sides place their men in turn, then move them along the lines. If `flying`
is set, a side with three men left may move to any free point. A player who closes a mill, which is three men
on a line, takes one of the opponent's men, as part of the same action. Men in a mill may be taken only if
there are no others. A player who has fewer than three men, or cannot move, has lost. White is player 0.

An action is the point that is entered, plus 2⁵ times the point that is left (31 for a man from the hand),
plus 2¹⁰ times one more than the point whose man is taken.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from gambito.boards import picture as drawn
from gambito.boards.equipment import NO_CELL, Equipment
from gambito.errors import GameError, PositionError
from gambito.game.contract import Game, quoted
from gambito.games.blocks import InBlocks
from gambito.native import first_bit, int64, mix, popcount, uint64
from gambito.native.scratch import scratch
from gambito.words import say, tell
from gambito.words.sentence import Sentence

from . import notation, numbers
from .board import VIEWS, MillGeometry
from .knowledge import estimate

WIN = 10_000
FEWEST = 3  # men that a side needs
HAND = 31  # the source of a man from the hand
MAX_ACTIONS = 1024  # more than the actions of any position


class State(NamedTuple):
    """A position, as the player to move sees it."""

    mine: np.uint64
    theirs: np.uint64
    hand: np.uint64  # my men that are not yet placed
    other: np.uint64  # theirs
    side: np.uint64  # 0: White is to move
    rest: np.uint64  # plies since a man was placed or taken


class NineMensMorris(MillGeometry, InBlocks, Game):
    """Close mills to take the opponent's men, until they have two left or cannot move."""

    name = "nine-mens-morris"
    title = "Nine men's morris"
    cycles = True
    sides = ("White", "Black")
    lowest, highest = -WIN, WIN
    scale = 100.0  # hundredths of a man
    measure = ("men", 100.0)

    def __init__(self, men: int = 9, rings: int = 3, flying: bool = True, patience: int = 50) -> None:
        super().__init__(rings)
        if not FEWEST <= men <= min(12, self.points // 2):
            raise GameError("men is from {} to {}, not {}", FEWEST, min(12, self.points // 2), men)
        if not 0 <= patience <= 1000:
            raise GameError("patience is from 0 to 1000, not {}", patience)
        self.men, self.flying, self.patience = men, flying, patience
        self.least, self.starts = numbers.least_sets(rings)

    # ---- rules -----------------------------------------------------------------------------------
    def initial(self) -> State:
        return State(*map(np.uint64, (0, 0, self.men, self.men, 0, 0)))

    def player(self, state):
        return int64(state.side)

    def targets(self, state, point):
        """The points where a man of the player to move can go."""
        empty = self.full & ~(state.mine | state.theirs)
        if self.flying and popcount(state.mine) == FEWEST:
            return empty
        return self.beside[point] & empty

    def collect(self, state, buffer, place):
        return self.write_all(state, buffer, place, True, True)

    def write_all(self, state, buffer, place, takes, quiets):
        """Write all actions that take, that do not take, or both."""
        prey = uint64(0)
        if takes:
            prey = self.removable(state.theirs)
        if state.hand:
            free = self.full & ~(state.mine | state.theirs)
            return self.write_from(state.mine, int64(HAND), free, prey, buffer, place, takes, quiets)
        movers = state.mine
        while movers:
            point = first_bit(movers)
            movers &= movers - uint64(1)
            others = state.mine ^ (uint64(1) << uint64(point))
            free = self.targets(state, point)
            place = self.write_from(others, int64(point), free, prey, buffer, place, takes, quiets)
        return place

    def write_from(self, others, source, free, prey, buffer, place, takes, quiets):
        """Write the actions of one man, given the other men of its side."""
        while free:
            point = first_bit(free)
            free &= free - uint64(1)
            action = point | (source << 5)
            if self.closes(others, point):
                if takes and not prey:
                    buffer[place] = action
                    place += 1
                left = prey
                while left:
                    buffer[place] = action | ((first_bit(left) + 1) << 10)
                    place += 1
                    left &= left - uint64(1)
            elif quiets:
                buffer[place] = action
                place += 1
        return place

    def count(self, state):
        prey = max(popcount(self.removable(state.theirs)), 1)
        number, movers = 0, state.mine
        if state.hand:
            return self.count_from(state.mine, self.full & ~(state.mine | state.theirs), prey)
        while movers:
            point = first_bit(movers)
            movers &= movers - uint64(1)
            others = state.mine ^ (uint64(1) << uint64(point))
            number += self.count_from(others, self.targets(state, point), prey)
        return number

    def count_from(self, others, free, prey):
        number = 0
        while free:
            point = first_bit(free)
            free &= free - uint64(1)
            number += prey if self.closes(others, point) else 1
        return number

    def result(self, state, action):
        mine = state.mine | (uint64(1) << uint64(action & 31))
        hand, rest, source = state.hand, state.rest + uint64(1), (action >> 5) & 31
        if source == HAND:
            hand -= uint64(1)
            rest = uint64(0)
        else:
            mine ^= uint64(1) << uint64(source)
        theirs, taken = state.theirs, action >> 10
        if taken > 0:
            theirs ^= uint64(1) << uint64(taken - 1)
            rest = uint64(0)
        return State(theirs, mine, state.other, hand, state.side ^ uint64(1), rest)

    def is_drawn(self, state):
        return self.patience > 0 and state.rest >= uint64(2 * self.patience)

    def is_lost(self, state):
        """Does the player to move have too few men, or none that can move?"""
        men = popcount(state.mine)
        if men + int64(state.hand) < FEWEST:
            return True
        if state.hand or (self.flying and men == FEWEST):
            return False
        return not self.reach(state.mine) & ~(state.mine | state.theirs)

    def is_terminal(self, state):
        return self.is_drawn(state) or self.is_lost(state)

    def utility(self, state, player):
        if not self.is_lost(state):
            return 0
        return -WIN if player == int64(state.side) else WIN

    def is_stuck(self, state):
        """Draws do not end the sequences that perft counts."""
        return self.is_lost(state)

    # ---- what it adds ----------------------------------------------------------------------------
    def key(self, state):
        seen = mix((state.mine, state.theirs, state.hand | (state.other << uint64(8))))
        return ~seen if state.side else seen

    def reversible(self, state):
        return int64(state.rest)

    def evaluate(self, state, player):
        value = min(max(estimate(self, state), 1 - WIN), WIN - 1)
        return value if player == int64(state.side) else -value

    def priority(self, state, action):
        """Takes first, then moves that keep the opponent from closing a mill."""
        if action >> 10:
            return 2
        return 1 if self.closes(state.theirs, action & 31) else 0

    def noisy(self, state):
        """Actions that take a man."""
        for action in self.actions(state):
            if action >> 10:
                yield action

    def collect_noisy(self, state, buffer, place):
        return self.write_all(state, buffer, place, True, False)

    def collect_quiet(self, state, buffer, place):
        return self.write_all(state, buffer, place, False, True)

    def symmetries(self, state):
        view = 1
        while view < 2 * VIEWS:
            mine, theirs = self.turned(state.mine, view), self.turned(state.theirs, view)
            yield State(mine, theirs, state.hand, state.other, state.side, state.rest)
            view += 1

    def random_action(self, state, rng):
        moves = scratch(MAX_ACTIONS)
        return int64(moves[rng.below(self.collect(state, moves, int64(0)))])

    # ---- numbers, for endgame tables -------------------------------------------------------------
    def signature(self, state):
        mine, theirs = popcount(state.mine), popcount(state.theirs)
        if state.hand or state.other or min(mine, theirs) < FEWEST or max(mine, theirs) > numbers.MOST:
            return -1
        return max(mine, theirs) * numbers.PAIR + min(mine, theirs)

    def slice_size(self, signature):
        return numbers.slice_size(self, signature)

    def index(self, state):
        return numbers.number_of(self, state.mine, state.theirs)

    def unindex(self, signature, number):
        mine, theirs = numbers.position_of(self, signature, number)
        return State(mine, theirs, uint64(0), uint64(0), uint64(0), uint64(0))

    def unmoves(self, state):
        """Men that stand in no mill go back where they came from."""
        empty = self.full & ~(state.mine | state.theirs)
        movers = state.theirs & ~self.in_mills(state.theirs)
        flies = self.flying and popcount(state.theirs) == FEWEST
        while movers:
            point = first_bit(movers)
            movers &= movers - uint64(1)
            free = empty if flies else self.beside[point] & empty
            while free:
                source = free & (~free + uint64(1))
                free ^= source
                men = (state.theirs ^ (uint64(1) << uint64(point))) | source
                yield State(men, state.mine, uint64(0), uint64(0), state.side ^ uint64(1), uint64(0))

    def slice_names(self, limit: int) -> list[str]:
        return numbers.slice_names(limit, self.men)

    def slice_code(self, name: str) -> int:
        return numbers.read_slice(self.label(), name)

    def conversions(self, name: str) -> list[str]:
        return numbers.conversions(self.slice_code(name))

    # ---- text ------------------------------------------------------------------------------------
    def show(self, state: State) -> str:
        hands = self._hands(state)
        told = say("in hand: White {}, Black {}; ", *hands) if any(hands) else ""
        side = tell(self.sides[int(state.side)])
        turn = say("{0} to move", side)
        if self.is_terminal(state):
            turn = say("{0} has lost", side) if self.is_lost(state) else say("drawn")
        marks = self.kept_equipment().marks(self.cell_codes(state))
        return f"{notation.draw(marks, self.rings)}\n{told}{turn}"

    def reason(self, state: State) -> str:
        if not self.is_lost(state):
            return Sentence("no progress for too long")
        is_few = popcount(state.mine) + int(state.hand) < FEWEST
        return Sentence("fewer than {} men", FEWEST) if is_few else Sentence("no move is possible")

    def equipment(self) -> Equipment:
        """The points, and beside them a place for each side's men that are not yet placed."""
        rings = [range(point, point + notation.RING) for point in range(0, self.points, notation.RING)]
        return Equipment(notation.board(self.rings), "WB", sides="WB", rows=rings)

    def stands(self, state, cell):
        bit = (state.mine >> uint64(cell)) & uint64(1)
        side = int64(state.side) if bit else int64(1) - int64(state.side)
        return 1 + side if bit or (state.theirs >> uint64(cell)) & uint64(1) else 0

    def touched(self, state, action, step):
        """The man that moves, the point where it goes, and the man that is taken."""
        source, taken = action >> 5 & 31, action >> 10
        step += 1 if source == HAND else 0
        return source if step == 0 else action & 31 if step == 1 else taken - 1 if step == 2 else NO_CELL

    def extras(self, state: State) -> list[str]:
        rest = [str(int(state.rest))] if state.rest else []
        return [*map(str, self._hands(state)), *rest]

    def _hands(self, state: State) -> list[int]:
        """The men of White and of Black that are not yet placed."""
        return [int(hand) for hand in (state.hand, state.other)][:: -1 if state.side else 1]

    def set_up(self, cells: Sequence[int], mover: int, extras: Sequence[str], text: str) -> State:
        """The rings from the outside (`W.B...../……… W 8 8`), or the moves played (`d2 d6 f4`)."""
        *hands, rest = notation.read_extras(extras, text, self.men)
        white, black = (sum(1 << p for p, code in enumerate(cells) if code == own) for own in (1, 2))
        sides = [(white, hands[0]), (black, hands[1])]
        if any(men.bit_count() + hand > self.men for men, hand in sides):
            raise PositionError("{}: a side has no more than {} men", quoted(text), self.men)
        if any(hands) and hands[1] - hands[0] != mover:
            raise PositionError("{}: men are set in turn, so hands and turn do not fit", quoted(text))
        (mine, hand), (theirs, other) = sides[:: -1 if mover else 1]
        return State(*map(np.uint64, (mine, theirs, hand, other, mover, rest)))

    def write(self, state: State, action: int) -> str:
        """`d2`, `d2-d1`; a man that is taken follows an x: `d2-d1xf4`."""
        names = notation.names(self.rings)
        source, taken = int(action) >> 5 & 31, int(action) >> 10
        words = names[int(action) & 31] if source == HAND else f"{names[source]}-{names[int(action) & 31]}"
        return words + (f"x{names[taken - 1]}" if taken else "")

    def pieces(self, state: State) -> list[drawn.Piece]:
        hands = enumerate(self._hands(state))
        return super().pieces(state) + [
            drawn.Piece(self.points + side, "disc", side, count=hand) for side, hand in hands if hand
        ]

    def arrows(self, state: State, action: int) -> tuple[tuple[int, ...], ...]:
        """The man that is set or moved; a man that is taken goes nowhere."""
        source, to = int(action) >> 5 & 31, int(action) & 31
        return ((to,) if source == HAND else (source, to),)

    def remarks(self, state: State) -> str:
        return ""  # the men in hand are in the picture
