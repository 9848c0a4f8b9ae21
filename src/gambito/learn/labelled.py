"""Positions with known values from a text file. A line is `POSITION;value`, for the player to move."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from gambito.errors import EvaluationError, PositionError
from gambito.game.contract import Game
from gambito.game.gears import gears
from gambito.learn.self_play import FACTS, GAME, OUTCOME, VALUE, Chunk, new_position_buffer
from gambito.native import native
from gambito.native.store import put, width

BLOCK = 100  # lines that are held back together


@native
def write_state(game, sheet, place, state):
    put(sheet.kept, place, state)
    return place


def read_labelled(game: Game, path: Path) -> Chunk:
    """Return the positions of a file. The error for a line that cannot be read names the line."""
    try:
        lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    except (OSError, UnicodeDecodeError) as problem:
        raise EvaluationError("{} cannot be read: {}", path, problem) from None
    if not lines:
        raise EvaluationError("{} holds no positions; a line is POSITION;value", path)
    both = gears(game)
    inner = both.in_gear("native")
    assert both.state is not None
    sheet, facts = (
        new_position_buffer(width(both.state) * len(lines), 1),
        np.zeros((len(lines), FACTS), np.int64),
    )
    for number, line in enumerate(lines):
        text, _, value = line.rpartition(";")
        try:
            state = both.cast(game.parse(text))
            facts[number, VALUE] = facts[number, OUTCOME] = round(float(value))
        except (PositionError, ValueError) as problem:
            raise EvaluationError("line {} of {}: {}", number + 1, path, problem) from None
        write_state(inner, sheet, number, state)
        facts[number, GAME] = number // BLOCK
    return Chunk(sheet.kept, facts)
