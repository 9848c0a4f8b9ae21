"""Chinese checkers: step or hop across a star; the first to fill the corner opposite wins.

The holes have three coordinates that add up to 0; the middle is a hexagon, the corners are triangles,
numbered clockwise from above. With two rows in a corner, and pieces of two players:

            1                 corner 0, home of the first player
           1 1
      . . . . . . .
       . . . . . .
        . . . . .             a piece steps to a neighbour, or hops over one piece of anybody into the hole
       . . . . . .            behind it, and on from there as often as it likes
      . . . . . . .
           2 2
            2                 corner 3, home of the second player

Holes are numbered row by row from above. A number of three bits for each hole says whose piece it holds, 0
for none. Each bit is kept in two numbers of 64 holes. A piece may hop through every corner but stops only in
the middle, at home or in its goal, and does not leave its goal again. A player wins when the goal is full and
at least one piece in it is its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from gambito.boards.equipment import NO_CELL, Equipment
from gambito.boards.picture import SLANT, Board, Cell, letter
from gambito.errors import GameError, PositionError
from gambito.game.contract import Game, quoted
from gambito.game.numerals import read_whole
from gambito.native import first_bit, int64, uint64
from gambito.words import say
from gambito.words.sentence import Sentence

CORNERS = {2: (0, 3), 3: (0, 2, 4), 4: (0, 1, 3, 4), 6: (0, 1, 2, 3, 4, 5)}  # of the players, by their number
WAYS = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))  # q, r of the six neighbours
WIN = 1000  # a win is worth this much from each of the others
WORD = 64  # holes
WAY = 10  # bits of a player's distance
PASS = 127 * 128 + 127  # an action is 128 times the hole that is left, plus the hole that is reached
TURNS = 100  # moves of each player, after which nobody has won


class State(NamedTuple):
    """Whose pieces are where, the steps that each player still has to go, whose turn it is, and the moves."""

    low_1: np.uint64
    high_1: np.uint64
    low_2: np.uint64
    high_2: np.uint64
    low_4: np.uint64
    high_4: np.uint64
    ways: np.uint64
    mover: int
    turns: int


class ChineseCheckers(Game):
    """Hop across the star into the corner opposite, before the others do."""

    name = "chinese-checkers"
    measure = ("wins", 1.0)
    title = "Chinese Checkers"
    played_by = "best-reply"

    def __init__(self, players: int = 3, rows: int = 3) -> None:
        """`rows`: of a corner; 4 is the usual board, with ten pieces each."""
        if players not in CORNERS:
            raise GameError("chinese-checkers is for 2, 3, 4 or 6 players, not {}", players)
        if not 2 <= rows <= 4:
            raise GameError("a corner has 2 to 4 rows, not {}", rows)
        self.players, self.rows = players, rows
        self.sides = ("Red", "Blue", "Green", "Yellow", "White", "Black")[:players]
        self.pieces_each = rows * (rows + 1) // 2
        self.lowest, self.highest = -WIN, (players - 1) * WIN
        self.longest = TURNS * players
        self.most_actions = 512
        self.scale = float(6 * rows)
        self.places = _star(rows)
        corners = [[n for n, place in enumerate(self.places) if _corner(place, rows) == c] for c in range(6)]
        homes = [corners[corner] for corner in CORNERS[players]]
        goals = [corners[(corner + 3) % 6] for corner in CORNERS[players]]
        tips = [max(goal, key=lambda n: max(map(abs, self.places[n]))) for goal in goals]
        number = {place: n for n, place in enumerate(self.places)}
        near = [[number.get((q + a, r + b, -q - r - a - b), -1) for a, b in WAYS] for q, r, _ in self.places]
        self.near = np.array(near, np.int64)
        # For each player and hole: the steps to the goal's tip; may a piece stop there; is it in the goal?
        self.steps = np.array(
            [[_distance(p, self.places[tip]) for p in self.places] for tip in tips], np.int64
        )
        self.may_stop = np.array(
            [
                [_corner(p, rows) < 0 or n in homes[k] or n in goals[k] for n, p in enumerate(self.places)]
                for k in range(players)
            ]
        )
        self.in_goal = np.array([[n in goal for n in range(len(self.places))] for goal in goals])
        self.goals = np.array(goals, np.int64)
        rows_of: dict[int, list[int]] = {}
        for hole, (_, r, _) in enumerate(self.places):
            rows_of.setdefault(r, []).append(hole)
        self.lines = [rows_of[r] for r in sorted(rows_of)]  # the holes of each row
        self.names = [f"{letter(n)}{k}" for n, line in enumerate(self.lines) for k in range(1, len(line) + 1)]
        self.start = self._state({n: k for k, home in enumerate(homes) for n in home}, 0, 0)

    def _state(self, owners: dict[int, int], mover: int, turns: int) -> State:
        """The state with these pieces: the player of each hole that is not empty."""
        words = [0] * 6
        ways = [0] * self.players
        for hole, player in owners.items():
            for plane in range(3):
                if (player + 1) >> plane & 1:
                    words[2 * plane + hole // WORD] |= 1 << hole % WORD
            ways[player] += int(self.steps[player, hole])
        packed = sum(way << WAY * player for player, way in enumerate(ways))
        low_1, high_1, low_2, high_2, low_4, high_4 = map(np.uint64, words)
        return State(low_1, high_1, low_2, high_2, low_4, high_4, np.uint64(packed), mover, turns)

    # ---- rules -----------------------------------------------------------------------------------
    def initial(self) -> State:
        return self.start

    def player(self, state):
        return state.mover

    def owner(self, state, hole):
        """1 more than the player whose piece is in a hole; 0: it is empty."""
        bit = uint64(hole & 63)
        if hole < WORD:
            return int64(
                (state.low_1 >> bit & uint64(1))
                | (state.low_2 >> bit & uint64(1)) << uint64(1)
                | (state.low_4 >> bit & uint64(1)) << uint64(2)
            )
        return int64(
            (state.high_1 >> bit & uint64(1))
            | (state.high_2 >> bit & uint64(1)) << uint64(1)
            | (state.high_4 >> bit & uint64(1)) << uint64(2)
        )

    def is_free(self, state, hole, left):
        """Is a hole on the board, and empty once the piece has left its own?"""
        return hole >= 0 and (hole == left or self.owner(state, hole) == 0)

    def own(self, state):
        """The holes with pieces of the player to move: the first 64, and those after them."""
        code, none = state.mover + 1, ~uint64(0)
        low = state.low_1 ^ (uint64(0) if code & 1 else none)
        low &= state.low_2 ^ (uint64(0) if code & 2 else none)
        low &= state.low_4 ^ (uint64(0) if code & 4 else none)
        high = state.high_1 ^ (uint64(0) if code & 1 else none)
        high &= state.high_2 ^ (uint64(0) if code & 2 else none)
        high &= state.high_4 ^ (uint64(0) if code & 4 else none)
        return low, high

    def hops(self, state, left):
        """The holes that a piece can reach by hops: the first 64, and those after them."""
        seen_low, seen_high = uint64(0), uint64(0)
        new_low, new_high = uint64(0), uint64(0)
        if left < WORD:
            new_low = uint64(1) << uint64(left)
        else:
            new_high = uint64(1) << uint64(left - WORD)
        while new_low | new_high:
            if new_low:
                hole = int64(first_bit(new_low))
                new_low &= new_low - uint64(1)
                seen_low |= uint64(1) << uint64(hole)
            else:
                hole = int64(first_bit(new_high)) + WORD
                new_high &= new_high - uint64(1)
                seen_high |= uint64(1) << uint64(hole - WORD)
            for way in range(6):
                over = self.near[hole, way]
                if over < 0 or over == left or self.owner(state, over) == 0:
                    continue
                to = self.near[over, way]
                if self.is_free(state, to, left):
                    if to < WORD:
                        new_low |= uint64(1) << uint64(to) & ~seen_low
                    else:
                        new_high |= uint64(1) << uint64(to - WORD) & ~seen_high
        return seen_low, seen_high

    def may_move(self, mover, left, to):
        """May a piece end its move there? Not in a strange corner, nor outside its goal if it is in it."""
        if to == left or not self.may_stop[mover, to]:
            return False
        return self.in_goal[mover, to] or not self.in_goal[mover, left]

    def actions(self, state):
        mover, found = state.mover, False
        low, high = self.own(state)
        while low | high:
            left = int64(first_bit(low)) if low else int64(first_bit(high)) + WORD
            if low:
                low &= low - uint64(1)
            else:
                high &= high - uint64(1)
            for way in range(6):
                to = self.near[left, way]
                if to >= 0 and self.owner(state, to) == 0 and self.may_move(mover, left, to):
                    found = True
                    yield 128 * left + to
            near, far = self.hops(state, left)
            while near | far:
                to = int64(first_bit(near)) if near else int64(first_bit(far)) + WORD
                if near:
                    near &= near - uint64(1)
                else:
                    far &= far - uint64(1)
                if self.may_move(mover, left, to) and not self.is_beside(left, to):
                    found = True
                    yield 128 * left + to
        if not found:
            yield PASS

    def is_beside(self, left, to):
        """Could a step go there too? Then it is listed once."""
        for way in range(6):
            if self.near[left, way] == to:
                return True
        return False

    def result(self, state, action):
        mover, turns = state.mover, state.turns + 1
        after = (mover + 1) % self.players
        if action == PASS:
            return self.moved(state, uint64(0), uint64(0), state.ways, after, turns)
        left, to = action >> 7, action & 127
        low, high = uint64(0), uint64(0)
        if left < WORD:
            low = uint64(1) << uint64(left)
        else:
            high = uint64(1) << uint64(left - WORD)
        if to < WORD:
            low |= uint64(1) << uint64(to)
        else:
            high |= uint64(1) << uint64(to - WORD)
        shift = uint64(WAY * mover)
        ways = (
            state.ways - (uint64(self.steps[mover, left]) << shift) + (uint64(self.steps[mover, to]) << shift)
        )
        return self.moved(state, low, high, ways, after, turns)

    def moved(self, state, low, high, ways, mover, turns):
        """The state with the mover's piece gone from one of two holes to the other."""
        code, none = state.mover + 1, uint64(0)
        return State(
            state.low_1 ^ (low if code & 1 else none),
            state.high_1 ^ (high if code & 1 else none),
            state.low_2 ^ (low if code & 2 else none),
            state.high_2 ^ (high if code & 2 else none),
            state.low_4 ^ (low if code & 4 else none),
            state.high_4 ^ (high if code & 4 else none),
            ways,
            mover,
            turns,
        )

    def has_won(self, state, player):
        """Is the goal full, with at least one piece of the player?"""
        own = False
        for place in range(self.pieces_each):
            owner = self.owner(state, self.goals[player, place])
            if owner == 0:
                return False
            own |= owner == player + 1
        return own

    def winner(self, state):
        """The player who has won, or -1: only the one who has just moved can have."""
        last = (state.mover + self.players - 1) % self.players
        return last if state.turns > 0 and self.has_won(state, last) else -1

    def is_terminal(self, state):
        return state.turns >= self.longest or self.winner(state) >= 0

    def utility(self, state, player):
        won = self.winner(state)
        if won < 0:
            return 0
        return self.highest if player == won else -WIN

    # ---- what it adds ----------------------------------------------------------------------------
    def plies_left(self, state):
        return self.longest - state.turns

    def give_turn(self, state, player):
        return self.moved(state, uint64(0), uint64(0), state.ways, player, state.turns)

    def way_of(self, state, player):
        """The steps that a player's pieces have to go to the tip of the goal."""
        return int64(state.ways >> uint64(WAY * player) & uint64((1 << WAY) - 1))

    def evaluate(self, state, player):
        """The steps by which the others are further from their goals, all together."""
        total = int64(0)
        for each in range(self.players):
            total += self.way_of(state, each)
        ahead = total - self.players * self.way_of(state, player)
        return max(1 - WIN, min(WIN - 1, ahead)) if self.players == 2 else ahead

    def priority(self, state, action):
        """The steps that a move gains."""
        if action == PASS:
            return 0
        return self.steps[state.mover, action >> 7] - self.steps[state.mover, action & 127]

    def random_action(self, state, rng):
        """A move that gains steps, twice as likely as any other; a move back only if there is no better."""
        chosen, weight = -1, 0
        for action in self.actions(state):
            gain = self.priority(state, action)
            more = 4 if gain > 0 else 1 if gain == 0 else 0
            if chosen < 0 or more > 0:
                weight += more
                if chosen < 0 or rng.below(weight) < more:
                    chosen = action
        return chosen

    # ---- board and text --------------------------------------------------------------------------
    def equipment(self) -> Equipment:
        span = 2 * self.rows
        cells = [
            Cell(self.names[n], q + r / 2 + span + 0.5, (r + span) * SLANT + 0.6, "circle", size=0.85)
            for n, (q, r, _) in enumerate(self.places)
        ]
        left = min(cell.x for cell in cells) - 0.5
        moved = tuple(replace(cell, x=cell.x - left) for cell in cells)
        board = Board(max(cell.x for cell in moved) + 0.5, 2 * span * SLANT + 1.2, moved)
        numbers = "123456"[: self.players]
        return Equipment(board, numbers, sides=numbers, step="-", margin="", heads="")

    def stands(self, state, cell):
        return self.owner(state, cell)

    def touched(self, state, action, step):
        if action == PASS or step > 1:
            return NO_CELL
        return action >> 7 if step == 0 else action & 127

    def extras(self, state: State) -> list[str]:
        return [str(state.turns)]

    def set_up(self, cells: Sequence[int], mover: int, extras: Sequence[str], text: str) -> State:
        """The rows from above, with a digit for a player's piece; who moves; the moves played."""
        turns = read_whole(extras[0], TURNS * self.players) if len(extras) == 1 else None
        if turns is None:
            raise PositionError("{} does not say how many moves were played", quoted(text))
        owners = {hole: code - 1 for hole, code in enumerate(cells) if code}
        if any(list(owners.values()).count(k) != self.pieces_each for k in range(self.players)):
            raise PositionError(
                "{} is impossible: every player has {} pieces", quoted(text), self.pieces_each
            )
        if (mover - turns) % self.players:
            raise PositionError("{} is impossible: the players move in turn", quoted(text))
        return self._state(owners, mover, turns)

    def turn_words(self, state: State) -> str:
        return say("player {} to move", state.mover + 1)

    def write(self, state: State, action: int) -> str:
        return "pass" if action == PASS else super().write(state, action)

    def reason(self, state: State) -> str:
        if self.winner(state) >= 0:
            return Sentence("a corner is full")
        return Sentence("{} moves without a winner", self.longest)


def _star(rows: int) -> list[tuple[int, int, int]]:
    """The holes of a star with that many rows in a corner, row by row from above."""
    span = range(-2 * rows, 2 * rows + 1)
    found = [(q, r, -q - r) for r in span for q in span]
    return [place for place in found if max(place) <= rows or min(place) >= -rows]


def _corner(place: tuple[int, int, int], rows: int) -> int:
    """The corner of a hole, clockwise from above; -1: it is in the middle."""
    q, r, s = place
    outside = (r < -rows, q > rows, s < -rows, r > rows, q < -rows, s > rows)
    return outside.index(True) if any(outside) else -1


def _distance(one: tuple[int, int, int], other: tuple[int, int, int]) -> int:
    return max(abs(a - b) for a, b in zip(one, other, strict=True))
