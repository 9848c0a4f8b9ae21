"""The square of the 169 classes of hands, as text and as an SVG picture: suited hands above the pairs.

It does not know what the numbers mean. Light or dark is the reader's preference, and equal numbers always
give the same bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from gambito.game_tools.poker.cards import CLASSES, RANK, class_name

CELL, EDGE, TOP = 34.0, 20.0, 84.0
STYLE = """
.square { --paper: #fff; --ink: #1b2430; --soft: #5b6675; --line: #c8d0da; --full: #15803d;
  font-family: system-ui, "Segoe UI", "DejaVu Sans", "Noto Sans", Arial, sans-serif; }
@media (prefers-color-scheme: dark) {
  .square { --paper: #14181f; --ink: #e8edf4; --soft: #a7b2c2; --line: #2c3542; --full: #22a35a; } }
.square .paper { fill: var(--paper); }
.square .full { fill: var(--full); }
.square .cell { fill: none; stroke: var(--line); }
.square text { fill: var(--ink); font-size: 11px; text-anchor: middle; }
.square .number { font-size: 9px; }
.square .head { font-size: 16px; font-weight: 700; text-anchor: start; }
.square .sub { font-size: 12px; fill: var(--soft); text-anchor: start; }
"""


@dataclass(frozen=True)
class Square:
    """One square: a name, and for each class a share from 0 to 1, which is its colour, and a short text."""

    name: str
    shares: Sequence[float]
    texts: Sequence[str]


def write_square(square: Square) -> str:
    """The square as text, its name above it."""
    wide = max(map(len, square.texts)) + 1
    rows = [f"{square.name}:"]
    for row in range(RANK):
        numbers = range(RANK * row, RANK * row + RANK)
        rows.append("".join(f"{class_name(n):>4}{square.texts[n]:>{wide}}" for n in numbers))
    return "\n".join(rows)


def draw_squares(title: str, squares: Sequence[Square]) -> str:
    """Squares side by side, as an SVG document."""
    side = RANK * CELL
    width, height = EDGE + len(squares) * (side + EDGE), TOP + side + EDGE
    parts = [f'<text class="head" x="{EDGE:g}" y="32">{escape(title)}</text>']
    for number, square in enumerate(squares):
        left = EDGE + number * (side + EDGE)
        parts.append(f'<text class="sub" x="{left:g}" y="{TOP - 14:g}">{escape(square.name)}</text>')
        parts += [_cell(square, each, left) for each in range(CLASSES)]
    size = f'width="{width:g}" height="{height:g}" viewBox="0 0 {width:g} {height:g}"'
    named = f'role="img" aria-label="{escape(title)}"'
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="square" {named} {size}>\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n"
        f'<rect class="paper" width="100%" height="100%"/>\n{body}\n</svg>\n'
    )


def _cell(square: Square, number: int, left: float) -> str:
    row, column = divmod(number, RANK)
    x, y = left + column * CELL, TOP + row * CELL
    place = f'x="{x:g}" y="{y:g}" width="{CELL:g}" height="{CELL:g}"'
    share = min(max(float(square.shares[number]), 0.0), 1.0)
    filled = f'<rect class="full" {place} opacity="{0.75 * share:.3f}"/>' if share > 0 else ""
    middle = f'x="{x + CELL / 2:g}"'
    name = f'<text {middle} y="{y + 15:g}">{class_name(number)}</text>'
    told = f'<text class="number" {middle} y="{y + 28:g}">{escape(square.texts[number])}</text>'
    return f'{filled}<rect class="cell" {place}/>{name}{told}'
