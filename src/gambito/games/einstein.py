"""EinStein würfelt nicht! (Ingo Althöfer, 2004): six numbered stones each, and a die decides which stone
moves.

     a b c d e
    1 X X X . .      White begins in the upper left corner and moves right, down, or both: →, ↓, ↘
    2 X X . . .      Black begins in the lower right corner and moves left, up, or both
    3 X . . . O
    4 . . . O O
    5 . . O O O

First each player places the stones 1 to 6 on the six squares of their own corner: White places all of them,
then Black. The stone with the number rolled moves; if it is gone, the next higher or the next lower one that
is left moves. A stone captures whatever stands on the square that it moves to, even a stone of its own
colour. The first player to reach the far corner, or to capture all of the opponent's stones, wins.
"""

from __future__ import annotations

from typing import NamedTuple

from gambito.boards.equipment import NO_CELL, Equipment, Kind
from gambito.boards.picture import Board, Cell, Piece, grid
from gambito.errors import PositionError
from gambito.game.contract import CHANCE, Game, quoted
from gambito.game.numerals import read_whole
from gambito.native import int64, uint64
from gambito.words import say, tell
from gambito.words.sentence import Sentence

SIZE, STONES = 5, 6
GONE = 31  # the square of a stone that is not on the board
EMPTY = (1 << (5 * STONES)) - 1  # all stones gone
CORNER = (0, 1, 2, 5, 6, 10)  # White's squares; Black's are 24 minus these
STEPS = (1, SIZE, SIZE + 1)
_NAMES = ("white", "black")


class State(NamedTuple):
    """The squares of both players' stones, five bits each, the turn, the die, and how many are placed."""

    white: uint64
    black: uint64
    turn: int
    die: int  # 0 before the roll
    placed: int  # 12: the moves have begun


def square_of(stones, stone):
    """The square of a stone, 0 to 5."""
    return int64((stones >> uint64(5 * stone)) & uint64(31))


def put(stones, stone, square):
    """The stones after moving one of them to another square."""
    return (stones & ~(uint64(31) << uint64(5 * stone))) | (uint64(square) << uint64(5 * stone))


def stone_on(stones, square):
    """The stone on a square, or -1."""
    for stone in range(STONES):
        if square_of(stones, stone) == square:
            return stone
    return -1


def without(stones, square):
    """The stones without the one on a square."""
    stone = stone_on(stones, square)
    return stones if stone < 0 else put(stones, stone, GONE)


