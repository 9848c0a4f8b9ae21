"""A board as a description that any screen can draw: cells, lines, areas, labels, and the pieces on it.

Lengths are in cells; the origin is the upper left corner. A game gives a `Board` once and the `Piece`s of
every state; each screen decides how to draw the shapes. This module does not depend on any game or markup.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

SHAPES = ("square", "hexagon", "circle", "point", "across", "down", "none")  # of cells
TONES = (
    "plain",
    "light",
    "dark",
    "felt",
    "frame",
    "black",
    "white",
    "wood",
    "rim",
    "sea",
    "red",
    "blue",
    "green",
    "yellow",
)  # of cells and areas
COLOURS = ("", "black", "white", "red", "blue", "green", "yellow")  # of pieces
BLANK = "?"  # the text of what is not seen: a card face down, a covered die, a cell in fog (a text piece)
MARKINGS = ("line", "check", "must", "own")  # of cells, beside their pieces
NOBODY = -1  # the side of a piece that belongs to no player
_PATH = re.compile(r"[MmLlHhVvCcSsQqTtAaZz0-9 ,.\-]*")  # only path data, nothing that a page could run
LETTERS = "abcdefghijklmnopqrstuvwxyz"
_TURN = re.compile(r"(^|[;,.]\s*)[\w ]+ to (move|play)\b\W*$")  # the page itself says who moves
_FACT = re.compile(r"\w\s*[:=]\s*[-+]?\w")
RIM = 0.6  # of wood around crossings, where the labels are
SLANT = math.sqrt(3) / 2  # the distance between two rows of hexagons


@dataclass(frozen=True)
class Cell:
    """A place for pieces that a person can touch."""

    name: str
    x: float  # the centre of the cell
    y: float
    shape: str = "square"  # square, hexagon, circle; point: a dot; across, down: lines; none: only its piece
    tone: str = "plain"  # plain, light and dark (squares), felt (green), frame (blue, with holes), sea …
    size: float = 1.0  # its width
    rise: float = 0.0  # how far below or above the next piece of a stack is drawn; 0: a stack is a number


@dataclass(frozen=True)
class Label:
    """A short text beside the cells."""

    x: float
    y: float
    text: str


@dataclass(frozen=True)
class Board:
    """The layout of a board: cells, lines, areas and labels."""

    width: float
    height: float
    cells: tuple[Cell, ...]
    lines: tuple[tuple[float, float, float, float], ...] = ()  # x, y of both ends
    areas: tuple[tuple[str, tuple[float, ...]], ...] = ()  # a tone, and the corners x, y, x, y … of a polygon
    labels: tuple[Label, ...] = ()
    symbols: dict[str, str] = field(default_factory=dict)  # outlines of pieces: SVG path data, 100 × 100
    turns: bool = True  # the board can be shown from the other side as well
    dots: tuple[tuple[float, float], ...] = ()  # x, y of points that help the eye, as the stars of Go

    def __post_init__(self) -> None:
        for name, outline in self.symbols.items():
            if not _PATH.fullmatch(outline):
                raise ValueError(f"the outline of '{name}' is not SVG path data")
        for cell in self.cells:
            if cell.shape not in SHAPES or cell.tone not in TONES:
                accepted = f"shapes {', '.join(SHAPES)}; tones {', '.join(TONES)}"
                raise ValueError(f"the cell {cell.name} is {cell.shape}, {cell.tone}; accepted: {accepted}")

    def as_dict(self) -> dict[str, Any]:
        plain = asdict(self)
        plain["areas"] = [{"tone": tone, "points": list(points)} for tone, points in self.areas]
        plain["labels"] = list(plain["labels"])
        return plain


@dataclass(frozen=True)
class Piece:
    """A piece on a cell."""

    cell: int  # the number of the cell on the board
    shape: str = "disc"  # one of MARKS, or a symbol of the board
    side: int = NOBODY
    text: str = ""  # written on it, or all there is of a text piece; BLANK for what is not seen
    count: int = 0  # stones in a pit, the height of a stack, the spots of a die
    colour: str = ""  # one of COLOURS; "": that of its side
    base: bool = False  # it lies under the other pieces of its cell, not beside them

    def __post_init__(self) -> None:
        if self.colour not in COLOURS:
            raise ValueError(f"a piece is {self.colour}; accepted: {', '.join(filter(None, COLOURS))}")

    def as_dict(self) -> dict[str, Any]:
        plain = asdict(self)
        return {name: held for name, held in plain.items() if held or name not in ("colour", "base")}


@dataclass(frozen=True)
class Mark:
    """Something that a screen shows about cells, whatever stands on them."""

    kind: str  # line: these cells in this order have won; check: attacked; must: to be moved; own: owned
    cells: tuple[int, ...]
    side: int = NOBODY  # whose it is

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True)
class Tally:
    """What a player has so far: points, prisoners, pieces that were taken."""

    text: str = ""  # in words, as a Sentence
    shapes: tuple[str, ...] = ()  # pieces, drawn small
    side: int = NOBODY  # whose colour the shapes have

    def as_dict(self) -> dict[str, Any]:
        return {"words": self.text, "shapes": list(self.shapes), "side": self.side}


def rows_of(owners: Sequence[int], width: int, least: int) -> list[Mark]:
    """The straight lines of at least that many cells of one side on a grid; NOBODY owns empty cells."""
    height, found = len(owners) // width, []

    def owner(x: int, y: int) -> int:
        return owners[y * width + x] if 0 <= x < width and 0 <= y < height else NOBODY

    for y in range(height):
        for x in range(width):
            for dx, dy in ((1, 0), (0, 1), (1, 1), (-1, 1)):
                side = owner(x, y)
                if side == NOBODY or owner(x - dx, y - dy) == side:
                    continue  # empty, or inside a line that begins earlier
                length = 1
                while owner(x + length * dx, y + length * dy) == side:
                    length += 1
                if length >= least:
                    cells = ((y + n * dy) * width + x + n * dx for n in range(length))
                    found.append(Mark("line", tuple(cells), side))
    return found


def grid(
    width: int, height: int, tone: str = "plain", checkered: bool = False, upward: bool = False
) -> Board:
    """A board of squares, row by row from the upper left corner, named a1, b1 …; `upward`: a1 is below.

    Checkered boards have a dark square in their lower left corner.
    """
    cells = []
    for number in range(width * height):
        row, column = divmod(number, width)
        above = height - 1 - row if upward else row
        is_dark = (column + height - 1 - above) % 2 == 0
        colour = ("dark" if is_dark else "light") if checkered else tone
        cells.append(Cell(f"{letter(column)}{row + 1}", column + 0.5, above + 0.5, "square", colour))
    below = [Label(column + 0.5, height + 0.3, letter(column)) for column in range(width)]
    beside = [Label(-0.3, cells[row * width].y, str(row + 1)) for row in range(height)]
    return Board(width, height, tuple(cells), labels=(*below, *beside))


def points(
    places: Sequence[tuple[float, float]], joined: Sequence[tuple[int, int]], names: Sequence[str]
) -> Board:
    """A board of points joined by lines, as in nine men's morris; there is half a cell of space around it."""
    cells = [Cell(name, x + 0.5, y + 0.5, "point") for name, (x, y) in zip(names, places, strict=True)]
    lines = [(cells[a].x, cells[a].y, cells[b].x, cells[b].y) for a, b in joined]
    width = max(x for x, _ in places) + 1
    height = max(y for _, y in places) + 1
    return Board(width, height, tuple(cells), tuple(lines))


