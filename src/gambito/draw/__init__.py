"""Drawings of a watched search as text, SVG, HTML page and JSON, all from one record; of positions and
results for notebooks; and charts.

This package uses records and the pictures that games give. No code here is specific to an algorithm or game.
"""

from __future__ import annotations

import json
from collections.abc import Callable

from gambito.draw.boxes import boxed
from gambito.draw.html import draw_html
from gambito.draw.svg import draw_svg
from gambito.draw.text import draw_text
from gambito.search.trace.record import Record

__all__ = ["FORMATS", "boxed", "draw", "draw_html", "draw_json", "draw_svg", "draw_text"]


def draw_json(record: Record, indent: int | None = None) -> str:
    """The record as one JSON object, on one line or indented; nothing is left out or rounded."""
    return json.dumps(record.as_dict(), ensure_ascii=False, indent=indent, allow_nan=False) + "\n"


FORMATS: dict[str, Callable[[Record], str]] = {
    "text": draw_text,
    "svg": draw_svg,
    "html": draw_html,
    "json": draw_json,
}


def draw(record: Record, format: str = "text") -> str:
    """The record in one of `FORMATS`; raise an error if there is no such format."""
    if format not in FORMATS:
        raise ValueError(f"there is no format {format!r}; there are {', '.join(FORMATS)}")
    return FORMATS[format](record)
