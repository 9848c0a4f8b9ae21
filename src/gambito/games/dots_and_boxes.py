"""Dots and boxes: draw a line between two dots; whoever closes a box owns it and moves again.

Lines are numbered row by row, first the horizontal ones, then the vertical ones; with two rows of two boxes:

    o- 0-o- 1-o
    |    |    |
    6    7    8        6 horizontal lines, then 6 vertical ones
    |    |    |
    o- 2-o- 3-o
    9   10   11
    o- 4-o- 5-o

The boxes too are numbered row by row. The value is the number of boxes by which a player is ahead.

Berlekamp, The dots-and-boxes game (2000); Barker & Korf, Solving dots-and-boxes (2012).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from gambito.boards.equipment import NO_CELL, Equipment, Kind
from gambito.boards.picture import Board, Cell, Tally, letter
from gambito.errors import GameError, PositionError
from gambito.game.contract import Game, quoted
from gambito.native import first_bit, popcount, uint64
from gambito.words import say
from gambito.words.sentence import Sentence

MOST_LINES = 60  # so that the lines and an edge fit in 64 bits
ACROSS, DOWN = "M0 47 L100 47 L100 53 L0 53 Z", "M47 0 L53 0 L53 100 L47 100 Z"
PIECES = (Kind("1", "square", 0), Kind("2", "square", 1), Kind("-", "across"), Kind("|", "down"))
WORDS = ("first", "second")
CLOSES, GIVES = 2, -1  # priorities


class State(NamedTuple):
    """The lines that are drawn, the boxes of both players, and whose turn it is."""

    lines: np.uint64
    first: np.uint64
    second: np.uint64
    mover: int


class DotsAndBoxes(Game):
    """Draw lines and close boxes; a closed box is yours, and you move again."""

    name = "dots-and-boxes"
    title = "Dots and Boxes"
    prefers_fast_win = False
    sides = ("Red", "Blue")
    measure = ("boxes", 1.0)

    def __init__(self, rows: int = 3, columns: int = 3) -> None:
        across, down = (rows + 1) * columns, rows * (columns + 1)
        if min(rows, columns) < 1 or across + down > MOST_LINES:
            raise GameError("a board has 1 to {} lines, and this one {}", MOST_LINES, across + down)
        self.rows, self.columns = rows, columns
        self.boxes, self.lines = rows * columns, across + down
        self.level = across  # the horizontal lines
        self.lowest, self.highest = -self.boxes, self.boxes
        self.longest = self.most_actions = self.lines
        self.all = np.uint64((1 << self.lines) - 1)
        self.scale = max(1.0, self.boxes / 3)
        self.borders = np.array([self._border(box) for box in range(self.boxes)], np.uint64)
        beside = [[b for b in range(self.boxes) if int(self.borders[b]) >> n & 1] for n in range(self.lines)]
        # The one or two boxes beside each line; where there is one, it stands twice.
        self.beside = np.array([(boxes[0], boxes[-1]) for boxes in beside], np.int64)

    def _border(self, box: int) -> int:
        row, column = divmod(box, self.columns)
        above, left = row * self.columns + column, self.level + row * (self.columns + 1) + column
        return 1 << above | 1 << (above + self.columns) | 1 << left | 1 << (left + 1)

    # ---- rules -----------------------------------------------------------------------------------
    def initial(self) -> State:
        return State(np.uint64(0), np.uint64(0), np.uint64(0), 0)

    def player(self, state):
        return state.mover

    def actions(self, state):
        left = ~state.lines & self.all
        while left:
            yield first_bit(left)
            left &= left - uint64(1)

    def closed_by(self, lines, line):
        """The boxes beside a line whose four sides are drawn."""
        found = uint64(0)
        for side in range(2):
            box = self.beside[line, side]
            border = self.borders[box]
            if lines & border == border:
                found |= uint64(1) << uint64(box)
        return found

    def result(self, state, action):
        lines = state.lines | uint64(1) << uint64(action)
        won = self.closed_by(lines, action)
        if won == uint64(0):
            return State(lines, state.first, state.second, 1 - state.mover)
        if state.mover == 0:
            return State(lines, state.first | won, state.second, 0)
        return State(lines, state.first, state.second | won, 1)

    def is_terminal(self, state):
        return state.lines == self.all

    def utility(self, state, player):
        lead = popcount(state.first) - popcount(state.second)
        return lead if player == 0 else -lead

    # ---- what it adds ----------------------------------------------------------------------------
    def plies_left(self, state):
        return self.lines - popcount(state.lines)

    def banked(self, state, player):
        return popcount(state.first) if player == 0 else popcount(state.second)

    def unbanked(self, state):
        return State(state.lines, uint64(0), uint64(0), state.mover)

    def bounds(self, state):
        """Every open box may still go to either player."""
        lead = self.utility(state, state.mover)
        left = self.boxes - popcount(state.first) - popcount(state.second)
        return lead - left, lead + left

    def evaluate(self, state, player):
        return self.utility(state, player)

    def priority(self, state, action):
        """Lines that close a box come first; lines that give the other one a box come last."""
        lines = state.lines | uint64(1) << uint64(action)
        if self.closed_by(lines, action) != uint64(0):
            return CLOSES
        for side in range(2):
            if popcount(lines & self.borders[self.beside[action, side]]) == 3:
                return GIVES
        return 0

    def symmetries(self, state):
        """The board mirrored left and right, up and down, and both."""
        for view in range(1, 4):
            yield State(
                self.turned_lines(state.lines, view),
                self.turned_boxes(state.first, view),
                self.turned_boxes(state.second, view),
                state.mover,
            )

    def turn(self, action, view, back):
        return self.turned_line(action, view)

    def turned_line(self, line, view):
        """A line in a mirror: 1 left and right, 2 up and down, 3 both."""
        is_down = line >= self.level
        place = line - self.level if is_down else line
        width = self.columns + 1 if is_down else self.columns
        height = self.rows if is_down else self.rows + 1
        row, column = place // width, place % width
        if view & 1:
            column = width - 1 - column
        if view & 2:
            row = height - 1 - row
        turned = row * width + column
        return turned + self.level if is_down else turned

    def turned_lines(self, lines, view):
        found = uint64(0)
        while lines:
            found |= uint64(1) << uint64(self.turned_line(first_bit(lines), view))
            lines &= lines - uint64(1)
        return found

    def turned_boxes(self, boxes, view):
        found = uint64(0)
        while boxes:
            box = first_bit(boxes)
            row, column = box // self.columns, box % self.columns
            if view & 1:
                column = self.columns - 1 - column
            if view & 2:
                row = self.rows - 1 - row
            found |= uint64(1) << uint64(row * self.columns + column)
            boxes &= boxes - uint64(1)
        return found

    # ---- board and text --------------------------------------------------------------------------
    def equipment(self) -> Equipment:
        """A cell for each line, then one for each box."""
        cells = []
        for line in range(self.lines):
            is_down = line >= self.level
            row, column = divmod(line - self.level * is_down, self.columns + is_down)
            x, y = (column + 0.5, row + 1.0) if is_down else (column + 1.0, row + 0.5)
            name = f"{letter(column)}{row + 1}{'|' if is_down else '-'}"
            cells.append(Cell(name, x, y, "down" if is_down else "across", size=0.9))
        for box in range(self.boxes):
            row, column = divmod(box, self.columns)
            cells.append(Cell(f"box {letter(column)}{row + 1}", column + 1.0, row + 1.0, "none", size=1.1))
        dots = [(x + 0.5, y + 0.5) for y in range(self.rows + 1) for x in range(self.columns + 1)]
        symbols = {"across": ACROSS, "down": DOWN}
        board = Board(self.columns + 1, self.rows + 1, tuple(cells), symbols=symbols, dots=tuple(dots))
        return Equipment(board, PIECES)

    def stands(self, state, cell):
        """On a line 3 or 4 if it is drawn, across or down; in a box its owner, 1 or 2."""
        if cell < self.lines:
            is_drawn = state.lines >> uint64(cell) & uint64(1)
            return (4 if cell >= self.level else 3) if is_drawn else 0
        box = uint64(cell - self.lines)
        return 1 if state.first >> box & uint64(1) else 2 if state.second >> box & uint64(1) else 0

    def touched(self, state, action, step):
        return action if step == 0 else NO_CELL

    def _marks(self, state: State) -> str:
        return "".join("-12"[code] for code in self.cell_codes(state)[self.lines :])

    def show(self, state: State) -> str:
        drawn = [int(state.lines) >> line & 1 for line in range(self.lines)]
        marks, rows = self._marks(state).replace("-", " "), []
        for row in range(self.rows + 1):
            line = row * self.columns
            rows.append("o" + "".join("---o" if drawn[line + c] else "   o" for c in range(self.columns)))
            if row < self.rows:
                first = self.level + row * (self.columns + 1)
                walls = ["|" if drawn[first + c] else " " for c in range(self.columns + 1)]
                inside = [f" {marks[row * self.columns + c]} " for c in range(self.columns)]
                rows.append("".join(w + i for w, i in zip(walls, [*inside, ""], strict=True)))
        return "\n".join([*rows, say("second to move" if state.mover else "first to move")])

    def text(self, state: State) -> str:
        lines = "".join(str(int(state.lines) >> line & 1) for line in range(self.lines))
        return f"{lines} {self._marks(state)} {WORDS[state.mover]}"

    def parse(self, text: str) -> State:
        """A digit for each line, 1 if it is drawn; the owner of each box, or -; who moves."""
        words = text.split()
        if len(words) != 3 or words[2] not in WORDS:
            raise self._wrong(text)
        drawn, owners = words[0], words[1]
        if len(drawn) != self.lines or set(drawn) - set("01"):
            raise self._wrong(text)
        if len(owners) != self.boxes or set(owners) - set("12-"):
            raise self._wrong(text)
        lines = sum(1 << place for place, mark in enumerate(drawn) if mark == "1")
        for box, owner in enumerate(owners):
            border = int(self.borders[box])
            if (lines & border == border) != (owner != "-"):
                raise PositionError("{} is impossible: a box has an owner if it is closed", quoted(text))
        first, second = (
            np.uint64(sum(1 << box for box, mark in enumerate(owners) if mark == owner)) for owner in "12"
        )
        return State(np.uint64(lines), first, second, WORDS.index(words[2]))

    def _wrong(self, text: str) -> PositionError:
        example = self.text(self.initial())
        return PositionError("{} is no position of dots-and-boxes; accepted: {}", quoted(text), example)

    def reason(self, state: State) -> str:
        return Sentence("{} to {} boxes", popcount(state.first), popcount(state.second))

    def remarks(self, state: State) -> str:
        return ""  # the tallies say it

    def tallies(self, state: State, start: State, actions: Sequence[int]) -> list[Tally]:
        return [Tally(str(int(popcount(boxes)))) for boxes in (state.first, state.second)]
