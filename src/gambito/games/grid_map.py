"""Paths on a grid: walls, free cells and cells that are hard to cross, in four or eight directions.

    S . . 5 .      S start, G goal, . free, # wall, 1 … 9 the cost of entering
    # # . # .
    . . . . G      as a position: S..5./##.#./....G

A map of the Moving AI benchmarks is read from a file (`grid-map:map=arena.map`). A position on it is `x y x
y`, the start and the goal counted from the upper left corner, as in a `.scen` file. On such a map `.`, `G`
and `S` are free and everything else is a wall. A diagonal step costs √2 times as much and cuts no corner:
both cells beside it must be free. An action is a direction, clockwise from up. The goal is part of the state.
"""

from __future__ import annotations

import math
import os
import re
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from gambito.boards.equipment import NO_CELL, Equipment, Kind
from gambito.boards.picture import Board, Piece, grid
from gambito.errors import GameError, PositionError
from gambito.game.contract import quoted
from gambito.game.puzzle import Puzzle, heuristic
from gambito.native import int64, uint64

EXAMPLE = "S...#...../..#.#.###./..#...#.../.##.###.#./....#...#G"
DIAGONAL = math.sqrt(2)
STEPS = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))  # across and down
NAMES = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")
WALL = 0
PIECES = (  # codes 1 to 3, and from 4 on the costs 2 to 9
    Kind("S", "disc", 0),
    Kind("G", "ring", 1),
    Kind("#", "square"),
    *(Kind(cost, "text", text=cost) for cost in "23456789"),
)
MOST_CELLS, MOST_DRAWN = 1 << 22, 2500
SMALL = 1000  # cells of a map that is searched without compiling it first


class State(NamedTuple):
    """The current cell and the goal cell, numbered row by row."""

    cell: int
    target: int


class Elsewhere(State):
    """A state on a map other than the game's."""

    rows: tuple[str, ...]


