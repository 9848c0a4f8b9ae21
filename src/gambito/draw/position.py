"""A position as an SVG picture with marked moves: a still image of the board on the web page.

It is drawn from the game's `picture` and `pieces`; lengths are in cells. It is self-contained, and light or
dark like the page around it, or else by the reader's preference. No code here is specific to one game:
symbols come from the board, and every text is escaped.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from gambito.boards.picture import BLANK, Board, Cell, Piece
from gambito.draw.marks import escape
from gambito.game.contract import CHANCE, Game

STYLE = Path(__file__).with_name("position.css").read_text(encoding="utf-8")
CELL, WIDEST, HIGHEST = 44.0, 460.0, 400.0  # of a picture, in pixels
LETTER = 11.0  # of labels, in pixels, if the cells are large enough
KEPT = "display:block;max-width:none"  # its size, in pages that shrink pictures to the available space
STACK = 5  # the most pieces of a stack that are drawn; with more, the last one shows the number
COLOURS = tuple(
    (re.compile(c, re.IGNORECASE), c) for c in ("black", "white", "red", "yellow", "blue", "green")
)
OTHERWISE = ("red", "blue", "green", "yellow", "black", "white")
ON_BLUE = ("red", "yellow", "green", "black", "white")  # if the board itself is blue
RED = frozenset("♥♦")  # suits
WORDED = ("card", "die", "text")  # pieces that draw their own text
FLAT = ("text", "cross", "ring")  # what lies over the other pieces of a cell, not beside them
SPOTS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}


def draw_position(game: Game, state: Any, line: Sequence[int] = (), turned: bool = False) -> str | None:
    """The position as an SVG document; the moves of `line` are arrows, or rings if they have only one cell.

    The first move is strong, later ones are faint. `turned`: seen from the other side. Return None if the
    game has no picture of the position.
    """
    board = game.picture()
    pieces = list(game.pieces(state)) if board else []
    if board is None or not all(0 <= piece.cell < len(board.cells) for piece in pieces):
        return None
    if turned and board.turns:
        board = turn(board)
    small = min(0.3, LETTER / min(CELL, WIDEST / board.width, HIGHEST / board.height))
    parts = [
        *(_area(tone, points) for tone, points in board.areas),
        *(_joint(*ends) for ends in board.lines),
        *(_cell(cell) for cell in board.cells),
        *(f'<circle class="star" cx="{_n(x)}" cy="{_n(y)}" r="0.09"/>' for x, y in board.dots),
        *(_write(one.x, one.y, small, one.text, "label") for one in board.labels),
        *_pieces(board, pieces, side_colours(game, board)),
        *_moves(board, game, state, line),
    ]
    return _document(board, small, parts, escape(f"{game.label()}: {game.text(state)}"))


def draw_heat(game: Game, shares: Mapping[int, float], title: str) -> str | None:
    """The empty board as an SVG document, with a share from 0 to 1 on some cells: the larger, the deeper.

    Return None if the game has no picture.
    """
    board = game.picture()
    if board is None:
        return None
    small = min(0.3, LETTER / min(CELL, WIDEST / board.width, HIGHEST / board.height))
    least, most = min(shares.values(), default=0.0), max(shares.values(), default=1.0)
    parts = [
        *(_area(tone, points) for tone, points in board.areas),
        *(_joint(*ends) for ends in board.lines),
        *(_cell(cell) for number, cell in enumerate(board.cells) if number not in shares),
        *(
            _heat(board.cells[number], share, (share - least) / max(most - least, 1e-9), small)
            for number, share in shares.items()
        ),
        *(_write(one.x, one.y, small, one.text, "label") for one in board.labels),
    ]
    return _document(board, small, parts, escape(title))


def _heat(cell: Cell, share: float, deep: float, small: float) -> str:
    """A cell in the colour of its share, and the share in percent."""
    shape = "square" if cell.shape in ("none", "point") else cell.shape
    paper = _cell(replace(cell, shape=shape, tone="plain"))
    colour = _cell(replace(cell, shape=shape, tone="heat"))
    shade = colour.replace("/>", f' fill-opacity="{0.85 * deep:.3f}"/>')
    return paper + shade + _write(cell.x, cell.y + 0.25 * cell.size, small, f"{100 * share:.2f}", "face")


def turn(board: Board) -> Board:
    """The board seen from the other side; labels beside it stay on their side."""
    wide, high = board.width, board.height
    labels = [
        replace(
            one,
            x=one.x if not 0 <= one.x <= wide else wide - one.x,
            y=one.y if not 0 <= one.y <= high else high - one.y,
        )
        for one in board.labels
    ]
    return replace(
        board,
        cells=tuple(replace(c, x=wide - c.x, y=high - c.y, rise=-c.rise) for c in board.cells),
        dots=tuple((wide - x, high - y) for x, y in board.dots),
        lines=tuple((wide - a, high - b, wide - c, high - d) for a, b, c, d in board.lines),
        areas=tuple((tone, _turned(points, wide, high)) for tone, points in board.areas),
        labels=tuple(labels),
    )


def _turned(points: Sequence[float], wide: float, high: float) -> tuple[float, ...]:
    return tuple((high if place % 2 else wide) - length for place, length in enumerate(points))


def side_colours(game: Game, board: Board) -> list[str]:
    """The colour of each side: the name of the side, if that is a colour."""
    otherwise = ON_BLUE if any(tone == "frame" for tone, _ in board.areas) else OTHERWISE
    names = [*game.sides, *[""] * (game.players - len(game.sides))]
    return [
        next((colour for pattern, colour in COLOURS if pattern.match(name)), otherwise[side % len(otherwise)])
        for side, name in enumerate(names)
    ]


def _document(board: Board, small: float, parts: Iterable[str], title: str) -> str:
    """The parts inside a picture with space for the labels."""
    left = min(0.0, *(one.x - small for one in board.labels), 0.0) - 0.14
    right = max(board.width, *(one.x + small for one in board.labels), 0.0) + 0.14
    top = min(0.0, *(one.y - small for one in board.labels), 0.0) - 0.14
    bottom = max(board.height, *(one.y + small for one in board.labels), 0.0) + 0.14
    wide, high = right - left, bottom - top
    cell = min(CELL, WIDEST / wide, HIGHEST / high)
    body = "\n".join(parts)
    box = f"{_n(left)} {_n(top)} {_n(wide)} {_n(high)}"
    corner = f'x="{_n(left)}" y="{_n(top)}" width="{_n(wide)}" height="{_n(high)}" rx="0.12"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="gambito-board" role="img" aria-label="{title}" '
        f'width="{cell * wide:.0f}" height="{cell * high:.0f}" viewBox="{box}" style="{KEPT}">\n'
        f"<title>{title}</title>\n<style>\n{STYLE}</style>\n"
        f'<rect class="paper" {corner}/>\n{body}\n</svg>\n'
    )


def _area(tone: str, points: Sequence[float]) -> str:
    corners = " ".join(f"{_n(x)},{_n(y)}" for x, y in zip(points[::2], points[1::2], strict=True))
    return f'<polygon class="area {escape(tone)}" points="{corners}"/>'


def _joint(x: float, y: float, u: float, v: float) -> str:
    return f'<line class="joint" x1="{_n(x)}" y1="{_n(y)}" x2="{_n(u)}" y2="{_n(v)}"/>'


def _cell(cell: Cell) -> str:
    css = f'class="cell {cell.shape} {cell.tone}"'
    x, y, size = cell.x, cell.y, cell.size
    if cell.shape == "none":
        return ""
    if cell.shape == "square":
        corner, side = f'x="{_n(x - size / 2)}" y="{_n(y - size / 2)}"', _n(size)
        return f'<rect {css} {corner} width="{side}" height="{side}"/>'
    if cell.shape == "hexagon":
        reach = size / math.sqrt(3)
        angles = [math.radians(degrees) for degrees in range(30, 390, 60)]
        corners = " ".join(f"{_n(x + reach * math.cos(a))},{_n(y + reach * math.sin(a))}" for a in angles)
        return f'<polygon {css} points="{corners}"/>'
    if cell.shape in ("across", "down"):
        wide, high = (size, 0.14 * size) if cell.shape == "across" else (0.14 * size, size)
        corner = f'x="{_n(x - wide / 2)}" y="{_n(y - high / 2)}"'
        return f'<rect {css} {corner} width="{_n(wide)}" height="{_n(high)}"/>'
    r = 0.05 * size if cell.shape == "point" else size / 2
    return f'<circle {css} cx="{_n(x)}" cy="{_n(y)}" r="{_n(r)}"/>'


# ---- pieces ------------------------------------------------------------------------------------------


def _pieces(board: Board, pieces: Iterable[Piece], colours: Sequence[str]) -> list[str]:
    """All pieces; pieces that share a cell are side by side."""
    on_cell: dict[int, list[Piece]] = {}
    for piece in pieces:
        on_cell.setdefault(piece.cell, []).append(piece)
    parts = []
    for number, held in on_cell.items():
        cell = board.cells[number]
        standing = [piece for piece in held if piece.shape not in FLAT and not piece.base]
        apart = min(0.22, 0.5 / (len(standing) - 1)) if len(standing) > 1 else 0.0
        for piece in held:
            aside = 0.0
            if piece in standing:
                aside = (standing.index(piece) - (len(standing) - 1) / 2) * apart
            own = colours[piece.side] if 0 <= piece.side < len(colours) else "nobody"
            colour = piece.colour or own
            parts += _stack(piece, cell.x + aside, cell, colour, board.symbols)
    return parts


def _stack(piece: Piece, x: float, cell: Cell, colour: str, symbols: dict[str, str]) -> list[str]:
    """A piece, or as many copies of it as a stack shows."""
    if not cell.rise or piece.count < 1:
        return [_piece(piece, x, cell.y, cell, colour, symbols)]
    high = min(piece.count, STACK)
    last = piece.count if piece.count > STACK else 0
    return [
        _piece(
            replace(piece, count=last if place == STACK - 1 else 0),
            x,
            cell.y + place * cell.rise,
            cell,
            colour,
            symbols,
        )
        for place in range(high)
    ]


def _piece(piece: Piece, x: float, y: float, cell: Cell, colour: str, symbols: dict[str, str]) -> str:
    size, kind = cell.size, piece.shape
    draw = DRAW.get(kind)
    if draw is not None:
        inside = draw(piece, cell, size)
    elif kind in symbols:
        place = f"scale({_n(0.0088 * size, 5)}) translate(-50 -50)"
        inside, kind = f'<path d="{escape(symbols[kind])}" transform="{place}"/>', "symbol"
    else:
        inside, kind = "", "none"
    words = (piece.text if kind not in WORDED else "") or (str(piece.count) if piece.count else "")
    if words and kind != "die":
        inside += _write(0, 0, min(0.38, 0.8 / len(words)) * size, words, "count")
    return f'<g class="piece {kind} {colour}" transform="translate({_n(x)} {_n(y)})">{inside}</g>'


def _disc(piece: Piece, cell: Cell, size: float) -> str:
    r = size * (0.46 if cell.shape in ("circle", "point") else 0.4)
    return f'<circle r="{_n(r)}"/><circle class="rim" r="{_n(0.68 * r)}"/>'


def _ring(piece: Piece, cell: Cell, size: float) -> str:
    return f'<circle r="{_n(0.3 * size)}"/>'


def _cross(piece: Piece, cell: Cell, size: float) -> str:
    a, b = _n(-0.26 * size), _n(0.52 * size)
    return f'<path d="M{a} {a}l{b} {b}m0 -{b}l-{b} {b}"/>'


def _square(piece: Piece, cell: Cell, size: float) -> str:
    return _rect(0.68 * size, 0.68 * size, 0.06)


def _die(piece: Piece, cell: Cell, size: float) -> str:
    spots = "".join(
        f'<circle class="spot" cx="{_n(0.2 * size * x)}" cy="{_n(0.2 * size * y)}" r="{_n(0.068 * size)}"/>'
        for x, y in SPOTS.get(piece.count, ())
    )
    words = "" if spots else piece.text or str(piece.count or "")
    number = _write(0, 0, 0.4 * size, words, "count") if words else ""
    return _rect(0.72 * size, 0.72 * size, 0.14 * size) + spots + number


def _card(piece: Piece, cell: Cell, size: float) -> str:
    if piece.text == BLANK:
        back = f'<path class="lattice" d="{_lattice(size)}"/>'
        return _rect(0.6 * size, 0.84 * size, 0.07 * size, "back") + back
    high, face = min(0.36, 0.56 / max(1, len(piece.text))) * size, "face"
    if not RED.isdisjoint(piece.text):
        face += " hot"
    return _rect(0.6 * size, 0.84 * size, 0.07 * size, "sheet") + _write(0, 0, high, piece.text, face)


def _lattice(size: float) -> str:
    """The pattern on the back of a card: lozenges."""
    wide, high = 0.11 * size, 0.12 * size
    places = [(x, y) for x in (-1, 1) for y in (-2, 0, 2)] + [(0, -1), (0, 1)]
    return "".join(
        f"M{_n(x * wide)} {_n((y - 1) * high)}"
        f"l{_n(wide)} {_n(high)}l{_n(-wide)} {_n(high)}l{_n(-wide)} {_n(-high)}Z"
        for x, y in places
    )


def _text(piece: Piece, cell: Cell, size: float) -> str:
    if piece.text == BLANK and cell.shape not in ("point", "none"):  # fog over the cell
        return _cell(replace(cell, x=0.0, y=0.0))
    return _write(0, 0, min(0.42, 1.3 / max(1, len(piece.text))) * size, piece.text, "face")


def _rect(wide: float, high: float, corner: float, css: str = "") -> str:
    size = f'width="{_n(wide)}" height="{_n(high)}" rx="{_n(corner)}"'
    kind = f'class="{css}" ' if css else ""
    return f'<rect {kind}x="{_n(-wide / 2)}" y="{_n(-high / 2)}" {size}/>'


DRAW = {
    "disc": _disc, "ring": _ring, "cross": _cross, "square": _square, "die": _die, "card": _card,
    "text": _text,
}  # fmt: skip


def _write(x: float, y: float, size: float, words: str, css: str) -> str:
    """Text centred at a place."""
    place = f'x="{_n(x)}" y="{_n(y + 0.35 * size)}" font-size="{_n(size)}"'
    return f'<text class="{css}" {place}>{escape(words)}</text>'


# ---- moves -------------------------------------------------------------------------------------------


def _moves(board: Board, game: Game, state: Any, line: Sequence[int]) -> list[str]:
    """The marks of a line, with the first move last, so that it is above the others."""
    parts: list[str] = []
    for number, action in enumerate(line):
        arrows = () if game.player(state) == CHANCE else game.arrows(state, action)
        for arrow in reversed(arrows):
            cells = [board.cells[place] for place in arrow if 0 <= place < len(board.cells)]
            parts = [*_marks(cells, "" if number == 0 else " later"), *parts]
        state = game.result(state, action)
    return parts


def _marks(cells: Sequence[Cell], css: str) -> list[str]:
    """Arrows from cell to cell, or a ring around a single cell."""
    if len(cells) == 1:
        (cell,) = cells
        ring = f'cx="{_n(cell.x)}" cy="{_n(cell.y)}" r="{_n(0.42 * cell.size)}"'
        return [f'<circle class="halo{css}" {ring}/><circle class="ring-mark{css}" {ring}/>']
    return [_arrow(a, b, css) for a, b in pairwise(cells) if a is not b]


def _arrow(start: Cell, end: Cell, css: str) -> str:
    dx, dy = end.x - start.x, end.y - start.y
    length = math.hypot(dx, dy) or 1.0
    ux, uy = dx / length, dy / length
    tip = length - 0.12
    neck = max(tip - 0.34, 0.1)
    outline = [(0.25, 0.07), (neck, 0.07), (neck, 0.2), (tip, 0), (neck, -0.2), (neck, -0.07), (0.25, -0.07)]
    corners = [
        f"{_n(start.x + ux * along - uy * aside)} {_n(start.y + uy * along + ux * aside)}"
        for along, aside in outline
    ]
    return f'<path class="arrow{css}" d="M{"L".join(corners)}Z"/>'


def _n(length: float, places: int = 3) -> str:
    """A length in cells."""
    words = f"{length:.{places}f}".rstrip("0").rstrip(".")
    return "0" if words == "-0" else words