def crossings(width: int, height: int) -> Board:
    """The crossings of lines on wood, row by row from the upper left, named as in Go: A19, without I."""
    places = [(column, row) for row in range(height) for column in range(width)]
    across = [(r * width, r * width + width - 1) for r in range(height)]
    down = [(c, (height - 1) * width + c) for c in range(width)]
    letters = [a for a in LETTERS.upper() if a != "I"]
    names = [f"{letters[c % 25]}{height - r}" for c, r in places]
    below = [Label(c + 0.5, height + 0.3, letters[c % 25]) for c in range(width)]
    beside = [Label(-0.3, r + 0.5, str(height - r)) for r in range(height)]
    plain = points(places, [*across, *down], names)
    left, top, right, bottom = -RIM, -RIM, plain.width + RIM, plain.height + RIM
    whole = (left, top, right, top, right, bottom, left, bottom)
    return replace(plain, labels=(*below, *beside), areas=(("wood", whole),), dots=_stars(width, height))


def _stars(width: int, height: int) -> tuple[tuple[float, float], ...]:
    """The stars of a board for Go, where it is large enough: near the corners, the sides and the middle."""
    if min(width, height) < 7:
        return ()
    across, down = (
        [edge, *([length // 2] if length % 2 else []), length - 1 - edge]
        for length in (width, height)
        for edge in (3 if length > 11 else 2,)
    )
    between = len(across) == len(down) == 3
    is_small = min(width, height) < 13  # then the sides have none
    return tuple(
        (x + 0.5, y + 0.5)
        for i, x in enumerate(across)
        for j, y in enumerate(down)
        if not (is_small and between and (i == 1) != (j == 1))
    )


def hexagons(width: int, height: int, tone: str = "plain") -> Board:
    """A rhombus of hexagons, row by row, each row half a cell further right, as in Hex."""
    cells = []
    for number in range(width * height):
        row, column = divmod(number, width)
        x, y = column + 0.5 + row / 2, 0.6 + row * SLANT
        cells.append(Cell(f"{letter(column)}{row + 1}", x, y, "hexagon", tone))
    return Board(width + (height - 1) / 2, 0.2 + 1 + (height - 1) * SLANT, tuple(cells))


def pits(names: Sequence[Sequence[str]]) -> Board:
    """Rows of pits, as in Mancala; an empty name leaves a gap."""
    cells = [
        Cell(name, column + 0.5, row + 0.5, "circle", "frame", 0.9)
        for row, across in enumerate(names)
        for column, name in enumerate(across)
        if name
    ]
    return Board(max(map(len, names)), len(names), tuple(cells))


def words_of(shown: str) -> str:
    """The lines of a drawing in characters that tell something in words: `walls left: 5`, `score 3-2`."""
    lines = [line.strip() for line in shown.splitlines() if line.strip() != "the game is over"]
    told = [line for line in lines if _FACT.search(line) or _has_word(line)]
    return "\n".join(filter(None, (_TURN.sub("", line) for line in told)))


def _has_word(line: str) -> bool:
    """Is there a word, and not only the letters of pieces and columns?"""
    return any(
        len(set(word)) > 2 and set(word) & set("aeiouy") and word not in LETTERS
        for word in re.findall(r"[^\W0-9_]{3,}", line.lower())
    )


def letter(number: int) -> str:
    """a, b … z, aa, ab …"""
    name = ""
    number += 1
    while number:
        number, digit = divmod(number - 1, 26)
        name = LETTERS[digit] + name
    return name
