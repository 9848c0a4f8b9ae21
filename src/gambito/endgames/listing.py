"""A table of a whole small game, made in memory: its positions are listed, and solved from the end."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gambito.endgames.builder import Builder, Progress, is_numbered
from gambito.endgames.files import pack_table
from gambito.endgames.places import LISTED
from gambito.errors import CompileError, EndgameError
from gambito.game.contract import Game
from gambito.memory.endgame_tables import Endings

CACHE = 64  # MiB of uncompressed blocks


class _Ended(Exception):
    """The caller does not want the table any more."""


def list_endings(
    game: Game, state: Any, most: int, gear: str, is_ended: Callable[[], bool]
) -> Endings | None:
    """The table of all positions that can be reached from a state; None if there are more than about `most`,
    if a table cannot hold the values of the game, or if `is_ended` says so."""

    def monitor(progress: Progress) -> None:
        if is_ended():
            raise _Ended

    if is_numbered(game) or game.players != 2:
        return None
    try:
        builder = Builder(game, gear=gear, start=state, most=most)
        builder.report = monitor
        table = builder.build(LISTED)
    except (CompileError, EndgameError, _Ended):
        return None
    return Endings([pack_table(table)], CACHE)
