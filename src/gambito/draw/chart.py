"""A small chart as an SVG picture.

    numbers   over a count; the numbers have a logarithmic scale
    powers    both scales are logarithmic
    shares    from 0 to 100 %, over a budget with a logarithmic scale
    plain     both scales are linear

The picture is self-contained, and light or dark by the reader's preference. Equal numbers always give the
same bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from math import floor, log10

WIDTH, HEIGHT = 760.0, 460.0
LEFT, RIGHT, TOP, BOTTOM = 84.0, 160.0, 88.0, 52.0
LABEL_LINE = 16.0  # the least distance between two names on the right
COLOURS = 6

STYLE = """
.chart { --paper: #fff; --ink: #1b2430; --soft: #5b6675; --grid: #dde3ea;
  --c0: #64748b; --c1: #1d4ed8; --c2: #b45309; --c3: #15803d; --c4: #7e22ce; --c5: #c01c28;
  font-family: system-ui, "Segoe UI", "DejaVu Sans", "Noto Sans", Arial, sans-serif; }
@media (prefers-color-scheme: dark) {
  .chart { --paper: #14181f; --ink: #e8edf4; --soft: #a7b2c2; --grid: #2c3542;
    --c0: #94a3b8; --c1: #8db4ff; --c2: #ffb561; --c3: #4ade80; --c4: #d3a6ff; --c5: #ff7b83; } }
.chart .paper { fill: var(--paper); }
.chart text { font-size: 12px; fill: var(--ink); }
.chart .head { font-size: 16px; font-weight: 700; }
.chart .soft { fill: var(--soft); }
.chart .end { text-anchor: end; }
.chart .mid { text-anchor: middle; }
.chart .grid { stroke: var(--grid); stroke-width: 1; }
.chart .line { fill: none; stroke-width: 2; stroke-linejoin: round; }
.chart .thin { stroke-width: 1.5; stroke-dasharray: 5 4; }
"""


@dataclass(frozen=True)
class Line:
    """One line of a chart."""

    name: str
    points: Sequence[tuple[float, float]]
    colour: int = 0  # one of COLOURS
    dashed: bool = False


def draw_chart(
    title: str, below: str, across: str, upwards: str, lines: Sequence[Line], kind: str = "numbers"
) -> str:
    """The chart as an SVG document; `below` is a second line under the title."""
    xs = sorted({x for line in lines for x, _ in line.points})
    right, up = _scales(kind, xs, [y for line in lines for _, y in line.points])

    def place(x: float, y: float) -> tuple[float, float]:
        return (
            LEFT + right.share(x) * (WIDTH - LEFT - RIGHT),
            HEIGHT - BOTTOM - up.share(y) * (HEIGHT - TOP - BOTTOM),
        )

    parts = [_text(20, 28, title, "head"), _text(20, 47, below, "soft")]
    for mark in up.marks:
        _, y = place(xs[0], mark)
        parts.append(f'<path class="grid" d="M{LEFT:.0f} {y:.1f}H{WIDTH - RIGHT:.0f}"/>')
        parts.append(_text(LEFT - 8, y + 4, up.write(mark), "soft end"))
    for x in right.marks:
        parts.append(_text(place(x, up.marks[0])[0], HEIGHT - BOTTOM + 20, right.write(x), "soft mid"))
    parts.append(_text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 12, across, "soft mid"))
    parts.append(_text(LEFT - 8, TOP - 14, upwards, "soft end"))
    parts += [_path(line, [place(x, y) for x, y in line.points]) for line in lines]
    parts += _names(lines, [place(*line.points[-1]) for line in lines])
    body = "\n".join(parts)
    size = f'width="{WIDTH:.0f}" height="{HEIGHT:.0f}" viewBox="0 0 {WIDTH:.0f} {HEIGHT:.0f}"'
    name = f'role="img" aria-label="{escape(title)}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="chart" {name} {size}>\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n"
        f'<rect class="paper" width="100%" height="100%"/>\n{body}\n</svg>\n'
    )


@dataclass(frozen=True)
class _Scale:
    """One axis of a chart."""

    low: float
    high: float
    marks: Sequence[float]
    is_log: bool = False
    form: str = "{:,.0f}"

    def share(self, value: float) -> float:
        """The position of a value on the axis, from 0 to 1."""
        if self.is_log:
            return log10(value / self.low) / (log10(self.high / self.low) or 1.0)
        return (value - self.low) / ((self.high - self.low) or 1.0)

    def write(self, value: float) -> str:
        return self.form.format(value)


def _scales(kind: str, xs: Sequence[float], values: Sequence[float]) -> tuple[_Scale, _Scale]:
    """The horizontal and the vertical scale."""
    if kind == "shares":
        return _Scale(xs[0], xs[-1], xs, True), _Scale(0, 1, [n / 5 for n in range(6)], form="{:.0%}")
    if kind == "powers":
        return _powers(xs[0], xs[-1], "{:,.0f}"), _powers(min(values), max(values), "{:g}")
    if kind == "numbers":
        low, high = floor(log10(min(values))), log10(max(values))
        marks = [10.0**power for power in range(low, floor(high) + 1)]
        return _Scale(xs[0], xs[-1], xs), _Scale(10.0**low, 10 ** max(low + 1.0, high), marks, True)
    return _even(xs[0], xs[-1]), _even(min(values), max(values))


def _powers(low: float, high: float, form: str) -> _Scale:
    """A logarithmic scale with a mark at every power of ten."""
    first = floor(log10(low))
    last = max(first + 1, -floor(-log10(high)))
    marks = [10.0**power for power in range(first, last + 1)]
    return _Scale(marks[0], marks[-1], marks, True, form)


def _even(low: float, high: float) -> _Scale:
    """A linear scale with a few round marks."""
    width = (high - low) or abs(high) or 1.0
    step = 10.0 ** floor(log10(width / 4))
    step *= next(factor for factor in (1, 2, 5, 10) if width / (factor * step) <= 6)
    first, last = floor(low / step), -floor(-high / step)
    places = max(0, -floor(log10(step)))
    marks = [step * number for number in range(first, last + 1)]
    return _Scale(marks[0], marks[-1], marks, form=f"{{:,.{places}f}}")


def _text(x: float, y: float, words: str, css: str) -> str:
    return f'<text class="{css}" x="{x:.1f}" y="{y:.1f}">{escape(words)}</text>'


def _path(line: Line, places: Sequence[tuple[float, float]]) -> str:
    way = "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
    css = "line thin" if line.dashed else "line"
    return f'<path class="{css}" style="stroke: var(--c{line.colour % COLOURS})" d="M{way}"/>'


def _names(lines: Sequence[Line], ends: Sequence[tuple[float, float]]) -> list[str]:
    """The names at the ends of the lines, moved apart if they would overlap."""
    order = sorted(range(len(lines)), key=lambda i: ends[i][1])
    heights: list[float] = []
    for i in order:
        heights.append(max(ends[i][1], heights[-1] + LABEL_LINE) if heights else ends[i][1])
    excess = heights[-1] - (HEIGHT - BOTTOM + 6)
    parts = []
    for i, y in zip(order, heights, strict=True):
        colour = f"fill: var(--c{lines[i].colour % COLOURS})"
        where = f'x="{ends[i][0] + 8:.1f}" y="{y - max(0.0, excess) + 4:.1f}"'
        parts.append(f'<text style="{colour}" {where}>{escape(lines[i].name)}</text>')
    return parts
