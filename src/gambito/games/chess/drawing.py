"""The chess pieces on a screen: outlines drawn for this board, and what a side has more than the other.

An outline is SVG path data on a square of 100 × 100.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from gambito.boards.equipment import Equipment, Kind
from gambito.boards.picture import Tally, grid

KINDS = "pnbrqk"
WORTH = {"q": 9, "r": 5, "b": 3, "n": 3, "p": 1}  # in pawns, as people count

_FOOT = "M26 88 H74 V79 H26 Z "
OUTLINES = {
    "pawn": _FOOT
    + "M32 79 C40 68 43 58 43 47 H57 C57 58 60 68 68 79 Z M36 35 A14 14 0 1 0 64 35 A14 14 0 1 0 36 35 Z",
    "knight": _FOOT
    + "M34 79 C35 64 48 60 47 49 C40 51 35 58 28 57 C22 55 22 49 26 45 C34 38 36 25 49 19 L54 10 L61 21 "
    "C75 29 76 54 71 79 Z",
    "bishop": _FOOT
    + "M34 79 C38 74 41 68 41 62 H59 C59 68 62 74 66 79 Z M50 19 C67 30 67 50 58 62 H42 C33 50 33 30 50 19 Z "
    "M45 14 A5 5 0 1 0 55 14 A5 5 0 1 0 45 14 Z",
    "rook": _FOOT + "M33 79 L37 44 H63 L67 79 Z M29 44 V19 H38 V28 H45 V19 H55 V28 H62 V19 H71 V44 Z",
    "queen": _FOOT + "M33 79 L21 34 L36 54 L39 26 L50 52 L61 26 L64 54 L79 34 L67 79 Z "
    "M16 30 A5 5 0 1 0 26 30 A5 5 0 1 0 16 30 Z M34 22 A5 5 0 1 0 44 22 A5 5 0 1 0 34 22 Z "
    "M56 22 A5 5 0 1 0 66 22 A5 5 0 1 0 56 22 Z M74 30 A5 5 0 1 0 84 30 A5 5 0 1 0 74 30 Z",
    "king": _FOOT + "M31 79 C18 60 24 44 38 44 C44 44 48 48 50 54 C52 48 56 44 62 44 C76 44 82 60 69 79 Z "
    "M46 45 V29 H36 V20 H46 V11 H54 V20 H64 V29 H54 V45 Z",
}
PIECES = [  # codes 1 to 6 are White's pieces, 7 to 12 Black's
    Kind(letter.lower() if side else letter.upper(), name, side)
    for side in (0, 1)
    for letter, name in zip(KINDS, OUTLINES, strict=True)
]
EQUIPMENT = Equipment(
    replace(grid(8, 8, checkered=True, upward=True), symbols=OUTLINES),
    PIECES,
    sides="wb",
    counted=True,
    margin="{}  ",
)


def material(marks: Sequence[str]) -> list[Tally]:
    """The pieces that each side has more than the other, and its lead in pawns; `marks` as in a FEN."""
    held, names, found = Counter(marks), list(OUTLINES), []
    for side, own in enumerate((str.upper, str.lower)):
        more = {kind: held[own(kind)] - held[own(kind).swapcase()] for kind in WORTH}
        shapes = [names[KINDS.index(kind)] for kind, count in more.items() for _ in range(count)]
        lead = sum(WORTH[kind] * count for kind, count in more.items())
        found.append(Tally(f"+{lead}" if lead > 0 else "", tuple(shapes), 1 - side))
    return found