class Einstein(Game):
    """Six numbered stones each, and a die decides which one moves: reach the far corner, or capture all."""

    name = "einstein"
    measure = ("wins", 1.0)
    chance = True
    rolls_between = True
    value = float
    lowest = -1.0
    highest = 1.0
    step = 1e-6
    longest = 2 * STONES + 2 * 2 * STONES * 8
    most_actions = 6
    most_outcomes = 6
    sides = ("White", "Black")
    scale = 0.4

    # ---- rules -----------------------------------------------------------------------------------
    def initial(self):
        return State(EMPTY, EMPTY, 0, 0, 0)

    def is_terminal(self, state):
        if state.placed < 2 * STONES:
            return False
        if state.white == uint64(EMPTY) or state.black == uint64(EMPTY):
            return True
        return stone_on(state.white, SIZE * SIZE - 1) >= 0 or stone_on(state.black, 0) >= 0

    def player(self, state):
        if state.placed == 2 * STONES and state.die == 0 and not self.is_terminal(state):
            return CHANCE
        return state.turn

    def actions(self, state):
        """To place a stone: one of the corner's six squares. To move: three actions for each stone, → ↓ ↘."""
        if state.placed < 2 * STONES:
            for place in range(6):
                square = CORNER[place] if state.turn == 0 else 24 - CORNER[place]
                if stone_on(state.white if state.turn == 0 else state.black, square) < 0:
                    yield place
        elif state.die == 0:
            for face in range(1, 7):
                yield face
        else:
            stones = state.white if state.turn == 0 else state.black
            lower = state.die - 1
            while lower >= 0 and square_of(stones, lower) == GONE:
                lower -= 1
            upper = state.die - 1
            while upper < STONES and square_of(stones, upper) == GONE:
                upper += 1
            for choice in range(2):
                stone = lower if choice == 0 else upper
                if stone < 0 or stone >= STONES or (choice == 1 and upper == lower):
                    continue
                square = square_of(stones, stone)
                column, row = square % SIZE, square // SIZE
                for way in range(3):
                    across, down = way != 1, way != 0
                    is_room = state.turn == 0 and (column < 4 or not across) and (row < 4 or not down)
                    if state.turn == 1:
                        is_room = (column > 0 or not across) and (row > 0 or not down)
                    if is_room:
                        yield stone * 3 + way

    def chances(self, state):
        for face in range(1, 7):
            yield face, 1 / 6

    def result(self, state, action):
        white, black, turn, die, placed = state
        if placed < 2 * STONES:
            if turn == 0:
                white = put(white, placed, CORNER[action])
            else:
                black = put(black, placed - STONES, 24 - CORNER[action])
            placed += 1
            return State(white, black, 1 if STONES <= placed < 2 * STONES else 0, 0, placed)
        if die == 0:
            return State(white, black, turn, action, placed)
        stone, way = action // 3, action % 3
        mine = white if turn == 0 else black
        target = square_of(mine, stone) + (STEPS[way] if turn == 0 else -STEPS[way])
        white, black = without(white, target), without(black, target)
        if turn == 0:
            return State(put(white, stone, target), black, 1, 0, placed)
        return State(white, put(black, stone, target), 0, 0, placed)

    def utility(self, state, player):
        is_white = stone_on(state.white, SIZE * SIZE - 1) >= 0 or state.black == uint64(EMPTY)
        return 1.0 if is_white == (player == 0) else -1.0

    def evaluate(self, state, player):
        """Compare how near the stones are to the far corner; each stone counts by how often it may move."""
        worth = 0.12 * (self.nearness(state.white, 0) - self.nearness(state.black, 1))
        worth = max(-0.95, min(0.95, worth))
        return worth if player == 0 else -worth

    def nearness(self, stones, side):
        """A weight that grows as stones near the goal and as gaps in the numbers let them move more often."""
        total = 0.0
        for stone in range(STONES):
            square = square_of(stones, stone)
            if square == GONE:
                continue
            if side == 1:
                square = 24 - square
            left = max(4 - square % SIZE, 4 - square // SIZE)
            faces = 1
            below = stone - 1
            while below >= 0 and square_of(stones, below) == GONE:
                faces += 1
                below -= 1
            above = stone + 1
            while above < STONES and square_of(stones, above) == GONE:
                faces += 1
                above += 1
            total += faces * (4.5 - left) / 4.0
        return total

    def priority(self, state, action):
        """Steps in both directions first."""
        return 1 if state.placed == 2 * STONES and state.die > 0 and action % 3 == 2 else 0

    # ---- board and text --------------------------------------------------------------------------
    def equipment(self):
        """The squares, and beside them the die."""
        plain = grid(SIZE, SIZE)
        die = Cell("die", SIZE + 0.8, SIZE / 2, "none")
        board = Board(SIZE + 1.4, SIZE, (*plain.cells, die), labels=plain.labels)
        kinds = [Kind(mark, side=n // STONES, count=n % STONES + 1) for n, mark in enumerate("123456ABCDEF")]
        return Equipment(board, kinds, sides=_NAMES, margin="{} ", heads="above")

    def stands(self, state, cell):
        stone = stone_on(state.white, cell)
        if stone < 0:
            stone = stone_on(state.black, cell) + STONES if stone_on(state.black, cell) >= 0 else -1
        return stone + 1

    def touched(self, state, action, step):
        """The square in the corner; or the squares that a stone leaves and enters."""
        if state.placed < 2 * STONES:
            return NO_CELL if step else CORNER[action] if state.turn == 0 else 24 - CORNER[action]
        if state.die == 0 or step > 1:
            return NO_CELL
        square = square_of(state.white if state.turn == 0 else state.black, action // 3)
        return square + (0 if step == 0 else STEPS[action % 3] if state.turn == 0 else -STEPS[action % 3])

    def text(self, state):
        return self.kept_equipment().write(self.cell_codes(state), state.turn, self.extras(state))

    def extras(self, state):
        if state.placed < 2 * STONES:
            return ["setting", str(state.placed)]
        return [str(state.die)] if state.die else []

    def set_up(self, cells, mover, extras, text):
        """Five rows with White's stones 1 to 6 and Black's A to F, then whose turn it is, then the die."""
        white, black = uint64(EMPTY), uint64(EMPTY)
        for square, code in enumerate(cells):
            if code and cells.count(code) > 1:
                mark = "123456ABCDEF"[code - 1]
                raise PositionError("{} is impossible: the stone {} is there twice", quoted(text), mark)
            if code > STONES:
                black = put(black, code - STONES - 1, square)
            elif code:
                white = put(white, code - 1, square)
        die, placed = 0, 2 * STONES
        if extras[:1] == ["setting"] and len(extras) == 2:
            count = read_whole(extras[1], 2 * STONES - 1)
            placed = -1 if count is None else count
        elif extras:
            found = read_whole(extras[0], 6, 1) if len(extras) == 1 else None
            if found is None:
                raise PositionError("{} is no roll of a die; accepted: 1 to 6", quoted(" ".join(extras)))
            die = found
        if placed < 0:
            raise PositionError("{} does not say how many stones are set; accepted: 0 to 11", quoted(text))
        state = State(white, black, mover, die, placed)
        if placed == 2 * STONES:
            if white == black or (stone_on(white, 24) >= 0 and stone_on(black, 0) >= 0):
                raise PositionError("{} is impossible: both would have won, or nobody is there", quoted(text))
            return state._replace(die=0) if self.is_terminal(state) else state
        if sorted(filter(None, cells)) != [*range(1, placed + 1)] or mover != int(placed >= STONES):
            raise PositionError("{} is impossible: the stones are set in order, White's first", quoted(text))
        corners = {*(n for n in CORNER if placed > 0), *(24 - n for n in CORNER if placed > STONES)}
        if any(code and square not in corners for square, code in enumerate(cells)):
            raise PositionError("{} is impossible: stones are set in the own corner", quoted(text))
        return state

    def turn_words(self, state):
        is_setting, side = state.placed < 2 * STONES, tell(self.sides[state.turn])
        turn = say("{0} to set a stone" if is_setting else "{0} to play", side)
        return turn + (f", {state.die}" if state.die else "")

    def reason(self, state):
        is_empty = uint64(EMPTY) in (state.white, state.black)
        return Sentence("no stones are left") if is_empty else Sentence("a stone is in the far corner")

    def write(self, state, action):
        if state.placed < 2 * STONES:
            return f"{state.placed % STONES + 1}@{self._square(state, action, 0)}"
        if state.die == 0:
            return str(action)
        return f"{action // 3 + 1}-{self._square(state, action, 1)}"

    def _square(self, state, action, step):
        return self.kept_equipment().board.cells[self.touched(state, action, step)].name

    def pieces(self, state):
        die = [Piece(SIZE * SIZE, "die", int(state.turn), count=int(state.die))]
        return super().pieces(state) + (die if state.die else [])

    def remarks(self, state):
        is_setting = state.placed < 2 * STONES
        return Sentence("stone {} is to be set", int(state.placed) % STONES + 1) if is_setting else ""
