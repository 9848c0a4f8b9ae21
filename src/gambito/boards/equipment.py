"""The equipment of a board game: its board, and the pieces that can stand on it.

    cell     a place of the board, numbered from 0 as the board lists them; of several layers, one over the
             other, the cells of the next one follow those of the one before
    code     what stands on a cell, as a number: `empty`, or the number of a piece

The codes of all cells are all that is asked for. The picture, the board in characters, the text of a
position, its parser and the palette of the editor follow from them here. No game is known, and no rule.
"""

from __future__ import annotations

import functools
import itertools
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from gambito.boards.picture import NOBODY, Board, Piece
from gambito.boards.shapes import outlines
from gambito.errors import PositionError, quoted

NO_CELL = -1
FIT = 0.3  # of a cell: the most by which cells of one row differ in height


@dataclass(frozen=True)
class Kind:
    """A piece, as it is written and as it looks."""

    mark: str  # in texts: one character
    shape: str = "disc"  # as of a Piece; or the name of a shape, as `small hollow square`
    side: int = NOBODY
    text: str = ""
    count: int = 0
    colour: str = ""  # black, white, red, blue, green, yellow; "": that of its side

    def piece(self, cell: int, base: bool = False) -> Piece:
        return Piece(cell, self.shape, self.side, self.text, self.count, self.colour, base)


def discs(marks: Iterable[str]) -> tuple[Kind, ...]:
    """A disc for each player, with its mark in texts."""
    return tuple(Kind(mark, side=side) for side, mark in enumerate(marks))


class PlacedPieces(NamedTuple):
    """What the text of a position says."""

    cells: list[int]  # the code of each cell
    mover: int  # NOBODY if the text does not say it
    extras: list[str]  # the words behind


Pieces = str | Sequence[Kind] | Mapping[int, Kind]  # marks of discs; or pieces with the codes 1, 2 …


