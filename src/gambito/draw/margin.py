"""The parts around the tree of an SVG picture: title, legend, and the list of conclusions.

Each block is its height and its parts, drawn from (0, 0) down; the picture places it.
"""

from __future__ import annotations

from textwrap import wrap

from gambito.draw.facts import conclusions
from gambito.draw.labels import headline, name, shorten, summary
from gambito.draw.layout import Layout, text_width
from gambito.draw.marks import badge, outline, scissors, text
from gambito.search.trace.record import Record
from gambito.words import say, tell

Block = tuple[float, list[str]]

LIST_LINE, LIST_FONT = 17.0, 12.5
LIST_COLUMN = 380.0
LIST_SHOWN = 60
SUB_LINE, SUB_FONT = 18.0, 13.0
KEY_LINE = 26.0
INDENT = 26.0


def header(record: Record, note: str, width: float) -> Block:
    """The title, the position, the result, and notes about what is missing."""
    result = " · ".join(f"{word} {value}" for word, value in summary(record))
    lines = [record.position, result, record.note, note]
    parts = [text("head", 0, 16, shorten(headline(record), int(width / 10)))]
    y = 16.0
    for line in lines:
        for piece in _wrapped(line, width, SUB_FONT, most=2):
            y += SUB_LINE + 2
            parts.append(text("sub", 0, y, piece))
    return y + 30, parts


def legend(layout: Layout, width: float) -> Block:
    """A key to the signs that occur in this tree."""
    keys = [key for key in _keys(layout) if key]
    x, y = 0.0, 0.0
    parts: list[str] = []
    for marks, room, words in keys:
        wide = room + 8 + text_width(words, 12) + 22
        if x and x + wide > width:
            x, y = 0.0, y + KEY_LINE
        parts.append(f'<g transform="translate({x:.0f} {y:.0f})">{marks}')
        parts.append(text("key", room + 8, 14, words) + "</g>")
        x += wide
    return (y + KEY_LINE if parts else 0.0), parts


def conclusion_list(record: Record, width: float) -> Block:
    """What the search concluded, with the numbers beside the nodes, in columns read from top to bottom."""
    steps = conclusions(record)
    if not steps:
        return 0.0, []
    columns = max(1, int(width // LIST_COLUMN))
    room = width / columns - INDENT - 16
    entries: list[tuple[int, list[str]]] = []
    for step in steps[:LIST_SHOWN]:
        words = f"{name(record, step.node)}: {tell(step.text)}"
        entries.append((step.conclusion or 0, _wrapped(words, room, LIST_FONT, most=4)))
    if len(steps) > LIST_SHOWN:
        entries.append((0, [say("and {:,} more conclusions", len(steps) - LIST_SHOWN)]))
    parts = [text("list value", 0, 12, say("Conclusions, in order"))]
    per_column = -(-len(entries) // columns)
    tallest = 0.0
    for column in range(columns):
        y = 22.0
        for number, lines in entries[column * per_column : (column + 1) * per_column]:
            left = column * width / columns
            parts.append(badge(left + 10, y + 8, number))
            for line in lines:
                parts.append(text("list", left + INDENT, y + 12.5, line))
                y += LIST_LINE
            y += 4
        tallest = max(tallest, y)
    return tallest, parts


def _wrapped(words: str, width: float, size: float, most: int) -> list[str]:
    """The words in at most `most` lines that fit a width; a text that is too long ends in `…`."""
    if not words:
        return []
    letters = max(12, int(width / (0.56 * size)))
    return wrap(words, letters, max_lines=most, placeholder=" …")


def _keys(layout: Layout) -> list[tuple[str, float, str] | None]:
    """Marks, their width, and their meaning; None for marks that do not occur."""
    seen = {item.shape for item in layout.items if item.state != "dropped"}
    has_drop = any(item.state == "dropped" and not item.hidden for item in layout.items)
    has_line = any(item.on_line for item in layout.items)
    has_badge = any(item.badges for item in layout.items)
    has_window = any(item.beside for item in layout.items)

    def shape(kind: str, words: str, wide: float = 20.0) -> tuple[str, float, str] | None:
        mark = f'<g class="{kind}">{outline(kind, wide / 2, 1, wide, 17)}</g>'
        return (mark, wide, words) if kind in seen else None

    def edge(css: str, more: str) -> str:
        return f'<g class="{css}"><path class="edge" d="M0 10H34"/>{more}</g>'

    return [
        shape("max", say("MAX moves")),
        shape("min", say("MIN moves")),
        shape("chance", "chance"),
        shape("state", "state"),
        shape("leaf", say("evaluated leaf"), 17.0),
        shape("other", say("valued without looking below"), 24.0),
        shape("stub", say("branches not drawn"), 28.0),
        (edge("line", ""), 34.0, say("principal line")) if has_line else None,
        (edge("dropped", scissors(14, 10)), 34.0, say("pruned, never visited")) if has_drop else None,
        (text("visit", 0, 14, "#2 (α, β)"), 50.0, say("visiting order and window at entry"))
        if has_window
        else None,
        (text("value", 0, 14, "= ≥ ≤"), 46.0, say("value exact, at least, at most")) if has_window else None,
        (badge(8, 10, 1), 16.0, say("conclusion")) if has_badge else None,
    ]
