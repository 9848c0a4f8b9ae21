"""A search as a web page for stepping through it: the same tree as in the SVG picture.

The page is self-contained: its style and script are inline, and it requests nothing from any server. Every
text of the record is treated as data: escaped in markup, and embedded as JSON that no text can close.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from gambito.draw.board import draw_board
from gambito.draw.facts import conclusions
from gambito.draw.labels import cut_sentence, headline, name, shorten, signed, summary, who
from gambito.draw.layout import CAPTION_LETTERS, INSIDE_LETTERS, PICTURE_WIDTH, Item, Layout, lay_out
from gambito.draw.marks import at, escape, px
from gambito.draw.replay import replay
from gambito.draw.svg import STYLE, draw_tree
from gambito.draw.trim import PICTURE_LIMIT
from gambito.search.trace.record import Record
from gambito.words import language, say, tell

MARGIN = 20.0
POSITION_LETTERS = 200
PAGE = Path(__file__).with_name("page.html").read_text(encoding="utf-8")
PAGE_STYLE = Path(__file__).with_name("page.css").read_text(encoding="utf-8")
WORDS = re.compile(r"\[\[(.+?)\]\]")  # in the page
TEXTS = re.compile(r'\bt\("([^"]+)"')  # in the script
SCRIPT = Path(__file__).with_name("page.js").read_text(encoding="utf-8")


def draw_html(
    record: Record, *, limit: int | None = PICTURE_LIMIT, widest: float | None = PICTURE_WIDTH
) -> str:
    """The record as an HTML page. Arrow keys step; `#step=12` after its address opens it at that step.

    If a tree has more than `limit` nodes, or is wider than `widest` pixels, only a part is drawn, with a
    note. None removes a limit.
    """
    layout = lay_out(record, limit, widest)
    steps = replay(record, layout)
    result = " · ".join(f"{word} {value}" for word, value in summary(record))
    notes = [shorten(record.position, POSITION_LETTERS), result, tell(record.note), layout.note]
    items = [_facts(record, item) for item in layout.items]
    texts = {text: say(text) for text in TEXTS.findall(SCRIPT)}
    return WORDS.sub(lambda found: say(found[1]), PAGE).format(
        language=language(),
        title=escape(headline(record)),
        notes="".join(f"<p>{escape(note)}</p>" for note in notes if note) + _board(record),
        style=STYLE + PAGE_STYLE,
        tree=_tree(record, layout),
        conclusions=_conclusions(record, steps),
        data=embed({"items": items, "steps": steps, "words": texts}),
        script=SCRIPT,
    )


def embed(data: object) -> str:
    """JSON that can be put inside a script element: no text in it can end the element or begin a comment."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text


def _board(record: Record) -> str:
    """The board of a search that moves on a board."""
    wide, high, parts = draw_board(record)
    if not parts:
        return ""
    width, height = px(wide + 2 * MARGIN), px(high + 2 * MARGIN)
    named = escape(say("{}: the board", headline(record)))
    return (
        f'<svg class="tree board" role="img" aria-label="{named}" '
        f'width="{width}" height="{height}" viewBox="0 0 {width} {height}">'
        f'<rect class="paper" width="100%" height="100%"/>\n{at(MARGIN, MARGIN, parts)}</svg>\n'
    )


def _tree(record: Record, layout: Layout) -> str:
    width, height = px(layout.width + 2 * MARGIN), px(layout.height + 2 * MARGIN)
    body = at(MARGIN, MARGIN, draw_tree(record, layout))
    named = escape(say("{}: the search tree", headline(record)))
    return (
        f'<svg class="tree live" role="img" aria-label="{named}" '
        f'width="{width}" height="{height}" viewBox="0 0 {width} {height}">'
        f'<rect class="paper" width="100%" height="100%"/>\n{body}</svg>'
    )


def _facts(record: Record, item: Item) -> dict[str, Any]:
    """What the script needs to know about an item and cannot read from the picture."""
    node = record.nodes[item.node]
    if item.hidden:
        return {"parent": item.parent, "name": say("branches not drawn"), "action": "…", "board": ""}
    facts: dict[str, Any] = {
        "parent": item.parent,
        "name": _name(record, item),
        "action": node.action,
        "board": node.board,
        "line": item.on_line,
    }
    if item.shape in ("leaf", "other"):
        facts |= {"leaf": True, "label": shorten(signed(node.label), INSIDE_LETTERS)}
    elif node.label and not item.inside:
        facts["caption"] = shorten(node.label, CAPTION_LETTERS)
    if node.cut is not None:
        told = say("pruned: {}", cut_sentence(record, node.cut))
        facts["reason"] = f"{told}. {tell(node.cut.text)}".strip()
    return facts


def _name(record: Record, item: Item) -> str:
    """Who moves at an item, and how sentences name it."""
    node = record.nodes[item.node]
    kind = say("leaf") if item.shape in ("leaf", "other") else who(record, node.player)
    return f"{kind} {name(record, item.node)}" if node.visits else kind


def _conclusions(record: Record, steps: list[dict[str, Any]]) -> str:
    """The numbered conclusions, each a button that leads to its step."""
    place = {step["conclusion"]: k for k, step in enumerate(steps, 1) if "conclusion" in step}
    lines = []
    told = conclusions(record)
    for step in told:
        if step.conclusion in place:
            words = f"{step.conclusion}. {name(record, step.node)}: {tell(step.text)}"
            button = f'<button type="button">{escape(words)}</button>'
            lines.append(f'<li data-step="{place[step.conclusion]}">{button}</li>')
    if len(lines) < len(told):
        lines.append(f"<li>{say('… {:,} more in branches not drawn', len(told) - len(lines))}</li>")
    return "\n".join(lines) or f"<li>{say('none')}</li>"
