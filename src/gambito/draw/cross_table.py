"""The cross-table of a tournament as an SVG picture: ratings with their error bars, and the points of pairs.

The picture is self-contained, and light or dark by the reader's preference. It knows no players and no games.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from gambito.draw.chart import STYLE

LINE, TOP, BAR, CELL, LETTER = 28.0, 84.0, 220.0, 58.0, 7.6
MORE = """
.chart .bar { stroke: var(--c1); stroke-width: 2; }
.chart .dot { fill: var(--c1); }
.chart .own { fill: var(--grid); }
"""


class Entry(NamedTuple):
    """A player of a tournament, the strongest first."""

    name: str
    elo: float
    error: float
    points: Sequence[tuple[float, int] | None]  # against each player in the same order, of so many games


def draw_cross_table(title: str, below: str, entries: Sequence[Entry]) -> str:
    """The cross-table as an SVG document; `below` is a second line under the title."""
    names = max(120.0, LETTER * max(len(entry.name) for entry in entries) + 40)
    width = names + BAR + 90 + CELL * len(entries) + 24
    width = max(width, LETTER * max(len(title) * 1.3, len(below)) + 40)
    height = TOP + LINE * (len(entries) + 1) + 16
    low = min(entry.elo - entry.error for entry in entries)
    high = max(entry.elo + entry.error for entry in entries)
    span = max(high - low, 1.0)

    def across(elo: float) -> float:
        return names + (elo - low) / span * BAR

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="chart" viewBox="0 0 {width:g} {height:g}" '
        f'width="{width:g}" height="{height:g}" role="img" aria-label="{escape(title)}">',
        f"<style>{STYLE}{MORE}</style>",
        f'<rect class="paper" width="{width:g}" height="{height:g}"/>',
        f'<text class="head" x="20" y="32">{escape(title)}</text>',
        f'<text class="soft" x="20" y="54">{escape(below)}</text>',
    ]
    first = names + BAR + 90
    for place in range(len(entries)):
        middle = first + CELL * (place + 0.5)
        parts.append(f'<text class="soft mid" x="{middle:g}" y="{TOP:g}">{place + 1}</text>')
    if low <= 0 <= high:
        end = TOP + LINE * len(entries) + 12
        parts.append(
            f'<line class="grid" x1="{across(0):.1f}" x2="{across(0):.1f}" y1="{TOP:g}" y2="{end:g}"/>'
        )
    for place, entry in enumerate(entries):
        y = TOP + LINE * (place + 1)
        left, right = across(entry.elo - entry.error), across(entry.elo + entry.error)
        parts += [
            f'<text class="soft" x="20" y="{y:g}">{place + 1}</text>',
            f'<text x="42" y="{y:g}">{escape(entry.name)}</text>',
            f'<line class="bar" x1="{left:.1f}" x2="{right:.1f}" y1="{y - 4:g}" y2="{y - 4:g}"/>',
            f'<circle class="dot" cx="{across(entry.elo):.1f}" cy="{y - 4:g}" r="4"/>',
            f'<text class="end" x="{names + BAR + 82:g}" y="{y:g}">'
            f"{round(entry.elo):+d} ± {entry.error:.0f}</text>",
        ]
        for other, met in enumerate(entry.points):
            x = first + CELL * other
            if other == place:
                size = f'width="{CELL - 8:g}" height="{LINE - 4:g}"'
                parts.append(f'<rect class="own" x="{x + 4:g}" y="{y - 19:g}" {size}/>')
            elif met is not None:
                parts.append(
                    f'<text class="mid" x="{x + CELL / 2:g}" y="{y:g}">{met[0]:g}'
                    f'<tspan class="soft">/{met[1]}</tspan></text>'
                )
    return "\n".join((*parts, "</svg>\n"))
