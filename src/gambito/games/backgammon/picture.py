"""The backgammon board from White's side: 24 points, the bars, the checkers borne off, and two dice.

Cells 0 to 23 are the points 1 to 24 as White counts, 24 and 25 the bars of White and Black, 26 and 27 their
checkers borne off, 28 and 29 the dice.
"""

from __future__ import annotations

import functools

from gambito.boards.picture import Board, Cell, Label, Piece

from .board import BAR, OFF, move, unpack
from .board import Checkers as Checkers
from .notation import steps
from .plays import closed_to, points_of, starts
from .rules import State, board_of

WIDTH, HEIGHT = 15.4, 8.0
FRAME = 0.45  # the width of the frame above and below
TRAY = 13.9  # where the checkers that are borne off begin
STACK = 0.66  # distance between two checkers of a stack
BARS, OFFS, DICE = 24, 26, 28


def board() -> Board:
    cells, labels = [], []
    areas: list[tuple[str, tuple[float, ...]]] = [
        ("rim", _box(-FRAME, -FRAME, WIDTH, HEIGHT + FRAME)),
        *(("felt", _box(left, 0.0, left + 6.0, HEIGHT)) for left in (0.5, 7.5)),
        *(("felt", _box(TRAY, top, TRAY + 1.1, top + 3.4)) for top in (0.0, HEIGHT - 3.4)),
    ]
    for point in range(1, 25):
        x = _column(point)
        is_top = point > 12
        foot, tip = (0.0, 3.4) if is_top else (HEIGHT, HEIGHT - 3.4)
        tone = "light" if point % 2 else "dark"
        areas.append((tone, (x - 0.45, foot, x + 0.45, foot, x, tip)))
        y, rise = (0.5, STACK) if is_top else (HEIGHT - 0.5, -STACK)
        cells.append(Cell(str(point), x, y, "none", rise=rise))
        labels.append(Label(x, -0.22 if is_top else HEIGHT + 0.22, str(point)))
    cells += [
        Cell("white bar", 7.0, 5.2, "none", rise=STACK),
        Cell("black bar", 7.0, 2.8, "none", rise=-STACK),
    ]
    cells += [
        Cell("white off", TRAY + 0.55, HEIGHT - 1.7, "none"),
        Cell("black off", TRAY + 0.55, 1.7, "none"),
    ]
    cells += [Cell("die", 9.9, 4.0, "none"), Cell("die", 11.1, 4.0, "none")]
    return Board(WIDTH, HEIGHT, tuple(cells), areas=tuple(areas), labels=tuple(labels), turns=False)


def _box(left: float, top: float, right: float, bottom: float) -> tuple[float, ...]:
    return left, top, right, top, right, bottom, left, bottom


def _column(point: int) -> float:
    """Points 1 to 12 are below, from right to left, and 13 to 24 above; the bar is between 6 and 7."""
    place = 12 - point if point <= 12 else point - 13
    return place + 0.5 + (0.5 if place < 6 else 1.5)


def cell_of(point: int, side: int) -> int:
    """The cell of a point as the player counts; 0 is off."""
    if point == BAR:
        return BARS + side
    if point == 0:
        return OFFS + side
    return point - 1 if side == 0 else 24 - point


def pieces(state: State) -> list[Piece]:
    found = []
    for side, words in enumerate(((state.near, state.far), (state.other_near, state.other_far))):
        counts = unpack(*words)
        for point in range(1, OFF + 1):
            if counts[point - 1]:
                cell = cell_of(0 if point == OFF else point, side)
                found.append(Piece(cell, "disc", side, count=counts[point - 1]))
    if state.high:
        side = int(state.turn)
        found += [
            Piece(DICE + n, "die", side, count=int(die)) for n, die in enumerate((state.high, state.low))
        ]
    return found


def pips(state: State) -> tuple[int, int]:
    """How many points the checkers of each side have still to go."""
    white, black = (
        sum(point * count for point, count in enumerate(unpack(*words)[:BAR], 1))
        for words in ((state.near, state.far), (state.other_near, state.other_far))
    )
    return white, black


def touch(board: Checkers, play: int, high: int, low: int, side: int) -> tuple[int, ...]:
    """The start and the end of every checker's move, in order."""
    cells: list[int] = []
    for start, end, _ in steps(board, play, high, low):
        cells += [cell_of(start, side), cell_of(end, side)]
    return tuple(cells)


Way = tuple[int, ...]


@functools.lru_cache(maxsize=4)
def ways(state: State) -> dict[Checkers, list[Way]]:
    """The ways of touching the moves of a roll one by one, by the board that they lead to."""
    high, low, side = int(state.high), int(state.low), int(state.turn)
    moves = functools.cache(lambda board, die: _moves(board, die, side))
    found: dict[Checkers, list[Way]] = {}
    for dice in [(high,) * 4] if high == low else [(high, low), (low, high)]:
        begun: list[tuple[Checkers, Way]] = [(board_of(state), ())]
        for die in dice:
            begun = [(after, way + step) for board, way in begun for after, step in moves(board, die)]
            for board, way in begun:
                found.setdefault(board, []).append(way)
    return found


def _moves(board: Checkers, die: int, side: int) -> list[tuple[Checkers, Way]]:
    """The boards after a move of one checker, each with its two cells."""
    points = int(starts(points_of(board), closed_to(board), die))
    return [
        (move(board, point, die), (cell_of(point, side), cell_of(max(point - die, 0), side)))
        for point in range(1, BAR + 1)
        if points >> point & 1
    ]
