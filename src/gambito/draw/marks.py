"""The elements of pictures: escaped text, shapes of nodes, numbered circles, scissors.

Each is a piece of SVG with lengths of fixed precision. They do not depend on records or layouts.
"""

from __future__ import annotations

import re
from html import escape as _escape

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def escape(words: str) -> str:
    """Escape any text for XML and HTML, as text or attribute; characters that XML forbids are replaced."""
    return _escape(_NOT_XML.sub("\ufffd", words))


def at(x: float, y: float, parts: list[str]) -> str:
    """The parts, moved to (x, y)."""
    body = "\n".join(parts)
    return f'<g transform="translate({px(x)} {px(y)})">\n{body}\n</g>'


def px(length: float) -> str:
    """A length with one decimal at most."""
    words = f"{length:.1f}".removesuffix(".0")
    return "0" if words == "-0" else words


def text(css: str, x: float, y: float, words: str) -> str:
    """A line of text with its baseline at y."""
    return f'<text class="{css}" x="{px(x)}" y="{px(y)}">{escape(words)}</text>'


def outline(shape: str, x: float, y: float, width: float, height: float) -> str:
    """The shape of a node; (x, y) is the middle of its upper edge."""
    left, right, bottom = px(x - width / 2), px(x + width / 2), px(y + height)
    if shape == "max":
        return f'<path class="shape" d="M{px(x)} {px(y)}L{right} {bottom}H{left}Z"/>'
    if shape == "min":
        return f'<path class="shape" d="M{left} {px(y)}H{right}L{px(x)} {bottom}Z"/>'
    if shape in ("chance", "state"):
        return f'<circle class="shape" cx="{px(x)}" cy="{px(y + height / 2)}" r="{px(height / 2)}"/>'
    corner = {"leaf": 2, "other": 12, "stub": 9}[shape]
    size = f'width="{px(width)}" height="{px(height)}" rx="{corner}"'
    return f'<rect class="shape" x="{left}" y="{px(y)}" {size}/>'


def badge(x: float, y: float, number: int) -> str:
    """A conclusion's number in a circle around (x, y), or in a pill if it is long; 0 is “more”."""
    words = str(number) if number else "…"
    half = 7.5 + 3 * max(0, len(words) - 2)
    return (
        f'<g class="badge" data-conclusion="{number}"><rect x="{px(x - half)}" y="{px(y - 7.5)}" '
        f'width="{px(2 * half)}" height="15" rx="7.5"/>'
        f'<text x="{px(x)}" y="{px(y + 3.4)}">{words}</text></g>'
    )


def scissors(x: float, y: float) -> str:
    """A pair of scissors that cuts through (x, y) from the right."""
    return (
        f'<g class="snip" transform="translate({px(x)} {px(y)})"><path d="M-6 -4L6 2.4M-6 4L6 -2.4"/>'
        f'<circle cx="8" cy="-3.6" r="2.4"/><circle cx="8" cy="3.6" r="2.4"/></g>'
    )
