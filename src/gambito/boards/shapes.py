"""Shapes of pieces by name, as outlines on a square of 100 × 100: `star`, `small hollow disc`, `level 2`.

A name is a shape with qualities before it. `small` makes it smaller; `hollow`, `dotted` and `barred` cut
something out of it, so that pieces of one colour and shape can still be told apart.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

MARKS = ("disc", "ring", "cross", "square", "die", "card", "text")  # pieces that every screen can draw
SMALL = 0.6
LEVELS = (46.0, 34.0, 22.0)  # half the side of each storey of a tower


def _ring(radius: float, is_hole: bool = False) -> str:
    turn = 0 if is_hole else 1
    far, near = f"{50 + radius:g} 50", f"{50 - radius:g} 50"
    arc = f"A{radius:g} {radius:g} 0 1 {turn}"
    return f"M{near} {arc} {far} {arc} {near} Z"


def _polygon(corners: Iterable[tuple[float, float]], is_hole: bool = False) -> str:
    listed = [*corners]
    if is_hole:
        listed.reverse()
    return "M" + " L".join(f"{x:g} {y:g}" for x, y in listed) + " Z"


def _box(half: float, is_hole: bool = False, high: float | None = None) -> str:
    up = half if high is None else high
    return _polygon(
        [(50 - half, 50 - up), (50 + half, 50 - up), (50 + half, 50 + up), (50 - half, 50 + up)], is_hole
    )


def _round(number: int, radius: float, first: float = -90.0, inner: float | None = None) -> str:
    """A regular polygon with a corner at the angle `first`; with `inner`, a star."""
    radii = [radius] if inner is None else [radius, inner]
    steps = number * len(radii)
    angles = [math.radians(first + 360 * step / steps) for step in range(steps)]
    return _polygon(
        (
            round(50 + radii[step % len(radii)] * math.cos(a), 1),
            round(50 + radii[step % len(radii)] * math.sin(a), 1),
        )
        for step, a in enumerate(angles)
    )


SHAPES = {
    "disc": lambda size: _ring(46 * size),
    "square": lambda size: _box(40 * size),
    "triangle": lambda size: _round(3, 48 * size),
    "diamond": lambda size: _round(4, 48 * size),
    "hexagon": lambda size: _round(6, 46 * size),
    "star": lambda size: _round(5, 48 * size, inner=20 * size),
}
QUALITIES = {
    "small": lambda size: "",
    "hollow": lambda size: _ring(22 * size, is_hole=True),
    "dotted": lambda size: _ring(9 * size, is_hole=True),
    "barred": lambda size: _box(26 * size, is_hole=True, high=7 * size),
}


def outline(name: str) -> str | None:
    """The outline of a shape by its name; None if it is one that every screen draws, or unknown."""
    *qualities, shape = name.split(" ")
    if name in MARKS:
        return None
    if name.startswith("level ") and name[6:] in ("1", "2", "3"):
        return " ".join(_box(half) for half in LEVELS[: int(name[6:])])
    if shape not in SHAPES or not set(qualities) <= QUALITIES.keys():
        return None
    size = SMALL if "small" in qualities else 1.0
    return " ".join(filter(None, (SHAPES[shape](size), *(QUALITIES[quality](size) for quality in qualities))))


def outlines(names: Iterable[str]) -> dict[str, str]:
    """The outlines of all these shapes that have one."""
    found = {name: outline(name) for name in dict.fromkeys(names)}
    return {name: path for name, path in found.items() if path is not None}