@dataclass(frozen=True)
class Equipment:
    """A board and its pieces, and how a position is written: rows of marks, the side to move, and more."""

    board: Board
    pieces: Pieces = ""
    over: Pieces = ""  # a second layer: the pieces that stand on those of the first
    stacked: bool = True  # the pieces of a layer lie under those of the next one, not beside them
    empty: int = 0  # the code of an empty cell
    blank: str = "."  # its mark
    sides: Sequence[str] = ()  # who moves, as a position says it; (): it does not
    rows: Sequence[Sequence[int]] = ()  # the cells of each row of the text; (): from above, as they lie
    joint: str = "/"  # between two rows
    apart: str = ""  # between two marks
    counted: bool = False  # the empty cells of a row are counted, as in chess
    alike: Mapping[str, str] = field(
        default_factory=dict
    )  # other marks that are read, each with the usual one
    step: str = ""  # in the name of a move, between the cells that a piece leaves and enters
    taking: str = "x"  # the same if something stands there
    movers: Sequence[str] = ()  # the players, as the board in characters names them; (): as the game does
    margin: str = "{:>2} "  # of a row in characters, for its number
    heads: str = "below"  # where the letters of the columns are: below, above, or nowhere: ""

    @functools.cached_property
    def layers(self) -> tuple[Mapping[int, Kind], ...]:
        """The pieces of each layer, by code."""
        return tuple(_by_code(pieces) for pieces in (self.pieces, self.over) if pieces) or ({},)

    @functools.cached_property
    def picture(self) -> Board:
        """The board, with the outlines of its pieces."""
        known = outlines(kind.shape for layer in self.layers for kind in layer.values())
        return replace(self.board, symbols=known | self.board.symbols) if known else self.board

    @functools.cached_property
    def lines(self) -> Sequence[Sequence[int]]:
        """The cells of each row of the text."""
        return self.rows or _rows_of(self.board)

    @functools.cached_property
    def codes(self) -> tuple[dict[str, int], ...]:
        """The codes of the marks of each layer."""
        return tuple(map(self._codes, self.layers))

    @property
    def size(self) -> int:
        """The number of codes that a state has: one for each cell of each layer."""
        return len(self.layers) * len(self.board.cells)

    def _codes(self, layer: Mapping[int, Kind]) -> dict[str, int]:
        known = {kind.mark: code for code, kind in layer.items()} | {self.blank: self.empty}
        known |= {other: known[mark] for other, mark in self.alike.items()}
        folded = {mark.swapcase(): code for mark, code in known.items() if mark.swapcase() not in known}
        return known | folded

    # ---- picture ---------------------------------------------------------------------------------
    def pieces_of(self, codes: Sequence[int]) -> list[Piece]:
        """The pieces of a picture, from the code of every cell."""
        cells, found = len(self.board.cells), []
        for number, layer in enumerate(self.layers):
            is_base = self.is_base(number)
            for cell in range(cells):
                kind = layer.get(codes[number * cells + cell])
                if kind is not None:
                    found.append(kind.piece(cell, is_base))
        return found

    def is_base(self, layer: int) -> bool:
        """Do the pieces of a layer lie under those of another?"""
        return self.stacked and layer + 1 < len(self.layers)

    # ---- text ------------------------------------------------------------------------------------
    def mark(self, code: int, layer: int = 0) -> str:
        kind = self.layers[layer].get(code)
        return self.blank if kind is None else kind.mark

    def code(self, mark: str, layer: int = 0) -> int | None:
        """The code that a mark stands for; None if there is none."""
        return self.codes[layer].get(mark)

    def marks(self, codes: Sequence[int], layer: int = 0) -> list[str]:
        """The marks of all cells."""
        first = layer * len(self.board.cells)
        return [self.mark(code, layer) for code in codes[first : first + len(self.board.cells)]]

    def draw(self, codes: Sequence[int]) -> str:
        """The board in characters, one line for each row, with the names of rows and columns."""
        layers = [self.marks(codes, layer) for layer in range(len(self.layers))]
        wide = max(len(mark) for marks in layers for mark in marks)
        blocks = [self._block([f"{mark:>{wide}}" for mark in marks]) for marks in layers]
        return "\n".join("   ".join(lines).rstrip() for lines in zip(*blocks, strict=True))

    def _block(self, marks: Sequence[str]) -> list[str]:
        cells, lines = self.board.cells, []
        left = min(cells[cell].x for row in self.lines for cell in row)
        for row in self.lines:
            number = re.sub("[^0-9]", "", cells[row[0]].name)
            indent = " " * round(2 * (cells[row[0]].x - left))
            lines.append(f"{indent}{self.margin.format(number)}{' '.join(marks[cell] for cell in row)}")
        if self.heads:
            is_slanted = len({cells[row[0]].x for row in self.lines}) > 1
            names = " " * (len(self.margin.format(1)) - is_slanted) + " ".join(self._heads())
            lines.insert(0 if self.heads == "above" else len(lines), names)
        wide = max(map(len, lines)) if len(self.layers) > 1 else 0
        return [f"{line:<{wide}}" for line in lines]

    def _heads(self) -> list[str]:
        """The name above or below each column: its label, or the letter in the names of its cells."""
        board = self.board
        labels = {label.x: label.text for label in board.labels if not 0 <= label.y <= board.height}
        cells = [board.cells[cell] for cell in self.lines[0]]
        return [labels.get(cell.x) or re.sub("[0-9]", "", cell.name) for cell in cells]

    def write(self, codes: Sequence[int], mover: int = NOBODY, extras: Sequence[str] = ()) -> str:
        """The text of a position: rows, side to move, and the words behind."""
        return self.compose(codes, [*([self.sides[mover]] if self.sides else []), *extras])

    def compose(self, codes: Sequence[int], words: Sequence[str]) -> str:
        """The text of a position with these words behind the board; the first is the side, if it is said."""
        boards = []
        for layer in range(len(self.layers)):
            marks = self.marks(codes, layer)
            rows = [self.apart.join(marks[cell] for cell in row) for row in self.lines]
            boards.append(self.joint.join(map(self._counted, rows) if self.counted else rows))
        return " ".join([*boards, *words])

    def _counted(self, row: str) -> str:
        return re.sub(f"{re.escape(self.blank)}+", lambda found: str(len(found[0])), row)

    def is_position(self, text: str) -> bool:
        """Does a text look like a position, and not like a list of moves?"""
        first = (self._words(text) or [""])[0]
        if self.joint and self.joint in text:
            return True
        marks = first.split(self.apart) if self.apart else first
        return len(marks) >= sum(map(len, self.lines)) and self.code(marks[0]) is not None

    def _words(self, text: str) -> list[str]:
        """The words of a position: one for each layer, and those behind."""
        return [" ".join(text.split())] if self.apart == " " else text.split()

    def read(self, text: str) -> PlacedPieces:
        """What the text of a position says; PositionError if it is none."""
        words, cells = self._words(text), list[int]()
        if len(words) < len(self.layers):
            raise self.wrong(text)
        for layer in range(len(self.layers)):
            cells += self._read_layer(text, words.pop(0), layer)
        mover = NOBODY
        if self.sides:
            side = words.pop(0).lower() if words else ""
            known = {name.lower(): number for number, name in enumerate(self.sides)}
            known |= {
                other.lower(): known[m.lower()] for other, m in self.alike.items() if m.lower() in known
            }
            if side not in known:
                accepted = ", ".join(self.sides)
                raise PositionError("{} does not say who moves; accepted: {}", quoted(text), accepted)
            mover = known[side]
        return PlacedPieces(cells, mover, words)

    def _read_layer(self, text: str, word: str, layer: int) -> list[int]:
        """The codes of all cells of a layer."""
        rows = word.split(self.joint) if self.joint else [word]
        if self.counted:
            rows = [re.sub("[0-9]{1,3}", lambda run: self.blank * int(run[0]), row) for row in rows]
        parts: list[Sequence[str]] = [row.split(self.apart) if self.apart else row for row in rows]
        if len(parts) == 1 and len(parts[0]) == sum(map(len, self.lines)):
            marks = iter(parts[0])
            parts = [[*itertools.islice(marks, len(row))] for row in self.lines]
        if [len(part) for part in parts] != [len(row) for row in self.lines]:
            raise self.wrong(text)
        codes = [self.empty] * len(self.board.cells)
        for cell, mark in zip(itertools.chain(*self.lines), itertools.chain(*parts), strict=True):
            code = self.code(mark, layer)
            if code is None:
                raise self.wrong(text)
            codes[cell] = code
        return codes

    def wrong(self, text: str) -> PositionError:
        """The error that a text is no position, and what one looks like."""
        wide = {len(row) for row in self.lines}
        accepted = ", ".join(dict.fromkeys([*(k.mark for k in self.layers[0].values()), self.blank]))
        many = f"{min(wide)}-{max(wide)}" if len(wide) > 1 else str(max(wide))
        return PositionError(
            "{} is no position; accepted: {} rows of {} marks: {}",
            quoted(text),
            len(self.lines),
            many,
            accepted,
        )

    # ---- editor ----------------------------------------------------------------------------------
    def palette(self) -> list[tuple[str, int, Piece | None]]:
        """What can be put on a cell: its mark, its layer, and how it looks; the empty cell is first."""
        found: list[tuple[str, int, Piece | None]] = [(self.blank, 0, None)]
        for number, layer in enumerate(self.layers):
            ordered = sorted(layer.values(), key=lambda kind: kind.side)
            found += [(kind.mark, number, kind.piece(0, self.is_base(number))) for kind in ordered]
        return found

    def symbols(self, codes: Sequence[int]) -> list[str]:
        """The marks of all cells, layer by layer."""
        return [mark for layer in range(len(self.layers)) for mark in self.marks(codes, layer)]

    def codes_of(self, symbols: Sequence[str]) -> list[int] | None:
        """The codes of all cells from their marks; None if one is unknown, or there are too few or many."""
        cells = len(self.board.cells)
        codes = [self.code(mark, place // cells) for place, mark in enumerate(symbols[: self.size])]
        known = [code for code in codes if code is not None]
        return known if len(known) == len(symbols) == self.size else None


@dataclass(frozen=True)
class Values(Equipment):
    """Cells that hold numbers: of what lies in a pit, or as a state has them."""

    look: Kind = Kind("", "text")  # how a number other than `empty` looks
    owners: Sequence[int] = ()  # the side of each cell; (): nobody's
    is_counted: bool = False  # numbers count what lies there; else each is a name
    is_signed: bool = True  # numbers below 0 can be read
    layered: int = 1

    @functools.cached_property
    def layers(self) -> tuple[Mapping[int, Kind], ...]:
        return ({},) * self.layered

    def pieces_of(self, codes: Sequence[int]) -> list[Piece]:
        cells, found = len(self.board.cells), []
        for cell in range(cells):
            held = [codes[layer * cells + cell] for layer in range(self.layered)]
            if all(code == self.empty for code in held):
                continue
            owner = self.owners[cell] if self.owners else NOBODY
            if self.is_counted:
                found.append(Piece(cell, self.look.shape, owner, count=held[0]))
            else:
                words = "/".join("·" if code == self.empty else str(code) for code in held)
                found.append(Piece(cell, self.look.shape, owner, words))
        return found

    def mark(self, code: int, layer: int = 0) -> str:
        return self.blank if code == self.empty and self.blank else str(code)

    def code(self, mark: str, layer: int = 0) -> int | None:
        if self.blank and mark == self.blank:
            return self.empty
        form = "-?(0|[1-9][0-9]{0,8})" if self.is_signed else "0|[1-9][0-9]{0,8}"
        return int(mark) if re.fullmatch(form, mark) else None

    def palette(self) -> list[tuple[str, int, Piece | None]]:
        return [(self.blank or str(self.empty), 0, None)]


def _by_code(pieces: Pieces) -> dict[int, Kind]:
    if isinstance(pieces, Mapping):
        return dict(pieces)
    return dict(enumerate(discs(pieces) if isinstance(pieces, str) else pieces, 1))


def _rows_of(board: Board) -> list[list[int]]:
    """The cells in rows from above, each from the left, without those that are not drawn, as a die."""
    rows: list[list[int]] = []
    cells = [number for number, cell in enumerate(board.cells) if cell.shape != "none"]
    for number in sorted(cells, key=lambda number: board.cells[number].y):
        is_new = not rows or not math.isclose(board.cells[rows[-1][0]].y, board.cells[number].y, abs_tol=FIT)
        rows += [[]] if is_new else []
        rows[-1].append(number)
    return [sorted(row, key=lambda number: board.cells[number].x) for row in rows]
