"""A search tree as an SVG picture, as on a lecture slide.

The picture is self-contained: it uses no external font, style or image, and is light or dark by the reader's
preference. Every text of the record is escaped and every length has a fixed precision, so the same record
always gives the same bytes.
"""

from __future__ import annotations

from pathlib import Path

from gambito.draw.board import draw_board
from gambito.draw.labels import GREEK, cut_sentence, headline, name, result, returned, who, window
from gambito.draw.layout import (
    ACTION_AT,
    BADGE_HEIGHT,
    BADGES_ABREAST,
    PICTURE_WIDTH,
    VALUE_LINE,
    WORD_LINE,
    Item,
    Layout,
    badge_width,
    lay_out,
    words_height,
)
from gambito.draw.margin import conclusion_list, header, legend
from gambito.draw.marks import at, badge, escape, outline, px, scissors, text
from gambito.draw.trim import PICTURE_LIMIT
from gambito.search.trace.record import Record
from gambito.words import say, tell

MARGIN = 24.0
GAP = 24.0  # between the tree, the legend and the list
LEAST_WIDTH = 600.0
READING_WIDTH = 1400.0  # the widest block of text, for any width of the tree
BESIDE_WIDTH = 400.0  # of the list of conclusions, if it is beside the tree
BESIDE_TREE = 1000.0  # the widest tree that has the list beside it
STYLE = Path(__file__).with_name("picture.css").read_text(encoding="utf-8")


def draw_svg(
    record: Record, *, limit: int | None = PICTURE_LIMIT, widest: float | None = PICTURE_WIDTH
) -> str:
    """The record as an SVG document: title, tree, legend and the numbered conclusions.

    If a tree has more than `limit` nodes, or is wider than `widest` pixels, only a part is drawn, with a
    note. None removes a limit.
    """
    layout = lay_out(record, limit, widest)
    beside = layout.width <= BESIDE_TREE and any(step.conclusion is not None for step in record.steps)
    board_width, board_height, board_parts = draw_board(record)
    width = max(LEAST_WIDTH, layout.width, board_width)
    wide = width + (MARGIN + BESIDE_WIDTH if beside else 0.0)
    read = min(wide, READING_WIDTH)
    top, head_parts = header(record, layout.note, read)
    board_top = top
    top += board_height + GAP if board_parts else 0.0
    list_height, listed = conclusion_list(record, BESIDE_WIDTH if beside else read)
    key_top = top + max(layout.height, list_height if beside else 0.0) + GAP
    key_height, key_parts = legend(layout, read)
    list_at = (width + MARGIN, top) if beside else (0.0, key_top + key_height + GAP)
    bottom = key_top + key_height if beside else list_at[1] + list_height
    parts = [
        *head_parts,
        *([at(0.0, board_top, board_parts)] if board_parts else []),
        at((width - layout.width) / 2, top, draw_tree(record, layout)),
        at(0.0, key_top, key_parts),
        at(*list_at, listed),
    ]
    wide_px, high_px = px(wide + 2 * MARGIN), px(bottom + 2 * MARGIN)
    title = escape(headline(record))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="tree" role="img" aria-label="{title}" '
        f'width="{wide_px}" height="{high_px}" viewBox="0 0 {wide_px} {high_px}">\n'
        f"<title>{title}</title>\n<style>\n{STYLE}</style>\n"
        f'<rect class="paper" width="100%" height="100%"/>\n{at(MARGIN, MARGIN, parts)}\n</svg>\n'
    )


def draw_tree(record: Record, layout: Layout) -> list[str]:
    """The tree alone: all edges (`e1`, `e2` …), then all nodes (`n0`, `n1` …), numbered as the items."""
    lettered = _first_cuts(record, layout)
    edges = [
        _edge(record, layout, index, index in lettered)
        for index, item in enumerate(layout.items)
        if item.parent is not None
    ]
    return edges + [_node(record, index, item) for index, item in enumerate(layout.items)]


def _classes(item: Item) -> str:
    return " ".join([item.shape, *([item.state] if item.state != "seen" else []), *["line"] * item.on_line])


