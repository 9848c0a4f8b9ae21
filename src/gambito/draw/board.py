"""The board of a search that moves on a board: open and closed cells and the path found, with f, g and h."""

from __future__ import annotations

from gambito.draw.labels import number
from gambito.draw.marks import escape, px
from gambito.search.trace.record import Record, Step

SIDE, LEAST_SIDE = 54.0, 14.0  # of a cell, in pixels
WIDEST = 1000.0
READABLE = 40.0  # the least side of a cell with numbers in it
KINDS = ("open", "close", "path")


def last_steps(record: Record) -> dict[int, Step]:
    """For each cell, the last step that coloured it."""
    found: dict[int, Step] = {}
    for step in record.steps:
        cell = record.nodes[step.node].cell
        if cell is not None and step.kind in KINDS:
            found[cell] = step
    return found


def draw_board(record: Record) -> tuple[float, float, list[str]]:
    """The width, the height and the parts of the board; empty if the record has no board."""
    if record.board is None:
        return 0.0, 0.0, []
    side = max(LEAST_SIDE, min(SIDE, WIDEST / max(record.board["width"], 1.0)))
    steps = last_steps(record)
    lines = [
        f'<path class="edge" d="M{px(side * x)} {px(side * y)}L{px(side * u)} {px(side * v)}"/>'
        for x, y, u, v in record.board["lines"]
    ]
    cells = [_cell(place, cell, side, steps.get(place)) for place, cell in enumerate(record.board["cells"])]
    return side * record.board["width"], side * record.board["height"], [*lines, *cells]


def _cell(place: int, cell: dict[str, object], side: float, step: Step | None) -> str:
    x, y = side * float(str(cell["x"])), side * float(str(cell["y"]))
    css = " ".join(filter(None, ("cell", str(cell["tone"]), step.kind if step else "")))
    if cell["shape"] == "square":
        corner = f'x="{px(x - side / 2)}" y="{px(y - side / 2)}" width="{px(side)}" height="{px(side)}"'
        shape = f"<rect {corner}/>"
    else:
        shape = f'<circle cx="{px(x)}" cy="{px(y)}" r="{px(side * 0.46)}"/>'
    name = "" if cell["shape"] == "square" else escape(str(cell["name"]))
    words = _words(step, x, y, side, name) if side >= READABLE else ""
    return f'<g class="{css}" data-cell="{place}">{shape}{words}</g>'


def _words(step: Step | None, x: float, y: float, side: float, name: str) -> str:
    """f in the middle, g and h below it, the name of the place above."""
    facts = step.facts if step else {}
    parts = [f'<text class="mid" x="{px(x)}" y="{px(y - side * 0.22)}">{name}</text>'] if name else []
    f = _short(facts["f"]) if "f" in facts else ""
    rest = f"{_short(facts['g'])}+{_short(facts['h'])}" if "g" in facts and "h" in facts else ""
    parts.append(f'<text class="mid f" x="{px(x)}" y="{px(y + side * 0.05)}">{f}</text>')
    parts.append(f'<text class="mid gh" x="{px(x)}" y="{px(y + side * 0.3)}">{rest}</text>')
    return "".join(parts)


def _short(value: float) -> str:
    """A number with at most one decimal, since a cell is small."""
    return number(round(value, 1))
