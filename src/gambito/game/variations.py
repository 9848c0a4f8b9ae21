"""A game with variations: moves, comments, glyphs, other lines instead of a move. It knows no notation."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

GLYPHS = {"!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6}  # PGN's numbers of the usual signs
_CLOCK = re.compile(r"\[%clk ([0-9]{1,9}):([0-9]{2}):([0-9]{2}(?:\.[0-9]{1,9})?)\]")


@dataclass
class Line:
    """Successive moves, and the comment before the first one."""

    comment: str = ""
    moves: list[Move] = field(default_factory=list)


@dataclass
class Move:
    """A move of a game, its comments and glyphs, and the alternative lines."""

    action: int
    comment: str = ""
    glyphs: list[int] = field(default_factory=list)
    others: list[Line] = field(default_factory=list)

    @property
    def clock(self) -> float | None:
        """The seconds that the player had left, if the comment has them."""
        match = _CLOCK.search(self.comment)
        return None if match is None else int(match[1]) * 3600 + int(match[2]) * 60 + float(match[3])


@dataclass
class Score:
    """A game: its tags, its first state, and its moves."""

    start: Any
    tags: dict[str, str] = field(default_factory=dict)
    line: Line = field(default_factory=Line)
    result: str = "*"

    @property
    def actions(self) -> list[int]:
        return [move.action for move in self.line.moves]