def _edge(record: Record, layout: Layout, index: int, has_letter: bool) -> str:
    """The branch to a node with its action, and scissors if it was cut here."""
    item = layout.items[index]
    assert item.parent is not None
    above = layout.items[item.parent]
    floor = layout.floors[above.level]
    stem = f"L{px(above.x)} {px(floor)}" if floor - above.bottom > 1 else ""
    node = record.nodes[item.node]
    parts = [f'<path class="edge" d="M{px(above.x)} {px(above.bottom)}{stem}L{px(item.x)} {px(item.y)}"/>']

    def along(t: float) -> tuple[float, float]:
        return above.x + t * (item.x - above.x), floor + t * (item.y - floor)

    if item.action:
        x, y = along(ACTION_AT)
        parts.append(text("action", x, y + 4, item.action))
    if item.state == "dropped" and above.state != "dropped":
        x, y = along(0.5)
        parts.append(f"<title>{escape(_tooltip(record, item))}</title>")
        if has_letter and node.cut is not None and node.cut.reason in GREEK:
            parts.append(text("greek", x - 9, y + 4, GREEK[node.cut.reason]))
        parts.append(scissors(x, y))
    return f'<g id="e{index}" class="{_classes(item)}">{"".join(parts)}</g>'


def _first_cuts(record: Record, layout: Layout) -> set[int]:
    """The cut branches without a cut sibling to their left: one letter there serves all of them."""
    first: set[int] = set()
    for item in layout.items:
        cut = [
            c for c in item.children if record.nodes[layout.items[c].node].cut and not layout.items[c].hidden
        ]
        first.update(cut[:1])
    return first


def _node(record: Record, index: int, item: Item) -> str:
    """A node: its shape and contents, its conclusions on the left, its words on the right."""
    parts = [f"<title>{escape(_tooltip(record, item))}</title>"]
    parts.append(outline(item.shape, item.x, item.y, item.width, item.height))
    middle = {"max": 0.84, "min": 0.44, "stub": 0.7}.get(item.shape, 0.66)
    parts.append(text("inside", item.x, item.y + middle * item.height, item.inside))
    for rank, number in enumerate(item.badges):
        row, column = divmod(rank, BADGES_ABREAST)
        abreast = min(len(item.badges) - row * BADGES_ABREAST, BADGES_ABREAST)
        x = item.x - item.width / 2 - (abreast - column - 0.5) * badge_width(item) - 1
        parts.append(badge(x, item.y + (row + 0.5) * BADGE_HEIGHT, number))
    x = item.x + item.width / 2 + 5
    y = item.y + max(0.0, (item.height - words_height(item)) / 2)
    if item.value:
        parts.append(text("value", x, y + 14, item.value))
        y += VALUE_LINE
    for rank, words in enumerate(item.beside):
        parts.append(text("visit" if rank == 0 else "visit more", x, y + 10, words))
        y += WORD_LINE
    for words in item.cuts:
        parts.append(text("why", x, y + 10, words))
        y += WORD_LINE
    if item.below:
        parts.append(text("below mid", item.x, item.bottom + 11, item.below))
    return f'<g id="n{index}" class="{_classes(item)}">{"".join(parts)}</g>'


def _tooltip(record: Record, item: Item) -> str:
    """Everything that is known about a node, one line each."""
    node = record.nodes[item.node]
    if item.hidden:
        return say("{} under {} not drawn", item.inside.removeprefix("… "), name(record, item.node))
    lines = [f"{who(record, node.player)} {result(node.visits)}".strip()]
    if node.action:
        lines[0] = f"{node.action}: {lines[0]}"
    if node.label:
        lines.append(node.label)
    for visit in node.visits:
        words = [f"#{visit.order} {window(visit.alpha, visit.beta)}", returned(visit), say(visit.leaf)]
        lines.append(", ".join(word for word in words if word) + (say(" (again)") if visit.again else ""))
    if node.cut is not None:
        lines.append(say("pruned: {}", cut_sentence(record, node.cut)))
        lines.append(tell(node.cut.text))
    if node.board:
        lines.append(node.board)
    return "\n".join(line for line in lines if line)