class GridMap(Puzzle):
    """Find the cheapest path on a grid."""

    name = "grid-map"
    closed = ("map",)

    def __init__(self, map: str = "", directions: int = 8, rows: tuple[str, ...] = ()) -> None:
        if directions not in (4, 8):
            raise GameError("directions must be 4 or 8, not {}", directions)
        self.map, self.directions = map, directions
        start = target = -1
        if map:
            self.width, self.height, ground = _read_file(Path(map))
            free = np.flatnonzero(ground)
            start, target = (int(free[0]), int(free[-1])) if len(free) else (0, 0)
        else:
            self.rows = rows or tuple(EXAMPLE.split("/"))
            self.width, self.height, ground, start, target = _read_rows(self.rows)
        self.start, self.target = start, target
        self.ground = ground.astype(np.uint8).ravel()
        self.most_actions = directions
        self.usual_gear = "python" if len(self.ground) <= SMALL else "native"
        self.stride = 1 if directions == 8 else 2
        self.least = int(self.ground[self.ground > WALL].min()) if self.ground.any() else 1
        self.value = float if directions == 8 else int
        self.infinity: Any = math.inf if directions == 8 else 1 << 40
        self.ways = _open_ways(self.ground.reshape(self.height, self.width) != WALL, self.stride)
        self.shift = np.array([down * self.width + across for across, down in STEPS])
        self.length = np.array([DIAGONAL if across and down else 1.0 for across, down in STEPS])

    def parameters(self) -> dict[str, Any]:
        return {"map": self.map, "directions": self.directions}

    # ---- the rules -------------------------------------------------------------------------------
    def initial(self) -> State:
        return State(self.start, self.target)

    def actions(self, state):
        ways, way = int64(self.ways[state.cell]), 0
        while ways >> way:
            if (ways >> way) & 1:
                yield way
            way += 1

    def is_free(self, x: int, y: int) -> bool:
        return 0 <= x < self.width and 0 <= y < self.height and self.ground[y * self.width + x] != WALL

    def result(self, state, action):
        return State(state.cell + self.shift[action], state.target)

    def cost(self, state, action):
        weight = int64(self.ground[state.cell + self.shift[action]])
        if self.stride == 2:
            return weight
        return self.length[action] * weight

    def is_goal(self, state):
        return state.cell == state.target

    def key(self, state):
        return uint64(state.cell)

    def undoes(self, last, action):
        return last >= 0 and (last ^ 4) == action

    def goal(self, state: State) -> State:
        return State(state.target, state.target)

    def backward(self, state: State) -> Puzzle | None:
        """Only if all cells cost the same is the way back as long; the goal is then the start."""
        return self if len(set(self.ground[self.ground > WALL].tolist())) <= 1 else None

    # ---- heuristics ------------------------------------------------------------------------------
    @heuristic()
    def octile(self, state):
        """The distance without walls, with diagonal steps as long as they help."""
        across = abs(state.cell % self.width - state.target % self.width)
        down = abs(state.cell // self.width - state.target // self.width)
        if self.stride == 2:
            return self.least * (across + down)
        return self.least * (max(across, down) + (DIAGONAL - 1) * min(across, down))

    estimate = octile

    @heuristic()
    def manhattan(self, state):
        """The rows plus the columns to the goal."""
        across = abs(state.cell % self.width - state.target % self.width)
        return self.least * (across + abs(state.cell // self.width - state.target // self.width))

    @heuristic()
    def euclidean(self, state):
        """The straight-line distance, rounded up if costs are whole numbers."""
        across = state.cell % self.width - state.target % self.width
        down = state.cell // self.width - state.target // self.width
        straight = self.least * math.sqrt(across * across + down * down)
        if self.stride == 2:
            return int64(math.ceil(straight - 1e-9))
        return straight

    @heuristic()
    def chebyshev(self, state):
        """The larger of the rows and the columns to the goal."""
        across = abs(state.cell % self.width - state.target % self.width)
        return self.least * max(across, abs(state.cell // self.width - state.target // self.width))

    def relaxed(self) -> tuple[Puzzle, ...]:
        """The map without its walls, which contains every path of this one; none for a large map."""
        return (_Open(self),) if len(self.ground) <= SMALL else ()

    def claims(self, name: str) -> tuple[bool | None, bool | None]:
        """With eight directions a path can be shorter than rows plus columns."""
        if name == "manhattan" and self.directions == 8:
            return False, False
        known = name in ("estimate", "octile", "manhattan", "euclidean", "chebyshev")
        return (True, True) if known else super().claims(name)

    # ---- text ------------------------------------------------------------------------------------
    def at(self, state: Any) -> GridMap:
        rows = getattr(state, "rows", None)
        return self if rows is None else GridMap(directions=self.directions, rows=rows)

    def parse(self, text: str) -> State:
        """A small map (`S..#/..#G`), or start and goal on the current map (`1 11 4 12`: x y x y)."""
        numbers = text.replace(",", " ").split()
        if len(numbers) == 4 and all(re.fullmatch(r"[0-9]{1,6}", n) for n in numbers):
            x, y, to_x, to_y = map(int, numbers)
            if not self.is_free(x, y) or not self.is_free(to_x, to_y):
                raise PositionError("{}: start and goal must be free cells of the map", quoted(text))
            return State(y * self.width + x, to_y * self.width + to_x)
        rows = tuple(filter(None, re.split(r"[/\s]+", text)))
        _, _, _, start, target = _read_rows(rows)
        elsewhere = Elsewhere(start, target)
        elsewhere.rows = rows
        return elsewhere

    def text(self, state: State) -> str:
        if not self.map:
            return self.show(state).replace("\n", "/").replace(" ", "")
        x, y, to = state.cell % self.width, state.cell // self.width, state.target
        return f"{x} {y} {to % self.width} {to // self.width}"

    def caption(self, state: State) -> str:
        return f"{state.cell % self.width},{state.cell // self.width}"

    def show(self, state: State) -> str:
        letters = ["#" if g == WALL else "." if g == 1 else str(g) for g in self.ground.tolist()]
        letters[state.target], letters[state.cell] = "G", "S"
        rows = [letters[i : i + self.width] for i in range(0, len(letters), self.width)]
        return "\n".join("".join(row) for row in rows)

    def write(self, state: State, action: int) -> str:
        return NAMES[action]

    # ---- picture ---------------------------------------------------------------------------------
    def equipment(self) -> Equipment | None:
        if self.width * self.height > MOST_DRAWN:
            return None
        plain = grid(self.width, self.height)
        cells = [
            replace(cell, tone="dark" if g == WALL else "plain")
            for cell, g in zip(plain.cells, self.ground.tolist(), strict=True)
        ]
        return Equipment(Board(plain.width, plain.height, tuple(cells)), PIECES)

    def stands(self, state, cell):
        """The start, the goal, a wall, or what the cell costs."""
        if cell == state.cell or cell == state.target:
            return 1 if cell == state.cell else 2
        cost = int64(self.ground[cell])
        return 3 if cost == WALL else 0 if cost == 1 else cost + 2

    def touched(self, state, action, step):
        return int64(self.result(state, action).cell) if step == 0 else NO_CELL

    def pieces(self, state: State) -> list[Piece]:
        weights = [Piece(c, "text", text=str(g)) for c, g in enumerate(self.ground.tolist()) if g > 1]
        goal = [] if state.cell == state.target else [Piece(int(state.target), "ring", 1)]
        return [*weights, *goal, Piece(int(state.cell), "disc", 0)]

    def cell_of(self, state: State) -> int | None:
        return int(state.cell)

    def arrows(self, state: State, action: int) -> tuple[tuple[int, ...], ...]:
        return ((int(state.cell), int(self.touched(state, action, 0))),)


class _Open(GridMap):
    """A map whose walls can be crossed like its cheapest cells."""

    def __init__(self, walled: GridMap) -> None:
        vars(self).update({name: value for name, value in vars(walled).items() if not name.startswith("_")})
        self.ground = np.where(walled.ground == WALL, walled.least, walled.ground).astype(np.uint8)
        self.ways = _open_ways(np.ones((self.height, self.width), bool), self.stride)

    def key(self, state):
        """The goal belongs to it: costs to several goals are kept side by side."""
        return uint64(state.cell * len(self.ground) + state.target)


def _open_ways(free: Any, stride: int) -> Any:
    """For each cell, a bit for every direction that leads to a free cell and cuts no corner."""
    height, width = free.shape
    around = np.pad(free, 1)

    def beside(across: int, down: int) -> Any:
        return around[1 + down : 1 + down + height, 1 + across : 1 + across + width]

    ways = np.zeros((height, width), np.uint8)
    for way in range(0, 8, stride):
        across, down = STEPS[way]
        ways |= (beside(across, down) & beside(across, 0) & beside(0, down)).astype(np.uint8) << way
    return np.where(free, ways, 0).astype(np.uint8).ravel()


def _read_rows(rows: tuple[str, ...]) -> tuple[int, int, Any, int, int]:
    text = "".join(rows)
    is_map = bool(rows) and len(set(map(len, rows))) == 1 and re.fullmatch(r"[.#1-9SG]+", text)
    if not is_map or text.count("S") != 1 or text.count("G") > 1:
        raise PositionError(
            "{} is no map; accepted: rows of equal length, separated by /, of . # 1 … 9, one S and one G",
            quoted("/".join(rows)),
        )
    if len(text) > MOST_CELLS:
        raise PositionError("a map has at most {:,} cells, not {:,}", MOST_CELLS, len(text))
    ground = np.array([0 if c == "#" else int(c) if c in "123456789" else 1 for c in text])
    start = text.index("S")
    return len(rows[0]), len(rows), ground, start, text.index("G") if "G" in text else start


def _read_file(path: Path) -> tuple[int, int, Any]:
    if not os.path.isfile(path):  # False too where no file can have such a name
        raise GameError("there is no map {}", path)
    head, found, body = path.read_text(encoding="ascii", errors="replace").partition("map\n")
    sizes = dict(re.findall(r"^(height|width)\s+([0-9]{1,5})\s*$", head, re.MULTILINE))
    rows = body.splitlines()
    if not found or set(sizes) != {"height", "width"} or len(rows) < int(sizes["height"]):
        raise GameError("{} is no map of the Moving AI benchmarks: height, width and rows are expected", path)
    width, height = int(sizes["width"]), int(sizes["height"])
    if any(len(row) < width for row in rows[:height]):
        raise GameError("a row of {} is shorter than {} cells", path, width)
    return width, height, np.array([[c in ".GS" for c in row[:width]] for row in rows[:height]])


_FIELDS = 9  # of a line of a `.scen` file
_COST = re.compile(r"[0-9]{1,15}(?:\.[0-9]{1,20})?")


class Scenario(NamedTuple):
    """One problem of a `.scen` file."""

    position: str
    cost: float  # the least cost


def read_scenarios(path: Path) -> list[Scenario]:
    """Read the problems of a `.scen` file, tab-separated: bucket, map, map size, start, goal, least cost."""
    found = []
    for number, line in enumerate(path.read_text(encoding="ascii", errors="replace").splitlines(), 1):
        row = line.split("\t")
        if len(row) < _FIELDS:  # the version, or an empty line
            continue
        if not all(re.fullmatch(r"[0-9]{1,6}", cell) for cell in row[4:8]) or not _COST.fullmatch(row[8]):
            raise GameError("line {} of {} is no scenario: {}", number, path, quoted(line))
        found.append(Scenario(" ".join(row[4:8]), float(row[8])))
    return found
