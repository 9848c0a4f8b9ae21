"""Connect Four on bitboards, any board up to 64 cells and any length of line.

A column takes `stride` bits, its lowest cell first; on 7×6 the stride is 7 and the seventh bit of a column
stays empty, so that no line runs from one column into the next:

    .  .  .  .  .  .  .
    5 12 19 26 33 40 47
    4 11 18 25 32 39 46
    3 10 17 24 31 38 45
    2  9 16 23 30 37 44
    1  8 15 22 29 36 43
    0  7 14 21 28 35 42

If the empty row does not fit into 64 bits it is left out, and lines are searched for only where they can
begin. The value is the score that Connect Four solvers use: one more than the number of stones that the
winner has not yet played. On 7×6 that is 22 minus the stones that the winner has on the board; 0 is a draw.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from gambito.boards.equipment import NO_CELL, Equipment
from gambito.boards.picture import Board, Cell, Label, Mark, rows_of
from gambito.errors import GameError, PositionError
from gambito.evaluate import prepare
from gambito.evaluate.files import HAND
from gambito.evaluate.patterns import Patterns, pattern_inputs, pattern_value
from gambito.game.contract import Game, quoted
from gambito.native import int64, mix, popcount, uint64
from gambito.words.sentence import Sentence

STAGES, UNIT = 6, 256  # stages of the patterns: thirds of the game × who moves; units in a point
_NAMES = "123456789abcdefghijklmnopqrstuvwxyz"


def _folds(line: int) -> tuple[int, ...]:
    """Return the shifts that fold a run of stones onto itself, in order, until it is `line` long."""
    folds, length = [], 1
    while length < line:
        folds.append(min(length, line - length))
        length += folds[-1]
    return tuple(folds)


def stage_of(state):
    """The set of pattern tables to use: it depends on how full the board is and on who moves."""
    return 2 * min(state.stones // 14, 2) + (state.stones & 1)


class State(NamedTuple):
    """A position. The last stone was placed by the player who is not to move now."""

    mine: np.uint64  # stones of the player to move
    mask: np.uint64  # all stones
    stones: int  # how many there are


class ConnectFour(Game):
    """Four in a row wins; stones fall to the lowest free cell of a column."""

    name = "connect-four"
    prefers_fast_win = False  # the score already says how soon
    orders_itself = True  # ordering by history of columns doubles the nodes
    sides = ("Red", "Yellow")  # as the discs are; X and O in texts
    preferences = {"engine": {"hot": 12, "symmetry": 30}}  # noqa: RUF012

    recipe = {  # noqa: RUF012
        "plans": ({"games": 60_000, "depth": 6, "loose": 14, "stray": 0.05, "chunk": 1000},),
        "fitting": {"results": 0.7, "rate": 0.2, "batch": 4096, "epochs": 40},
        "begin": "blank",
    }

    def __init__(self, width: int = 7, height: int = 6, line: int = 4, evaluation: str = HAND) -> None:
        if width < 1 or height < 1 or line < 2:
            raise GameError("width and height are at least 1 and line at least 2")
        if width * height > 64 or width > len(_NAMES):
            raise GameError("the board has at most 64 cells and {} columns", len(_NAMES))
        self.width, self.height, self.line = width, height, line
        self.cells = width * height
        self.stride = height + 1 if width * (height + 1) <= 64 else height
        self.bottom = np.uint64(1)
        self.column = np.uint64((1 << height) - 1)
        self.top = np.uint64(1 << (height - 1))
        self.shifts = (1, self.stride, self.stride - 1, self.stride + 1)
        self.folds = _folds(line)
        self.starts = tuple(np.uint64(s) for s in self._line_starts())
        self.highest = (self.cells + 3 - 2 * line) // 2 if self.cells >= 2 * line - 1 else 0
        self.lowest = -self.highest
        self.longest, self.most_actions = self.cells, width
        self.early = 3 * self.cells // 8  # stones on the board; with more, an immediate threat is better kept
        self.has_spare_row = self.stride > height
        self.floor = np.uint64(sum(1 << (x * self.stride) for x in range(width)))
        self.board = np.uint64(sum(((1 << height) - 1) << (x * self.stride) for x in range(width)))
        self.evaluation = evaluation
        self.form = self._patterns() if (width, height, line) == (7, 6, 4) else None
        prepare(self)

    def _patterns(self) -> Patterns:
        """Blocks of four by two and of two by four cells, and diagonals, each with its mirror image."""
        blocks = [(x, y, 4, 2) for x in range(2) for y in range(5)]
        blocks += [(x, y, 2, 4) for x in range(3) for y in range(3)]
        tuples = [[(x + i) * 7 + y + j for i in range(w) for j in range(h)] for x, y, w, h in blocks]
        starts = [(0, 0, 6), (1, 0, 6), (0, 1, 5), (2, 0, 5), (0, 2, 4), (3, 0, 4)]
        tuples += [[(x + i) * 7 + y + i for i in range(long)] for x, y, long in starts]
        form = Patterns(tuples, [lambda cell: (6 - cell // 7) * 7 + cell % 7], stages=STAGES, unit=UNIT)
        form.equip(self)
        return form

    def _line_starts(self) -> list[int]:
        """For each direction (up, right, right and down, right and up) the cells where a line can begin."""
        if self.stride > self.height:
            return [2**64 - 1] * 4
        starts = []
        for over, up in ((0, 1), (1, 0), (1, -1), (1, 1)):
            cells = 0
            for x in range(self.width - over * (self.line - 1)):
                for y in range(self.height):
                    if 0 <= y + up * (self.line - 1) < self.height:
                        cells |= 1 << (x * self.stride + y)
            starts.append(cells)
        return starts

    # ---- rules -----------------------------------------------------------------------------------
    def initial(self) -> State:
        return State(np.uint64(0), np.uint64(0), 0)

    def player(self, state):
        return state.stones & 1

    def actions(self, state):
        """The columns that are not full, the middle ones first."""
        place = 0
        while place < self.width:  # in a generator, a range would keep its state in memory
            half = (place + 1) >> 1
            column = (self.width - 1) // 2 + (half if place & 1 else -half)
            place += 1
            if not state.mask & (self.top << uint64(self.stride * column)):
                yield column

    def result(self, state, action):
        foot = uint64(self.stride * action)
        stone = (state.mask + (self.bottom << foot)) & (self.column << foot)
        return State(state.mine ^ state.mask, state.mask | stone, state.stones + 1)

    def is_terminal(self, state):
        return self.has_line(state.mine ^ state.mask) or state.stones == self.cells

    def utility(self, state, player):
        if state.stones == self.cells and not self.has_line(state.mine ^ state.mask):
            return 0  # a board that is not full ends the game only with a line
        score = (self.cells + 2 - state.stones) // 2
        return -score if player == (state.stones & 1) else score

    def has_line(self, stones):
        """Is there a line among these stones?"""
        for direction in range(4):
            run = stones
            for fold in self.folds:
                run &= run >> uint64(fold * self.shifts[direction])
            if run & self.starts[direction]:
                return True
        return False

    # ---- what it adds ----------------------------------------------------------------------------
    def evaluate(self, state, player):
        """There is no evaluation by hand, since threats are found by searching. Patterns are learned."""
        value = 0
        if self.is_learned:
            total = pattern_value(self, (state.mine, state.mine ^ state.mask), stage_of(state), 0)
            value = max(1 - self.highest, min(self.highest - 1, (total + UNIT // 2) // UNIT))
        return value if player == (state.stones & 1) else -value

    def inputs(self, state, buffer, place):
        sets = (state.mine, state.mine ^ state.mask)
        return pattern_inputs(self, sets, stage_of(state), 0, buffer, place)

    def key(self, state):
        """The sum is unique if every column has a spare bit: n stones give 2ⁿ-1 to 2ⁿ⁺¹-2."""
        return state.mine + state.mask if self.stride > self.height else mix(state)

    def bounds(self, state):
        """A player who can win at once has the best possible score, and one who must lose at once the worst.
        Otherwise both need one more stone. A player who has no line left to complete cannot win."""
        left = self.cells - state.stones
        if not self.has_spare_row:
            return -(left // 2), (left + 1) // 2
        if self.threats(state.mine, state.mask) & self.playable(state.mask):
            return (left + 1) // 2, (left + 1) // 2
        if not self.safe(state):
            return -(left // 2), -(left // 2)
        low, high = -max(left - 2, 0) // 2, (left - 1) // 2
        free = self.board ^ state.mask
        if not self.has_line(state.mine | free):
            high = 0
        if not self.has_line((state.mine ^ state.mask) | free):
            low = 0
        return low, high

    def plies_left(self, state):
        return self.cells - state.stones

    def turn(self, action, view, back):
        return self.width - 1 - action

    def symmetries(self, state):
        """The mirror image of the board."""
        mine, mask = uint64(0), uint64(0)
        column = 0
        while column < self.width:
            foot, facing = uint64(self.stride * column), uint64(self.stride * (self.width - 1 - column))
            mine |= ((state.mine >> foot) & self.column) << facing
            mask |= ((state.mask >> foot) & self.column) << facing
            column += 1
        yield State(mine, mask, state.stones)

    def is_urgent(self, state):
        """Does the opponent threaten to complete a line?"""
        if not self.has_spare_row:
            return False
        return (self.threats(state.mine ^ state.mask, state.mask) & self.playable(state.mask)) != uint64(0)

    def worthwhile(self, state, buffer, place):
        """A winning move if there is one, else the moves that do not lose at once."""
        if not self.has_spare_row:
            return self.collect(state, buffer, place)
        open_cells = self.threats(state.mine, state.mask) & self.playable(state.mask)
        if not open_cells:
            open_cells = self.safe(state)
        for number in range(self.width):
            half = (number + 1) >> 1
            column = (self.width - 1) // 2 + (half if number & 1 else -half)
            if open_cells & (self.column << uint64(self.stride * column)):
                buffer[place] = column
                place += 1
        return place

    def priority(self, state, action):
        """How many winning cells the stone creates; early on, also whether one of them is within reach."""
        if not self.has_spare_row:
            return 0
        foot = uint64(self.stride * action)
        stone = (state.mask + (self.bottom << foot)) & (self.column << foot)
        wins = self.threats(state.mine | stone, state.mask | stone)
        is_pressing = state.stones < self.early and wins & self.playable(state.mask | stone)
        return 2 * popcount(wins) + (1 if is_pressing else 0)

    def playable(self, mask):
        """The cells where the next stone can fall, on a board with a spare row."""
        return (mask + self.floor) & self.board

    def safe(self, state):
        """The cells that do not lose at once: the only defence, if any; none below a cell that they win."""
        cells = self.playable(state.mask)
        lost = self.threats(state.mine ^ state.mask, state.mask)
        forced = lost & cells
        if forced:
            if forced & (forced - uint64(1)):
                return uint64(0)
            cells = forced
        return cells & ~(lost >> uint64(1))

    def threats(self, stones, mask):
        """The empty cells that would complete a line of these stones, on a board with a spare row."""
        cells = uint64(0)
        for direction in range(4):
            shift = self.shifts[direction]
            if self.line == 4:
                cells |= gaps_of_four(stones, uint64(shift))
            else:
                cells |= gaps(stones, shift, self.line)
        return cells & self.board & ~mask

    def random_action(self, state, rng):
        """Draw random columns until one is not full."""
        while True:
            column = rng.below(self.width)
            if not state.mask & (self.top << uint64(self.stride * column)):
                return column

    # ---- board and text --------------------------------------------------------------------------
    def equipment(self) -> Equipment:
        return Equipment(self._drawn(), "XO", margin="")

    def stands(self, state, cell):
        place = uint64(self._place(cell))
        if not state.mask >> place & uint64(1):
            return 0
        is_mine = int64(state.mine >> place & uint64(1))
        return 2 - is_mine if state.stones & 1 == 0 else 1 + is_mine

    def touched(self, state, action, step):
        """The cell to which the stone falls."""
        height = popcount(state.mask & (self.column << uint64(self.stride * action)))
        return (self.height - 1 - height) * self.width + action if step == 0 else NO_CELL

    def parse(self, text: str) -> State:
        """The columns played (`4455`), or the rows from the top (`......./…/...X...`); X moves first."""
        text = text.strip()
        is_board = any(mark in text for mark in "./")
        return super().parse("/".join(text.split())) if is_board else self._parse_columns(text)

    def _parse_columns(self, text: str) -> State:
        state = self.initial()
        for place, mark in enumerate(text.lower(), 1):
            column = _NAMES.find(mark)
            if not 0 <= column < self.width:
                raise PositionError(
                    "{} is no column; accepted: {} to {}", quoted(mark), _NAMES[0], _NAMES[self.width - 1]
                )
            if self.is_terminal(state):
                raise PositionError(
                    "the game is over before move {} ({}) of {}", place, quoted(mark), quoted(text)
                )
            if column not in self.legal(state):
                raise PositionError("column {} is full at move {} of {}", mark, place, quoted(text))
            state = self.result(state, column)
        return state

    def set_up(self, cells: Sequence[int], mover: int, extras: Sequence[str], text: str) -> State:
        floating = [c for c, code in enumerate(cells[: -self.width]) if code and not cells[c + self.width]]
        if floating:
            raise PositionError(
                "a stone floats in column {} of {}", _NAMES[floating[-1] % self.width], quoted(text)
            )
        first, second = (
            np.uint64(sum(1 << self._place(cell) for cell, code in enumerate(cells) if code == own))
            for own in (1, 2)
        )
        count = popcount(first) + popcount(second)
        if popcount(first) - popcount(second) != count % 2:
            raise PositionError(
                "{} has {} X and {} O; X begins", quoted(text), popcount(first), popcount(second)
            )
        state = State(first if count % 2 == 0 else second, first | second, count)
        if self.has_line(state.mine):
            raise PositionError("in {} the player to move has a line already", quoted(text))
        return state

    def _place(self, cell):
        return cell % self.width * self.stride + self.height - 1 - cell // self.width

    def turn_words(self, state: State) -> str:
        return ""

    def reason(self, state: State) -> str:
        is_won = self.has_line(state.mine ^ state.mask)
        return Sentence("a line of {}", self.line) if is_won else Sentence("the board is full")

    def write(self, state: State, action: int) -> str:
        return _NAMES[action]

    def _drawn(self) -> Board:
        """Round holes in a frame, row by row from the top, with the names of the columns below them."""
        cells = [
            Cell(f"{_NAMES[x]}{self.height - row}", x + 0.5, row + 0.5, "circle", "frame", 0.84)
            for row in range(self.height)
            for x in range(self.width)
        ]
        whole = (0.0, 0.0, self.width, 0.0, self.width, self.height, 0.0, self.height)
        names = tuple(Label(x + 0.5, self.height + 0.3, _NAMES[x]) for x in range(self.width))
        return Board(
            self.width, self.height, tuple(cells), areas=(("frame", whole),), labels=names, turns=False
        )

    def marks(self, state: State) -> list[Mark]:
        return rows_of([code - 1 for code in self.cell_codes(state)], self.width, self.line)

    def touch(self, state: State, action: int) -> tuple[tuple[int, ...]]:
        """Any cell of the column; the stone falls to its lowest free cell."""
        lands = int(self.touched(state, action, 0))
        column = range(action, self.width * self.height, self.width)
        return ((lands, *(cell for cell in column if cell != lands)),)


def gaps(stones, shift, line):
    """The cells that have all the other stones of a line beside them, in one direction."""
    cells = uint64(0)
    for gap in range(line):
        run = ~uint64(0)
        for far in range(line):
            if far > gap:
                run &= stones >> uint64((far - gap) * shift)
            elif far < gap:
                run &= stones << uint64((gap - far) * shift)
        cells |= run
    return cells


def gaps_of_four(stones, shift):
    """`gaps` for lines of four, in a third of the steps: two stones on one side, the third on either side."""
    before, after = stones << shift, stones >> shift
    two_before, two_after = before & (before << shift), after & (after >> shift)
    three_before, three_after = stones << (uint64(3) * shift), stones >> (uint64(3) * shift)
    return (two_before & (three_before | after)) | (two_after & (three_after | before))
