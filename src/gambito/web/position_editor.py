"""Setting up a position piece by piece: what stands on each cell, as the equipment of the game writes it.

The game's own parser has the last word about a position that was set up.
"""

from __future__ import annotations

from typing import Any

from gambito.boards.equipment import Equipment, Values
from gambito.errors import PositionError
from gambito.game.contract import Game

MOST = 999  # the largest number that is set up with a touch


def begin(game: Game, state: Any) -> dict[str, Any]:
    """A position as it can be set up; without a palette if it can only be written."""
    kit = _equipment(game)
    if kit is None:
        return {"palette": []}
    placed = kit.read(game.text(state))
    return {
        "cells": kit.symbols(placed.cells),
        "fields": [*([kit.sides[placed.mover]] if kit.sides else []), *placed.extras],
        "palette": [
            {"symbol": symbol, "layer": layer, "pieces": [] if piece is None else [piece.as_dict()]}
            for symbol, layer, piece in kit.palette()
        ],
        "numbers": isinstance(kit, Values),
        "least": -MOST if isinstance(kit, Values) and kit.is_signed and not kit.is_counted else 0,
        "empty": kit.palette()[0][0],
        "turn": 0 if kit.sides else None,
        "turns": dict(enumerate(kit.sides)),
    }


def finish(game: Game, cells: list[str], fields: list[str]) -> dict[str, Any]:
    """The position that was set up, as the game reads it."""
    kit = _equipment(game)
    if kit is None:
        raise PositionError("positions of {} are written, not set up", game.label())
    codes = kit.codes_of(cells)
    if codes is None:
        raise PositionError("the cells must be {} symbols of the palette", kit.size)
    state = game.parse(kit.compose(codes, fields))
    return {"start": game.text(state), "pieces": [piece.as_dict() for piece in game.pieces(state)]}


def _equipment(game: Game) -> Equipment | None:
    """The equipment of a game whose positions can be set up; None: they are written."""
    kit = None if game.hidden else game.kept_equipment()
    return kit if kit is not None and kit.is_position(game.text(game.initial())) else None
